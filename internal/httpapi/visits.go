package httpapi

import (
	"iter"
	"net/http"

	"github.com/routecard/routecard/shop"
)

// exportVisits answers what every serial did at every step, one visit a line.
func exportVisits(s *Server, c *call, query shop.VisitQuery) error {
	return writeLines(c, s.service.AllVisits(c.r.Context(), query))
}

// writeLines answers a list of any length as JSON values with a line feed behind each, without keeping it in memory. When it
// fails on the way, the connection is cut.
func writeLines[T any](c *call, list iter.Seq2[T, error]) error {
	stream := newStream(c, http.StatusOK)
	stream.kind = linesType
	for item, err := range list {
		if err != nil {
			return stream.fail(err)
		}
		if err := encode(&stream.buffer, item); err != nil {
			return stream.fail(err)
		}
		stream.buffer.WriteByte('\n')
		if err := stream.flushFull(); err != nil {
			return err
		}
	}
	return stream.finish()
}
