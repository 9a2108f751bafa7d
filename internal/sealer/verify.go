package sealer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/routecard/routecard"
	"github.com/routecard/routecard/ledger"
)

// Evidence is what a trail is held against, beside what the database has itself.
type Evidence struct {
	Keys        []string       // verifier keys; none for those that the database names
	Checkpoints [][]byte       // signed, kept elsewhere
	Policy      *ledger.Policy // nil when no witness is asked for
	StateFile   string         // what was signed last, beside the key, if it is there; "" for none
}

// Verified is what a verification found.
type Verified struct {
	*ledger.Report
	Origin      string
	Keys        []string
	KeysGiven   bool  // or else they are the database's own word
	Checkpoints int   // how many the trail was held against
	Serials     int64 // rows that were held against their entries
	Witnesses   []ledger.Cosigned
}

// ErrNothingSigned says that there is nothing to hold a trail against.
var ErrNothingSigned = errors.New("no checkpoint is in the database: nothing was sealed yet, or the checkpoints were removed")

// Verify verifies a database: the trail, what was signed of it, and the row of every serial.
func Verify(tx routecard.Reader, evidence Evidence) (*Verified, error) {
	v := &verification{tx: tx, result: &Verified{KeysGiven: len(evidence.Keys) > 0, Keys: evidence.Keys}}
	log, err := tx.LedgerTree()
	if errors.Is(err, routecard.ErrNoRecord) {
		return nil, errors.New("the database has no ledger")
	}
	if err != nil {
		return nil, err
	}
	v.log, v.result.Origin = log, log.Origin
	if err := v.keysOf(); err != nil {
		return nil, err
	}
	if err := v.gather(evidence); err != nil {
		return nil, err
	}
	if len(v.checkpoints) == 0 && len(v.findings) == 0 {
		return nil, ErrNothingSigned
	}
	v.result.Report, err = ledger.Verify(ledger.Trail{
		Entries: Entries(tx.AuditAfter), Checkpoints: v.checkpoints, Sealed: v.sealed,
		Tile: func(level int, number int64) ([]ledger.Hash, error) { return storedTile(tx, log.Number, level, number) },
	})
	if err != nil {
		return nil, err
	}
	v.result.Checkpoints = len(v.checkpoints)
	for _, finding := range v.findings {
		v.result.Add(finding)
	}
	v.result.Serials, err = routecard.CheckSerials(tx, ledger.Leaf, func(id string, fields []string, why error) {
		text := fmt.Sprintf("the row of %s does not follow from its entries: %s", id, strings.Join(fields, ", "))
		switch {
		case errors.Is(why, routecard.ErrNotSigned):
			text = fmt.Sprintf("a signature about %s does not hold: %v", id, why)
		case why != nil:
			text = fmt.Sprintf("the row of %s does not follow from its entries: %v", id, why)
		}
		v.result.Add(ledger.Finding{Kind: ledger.WrongSerial, Text: text})
	})
	return v.result, err
}

type verification struct {
	tx          routecard.Reader
	log         routecard.LedgerTree
	keys        ledger.Keys
	sealed      int64
	checkpoints []ledger.Checkpoint
	findings    []ledger.Finding
	result      *Verified
}

// keysOf takes the keys that the database names when none was given: those that sign and those that did.
func (v *verification) keysOf() error {
	if len(v.result.Keys) == 0 {
		known, err := v.tx.LedgerKeys()
		if err != nil {
			return err
		}
		for _, key := range known {
			v.result.Keys = append(v.result.Keys, key.VerifierKey)
		}
	}
	var err error
	v.keys, err = ledger.Verifiers(v.result.Keys...)
	return err
}

func (v *verification) wrongf(kind ledger.Kind, format string, args ...any) {
	v.findings = append(v.findings, ledger.Finding{Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// gather collects every checkpoint that is known.
func (v *verification) gather(evidence Evidence) error {
	stored, err := v.tx.LedgerCheckpoints(v.log.Number)
	if err != nil {
		return err
	}
	for _, checkpoint := range stored {
		opened, err := v.keys.Open(checkpoint.Signed)
		if err != nil || opened.Origin != v.log.Origin || opened.Size != checkpoint.Size {
			v.wrongf(ledger.WrongCheckpoint, "the stored checkpoint of %d entries is not one that was signed: %v", checkpoint.Size, err)
			continue
		}
		v.checkpoints, v.sealed = append(v.checkpoints, opened), max(v.sealed, opened.Size)
	}
	for _, signed := range evidence.Checkpoints {
		opened, err := v.keys.Open(signed)
		if err != nil {
			return fmt.Errorf("a checkpoint that was kept: %w", err) // whose it is is not known
		}
		v.checkpoints = append(v.checkpoints, opened)
	}
	if err := v.state(evidence.StateFile); err != nil {
		return err
	}
	return v.witnessed(evidence.Policy)
}

// state takes what was signed last, which lies beside the key.
func (v *verification) state(file string) error {
	if file == "" {
		return nil
	}
	signed, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	last, err := v.keys.Open(signed)
	if err != nil {
		v.wrongf(ledger.WrongCheckpoint, "%s, where what was signed last lies, does not belong to this ledger: %v", file, err)
		return nil
	}
	if last.Origin != v.log.Origin {
		v.wrongf(ledger.RemovedSeals, "%s says that %s was signed last, and the database has %s", file, last.Origin, v.log.Origin)
		return nil
	}
	if last.Size > 0 && !slices.Contains(v.checkpoints, last) {
		v.checkpoints = append(v.checkpoints, last)
	}
	if v.sealed == 0 && last.Size > 0 {
		v.wrongf(ledger.RemovedSeals, "%d entries were signed, and the database has no checkpoint", last.Size)
	}
	return nil
}

func (v *verification) witnessed(policy *ledger.Policy) error {
	if policy == nil {
		return nil
	}
	cosigned, err := v.tx.LastLedgerCosigned(v.log.Number)
	if err != nil && !errors.Is(err, routecard.ErrNoRecord) {
		return err
	}
	witnesses, enough := policy.Judge(cosigned.Signed)
	v.result.Witnesses = witnesses
	if !enough {
		v.wrongf(ledger.NoWitness, "the witnesses that the policy asks for have not cosigned a checkpoint that is in the database")
	}
	if opened, err := v.keys.Open(cosigned.Signed); err == nil {
		v.checkpoints = append(v.checkpoints, opened)
	}
	return nil
}
