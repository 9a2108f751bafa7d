package backup_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/sqlstore"
)

// backedUp returns a shop with a backup of one entry.
func backedUp(t *testing.T) (*sealedShop, backup.Manifest) {
	t.Helper()
	s := newShop(t)
	s.work(func(store sqlstore.Store) { s.append(store, "ann", 1) })
	manifest, err := s.take(0)
	s.must(err)
	return s, manifest
}

// TestTwoRestoresToOnePlace starts a restore, which waits for its manifest, and finishes another restore to the same place. The first
// restore is refused and does not change the database of the other.
func TestTwoRestoresToOnePlace(t *testing.T) {
	t.Parallel()
	s, manifest := backedUp(t)
	folder := t.TempDir()
	target, slow := filepath.Join(folder, "restored.db"), filepath.Join(t.TempDir(), "slow.db")
	text, err := os.ReadFile(filepath.Join(s.folder, strings.TrimSuffix(manifest.File, ".db")+".json"))
	s.must(err)
	s.must(os.Link(filepath.Join(s.folder, manifest.File), slow))
	s.must(syscall.Mkfifo(strings.TrimSuffix(slow, ".db")+".json", 0o600))
	refused := make(chan error, 1)
	go func() {
		_, err := backup.Restore(s.Context(), backup.Restoration{
			From: slow, To: target, Skip: 10_000, KeyFiles: []string{target + ".ledger-key"}, User: "root",
			Clock: time.Now, Logger: slog.New(slog.DiscardHandler),
		})
		refused <- err
	}()
	pipe, err := os.OpenFile(strings.TrimSuffix(slow, ".db")+".json", os.O_WRONLY, 0) // returns when the restore reads its manifest
	s.must(err)
	_, err = s.restore(manifest, target)
	s.must(err)
	before, err := os.Stat(target)
	s.must(err)
	_, err = pipe.Write(text)
	s.must(errors.Join(err, pipe.Close()))
	if err := <-refused; err == nil || !strings.Contains(err.Error(), target+" exists") {
		t.Errorf("the other restore: %v", err)
	}
	after, err := os.Stat(target)
	s.must(err)
	if !os.SameFile(before, after) || before.ModTime() != after.ModTime() {
		t.Error("the database of the finished restore was replaced")
	}
	s.must(backup.Interrupted(target))
}

// TestRestoreRemovesOnlyItsFiles compares the order in which a restore renames and removes files. The file X.restoring keeps other restores
// away: after it is gone, the restore removes nothing, because the file could belong to the next restore.
func TestRestoreRemovesOnlyItsFiles(t *testing.T) {
	t.Parallel()
	s, manifest := backedUp(t)
	last := func(target string, clock func() time.Time, ctx context.Context) (event string, err error) { //nolint:revive // the clock cancels it
		watch, failure := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
		s.must(failure)
		defer func() { s.must(syscall.Close(watch)) }()
		_, failure = syscall.InotifyAddWatch(watch, filepath.Dir(target), syscall.IN_MOVED_TO|syscall.IN_DELETE)
		s.must(failure)
		_, err = backup.Restore(ctx, backup.Restoration{
			From: filepath.Join(s.folder, manifest.File), To: target, Skip: 10_000, KeyFiles: []string{target + ".ledger-key"}, User: "root",
			Clock: clock, Logger: slog.New(slog.DiscardHandler),
		})
		names := renamed(t, watch)
		if !slices.Contains(names, filepath.Base(target)+".restoring.lock") {
			t.Fatalf("the events are %q: no lock was removed", names)
		}
		return names[len(names)-1], err
	}
	target := filepath.Join(t.TempDir(), "restored.db")
	event, err := last(target, time.Now, t.Context())
	s.must(err)
	if event != "restored.db" {
		t.Errorf("after the database got its name, %s was removed", event)
	}
	ctx, cancel := context.WithCancel(t.Context())
	target = filepath.Join(t.TempDir(), "restored.db")
	event, err = last(target, func() time.Time { cancel(); return time.Now() }, ctx)
	if err == nil || event != "restored.db.restoring" {
		t.Errorf("a canceled restore returns %v, and removes %s last", err, event)
	}
}
