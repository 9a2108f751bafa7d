package sqlstore

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/sqlite"
	"github.com/routecard/routecard/internal/sqlstore/db"
)

// sqliteConnection is one connection with its prepared statements.
//
// Statements that write are never interrupted, because SQLite would roll back the whole transaction, including the changes of other
// callers.
type sqliteConnection struct {
	conn       *sqlite.Conn
	statements map[string]*sqlite.Statement
	traced     func(statement string)
	place      chan struct{} // the place that a reader's connection occupies; see sqliteReaders
}

func (s *SQLite) connect() (*sqliteConnection, error) {
	conn, err := sqlite.Open(s.dsn)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return &sqliteConnection{conn: conn, statements: map[string]*sqlite.Statement{}, traced: s.options.Traced}, nil
}

// statementLimit is the length of the longest statement that stays prepared. Longer statements insert many rows at once, and nearly every
// one has a different length.
const statementLimit = 8000

// prepared returns a prepared statement. kept reports that the connection keeps the statement; otherwise the caller must close it.
func (c *sqliteConnection) prepared(text string) (statement *sqlite.Statement, kept bool, err error) {
	if statement, kept = c.statements[text]; kept {
		return statement, true, nil
	}
	if statement, err = c.conn.Prepare(unnumbered(text)); err != nil {
		return nil, false, err
	}
	if len(text) > statementLimit {
		return statement, false, nil
	}
	c.statements[text] = statement
	return statement, true, nil
}

// unnumbered replaces placeholders such as $1: by ? if the statement uses each argument once and in order, and otherwise by ?1, ?2, ...
// SQLite treats $1 as a name and compares it with all other names, which takes nearly all the time of an insert of a thousand rows.
func unnumbered(text string) string {
	var plain, numbered strings.Builder
	inOrder, rest := true, text
	for n := 1; ; n++ {
		before, after, found := strings.Cut(rest, "$")
		plain.WriteString(before)
		numbered.WriteString(before)
		if !found {
			break
		}
		digits := 0
		for digits < len(after) && after[digits] >= '0' && after[digits] <= '9' {
			digits++
		}
		number, err := strconv.Atoi(after[:digits])
		inOrder = inOrder && err == nil && number == n
		plain.WriteByte('?')
		if digits > 0 {
			numbered.WriteString("?" + after[:digits])
		} else {
			numbered.WriteByte('$')
		}
		rest = after[digits:]
	}
	if inOrder {
		return plain.String()
	}
	return numbered.String()
}

func (c *sqliteConnection) Query(text string, args ...any) (db.Rows, error) {
	result, err := c.result(text, args...)
	if err != nil {
		return nil, err
	}
	return result, nil
}

func (c *sqliteConnection) result(text string, args ...any) (*sqliteRows, error) {
	c.traced(text)
	statement, kept, err := c.prepared(text)
	if err != nil {
		return nil, err
	}
	result := &sqliteRows{statement: statement, kept: kept}
	if err := statement.Bind(args...); err != nil {
		return nil, errors.Join(err, result.Close())
	}
	return result, nil
}

func (c *sqliteConnection) Exec(text string, args ...any) (int64, error) {
	c.traced(text)
	statement, kept, err := c.prepared(text)
	if err != nil {
		return 0, err
	}
	changed, err := statement.Run(args...)
	if !kept {
		err = errors.Join(err, statement.Close())
	}
	return changed, err
}

// set changes settings of the connection.
func (c *sqliteConnection) set(pragmas ...string) error {
	for _, pragma := range pragmas {
		if _, err := c.Exec("PRAGMA " + pragma); err != nil {
			return fmt.Errorf("set %s: %w", pragma, err)
		}
	}
	return nil
}

func (c *sqliteConnection) rollback() error {
	_, err := c.Exec("ROLLBACK")
	return err
}

// close closes the connection, whatever its state. SQLite rolls back uncommitted changes.
func (c *sqliteConnection) close() error {
	errs := make([]error, 0, len(c.statements)+1)
	for _, statement := range c.statements {
		errs = append(errs, statement.Close())
	}
	return errors.Join(append(errs, c.conn.Close())...)
}

// sqliteRows is a result being read. Its statement starts when the first row is read.
type sqliteRows struct {
	statement *sqlite.Statement
	kept      bool
	err       error
	closed    bool
}

func (r *sqliteRows) Next() bool {
	if r.err != nil || r.closed {
		return false
	}
	var more bool
	if more, r.err = r.statement.Step(); !more {
		r.end()
	}
	return more
}

// end resets the statement.
func (r *sqliteRows) end() {
	if !r.closed {
		r.closed = true
		r.statement.Reset()
	}
}

func (r *sqliteRows) Err() error { return r.err }

func (r *sqliteRows) Close() error {
	r.end()
	if r.kept {
		return nil
	}
	r.kept = true // nothing is left to close
	return r.statement.Close()
}

func (r *sqliteRows) Scan(destinations ...any) error { return r.statement.Scan(destinations...) }
