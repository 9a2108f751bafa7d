package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
)

func createJob(s *Server, c *call) error {
	job, err := s.service.CreateJob(c.r.Context(), shop.CreateJobInput{
		Name:          c.body.text("name"),
		GoalQuantity:  c.body.number("goalQuantity"),
		TicketKey:     c.body.text("trackerTicketKey"),
		TicketSummary: c.body.text("trackerTicketSummary"),
		PartNumber:    c.body.text("trackerPartNumber"),
		Priority:      c.body.text("trackerPriority"),
		EpicLink:      c.body.text("trackerEpicLink"),
		Labels:        c.body.texts("trackerLabels"),
		ChangedBy:     c.body.text("changedBy"),
	})
	return answer(c, http.StatusCreated, job, err)
}

func listJobs(s *Server, c *call) error {
	return writeListIfChanged(s, c, s.service.Jobs(c.r.Context()))
}

func getJob(s *Server, c *call) error {
	job, err := s.service.Job(c.r.Context(), c.id())
	return answerTagged(c, job, err)
}

func updateJob(s *Server, c *call) error {
	job, err := s.service.UpdateJob(c.r.Context(), c.id(), shop.UpdateJobInput{
		Name: c.body.text("name"), GoalQuantity: c.body.number("goalQuantity"), ChangedBy: c.body.text("changedBy"),
	})
	return answer(c, http.StatusOK, job, err)
}

func createPath(s *Server, c *call) error {
	path, err := s.service.CreatePath(c.r.Context(), shop.CreatePathInput{
		JobID:           c.body.text("jobId"),
		Name:            c.body.text("name"),
		GoalQuantity:    c.body.number("goalQuantity"),
		AdvancementMode: c.body.text("advancementMode"),
		Steps:           c.body.steps("steps"),
		ChangedBy:       c.body.text("changedBy"),
	})
	return answer(c, http.StatusCreated, path, err)
}

func getPath(s *Server, c *call) error {
	path, err := s.service.Path(c.r.Context(), c.id())
	return answerTagged(c, path, err)
}

func updatePath(s *Server, c *call) error {
	path, err := s.service.UpdatePath(c.r.Context(), c.id(), shop.UpdatePathInput{
		Name:            c.body.text("name"),
		GoalQuantity:    c.body.number("goalQuantity"),
		AdvancementMode: c.body.text("advancementMode"),
		Steps:           c.body.steps("steps"),
		ChangedBy:       c.body.text("changedBy"),
	})
	return answer(c, http.StatusOK, path, err)
}

func deletePath(s *Server, c *call) error {
	return done(c, s.service.DeletePath(c.r.Context(), c.id(), c.body.text("changedBy")))
}

func updateAdvancementMode(s *Server, c *call) error {
	path, err := s.service.UpdateAdvancementMode(c.r.Context(), c.id(), c.body.text("advancementMode"), c.body.text("changedBy"))
	return answer(c, http.StatusOK, path, err)
}
