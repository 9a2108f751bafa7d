package notice

import (
	"time"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// Kind is a kind of event that people are notified of.
type Kind string

// The kinds.
const (
	BackupFailed  Kind = "backup_failed"
	DiskFull      Kind = "disk_nearly_full"
	TrailAltered  Kind = "trail_altered"
	InstrumentDue Kind = "instrument_due"
	UnitsHeld     Kind = "units_held"
)

// Kinds returns all kinds, the most urgent first.
func Kinds() []Kind { return []Kind{TrailAltered, BackupFailed, DiskFull, InstrumentDue, UnitsHeld} }

// Cause is one reason for a notice. It has only the fields that its kind uses.
type Cause struct {
	// Key identifies the cause among those of its kind. A cause is notified at most once a day.
	Key    string `json:"key"`
	Name   string `json:"name,omitempty"`   // the instrument, the reason of a hold, what a disk is for
	Detail string `json:"detail,omitempty"` // the message of a failure, the free space, the name of an instrument, the first unit
	Day    string `json:"day,omitempty"`    // the due date, or the day since when
	Count  int64  `json:"count,omitempty"`  // the number of units
	Path   string `json:"path,omitempty"`   // the page about it
}

// Channel is a way to deliver messages.
type Channel string

// The channels.
const (
	Mail Channel = "mail"
	Hook Channel = "hook"
)

// State is the state of a message.
type State string

// The states of a message.
const (
	Waiting   State = "waiting"
	Delivered State = "delivered"
	GivenUp   State = "given_up" // its server did not accept it for too long
	Removed   State = "removed"  // its address was removed from the settings first
)

// Message is a notice for one address.
type Message struct {
	ID        string // the same in every attempt
	Kind      Kind
	Channel   Channel
	Target    string // a mail address, or the address of a hook
	Causes    []Cause
	CreatedAt ident.Timestamp
	DueAt     ident.Timestamp // the time of the next attempt
	Attempts  int64           // failed attempts
	LeasedTo  ident.Timestamp // until when an instance of the service is sending it; 0 for none
	State     State
	DoneAt    ident.Timestamp // 0 while it waits
	Answer    string          // the last response of the server
}

// Target is where messages of a kind go.
type Target struct {
	Channel Channel
	Address string
}

// LeaseTime is how long an instance may take for an attempt before another instance makes one.
const LeaseTime = time.Minute

// KeepTime is how long messages are stored once they are no longer waiting.
const KeepTime = 30 * 24 * time.Hour

// giveUpAfter is the age of a message that is given up when another attempt fails.
const giveUpAfter = 72 * time.Hour

// pauses returns the times to wait after the first failed attempts. The last one repeats.
func pauses() []time.Duration {
	return []time.Duration{5 * time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute, time.Hour}
}

// Due reports whether an attempt may begin at a time. Without other instances of the service, alone, leases do not count: they are of a
// process that has ended.
func (m Message) Due(now ident.Timestamp, alone bool) bool {
	return m.State == Waiting && m.DueAt <= now && (alone || m.LeasedTo <= now)
}

// To returns the target of the message.
func (m Message) To() Target { return Target{m.Channel, m.Target} }

// Leased returns the message during an attempt.
func (m Message) Leased(now ident.Timestamp) Message {
	m.LeasedTo = ident.TimestampOf(now.Time().Add(LeaseTime))
	return m
}

// Tried returns the message after an attempt.
func (m Message) Tried(delivered bool, answer string, now ident.Timestamp) Message {
	m.LeasedTo, m.Answer = 0, answer
	switch {
	case delivered:
		m.State, m.DoneAt = Delivered, now
		return m
	case now.Time().Sub(m.CreatedAt.Time()) >= giveUpAfter:
		m.State, m.DoneAt = GivenUp, now
	default:
		waits := pauses()
		m.DueAt = ident.TimestampOf(now.Time().Add(waits[min(int(m.Attempts), len(waits)-1)]))
	}
	m.Attempts++
	return m
}

// Cancelled returns the message after its address was removed from the settings.
func (m Message) Cancelled(now ident.Timestamp) Message {
	m.LeasedTo, m.State, m.DoneAt = 0, Removed, now
	return m
}

// Dropped returns the message after it was given up for newer ones.
func (m Message) Dropped(now ident.Timestamp) Message {
	m.LeasedTo, m.State, m.DoneAt = 0, GivenUp, now
	return m
}

// Open reports whether causes may still be added to the message: it was never sent.
func (m Message) Open() bool {
	return m.State == Waiting && m.Attempts == 0 && m.LeasedTo == 0 && len(m.Causes) < CausesAtMost
}

// CausesAtMost is the number of causes in one message.
const CausesAtMost = 100

// DayOf returns the day of a time in the zone of the shop.
func DayOf(at ident.Timestamp, zone *time.Location) string {
	return at.Time().In(zone).Format(input.DateLayout)
}
