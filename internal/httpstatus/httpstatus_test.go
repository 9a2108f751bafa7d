package httpstatus

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/routecard/routecard/shop/refusal"
)

func TestOf(t *testing.T) {
	t.Parallel()
	const internal = "Internal Server Error"
	refused := func(kind refusal.Kind) error { return refusal.Refuse(refusal.NewReason(kind, "told", "told")) }
	for _, row := range []struct {
		err     error
		status  int
		message string
	}{
		{refused(refusal.Invalid), http.StatusBadRequest, "told"},
		{refused(refusal.NotFound), http.StatusNotFound, "told"},
		{refused(refusal.Conflict), http.StatusConflict, "told"},
		{refused(refusal.Unauthenticated), http.StatusUnauthorized, "told"},
		{refused(refusal.Throttled), http.StatusTooManyRequests, "told"},
		{refused(refusal.Forbidden), http.StatusForbidden, "told"},
		{refused(refusal.Upstream), http.StatusBadGateway, "told"},
		{refused(refusal.Unavailable), http.StatusServiceUnavailable, "told"},
		{refused(refusal.Running), http.StatusConflict, "told"},
		{refused(refusal.Changed), http.StatusPreconditionFailed, "told"},
		{refused(refusal.KeyReused), http.StatusUnprocessableEntity, "told"},
		{refused(refusal.Uncertain), http.StatusServiceUnavailable, "told"},
		{fmt.Errorf("wrapped: %w", refused(refusal.Conflict)), http.StatusConflict, "told"},
		{refused(refusal.Kind(99)), http.StatusInternalServerError, internal},
		{errors.New("disk on fire"), http.StatusInternalServerError, internal},
	} {
		if status, told := Of(row.err); status != row.status || told.Error() != row.message {
			t.Errorf("%v: %d %q, want %d %q", row.err, status, told, row.status, row.message)
		}
	}
}
