package refusal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Kind says what kind of refusal an Error is. internal/httpstatus has the one table from Kind to status, for both faces.
type Kind uint8

// The kinds of refusal.
const (
	// Invalid: the request, or the state of the thing it is about, does not allow the operation (400).
	Invalid Kind = iota + 1
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

// Error is a refusal that the caller may see: a reason, and what it is about. Every other error is internal: it is logged
// and its text never leaves the process. Refuse and RefuseField make them; nobody changes one that was handed out.
type Error struct {
	Kind   Kind     // that of the reason, but for those who tell of several refusals at once
	Reason *Reason  // never nil
	Field  string   // the field of the request that it is about, such as steps[2].name, or ""
	Args   []string // what fills the places of the reason's sentence
	Serial string   // which of the many serials of an operation refused, or ""
	Repeat bool     // whether the caller has a key, so that sending the same once more does what is left
}

// Refuse makes the refusal for a reason. The arguments fill the places of its sentence in their order.
func Refuse(reason *Reason, args ...any) *Error { return RefuseField(reason, "", args...) }

// RefuseField makes the refusal of a field for a reason.
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

// OfSerial returns the refusal as that of an operation on many serials, of which this one refused.
func (e *Error) OfSerial(serialID string) *Error {
	of := *e
	of.Serial = serialID
	return &of
}

// OfKey returns the refusal as that of a request with a key, which may be sent once more.
func (e *Error) OfKey() *Error {
	of := *e
	of.Repeat = true
	return &of
}

// Arg returns the argument with a name of the reason's sentence, or "".
func (e *Error) Arg(name string) string {
	if at := slices.Index(e.Reason.names, name); at >= 0 && at < len(e.Args) {
		return e.Args[at]
	}
	return ""
}

// repeatAdvice is what a caller with a key hears behind a refusal after which it is not known what was done.
const repeatAdvice = " Repeat the request with the same Idempotency-Key."

// Error returns the sentence of the interface, to the letter.
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
	// ErrBusy is what a caller hears when everything that its request needs has been in use for a while. It is no trouble
	// with the database.
	ErrBusy error = Refuse(ServiceBusy)
)
