// Package sqlite calls the Go translation of SQLite directly, with only the functions that a store needs.
//
// The driver for database/sql that comes with the translation requests the names and declared types of all columns with every query, starts
// a goroutine for every query that could be cancelled, takes a lock with every call, and converts every value to an interface. Most of the
// time of reading a row was spent on that. Here a connection belongs to one goroutine at a time, so there is no lock, and values go from
// SQLite's memory directly to their destination.
//
// conn.go opens connections and interrupts statements, statement.go runs them, change.go reports rows that change, refold.go repeats a
// failed checkpoint of the write-ahead log (a fold).
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	sqlitelib "modernc.org/sqlite/lib"
)

// Conn is a connection to a database file. Only one goroutine at a time may use it and its statements.
type Conn struct {
	tls   *libc.TLS
	db    uintptr
	value uintptr // where SQLite puts the address of a value

	turn    int64        // the number of the current call of Within
	stopped atomic.Int64 // the turn whose statements are cut off

	// SQLite has the addresses of these functions and calls them. They are referenced here so that they are not collected. SQLite calls
	// check regularly during a statement, and hook for changed rows.
	check func(*libc.TLS, uintptr) int32
	hook  func(t *libc.TLS, p, db uintptr, op int32, schema, table uintptr, was, is int64)
}

// Error is an error of SQLite.
type Error struct {
	text string
	code int
}

func (e *Error) Error() string { return e.text }

// Code returns SQLite's extended result code.
func (e *Error) Code() int { return e.code }

// checkEvery is the number of SQLite instructions between two checks whether a statement must end.
const checkEvery = 4096

