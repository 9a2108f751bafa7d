package shop

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

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

// EntriesFound is a range of entries that the service found at startup although, by its own records, it had not left them.
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
	// TakeLedgerTurn reports whether this transaction may seal. Of several concurrent processes, only one may.
	TakeLedgerTurn() (bool, error)
	// LockTrail prevents other transactions from appending to the trail until this one ends.
	LockTrail() error

	InsertLedgerTree(tree LedgerTree) error
	LedgerTree() (LedgerTree, error) // the newest
	PutLedgerKey(key LedgerKey) error
	LedgerKeys() ([]LedgerKey, error) // oldest first

	PutLedgerTiles(tree int64, tiles []LedgerTile) error // replaces existing ones
	LedgerTile(tree int64, level int, number int64) (LedgerTile, error)
	DeleteLedgerTiles(tree int64) error

	// PutLedgerCheckpoint stores a checkpoint. It replaces one of the same hour.
	PutLedgerCheckpoint(tree int64, checkpoint LedgerCheckpoint) error
	LedgerCheckpoints(tree int64) ([]LedgerCheckpoint, error) // by size
	LastLedgerCheckpoint(tree int64) (LedgerCheckpoint, error)
	// PutLedgerCosigned stores a checkpoint with the cosignatures of witnesses. It replaces one of the same hour.
	PutLedgerCosigned(tree int64, checkpoint LedgerCheckpoint) error
	LastLedgerCosigned(tree int64) (LedgerCheckpoint, error)

	PutLedgerStop(stop LedgerStop) error
	LedgerStop() (LedgerStop, error)
}

// LedgerStop says for which stops of the service a mark was written to a file next to the key.
type LedgerStop struct {
	Marked  int64 // number of entries at the last stop; 0 while the service runs, and after it was killed
	Missing int64 // number of entries at a stop whose mark was missing at the next start; 0 for none, and once it was accepted
}

// Names of the ledger and the whole database in the tables of nouns.go.
const (
	RecordLedger ident.RecordKind = "ledger"

	OpBackUp Operation = "back-up" // see the backups as well

	ActionLedgerStarted   trail.Action = "ledger_started"
	ActionLedgerRestarted trail.Action = "ledger_restarted"
	// ActionLedgerEntriesFound records entries that were found at startup after those that the service had left.
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
