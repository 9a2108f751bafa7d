package shop

import (
	"context"
	"encoding/json"
	"iter"
	"math"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// NoLimit asks AuditEntries for everything.
const NoLimit = math.MaxInt64

// AuditEntries yields the trail newest first, in the order of commit: at most limit entries after the first offset.
// Both are zero or more.
func (s *Service) AuditEntries(ctx context.Context, limit, offset int64) iter.Seq2[trail.Entry, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[trail.Entry, error] { return tx.AuditEntries(limit, offset) })
}

// AuditOfSerial yields the entries about a serial, oldest first; none for an unknown one.
func (s *Service) AuditOfSerial(ctx context.Context, serialID string) iter.Seq2[trail.Entry, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[trail.Entry, error] { return tx.AuditOfSerial(serialID) })
}

// AuditOfJob yields the entries about a job, oldest first; none for an unknown one.
func (s *Service) AuditOfJob(ctx context.Context, jobID string) iter.Seq2[trail.Entry, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[trail.Entry, error] { return tx.AuditOfJob(jobID) })
}

// AuditStore is the audit trail in a database.
type AuditStore interface {
	// AppendAudit adds entries to the trail in this order. Their ids are made here.
	AppendAudit(entries ...trail.Entry) error
	AuditEntries(limit, offset int64) iter.Seq2[trail.Entry, error] // newest first
	AuditOfSerial(serialID string) iter.Seq2[trail.Entry, error]    // oldest first
	AuditOfJob(jobID string) iter.Seq2[trail.Entry, error]          // oldest first
	// AuditAfter returns up to limit entries, oldest first: fewer when their texts are long, but one at least if there is one.
	AuditAfter(sequence int64, limit int) ([]trail.Entry, error)
	LastAuditSequence() (int64, error) // 0 when there is none
	// CreationsAt returns the serial_created entries that name a path and a time, oldest first.
	CreationsAt(pathID string, at ident.Timestamp) ([]trail.Entry, error)
	ChangesOfPath(pathID string) iter.Seq2[trail.Entry, error] // its path_updated and path_deleted entries, oldest first
}

// CollectAudit appends the entries that a store lists to a slice. It stops at the first error.
func CollectAudit(entries []trail.Entry, listed iter.Seq2[trail.Entry, error]) ([]trail.Entry, error) {
	for entry, err := range listed {
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// TrailOf returns all entries about a serial, oldest first; its creation in front, unless the trail does not say.
func TrailOf(tx AuditStore, serial card.Serial) (trail []trail.Entry, err error) {
	entry, known, err := Creation(tx, serial)
	if err != nil {
		return nil, err
	}
	if known {
		trail = append(trail, entry)
	}
	return CollectAudit(trail, tx.AuditOfSerial(serial.ID))
}

// SerialsCreatedBy returns the numbers of the serials that an entry tells the creation of. It is false for every other entry,
// and for those of a trail that is older than the range in their metadata.
func SerialsCreatedBy(e trail.Entry) (ident.NumberRange, bool) {
	var made serialRange
	if e.Action != ActionSerialCreated || json.Unmarshal(e.Metadata, &made) != nil {
		return ident.NumberRange{}, false
	}
	first, known := ident.ParseSerialID(made.FirstSerialID)
	last, complete := ident.ParseSerialID(made.LastSerialID)
	return ident.NumberRange{First: first, Last: last}, known && complete && first <= last
}

// ActionTold is the action of an entry, but ActionSerialCompleted for a completion by Advance to Step, whose entry has the action
// of an advance in the interface.
func ActionTold(e trail.Entry) trail.Action {
	if e.Action == card.ActionSerialAdvanced && e.ToStepID == "" {
		return card.ActionSerialCompleted
	}
	return e.Action
}

// Telling is a kind of entry that tells of an action.
type Telling struct {
	Action trail.Action
	ToNone bool // only entries that lead to no step
}

// TellingOf returns the kinds of entries that are found for an action: those that have it, and those that tell of it under
// another name; see Told.
func TellingOf(action trail.Action) []Telling {
	if action == card.ActionSerialCompleted {
		return []Telling{{Action: action}, {Action: card.ActionSerialAdvanced, ToNone: true}}
	}
	return []Telling{{Action: action}}
}

// creationOf picks the entry that tells of a serial's creation out of those that its path has of the moment it was
// made. Entries of an older trail do not say which serials they made: one of them is taken when it is the only one.
func creationOf(serial card.Serial, entries []trail.Entry) (trail.Entry, bool) {
	number, ok := ident.ParseSerialID(serial.ID)
	if !ok {
		return trail.Entry{}, false
	}
	var silent []trail.Entry
	for _, entry := range entries {
		if entry.Action != ActionSerialCreated || entry.PathID != serial.PathID || entry.Timestamp != serial.CreatedAt {
			continue
		}
		made, told := SerialsCreatedBy(entry)
		if told && made.First <= number && number <= made.Last {
			return entry, true
		}
		if !told {
			silent = append(silent, entry)
		}
	}
	if len(silent) == 1 {
		return silent[0], true
	}
	return trail.Entry{}, false
}

// Creation finds the entry that tells of a serial's creation. It is false when the trail does not say.
func Creation(tx AuditStore, serial card.Serial) (trail.Entry, bool, error) {
	entries, err := tx.CreationsAt(serial.PathID, serial.CreatedAt)
	entry, ok := creationOf(serial, entries)
	return entry, ok, err
}

// What the tables of the business call the trail itself.
const (
	RecordEntry ident.RecordKind = "entry"

	NameEntry refusal.RecordName = "Audit entry"

	AboutAnything Subject = "anything"
)

var entryNoun = noun{
	records: []Record{
		{Kind: RecordEntry, Names: named(NameEntry), Prefix: ident.AuditPrefix, Table: "audit"},
	},
	operations: []operationRow{
		{operation: OpRead, permission: Read, subject: AboutAnything},
	},
}
