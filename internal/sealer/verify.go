package sealer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/verify"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// Evidence is compared with a trail in addition to the contents of the database.
type Evidence struct {
	Keys        []string       // verifier keys; none for those in the database
	Checkpoints [][]byte       // signed checkpoints that were stored elsewhere
	Policy      *ledger.Policy // nil if no witness is required
	StateFile   string         // the record of the last signature next to the key, if it exists; "" for none
	MissingMark string         // the result of sealer.MissingMark before the database was read
}

// Verified is the result of a verification.
type Verified struct {
	*ledger.Report
	Origin      string
	Keys        []string
	KeysGiven   bool     // whether the caller supplied the keys; otherwise they come from the database itself
	Checkpoints int      // the number of checkpoints that the trail was compared with
	Serials     int64    // the number of rows that were compared with their entries
	Reports     int64    // the number of nonconformance reports that were compared with their entries
	NotChecked  []string // the checks that were not done, one sentence each
	// Unproved are records whose contents no entry proves: remarks, not findings.
	Unproved  []verify.Unproved
	Witnesses []ledger.Cosigned
	// Unwitnessed lists entries that a start of the service found after a kill. They are remarks, not findings.
	Unwitnessed []shop.EntriesFound
	BackInTime  []string // serials with entries that go back in time, no more than a hundred: remarks, not findings
}

// ErrNothingSigned means that the database has no checkpoint to compare the trail with.
var ErrNothingSigned = errors.New("no checkpoint is in the database: nothing was sealed yet, or the checkpoints were removed")

