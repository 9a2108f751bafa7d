package httpapi

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/routecard/routecard/shop"
)

// batch reads what the bodies of all operations on many serials have.
func (b body) batch() shop.BatchInput {
	return shop.BatchInput{
		Selection: b.selection(),
		OnRefusal: b.text("onRefusal"),
		DryRun:    b.flag("dryRun"),
	}
}

// selection reads which serials an operation is about.
func (b body) selection() shop.SelectionInput {
	return shop.SelectionInput{
		SerialIDs:     b.texts("serialIds"),
		Ranges:        b.ranges("ranges"),
		Where:         b.where("where"),
		ExpectedCount: b.number("expectedCount"),
	}
}

func (b body) ranges(field string) shop.RangesInput {
	return objects(field, b.raw(field), func(item body) shop.RangeInput {
		return shop.RangeInput{First: item.text("first"), Last: item.text("last")}
	})
}

func (b body) where(field string) shop.WhereInput {
	return decodeField(b.raw(field), func(raw json.RawMessage) (shop.FilterInput, bool) {
		fields, ok := parseFields(raw)
		return shop.FilterInput{
			JobID: fields.text("jobId"), PathID: fields.text("pathId"), StepID: fields.text("stepId"), Status: fields.text("status"),
		}, ok
	})
}

func batchAdvance(s *Server, c *call) error {
	return answerBatch(s, c, s.service.BatchAdvance, shop.BatchAdvanceInput{
		BatchInput: c.body.batch(), AdvanceSerialInput: c.body.advance(),
	})
}

func batchAdvanceTo(s *Server, c *call) error {
	return answerBatch(s, c, s.service.BatchAdvanceTo, shop.BatchAdvanceToInput{
		BatchInput: c.body.batch(), AdvanceToStepInput: c.body.advanceTo(),
	})
}

func batchScrap(s *Server, c *call) error {
	return answerBatch(s, c, s.service.BatchScrap, shop.BatchScrapInput{
		BatchInput: c.body.batch(), ScrapSerialInput: c.body.scrap(),
	})
}

func batchForceComplete(s *Server, c *call) error {
	return answerBatch(s, c, s.service.BatchForceComplete, shop.BatchForceCompleteInput{
		BatchInput: c.body.batch(), ForceCompleteInput: c.body.forceComplete(),
	})
}

// answerBatch runs an operation on many serials and answers what became of them.
func answerBatch[In any](
	s *Server, c *call, operation func(context.Context, In) (shop.BatchResult, error), in In,
) error {
	result, err := operation(c.r.Context(), in)
	if err != nil {
		return err
	}
	for i := range result.Refused {
		status, _ := statusOf(result.Refused[i].Err)
		if status != http.StatusInternalServerError {
			continue
		}
		s.config.Logger.ErrorContext(c.r.Context(), "part of a batch failed", "error", result.Refused[i].Err,
			"serial", result.Refused[i].SerialID, "path", c.r.URL.Path, "request", requestID(c.r.Context()))
		break // the others most likely failed of the same, and there may be many
	}
	return c.write(http.StatusOK, batchAnswer(result))
}

// batchAnswer is the contract's BatchResult.
type batchAnswer shop.BatchResult

type refusedSerial struct {
	SerialID   string `json:"serialId"`
	StatusCode int    `json:"statusCode"`
	Message    string `json:"message"`
}

// MarshalJSON writes the result with what each refusal is to a client.
func (a batchAnswer) MarshalJSON() ([]byte, error) {
	refused := make([]refusedSerial, len(a.Refused))
	for i, refusal := range a.Refused {
		refused[i].SerialID = refusal.SerialID
		refused[i].StatusCode, refused[i].Message = statusOf(refusal.Err)
	}
	return json.Marshal(struct {
		Selected int             `json:"selected"`
		Changed  int             `json:"changed"`
		Refused  []refusedSerial `json:"refused"`
	}{a.Selected, a.Changed, refused})
}
