package httpstatus

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/routecard/routecard"
)

func TestOf(t *testing.T) {
	t.Parallel()
	refusal := func(code routecard.Code) error { return &routecard.Error{Code: code, Message: "told"} }
	for _, row := range []struct {
		err     error
		status  int
		message string
	}{
		{refusal(routecard.Invalid), http.StatusBadRequest, "told"},
		{refusal(routecard.NotFound), http.StatusNotFound, "told"},
		{refusal(routecard.Conflict), http.StatusConflict, "told"},
		{refusal(routecard.Unauthenticated), http.StatusUnauthorized, "told"},
		{refusal(routecard.Throttled), http.StatusTooManyRequests, "told"},
		{refusal(routecard.Forbidden), http.StatusForbidden, "told"},
		{refusal(routecard.Upstream), http.StatusBadGateway, "told"},
		{refusal(routecard.Unavailable), http.StatusServiceUnavailable, "told"},
		{refusal(routecard.Running), http.StatusConflict, "told"},
		{refusal(routecard.Changed), http.StatusPreconditionFailed, "told"},
		{refusal(routecard.KeyReused), http.StatusUnprocessableEntity, "told"},
		{refusal(routecard.Uncertain), http.StatusServiceUnavailable, "told"},
		{fmt.Errorf("wrapped: %w", refusal(routecard.Conflict)), http.StatusConflict, "told"},
		{refusal(routecard.Code(99)), http.StatusInternalServerError, InternalMessage},
		{errors.New("disk on fire"), http.StatusInternalServerError, InternalMessage},
	} {
		if status, message := Of(row.err); status != row.status || message != row.message {
			t.Errorf("%v: %d %q, want %d %q", row.err, status, message, row.status, row.message)
		}
	}
}
