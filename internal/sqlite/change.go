package sqlite

import (
	"unsafe"

	"modernc.org/libc"
	sqlitelib "modernc.org/sqlite/lib"
)

// Change is a row that a statement is about to insert, change or delete.
type Change struct {
	conn      *Conn
	operation int32
	table     string
}

// OnChange has told be told of every row that this connection changes, in whatever table, also by a trigger or because a row
// of another table refers to it. It is told before the change, which may still fail or be taken back. The Change is good for as
// long as told runs, which must not use the connection.
//
// To tell of them SQLite looks every row up that it deletes, where it would otherwise empty a table as a whole.
func (c *Conn) OnChange(told func(*Change)) {
	tables := map[string]string{} // their names, which would be made anew for every row
	change := &Change{conn: c}
	c.hook = func(_ *libc.TLS, _, _ uintptr, operation int32, _, table uintptr, _, _ int64) {
		length := 0
		for *(*byte)(at(table + uintptr(length))) != 0 {
			length++
		}
		name, known := tables[string(bytesAt(table, length))]
		if !known {
			name = string(bytesAt(table, length))
			tables[name] = name
		}
		change.operation, change.table = operation, name
		told(change)
	}
	sqlitelib.Xsqlite3_preupdate_hook(c.tls, c.db, *(*uintptr)(unsafe.Pointer(&c.hook)), 0)
}

// Table is the name of the table.
func (ch *Change) Table() string { return ch.table }

// IsInsert reports whether the row is new.
func (ch *Change) IsInsert() bool { return ch.operation == sqlitelib.SQLITE_INSERT }

// Numbers are the numbers that a column has, counted from 0, before and after the change: one or two of them. What is no number
// counts as none.
func (ch *Change) Numbers(column int) (numbers [2]int64, count int) {
	c := ch.conn
	if ch.operation != sqlitelib.SQLITE_INSERT &&
		sqlitelib.Xsqlite3_preupdate_old(c.tls, c.db, int32(column), c.value) == sqlitelib.SQLITE_OK {
		numbers[count] = sqlitelib.Xsqlite3_value_int64(c.tls, *(*uintptr)(at(c.value)))
		count++
	}
	if ch.operation != sqlitelib.SQLITE_DELETE &&
		sqlitelib.Xsqlite3_preupdate_new(c.tls, c.db, int32(column), c.value) == sqlitelib.SQLITE_OK {
		numbers[count] = sqlitelib.Xsqlite3_value_int64(c.tls, *(*uintptr)(at(c.value)))
		count++
	}
	return numbers, count
}
