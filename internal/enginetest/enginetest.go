// Package enginetest opens databases for tests that do not care which engine they have. A package whose tests open
// theirs here runs them on SQLite, and once more on PostgreSQL with this test:
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

	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/sqlstore"
)

// engine is the variable that sets the engine of a test process.
const engine = "ROUTECARD_TEST_ENGINE"

func onPostgres() bool { return os.Getenv(engine) == "postgres" }

// Database is a database of a test's own, on the engine that the test process has.
type Database struct {
	address string
}

// New makes a database that is gone with the test. It has its tables already: making them takes longer than most tests.
func New(tb testing.TB) Database {
	tb.Helper()
	if onPostgres() {
		return Database{pgtest.Prepared(tb, preparePostgres)}
	}
	return Database{File(tb)}
}

// File makes a SQLite database that is gone with the test, with its tables, and returns its name.
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
	return store
}

// TryOpen opens the database, or says why it cannot. The caller closes the store.
func (d Database) TryOpen(ctx context.Context, options sqlstore.Options) (sqlstore.Store, error) {
	if d.Postgres() {
		return sqlstore.OpenPostgres(ctx, d.address, sqlstore.Pool{}, options)
	}
	return sqlstore.OpenSQLite(ctx, d.address, options)
}

// Postgres says which engine it is, for tests of what only one of them can suffer.
func (Database) Postgres() bool { return onPostgres() }

// Address is the address by which a program opens the database.
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

// Tables are the names of the tables that have a shop's data, sorted.
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

// Contents are all rows of all tables, a line for each, sorted; without the tables named. It is one query, whose rows are text already:
// tests that compare contents do so hundreds of times.
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
	slices.Sort(lines) // no engine promises an order without ORDER BY
	return strings.Join(lines, "\n")
}

// Texts are the different texts in all text columns of all tables, except those shorter than some characters.
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

// Written is a text that is another one when something was written to the database, other than through this door, since
// it was asked for last: on SQLite a number that the engine counts, on PostgreSQL, which has none, the contents.
func Written(tb testing.TB, door *sql.DB, except ...string) string {
	tb.Helper()
	if onPostgres() {
		return Contents(tb, door, except...)
	}
	return texts(tb, door, `PRAGMA data_version`)[0]
}

// texts are the rows of a query with one column.
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
		return // this is that run
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
		// The model is checked at length on SQLite; here it is enough to see that the other engine obeys it too.
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

// Drawn fails the test if the count of what a property test drew is zero. A run of less than rapid's hundred checks, as the one of OnPostgres,
// may miss it by chance; it says so and goes on.
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