// Open opens a file. name has the form of the driver for database/sql: an address that begins with "file:", with settings in the parameters
// _pragma.
func Open(name string) (*Conn, error) {
	c := &Conn{tls: libc.NewTLS()}
	if err := c.open(name); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func (c *Conn) open(name string) error {
	if c.value = libc.Xmalloc(c.tls, 8); c.value == 0 {
		return c.noMemory()
	}
	text, err := c.text(name)
	if err != nil {
		return err
	}
	defer libc.Xfree(c.tls, text)
	code := sqlitelib.Xsqlite3_open_v2(c.tls, text, c.value,
		sqlitelib.SQLITE_OPEN_READWRITE|sqlitelib.SQLITE_OPEN_CREATE|sqlitelib.SQLITE_OPEN_NOMUTEX|sqlitelib.SQLITE_OPEN_URI, 0)
	c.db = *(*uintptr)(at(c.value)) // set even after a failure, so that the reason can be read
	if code != sqlitelib.SQLITE_OK {
		return c.failure(code)
	}
	if code := sqlitelib.Xsqlite3_extended_result_codes(c.tls, c.db, 1); code != sqlitelib.SQLITE_OK {
		return c.failure(code)
	}
	if err := c.planOnce(); err != nil {
		return err
	}
	c.check = func(*libc.TLS, uintptr) int32 {
		if c.stopped.Load() == c.turn {
			return 1
		}
		return 0
	}
	sqlitelib.Xsqlite3_progress_handler(c.tls, c.db, checkEvery, *(*uintptr)(unsafe.Pointer(&c.check)), 0)
	c.turn = 1
	_, query, _ := strings.Cut(name, "?")
	settings, err := url.ParseQuery(query)
	if err != nil {
		return fmt.Errorf("the name of the database: %w", err)
	}
	for _, pragma := range settings["_pragma"] {
		if err := c.Set(pragma); err != nil {
			return fmt.Errorf("set %s: %w", pragma, err)
		}
	}
	return nil
}

// planOnce makes SQLite ignore the values of parameters when it plans a statement. Otherwise it would prepare a statement again at every
// run because of a parameter after LIMIT.
func (c *Conn) planOnce() error {
	const on, arguments = 1, 2
	list := libc.Xmalloc(c.tls, arguments*8)
	if list == 0 {
		return c.noMemory()
	}
	defer libc.Xfree(c.tls, list)
	code := sqlitelib.Xsqlite3_db_config(c.tls, c.db, sqlitelib.SQLITE_DBCONFIG_ENABLE_QPSG, libc.VaList(list, int32(on), uintptr(0)))
	if code != sqlitelib.SQLITE_OK {
		return c.failure(code)
	}
	return nil
}

// Set changes a setting of the connection or of the database.
func (c *Conn) Set(pragma string) error {
	statement, err := c.Prepare("PRAGMA " + pragma)
	if err != nil {
		return err
	}
	_, err = statement.Run()
	return errors.Join(err, statement.Close())
}

// CacheUsed returns the size of the connection's cached pages in bytes, as SQLite counts them. A page of 4 KiB takes 8 KiB of memory.
func (c *Conn) CacheUsed() int64 {
	counts := (*[2]int32)(at(c.value)) // the current value, and the highest value, which is not used
	*counts = [2]int32{}
	sqlitelib.Xsqlite3_db_status(c.tls, c.db, sqlitelib.SQLITE_DBSTATUS_CACHE_USED, c.value, c.value+unsafe.Sizeof(counts[0]), 0)
	return int64(counts[0])
}

// ReleaseCaches returns the memory of all cached pages that no connection of the process is using to the system. This build of SQLite has
// one group of caches for all connections, in which one connection may use the room of all in spite of its cache_size.
func (c *Conn) ReleaseCaches() { sqlitelib.Xsqlite3_db_release_memory(c.tls, c.db) }

// Close closes the connection. Its statements must be closed before. SQLite rolls back uncommitted changes.
func (c *Conn) Close() error {
	if c.tls == nil {
		return nil
	}
	var err error
	if c.db != 0 {
		if code := sqlitelib.Xsqlite3_close_v2(c.tls, c.db); code != sqlitelib.SQLITE_OK {
			err = c.failure(code)
		}
	}
	libc.Xfree(c.tls, c.value)
	c.tls.Close()
	c.tls, c.db = nil, 0
	return err
}

// Within cuts off statements if a context ends before end is called.
func (c *Conn) Within(ctx context.Context) (end func()) {
	c.turn++
	turn := c.turn
	stop := context.AfterFunc(ctx, func() { c.stopped.Store(turn) })
	return func() {
		stop()
		c.turn++ // the cut-off may have begun, and must not affect later statements
	}
}

// KeepLog makes Close leave the log file in place, even if this is the last connection.
func (c *Conn) KeepLog() error {
	*(*int32)(at(c.value)) = 1
	return c.control(sqlitelib.SQLITE_FCNTL_PERSIST_WAL)
}

// control sends a request to the file of the database. Arguments and results are at c.value.
func (c *Conn) control(operation int32) error {
	schema, err := c.text("main")
	if err != nil {
		return err
	}
	defer libc.Xfree(c.tls, schema)
	if code := sqlitelib.Xsqlite3_file_control(c.tls, c.db, schema, operation, c.value); code != sqlitelib.SQLITE_OK {
		return c.failure(code)
	}
	return nil
}

// LeaveLog makes Close leave the log and the database unchanged, even if this is the last connection: no checkpoint runs.
func (c *Conn) LeaveLog() {
	arguments := libc.NewVaList(int32(1), uintptr(0))
	defer libc.Xfree(c.tls, arguments)
	sqlitelib.Xsqlite3_db_config(c.tls, c.db, sqlitelib.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, arguments)
}

// failure returns the error for a result code, with SQLite's message.
func (c *Conn) failure(code int32) error {
	text := libc.GoString(sqlitelib.Xsqlite3_errstr(c.tls, code))
	if c.db != 0 {
		if message := libc.GoString(sqlitelib.Xsqlite3_errmsg(c.tls, c.db)); message != text {
			text += ": " + message
		}
	}
	return &Error{text: fmt.Sprintf("%s (%d)", text, code), code: int(code)}
}

func (c *Conn) noMemory() error { return &Error{text: "out of memory", code: sqlitelib.SQLITE_NOMEM} }

// text returns a copy of a text in SQLite's memory. The caller must free it.
func (c *Conn) text(s string) (uintptr, error) {
	p, err := libc.CString(s)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", c.noMemory(), err)
	}
	return p, nil
}

// at converts an address in SQLite's memory. This memory is outside Go's heap, so it is neither moved nor collected.
func at(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

// bytesAt returns bytes in SQLite's memory, without a copy.
func bytesAt(p uintptr, length int) []byte { return unsafe.Slice((*byte)(at(p)), length) }
