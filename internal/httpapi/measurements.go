package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
)

// readingsWith answers a page of what was measured with an instrument.
func readingsWith(s *Server, c *call, query shop.InstrumentReadingsQuery) error {
	page, err := s.service.ReadingsWith(c.r.Context(), c.id(), query)
	return answer(c, http.StatusOK, page, err)
}
