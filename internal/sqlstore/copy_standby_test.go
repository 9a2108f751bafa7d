package sqlstore

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/pgtest"
)

// A standby can be the source of a copy while its primary works, but not the target. The server is a real standby.
func TestCopyFromStandby(t *testing.T) {
	t.Parallel()
	primary := pgtest.New(t)
	store := openPostgres(t, primary.Address("postgres"))
	fillEverything(t, store)
	standby := primary.Standby(t, "synchronous_standby_names = ''", "hot_standby = on")
	file := filepath.Join(t.TempDir(), "shop.db")
	copied, err := Copy(t.Context(), standby.Address("postgres"), file, CopyOptions{})
	must(t, err)
	for _, table := range copied {
		if table.Name == "serial" && table.Rows != 3000 {
			t.Errorf("%d serials were copied", table.Rows)
		}
	}
	expectPosition(t, openSQLite(t, file, Options{}), "SN-00001", 0)
	if _, err := Copy(t.Context(), file, standby.Address("postgres"), CopyOptions{}); err == nil {
		t.Error("a standby was written to")
	}
}

// A server that is set to read-only can be a source too. If its tables are of another version, it is refused and stays unchanged.
func TestCopyFromReadOnlyServer(t *testing.T) {
	t.Parallel()
	address := shopDatabase(t)
	store := openPostgres(t, address)
	stock(t, store, 3)
	readOnly := address + "&default_transaction_read_only=on"
	file := filepath.Join(t.TempDir(), "shop.db")
	_, err := Copy(t.Context(), readOnly, file, CopyOptions{})
	must(t, err)
	expectPosition(t, openSQLite(t, file, Options{}), "SN-00003", 0)
	must(t, execPostgres(t, address, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)`))
	if _, err := Copy(t.Context(), readOnly, filepath.Join(t.TempDir(), "other.db"), CopyOptions{}); err == nil ||
		!strings.Contains(err.Error(), "have version 9999, this program knows") {
		t.Errorf("other tables: %v", err)
	}
}
