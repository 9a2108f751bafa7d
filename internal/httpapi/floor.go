package httpapi

import (
	"net/http"

	"github.com/routecard/routecard"
)

func listUsers(s *Server, c *call) error {
	return writeList(c.w, http.StatusOK, s.service.Users(c.r.Context(), false))
}

func createUser(s *Server, c *call) error {
	user, err := s.service.CreateUser(c.r.Context(), routecard.CreateUserInput{
		Name: c.body.text("name"), Department: c.body.text("department"),
	})
	return answer(c, http.StatusCreated, user, err)
}

func updateUser(s *Server, c *call) error {
	user, err := s.service.UpdateUser(c.r.Context(), c.id(), routecard.UpdateUserInput{
		Name: c.body.text("name"), Department: c.body.text("department"), Active: c.body.flag("active"),
	})
	return answer(c, http.StatusOK, user, err)
}

func assignStep(s *Server, c *call) error {
	step, err := s.service.AssignStep(c.r.Context(), c.id(), routecard.AssignStepInput{
		UserID: c.body.text("userId"), ChangedBy: c.body.text("changedBy"),
	})
	return answer(c, http.StatusOK, step, err)
}

func configureStep(s *Server, c *call) error {
	step, err := s.service.ConfigureStep(c.r.Context(), c.id(), routecard.ConfigureStepInput{
		Optional:       c.body.flag("optional"),
		DependencyType: c.body.text("dependencyType"),
		ChangedBy:      c.body.text("changedBy"),
	})
	return answer(c, http.StatusOK, step, err)
}

func listTemplates(s *Server, c *call) error {
	return writeList(c.w, http.StatusOK, s.service.Templates(c.r.Context()))
}

func createTemplate(s *Server, c *call) error {
	template, err := s.service.CreateTemplate(c.r.Context(), routecard.CreateTemplateInput{
		Name: c.body.text("name"), Steps: c.body.steps("steps"),
	})
	return answer(c, http.StatusCreated, template, err)
}

func getTemplate(s *Server, c *call) error {
	template, err := s.service.Template(c.r.Context(), c.id())
	return answer(c, http.StatusOK, template, err)
}

func updateTemplate(s *Server, c *call) error {
	template, err := s.service.UpdateTemplate(c.r.Context(), c.id(), routecard.UpdateTemplateInput{
		Name: c.body.text("name"), Steps: c.body.steps("steps"),
	})
	return answer(c, http.StatusOK, template, err)
}

func deleteTemplate(s *Server, c *call) error {
	return done(c, s.service.DeleteTemplate(c.r.Context(), c.id()))
}

func applyTemplate(s *Server, c *call) error {
	path, err := s.service.ApplyTemplate(c.r.Context(), c.id(), routecard.ApplyTemplateInput{
		JobID:        c.body.text("jobId"),
		GoalQuantity: c.body.number("goalQuantity"),
		PathName:     c.body.text("pathName"),
		ChangedBy:    c.body.text("changedBy"),
	})
	return answer(c, http.StatusCreated, path, err)
}

func getWorkQueue(s *Server, c *call) error {
	queue, err := s.service.WorkQueue(c.r.Context())
	return answer(c, http.StatusOK, queue, err)
}

func getOperatorQueue(s *Server, c *call) error {
	queue, err := s.service.OperatorQueue(c.r.Context(), c.r.PathValue("userId"))
	return answer(c, http.StatusOK, queue, err)
}

func getStepQueue(s *Server, c *call) error {
	queue, err := s.service.StepQueue(c.r.Context(), c.r.PathValue("stepId"))
	return answer(c, http.StatusOK, queue, err)
}
