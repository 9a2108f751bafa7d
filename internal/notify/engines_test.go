package notify

import (
	"testing"

	"github.com/routecard/routecard/internal/enginetest"
)

// All tests also run on PostgreSQL.
func TestOnPostgres(t *testing.T) {
	t.Parallel()
	enginetest.OnPostgres(t)
}
