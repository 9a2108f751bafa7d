package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/views"
)

func getChart(s *Server, c *call, query views.ChartQuery) error {
	chart, err := s.views.Chart(c.r.Context(), c.id(), query)
	return answer(c, http.StatusOK, chart, err)
}
