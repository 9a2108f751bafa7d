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
	Prefixed
	// AppendAudit appends entries to the trail in the given order and assigns their ids.
	AppendAudit(entries ...trail.Entry) error
	AuditEntries(limit, offset int64) iter.Seq2[trail.Entry, error] // newest first
	AuditOfSerial(serialID string) iter.Seq2[trail.Entry, error]    // oldest first
	AuditOfJob(jobID string) iter.Seq2[trail.Entry, error]          // oldest first
	// AuditOfRecord yields the entries about no serial and no job, oldest first, whose metadata name the record first of conformanceId,
	// firstArticleId, lotId, nonconformanceId, instrumentId, shipmentId and recordId, or which have none of these and the record as their
	// certificate.
	AuditOfRecord(id string) iter.Seq2[trail.Entry, error]
	// AuditAfter returns up to limit entries, oldest first. It returns fewer entries if their texts are long, but at least one entry if any
	// follows.
	AuditAfter(sequence int64, limit int) ([]trail.Entry, error)
	LastAuditSequence() (int64, error) // 0 if there are no entries
	// CreationsAt returns the serial_created entries with this path and time, oldest first.
	CreationsAt(pathID string, at ident.Timestamp) ([]trail.Entry, error)
	// Reworks counts the serial_reworked entries of up to a thousand serials, including those of undone reworks. Serials without such an
	// entry are not in the result.
	Reworks(serialIDs []string) (map[string]int, error)
	ChangesOfPath(pathID string) iter.Seq2[trail.Entry, error] // its path_updated and path_deleted entries, oldest first
	ChangesOfUsers() iter.Seq2[trail.Entry, error]             // all user_changed entries, oldest first
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

// SerialsCreated is the range of serials that an entry records as created, with the prefix of their identifiers.
type SerialsCreated struct {
	ident.NumberRange
	Prefix ident.Prefix
}

