package shop_test

import (
	"testing"

	"github.com/routecard/routecard/internal/enginetest"
)

func TestOnPostgres(t *testing.T) {
	t.Parallel()
	enginetest.OnPostgres(t)
}
