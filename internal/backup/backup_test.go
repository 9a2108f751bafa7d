package backup_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// sealedShop is a database file with a ledger.
type sealedShop struct {
	*testing.T
	file, folder string
	clock        time.Time
}

func newShop(t *testing.T) *sealedShop {
	t.Helper()
	return &sealedShop{T: t, file: filepath.Join(t.TempDir(), "shop.db"), folder: t.TempDir(), clock: time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)}
}

func (s *sealedShop) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// work opens the database with a sealer, calls do, and closes the database when all entries are sealed.
func (s *sealedShop) work(do func(sqlstore.Store)) {
	s.Helper()
	store, err := sqlstore.OpenSQLite(context.Background(), s.file, sqlstore.Options{})
	s.must(err)
	seals, err := sealer.Open(s.Context(), sealer.Config{
		Store: store, Clock: time.Now, Logger: slog.New(slog.DiscardHandler), KeyFiles: []string{s.file + ".ledger-key"},
		Interval: time.Millisecond, Wait: func(context.Context, int64) error { return nil },
	})
	s.must(err)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { seals.Run(ctx); close(done) }()
	for !seals.Status().Checked && seals.Status().Trouble == "" {
		<-time.After(time.Millisecond)
	}
	do(store)
	for { // before closing, because a stopping sealer has only a few seconds for the rest, which is not enough on a slow disk
		behind, err := seals.Behind(s.Context())
		s.must(err)
		if behind == 0 || seals.Status().Trouble != "" {
			break
		}
		<-time.After(time.Millisecond)
	}
	stop()
	<-done
	if trouble := seals.Status().Trouble; trouble != "" {
		s.Error(trouble)
	}
	s.must(store.Close())
}

func (s *sealedShop) append(store sqlstore.Store, user string, count int) {
	for range count {
		s.must(store.Update(s.Context(), func(tx shop.Tx) error {
			return tx.AppendAudit(trail.Entry{Action: shop.ActionNoteCreated, UserID: user, Metadata: []byte(`{"a":1}`)})
		}))
	}
}

func (s *sealedShop) take(keep int) (backup.Manifest, error) {
	s.clock = s.clock.Add(time.Minute)
	return backup.Take(s.Context(), backup.Options{Database: s.file, Folder: s.folder, Keep: backup.Keep{Count: keep}, Version: "test", Now: s.clock})
}

func (s *sealedShop) files() []string {
	s.Helper()
	var names []string
	entries, err := os.ReadDir(s.folder)
	s.must(err)
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), ".") {
			names = append(names, entry.Name())
		}
	}
	return names
}

func (s *sealedShop) restore(manifest backup.Manifest, to string) (backup.Restored, error) {
	return backup.Restore(s.Context(), backup.Restoration{
		From: filepath.Join(s.folder, manifest.File), To: to, Skip: 10_000, KeyFiles: []string{to + ".ledger-key"}, User: "root",
		Clock: time.Now, Logger: slog.New(slog.DiscardHandler),
	})
}

// trail reads all entries of a file.
func (s *sealedShop) trail(file string) (entries []trail.Entry) {
	s.Helper()
	s.must(sqlstore.ReadOnly(s.Context(), file, func(tx shop.Reader) (err error) {
		entries, err = tx.AuditAfter(0, 1_000_000)
		return err
	}))
	return entries
}

// A backup that is made during many writes is a snapshot of one moment. It is checked and restored, and has exactly the entries of that
// moment.
func TestBackupWhileManyWrite(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.work(func(store sqlstore.Store) { s.append(store, "ann", 300) }) // so that a checkpoint is signed already
	var manifest backup.Manifest
	s.work(func(store sqlstore.Store) {
		var callers sync.WaitGroup
		stop := make(chan struct{})
		for caller := range 64 {
			callers.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						s.append(store, fmt.Sprintf("user %d", caller), 1)
					}
				}
			})
		}
		var err error
		manifest, err = s.take(0)
		close(stop)
		callers.Wait()
		s.must(err)
	})
	info, err := os.Stat(filepath.Join(s.folder, manifest.File))
	s.must(err)
	if info.Mode().Perm() != 0o600 || info.Size() != manifest.Bytes {
		t.Errorf("%s %d", info.Mode(), info.Size())
	}
	target := filepath.Join(t.TempDir(), "restored.db")
	done, err := s.restore(manifest, target)
	s.must(err)
	if done.Next != "SN-10001" || !done.Anew || !strings.HasSuffix(done.Origin, "/2") {
		t.Errorf("%+v", done)
	}
	original, restored := s.trail(s.file), s.trail(target)
	kept := int(manifest.Rows["audit"])
	if kept < 300 || ident.AuditID(int64(kept)) != manifest.LastEntry || manifest.Checkpoint == "" {
		t.Errorf("%+v", manifest)
	}
	if !slices.EqualFunc(original[:kept], restored[:kept], func(a, b trail.Entry) bool {
		return a.ID == b.ID && a.UserID == b.UserID && string(a.Metadata) == string(b.Metadata)
	}) {
		t.Error("the entries are not those of the moment")
	}
	if restored[kept].Action != shop.ActionDatabaseRestored || restored[kept+1].Action != shop.ActionLedgerRestarted {
		t.Errorf("then came %s and %s", restored[kept].Action, restored[kept+1].Action)
	}
	again := &sealedShop{T: t, file: target}
	again.work(func(store sqlstore.Store) { again.append(store, "ben", 3) }) // work continues
	for _, end := range []string{".restoring", ".restoring-wal", ".restoring.lock"} {
		if _, err := os.Stat(target + end); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left", end)
		}
	}
}

