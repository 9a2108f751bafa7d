package sqlstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/routecard/routecard/shop"
)

// Every fold writes a new mark to the file, and the mark of another file is not accepted.
func TestFileMark(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shop.db")
	store := openSQLite(t, file, Options{})
	seen := map[uint32]bool{}
	for n := range 4 {
		must(t, store.Update(t.Context(), func(tx shop.Tx) error {
			return tx.InsertJob(shop.Job{ID: store.prefix.SerialID(int64(n)), Name: "x"})
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

// A killed process leaves a mark in the log. The mark is folded before anything is written, and is accepted.
func TestFileMarkOfAKilledProcess(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, shopFile(t), Options{})
	image := filepath.Join(t.TempDir(), "shop.db")
	var before []byte
	must(t, store.View(t.Context(), func(tx shop.Reader) error { // while a View reads, later commits stay in the log
		if _, err := tx.Job("job_0"); !errors.Is(err, shop.ErrNoRecord) {
			t.Error(err)
		}
		must(t, insertJob(store, "job_1"))
		for _, end := range []string{"", "-wal"} {
			text, err := os.ReadFile(store.lock.name + end)
			must(t, err)
			must(t, os.WriteFile(image+end, text, 0o600))
			if end == "" {
				before = text[sqliteUserVersion:][:4]
			}
		}
		return nil
	}))
	store = openSQLite(t, image, Options{})
	eventually(t, "the log is folded", func() bool {
		text, err := os.ReadFile(image)
		must(t, err)
		return !bytes.Equal(text[sqliteUserVersion:][:4], before)
	})
	must(t, store.lock.intact())
	must(t, insertJob(store, "job_2"))
	if got := jobIDs(t, store); len(got) != 2 {
		t.Errorf("the jobs are %v", got)
	}
}

// newFile returns the header of a file that was never written to, with its mark.
func newFile() (header []byte, mark *fileMark) {
	header = make([]byte, 100)
	return header, &fileMark{file: bytes.NewReader(header), known: []uint32{0, newMark()}}
}

// A fold may write a mark to the file before the commit of that mark is known to have ended. Then another mark is due.
func TestFileMarkFoldedBeforeItsCommitEnds(t *testing.T) {
	t.Parallel()
	header, mark := newFile()
	first, due := mark.due()
	if !due {
		t.Fatal("no mark is due")
	}
	binary.BigEndian.PutUint32(header[sqliteUserVersion:], first)
	must(t, mark.check())
	mark.committed(first)
	if next, due := mark.due(); !due || next == first {
		t.Errorf("after the fold %d is due: %t", next, due)
	}
}

// A recent copy is written over the file during the sync of a fold. The check after the fold detects this.
func TestFileMarkOfAnEarlierCopy(t *testing.T) {
	t.Parallel()
	_, mark := newFile()
	drawn, _ := mark.due()
	mark.committed(drawn)
	must(t, mark.check()) // before the fold or during it
	mark.through(mark.folded())
	if err := mark.check(); !errors.Is(err, errReplaced) {
		t.Errorf("the file has the mark of before the fold: %v", err)
	}
}

// A commit ends after the checkpointer has checked for one and before it records the result.
func TestFileMarkOfACommitAfterAFold(t *testing.T) {
	t.Parallel()
	header, mark := newFile()
	first, _ := mark.due()
	mark.committed(first)
	binary.BigEndian.PutUint32(header[sqliteUserVersion:], first) // the fold
	must(t, mark.check())
	folded := mark.folded()
	second, due := mark.due()
	if folded != first || !due {
		t.Fatalf("the file is taken to have %d, not %d, or no other is due", folded, first)
	}
	mark.committed(second)
	mark.through(folded)
	if err := mark.check(); err != nil {
		t.Errorf("with the second mark still in the log: %v", err)
	}
	binary.BigEndian.PutUint32(header[sqliteUserVersion:], 0)
	if err := mark.check(); !errors.Is(err, errReplaced) {
		t.Errorf("the file has the mark of before the fold: %v", err)
	}
}

// It is also detected when a copy is written over the database from which it was made.
func TestCopyHasAMarkOfItsOwn(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, shopFile(t), Options{})
	must(t, insertJob(store, "job_1"))
	to := filepath.Join(t.TempDir(), "copy.db")
	must(t, CopyInto(t.Context(), store.lock.name, to))
	must(t, store.Close()) // from here on no known mark changes
	text, err := os.ReadFile(to)
	must(t, err)
	copied := binary.BigEndian.Uint32(text[sqliteUserVersion:])
	if copied == 0 || slices.Contains(store.lock.mark.known, copied) {
		t.Errorf("the copy has mark %d, the database one of %d", copied, store.lock.mark.known)
	}
}

// A log that was renamed earlier is kept.
func TestLogIsPutAsideTwice(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, shopFile(t), Options{})
	must(t, insertJob(store, "job_1"))
	log := store.lock.name + "-wal"
	earlier := log + ".of-the-replaced-file"
	must(t, os.WriteFile(earlier, []byte("earlier"), 0o600))
	must(t, os.WriteFile(store.lock.name, make([]byte, 4096), 0o600))
	if err := store.lock.intact(); !errors.Is(err, errReplaced) {
		t.Fatal(err)
	}
	_ = store.Close()
	text, err := os.ReadFile(earlier)
	if err != nil || string(text) != "earlier" {
		t.Errorf("the earlier log: %q, %v", text, err)
	}
	if _, err := os.Stat(earlier + "-2"); err != nil {
		t.Error(err)
	}
}
