package sealer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// Config has the dependencies and settings of a Sealer.
type Config struct {
	Store  shop.Store
	Clock  func() time.Time
	Logger *slog.Logger
	// Interval is the maximum time between the commit of an entry and its seal, and the minimum time between two signatures.
	Interval time.Duration
	// Origin is the name of the log; "" for its existing name, or a generated one.
	Origin string
	// KeyFiles lists the files of the private keys. Each key signs. If the ledger begins with a single file that does not exist, the file
	// is created.
	KeyFiles []string
	// Wait waits until the trail has an entry after the given one.
	Wait func(ctx context.Context, after int64) error
	// Policy is the policy of witnesses. Nil for none.
	Policy *ledger.Policy
	// Alone means that no other program writes to the database, even while this service is stopped, as with a database file. A start then
	// compares the trail with the signed stop mark.
	Alone bool
	// AnchorFolder is another place for a checkpoint an hour; "" for none.
	AnchorFolder string
}

// Sealer seals one trail. It is safe for concurrent use.
type Sealer struct {
	config  Config
	signers []note.Signer
	keys    []string // verifier keys

	// Only the goroutine of Run uses these.
	base *ledger.Tree // the tree of the newest checkpoint
	tree *ledger.Tree // base plus the entries added but not yet signed

	looked      bool               // whether the trail was compared with the mark of the last stop
	unwitnessed *shop.EntriesFound // the entries that this start found without a mark of the last stop

	mu        sync.Mutex
	log       shop.LedgerTree // the sealed tree
	sealed    int64
	until     ident.Timestamp
	news      chan struct{} // closed when sealed or trouble changes
	trouble   string        // the reason why nothing is signed
	failing   string        // the last error, which will be retried
	checked   bool          // whether the trail was compared with the last signature
	started   int64
	figures   figures
	witnesses []WitnessStatus
	anchored  string           // the hour that was put into the anchor folder
	unmarked  []ledger.Finding // a stop whose mark is missing
	accused   []ledger.Finding // entries that were written while the service was stopped, and not accepted
	cutOff    bool             // whether requests may still write after the stop
}

// figures are counted for the metrics.
type figures struct {
	refused  int64 // the number of findings that kept the sealer from signing
	verified int64 // the number of entries that the last verification of everything proved
	failures int64 // the number of verifications with findings
	lastFull time.Time
	findings []ledger.Finding
}

// Open prepares the ledger of a database: it begins one if there is none, and reads the keys. It signs nothing; Run does. Faults of the
// database or the keys do not prevent the start: Status reports them. Only settings that contradict the database prevent it.
func Open(ctx context.Context, config Config) (*Sealer, error) {
	if config.Origin != "" {
		if err := ledger.CheckOrigin(config.Origin); err != nil {
			return nil, err
		}
	}
	s := &Sealer{config: config, news: make(chan struct{}), base: &ledger.Tree{}, tree: &ledger.Tree{}}
	err := s.begin(ctx)
	if config.Alone { // all later entries are our own
		err = errors.Join(err, RemoveMarks(ctx, config.Store, config.KeyFiles))
	}
	if trouble, ok := errors.AsType[*troubleError](err); ok {
		s.refuse(trouble.what)
		return s, nil
	}
	return s, err
}

// troubleError is a fault that stops the sealer but not production.
type troubleError struct{ what string }

func (t *troubleError) Error() string { return t.what }

func trouble(format string, args ...any) error { return &troubleError{fmt.Sprintf(format, args...)} }

const (
	// stopTimeout is the time limit of the last seal when the service stops.
	stopTimeout = 5 * time.Second
	// turnPause is the pause before the sealer asks for its turn again.
	turnPause = 20 * time.Millisecond
)

// Run seals entries until ctx ends, and then seals once more. It must be called exactly once.
func (s *Sealer) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if s.Status().Trouble == "" && s.check(ctx) {
			debug.FreeOSMemory() // reading the whole trail needed this memory, and nothing needs it until the next start
			s.follow(ctx)
		}
		if ctx.Err() == nil {
			s.awaitAcceptance(ctx)
		}
	}
	if status := s.Status(); status.Checked && status.Trouble == "" {
		s.sealLast(context.WithoutCancel(ctx))
	}
}

// CutOff records that requests in flight were cut off at the stop. Their late commits would look like entries of others, so this stop
// writes no mark.
func (s *Sealer) CutOff() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cutOff = true
}

// sealLast seals the commits before the stop of the service. Our own cancelled transaction may still hold the turn, so sealLast retries
// until the entries are sealed, by this instance or another, or stopTimeout ends.
func (s *Sealer) sealLast(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	err := s.sealAll(ctx)
	for errors.Is(err, errNotOurs) && ctx.Err() == nil {
		select {
		case <-time.After(turnPause):
			err = s.sealAll(ctx)
		case <-ctx.Done():
		}
	}
	if err != nil {
		s.config.Logger.WarnContext(ctx, "the newest audit entries are not sealed; they will be after the next start", "error", err)
		return
	}
	s.mu.Lock()
	mark := s.config.Alone && !s.cutOff
	s.mu.Unlock()
	if mark {
		if err := writeMark(ctx, &s.config, s.current().Origin, s.signers); err != nil {
			s.config.Logger.WarnContext(ctx, "the stop is not marked: the next start cannot tell whether somebody else has written",
				"error", err)
		}
	}
}

// tryAgain is the pause after an error.
const tryAgain = 5 * time.Second

