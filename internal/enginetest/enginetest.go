// Package enginetest opens databases for tests that work with any engine. A package whose tests use it runs them on SQLite, and again on
// PostgreSQL with this test:
//
//	func TestOnPostgres(t *testing.T) { enginetest.OnPostgres(t) }
package enginetest

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // for the back door
	_ "modernc.org/sqlite"             // for the back door

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// engine is the variable that sets the engine of a test process.
const engine = "ROUTECARD_TEST_ENGINE"

func onPostgres() bool { return os.Getenv(engine) == "postgres" }

// Database is the database of one test, on the engine of the test process.
type Database struct {
	address string
}

// New makes a database that is removed after the test. It already has its tables, because creating them takes longer than most tests.
func New(tb testing.TB) Database {
	tb.Helper()
	if onPostgres() {
		return Database{pgtest.Prepared(tb, preparePostgres)}
	}
	return Database{File(tb)}
}

// OfPlant is New with a prefix of the identifiers of serials.
func OfPlant(tb testing.TB, prefix ident.Prefix) Database {
	tb.Helper()
	database := New(tb)
	door := database.BackDoor(tb)
	if _, err := door.ExecContext(tb.Context(), `UPDATE serial_prefix SET prefix = $1`, string(prefix)); err != nil {
		tb.Fatal(err)
	}
	if err := door.Close(); err != nil {
		tb.Fatal(err)
	}
	return database
}

// File makes a SQLite database with its tables, and returns the name of the file, which is removed after the test.
func File(tb testing.TB) string {
	tb.Helper()
	content, err := prepared()
	if err != nil {
		tb.Fatal(err)
	}
	file := filepath.Join(tb.TempDir(), "shop.db")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		tb.Fatal(err)
	}
	return file
}

