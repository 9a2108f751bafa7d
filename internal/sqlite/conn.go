// Package sqlite calls the Go translation of SQLite directly, with only the functions that a store needs.
//
// The driver for database/sql that comes with the translation asks SQLite for the names and declared types of all columns with every query,
// starts a goroutine for every query that could be cancelled, takes a lock with every call, and puts every value into an interface on its
// way. Most of the time of reading a row went into that. Here a connection belongs to one goroutine at a time, so there is no lock, and
// values go from SQLite's memory directly to their destination.
//
// conn.go opens connections and interrupts statements, statement.go runs them, change.go reports rows that change, refold.go repeats a fold
// of the log that failed.
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

// Conn is a connection to a database file. It and its statements are for one goroutine at a time.
type Conn struct {
	tls   *libc.TLS
	db    uintptr
	value uintptr // where SQLite puts the address of a value

	turn    int64        // counts what could be cut off
	stopped atomic.Int64 // the turn that is not wanted any more

	// SQLite calls these, and has their addresses: they are referenced here so that they stay. check is called regularly to ask whether to
	// continue, and hook for rows.
	check func(*libc.TLS, uintptr) int32
	hook  func(t *libc.TLS, p, db uintptr, op int32, schema, table uintptr, was, is int64)
}

// Error is an error of SQLite.
type Error struct {
	text string
	code int
}

func (e *Error) Error() string { return e.text }

// Code is SQLite's extended result code.
func (e *Error) Code() int { return e.code }

// checkEvery is after how many of its instructions SQLite looks whether a statement is still wanted.
const checkEvery = 4096

// Open opens a file under the name that the driver for database/sql takes: an address with "file:" in front, and settings in its parameters
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
	c.db = *(*uintptr)(at(c.value)) // also when it failed, to ask why
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

// planOnce has SQLite plan without looking at the values of parameters: it would prepare a statement again at every run
// for the sake of a number after LIMIT.
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

// CacheUsed is how many bytes the pages have that the connection has cached, as SQLite counts them. In memory a page of 4 KiB takes 8.
func (c *Conn) CacheUsed() int64 {
	counts := (*[2]int32)(at(c.value)) // now, and the most there was, which is not kept
	*counts = [2]int32{}
	sqlitelib.Xsqlite3_db_status(c.tls, c.db, sqlitelib.SQLITE_DBSTATUS_CACHE_USED, c.value, c.value+unsafe.Sizeof(counts[0]), 0)
	return int64(counts[0])
}

// ReleaseCaches gives the pages back to the system that all connections of the process have cached and do not use right now. This SQLite
// keeps their caches in one group, in which one connection may take the room of all: its own cache_size does not keep it from that.
func (c *Conn) ReleaseCaches() { sqlitelib.Xsqlite3_db_release_memory(c.tls, c.db) }

// Close closes the connection, whose statements have to be closed before. SQLite rolls back uncommitted changes.
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

// Within cuts off statements from when a context has ended until end is called.
func (c *Conn) Within(ctx context.Context) (end func()) {
	c.turn++
	turn := c.turn
	stop := context.AfterFunc(ctx, func() { c.stopped.Store(turn) })
	return func() {
		stop()
		c.turn++ // it may have begun, and must not cut off what comes next
	}
}

// KeepLog makes Close leave the log where it is, also when this is the last connection.
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

// LeaveLog makes Close leave log and database as they are, also when this is the last connection: nothing is folded.
func (c *Conn) LeaveLog() {
	arguments := libc.NewVaList(int32(1), uintptr(0))
	defer libc.Xfree(c.tls, arguments)
	sqlitelib.Xsqlite3_db_config(c.tls, c.db, sqlitelib.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, arguments)
}

// failure says in SQLite's words what a result code means.
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

// text is a copy for SQLite, which the caller has to free.
func (c *Conn) text(s string) (uintptr, error) {
	p, err := libc.CString(s)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", c.noMemory(), err)
	}
	return p, nil
}

// at is a place in SQLite's memory, which is not Go's: it neither moves nor is collected.
func at(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

// bytesAt are bytes in SQLite's memory.
func bytesAt(p uintptr, length int) []byte { return unsafe.Slice((*byte)(at(p)), length) }
