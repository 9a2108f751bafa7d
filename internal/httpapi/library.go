package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
)

func listLibrary(library shop.Library) func(*Server, *call) error {
	return func(s *Server, c *call) error {
		return writeList(c, http.StatusOK, s.service.LibraryEntries(c.r.Context(), library))
	}
}

func createLibraryEntry(library shop.Library) func(*Server, *call) error {
	return func(s *Server, c *call) error {
		entry, err := s.service.CreateLibraryEntry(c.r.Context(), library, c.body.text("name"))
		return answer(c, http.StatusOK, entry, err)
	}
}

func deleteLibraryEntry(library shop.Library) func(*Server, *call) error {
	return func(s *Server, c *call) error {
		return done(c, s.service.DeleteLibraryEntry(c.r.Context(), library, c.id()))
	}
}
