package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/lists"
	"github.com/routecard/routecard/internal/storetest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

func TestSQLite(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) storetest.Harness {
		file := shopFile(t)
		open := func(t *testing.T) storetest.Store {
			store := openSQLite(t, file, Options{})
			store.viewLimit = time.Hour // allows a View of a hundred thousand rows on a slow machine
			return store
		}
		return storetest.Harness{
			Store: open(t), Reopen: open,
			Exec: func(t *testing.T, text string) error { return execSQL(t, file, text) },
		}
	})
}

// shopFile returns a new database file in which the tables already exist. Creating the tables takes longer than most tests.
func shopFile(t testing.TB) string {
	t.Helper()
	content, err := preparedFile()
	must(t, err)
	file := filepath.Join(t.TempDir(), "shop.db")
	must(t, os.WriteFile(file, content, 0o600))
	return file
}

// preparedFile returns the contents of a database file with its tables. All tests of a process share it.
var preparedFile = sync.OnceValues(func() (content []byte, err error) {
	folder, err := os.MkdirTemp("", "routecard-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	file := filepath.Join(folder, "shop.db")
	store, err := OpenSQLite(context.Background(), file, Options{})
	if err != nil {
		return nil, err
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

func openSQLite(t testing.TB, file string, options Options) *SQLite {
	t.Helper()
	store, err := OpenSQLite(t.Context(), file, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

// execSQL runs SQL without the store, on a separate connection.
func execSQL(t testing.TB, file, text string) error {
	t.Helper()
	db, err := sql.Open("sqlite", sqliteDSN(file))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.ExecContext(t.Context(), text)
	return err
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// eventually waits until a condition is true. If it never is, the deadline of the tests ends the wait.
func eventually(t testing.TB, what string, isTrue func() bool) {
	t.Helper()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	deadline := time.After(2 * time.Minute)
	for !isTrue() {
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatalf("in vain: %s", what)
		}
	}
}

func insertJob(store Store, id string) error {
	return store.Update(context.Background(), func(tx shop.Tx) error {
		return tx.InsertJob(shop.Job{ID: id, Name: "J", GoalQuantity: 1})
	})
}

func jobIDs(t testing.TB, store Store) []string {
	t.Helper()
	ids := []string{}
	must(t, store.View(t.Context(), func(tx shop.Reader) error {
		for job, err := range tx.Jobs() {
			if err != nil {
				return err
			}
			ids = append(ids, job.ID)
		}
		return nil
	}))
	slices.Sort(ids)
	return ids
}

// stock creates a path with room for a hundred thousand positions, and serials on the path.
func stock(t testing.TB, store Store, serials int64) {
	t.Helper()
	must(t, store.Update(t.Context(), func(tx shop.Tx) error {
		path := card.Path{ID: "path_1", JobID: "job_1", Name: "P", GoalQuantity: 1, AdvancementMode: card.Strict}
		for i := range 3 {
			path.Steps = append(path.Steps, card.ProcessStep{
				ID: "step_" + string(rune('a'+i)), Name: "S", Order: i, DependencyType: card.Preferred,
			})
		}
		if err := errors.Join(tx.InsertJob(shop.Job{ID: "job_1", Name: "J", GoalQuantity: 1}), tx.InsertPath(path)); err != nil {
			return err
		}
		first, err := tx.TakeSerialNumbers(serials)
		if err != nil {
			return err
		}
		return tx.InsertSerials(shop.SerialBatch{First: first, Quantity: serials, PathID: "path_1", JobID: "job_1", At: 1})
	}))
}

// forward returns the change of a card by an advance, with its audit entry.
func forward(unit card.Card) (card.Change, error) {
	serial := unit.Serial
	serial.Position++
	serial.UpdatedAt++
	return card.Change{Serial: serial, Moved: true, Audit: []trail.Entry{{
		Action: card.ActionSerialAdvanced, UserID: "u", SerialID: serial.ID, JobID: serial.JobID, PathID: serial.PathID,
		FromStepID: "step_a", ToStepID: "step_b",
	}}}, nil
}

func TestAuditSequenceHasNoGaps(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, shopFile(t), Options{})
	errRefused := errors.New("refused")
	errs := make(chan error, 300)
	for i := range cap(errs) {
		go func() {
			err := store.Update(context.Background(), func(tx shop.Tx) error {
				if err := tx.AppendAudit(trail.Entry{Action: "x"}, trail.Entry{Action: "x"}); err != nil || i%3 > 0 {
					return err
				}
				return errRefused
			})
			if i%3 == 0 && errors.Is(err, errRefused) {
				err = nil
			}
			errs <- err
		}()
	}
	for range cap(errs) {
		must(t, <-errs)
	}
	must(t, store.View(t.Context(), func(tx shop.Reader) error {
		next := int64(400)
		for entry, err := range tx.AuditEntries(shop.NoLimit, 0) {
			if err != nil {
				return err
			}
			if entry.ID != ident.AuditID(next) {
				t.Fatalf("entry is %s, want %s", entry.ID, ident.AuditID(next))
			}
			next--
		}
		if next != 0 {
			t.Errorf("%d entries are missing", next)
		}
		return nil
	}))
}

// A card without its path is loaded with the zero Path. Only a damaged database has such a card.
func TestCardWithoutPath(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shop.db")
	store := openSQLite(t, file, Options{})
	stock(t, store, 1)
	must(t, execSQL(t, file, `PRAGMA foreign_keys = 0; DELETE FROM step; DELETE FROM path`))
	must(t, store.View(t.Context(), func(tx shop.Reader) error {
		card, err := tx.RouteCard("SN-00001")
		if err == nil && (card.Path.ID != "" || card.Serial.PathID != "path_1") {
			t.Errorf("card is %v", card)
		}
		return err
	}))
}

// Every connection enforces foreign keys, waits for locks, and commits to the disk. Tables enforce their types.
func TestConnections(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shop.db")
	store := openSQLite(t, file, Options{})
	check := func(name string, q db.Querier, readOnly int64) {
		for pragma, want := range map[string]int64{
			"foreign_keys": 1, "synchronous": 2, "wal_autocheckpoint": 0, "busy_timeout": 10_000, "query_only": readOnly,
		} {
			if got, err := db.One(q, db.Scalar[int64], "PRAGMA "+pragma); err != nil || got != want {
				t.Errorf("%s: %s is %d, %v, want %d", name, pragma, got, err, want)
			}
		}
		if mode, err := db.One(q, db.Scalar[string], "PRAGMA journal_mode"); err != nil || mode != "wal" {
			t.Errorf("%s: journal is %s, %v", name, mode, err)
		}
	}
	must(t, store.Update(t.Context(), func(tx shop.Tx) error {
		check("writer", tx.(db.Querier), 0)
		return nil
	}))
	conn := connection(t, store)
	check("further connection", conn, 0)
	nested(t, store, readers, func(tx shop.Tx) { check("reader", tx.(db.Querier), 1) })

	tables, err := db.All(conn, db.Scalar[string], `SELECT name FROM pragma_table_list
		WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'`)
	must(t, err)
	if !slices.Equal(tables, []string{"goose_db_version"}) {
		t.Errorf("tables that are not strict: %s", tables)
	}
	for _, statement := range []string{
		`UPDATE counter SET value = 'x'`,
		`INSERT INTO path SELECT 'p', 'no such job', '', 1, '', '', 1, 1`,
		`INSERT INTO job SELECT 'j', NULL, 1, '', '', '', '', '', '', 1, 1`,
	} {
		if err := execSQL(t, file, statement); err == nil {
			t.Errorf("%s: no error", statement)
		}
	}
}

// connection opens an additional connection for the test.
func connection(t testing.TB, store *SQLite) *sqliteConnection {
	t.Helper()
	conn, err := store.connect()
	must(t, err)
	t.Cleanup(func() { _ = conn.close() })
	return conn
}

// nested keeps n Views open at the same time.
func nested(t *testing.T, store *SQLite, n int, look func(shop.Tx)) {
	t.Helper()
	if n == 0 {
		return
	}
	store.readers.wait = 0
	must(t, store.View(t.Context(), func(tx shop.Reader) error {
		look(tx)
		nested(t, store, n-1, look)
		return nil
	}))
}

// While all connections are in use, a further View waits. It gives up when its context ends or when the store closes.
func TestViewWaitsForAConnection(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, shopFile(t), Options{})
	deepest := 0
	nested(t, store, readers, func(shop.Tx) {
		if deepest++; deepest < readers {
			return
		}
		ctx, cancel := context.WithCancel(t.Context())
		waited := make(chan error, 2)
		go func() { waited <- store.View(ctx, func(shop.Reader) error { return nil }) }()
		cancel()
		if err := <-waited; !errors.Is(err, context.Canceled) {
			t.Errorf("error is %v", err)
		}
		go func() { waited <- store.View(t.Context(), func(shop.Reader) error { return nil }) }()
		go func() { waited <- store.Close() }()
		if err := <-waited; !errors.Is(err, errClosed) {
			t.Errorf("error is %v", err)
		}
	})
	must(t, store.Close())
}

// A Tx that outlives its View or Update does nothing.
func TestEndedTransaction(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, shopFile(t), Options{})
	var kept []shop.Tx
	keep := func(tx shop.Tx) error {
		kept = append(kept, tx)
		return nil
	}
	must(t, store.View(t.Context(), func(tx shop.Reader) error { return keep(tx) }))
	must(t, store.Update(t.Context(), keep))
	for _, tx := range kept {
		if err := tx.InsertJob(shop.Job{ID: "job_1"}); !errors.Is(err, db.ErrEnded) {
			t.Errorf("error is %v", err)
		}
	}
}

// A connection that cannot begin a transaction is closed, and the next View gets another one.
func TestViewSurvivesABrokenConnection(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, shopFile(t), Options{})
	must(t, insertJob(store, "job_1"))
	for range 2 * readers {
		must(t, store.View(t.Context(), func(tx shop.Reader) error {
			_, err := tx.(db.Querier).Exec("ROLLBACK") // SQLite itself does this after some failures
			return err
		}))
	}
	nested(t, store, readers, func(tx shop.Tx) {
		if _, err := tx.Job("job_1"); err != nil {
			t.Error(err)
		}
		if err := tx.InsertJob(shop.Job{ID: "job_2"}); err == nil {
			t.Error("a View wrote")
		}
	})
}

// Ready checks the database at most once a second. It does not cache a result that was caused by the end of its caller's context, and it
// does not wait longer than its caller.
func TestReady(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, shopFile(t), Options{})
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := store.Ready(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	must(t, store.Ready(t.Context()))

	store.probe.asked = time.Time{}
	blocked, release := make(chan struct{}), make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- store.Update(context.Background(), func(shop.Tx) error {
			close(blocked)
			<-release
			return nil
		})
	}()
	<-blocked
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := store.Ready(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v", err)
	}
	close(release)
	must(t, <-done)
	must(t, store.Ready(t.Context()))
}

// A file name is used unchanged even if it has a special meaning in a URL, a DSN or SQLite.
func TestStrangeFileNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a b.db", "50%.db", "%41.db", "what?.db", "a?mode=memory.db", "#1.db", "Größe 日本.db", "a&b=c;d.db", "it's.db", `"q".db`, ":memory:", "no-extension"} {
		folder := t.TempDir()
		for _, file := range []string{filepath.Join(folder, name), "/" + filepath.Join(folder, "twice"+name)} {
			store := openSQLite(t, file, Options{})
			must(t, insertJob(store, "job_1"))
			must(t, store.Close())
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			if got := jobIDs(t, openSQLite(t, file, Options{})); len(got) != 1 {
				t.Errorf("%s: jobs %s", file, got)
			}
		}
		entries, err := os.ReadDir(folder)
		must(t, err)
		for _, entry := range entries {
			if !strings.Contains(entry.Name(), name) {
				t.Errorf("%s made %s", name, entry.Name())
			}
		}
	}
}

