package shop

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// LedgerTree is one life of the ledger over the audit trail. A ledger that begins anew has another tree.
type LedgerTree struct {
	Number  int64  // from 1
	Origin  string // the name that its checkpoints have
	BeganAt ident.Timestamp
}

// LedgerKey is a key that checkpoints are or were signed with.
type LedgerKey struct {
	VerifierKey string // what checks signatures
	AddedAt     ident.Timestamp
	RetiredAt   ident.Timestamp // 0 while it signs
}

// LedgerTile is a piece of the tree.
type LedgerTile struct {
	Level  int
	Number int64
	Hashes []byte // 32 bytes each
}

// LedgerCheckpoint is what was signed of a tree.
type LedgerCheckpoint struct {
	Size     int64  // entries
	Signed   []byte // the signed note
	SealedAt ident.Timestamp
}

// LedgerUser is who the trail names for what the ledger does by itself.
const LedgerUser = "routecard"

// LedgerStarted is the entry for the beginning of the ledger, when the trail had so many entries already.
func LedgerStarted(origin string, entries int64, now ident.Timestamp) trail.Entry {
	return trail.Entry{Action: ActionLedgerStarted, UserID: LedgerUser, Timestamp: now, Metadata: trail.Metadata(struct {
		Origin  string `json:"origin"`
		Entries int64  `json:"entries"`
	}{origin, entries})}
}

// LedgerRestart says why and after what the ledger begins anew.
type LedgerRestart struct {
	Reason         string `json:"reason"`
	Origin         string `json:"origin"`
	Entries        int64  `json:"entries"`                  // that the trail had
	LastCheckpoint string `json:"lastCheckpoint,omitempty"` // of the tree before, signed; "" when it had none
	// Found is what did not agree when this was accepted, a sentence each; none when all did.
	Found []string `json:"found,omitempty"`
}

// LedgerRestarted is the entry for the beginning of another tree.
func LedgerRestarted(restart LedgerRestart, userID string, now ident.Timestamp) trail.Entry {
	return trail.Entry{Action: ActionLedgerRestarted, UserID: userID, Timestamp: now, Metadata: trail.Metadata(restart)}
}

// LedgerKeyChanged is the entry for a key that signs from now on, or does no more.
func LedgerKeyChanged(action trail.Action, verifierKey string, now ident.Timestamp) trail.Entry {
	return trail.Entry{Action: action, UserID: LedgerUser, Timestamp: now, Metadata: trail.Metadata(struct {
		VerifierKey string `json:"verifierKey"`
	}{verifierKey})}
}

// EntriesFound says which entries a start found that the service, as far as it knows, did not leave.
type EntriesFound struct {
	First   string       `json:"first"`
	Last    string       `json:"last"`
	Written WrittenWhile `json:"written"`
}

// WrittenWhile is when entries were written that a start found.
type WrittenWhile string

// When they were written.
const (
	WrittenWhileStopped WrittenWhile = "stopped" // after the service had stopped in order
	WrittenUnknown      WrittenWhile = "unknown" // before it was killed, or afterwards
)

// LedgerEntriesFound is the entry for entries that a start found.
func LedgerEntriesFound(found EntriesFound, now ident.Timestamp) trail.Entry {
	return trail.Entry{Action: ActionLedgerEntriesFound, UserID: LedgerUser, Timestamp: now, Metadata: trail.Metadata(found)}
}

// Restored says which backup a database was restored from.
type Restored struct {
	From           string `json:"from"` // the name of the file
	TakenAt        string `json:"takenAt"`
	LastEntry      string `json:"lastEntry,omitempty"`
	LastSerial     string `json:"lastSerial,omitempty"`
	SkippedSerials int64  `json:"skippedSerials"` // numbers that are left out, since they may have been printed
	// What was ended, since it may have been revoked after the backup. Why it was not, in its place.
	SessionsEnded   int64  `json:"sessionsEnded,omitempty"`
	TokensRevoked   int64  `json:"tokensRevoked,omitempty"`
	SecretsExpired  int64  `json:"secretsExpired,omitempty"` // those that have to be replaced
	CredentialsKept string `json:"credentialsKept,omitempty"`
}

// DatabaseRestored is the entry for a database that was restored.
func DatabaseRestored(restored Restored, userID string, now ident.Timestamp) trail.Entry {
	return trail.Entry{Action: ActionDatabaseRestored, UserID: userID, Timestamp: now, Metadata: trail.Metadata(restored)}
}

// LedgerStore is what the ledger needs of a database.
type LedgerStore interface {
	// TakeLedgerTurn reports whether this transaction is the one that may seal; of several processes at once one is.
	TakeLedgerTurn() (bool, error)
	// LockTrail keeps others from adding to the trail until the transaction ends.
	LockTrail() error

	InsertLedgerTree(tree LedgerTree) error
	LedgerTree() (LedgerTree, error) // the newest
	PutLedgerKey(key LedgerKey) error
	LedgerKeys() ([]LedgerKey, error) // oldest first

	PutLedgerTiles(tree int64, tiles []LedgerTile) error // in the place of those before them
	LedgerTile(tree int64, level int, number int64) (LedgerTile, error)
	DeleteLedgerTiles(tree int64) error

	// PutLedgerCheckpoint keeps a checkpoint, in the place of the one of the same hour.
	PutLedgerCheckpoint(tree int64, checkpoint LedgerCheckpoint) error
	LedgerCheckpoints(tree int64) ([]LedgerCheckpoint, error) // by size
	LastLedgerCheckpoint(tree int64) (LedgerCheckpoint, error)
	// PutLedgerCosigned keeps a checkpoint with the cosignatures of witnesses, in the place of the one of the same hour.
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

// What the tables of the business call the ledger and the database as a whole.
const (
	RecordLedger ident.RecordKind = "ledger"

	OpBackUp Operation = "back-up" // see the backups as well

	ActionLedgerStarted   trail.Action = "ledger_started"
	ActionLedgerRestarted trail.Action = "ledger_restarted"
	// ActionLedgerEntriesFound tells of entries that a start found behind those that the service left.
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