// Verify verifies a database: the trail, its signatures, and the records that the trail describes: the row of every serial with its
// certificates, reports of nonconformances with their units and dispositions, jobs, paths, certificates, holds, voided records, and
// signatures.
func Verify(tx shop.Reader, evidence Evidence) (*Verified, error) {
	v := &verification{tx: tx, result: &Verified{KeysGiven: len(evidence.Keys) > 0, Keys: evidence.Keys}}
	log, err := tx.LedgerTree()
	if errors.Is(err, shop.ErrNoRecord) {
		log, err = v.removedTree(evidence)
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
	if err := v.stopped(evidence.MissingMark); err != nil {
		return nil, err
	}
	if len(v.checkpoints) == 0 && len(v.findings) == 0 {
		return nil, ErrNothingSigned
	}
	records := verify.NewRecordCheck(tx.SerialPrefix(), ledger.Leaf)
	var found foundEntries
	v.result.Report, err = ledger.Verify(ledger.Trail{
		Entries: Entries(func(after int64, limit int) ([]trail.Entry, error) {
			entries, err := tx.AuditAfter(after, limit)
			for i := range entries {
				records.Add(&entries[i])
				found.add(&entries[i])
			}
			return entries, err
		}), Checkpoints: v.checkpoints, Sealed: v.sealed,
		Tile: func(level int, number int64) ([]ledger.Hash, error) { return storedTile(tx, log.Number, level, number) },
	})
	if err != nil {
		return nil, err
	}
	v.result.Checkpoints = len(v.checkpoints)
	v.findings = append(v.findings, found.findings()...)
	if err := v.keptInside(found.kept); err != nil {
		return nil, err
	}
	v.result.Unwitnessed = found.unknown
	for _, finding := range v.findings {
		v.result.Add(finding)
	}
	v.result.Serials, err = verify.CheckSerials(tx, ledger.Leaf, v.serialDiffers)
	reports, recordsErr := records.Compare(tx, v.recordDiffers)
	v.result.Reports, v.result.Unproved = reports, records.Unproved()
	return v.result, errors.Join(err, recordsErr)
}

type verification struct {
	tx          shop.Reader
	log         shop.LedgerTree
	keys        ledger.Keys
	sealed      int64
	checkpoints []ledger.Checkpoint
	findings    []ledger.Finding
	result      *Verified
}

func (v *verification) serialDiffers(id string, fields []string, why error) {
	switch {
	case errors.Is(why, verify.ErrBackInTime):
		const most = 100
		if len(v.result.BackInTime) < most {
			v.result.BackInTime = append(v.result.BackInTime, fmt.Sprintf("%s: %v", id, why))
		}
	case errors.Is(why, shop.ErrNotSigned):
		v.addf(ledger.WrongSignature, "a signature about %s does not hold: %v", id, why)
	case unreadable(why):
		v.addf(ledger.UnreadableRow, "serial %s cannot be read: %v", id, why)
	case why != nil:
		v.addf(ledger.WrongSerial, "the row of %s does not follow from its entries: %v", id, why)
	default:
		v.addf(ledger.WrongSerial, "the row of %s does not follow from its entries: %s", id, strings.Join(fields, ", "))
	}
}

func unreadable(err error) bool {
	_, is := errors.AsType[*shop.UnreadableError](err)
	return is
}

func (v *verification) recordDiffers(d verify.RecordDifference) {
	what := strings.Join(d.Fields, ", ")
	if d.Why != nil {
		what = d.Why.Error()
	}
	switch d.Kind {
	case shop.RecordNonconformance:
		v.addf(ledger.WrongReport, "the report %s does not follow from its entries: %s", d.ID, what)
	case verify.VoidedRecord:
		v.addf(ledger.WrongRecord, "whether %s is voided does not follow from its entries: %s", d.ID, what)
	case shop.RecordSignaturePolicy:
		v.addf(ledger.WrongRecord, "what has to be signed does not follow from the entries: %s", what)
	case shop.RecordSignature:
		v.addf(ledger.WrongSignature, "the signature in entry %s does not hold: %s", d.ID, what)
	case shop.RecordSerial:
		v.addf(ledger.WrongSerial, "the row of %s does not follow from its entries: %s", d.ID, what)
	case verify.UnsignedEntry:
		v.addf(ledger.Unsigned, "entry %s, %s", d.ID, what)
	case verify.UnreadableRow:
		v.addf(ledger.UnreadableRow, "%v", d.Why)
	case verify.Counters:
		v.addf(ledger.WrongRecord, "a counter does not follow from the entries: %s", what)
	case shop.RecordEntry:
		v.addf(ledger.WrongRecord, "nothing follows from entry %s: %s", d.ID, what)
	default:
		v.addf(ledger.WrongRecord, "the %s %s does not follow from its entries: %s", d.Kind, d.ID, what)
	}
}

func (v *verification) addf(kind ledger.Kind, format string, args ...any) {
	v.result.Add(ledger.Finding{Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// removedTree returns the tree of a ledger whose row was removed: its name comes from the record of the last signature, a stored checkpoint
// or a key.
func (v *verification) removedTree(evidence Evidence) (shop.LedgerTree, error) {
	signed := evidence.Checkpoints
	if state, err := os.ReadFile(evidence.StateFile); err == nil {
		signed = append([][]byte{state}, signed...)
	}
	origin := ""
	for _, text := range signed {
		if checkpoint, err := ledger.UnverifiedCheckpoint(text); err == nil && origin == "" {
			origin = checkpoint.Origin
		}
	}
	keys, err := v.tx.LedgerKeys()
	if err != nil {
		return shop.LedgerTree{}, err
	}
	if origin == "" && len(keys) > 0 {
		origin, _, _ = strings.Cut(keys[0].VerifierKey, "+")
	}
	if origin == "" {
		return shop.LedgerTree{}, errors.New("the database has no ledger")
	}
	v.wrongf(ledger.RemovedSeals, "the database has no ledger: its row in ledger_tree was removed, and the ledger %s was begun", origin)
	return treeNamed(origin)
}

// treeNamed returns the tree with this name. The name contains the tree's number.
func treeNamed(origin string) (tree shop.LedgerTree, err error) {
	tree = shop.LedgerTree{Number: 1, Origin: origin}
	if number, later := strings.CutPrefix(origin, ledger.FirstOrigin(origin)+"/"); later {
		tree.Number, err = strconv.ParseInt(number, 10, 64)
	}
	return tree, err
}

// stopped finds a stop whose mark is missing. A service that starts or stops meanwhile changes the file and the database one after the
// other. So the mark counts as missing only if it was also missing before the database was read.
func (v *verification) stopped(missing string) error {
	stop, err := v.tx.LedgerStop()
	if err != nil {
		return err
	}
	if stop.Missing != 0 {
		v.findings = append(v.findings, missingMark(stop.Missing))
	}
	if missing == "" || stop.Marked == 0 {
		return nil
	}
	if _, err := os.Stat(missing); errors.Is(err, fs.ErrNotExist) {
		v.findings = append(v.findings, missingMark(stop.Marked))
	}
	return nil
}

// keysOf loads the keys in the database if the caller gave none: current and former keys.
func (v *verification) keysOf() error {
	if len(v.result.Keys) == 0 {
		known, err := v.tx.LedgerKeys()
		if err != nil {
			return err
		}
		for _, key := range known {
			if _, err := ledger.Verifiers(key.VerifierKey); err != nil {
				v.wrongf(ledger.UnreadableRow, "ledger_key %s cannot be read: %v", key.VerifierKey, err)
				continue
			}
			v.result.Keys = append(v.result.Keys, key.VerifierKey)
		}
		if len(v.result.Keys) == 0 && len(v.findings) > 0 {
			return nil // without a key no checkpoint can be verified
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
		if err == nil && (opened.Origin != v.log.Origin || opened.Size != checkpoint.Size) {
			err = fmt.Errorf("it is of %d entries of %s", opened.Size, opened.Origin)
		}
		if err != nil {
			v.wrongf(ledger.WrongCheckpoint, "the stored checkpoint of %d entries is not one that was signed: %v", checkpoint.Size, err)
			continue
		}
		v.checkpoints, v.sealed = append(v.checkpoints, opened), max(v.sealed, opened.Size)
	}
	for _, signed := range evidence.Checkpoints {
		opened, err := v.keys.Open(signed)
		if err != nil && v.result.KeysGiven {
			return fmt.Errorf("a checkpoint that was kept: %w", err) // the checkpoint may be of another ledger
		}
		if err != nil {
			v.wrongf(ledger.WrongCheckpoint, "a checkpoint that was kept is not signed by a key that the database has: %v", err)
			continue
		}
		v.checkpoints = append(v.checkpoints, opened)
	}
	if err := v.state(evidence.StateFile); err != nil {
		return err
	}
	return v.witnessed(evidence.Policy)
}

// keptInside compares the trail with the checkpoints in its own entries: the last checkpoints of earlier trees. These checkpoints cover
// sealed entries, so their roots follow from the stored tiles, which were compared with the entries.
func (v *verification) keptInside(kept []keptCheckpoint) error {
	if len(kept) == 0 {
		return nil
	}
	known, err := v.tx.LedgerKeys() // a lost key is not among the given keys
	if err != nil {
		return err
	}
	for _, checkpoint := range kept {
		opened, err := v.keys.Open(checkpoint.signed)
		for i := 0; err != nil && i < len(known); i++ {
			var key ledger.Keys
			if key, err = ledger.Verifiers(known[i].VerifierKey); err == nil {
				opened, err = key.Open(checkpoint.signed)
			}
		}
		if err != nil {
			v.wrongf(ledger.WrongCheckpoint, "the checkpoint that %s has is not one that was signed: %v", checkpoint.entry, err)
			continue
		}
		if opened.Size > v.sealed && opened.Size <= checkpoint.index {
			continue // the entry itself is not sealed yet
		}
		v.result.Checkpoints++
		root, err := ledger.Hash{}, errors.ErrUnsupported
		if opened.Size <= checkpoint.index { // otherwise entries are missing
			root, err = ledger.RootAt(opened.Size, func(level int, number int64, _ int) ([]ledger.Hash, error) {
				return storedTile(v.tx, v.log.Number, level, number)
			})
		}
		if err != nil || root != opened.Root {
			v.wrongf(ledger.AcceptedMisfit, "the checkpoint of %s with %d entries, which %s has kept, does not fit the trail",
				opened.Origin, opened.Size, checkpoint.entry)
		}
	}
	return nil
}

// state compares the trail with the record of the last signature next to the key.
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
	if err != nil && !errors.Is(err, shop.ErrNoRecord) {
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
