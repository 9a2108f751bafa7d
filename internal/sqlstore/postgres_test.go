package sqlstore

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/storetest"
)

func TestPostgres(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) storetest.Harness {
		address := shopDatabase(t)
		open := func(t *testing.T) storetest.Store { return openPostgres(t, address) }
		return storetest.Harness{
			Store: open(t), Reopen: open,
			Exec: func(t *testing.T, text string) error {
				return execPostgres(t, address, `SET routecard.tables = '9999'; `+text)
			},
		}
	})
}

// shopDatabase returns the address of a new database in which the tables already exist.
func shopDatabase(t testing.TB) string {
	t.Helper()
	return pgtest.Prepared(t, func(ctx context.Context, address string) error {
		store, err := OpenPostgres(ctx, address, Pool{}, Options{})
		if err != nil {
			return err
		}
		return store.Close()
	})
}

func openPostgres(t testing.TB, address string) *Postgres {
	t.Helper()
	store, err := OpenPostgres(t.Context(), address, Pool{waits: time.Minute}, Options{}) // the test machine may be slow
	must(t, err)
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

// execPostgres runs SQL without the store, on a separate connection.
func execPostgres(t testing.TB, address, text string) error {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	must(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), text)
	return err
}
