package ident

import (
	"crypto/rand"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// Identifiers generates the sortable unique part of new identifiers.
type Identifiers interface {
	// Next returns a string that sorts after every string that this generator returned before, and that no other generator returns. It is
	// safe for concurrent use.
	Next() string
}

// NewIdentifiers returns a generator of ULIDs: 26 characters, sorted by clock and, within a millisecond or when the clock steps back, by
// the order of the calls.
func NewIdentifiers(clock Clock) Identifiers {
	return &ulids{clock: clock, entropy: ulid.Monotonic(rand.Reader, 0)}
}

// NewIdentifiersAfter is like NewIdentifiers, but all generated strings sort after newest, a string of an earlier generator, even if the
// clock has gone back since. It ignores a string that no generator returned.
func NewIdentifiersAfter(newest string, clock Clock) Identifiers {
	made := &ulids{clock: clock, entropy: ulid.Monotonic(rand.Reader, 0)}
	if id, err := ulid.ParseStrict(newest); err == nil {
		made.last = id.Time() + 1
	}
	return made
}

type ulids struct {
	mu      sync.Mutex
	clock   Clock
	last    uint64
	entropy io.Reader
}

func (u *ulids) Next() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	if now := u.clock(); Plausible(now) { // an identifier with a wrong time would stay for ever
		u.last = max(u.last, ulid.Timestamp(now))
	}
	id, err := ulid.New(u.last, u.entropy)
	if err != nil { // The monotonic part of this millisecond is used up: borrow the next millisecond.
		u.last++
		id = ulid.MustNew(u.last, u.entropy)
	}
	return id.String()
}

// Clock returns the current time. It is a parameter, so that tests control it.
type Clock func() time.Time

// Prefix begins the identifiers of the serials of one database, before a hyphen: SN in SN-00417.
type Prefix string

// DefaultPrefix is the prefix of databases whose first start did not choose one.
const DefaultPrefix Prefix = "SN"

// PrefixLimit is the maximum number of characters of a Prefix.
const PrefixLimit = 8

// Valid reports whether a text has the form of a prefix: a capital letter, then capitals and digits.
func (p Prefix) Valid() bool {
	return p != "" && len(p) <= PrefixLimit && p[0] >= 'A' && strings.Trim(string(p), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// Mark returns the prefix with the hyphen, as identifiers have it.
func (p Prefix) Mark() string { return string(p) + "-" }

// serialDigits is the minimum number of digits in a serial's identifier.
const serialDigits = 5

// SerialID returns the identifier of the serial with this number, counted from 1: SN-00417.
func (p Prefix) SerialID(number int64) string {
	var room [PrefixLimit + 1]byte
	return numberedID(append(append(room[:0], p...), '-'), number, serialDigits)
}

// numberedID returns a prefix followed by a number with at least this many digits. It allocates only once, because reading the audit trail
// calls it twice for each entry.
func numberedID(prefix []byte, number int64, digits int) string {
	var written, room [32]byte // longer than any identifier
	short := strconv.AppendInt(written[:0], number, 10)
	made := append(room[:0], prefix...)
	for pad := digits - len(short); pad > 0 && number >= 0; pad-- {
		made = append(made, '0')
	}
	return string(append(made, short...))
}

// ParseSerialID returns the number in a serial's identifier, and false for any text that SerialID does not return.
func (p Prefix) ParseSerialID(id string) (int64, bool) {
	if digits, ok := strings.CutPrefix(id, string(p)); ok {
		return ParseNumbered(digits, "-")
	}
	return 0, false
}

// SplitSerialID returns the prefix and the number of a serial's identifier, whatever database it is from.
func SplitSerialID(id string) (prefix Prefix, number int64, ok bool) {
	begins, _, _ := strings.Cut(id, "-")
	prefix = Prefix(begins)
	number, ok = prefix.ParseSerialID(id)
	return prefix, number, ok && prefix.Valid()
}

// ParseNumbered returns the number after a prefix. The number has at least five digits; only numbers of five digits may have leading zeros.
func ParseNumbered(id, prefix string) (int64, bool) {
	digits, ok := strings.CutPrefix(id, prefix)
	if !ok || len(digits) < 5 || len(digits) > 18 || (len(digits) > 5 && digits[0] == '0') {
		return 0, false
	}
	var number int64
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return 0, false
		}
		number = number*10 + int64(c-'0')
	}
	return number, number > 0
}

// auditDigits is the padded length of the sequence number of an audit entry, so that identifiers sort in the order of commits.
const auditDigits = 16

// AuditID returns the identifier of the audit entry with this sequence number, counted from 1.
func AuditID(sequence int64) string { return numberedID([]byte(AuditPrefix), sequence, auditDigits) }

// NumberRange is a range of serial numbers, both ends included.
type NumberRange struct{ First, Last int64 }

// AuditSequence returns the sequence number in an audit entry's identifier, as created by AuditID. Number 0 is the position before the
// first entry. It returns false for any text that AuditID does not return.
func AuditSequence(id string) (int64, bool) {
	digits, ok := strings.CutPrefix(id, AuditPrefix)
	if !ok || len(digits) < auditDigits || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	sequence, err := strconv.ParseInt(digits, 10, 64)
	return sequence, err == nil && sequence >= 0 && AuditID(sequence) == id
}

// AuditPrefix begins the identifiers of audit entries.
const AuditPrefix = "aud_"
