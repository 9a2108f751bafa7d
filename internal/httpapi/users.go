package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
)

func listUsers(s *Server, c *call) error {
	return writeList(c, http.StatusOK, s.service.Users(c.r.Context(), false))
}

func createUser(s *Server, c *call) error {
	user, err := s.service.CreateUser(c.r.Context(), shop.CreateUserInput{
		Name: c.body.text("name"), Department: c.body.text("department"), ChangedBy: c.body.text("changedBy"),
	})
	return answer(c, http.StatusCreated, user, err)
}

func getUser(s *Server, c *call) error {
	user, err := s.service.User(c.r.Context(), c.id())
	return answerTagged(c, user, err)
}

func updateUser(s *Server, c *call) error {
	user, err := s.service.UpdateUser(c.r.Context(), c.id(), shop.UpdateUserInput{
		Name: c.body.text("name"), Department: c.body.text("department"), Active: c.body.flag("active"),
		ChangedBy: c.body.text("changedBy"),
	})
	return answer(c, http.StatusOK, user, err)
}
