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

// OnChange makes the connection call notify for every row that it changes, in any table, including changes by a trigger or a foreign key.
// The call comes before the change, which may still fail or be rolled back. The Change is valid only during the call. notify must not use
// the connection.
//
// The callback makes deletions slower: SQLite then deletes row by row instead of emptying a table as a whole.
func (c *Conn) OnChange(notify func(*Change)) {
	tables := map[string]string{} // the names of tables, cached because they would otherwise be copied for every row
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
		notify(change)
	}
	sqlitelib.Xsqlite3_preupdate_hook(c.tls, c.db, *(*uintptr)(unsafe.Pointer(&c.hook)), 0)
}

// Table returns the name of the table.
func (ch *Change) Table() string { return ch.table }

// IsInsert reports whether the row is new.
func (ch *Change) IsInsert() bool { return ch.operation == sqlitelib.SQLITE_INSERT }

// Numbers returns the values of a column before and after the change, converted to numbers by SQLite. Columns are counted from 0. count is
// 2 for an update, and 1 for an insert or a deletion.
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
