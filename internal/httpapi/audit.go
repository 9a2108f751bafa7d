package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

// listAudit is the interface's own list: a limit or an offset that is no whole number counts as left out there.
func listAudit(s *Server, c *call) error {
	limit, offset := int64(shop.NoLimit), int64(0)
	query := c.r.URL.Query()
	if whole, ok := parseWhole(query.Get("limit")); ok {
		limit = whole
	}
	if whole, ok := parseWhole(query.Get("offset")); ok {
		offset = whole
	}
	return writeList(c, http.StatusOK, s.service.AuditEntries(c.r.Context(), limit, offset))
}

func searchAudit(s *Server, c *call, query views.AuditQuery) error {
	return writeList(c, http.StatusOK, s.views.SearchAudit(c.r.Context(), query))
}
