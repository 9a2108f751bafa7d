package httpstatus

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/routecard/routecard/shop"
)

func TestOf(t *testing.T) {
	t.Parallel()
	refusal := func(code shop.Code) error { return &shop.Error{Code: code, Message: "told"} }
	for _, row := range []struct {
		err     error
		status  int
		message string
	}{
		{refusal(shop.Invalid), http.StatusBadRequest, "told"},
		{refusal(shop.NotFound), http.StatusNotFound, "told"},
		{refusal(shop.Conflict), http.StatusConflict, "told"},
		{refusal(shop.Unauthenticated), http.StatusUnauthorized, "told"},
		{refusal(shop.Throttled), http.StatusTooManyRequests, "told"},
		{refusal(shop.Forbidden), http.StatusForbidden, "told"},
		{refusal(shop.Upstream), http.StatusBadGateway, "told"},
		{refusal(shop.Unavailable), http.StatusServiceUnavailable, "told"},
		{refusal(shop.Running), http.StatusConflict, "told"},
		{refusal(shop.Changed), http.StatusPreconditionFailed, "told"},
		{refusal(shop.KeyReused), http.StatusUnprocessableEntity, "told"},
		{refusal(shop.Uncertain), http.StatusServiceUnavailable, "told"},
		{fmt.Errorf("wrapped: %w", refusal(shop.Conflict)), http.StatusConflict, "told"},
		{refusal(shop.Code(99)), http.StatusInternalServerError, InternalMessage},
		{errors.New("disk on fire"), http.StatusInternalServerError, InternalMessage},
	} {
		if status, message := Of(row.err); status != row.status || message != row.message {
			t.Errorf("%v: %d %q, want %d %q", row.err, status, message, row.status, row.message)
		}
	}
}
