package sqlstore

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// Status 503 reports faults that pass by themselves or that an operator can repair.
func TestFaultsOfSQLiteThatPass(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, shopFile(t), Options{})
	other := connection(t, store)
	pragma := func(text string) {
		t.Helper()
		must(t, store.Update(t.Context(), func(tx shop.Tx) error {
			return ran(tx.(db.Querier).Exec("PRAGMA " + text))
		}))
	}
	pragma("busy_timeout = 0")
	must(t, ran(other.Exec("BEGIN IMMEDIATE")))
	unavailable(t, "locked by another program", insertJob(store, "job_1"), refusal.DatabaseLocked)
	must(t, other.rollback())
	must(t, insertJob(store, "job_1"))

	must(t, other.set("query_only = 1"))
	refused := sqliteRefusal(ran(other.Exec("DELETE FROM job")))
	unavailable(t, "read-only", refused, refusal.DatabaseUnwritable)
}

func TestFaultsOfPostgresThatPass(t *testing.T) {
	t.Parallel()
	store := &Postgres{trouble: trouble{logger: slog.New(slog.DiscardHandler)}}
	for code, passes := range map[string]bool{
		"57014": true, // cancelled
		"57P01": true, // shutting down
		"53100": true, // disk full
		"53300": true, // too many connections
		"25006": true, // read-only
		"08006": true, // connection lost
		"42601": false, "23503": false, "XX000": false,
	} {
		err := store.refusal(t.Context(), fmt.Errorf("execute: %w", &pgconn.PgError{Code: code}))
		if status, _ := httpstatus.Of(err); (status == http.StatusServiceUnavailable) != passes {
			t.Errorf("%s answers %d: %v", code, status, err)
		}
	}
	for _, err := range []error{errUnreachable, errLost, errUnknown, errInTheWay} {
		if status, _ := httpstatus.Of(store.refusal(t.Context(), err)); status != http.StatusServiceUnavailable {
			t.Errorf("%v answers %d", err, status)
		}
	}
}

func unavailable(t *testing.T, what string, err error, reason *refusal.Reason) {
	t.Helper()
	refusal, ok := errors.AsType[*refusal.Error](err)
	if status, _ := httpstatus.Of(err); !ok || status != http.StatusServiceUnavailable || refusal.Reason != reason {
		t.Errorf("%s: %v", what, err)
	}
}