// awaitAcceptance waits until another tree is begun, which on PostgreSQL is possible while the service runs. After a failed read it waits
// until the data may be readable again.
func (s *Sealer) awaitAcceptance(ctx context.Context) {
	select {
	case <-time.After(tryAgain):
	case <-ctx.Done():
		return
	}
	var now shop.LedgerTree
	err := s.config.Store.View(ctx, func(tx shop.Reader) (err error) {
		now, err = tx.LedgerTree()
		return err
	})
	s.mu.Lock()
	accepted := err == nil && s.trouble != "" && now.Number > s.log.Number
	if accepted {
		s.trouble = ""
		s.checked = false
	}
	s.mu.Unlock()
	if accepted {
		if err := s.begin(ctx); err != nil {
			s.refuse(err.Error())
		}
	}
}

// follow seals commits until ctx ends or the trail has a fault.
func (s *Sealer) follow(ctx context.Context) {
	for ctx.Err() == nil {
		begun := s.config.Clock()
		err := s.sealAll(ctx)
		found, wrong := errors.AsType[*troubleError](err)
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, errNotOurs):
			err = nil // the other instance seals these entries too
			s.fails(nil)
		case wrong:
			s.refuse(found.what)
			return
		default:
			s.fails(err)
		}
		rest := s.config.Interval - s.config.Clock().Sub(begun)
		if rest > s.config.Interval || rest < 0 { // the clock was set
			rest = s.config.Interval
		}
		select {
		case <-time.After(rest):
		case <-ctx.Done():
			return
		}
		if err == nil && s.config.Wait(ctx, s.Size()) != nil {
			<-ctx.Done() // requests in flight may still commit
			return
		}
	}
}

// fails records that sealing failed; nil means that it works again.
func (s *Sealer) fails(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	s.mu.Lock()
	changed := s.failing != text
	s.failing = text
	s.mu.Unlock()
	switch {
	case changed && err != nil:
		s.config.Logger.Warn("cannot seal the audit trail; it will be tried again", "error", err)
	case changed:
		s.config.Logger.Info("the audit trail is sealed again")
	}
}

// refuse records the reason why nothing is signed any more.
func (s *Sealer) refuse(what string) {
	s.config.Logger.Error("the ledger signs nothing, because the audit trail is not what was signed; production goes on", "what", what)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble = what
	s.figures.refused++
	s.announce()
}

// announce wakes the callers that wait for entries to be sealed. The caller must hold the mutex.
func (s *Sealer) announce() {
	close(s.news)
	s.news = make(chan struct{})
}

// current returns the sealed tree.
func (s *Sealer) current() shop.LedgerTree {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log
}

// newestCheckpoint returns the newest checkpoint in the database, or one of size 0 if the database has none.
func (s *Sealer) newestCheckpoint(ctx context.Context, log shop.LedgerTree) (checkpoint ledger.Checkpoint, err error) {
	err = s.config.Store.View(ctx, func(tx shop.Reader) error {
		checkpoint, err = newestOf(tx, log)
		return err
	})
	return checkpoint, err
}

func newestOf(tx shop.LedgerStore, log shop.LedgerTree) (ledger.Checkpoint, error) {
	stored, err := tx.LastLedgerCheckpoint(log.Number)
	if errors.Is(err, shop.ErrNoRecord) {
		return ledger.Checkpoint{Origin: log.Origin}, nil
	}
	if err != nil {
		return ledger.Checkpoint{}, err
	}
	checkpoint, err := ledger.UnverifiedCheckpoint(stored.Signed)
	if err != nil || checkpoint.Size != stored.Size || checkpoint.Origin != log.Origin {
		return ledger.Checkpoint{}, trouble("the newest checkpoint in the database was changed")
	}
	return checkpoint, nil
}

// tiles reads stored tiles.
func (s *Sealer) tiles(ctx context.Context, log shop.LedgerTree) ledger.TileReader {
	return func(level int, number int64, _ int) (hashes []ledger.Hash, err error) {
		err = s.config.Store.View(ctx, func(tx shop.Reader) error {
			hashes, err = storedTile(tx, log.Number, level, number)
			return err
		})
		return hashes, err
	}
}

// storedTile returns a stored tile, or nil if the database does not have it.
func storedTile(tx shop.LedgerStore, tree int64, level int, number int64) ([]ledger.Hash, error) {
	tile, err := tx.LedgerTile(tree, level, number)
	if errors.Is(err, shop.ErrNoRecord) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	hashes, err := ledger.ParseHashes(tile.Hashes)
	if err != nil { // the database was edited
		return nil, nil //nolint:nilerr // a tile that cannot be read counts as missing
	}
	return hashes, nil
}

// The errors that interrupt sealing.
var (
	errOvertaken = errors.New("another instance has sealed meanwhile")
	errNotOurs   = errors.New("another instance seals just now")
	errReplaced  = errors.New("the ledger began anew")
)

// Size returns the number of sealed entries.
func (s *Sealer) Size() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sealed
}

// Degraded describes the trouble in a sentence; "" if there is none.
func (s *Sealer) Degraded() string {
	status := s.Status()
	switch {
	case status.Trouble != "":
		return "ledger: " + status.Trouble
	case status.Failing != "":
		return "ledger: cannot seal: " + strings.ReplaceAll(status.Failing, "\n", "; ")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.accused) > 0 {
		return "ledger: " + s.accused[0].Text
	}
	return ""
}
