package sqlite

import (
	"database/sql/driver"
	"fmt"
	"reflect"

	"modernc.org/libc"
	"modernc.org/libc/sys/types"
	sqlitelib "modernc.org/sqlite/lib"
)

// Statement is one prepared statement.
type Statement struct {
	conn       *Conn
	statement  uintptr
	parameters int
	columns    int
	buffer     uintptr // the bound texts
	room       int
}

// Prepare prepares one statement.
func (c *Conn) Prepare(text string) (*Statement, error) {
	copied, err := c.text(text)
	if err != nil {
		return nil, err
	}
	defer libc.Xfree(c.tls, copied)
	code := sqlitelib.Xsqlite3_prepare_v3(c.tls, c.db, copied, int32(len(text)+1), sqlitelib.SQLITE_PREPARE_PERSISTENT, c.value, 0)
	if code != sqlitelib.SQLITE_OK {
		return nil, c.failure(code)
	}
	s := &Statement{conn: c, statement: *(*uintptr)(at(c.value))}
	if s.statement == 0 {
		return nil, fmt.Errorf("%q is no statement", text)
	}
	s.parameters = int(sqlitelib.Xsqlite3_bind_parameter_count(c.tls, s.statement))
	s.columns = int(sqlitelib.Xsqlite3_column_count(c.tls, s.statement))
	return s, nil
}

// Close frees the statement.
func (s *Statement) Close() error {
	code := sqlitelib.Xsqlite3_finalize(s.conn.tls, s.statement)
	libc.Xfree(s.conn.tls, s.buffer)
	s.statement, s.buffer, s.room = 0, 0, 0
	if code != sqlitelib.SQLITE_OK {
		return s.conn.failure(code)
	}
	return nil
}

// roomKept is the maximum size of the buffer for texts that a statement keeps between runs.
const roomKept = 8 << 10

