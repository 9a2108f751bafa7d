package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
)

func openNonconformance(s *Server, c *call) error {
	report, err := s.service.OpenNonconformance(c.r.Context(), shop.OpenNonconformanceInput{
		Title: c.body.text("title"), Description: c.body.text("description"), Severity: c.body.text("severity"),
		Selection: c.body.selection(), StepID: c.body.text("stepId"), Hold: c.body.flag("hold"), UserID: c.body.text("userId"),
	})
	return answer(c, http.StatusCreated, report, err)
}

func listNonconformances(s *Server, c *call) error {
	query := c.r.URL.Query()
	limit, _ := wholeQuery(c.r, "limit")
	page, err := s.service.Nonconformances(c.r.Context(), shop.NonconformanceQuery{
		Status: shop.NonconformanceStatus(query.Get("status")), SerialID: query.Get("serialId"), JobID: query.Get("jobId"),
		Before: query.Get("before"), Limit: int(min(limit, shop.SearchLimit)),
	})
	return answer(c, http.StatusOK, page, err)
}

func getNonconformance(s *Server, c *call) error {
	report, err := s.service.Nonconformance(c.r.Context(), c.id())
	return answer(c, http.StatusOK, report, err)
}

func addToNonconformance(s *Server, c *call) error {
	report, err := s.service.AddToNonconformance(c.r.Context(), c.id(), shop.AddToNonconformanceInput{
		Selection: c.body.selection(), Hold: c.body.flag("hold"), UserID: c.body.text("userId"),
	})
	return answer(c, http.StatusOK, report, err)
}

func disposeNonconformance(s *Server, c *call) error {
	report, err := s.service.DisposeNonconformance(c.r.Context(), c.id(), shop.DispositionInput{
		SerialIDs: c.body.texts("serialIds"), Disposition: c.body.text("disposition"), Reason: c.body.text("reason"),
		Concession: c.body.text("concession"), TargetStepIndex: c.body.number("targetStepIndex"),
		ScrapReason: c.body.text("scrapReason"), UserID: c.body.text("userId"),
	})
	return answer(c, http.StatusOK, report, err)
}

func closeNonconformance(s *Server, c *call) error {
	report, err := s.service.CloseNonconformance(c.r.Context(), c.id(), shop.CloseNonconformanceInput{
		Summary: c.body.text("summary"), UserID: c.body.text("userId"),
	})
	return answer(c, http.StatusOK, report, err)
}
