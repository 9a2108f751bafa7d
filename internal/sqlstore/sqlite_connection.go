package sqlstore

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"modernc.org/sqlite"
)

// sqliteConnection is one connection with the statements it has prepared, on SQLite's driver itself: database/sql, which
// would stand in between, takes a fifth of the time of the short statements that a shop sends all day.
//
// Statements that write run without a context: one that is cut off would take the whole transaction with it, and with it
// the changes of other callers.
type sqliteConnection struct {
	conn       driver.Conn
	statements map[string]sqliteStatement
	traced     func(statement string)
	arguments  []driver.NamedValue // used anew by every statement
}

// sqliteStatement is what the driver's prepared statements can do.
type sqliteStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

func (s *SQLite) connect() (*sqliteConnection, error) {
	conn, err := s.db.Driver().Open(s.dsn)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return &sqliteConnection{conn: conn, statements: map[string]sqliteStatement{}, traced: s.options.Traced}, nil
}

// statementLimit is the longest statement that is kept prepared: those that insert many rows at once differ in length
// nearly every time.
const statementLimit = 8000

// prepared returns the statement, and what to do with it afterwards.
func (c *sqliteConnection) prepared(text string) (statement sqliteStatement, done func(), err error) {
	if kept, ok := c.statements[text]; ok {
		return kept, func() {}, nil
	}
	prepared, err := c.conn.Prepare(unnumbered(text))
	if err != nil {
		return nil, nil, err
	}
	statement, ok := prepared.(sqliteStatement)
	if !ok {
		return nil, nil, errors.Join(errors.New("the driver's statements take no context"), prepared.Close())
	}
	if len(text) > statementLimit {
		return statement, func() { _ = statement.Close() }, nil
	}
	c.statements[text] = statement
	return statement, func() {}, nil
}

// unnumbered writes ? for every argument of a statement that takes them in order, each once, and returns any other
// statement as it is. To SQLite $1 is a name, which it looks up among all the others: an insert of a thousand rows
// spends nearly all of its time on that.
func unnumbered(text string) string {
	var b strings.Builder
	rest := text
	for n := 1; ; n++ {
		before, after, found := strings.Cut(rest, "$")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		digits := 0
		for digits < len(after) && after[digits] >= '0' && after[digits] <= '9' {
			digits++
		}
		if number, err := strconv.Atoi(after[:digits]); err != nil || number != n {
			return text
		}
		b.WriteByte('?')
		rest = after[digits:]
	}
}

// bind puts arguments into the driver's form. They are used up before the next statement runs.
func (c *sqliteConnection) bind(args []any) ([]driver.NamedValue, error) {
	c.arguments = c.arguments[:0]
	for i, arg := range args {
		var value driver.Value
		switch a := arg.(type) {
		case string, int64, bool, float64:
			value = a
		case int:
			value = int64(a)
		default:
			var err error
			if value, err = driver.DefaultParameterConverter.ConvertValue(arg); err != nil {
				return nil, fmt.Errorf("argument %d: %w", i+1, err)
			}
		}
		c.arguments = append(c.arguments, driver.NamedValue{Ordinal: i + 1, Value: value})
	}
	return c.arguments, nil
}

func (c *sqliteConnection) query(text string, args ...any) (rows, error) {
	return c.queryWithin(context.Background(), text, args)
}

// queryWithin is for statements that change nothing: it is cut off when its context ends.
func (c *sqliteConnection) queryWithin(ctx context.Context, text string, args []any) (rows, error) {
	c.traced(text)
	statement, done, err := c.prepared(text)
	if err != nil {
		return nil, err
	}
	arguments, err := c.bind(args)
	if err != nil {
		done()
		return nil, err
	}
	result, err := statement.QueryContext(ctx, arguments)
	if err != nil {
		done()
		return nil, err
	}
	return &sqliteRows{rows: result, done: done, values: make([]driver.Value, len(result.Columns()))}, nil
}

func (c *sqliteConnection) exec(text string, args ...any) (int64, error) {
	c.traced(text)
	statement, done, err := c.prepared(text)
	if err != nil {
		return 0, err
	}
	defer done()
	arguments, err := c.bind(args)
	if err != nil {
		return 0, err
	}
	result, err := statement.ExecContext(context.Background(), arguments)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// set changes settings of the connection.
func (c *sqliteConnection) set(pragmas ...string) error {
	for _, pragma := range pragmas {
		if _, err := c.exec("PRAGMA " + pragma); err != nil {
			return fmt.Errorf("set %s: %w", pragma, err)
		}
	}
	return nil
}

func (c *sqliteConnection) rollback() error {
	_, err := c.exec("ROLLBACK")
	return err
}

// keepLog makes close leave the log where it is, also when this is the last connection.
func (c *sqliteConnection) keepLog() error {
	control, ok := c.conn.(sqlite.FileControl)
	if !ok {
		return errors.New("the driver's connections have no file control")
	}
	_, err := control.FileControlPersistWAL("main", 1)
	return err
}

// close closes the connection, whatever state it is in. SQLite takes back what was not committed.
func (c *sqliteConnection) close() error {
	errs := make([]error, 0, len(c.statements)+1)
	for _, statement := range c.statements { // before the connection: the driver cannot close them afterwards
		errs = append(errs, statement.Close())
	}
	return errors.Join(append(errs, c.conn.Close())...)
}

// sqliteRows is a result being read.
type sqliteRows struct {
	rows   driver.Rows
	done   func()
	values []driver.Value
	err    error
	closed bool
}

func (r *sqliteRows) Next() bool {
	if r.err != nil || r.closed {
		return false
	}
	if r.err = r.rows.Next(r.values); r.err != nil {
		return false
	}
	return true
}

func (r *sqliteRows) Err() error {
	if errors.Is(r.err, io.EOF) {
		return nil
	}
	return r.err
}

func (r *sqliteRows) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	err := r.rows.Close()
	r.done()
	return err
}

func (r *sqliteRows) Scan(destinations ...any) error {
	if len(destinations) != len(r.values) {
		return fmt.Errorf("%d columns for %d destinations", len(r.values), len(destinations))
	}
	for i, destination := range destinations {
		if err := assign(destination, r.values[i]); err != nil {
			return fmt.Errorf("column %d: %w", i+1, err)
		}
	}
	return nil
}

// assign stores a value of SQLite's, which are whole numbers, fractions and texts, where a scan wants it.
func assign(destination any, value driver.Value) error {
	switch v := value.(type) {
	case int64:
		switch d := destination.(type) {
		case *int64:
			*d = v
			return nil
		case *int:
			*d = int(v)
			return nil
		case *bool:
			*d = v != 0
			return nil
		case *float64:
			*d = float64(v)
			return nil
		}
		if target := reflect.ValueOf(destination).Elem(); target.CanInt() {
			target.SetInt(v)
			return nil
		}
	case string:
		if d, ok := destination.(*string); ok {
			*d = v
			return nil
		}
		if target := reflect.ValueOf(destination).Elem(); target.Kind() == reflect.String {
			target.SetString(v)
			return nil
		}
	case float64:
		if d, ok := destination.(*float64); ok {
			*d = v
			return nil
		}
	}
	return fmt.Errorf("a %T does not fit a %T", value, destination)
}
