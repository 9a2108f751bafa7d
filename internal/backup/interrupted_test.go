package backup_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sqlstore"
)

// TestInterruptedRestore restores after a restore that was killed: what it left is named, and its files are used again.
func TestInterruptedRestore(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.work(func(store sqlstore.Store) {
		service, keeper := s.office(store)
		s.must(attach(t, service, keeper, s.job(service), "drawing"))
	})
	manifest, err := s.takeWithFiles()
	s.must(err)
	target := filepath.Join(t.TempDir(), "restored.db")
	s.must(backup.Interrupted(target))
	for _, end := range []string{"", "-wal", "-shm", ".lock"} {
		left := target + ".restoring" + end
		s.must(os.WriteFile(left, []byte("left"), 0o600))
		for _, err := range []error{backup.Interrupted(target), second(s.restore(manifest, target))} {
			if err == nil || !strings.Contains(err.Error(), "delete "+left+" and restore again") {
				t.Errorf("with %s: %v", left, err)
			}
		}
		if text, err := os.ReadFile(left); err != nil || string(text) != "left" {
			t.Errorf("%s of another restore: %q, %v", left, text, err)
		}
		s.must(os.Remove(left))
	}
	// A file is copied under another name until it is whole.
	place := files.NewFolder(files.Beside(target), false)
	copied, err := place.Path(fmt.Sprintf("%x", sha256.Sum256([]byte("drawing"))))
	s.must(err)
	s.must(os.MkdirAll(filepath.Dir(copied), 0o700))
	s.must(os.WriteFile(copied+".partial", []byte("dra"), 0o600))
	_, err = s.restore(manifest, target)
	s.must(err)
	if missing, named := s.missing(target, place); missing != 0 || named != 1 {
		t.Errorf("%d of %d files are missing", missing, named)
	}
}

func second[T any](_ T, err error) error { return err }
