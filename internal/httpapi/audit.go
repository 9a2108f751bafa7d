package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
)

func listAudit(s *Server, c *call) error {
	limit, ok := wholeQuery(c.r, "limit")
	if !ok {
		limit = shop.NoLimit
	}
	offset, _ := wholeQuery(c.r, "offset")
	return writeList(c, http.StatusOK, s.service.AuditEntries(c.r.Context(), limit, offset))
}

func getAuditOfSerial(s *Server, c *call) error {
	return writeList(c, http.StatusOK, s.service.AuditOfSerial(c.r.Context(), c.id()))
}

func getAuditOfJob(s *Server, c *call) error {
	return writeList(c, http.StatusOK, s.service.AuditOfJob(c.r.Context(), c.id()))
}
