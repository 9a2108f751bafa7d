package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// The system reports a failing disk only once, to the first sync. So the upload must fail even if the last sync succeeds.
func TestAnErrorOfAnEarlySyncIsKept(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "upload"))
	if err != nil {
		t.Fatal(err)
	}
	synced := syncAlong(file)
	synced.wrote(syncEvery)
	if err := synced.wait(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	synced.wrote(syncEvery - 1)
	if err := synced.wait(); err != nil {
		t.Errorf("it synced too early: %v", err)
	}
	synced.wrote(1)
	for range 2 {
		if err := synced.wait(); !errors.Is(err, os.ErrClosed) {
			t.Errorf("the error is %v", err)
		}
	}
}
