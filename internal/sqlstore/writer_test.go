package sqlstore

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// tooOldToWrite reports whether a change was refused because the program is too old.
func tooOldToWrite(err error) bool {
	refused, ok := errors.AsType[*refusal.Error](err)
	return ok && refused.Reason == refusal.ProgramTooOld
}

// If a newer program migrates the tables while an instance works, the instance stops writing but still reads.
func TestPostgresOlderInstanceStopsWriting(t *testing.T) {
	t.Parallel()
	address := shopDatabase(t)
	store := openPostgres(t, address)
	stock(t, store, 2)
	must(t, store.ChangeCard(t.Context(), "SN-00001", advance)) // so that this instance has an expected card
	must(t, store.Ready(t.Context()))
	must(t, execPostgres(t, address, `SET routecard.tables = '9999'; SELECT raise_writer(9999)`))

	for name, change := range map[string]func(context.Context) error{
		"an advance of a card that it knows": func(ctx context.Context) error { return store.ChangeCard(ctx, "SN-00001", advance) },
		"an advance of another card":         func(ctx context.Context) error { return store.ChangeCard(ctx, "SN-00002", advance) },
		"a change without an entry":          func(ctx context.Context) error { return changeJob(ctx, store, "job_untold") },
		"the probe, which /readyz is about":  func(ctx context.Context) error { store.probe = newProbe(); return store.Ready(ctx) },
		"a tile of the ledger":               func(ctx context.Context) error { return insertTile(ctx, store) },
		"a change with an entry": func(ctx context.Context) error {
			return changeJob(ctx, store, "job_told", trail.Entry{Action: shop.ActionJobCreated})
		},
	} {
		if err := change(t.Context()); !tooOldToWrite(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, store.View(t.Context(), func(tx shop.Reader) error {
		card, err := tx.RouteCard("SN-00002")
		if err == nil && card.Serial.Position != 0 {
			t.Errorf("the serial stands at %d", card.Serial.Position)
		}
		return err
	}))
	// The older program cannot be started again either.
	again, err := OpenPostgres(t.Context(), address, Pool{}, Options{})
	if err == nil {
		_ = again.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "may be written by newer versions of Routecard only") {
		t.Errorf("opening is answered %v", err)
	}
}

func changeJob(ctx context.Context, store *Postgres, id string, entries ...trail.Entry) error {
	return store.Update(ctx, func(tx shop.Tx) error {
		return errors.Join(tx.InsertJob(shop.Job{ID: id}), tx.AppendAudit(entries...))
	})
}

func insertTile(ctx context.Context, store *Postgres) error {
	return store.Update(ctx, func(tx shop.Tx) error {
		return tx.PutLedgerTiles(1, []shop.LedgerTile{{}})
	}, shop.Aside)
}

// Programs older than the minimum version do not send the version that they know.
func TestPostgresProgramThatSaysNothingCannotWrite(t *testing.T) {
	t.Parallel()
	address := shopDatabase(t)
	for _, statement := range []string{
		`INSERT INTO audit (action, user_id, at, serial_number, certificate_id, job_id, path_id, step_id, from_step_id, to_step_id,
			batch_quantity, metadata) VALUES ('serial_advanced', 'u', 1, 0, '', '', '', '', '', '', 0, '')`,
		`UPDATE counter SET value = value + 1 WHERE name = 'untold'`,
	} {
		if err := execPostgres(t, address, statement); sqlState(err) != codeOlderWriter {
			t.Errorf("%.20s: %v", statement, err)
		}
	}
}

// Raising the version waits for the commits that an older program has begun, so that none of them is completed later.
func TestPostgresRaisingTheWriterTakesItsTurn(t *testing.T) {
	t.Parallel()
	address := shopDatabase(t)
	store := openPostgres(t, address)
	must(t, store.Update(t.Context(), func(tx shop.Tx) error {
		if err := tx.AppendAudit(trail.Entry{Action: shop.ActionJobCreated, UserID: "u"}); err != nil {
			return err
		}
		if _, err := tx.LastAuditSequence(); err != nil { // this call writes the entry
			return err
		}
		err := execPostgres(t, address, `SET routecard.tables = '9999'; SET lock_timeout = '50ms'; SELECT raise_writer(9999)`)
		if sqlState(err) != codeLockTimeout {
			t.Errorf("raising the version beside a change is answered %v", err)
		}
		return nil
	}))
}

func TestFileForNewerWritersIsRefused(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/shop.db"
	must(t, openSQLite(t, file, Options{}).Close())
	must(t, execSQL(t, file, `UPDATE counter SET value = 9999 WHERE name = 'writer'`))
	if _, err := OpenSQLite(t.Context(), file, Options{}); err == nil ||
		!strings.Contains(err.Error(), "may be written by newer versions of Routecard only") {
		t.Errorf("opening is answered %v", err)
	}
}
