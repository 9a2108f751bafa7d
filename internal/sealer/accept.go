package sealer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Acceptance is the result of Accept.
type Acceptance struct {
	Tree         shop.LedgerTree
	VerifierKeys []string
	Found        []string // the differences, one sentence each
	TakenOver    bool     // whether the tree existed already and only the record next to the key was updated
}

// Accept restarts the ledger over the trail as it is now, after known data loss: a backup was restored, or a key was lost. The entry
// ledger_restarted records it, with the last checkpoint of the former tree.
//
// If the record next to the key is of an earlier tree than the database's, another machine has already restarted the ledger: then this
// machine adopts the database's tree.
func Accept(ctx context.Context, config Config, reason, userID string) (Acceptance, error) {
	if strings.TrimSpace(reason) == "" {
		return Acceptance{}, errors.New("a reason is needed")
	}
	a := &acceptance{config: config, reason: reason, userID: userID, now: ident.TimestampOf(config.Clock())}
	if err := a.readStates(); err != nil {
		return Acceptance{}, err
	}
	if err := config.Store.View(ctx, a.read); err != nil {
		return Acceptance{}, err
	}
	// If the records next to the keys are of earlier trees than the database's, another machine has restarted the ledger.
	later := 0 < a.signed.Number && a.signed.Number < a.log.Number
	if !later {
		if err := a.compare(ctx); err != nil {
			return Acceptance{}, err
		}
	}
	next := a.log
	if !later {
		number := max(a.log.Number, a.signed.Number) + 1 // the name of a signed tree is never used for another tree
		next = shop.LedgerTree{
			Number: number, Origin: ledger.LaterOrigin(ledger.FirstOrigin(a.log.Origin), number), BeganAt: a.now,
		}
	}
	made, keys, err := signers(config.KeyFiles, next.Origin)
	if errors.Is(err, fs.ErrNotExist) && len(config.KeyFiles) == 1 {
		if err := MakeKey(config.KeyFiles[0], ledger.FirstOrigin(next.Origin)); err != nil {
			return Acceptance{}, err
		}
		made, keys, err = signers(config.KeyFiles, next.Origin)
	}
	if err != nil {
		return Acceptance{}, fmt.Errorf("the key of the ledger: %w", err)
	}
	state := ledger.Checkpoint{Origin: next.Origin, Root: new(ledger.Tree).Root()}
	if !later {
		if err := config.Store.Update(ctx, func(tx shop.Tx) error { return a.restart(tx, next, keys) }); err != nil {
			return Acceptance{}, fmt.Errorf("begin the ledger anew: %w", err)
		}
	}
	signed, err := state.Sign(made...)
	if err == nil {
		err = writeStates(config.KeyFiles, signed)
	}
	if err == nil && config.Alone {
		err = writeMark(ctx, &config, next.Origin, made)
	}
	s := &Sealer{keys: keys, log: next}
	return Acceptance{Tree: next, VerifierKeys: s.namedKeys(), Found: a.found, TakenOver: later}, err
}

type acceptance struct {
	config Config
	reason string
	userID string
	now    ident.Timestamp
	log    shop.LedgerTree // the row of the ledger in the database
	signed shop.LedgerTree // the latest tree of the same ledger in a record next to a key; number 0 for none
	keys   []shop.LedgerKey
	found  []string // the differences found so far
}

// compare lists the differences that will be accepted.
func (a *acceptance) compare(ctx context.Context) error {
	if made, keys, err := signers(a.config.KeyFiles, a.log.Origin); err == nil && a.config.Alone {
		told, err := behindTheMark(ctx, &a.config, a.log, made, keys)
		if err != nil {
			return err
		}
		if told != nil && told.Written == shop.WrittenWhileStopped {
			a.found = append(a.found, whileStopped(*told).Text)
		}
	}
	var verified *Verified
	err := a.config.Store.View(ctx, func(tx shop.Reader) (err error) {
		verified, err = Verify(tx, Evidence{StateFile: StateFile(a.config.KeyFiles[0])})
		return err
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, ErrNothingSigned):
		return nil
	case err != nil: // an unreadable trail does not prevent the restart
		a.found = append(a.found, "the trail could not be verified: "+err.Error())
		return nil
	}
	for _, finding := range verified.Findings {
		a.found = append(a.found, finding.Text)
	}
	if verified.More > 0 {
		a.found = append(a.found, fmt.Sprintf("and %d more", verified.More))
	}
	return nil
}

func (a *acceptance) read(tx shop.Reader) (err error) {
	a.log, err = tx.LedgerTree()
	if errors.Is(err, shop.ErrNoRecord) {
		if a.signed.Number == 0 {
			return errors.New("the database has no ledger; it begins with the next start of the service")
		}
		a.log, err = a.signed, nil // the row of the ledger was removed, which compare finds
	}
	if ledger.FirstOrigin(a.signed.Origin) != ledger.FirstOrigin(a.log.Origin) {
		a.signed = shop.LedgerTree{}
	}
	if err == nil {
		a.keys, err = tx.LedgerKeys()
	}
	return err
}

// readStates reads the last signed tree from the records next to the keys.
func (a *acceptance) readStates() error {
	for _, file := range a.config.KeyFiles {
		state, err := readState(file)
		if err != nil {
			return err
		}
		if state == nil {
			continue
		}
		tree, err := treeNamed(state.Origin)
		if err != nil {
			return err
		}
		if tree.Number > a.signed.Number {
			a.signed = tree
		}
	}
	return nil
}

func (a *acceptance) restart(tx shop.Tx, next shop.LedgerTree, keys []string) error {
	if err := tx.LockTrail(); err != nil {
		return err
	}
	entries, err := tx.LastAuditSequence()
	if err != nil {
		return err
	}
	last, err := tx.LastLedgerCheckpoint(a.log.Number)
	if err != nil && !errors.Is(err, shop.ErrNoRecord) {
		return err
	}
	told := []trail.Entry{shop.LedgerRestarted(shop.LedgerRestart{
		Reason: a.reason, Origin: next.Origin, Entries: entries, LastCheckpoint: string(last.Signed), Found: a.found,
	}, a.userID, a.now)}
	for _, key := range a.keys {
		if key.RetiredAt == 0 && !slices.Contains(keys, key.VerifierKey) {
			told = append(told, shop.LedgerKeyChanged(shop.ActionLedgerKeyRetired, key.VerifierKey, a.now))
			key.RetiredAt = a.now
			if err := tx.PutLedgerKey(key); err != nil {
				return err
			}
		}
	}
	for _, key := range keys {
		if !slices.ContainsFunc(a.keys, func(k shop.LedgerKey) bool { return k.VerifierKey == key && k.RetiredAt == 0 }) {
			told = append(told, shop.LedgerKeyChanged(shop.ActionLedgerKeyAdded, key, a.now))
			if err := tx.PutLedgerKey(shop.LedgerKey{VerifierKey: key, AddedAt: a.now}); err != nil {
				return err
			}
		}
	}
	return errors.Join(
		tx.PutLedgerStop(shop.LedgerStop{}), tx.InsertLedgerTree(next), tx.DeleteLedgerTiles(a.log.Number), tx.AppendAudit(told...),
	)
}

// Continues reports whether a ledger can continue: its key exists, and the trail has the contents that were last signed.
func Continues(ctx context.Context, config Config) bool {
	s := &Sealer{config: config, news: make(chan struct{})}
	return s.begin(ctx) == nil && s.compareAll(ctx) == nil
}
