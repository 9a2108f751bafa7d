package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
)

func createSerials(s *Server, c *call) error {
	batch, err := s.service.CreateSerials(c.r.Context(), shop.CreateSerialsInput{
		JobID:    c.body.text("jobId"),
		PathID:   c.body.text("pathId"),
		Quantity: c.body.number("quantity"),
		CertID:   c.body.text("certId"),
		UserID:   c.body.text("userId"),
	})
	if err != nil {
		return err
	}
	return writeList(c, http.StatusCreated, batch.All())
}

func listSerials(s *Server, c *call) error {
	return writeListIfChanged(s, c, s.service.Serials(c.r.Context()))
}

func getSerial(s *Server, c *call) error {
	serial, err := s.service.Serial(c.r.Context(), c.id())
	return answerTagged(c, serial, err)
}

func getStepStatuses(s *Server, c *call) error {
	statuses, err := s.service.StepStatuses(c.r.Context(), c.id())
	return answer(c, http.StatusOK, statuses, err)
}

func (b body) advance() shop.AdvanceSerialInput {
	return shop.AdvanceSerialInput{ExpectedStepIndex: b.number("expectedStepIndex"), UserID: b.text("userId")}
}

func advanceSerial(s *Server, c *call) error {
	serial, err := s.service.AdvanceSerial(c.r.Context(), c.id(), c.body.advance())
	return answer(c, http.StatusOK, serial, err)
}

func (b body) advanceTo() shop.AdvanceToStepInput {
	return shop.AdvanceToStepInput{
		TargetStepIndex: b.number("targetStepIndex"), ExpectedStepIndex: b.number("expectedStepIndex"), UserID: b.text("userId"),
	}
}

func advanceToStep(s *Server, c *call) error {
	advancement, err := s.service.AdvanceToStep(c.r.Context(), c.id(), c.body.advanceTo())
	return answer(c, http.StatusOK, advancement, err)
}

func (b body) scrap() shop.ScrapSerialInput {
	return shop.ScrapSerialInput{
		ExpectedStepIndex: b.number("expectedStepIndex"), Reason: b.text("reason"), Explanation: b.text("explanation"),
		UserID: b.text("userId"),
	}
}

func scrapSerial(s *Server, c *call) error {
	serial, err := s.service.ScrapSerial(c.r.Context(), c.id(), c.body.scrap())
	return answer(c, http.StatusOK, serial, err)
}

func (b body) forceComplete() shop.ForceCompleteInput {
	return shop.ForceCompleteInput{
		ExpectedStepIndex: b.number("expectedStepIndex"), Reason: b.text("reason"), UserID: b.text("userId"),
	}
}

func forceComplete(s *Server, c *call) error {
	serial, err := s.service.ForceComplete(c.r.Context(), c.id(), c.body.forceComplete())
	return answer(c, http.StatusOK, serial, err)
}

func completeDeferredStep(s *Server, c *call) error {
	status, err := s.service.CompleteDeferredStep(c.r.Context(), c.id(), c.r.PathValue("stepId"), c.body.text("userId"))
	return answer(c, http.StatusOK, status, err)
}

func waiveStep(s *Server, c *call) error {
	status, err := s.service.WaiveStep(c.r.Context(), c.id(), c.r.PathValue("stepId"), shop.WaiveStepInput{
		Reason: c.body.text("reason"), ApproverID: c.body.text("approverId"),
	})
	return answer(c, http.StatusOK, status, err)
}

func listOverrides(s *Server, c *call) error {
	overrides, err := s.service.Overrides(c.r.Context(), c.id())
	return answer(c, http.StatusOK, overrides, err)
}

func createOverrides(s *Server, c *call) error {
	overrides, err := s.service.CreateOverrides(c.r.Context(), c.id(), shop.CreateOverridesInput{
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
