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
	const internal = "Internal Server Error"
	refusal := func(kind shop.Kind) error { return shop.Refuse(shop.NewReason(kind, "told", "told")) }
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
		{refusal(shop.Kind(99)), http.StatusInternalServerError, internal},
		{errors.New("disk on fire"), http.StatusInternalServerError, internal},
	} {
		if status, told := Of(row.err); status != row.status || told.Error() != row.message {
			t.Errorf("%v: %d %q, want %d %q", row.err, status, told, row.status, row.message)
		}
	}
}
