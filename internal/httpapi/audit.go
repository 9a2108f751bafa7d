package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

func listAudit() handler {
	type auditPage struct {
		Limit  int64 `query:"limit"`
		Offset int64 `query:"offset"`
	}
	parameters := newParameters[auditPage]()
	return func(s *Server, c *call) error {
		page := auditPage{Limit: shop.NoLimit}
		parameters.read(c.r, &page)
		return writeList(c, http.StatusOK, s.service.AuditEntries(c.r.Context(), page.Limit, page.Offset))
	}
}

func searchAudit() handler {
	parameters := newParameters[views.AuditQuery]()
	return func(s *Server, c *call) error {
		query := views.AuditQuery{Limit: shop.SearchDefault}
		parameters.read(c.r, &query)
		return writeList(c, http.StatusOK, s.views.SearchAudit(c.r.Context(), query))
	}
}
