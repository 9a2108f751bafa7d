package backup_test

import (
	"database/sql"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/sqlstore"
)

// staffed returns a shop with an account, a session, tokens and secrets.
func staffed(t *testing.T) *sealedShop {
	t.Helper()
	s := newShop(t)
	s.work(func(store sqlstore.Store) { s.append(store, "ann", 3) })
	spoil(t, s.file,
		`INSERT INTO shop_user (id, name, department, active, created_at, login, roles) VALUES
			('user_1', 'Ann', '', 1, 1, 'ann', 'admin'), ('user_2', 'Bob', '', 0, 1, 'bob', 'decide')`,
		`UPDATE counter SET value = (SELECT MAX(sequence) FROM audit) WHERE name = 'unhashed'`, // no entry describes them
		`INSERT INTO user_secret (user_id, kind, hash, must_change, changed_at) VALUES ('user_1', 'password', 'x', 0, 1), ('user_1', 'pin', 'y', 0, 1), ('user_2', 'password', 'z', 1, 1)`,
		`INSERT INTO access_session (hash, id, user_id, station_id, method, address, created_at, seen_at) VALUES ('h', 'sess_1', 'user_1', '', 'password', '', 1, 1)`,
		`INSERT INTO access_token VALUES ('a', 'tok_1', 'user_1', 'erp', 'read', 'user_1', 1, 0, 0, 0), ('b', 'tok_2', 'user_1', 'old', 'read', 'user_1', 1, 0, 7, 0)`)
	return s
}

func (s *sealedShop) count(file, query string) (count int64) {
	s.Helper()
	db, err := sql.Open("sqlite", file)
	s.must(err)
	defer db.Close()
	s.must(db.QueryRowContext(s.Context(), query).Scan(&count))
	return count
}

func TestRestoreEndsCredentials(t *testing.T) {
	t.Parallel()
	s := staffed(t)
	made, err := s.take(0)
	s.must(err)
	to := filepath.Join(t.TempDir(), "shop.db")
	done, err := s.restore(made, to)
	s.must(err)
	if !slices.Equal(done.Active, []string{"ann admin"}) {
		t.Errorf("active: %q", done.Active)
	}
	for query, want := range map[string]int64{
		"SELECT COUNT(*) FROM access_session":                           0,
		"SELECT COUNT(*) FROM access_token WHERE revoked_at = 0":        0,
		"SELECT COUNT(*) FROM access_token WHERE revoked_at = 7":        1,
		"SELECT COUNT(*) FROM user_secret WHERE must_change = 0":        0,
		"SELECT COUNT(*) FROM user_secret":                              3,
		"SELECT COUNT(*) FROM audit WHERE action = 'database_restored'": 1,
	} {
		if got := s.count(to, query); got != want {
			t.Errorf("%s: %d", query, got)
		}
	}
	told := string(s.trail(to)[3].Metadata)
	if !strings.Contains(told, `"sessionsEnded":1,"tokensRevoked":1,"secretsExpired":3`) {
		t.Errorf("the trail tells %s", told)
	}

	kept := filepath.Join(t.TempDir(), "shop.db")
	_, err = backup.Restore(t.Context(), backup.Restoration{
		From: filepath.Join(s.folder, made.File), To: kept, Skip: 1, KeyFiles: []string{kept + ".ledger-key"}, User: "root",
		Clock: time.Now, Logger: slog.New(slog.DiscardHandler), KeepCredentials: "moved to another machine",
	})
	s.must(err)
	if told := string(s.trail(kept)[3].Metadata); !strings.Contains(told, `"credentialsKept":"moved to another machine"`) ||
		s.count(kept, "SELECT COUNT(*) FROM access_session") != 1 || s.count(kept, "SELECT SUM(must_change) FROM user_secret") != 1 {
		t.Errorf("kept: %s", told)
	}
}

// A copy that other means have made is restored like a backup, so that no number is handed out again.
func TestRestoreWithoutManifest(t *testing.T) {
	t.Parallel()
	s := staffed(t)
	foreign := filepath.Join(t.TempDir(), "copy.db")
	spoil(t, s.file, "VACUUM INTO '"+foreign+"'")
	restore := func(without bool) (backup.Restored, error) {
		to := filepath.Join(t.TempDir(), "shop.db")
		return backup.Restore(t.Context(), backup.Restoration{
			From: foreign, To: to, Skip: 100, KeyFiles: []string{to + ".ledger-key"}, User: "root", Clock: time.Now,
			Logger: slog.New(slog.DiscardHandler), WithoutManifest: without,
		})
	}
	if _, err := restore(false); err == nil || !strings.Contains(err.Error(), "--without-manifest") {
		t.Errorf("a copy without a manifest: %v", err)
	}
	done, err := restore(true)
	s.must(err)
	if done.Next != "SN-00101" || done.Told.From != "copy.db" || done.Told.SkippedSerials != 100 || done.Told.TakenAt == "" || done.Told.LastEntry == "" {
		t.Errorf("%+v", done)
	}
	spoil(t, foreign, "DROP TRIGGER audit_no_update", "UPDATE audit SET user_id = 'otto' WHERE sequence = 2",
		"CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN\n    SELECT RAISE(ABORT, 'the audit trail is append-only');\nEND")
	if _, err := restore(true); err == nil || !strings.Contains(err.Error(), "aud_0000000000000002 was changed") {
		t.Errorf("a copy that was changed: %v", err)
	}
}
