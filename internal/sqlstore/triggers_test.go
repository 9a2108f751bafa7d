package sqlstore_test

import (
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// TestLostTriggersAreNamed opens a database without some of the triggers that protect the trail.
func TestLostTriggersAreNamed(t *testing.T) {
	t.Parallel()
	database := enginetest.New(t)
	if err := database.Open(t).Close(); err != nil {
		t.Fatal(err)
	}
	door := database.BackDoor(t)
	drop, lost := `DROP TRIGGER audit_no_delete`, "audit_no_delete"
	if database.Postgres() {
		drop, lost = `ALTER TABLE audit DISABLE TRIGGER audit_no_change`, "audit_no_change"
	}
	if _, err := door.ExecContext(t.Context(), drop); err != nil {
		t.Fatal(err)
	}
	store, err := database.TryOpen(t.Context(), sqlstore.Options{})
	if err == nil {
		t.Fatal("it opened", store.Close())
	}
	if !strings.Contains(err.Error(), lost) {
		t.Errorf("the error does not name what is lost: %v", err)
	}
}

// TestReplaceCannotChangeTheTrail tries to replace an entry of the trail with REPLACE, as another program would, without the setting
// recursive_triggers.
func TestReplaceCannotChangeTheTrail(t *testing.T) {
	t.Parallel()
	database := enginetest.New(t)
	if database.Postgres() {
		t.Skip("PostgreSQL has no REPLACE")
	}
	store := database.Open(t)
	err := store.Update(t.Context(), func(tx shop.Tx) error {
		return tx.AppendAudit(trail.Entry{Action: "note_created", UserID: "ann"}, trail.Entry{Action: "note_created", UserID: "bob"})
	})
	if err != nil {
		t.Fatal(err)
	}
	door := database.BackDoor(t)
	for _, statement := range []string{
		`INSERT OR REPLACE INTO audit SELECT * FROM audit WHERE sequence = 1`, `REPLACE INTO audit SELECT * FROM audit`,
		`UPDATE OR REPLACE audit SET sequence = 2 WHERE sequence = 1`, `INSERT INTO audit SELECT * FROM audit WHERE sequence = 1
			ON CONFLICT (sequence) DO UPDATE SET user_id = 'eve'`,
	} {
		if _, err := door.ExecContext(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	var name string
	if err := door.QueryRowContext(t.Context(), `SELECT group_concat(user_id) FROM audit`).Scan(&name); err != nil || name != "ann,bob" {
		t.Errorf("the trail is of %s (%v)", name, err)
	}
}
