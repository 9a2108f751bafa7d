package sqlstore_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
	"github.com/routecard/routecard/shop"
)

// olderBackup creates a backup as an older program created it, with a job and an audit entry. index is that of the program's newest
// migration.
func olderBackup(t *testing.T, folder string, index int) (file string) {
	t.Helper()
	file = filepath.Join(folder, "routecard-20200101T000000000Z.db")
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, migrations.Of("sqlite"), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), provider.ListSources()[index].Version); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), fmt.Sprintf(`PRAGMA application_id = %d;
		INSERT INTO job (id, name, goal_quantity, ticket_key, ticket_summary, part_number, priority, epic_link, labels, created_at, updated_at)
			VALUES ('job_1', 'J', 1, '', '', '', '', '', '', 1, 1);
		INSERT INTO audit (sequence, action, user_id, at, serial_number, certificate_id, job_id, path_id, step_id, from_step_id,
			to_step_id, batch_quantity, metadata) VALUES (1, 'x', 'u', 1, 1, '', 'job_1', '', '', '', '', 0, '')`,
		sqlstore.ApplicationID)); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := json.Marshal(backup.Manifest{
		File: filepath.Base(file), TakenAt: "2020-01-01T00:00:00Z", SHA256: fmt.Sprintf("%x", sha256.Sum256(content)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "routecard-20200101T000000000Z.json"), manifest, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Backups of every version of the tables are migrated like a database: alternately with and without a manifest, and in both ways for the
// first and the last version. The backup itself stays unchanged.
func TestOlderBackupsAreRestored(t *testing.T) {
	t.Parallel()
	versions, err := fs.Glob(migrations.Of("sqlite"), "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for i := range versions {
		manifests := []bool{i%2 == 0}
		if i == 0 || i == len(versions)-1 {
			manifests = []bool{false, true}
		}
		folder := t.TempDir()
		file := olderBackup(t, folder, i)
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, without := range manifests {
			to := filepath.Join(folder, fmt.Sprintf("restored-%t.db", without))
			if _, err := backup.Restore(t.Context(), backup.Restoration{
				From: file, To: to, User: "admin", Skip: 10, WithoutManifest: without, Clock: time.Now, Logger: slog.New(slog.DiscardHandler),
			}); err != nil {
				t.Fatalf("%s: %v", versions[i], err)
			}
			expectRestored(t.Context(), t, to)
		}
		after, err := os.ReadFile(file)
		if err != nil || string(after) != string(before) {
			t.Errorf("%s: the backup is another: %v", versions[i], err)
		}
	}
}

func expectRestored(ctx context.Context, t *testing.T, file string) {
	t.Helper()
	if err := sqlstore.ReadOnly(ctx, file, func(tx shop.Reader) error {
		if _, err := tx.Job("job_1"); err != nil {
			return err
		}
		entries, err := tx.LastAuditSequence()
		if err == nil && entries != 2 { // one of them is the entry of the restoration
			err = fmt.Errorf("%d audit entries, want 2", entries)
		}
		return err
	}); err != nil {
		t.Errorf("%s: %v", filepath.Base(file), err)
	}
}
