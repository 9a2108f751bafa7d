package shop

import (
	"context"
	"encoding/json"
	"iter"
	"math"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/replay"
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
	var made replay.SerialRange
	if e.Action != card.ActionSerialCreated || json.Unmarshal(e.Metadata, &made) != nil {
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
		if entry.Action != card.ActionSerialCreated || entry.PathID != serial.PathID || entry.Timestamp != serial.CreatedAt {
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

// Visits answers the visits of a serial in the order in which they began.
func (s *Service) Visits(ctx context.Context, serialID string) (visits []replay.Visit, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		card, err := tx.RouteCard(serialID)
		if err != nil {
			return OrNotFound(err, NameSerial, serialID)
		}
		history, err := replay.ReadHistory(tx, card.Path)
		if err == nil {
			visits, err = visitsOf(tx, &history, card.Serial)
		}
		return err
	})
	return visits, err
}

// VisitQuery says of which serials to tell. Empty fields do not narrow.
type VisitQuery struct {
	JobID string `query:"jobId"`
}

// AllVisits yields the visits of serials, oldest serial first.
func (s *Service) AllVisits(ctx context.Context, query VisitQuery) iter.Seq2[replay.Visit, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[replay.Visit, error] {
		return func(yield func(replay.Visit, error) bool) {
			paths := map[string]replay.PathHistory{}
			for listed, err := range tx.Serials(0) {
				var visits []replay.Visit
				if err == nil {
					visits, err = visitsOfListed(tx, &listed, query, paths)
				}
				if err != nil {
					yield(replay.Visit{}, err)
					return
				}
				for _, visit := range visits {
					if !yield(visit, nil) {
						return
					}
				}
			}
		}
	})
}

func visitsOfListed(tx Reader, listed *ListedSerial, query VisitQuery, paths map[string]replay.PathHistory) ([]replay.Visit, error) {
	history, known := paths[listed.PathID]
	if !known {
		path, err := tx.Path(listed.PathID)
		if err != nil {
			return nil, OrNotFound(err, card.NamePath, listed.PathID)
		}
		if history, err = replay.ReadHistory(tx, path); err != nil {
			return nil, err
		}
		paths[listed.PathID] = history
	}
	path := &history.Path
	if query.JobID != "" && path.JobID != query.JobID {
		return nil, nil
	}
	serial := card.Serial{ID: ident.SerialID(listed.Number), JobID: path.JobID, PathID: path.ID, CreatedAt: listed.CreatedAt}
	return visitsOf(tx, &history, serial)
}

func visitsOf(tx Reader, history *replay.PathHistory, serial card.Serial) ([]replay.Visit, error) {
	trail, err := TrailOf(tx, serial)
	if err != nil {
		return nil, err
	}
	replayed, err := history.Replay(serial, trail)
	if err != nil { // a trail that somebody edited costs its own serial, not the list
		path := &history.Path
		return []replay.Visit{{SerialID: serial.ID, JobID: path.JobID, PathID: path.ID, Pass: 1, Status: replay.VisitUnknown}}, nil
	}
	return replayed.Visits(), nil
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
