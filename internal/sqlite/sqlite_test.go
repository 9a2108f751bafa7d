package sqlite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sqlitelib "modernc.org/sqlite/lib"
)

func open(t *testing.T) *Conn {
	t.Helper()
	c, err := Open("file:" + filepath.Join(t.TempDir(), "a.db") + "?_pragma=foreign_keys(1)&_pragma=temp_store(MEMORY)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func run(t *testing.T, c *Conn, text string, args ...any) int64 {
	t.Helper()
	statement, err := c.Prepare(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	changed, err := statement.Run(args...)
	if err := errors.Join(err, statement.Close()); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return changed
}

func scan(c *Conn, text string, args []any, destinations ...any) error {
	statement, err := c.Prepare(text)
	if err != nil {
		return err
	}
	if err := statement.Bind(args...); err != nil {
		return errors.Join(err, statement.Close())
	}
	_, err = statement.Step()
	if err == nil {
		err = statement.Scan(destinations...)
	}
	return errors.Join(err, statement.Close())
}

type word string

// Stored values come back unchanged, of every type.
func TestValues(t *testing.T) {
	t.Parallel()
	c := open(t)
	long := strings.Repeat("ä", 2*roomKept)
	var (
		text, empty, kept string
		named             word
		number            int64
		small             int
		yes, no           bool
		half, whole       float64
	)
	args := []any{"a\x00b", "", long, word("w"), int64(-1 << 62), 7, true, false, 0.5, 3.0}
	for range 3 { // the buffer of the statement is freed in between
		if err := scan(c, `SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?`, args,
			&text, &empty, &kept, &named, &number, &small, &yes, &no, &half, &whole); err != nil {
			t.Fatal(err)
		}
		got := []any{text, empty, kept, named, number, small, yes, no, half, whole}
		want := []any{"a\x00b", "", long, word("w"), int64(-1 << 62), 7, true, false, 0.5, 3.0}
		if !slices.Equal(got, want) {
			t.Fatalf("got %v", got)
		}
	}
}

// A file that was created with another tool may have its texts in UTF-16.
func TestTextsInUTF16(t *testing.T) {
	for _, encoding := range []string{"UTF-8", "UTF-16le", "UTF-16be"} {
		c := open(t)
		run(t, c, "PRAGMA encoding = '"+encoding+"'")
		run(t, c, "CREATE TABLE t (a TEXT, b TEXT, c TEXT)")
		run(t, c, "INSERT INTO t VALUES ($1, $2, $3)", "Größe 5 µm", "", "a\x00b")
		var used, first, second, third string
		if err := scan(c, "PRAGMA encoding", nil, &used); err != nil || used != encoding {
			t.Fatalf("the encoding is %s: %v", used, err)
		}
		if err := scan(c, "SELECT a, b, c FROM t", nil, &first, &second, &third); err != nil {
			t.Fatal(err)
		}
		if first != "Größe 5 µm" || second != "" || third != "a\x00b" {
			t.Errorf("%s: %q, %q, %q", encoding, first, second, third)
		}
	}
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	c := open(t)
	run(t, c, `CREATE TABLE a (n INTEGER PRIMARY KEY, m INTEGER REFERENCES a (n)) STRICT`)
	var text string
	var number int64
	for _, mistake := range []struct {
		text   string
		args   []any
		to     []any
		says   string
		result int
	}{
		{"SELECT", nil, nil, "incomplete input", sqlitelib.SQLITE_ERROR},
		{"-- nothing", nil, nil, "is no statement", 0},
		{"SELECT ?", nil, nil, "0 arguments for 1 parameters", 0},
		{"SELECT ?", []any{struct{}{}}, nil, "argument 1", 0},
		{"SELECT ?", []any{[]byte{1}}, nil, "cannot be stored", 0},
		{"SELECT 1", nil, nil, "1 columns for 0 destinations", 0},
		{"SELECT 1", nil, []any{&text}, "column 1", 0},
		{"SELECT 'x'", nil, []any{&number}, "column 1", 0},
		{"SELECT NULL", nil, []any{&text}, "column 1", 0},
		{"SELECT 0.5", nil, []any{&number}, "column 1", 0},
		{"INSERT INTO a VALUES ('x', 1)", nil, nil, "datatype mismatch", sqlitelib.SQLITE_MISMATCH},
		{"INSERT INTO a VALUES (1, 2)", nil, nil, "FOREIGN KEY", sqlitelib.SQLITE_CONSTRAINT_FOREIGNKEY},
	} {
		err := scan(c, mistake.text, mistake.args, mistake.to...)
		if err == nil || !strings.Contains(err.Error(), mistake.says) {
			t.Errorf("%s: %v, want %s", mistake.text, err, mistake.says)
		}
		if failure, ok := errors.AsType[*Error](err); ok != (mistake.result != 0) || ok && failure.Code() != mistake.result {
			t.Errorf("%s: %v, want the code %d", mistake.text, err, mistake.result)
		}
	}
	if _, err := Open("file:" + filepath.Join(t.TempDir(), "no", "such", "folder")); err == nil {
		t.Error("a file in no folder was opened")
	}
	if _, err := Open("file:" + filepath.Join(t.TempDir(), "b.db") + "?_pragma=no+pragma("); err == nil {
		t.Error("a setting that is none was taken")
	}
}

// A statement that failed can be run again.
func TestAgain(t *testing.T) {
	t.Parallel()
	c := open(t)
	run(t, c, `CREATE TABLE a (n INTEGER PRIMARY KEY)`)
	statement, err := c.Prepare(`INSERT INTO a VALUES (?)`)
	if err != nil {
		t.Fatal(err)
	}
	defer statement.Close()
	for i, want := range []bool{true, false, true} {
		changed, err := statement.Run([]int{1, 1, 2}[i])
		if (err == nil) != want || want && changed != 1 {
			t.Errorf("%d: %d changed, %v", i, changed, err)
		}
	}
}

const counting = `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?) SELECT COUNT(*) FROM n`

// A statement is cut off if its context ends, even before the statement begins. Later statements are not cut off.
func TestWithin(t *testing.T) {
	t.Parallel()
	c := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	end := c.Within(ctx)
	cancel()
	for c.stopped.Load() != c.turn { // set by a goroutine of the context
	}
	var n int64
	var failure *Error
	if err := scan(c, counting, []any{1 << 40}, &n); !errors.As(err, &failure) || failure.Code() != sqlitelib.SQLITE_INTERRUPT {
		t.Errorf("counting for years: %v", err)
	}
	end()
	if err := scan(c, counting, []any{100_000}, &n); err != nil || n != 100_000 {
		t.Errorf("%d, %v", n, err)
	}
	defer c.Within(t.Context())()
	if err := scan(c, counting, []any{100_000}, &n); err != nil {
		t.Error(err)
	}
}

// Every row that changes is reported, for every cause of the change.
func TestOnChange(t *testing.T) {
	t.Parallel()
	c := open(t)
	run(t, c, `CREATE TABLE a (n INTEGER PRIMARY KEY, m INTEGER NOT NULL) STRICT`)
	run(t, c, `CREATE TABLE b (id TEXT PRIMARY KEY, n INTEGER NOT NULL REFERENCES a (n) ON DELETE CASCADE) STRICT, WITHOUT ROWID`)
	run(t, c, `CREATE TABLE log (n INTEGER NOT NULL) STRICT`)
	run(t, c, `CREATE TRIGGER logged AFTER UPDATE ON a BEGIN INSERT INTO log VALUES (NEW.m); END`)
	var told []string
	column := map[string]int{"a": 0, "b": 1, "log": 0}
	c.OnChange(func(change *Change) {
		numbers, count := change.Numbers(column[change.Table()])
		told = append(told, fmt.Sprint(change.Table(), numbers[:count]))
	})
	for _, step := range []struct {
		text string
		want []string
	}{
		{`INSERT INTO a VALUES (1, 10), (2, 20)`, []string{"a[1]", "a[2]"}},
		{`INSERT INTO b VALUES ('x', 1), ('y', 2)`, []string{"b[1]", "b[2]"}},
		{`UPDATE a SET m = 30 WHERE n = 2`, []string{"a[2 2]", "log[30]"}},
		{`UPDATE b SET n = 1 WHERE id = 'y'`, []string{"b[2 1]"}},
		{`UPDATE a SET n = 3 WHERE n = 2`, []string{"a[2 3]", "log[30]"}},
		{`REPLACE INTO b VALUES ('y', 3)`, []string{"b[1]", "b[3]"}},
		{`INSERT INTO b VALUES ('x', 3) ON CONFLICT (id) DO UPDATE SET n = excluded.n`, []string{"b[1 3]"}},
		{`DELETE FROM a WHERE n = 3`, []string{"a[3]", "b[3]", "b[3]"}},
		{`DELETE FROM log`, []string{"log[30]", "log[30]"}},
		{`DELETE FROM a`, []string{"a[1]"}},
		{`UPDATE a SET m = 1`, nil},
	} {
		told = nil
		run(t, c, step.text)
		if !slices.Equal(told, step.want) {
			t.Errorf("%s: told of %v, want %v", step.text, told, step.want)
		}
	}
}

// A statement is prepared once, regardless of the numbers in its parameters.
func TestLimitIsNotPlannedAgain(t *testing.T) {
	t.Parallel()
	c := open(t)
	run(t, c, `CREATE TABLE a (n INTEGER PRIMARY KEY, b TEXT)`)
	statement, err := c.Prepare(`SELECT n FROM a WHERE b >= ? ORDER BY n LIMIT ?`)
	if err != nil {
		t.Fatal(err)
	}
	for limit := range 5 {
		if err := statement.Bind("x", limit); err != nil {
			t.Fatal(err)
		}
		if _, err := statement.Step(); err != nil {
			t.Fatal(err)
		}
		statement.Reset()
	}
	if again := sqlitelib.Xsqlite3_stmt_status(c.tls, statement.statement, sqlitelib.SQLITE_STMTSTATUS_REPREPARE, 0); again != 0 {
		t.Errorf("it was prepared again %d times", again)
	}
	if err := statement.Close(); err != nil {
		t.Fatal(err)
	}
}

// ReleaseCaches of one connection frees the pages that another connection has cached.
func TestReleaseCaches(t *testing.T) {
	file := "file:" + filepath.Join(t.TempDir(), "a.db")
	var conns [2]*Conn
	for i := range conns {
		c, err := Open(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
		conns[i] = c
	}
	run(t, conns[0], `PRAGMA journal_mode = WAL`)
	run(t, conns[0], `CREATE TABLE a (n INTEGER PRIMARY KEY, text TEXT) STRICT`)
	run(t, conns[0], `WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 400)
		INSERT INTO a SELECT n, hex(zeroblob(1000)) FROM c`)
	var length int64
	if err := scan(conns[1], `SELECT sum(length(text)) FROM a`, nil, &length); err != nil || length != 800_000 {
		t.Fatal(length, err)
	}
	if used := conns[1].CacheUsed(); used < 500_000 {
		t.Fatalf("%d bytes are cached of %d that were read", used, length)
	}
	conns[0].ReleaseCaches()
	if used := conns[1].CacheUsed(); used > 50_000 {
		t.Errorf("%d bytes are still cached", used)
	}
	if err := scan(conns[1], `SELECT sum(length(text)) FROM a`, nil, &length); err != nil || length != 800_000 {
		t.Error(length, err)
	}
}
