package sqlstore

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/routecard/routecard"
)

// Every fold takes another mark to the file, and none is mistaken for that of another file.
func TestFileMark(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shop.db")
	store := openSQLite(t, file, Options{})
	seen := map[uint32]bool{}
	for n := range 4 {
		must(t, store.Update(t.Context(), func(tx routecard.Tx) error {
			return tx.InsertJob(routecard.Job{ID: routecard.SerialID(int64(n)), Name: "x"})
		}))
		eventually(t, "the log is folded", func() bool {
			mark, err := store.lock.mark.read()
			must(t, errors.Join(err, store.lock.intact()))
			if seen[mark] || mark == 0 {
				return false
			}
			seen[mark] = true
			return true
		})
	}
	other := openSQLite(t, filepath.Join(t.TempDir(), "shop.db"), Options{})
	must(t, other.Close())
	text, err := os.ReadFile(other.lock.name)
	must(t, err)
	must(t, os.WriteFile(file, text, 0o600))
	if err := store.lock.intact(); !errors.Is(err, errReplaced) {
		t.Errorf("another file: %v", err)
	}
}
