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

// NoLimit is the limit for AuditEntries to yield all entries.
const NoLimit = math.MaxInt64

// AuditEntries yields the trail in reverse order of commit, newest first: at most limit entries after skipping offset. Both must
// be zero or more.
func (s *Service) AuditEntries(ctx context.Context, limit, offset int64) iter.Seq2[trail.Entry, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[trail.Entry, error] { return tx.AuditEntries(limit, offset) })
}

// AuditOfSerial yields the entries of a serial, oldest first; none if the serial does not exist.
func (s *Service) AuditOfSerial(ctx context.Context, serialID string) iter.Seq2[trail.Entry, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[trail.Entry, error] { return tx.AuditOfSerial(serialID) })
}

// AuditOfJob yields the entries of a job, oldest first; none if the job does not exist.
func (s *Service) AuditOfJob(ctx context.Context, jobID string) iter.Seq2[trail.Entry, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[trail.Entry, error] { return tx.AuditOfJob(jobID) })
}

// AuditStore stores the audit trail in a database.
type AuditStore interface {
	// AppendAudit appends entries to the trail in the given order and assigns their ids.
	AppendAudit(entries ...trail.Entry) error
	AuditEntries(limit, offset int64) iter.Seq2[trail.Entry, error] // newest first
	AuditOfSerial(serialID string) iter.Seq2[trail.Entry, error]    // oldest first
	AuditOfJob(jobID string) iter.Seq2[trail.Entry, error]          // oldest first
	// AuditAfter returns up to limit entries, oldest first. It returns fewer if their texts are long, but at least one if there
	// is one.
	AuditAfter(sequence int64, limit int) ([]trail.Entry, error)
	LastAuditSequence() (int64, error) // 0 if there are no entries
	// CreationsAt returns the serial_created entries with this path and time, oldest first.
	CreationsAt(pathID string, at ident.Timestamp) ([]trail.Entry, error)
	ChangesOfPath(pathID string) iter.Seq2[trail.Entry, error] // its path_updated and path_deleted entries, oldest first
}

// CollectAudit appends listed entries to a slice. It stops at the first error.
func CollectAudit(entries []trail.Entry, listed iter.Seq2[trail.Entry, error]) ([]trail.Entry, error) {
	for entry, err := range listed {
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// TrailOf returns all entries of a serial, oldest first, beginning with its creation if the trail has that entry.
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

// SerialsCreatedBy returns the range of serials that an entry records as created. It returns false for all other entries, and for
// old entries without this range in their metadata.
func SerialsCreatedBy(e trail.Entry) (ident.NumberRange, bool) {
	var made replay.SerialRange
	if e.Action != card.ActionSerialCreated || json.Unmarshal(e.Metadata, &made) != nil {
		return ident.NumberRange{}, false
	}
	first, known := ident.ParseSerialID(made.FirstSerialID)
	last, complete := ident.ParseSerialID(made.LastSerialID)
	return ident.NumberRange{First: first, Last: last}, known && complete && first <= last
}

// ActionTold returns the action of an entry. For a completion by Advance to Step, which the interface records as an advance, it
// returns ActionSerialCompleted.
func ActionTold(e trail.Entry) trail.Action {
	if e.Action == card.ActionSerialAdvanced && e.ToStepID == "" {
		return card.ActionSerialCompleted
	}
	return e.Action
}

// Telling selects entries that record an action.
type Telling struct {
	Action trail.Action
	ToNone bool // only entries without a target step
}

// TellingOf returns the kinds of entries that record an action: entries with that action, and entries that record it under
// another action; see ActionTold.
func TellingOf(action trail.Action) []Telling {
	if action == card.ActionSerialCompleted {
		return []Telling{{Action: action}, {Action: card.ActionSerialAdvanced, ToNone: true}}
	}
	return []Telling{{Action: action}}
}

// creationOf picks a serial's creation from the entries of its path at the time of creation. Old entries do not list the serials
// that they created: such an entry is returned only if it is the only one.
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

// Creation returns the entry that records a serial's creation, or false if the trail has none.
func Creation(tx AuditStore, serial card.Serial) (trail.Entry, bool, error) {
	entries, err := tx.CreationsAt(serial.PathID, serial.CreatedAt)
	entry, ok := creationOf(serial, entries)
	return entry, ok, err
}

// Visits returns the visits of a serial in the order in which they began.
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

// VisitQuery selects serials. Empty fields match all.
type VisitQuery struct {
	JobID string `query:"jobId"`
}

// AllVisits yields the visits of the selected serials, oldest serial first.
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
	if err != nil { // an edited trail affects only its own serial, not the list
		path := &history.Path
		return []replay.Visit{{SerialID: serial.ID, JobID: path.JobID, PathID: path.ID, Pass: 1, Status: replay.VisitUnknown}}, nil
	}
	return replayed.Visits(), nil
}

// Names of audit entries in the tables of nouns.go.
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
