package httpapi

import (
	"net/http"

	"github.com/routecard/routecard"
)

func createSerials(s *Server, c *call) error {
	batch, err := s.service.CreateSerials(c.r.Context(), routecard.CreateSerialsInput{
		JobID:    c.body.text("jobId"),
		PathID:   c.body.text("pathId"),
		Quantity: c.body.number("quantity"),
		CertID:   c.body.text("certId"),
		UserID:   c.body.text("userId"),
	})
	if err != nil {
		return err
	}
	return writeList(c.w, http.StatusCreated, batch.All())
}

func listSerials(s *Server, c *call) error {
	return writeListIfChanged(s, c, s.service.Serials(c.r.Context()))
}

func getSerial(s *Server, c *call) error {
	serial, err := s.service.Serial(c.r.Context(), c.id())
	return answer(c, http.StatusOK, serial, err)
}

func getStepStatuses(s *Server, c *call) error {
	statuses, err := s.service.StepStatuses(c.r.Context(), c.id())
	return answer(c, http.StatusOK, statuses, err)
}

func advanceSerial(s *Server, c *call) error {
	serial, err := s.service.AdvanceSerial(c.r.Context(), c.id(), routecard.AdvanceSerialInput{
		ExpectedStepIndex: c.body.number("expectedStepIndex"), UserID: c.body.text("userId"),
	})
	return answer(c, http.StatusOK, serial, err)
}

func advanceToStep(s *Server, c *call) error {
	advancement, err := s.service.AdvanceToStep(c.r.Context(), c.id(), routecard.AdvanceToStepInput{
		TargetStepIndex: c.body.number("targetStepIndex"), ExpectedStepIndex: c.body.number("expectedStepIndex"),
		UserID: c.body.text("userId"),
	})
	return answer(c, http.StatusOK, advancement, err)
}

func scrapSerial(s *Server, c *call) error {
	serial, err := s.service.ScrapSerial(c.r.Context(), c.id(), routecard.ScrapSerialInput{
		ExpectedStepIndex: c.body.number("expectedStepIndex"), Reason: c.body.text("reason"),
		Explanation: c.body.text("explanation"), UserID: c.body.text("userId"),
	})
	return answer(c, http.StatusOK, serial, err)
}

func forceComplete(s *Server, c *call) error {
	serial, err := s.service.ForceComplete(c.r.Context(), c.id(), routecard.ForceCompleteInput{
		ExpectedStepIndex: c.body.number("expectedStepIndex"), Reason: c.body.text("reason"),
		UserID: c.body.text("userId"),
	})
	return answer(c, http.StatusOK, serial, err)
}

func completeDeferredStep(s *Server, c *call) error {
	status, err := s.service.CompleteDeferredStep(c.r.Context(), c.id(), c.r.PathValue("stepId"), c.body.text("userId"))
	return answer(c, http.StatusOK, status, err)
}

func waiveStep(s *Server, c *call) error {
	status, err := s.service.WaiveStep(c.r.Context(), c.id(), c.r.PathValue("stepId"), routecard.WaiveStepInput{
		Reason: c.body.text("reason"), ApproverID: c.body.text("approverId"),
	})
	return answer(c, http.StatusOK, status, err)
}

func listOverrides(s *Server, c *call) error {
	overrides, err := s.service.Overrides(c.r.Context(), c.id())
	return answer(c, http.StatusOK, overrides, err)
}

func createOverrides(s *Server, c *call) error {
	overrides, err := s.service.CreateOverrides(c.r.Context(), c.id(), routecard.CreateOverridesInput{
		SerialIDs: c.body.texts("serialIds"),
		StepID:    c.body.text("stepId"),
		Reason:    c.body.text("reason"),
		UserID:    c.body.text("userId"),
	})
	return answerList(c, overrides, err)
}

func deleteOverride(s *Server, c *call) error {
	return done(c, s.service.ReverseOverride(c.r.Context(), c.id(), c.r.PathValue("stepId"), c.body.text("userId")))
}
