package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
)

func assignStep(s *Server, c *call) error {
	step, err := s.service.AssignStep(c.r.Context(), c.id(), shop.AssignStepInput{
		UserID: c.body.text("userId"), ChangedBy: c.body.text("changedBy"),
	})
	return answer(c, http.StatusOK, step, err)
}

func configureStep(s *Server, c *call) error {
	step, err := s.service.ConfigureStep(c.r.Context(), c.id(), shop.ConfigureStepInput{
		Optional:       c.body.flag("optional"),
		DependencyType: c.body.text("dependencyType"),
		ChangedBy:      c.body.text("changedBy"),
	})
	return answer(c, http.StatusOK, step, err)
}
