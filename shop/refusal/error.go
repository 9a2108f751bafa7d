package refusal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Kind classifies an Error. internal/httpstatus has the single table from Kind to status, for the API and the pages.
type Kind uint8

// The kinds of refusal.
const (
	// Invalid: the request, or the state of the record concerned, does not allow the operation (400).
	Invalid Kind = iota + 1
	// NotFound: something that the request refers to does not exist (404).
	NotFound
	// Conflict: the record no longer has the state that the caller assumes (409).
	Conflict
	// Changed: the record was changed since the caller read it (412).
	Changed
	// KeyReused: the key of the request belongs to another request (422).
	KeyReused
	// Running: another request with the same key has not ended; the caller should try again soon (409).
	Running
	// Upstream: a system that Routecard asked on the caller's behalf failed (502).
	Upstream
	// Forbidden: the caller may not do this (403).
	Forbidden
	// Unauthenticated: the caller did not prove their identity (401).
	Unauthenticated
	// Throttled: the caller has tried too often (429).
	Throttled
	// Unavailable: the database is not reachable at the moment; trying again later may succeed (503).
	Unavailable
	// Uncertain: the connection to the database was lost during the commit, so it is unknown whether the change was made; or only part of
	// the request was carried out (503).
	Uncertain
)

// Error is a refusal that the caller may see. All other errors are internal: they are logged, and their text never leaves the process.
// Refuse and RefuseField create an Error; it is never modified afterwards.
type Error struct {
	Kind   Kind     // the reason's kind, except in errors that report several refusals at once
	Reason *Reason  // never nil
	Field  string   // the field of the request concerned, such as steps[2].name, or ""
	Args   []string // the arguments of the reason's sentence
	Serial string   // the serial that caused the refusal of an operation on many serials, or ""
	Repeat bool     // whether the caller has a key, so that repeating the request completes the rest
}

// Refuse creates the refusal for a reason. The arguments fill the places of its sentence in order.
func Refuse(reason *Reason, args ...any) *Error { return RefuseField(reason, "", args...) }

// RefuseField creates the refusal of a field for a reason.
func RefuseField(reason *Reason, field string, args ...any) *Error {
	refusal := &Error{Kind: reason.kind, Reason: reason, Field: field}
	if len(args) == 0 {
		return refusal
	}
	refusal.Args = make([]string, len(args))
	for i, arg := range args {
		switch value := arg.(type) {
		case string:
			refusal.Args[i] = value
		case int:
			refusal.Args[i] = strconv.Itoa(value)
		case int64:
			refusal.Args[i] = strconv.FormatInt(value, 10)
		default:
			refusal.Args[i] = fmt.Sprint(value)
		}
	}
	return refusal
}

// OfSerial returns the refusal with the serial that caused it in an operation on many serials.
func (e *Error) OfSerial(serialID string) *Error {
	of := *e
	of.Serial = serialID
	return &of
}

// OfKey returns the refusal for a request with a key, with the advice to repeat it.
func (e *Error) OfKey() *Error {
	of := *e
	of.Repeat = true
	return &of
}

// Arg returns the argument with this name in the reason's sentence, or "".
func (e *Error) Arg(name string) string {
	if at := slices.Index(e.Reason.names, name); at >= 0 && at < len(e.Args) {
		return e.Args[at]
	}
	return ""
}

// repeatAdvice is appended to refusals of requests with a key after which it is unknown what was done.
const repeatAdvice = " Repeat the request with the same Idempotency-Key."

// Error returns the message of the interface, to the letter.
func (e *Error) Error() string {
	rest := e.Reason.sentence
	if len(e.Args) == 0 && e.Field == "" && e.Serial == "" && !e.Repeat {
		return rest
	}
	size := len(rest) + len(e.Field) + len(e.Serial) + len(" ()")
	for _, arg := range e.Args {
		size += len(arg)
	}
	if e.Repeat {
		size += len(repeatAdvice)
	}
	var text strings.Builder
	text.Grow(size)
	for args := e.Args; ; {
		before, after, found := strings.Cut(rest, "{")
		text.WriteString(before)
		if !found {
			break
		}
		var name string
		switch name, rest, _ = strings.Cut(after, "}"); {
		case name == fieldPlace:
			text.WriteString(e.Field)
		case len(args) > 0:
			text.WriteString(args[0])
			args = args[1:]
		}
	}
	if e.Serial != "" {
		text.WriteString(" (" + e.Serial + ")")
	}
	if e.Repeat {
		text.WriteString(repeatAdvice)
	}
	return text.String()
}

var (
	// ErrBusy refuses a request because the resources that it needs have been in use for too long. The database itself is not at fault.
	ErrBusy error = Refuse(ServiceBusy)
)
