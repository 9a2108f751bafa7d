package sqlstore_test

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/sqlstore"
)

// TestOpenLeavesOtherFilesAlone opens files that are not databases of Routecard. They are refused with a clear message, and neither the
// file nor its folder changes.
func TestOpenLeavesOtherFilesAlone(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	foreign := filepath.Join(folder, "foreign.db")
	db, err := sql.Open("sqlite", foreign)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `CREATE TABLE recipe (name TEXT)`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"letter": "Dear reader", "short": "S"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "closet"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"foreign.db": "is a database of another program, not of Routecard",
		"letter":     "is not a database",
		"short":      "is not a database",
		"closet":     "is a folder, not a database file",
	} {
		file := filepath.Join(folder, name)
		before, _ := os.ReadFile(file) // before stays nil for a folder
		store, err := sqlstore.OpenSQLite(t.Context(), file, sqlstore.Options{})
		if err == nil {
			t.Errorf("%s was opened", name)
			_ = store.Close()
			continue
		}
		if !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
		if after, _ := os.ReadFile(file); !bytes.Equal(before, after) {
			t.Errorf("%s was changed", name)
		}
	}
	found, err := os.ReadDir(folder)
	if err != nil || len(found) != 4 {
		t.Errorf("the folder has %v (%v)", found, err)
	}
}