// The ledger continues if its key still exists and nothing was signed since the backup. Otherwise it restarts.
func TestRestoreBesideTheKey(t *testing.T) {
	t.Parallel()
	for _, more := range []int{0, 5} {
		s := newShop(t)
		s.work(func(store sqlstore.Store) { s.append(store, "ann", 10) })
		manifest, err := s.take(0)
		s.must(err)
		s.work(func(store sqlstore.Store) { s.append(store, "ann", more) })
		if _, err := s.restore(manifest, s.file); err == nil || !strings.Contains(err.Error(), "exists") {
			t.Errorf("over a database: %v", err)
		}
		s.must(os.Remove(s.file))
		done, err := s.restore(manifest, s.file)
		s.must(err)
		if done.Anew != (more > 0) {
			t.Errorf("after %d more entries: %+v", more, done)
		}
		s.work(func(store sqlstore.Store) { s.append(store, "ann", 2) })
	}
}

func TestKeep(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.work(func(store sqlstore.Store) { s.append(store, "ann", 3) })
	s.must(os.WriteFile(filepath.Join(s.folder, "routecard-notes.json"), []byte(`{"mine":true}`), 0o600))
	s.must(os.WriteFile(filepath.Join(s.folder, "routecard-20200101T000000000Z.db.partial"), []byte("killed"), 0o600))
	var newest backup.Manifest
	for range 4 {
		var err error
		newest, err = s.take(2)
		s.must(err)
	}
	listed, err := backup.List(s.folder)
	s.must(err)
	if len(listed) != 2 || listed[0].File != newest.File {
		t.Errorf("%+v", listed)
	}
	if got := s.files(); len(got) != 5 || !slices.Contains(got, "routecard-notes.json") {
		t.Errorf("the folder has %q", got)
	}
}

// A failed backup leaves no file, and the good backups stay.
func TestBackupFails(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.work(func(store sqlstore.Store) { s.append(store, "ann", 30) })
	_, err := s.take(1)
	s.must(err)
	before := s.files()
	lock := flock.New(filepath.Join(s.folder, ".routecard-backup.lock"))
	if locked, err := lock.TryLock(); err != nil || !locked {
		t.Fatal(err)
	}
	if _, err := s.take(1); !errors.Is(err, backup.ErrUnderWay) {
		t.Errorf("beside another one: %v", err)
	}
	s.must(lock.Unlock())
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := backup.Take(cancelled, backup.Options{Database: s.file, Folder: s.folder, Keep: backup.Keep{Count: 1}, Now: s.clock.Add(time.Hour)}); err == nil {
		t.Error("a backup that was interrupted succeeds")
	}
	if _, err := backup.Take(t.Context(), backup.Options{Database: s.file, Folder: filepath.Join(s.folder, "gone")}); err == nil {
		t.Error("a folder that is gone gets a backup")
	}
	if _, err := backup.Take(t.Context(), backup.Options{Database: filepath.Join(s.folder, "none.db"), Folder: s.folder}); err == nil {
		t.Error("a database that is not there is backed up")
	}
	if _, err := backup.Take(t.Context(), backup.Options{Database: "postgres://x/y", Folder: s.folder}); err == nil || !strings.Contains(err.Error(), "pg_dump") {
		t.Errorf("PostgreSQL: %v", err)
	}
	spoil(t, s.file, "DROP TRIGGER audit_no_update", "UPDATE audit SET user_id = 'otto' WHERE sequence = 5")
	if _, err := s.take(1); err == nil || !strings.Contains(err.Error(), "aud_0000000000000005 was changed") {
		t.Errorf("a trail that was changed: %v", err)
	}
	if got := s.files(); !slices.Equal(got, before) {
		t.Errorf("the folder has %q, before %q", got, before)
	}
}

// A backup that differs from its manifest is not restored.
func TestRestoreChecks(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.work(func(store sqlstore.Store) { s.append(store, "ann", 30) })
	manifest, err := s.take(0)
	s.must(err)
	file := filepath.Join(s.folder, manifest.File)
	content, err := os.ReadFile(file)
	s.must(err)
	content[len(content)/2]++
	s.must(os.WriteFile(file, content, 0o600))
	target := filepath.Join(t.TempDir(), "restored.db")
	if _, err := s.restore(manifest, target); err == nil || !strings.Contains(err.Error(), "is not what its manifest says") {
		t.Errorf("%v", err)
	}
	s.must(os.Remove(strings.TrimSuffix(file, ".db") + ".json"))
	if _, err := s.restore(manifest, target); err == nil || !strings.Contains(err.Error(), "manifest") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(target); err == nil {
		t.Error("something was made")
	}
}