// prepared is a database file with its tables, made once for all tests of a process.
var prepared = sync.OnceValues(func() (content []byte, err error) { //nolint:gochecknoglobals // once for all tests of a process
	folder, err := os.MkdirTemp("", "routecard-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	file := filepath.Join(folder, "shop.db")
	store, err := sqlstore.OpenSQLite(context.Background(), file, sqlstore.Options{})
	if err != nil {
		return nil, err
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

func preparePostgres(ctx context.Context, address string) error {
	store, err := sqlstore.OpenPostgres(ctx, address, sqlstore.Pool{}, sqlstore.Options{})
	if err != nil {
		return err
	}
	return store.Close()
}

// Open opens the database. The store is closed with the test; it may be closed before.
func (d Database) Open(tb testing.TB) sqlstore.Store {
	tb.Helper()
	return d.OpenWith(tb, sqlstore.Options{})
}

// OpenWith is Open with options.
func (d Database) OpenWith(tb testing.TB, options sqlstore.Options) sqlstore.Store {
	tb.Helper()
	store, err := d.TryOpen(tb.Context(), options)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := store.Close(); err != nil {
			tb.Error(err)
		}
	})
	return repeating{store, store.(access.Store)} //nolint:errcheck,forcetypeassert // both engines are one
}

// repeating is a store that runs the function of every View twice that a standby may serve, as a store does if the standby fails.
type repeating struct {
	sqlstore.Store
	accounts
}

type accounts = access.Store

func (s repeating) View(ctx context.Context, read func(shop.Reader) error, options ...shop.ViewOption) error {
	return s.Store.View(ctx, again(ctx, read, options), options...)
}

func (s repeating) Look(ctx context.Context, read func(views.Reader) error, options ...shop.ViewOption) error {
	return s.Store.Look(ctx, again(ctx, read, options), options...)
}

func again[R any](ctx context.Context, read func(R) error, options []shop.ViewOption) func(R) error {
	if shop.StandbyReadsOf(ctx) == nil || slices.Contains(options, shop.Browse) {
		return read
	}
	return func(tx R) error {
		_ = read(tx)
		return read(tx)
	}
}

// TryOpen opens the database, or returns the reason why it cannot. The caller must close the store.
func (d Database) TryOpen(ctx context.Context, options sqlstore.Options) (sqlstore.Store, error) {
	if d.Postgres() {
		return sqlstore.OpenPostgres(ctx, d.address, sqlstore.Pool{}, options)
	}
	return sqlstore.OpenSQLite(ctx, d.address, options)
}

// Postgres reports whether the engine is PostgreSQL, for tests of faults that occur with one engine only.
func (Database) Postgres() bool { return onPostgres() }

// Address returns the address by which a program opens the database.
func (d Database) Address() string { return d.address }

// BackDoor opens the database next to the store, on one connection that does not check foreign keys.
func (d Database) BackDoor(tb testing.TB) *sql.DB {
	tb.Helper()
	driver, address := "sqlite", "file:"+d.address+"?_pragma=busy_timeout(10000)&_pragma=foreign_keys(0)"
	if onPostgres() {
		driver, address = "pgx", d.address+"&session_replication_role=replica"
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		tb.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	return db
}

// Tables returns the names of the tables that have a shop's data, sorted.
func Tables(tb testing.TB, door *sql.DB) []string {
	tb.Helper()
	query := `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
	if onPostgres() {
		query = `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`
	}
	names := slices.DeleteFunc(texts(tb, door, query), func(name string) bool { return name == "goose_db_version" })
	slices.Sort(names)
	return names
}

// Contents returns all rows of all tables except the given ones, one line for each row, sorted. It runs one query that returns text,
// because tests compare contents hundreds of times.
func Contents(tb testing.TB, door *sql.DB, except ...string) string {
	tb.Helper()
	var query strings.Builder
	for _, table := range Tables(tb, door) {
		if slices.Contains(except, table) {
			continue
		}
		if query.Len() > 0 {
			query.WriteString(" UNION ALL ")
		}
		row := table + "::text"
		if !onPostgres() {
			row = texts(tb, door, `SELECT group_concat('quote("' || name || '")', ' || ''|'' || ') FROM pragma_table_info('`+table+`')`)[0]
		}
		query.WriteString(`SELECT '` + table + ` ' || ` + row + ` FROM "` + table + `"`)
	}
	lines := texts(tb, door, query.String())
	slices.Sort(lines) // without ORDER BY no engine guarantees an order
	return strings.Join(lines, "\n")
}

// Texts returns the distinct texts in all text columns of all tables that have at least the given length.
func Texts(tb testing.TB, door *sql.DB, least int) []string {
	tb.Helper()
	var all []string
	for _, table := range Tables(tb, door) {
		columns := `SELECT name FROM pragma_table_info('` + table + `') WHERE type = 'TEXT'`
		if onPostgres() {
			columns = `SELECT column_name FROM information_schema.columns
				WHERE table_schema = 'public' AND data_type = 'text' AND table_name = '` + table + `'`
		}
		for _, column := range texts(tb, door, columns) {
			all = append(all, texts(tb, door, fmt.Sprintf(`SELECT DISTINCT "%[1]s" FROM "%[2]s" WHERE length("%[1]s") >= %[3]d`, column, table, least))...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Written returns a text that differs from that of the previous call if another connection has written to the database since. On SQLite it
// is a counter of the engine; on PostgreSQL, which has no counter, it is the contents.
func Written(tb testing.TB, door *sql.DB, except ...string) string {
	tb.Helper()
	if onPostgres() {
		return Contents(tb, door, except...)
	}
	return texts(tb, door, `PRAGMA data_version`)[0]
}

// texts returns the rows of a query with one column.
func texts(tb testing.TB, door *sql.DB, query string) (rows []string) {
	tb.Helper()
	found, err := door.QueryContext(tb.Context(), query)
	if err != nil {
		tb.Fatal(err)
	}
	defer found.Close()
	for found.Next() {
		var text string
		if err := found.Scan(&text); err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, text)
	}
	if err := found.Err(); err != nil {
		tb.Fatal(err)
	}
	return rows
}

// OnPostgres runs all other tests of the package again, on PostgreSQL.
func OnPostgres(t *testing.T) {
	t.Helper()
	if onPostgres() {
		return // this process is that run
	}
	pgtest.Needed(t)
	args := []string{"-test.count=1", "-test.skip=^" + t.Name() + "$"}
	for _, arg := range os.Args[1:] {
		for _, kept := range []string{"-test.short", "-test.v", "-test.timeout", "-test.parallel"} {
			if strings.HasPrefix(arg, kept) {
				args = append(args, arg)
			}
		}
	}
	if flag.Lookup("rapid.checks") != nil {
		// The model is checked thoroughly on SQLite. For the other engine a few checks are enough.
		args = append(args, "-rapid.checks=10")
	}
	command := exec.CommandContext(t.Context(), os.Args[0], args...) //nolint:gosec // ourselves
	command.Env = append(os.Environ(), engine+"=postgres")
	output, err := command.CombinedOutput()
	if err != nil {
		t.Errorf("on PostgreSQL: %v\n%s", err, output)
	} else if testing.Verbose() {
		t.Logf("on PostgreSQL:\n%s", output)
	}
}

// Drawn fails the test if a property test never drew a case, so that count is zero. A run of less than rapid's hundred checks, such as that
// of OnPostgres, may miss the case by chance; then Drawn only logs it.
func Drawn(tb testing.TB, what string, count int) {
	tb.Helper()
	if count > 0 {
		return
	}
	checks, err := strconv.Atoi(flag.Lookup("rapid.checks").Value.String())
	if err != nil {
		tb.Fatal(err)
	}
	const usual = 100
	if checks < usual {
		tb.Logf("%s: never in %d checks", what, checks)
		return
	}
	tb.Errorf("%s: never in %d checks", what, checks)
}
