package sqlite

import (
	"unsafe"

	"modernc.org/libc"
	sqlitelib "modernc.org/sqlite/lib"
)

// Change is a row before a statement inserts, changes or deletes it.
type Change struct {
	conn      *Conn
	operation int32
	table     string
}

// OnChange has told called for every row that this connection changes, in any table, also by a trigger or a foreign key. It is called
// before the change, which may still fail or be rolled back. The Change is valid while told runs, which must not use the connection.
//
// For this, SQLite looks up every row that it deletes, where it would otherwise empty a table as a whole.
func (c *Conn) OnChange(told func(*Change)) {
	tables := map[string]string{} // their names, which would be copied for every row
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

// Numbers are the numbers that a column has, counted from 0, before and after the change: one or two of them. Other values count as none.
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
