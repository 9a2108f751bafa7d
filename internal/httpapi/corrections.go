package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
)

func holdSerial(s *Server, c *call) error {
	hold, err := s.service.HoldSerial(c.r.Context(), c.id(), shop.HoldSerialInput{
		Reason: c.body.text("reason"), NonconformanceID: c.body.text("nonconformanceId"), UserID: c.body.text("userId"),
	})
	return answer(c, http.StatusOK, hold, err)
}

func releaseSerial(s *Server, c *call) error {
	hold, err := s.service.ReleaseSerial(c.r.Context(), c.id(), shop.ReleaseSerialInput{
		HoldID: c.body.text("holdId"), Reason: c.body.text("reason"), UserID: c.body.text("userId"),
	})
	return answer(c, http.StatusOK, hold, err)
}

func getHoldsOfSerial(s *Server, c *call) error {
	holds, err := s.service.HoldsOfSerial(c.r.Context(), c.id())
	return answer(c, http.StatusOK, holds, err)
}

func listHolds(s *Server, c *call) error {
	query := c.r.URL.Query()
	limit, _ := wholeQuery(c.r, "limit")
	page, err := s.service.Holds(c.r.Context(), shop.HoldQuery{
		Open: query.Get("open") == "true", Before: query.Get("before"), Limit: int(min(limit, shop.SearchLimit)),
	})
	return answer(c, http.StatusOK, page, err)
}

func reworkSerial(s *Server, c *call) error {
	serial, err := s.service.ReworkSerial(c.r.Context(), c.id(), shop.ReworkSerialInput{
		TargetStepIndex: c.body.number("targetStepIndex"), Reason: c.body.text("reason"),
		NonconformanceID: c.body.text("nonconformanceId"), UserID: c.body.text("userId"),
	})
	return answer(c, http.StatusOK, serial, err)
}

func batchHold(s *Server, c *call) error {
	return answerBatch(s, c, s.service.BatchHold, shop.BatchHoldInput{
		BatchInput: c.body.batch(),
		HoldSerialInput: shop.HoldSerialInput{
			Reason: c.body.text("reason"), NonconformanceID: c.body.text("nonconformanceId"), UserID: c.body.text("userId"),
		},
	})
}

func batchRelease(s *Server, c *call) error {
	return answerBatch(s, c, s.service.BatchRelease, shop.BatchReleaseInput{
		BatchInput: c.body.batch(), Reason: c.body.text("reason"), NonconformanceID: c.body.text("nonconformanceId"),
		UserID: c.body.text("userId"),
	})
}

func undo(s *Server, c *call) error {
	serial, err := s.service.Undo(c.r.Context(), c.id(), shop.UndoInput{
		EntryID: c.body.text("entryId"), Reason: c.body.text("reason"), UserID: c.body.text("userId"),
	})
	return answer(c, http.StatusOK, serial, err)
}

func voidNote(s *Server, c *call) error {
	note, err := s.service.VoidNote(c.r.Context(), c.id(), c.body.void())
	return answer(c, http.StatusOK, note, err)
}

func voidAttachment(s *Server, c *call) error {
	attachment, err := s.service.VoidAttachment(c.r.Context(), c.id(), c.body.void())
	return answer(c, http.StatusOK, attachment, err)
}

func (b body) void() shop.VoidInput {
	return shop.VoidInput{Reason: b.text("reason"), UserID: b.text("userId")}
}
