package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
)

func listTemplates(s *Server, c *call) error {
	return writeList(c, http.StatusOK, s.service.Templates(c.r.Context()))
}

func createTemplate(s *Server, c *call) error {
	template, err := s.service.CreateTemplate(c.r.Context(), shop.CreateTemplateInput{
		Name: c.body.text("name"), Steps: c.body.steps("steps"), ChangedBy: c.body.text("changedBy"),
	})
	return answer(c, http.StatusCreated, template, err)
}

func getTemplate(s *Server, c *call) error {
	template, err := s.service.Template(c.r.Context(), c.id())
	return answerTagged(c, template, err)
}

func updateTemplate(s *Server, c *call) error {
	template, err := s.service.UpdateTemplate(c.r.Context(), c.id(), shop.UpdateTemplateInput{
		Name: c.body.text("name"), Steps: c.body.steps("steps"), ChangedBy: c.body.text("changedBy"),
	})
	return answer(c, http.StatusOK, template, err)
}

func deleteTemplate(s *Server, c *call) error {
	return done(c, s.service.DeleteTemplate(c.r.Context(), c.id(), c.body.text("changedBy")))
}

func applyTemplate(s *Server, c *call) error {
	path, err := s.service.ApplyTemplate(c.r.Context(), c.id(), shop.ApplyTemplateInput{
		JobID:        c.body.text("jobId"),
		GoalQuantity: c.body.number("goalQuantity"),
		PathName:     c.body.text("pathName"),
		ChangedBy:    c.body.text("changedBy"),
	})
	return answer(c, http.StatusCreated, path, err)
}