// Bind binds copies of the arguments to the parameters of the statement.
func (s *Statement) Bind(args ...any) error {
	if len(args) != s.parameters {
		return fmt.Errorf("%d arguments for %d parameters", len(args), s.parameters)
	}
	length := 1 // an empty text needs an address too
	for i, arg := range args {
		switch a := arg.(type) {
		case string:
			length += len(a)
		case int64, int, bool, float64:
		default:
			value, err := driver.DefaultParameterConverter.ConvertValue(arg)
			if err != nil {
				return fmt.Errorf("argument %d: %w", i+1, err)
			}
			args[i] = value
			if text, ok := value.(string); ok {
				length += len(text)
			}
		}
	}
	if err := s.makeRoom(length); err != nil {
		return err
	}
	used := 0
	for i, arg := range args {
		var code int32
		tls, index := s.conn.tls, int32(i+1)
		switch a := arg.(type) {
		case string:
			place := s.buffer + uintptr(used)
			used += copy(bytesAt(place, len(a)), a)
			code = sqlitelib.Xsqlite3_bind_text(tls, s.statement, index, place, int32(len(a)), 0) // SQLITE_STATIC
		case int64:
			code = sqlitelib.Xsqlite3_bind_int64(tls, s.statement, index, a)
		case int:
			code = sqlitelib.Xsqlite3_bind_int64(tls, s.statement, index, int64(a))
		case bool:
			code = sqlitelib.Xsqlite3_bind_int64(tls, s.statement, index, truth(a))
		case float64:
			code = sqlitelib.Xsqlite3_bind_double(tls, s.statement, index, a)
		case nil:
			code = sqlitelib.Xsqlite3_bind_null(tls, s.statement, index)
		default:
			return fmt.Errorf("argument %d: a %T cannot be stored", i+1, arg)
		}
		if code != sqlitelib.SQLITE_OK {
			return s.conn.failure(code)
		}
	}
	return nil
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// makeRoom makes the buffer large enough. Earlier bindings are not valid afterwards.
func (s *Statement) makeRoom(length int) error {
	if length <= s.room {
		return nil
	}
	libc.Xfree(s.conn.tls, s.buffer)
	s.buffer, s.room = libc.Xmalloc(s.conn.tls, types.Size_t(length)), length
	if s.buffer == 0 {
		s.room = 0
		return s.conn.noMemory()
	}
	return nil
}

// Step moves to the next row. It returns false if there is none.
func (s *Statement) Step() (bool, error) {
	switch code := sqlitelib.Xsqlite3_step(s.conn.tls, s.statement); code {
	case sqlitelib.SQLITE_ROW:
		return true, nil
	case sqlitelib.SQLITE_DONE:
		return false, nil
	default:
		return false, s.conn.failure(code)
	}
}

// Reset ends the statement, which can then be bound and run again. It succeeds even if the statement had failed.
func (s *Statement) Reset() {
	sqlitelib.Xsqlite3_reset(s.conn.tls, s.statement)
	if s.room > roomKept {
		sqlitelib.Xsqlite3_clear_bindings(s.conn.tls, s.statement)
		libc.Xfree(s.conn.tls, s.buffer)
		s.buffer, s.room = 0, 0
	}
}

// Run runs the statement to its end and returns the number of rows that it changed.
func (s *Statement) Run(args ...any) (changed int64, err error) {
	defer s.Reset()
	if err := s.Bind(args...); err != nil {
		return 0, err
	}
	for more := true; more; {
		if more, err = s.Step(); err != nil {
			return 0, err
		}
	}
	return int64(sqlitelib.Xsqlite3_changes(s.conn.tls, s.conn.db)), nil
}

// Changes returns the total number of rows that statements of the connection have changed, including rows changed by triggers and changes
// that were rolled back.
func (c *Conn) Changes() int64 { return sqlitelib.Xsqlite3_total_changes64(c.tls, c.db) }

// Columns returns the number of columns of a row.
func (s *Statement) Columns() int { return s.columns }

// Scan stores the columns of the row in the given variables. Numbers can be stored in numbers and booleans, and texts in texts. It fails
// for NULL, which no column contains.
func (s *Statement) Scan(destinations ...any) error {
	if len(destinations) != s.columns {
		return fmt.Errorf("%d columns for %d destinations", s.columns, len(destinations))
	}
	for i, destination := range destinations {
		value := sqlitelib.Xsqlite3_column_value(s.conn.tls, s.statement, int32(i))
		if !s.conn.assign(destination, value) {
			return fmt.Errorf("column %d: a value of type %d does not fit a %T", i+1,
				sqlitelib.Xsqlite3_value_type(s.conn.tls, value), destination)
		}
	}
	return nil
}

func (c *Conn) assign(destination any, value uintptr) bool {
	switch sqlitelib.Xsqlite3_value_type(c.tls, value) {
	case sqlitelib.SQLITE_INTEGER:
		number := sqlitelib.Xsqlite3_value_int64(c.tls, value)
		switch d := destination.(type) {
		case *int64:
			*d = number
		case *int:
			*d = int(number)
		case *bool:
			*d = number != 0
		case *float64:
			*d = float64(number)
		default:
			target := reflect.ValueOf(destination).Elem()
			if !target.CanInt() {
				return false
			}
			target.SetInt(number)
		}
	case sqlitelib.SQLITE_TEXT:
		text := c.textAt(value)
		if d, ok := destination.(*string); ok {
			if *d != string(text) { // often the text is the same as in the row before
				*d = string(text)
			}
			return true
		}
		target := reflect.ValueOf(destination).Elem()
		if target.Kind() != reflect.String {
			return false
		}
		target.SetString(string(text))
	case sqlitelib.SQLITE_FLOAT:
		d, ok := destination.(*float64)
		if !ok {
			return false
		}
		*d = sqlitelib.Xsqlite3_value_double(c.tls, value)
	default:
		return false
	}
	return true
}

// textAt returns a text in SQLite's memory. The request for the length makes SQLite convert the text to UTF-8 if necessary. A request for a
// text would first make a copy with a zero at its end; a request for bytes does not.
func (c *Conn) textAt(value uintptr) []byte {
	length := int(sqlitelib.Xsqlite3_value_bytes(c.tls, value))
	if length == 0 {
		return nil
	}
	place := sqlitelib.Xsqlite3_value_blob(c.tls, value)
	if place == 0 {
		return nil
	}
	return bytesAt(place, length)
}

// Number returns the number in a column of the row. Columns are counted from 0. It returns false if the column has no number.
func (s *Statement) Number(column int) (int64, bool) {
	value := sqlitelib.Xsqlite3_column_value(s.conn.tls, s.statement, int32(column))
	if sqlitelib.Xsqlite3_value_type(s.conn.tls, value) != sqlitelib.SQLITE_INTEGER {
		return 0, false
	}
	return sqlitelib.Xsqlite3_value_int64(s.conn.tls, value), true
}

// Text returns the text in a column of the row, valid until the next row. Columns are counted from 0. It returns false if the column has no
// text.
func (s *Statement) Text(column int) ([]byte, bool) {
	value := sqlitelib.Xsqlite3_column_value(s.conn.tls, s.statement, int32(column))
	if sqlitelib.Xsqlite3_value_type(s.conn.tls, value) != sqlitelib.SQLITE_TEXT {
		return nil, false
	}
	return s.conn.textAt(value), true
}
