package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// change is an operation of a folder on its disk.
type change struct{ doing, path, to string }

// A power failure may lose every name that was created or moved since its folder was synced, and every byte that was not synced. At each
// moment of Keep, with all or none of the unsynced changes, the file must be complete or missing. Once Keep has returned, it must exist.
func TestWhatWasKeptSurvivesAPowerFailure(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "db.files")
	var changes []change
	recorded := NewFolder(root, false)
	recorded.disk = disk{
		mkdir: func(folder string) error {
			if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
				changes = append(changes, change{"mkdir", folder, ""})
			}
			return makeFolder(folder)
		},
		rename: func(from, to string) error {
			changes = append(changes, change{"rename", from, to})
			return os.Rename(from, to)
		},
		syncFolder: func(folder string) error {
			changes = append(changes, change{"sync", folder, ""})
			return syncFolder(folder)
		},
	}
	digest := strings.Repeat("ab", 32)
	final, err := recorded.Path(digest)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 2 { // the second time, the file exists already
		aside, err := recorded.Aside()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := receive(strings.NewReader("whole"), aside); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(aside.Close(), recorded.Keep(t.Context(), aside.Name(), digest)); err != nil {
			t.Fatal(err)
		}
		if lost := lostBy(changes, final, root); lost != "" {
			t.Errorf("round %d: after the answer a power failure can lose %s", round, lost)
		}
	}
	// Another instance has just created the folders and the name, and has not synced them yet.
	mark := len(changes)
	aside, err := recorded.Aside()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(aside.Close(), recorded.Keep(t.Context(), aside.Name(), digest)); err != nil {
		t.Fatal(err)
	}
	unsynced := []change{
		{"mkdir", root, ""}, {"mkdir", filepath.Dir(filepath.Dir(final)), ""}, {"mkdir", filepath.Dir(final), ""}, {"rename", "x", final},
	}
	if lost := lostBy(append(unsynced, changes[mark:]...), final, root); lost != "" {
		t.Errorf("a power failure can lose %s, which another instance made", lost)
	}
}

// lostBy returns a folder entry on the path of a file that was created and not synced.
func lostBy(changes []change, file, root string) string {
	for name := file; len(name) >= len(root); name = filepath.Dir(name) {
		made, synced := -1, -1
		for i, c := range changes {
			switch {
			case c.doing == "mkdir" && c.path == name, c.doing == "rename" && c.to == name:
				made = i
			case c.doing == "sync" && c.path == filepath.Dir(name):
				synced = i
			}
		}
		if made > synced || made < 0 {
			return name
		}
	}
	return ""
}

func TestDigestsCannotLeadElsewhere(t *testing.T) {
	t.Parallel()
	place := NewFolder(t.TempDir(), true)
	for _, digest := range []string{"", "..", "../../etc/passwd", strings.Repeat("A", 64), strings.Repeat("a", 63), strings.Repeat("a", 62) + "/."} {
		if _, err := place.Open(t.Context(), digest); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", digest, err)
		}
	}
}

// docs/files.md, "Where they are kept": a missing folder is an error if it should exist, for example a share that is not mounted, but not
// if no file was stored yet.
func TestProbe(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "share")
	if err := NewFolder(missing, true).Probe(t.Context()); err == nil {
		t.Error("nothing is wrong with a share that is not there")
	}
	if err := NewFolder(missing, false).Probe(t.Context()); err != nil {
		t.Error(err)
	}
	if err := os.Mkdir(missing, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := NewFolder(missing, true).Probe(t.Context()); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(filepath.Join(missing, incoming))
	if err != nil || len(left) > 0 {
		t.Errorf("the probe left %v, %v", left, err)
	}
}
