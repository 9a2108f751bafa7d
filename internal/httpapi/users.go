package httpapi

import "net/http"

func listUsers(s *Server, c *call) error {
	return writeList(c, http.StatusOK, s.service.Users(c.r.Context(), false))
}
