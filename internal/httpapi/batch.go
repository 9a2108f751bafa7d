package httpapi

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/routecard/routecard/shop"
)

// batch makes a handler from an operation on many serials, and responds with the result for each of them.
func batch[In any](operation func(*shop.Service, context.Context, In) (shop.BatchResult, error)) handler {
	return with(func(s *Server, c *call, in In) error {
		result, err := operation(s.service, c.r.Context(), in)
		return answerBatch(s, c, result, err)
	})
}

func answerBatch(s *Server, c *call, result shop.BatchResult, err error) error {
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
		break // the others most likely failed for the same reason, and there may be many
	}
	return c.write(http.StatusOK, batchAnswer(result))
}

// batchAnswer is the contract's BatchResult.
type batchAnswer shop.BatchResult

type refusedSerial struct {
	SerialID   string `json:"serialId"`
	StatusCode int    `json:"statusCode"`
	Message    string `json:"message"`
	Code       string `json:"code"`
}

// MarshalJSON writes the result, with the status, message and code of each refusal.
func (a batchAnswer) MarshalJSON() ([]byte, error) {
	refused := make([]refusedSerial, len(a.Refused))
	for i, refusal := range a.Refused {
		status, told := statusOf(refusal.Err)
		refused[i] = refusedSerial{refusal.SerialID, status, told.Error(), told.Reason.Code()}
	}
	return json.Marshal(struct {
		Selected int             `json:"selected"`
		Changed  int             `json:"changed"`
		Refused  []refusedSerial `json:"refused"`
		Lots     *int            `json:"lots,omitempty"`
	}{a.Selected, a.Changed, refused, a.Lots})
}
