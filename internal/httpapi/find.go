package httpapi

import (
	"net/http"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

func searchSerials(s *Server, c *call) error {
	query := c.r.URL.Query()
	limit, _ := wholeQuery(c.r, "limit")
	page, err := s.views.SearchSerials(c.r.Context(), views.SerialQuery{
		Text: query.Get("q"), JobID: query.Get("jobId"), PathID: query.Get("pathId"), StepID: query.Get("stepId"),
		Step: query.Get("step"), Status: shop.SerialStatus(query.Get("status")), Before: query.Get("before"),
		Limit: int(min(limit, shop.SearchLimit)),
	})
	return answer(c, http.StatusOK, page, err)
}

func searchAudit(s *Server, c *call) error {
	query := auditQuery(c.r)
	limit, ok := wholeQuery(c.r, "limit")
	if !ok {
		limit = shop.SearchDefault
	}
	query.Limit = limit
	return writeList(c, http.StatusOK, s.views.SearchAudit(c.r.Context(), query))
}

// auditQuery reads the filters of a search of the trail. A time that is none is ignored, like the other parameters.
func auditQuery(r *http.Request) views.AuditQuery {
	query := r.URL.Query()
	return views.AuditQuery{
		Action: shop.AuditAction(query.Get("action")), UserID: query.Get("userId"),
		SerialID: query.Get("serialId"), JobID: query.Get("jobId"),
		From: timeQuery(query.Get("from")), Until: timeQuery(query.Get("until")), Before: query.Get("before"),
	}
}

func timeQuery(text string) shop.Timestamp {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0
	}
	return shop.TimestampOf(at)
}
