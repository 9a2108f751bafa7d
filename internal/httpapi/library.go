package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

type libraryEntryInput struct {
	Name input.TextInput `field:"name"`
}

func createLibraryEntry(library shop.Library) handler {
	return with(func(s *Server, c *call, in libraryEntryInput) error {
		entry, err := s.service.CreateLibraryEntry(c.r.Context(), library, in.Name)
		return answer(c, http.StatusOK, entry, err)
	})
}

func deleteLibraryEntry(library shop.Library) handler {
	return func(s *Server, c *call) error {
		return done(c, s.service.DeleteLibraryEntry(c.r.Context(), library, c.id()))
	}
}
