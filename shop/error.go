package shop

import (
	"errors"
	"fmt"
)

// Code says what kind of refusal an Error is. internal/httpstatus has the one table from Code to status, for both faces.
type Code int

// The kinds of refusal.
const (
	// Invalid: the request, or the state of the thing it is about, does not allow the operation (400).
	Invalid Code = iota + 1
	// NotFound: something the request names does not exist (404).
	NotFound
	// Conflict: what the caller believes of the thing is not so any more (409).
	Conflict
	// Changed: the record is not what the caller read (412).
	Changed
	// KeyReused: the key of the request belongs to another request (422).
	KeyReused
	// Running: another request with the same key has not ended; trying again soon will tell (409).
	Running
	// Upstream: a system that Routecard asked on the caller's behalf failed (502).
	Upstream
	// Forbidden: the caller may not do this (403).
	Forbidden
	// Unauthenticated: the caller did not prove to be anybody (401).
	Unauthenticated
	// Throttled: the caller has tried too often (429).
	Throttled
	// Unavailable: the database cannot be reached just now; trying again later may succeed (503).
	Unavailable
	// Uncertain: the database went away while it committed, and it is not known whether the change was made, or it was made for a
	// part of what was asked (503).
	Uncertain
)

// Error is a refusal that the caller may see. Its Message is part of the contract, to the letter.
// Every other error is internal: it is logged and its text never leaves the process.
type Error struct {
	Code    Code
	Message string
}

func (e *Error) Error() string { return e.Message }

func Invalidf(format string, args ...any) *Error {
	return &Error{Code: Invalid, Message: fmt.Sprintf(format, args...)}
}

func NotFoundf(format string, args ...any) *Error {
	return &Error{Code: NotFound, Message: fmt.Sprintf(format, args...)}
}

func conflict(format string, args ...any) *Error {
	return &Error{Code: Conflict, Message: fmt.Sprintf(format, args...)}
}

func uncertain(format string, args ...any) *Error {
	return &Error{Code: Uncertain, Message: fmt.Sprintf(format, args...)}
}

func forbidden(format string, args ...any) *Error {
	return &Error{Code: Forbidden, Message: fmt.Sprintf(format, args...)}
}

// What callers hear of a database in trouble; a store says which. Each says whether something may have been changed, and
// the last one that the caller can do something about it.
const (
	DatabaseUnreachable = "The database cannot be reached just now. Nothing was changed; try again later."
	DatabaseBusy        = "The database is busy with other changes to the same records. Nothing was changed; try again."
	DatabaseLocked      = "The database is locked by another program just now. Nothing was changed; try again later."
	DatabaseSlow        = "The database took too long. Nothing was changed; try again later."
	DatabaseFull        = "There is no space left for the database. Nothing was changed; try again later."
	DatabaseUnwritable  = "The database cannot be read or written just now. Nothing was changed; try again later."
	DatabaseReplaced    = "The database file was replaced"
	CommitUnsynced      = "The disk failed during the commit. The change may or may not have been made: look before you try again."
	CommitUnknown       = "The connection to the database was lost during the commit. " +
		"The change may or may not have been made: look before you try again."
	TextUnstorable = "Text must be valid UTF-8 without NUL characters"
)

var (
	// ErrNoRecord is what a Store answers when a record it was asked for does not exist.
	ErrNoRecord = errors.New("no such record")
	// ErrDuplicate is what a Store answers when a record with the same unique name exists already.
	ErrDuplicate = errors.New("duplicate record")
	// ErrBusy is what a caller hears when everything that its request needs has been in use for a while. It is no trouble
	// with the database.
	ErrBusy error = &Error{Code: Unavailable, Message: "The service is busy"}
)

// OrNotFound turns a store's ErrNoRecord into the contract's 404 message and passes every other error on.
func OrNotFound(err error, name RecordName, id string) error {
	if errors.Is(err, ErrNoRecord) {
		return name.NotFound(id)
	}
	return err
}