// SerialsCreatedBy returns the range of serials that an entry records as created. It returns false for all other entries, and for
// old entries without this range in their metadata.
func SerialsCreatedBy(e trail.Entry) (SerialsCreated, bool) {
	var made replay.SerialRange
	if e.Action != card.ActionSerialCreated || json.Unmarshal(e.Metadata, &made) != nil {
		return SerialsCreated{}, false
	}
	prefix, first, known := ident.SplitSerialID(made.FirstSerialID)
	last, complete := prefix.ParseSerialID(made.LastSerialID)
	return SerialsCreated{ident.NumberRange{First: first, Last: last}, prefix}, known && complete && first <= last
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

// creationOf picks a serial's creation from the entries of its path at the time of creation. Old entries do not list the serials that they
// created: such an entry is returned only if it is the only entry.
func creationOf(prefix ident.Prefix, serial card.Serial, entries []trail.Entry) (trail.Entry, bool) {
	number, ok := prefix.ParseSerialID(serial.ID)
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
	entry, ok := creationOf(tx.SerialPrefix(), serial, entries)
	return entry, ok, err
}

// Lookback is the margin by which a search for entries since a time begins before that time, because the clocks of instances differ.
const Lookback = 5 * ident.ClockSkew

// EntryBefore returns the number of the last entry before a time; 0 if all entries are later. Times in the trail grow with its numbers,
// except for clock skew, so a binary search finds the entry.
func EntryBefore(tx AuditStore, at ident.Timestamp) (int64, error) {
	newest, err := tx.LastAuditSequence()
	if err != nil {
		return 0, err
	}
	after, high := int64(0), newest
	for after < high {
		middle := after + (high-after)/2
		next, err := tx.AuditAfter(middle, 1)
		if err != nil {
			return 0, err
		}
		if len(next) == 0 || next[0].Timestamp >= at {
			high = middle
		} else {
			after = middle + 1
		}
	}
	return after, nil
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
	serial := card.Serial{ID: tx.SerialPrefix().SerialID(listed.Number), JobID: path.JobID, PathID: path.ID, CreatedAt: listed.CreatedAt}
	return visitsOf(tx, &history, serial)
}

func visitsOf(tx AuditStore, history *replay.PathHistory, serial card.Serial) ([]replay.Visit, error) {
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

// LedgerTree is one generation of the ledger over the audit trail. A restarted ledger has a new tree.
type LedgerTree struct {
	Number  int64  // from 1
	Origin  string // the name in its checkpoints
	BeganAt ident.Timestamp
}

// LedgerKey is a key that signs checkpoints, or signed them in the past.
type LedgerKey struct {
	VerifierKey string // the public key that verifies signatures
	AddedAt     ident.Timestamp
	RetiredAt   ident.Timestamp // 0 while it signs
}

// LedgerTile is a part of the tree.
type LedgerTile struct {
	Level  int
	Number int64
	Hashes []byte // 32 bytes each
}

// LedgerCheckpoint is a signed state of a tree.
type LedgerCheckpoint struct {
	Size     int64  // number of entries
	Signed   []byte // the signed note
	SealedAt ident.Timestamp
}

// LedgerUser is the user of audit entries that the ledger itself appends.
const LedgerUser = "routecard"

// LedgerStarted returns the audit entry for the start of the ledger. entries is the number of entries in the trail at that time.
func LedgerStarted(origin string, entries int64, now ident.Timestamp) trail.Entry {
	return trail.Entry{Action: ActionLedgerStarted, UserID: LedgerUser, Timestamp: now, Metadata: trail.Metadata(struct {
		Origin  string `json:"origin"`
		Entries int64  `json:"entries"`
	}{origin, entries})}
}

// LedgerRestart has the reason for restarting the ledger, and its state before.
type LedgerRestart struct {
	Reason         string `json:"reason"`
	Origin         string `json:"origin"`
	Entries        int64  `json:"entries"`                  // number of entries in the trail
	LastCheckpoint string `json:"lastCheckpoint,omitempty"` // the signed checkpoint of the previous tree; "" if there was none
	// Found lists the mismatches that were accepted, one sentence each; empty if there were none.
	Found []string `json:"found,omitempty"`
}

// LedgerRestarted returns the audit entry for the start of another tree.
func LedgerRestarted(restart LedgerRestart, userID string, now ident.Timestamp) trail.Entry {
	return trail.Entry{Action: ActionLedgerRestarted, UserID: userID, Timestamp: now, Metadata: trail.Metadata(restart)}
}

// LedgerKeyChanged returns the audit entry for a key that begins or ceases to sign.
func LedgerKeyChanged(action trail.Action, verifierKey string, now ident.Timestamp) trail.Entry {
	return trail.Entry{Action: action, UserID: LedgerUser, Timestamp: now, Metadata: trail.Metadata(struct {
		VerifierKey string `json:"verifierKey"`
	}{verifierKey})}
}

// EntriesFound is a range of entries that the service found at startup although its own record of the last stop does not include them.
type EntriesFound struct {
	First   string       `json:"first"`
	Last    string       `json:"last"`
	Written WrittenWhile `json:"written"`
}

// WrittenWhile is the time when entries that were found at startup were written.
type WrittenWhile string

// The values of WrittenWhile.
const (
	WrittenWhileStopped WrittenWhile = "stopped" // after an orderly shutdown of the service
	WrittenUnknown      WrittenWhile = "unknown" // before or after the service was killed
)

// LedgerEntriesFound returns the audit entry for entries that were found at startup.
func LedgerEntriesFound(found EntriesFound, now ident.Timestamp) trail.Entry {
	return trail.Entry{Action: ActionLedgerEntriesFound, UserID: LedgerUser, Timestamp: now, Metadata: trail.Metadata(found)}
}

// Restored describes the backup from which a database was restored.
type Restored struct {
	From           string `json:"from"` // the name of the file
	TakenAt        string `json:"takenAt"`
	LastEntry      string `json:"lastEntry,omitempty"`
	LastSerial     string `json:"lastSerial,omitempty"`
	SkippedSerials int64  `json:"skippedSerials"` // numbers left unused, since units may carry them already
	// Numbers of credentials that were ended, because they may have been revoked after the backup. Otherwise CredentialsKept has
	// the reason for keeping them.
	SessionsEnded   int64  `json:"sessionsEnded,omitempty"`
	TokensRevoked   int64  `json:"tokensRevoked,omitempty"`
	SecretsExpired  int64  `json:"secretsExpired,omitempty"` // secrets that must be replaced
	CredentialsKept string `json:"credentialsKept,omitempty"`
}

// DatabaseRestored returns the audit entry for a restored database.
func DatabaseRestored(restored Restored, userID string, now ident.Timestamp) trail.Entry {
	return trail.Entry{Action: ActionDatabaseRestored, UserID: userID, Timestamp: now, Metadata: trail.Metadata(restored)}
}

// LedgerStore has the database functions for the ledger.
type LedgerStore interface {
	// TakeLedgerTurn reports whether this transaction may seal. Of several concurrent processes, only one may seal.
	TakeLedgerTurn() (bool, error)
	// LockTrail prevents other transactions from appending to the trail until this transaction ends.
	LockTrail() error

	InsertLedgerTree(tree LedgerTree) error
	LedgerTree() (LedgerTree, error) // the newest
	PutLedgerKey(key LedgerKey) error
	LedgerKeys() ([]LedgerKey, error) // oldest first

	PutLedgerTiles(tree int64, tiles []LedgerTile) error // replaces existing tiles
	LedgerTile(tree int64, level int, number int64) (LedgerTile, error)
	DeleteLedgerTiles(tree int64) error

	// PutLedgerCheckpoint stores a checkpoint. It replaces a checkpoint of the same hour.
	PutLedgerCheckpoint(tree int64, checkpoint LedgerCheckpoint) error
	LedgerCheckpoints(tree int64) ([]LedgerCheckpoint, error) // by size
	LastLedgerCheckpoint(tree int64) (LedgerCheckpoint, error)
	// PutLedgerCosigned stores a checkpoint with the cosignatures of witnesses. It replaces a checkpoint of the same hour.
	PutLedgerCosigned(tree int64, checkpoint LedgerCheckpoint) error
	LastLedgerCosigned(tree int64) (LedgerCheckpoint, error)

	PutLedgerStop(stop LedgerStop) error
	LedgerStop() (LedgerStop, error)
}

// LedgerStop records at which stops the service wrote a mark to a file next to the key.
type LedgerStop struct {
	Marked  int64 // number of entries at the last stop; 0 while the service runs, and after it was killed
	Missing int64 // number of entries at a stop whose mark was missing at the next start; 0 if there is none, or it was accepted
}

// Names of the ledger and the whole database in the tables of nouns.go.
const (
	RecordLedger ident.RecordKind = "ledger"

	OpBackUp Operation = "back-up" // includes listing the backups

	ActionLedgerStarted   trail.Action = "ledger_started"
	ActionLedgerRestarted trail.Action = "ledger_restarted"
	// ActionLedgerEntriesFound records entries that were found at startup after the last entry of the previous stop.
	ActionLedgerEntriesFound trail.Action = "ledger_entries_found"
	ActionLedgerKeyAdded     trail.Action = "ledger_key_added"
	ActionLedgerKeyRetired   trail.Action = "ledger_key_retired"
	ActionDatabaseRestored   trail.Action = "database_restored"
)

var ledgerNoun = noun{
	records: []Record{
		{Kind: RecordLedger, Table: "ledger_tree"},
	},
	operations: []operationRow{
		{operation: OpBackUp, permission: Admin, subject: AboutSettings},
	},
	actions: []actionRow{
		{action: ActionLedgerStarted, of: only(RecordLedger)},
		{action: ActionLedgerRestarted, of: only(RecordLedger)},
		{action: ActionLedgerEntriesFound, of: only(RecordLedger)},
		{action: ActionLedgerKeyAdded, of: only(RecordLedger)},
		{action: ActionLedgerKeyRetired, of: only(RecordLedger)},
		{action: ActionDatabaseRestored},
	},
}