// A note may list hundreds of thousands of serials, and every writer waits while the note is stored. SQLite finds a row of note by reading
// all of it, including its list. If each row of the index referred to note, the cost would grow with the square of the number of serials.
func TestNoteIndexDoesNotReadTheNote(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, shopFile(t), Options{})
	must(t, store.View(t.Context(), func(tx shop.Reader) error {
		referred, err := db.All(tx.(db.Querier), db.Scalar[string], `SELECT "table" FROM pragma_foreign_key_list('note_serial')`)
		if len(referred) > 0 {
			t.Errorf("every line of note_serial looks up a row of %s", strings.Join(referred, ", "))
		}
		return err
	}))
}

// A thousand rows, each with as much text as the body of a request may have, would take sixteen gigabytes.
func TestListsOfLongRowsAreReadInShortPages(t *testing.T) {
	t.Parallel()
	const count = 12
	long := strings.Repeat("x", db.PageWeight/3)
	var ids []string
	store := openSQLite(t, shopFile(t), Options{})
	must(t, store.Update(t.Context(), func(tx shop.Tx) error {
		for i := range count {
			note := shop.Note{ID: fmt.Sprintf("note_%02d", i), StepID: "step_a", SerialIDs: []string{"a"}, Text: long}
			if i < 2 || i == 7 {
				note.Text = "short"
			}
			ids = append(ids, note.ID)
			entry := trail.Entry{Action: "x", UserID: note.ID, JobID: "job_1", Metadata: []byte(`"` + note.Text + `"`)}
			if err := errors.Join(tx.InsertNote(note), tx.AppendAudit(entry)); err != nil {
				return err
			}
		}
		return nil
	}))
	newest := slices.Clone(ids)
	slices.Reverse(newest)
	must(t, store.View(t.Context(), func(tx shop.Reader) error {
		q := &scanning{Querier: tx.(db.Querier)}
		tx = lists.New(db.Core{Querier: q, Prefix: ident.DefaultPrefix, PathCache: db.NewPathCache()})
		noteID := func(n shop.Note) string { return n.ID }
		userID := func(e trail.Entry) string { return e.UserID }
		for _, list := range []struct {
			name      string
			got, want []string
		}{
			{"notes of a step", names(t, tx.NotesOfStep("step_a"), noteID), ids},
			{"notes of a serial", names(t, tx.NotesOfSerial("a"), noteID), ids},
			{"audit of a job", names(t, tx.AuditOfJob("job_1"), userID), ids},
			{"audit", names(t, tx.AuditEntries(shop.NoLimit, 0), userID), newest},
			{"part of the audit", names(t, tx.AuditEntries(7, 2), userID), newest[2:9]},
		} {
			if !slices.Equal(list.got, list.want) {
				t.Errorf("%s: %q, want %q", list.name, list.got, list.want)
			}
		}
		if q.most > 2*db.PageWeight {
			t.Errorf("one statement read %d bytes, want at most about %d", q.most, db.PageWeight)
		}
		return nil
	}))
}

// scanning stores the size of the largest result read.
type scanning struct {
	db.Querier
	most int
}

func (s *scanning) Query(text string, args ...any) (db.Rows, error) {
	result, err := s.Querier.Query(text, args...)
	return &scannedRows{Rows: result, of: s}, err
}

type scannedRows struct {
	db.Rows
	of    *scanning
	bytes int
}

func (r *scannedRows) Scan(destinations ...any) error {
	err := r.Rows.Scan(destinations...)
	for _, destination := range destinations {
		if text, ok := destination.(*string); ok {
			r.bytes += len(*text)
		}
	}
	r.of.most = max(r.of.most, r.bytes)
	return err
}

func names[T any](t *testing.T, list iter.Seq2[T, error], name func(T) string) (found []string) {
	t.Helper()
	for record, err := range list {
		must(t, err)
		found = append(found, name(record))
	}
	return found
}
