package sealer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// A stop mark identifies the last entry at the stop of the service. It is signed, and stored next to the key, where an attacker with the
// database alone cannot write. Before the next start writes anything, it compares the trail with the mark and removes the mark. So a
// service that is killed leaves no mark.
type stopMark struct {
	Origin string
	Size   int64       // entries
	Last   ledger.Hash // the hash of the last entry's leaf
}

// markTitle is the first line of a stop mark. No checkpoint begins with this line, so that neither can be mistaken for the other.
const markTitle = "routecard stop mark v1"

// MarkFile returns the file with the mark of the last stop, next to a key.
func MarkFile(keyFile string) string { return keyFile + ".stopped" }

func (m stopMark) text() string {
	return markTitle + "\n" + m.Origin + "\n" + strconv.FormatInt(m.Size, 10) + "\n" + m.Last.String() + "\n"
}

// readMark reads the mark next to a key. It returns false if there is no mark, or if the key did not sign it.
func readMark(keyFile string, signer note.Signer, verifierKey string) (stopMark, bool) {
	signed, err := os.ReadFile(MarkFile(keyFile))
	if err != nil {
		return stopMark{}, false
	}
	verifierText, err := ledger.RenameKey(verifierKey, signer.Name())
	if err != nil {
		return stopMark{}, false
	}
	verifier, err := note.NewVerifier(verifierText)
	if err != nil {
		return stopMark{}, false
	}
	opened, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		return stopMark{}, false
	}
	lines := strings.Split(opened.Text, "\n")
	const count = 5
	if len(lines) != count || lines[0] != markTitle || lines[1] != signer.Name() {
		return stopMark{}, false
	}
	mark := stopMark{Origin: lines[1]}
	mark.Size, err = strconv.ParseInt(lines[2], 10, 64)
	if err == nil {
		mark.Last, err = tlog.ParseHash(lines[3])
	}
	return mark, err == nil
}

// MissingMark returns the name of the mark file of a key if the key has signed but the file does not exist; otherwise "".
func MissingMark(keyFile string) string {
	_, signed := os.Stat(StateFile(keyFile))
	if _, err := os.Stat(MarkFile(keyFile)); signed != nil || !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return MarkFile(keyFile)
}

func missingMark(entries int64) ledger.Finding {
	return ledger.Finding{Kind: ledger.RemovedSeals, Text: fmt.Sprintf(
		"the mark of the stop after %d entries was removed: the database says that it was written next to the key", entries)}
}

// RemoveMarks removes the marks next to keys before the service writes. It first clears the record of the mark in the database, so that a
// kill in between is not reported as a removed mark.
func RemoveMarks(ctx context.Context, store shop.Store, keyFiles []string) error {
	var stop shop.LedgerStop
	err := store.View(ctx, func(tx shop.Reader) (err error) {
		stop, err = tx.LedgerStop()
		return err
	})
	if err == nil && stop.Marked != 0 {
		err = store.Update(ctx, func(tx shop.Tx) error { return tx.PutLedgerStop(shop.LedgerStop{Missing: stop.Missing}) })
	}
	if err != nil {
		return fmt.Errorf("remove the mark of the last stop: %w", err)
	}
	for _, file := range keyFiles {
		if err := os.Remove(MarkFile(file)); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err := errors.Join(err, syncFolder(file)); err != nil {
			return fmt.Errorf("remove the mark of the last stop: %w", err)
		}
	}
	return nil
}

// writeMark writes a signed mark of the last entry. Call it after all writers have ended; its Update waits for abandoned requests. An empty
// trail has no mark.
func writeMark(ctx context.Context, config *Config, origin string, signers []note.Signer) error {
	mark := stopMark{Origin: origin}
	err := config.Store.Update(ctx, func(tx shop.Tx) (err error) {
		if mark.Size, err = tx.LastAuditSequence(); err == nil && mark.Size > 0 {
			mark.Last, err = leafHashAt(tx, mark.Size)
		}
		return err
	})
	if err != nil || mark.Size == 0 {
		return err
	}
	for i, file := range config.KeyFiles {
		signed, err := note.Sign(&note.Note{Text: mark.text()}, signers[i])
		if err == nil {
			err = replaceFile(MarkFile(file), signed)
		}
		if err != nil {
			return fmt.Errorf("mark where the service stopped: %w", err)
		}
	}
	return config.Store.Update(ctx, func(tx shop.Tx) error {
		stop, err := tx.LedgerStop()
		if err != nil {
			return err
		}
		stop.Marked = mark.Size
		return tx.PutLedgerStop(stop)
	})
}

// leafHashAt returns the hash of the leaf of the entry with a number.
func leafHashAt(tx TrailReader, sequence int64) (ledger.Hash, error) {
	entries, err := tx.AuditAfter(sequence-1, 1)
	if err != nil {
		return ledger.Hash{}, err
	}
	if len(entries) == 0 || indexOf(&entries[0]) != sequence-1 {
		return ledger.Hash{}, trouble("%s is missing", ledger.EntryID(sequence-1))
	}
	var maker leafMaker
	leaf, wrong := maker.leaf(&entries[0])
	if wrong != "" {
		return ledger.Hash{}, trouble("%s cannot be sealed: %s", entries[0].ID, wrong)
	}
	return ledger.LeafHash(leaf), nil
}

// lookBack compares the trail at a start of the service with the mark of the last stop. It runs once, before this start writes anything. It
// records entries after the mark immediately, as written by others. If there is no mark, the service was killed or the mark was removed:
// then entries that no checkpoint covers are recorded after the check, as of unknown origin.
func (s *Sealer) lookBack(ctx context.Context, log shop.LedgerTree) error {
	if !s.config.Alone || s.looked {
		return nil
	}
	s.looked = true
	if err := s.lookForMark(ctx); err != nil {
		return err
	}
	told, err := behindTheMark(ctx, &s.config, log, s.signers, s.keys)
	if err != nil {
		return err
	}
	if told == nil || told.Written == shop.WrittenUnknown {
		s.unwitnessed = told
		return nil
	}
	if err := s.tell(ctx, *told); err != nil {
		return err
	}
	s.accuse(*told)
	return nil
}

// lookForMark records a finding if the last stop has a mark according to the database, but no key has a valid mark file.
func (s *Sealer) lookForMark(ctx context.Context) error {
	var stop shop.LedgerStop
	err := s.config.Store.View(ctx, func(tx shop.Reader) (err error) {
		stop, err = tx.LedgerStop()
		return err
	})
	if err != nil {
		return fmt.Errorf("read whether the last stop has a mark: %w", err)
	}
	for i, file := range s.config.KeyFiles {
		if _, ok := readMark(file, s.signers[i], s.keys[i]); ok {
			stop.Marked = 0
		}
	}
	if stop.Marked != 0 {
		stop = shop.LedgerStop{Missing: stop.Marked}
		if err := s.config.Store.Update(ctx, func(tx shop.Tx) error { return tx.PutLedgerStop(stop) }); err != nil {
			return fmt.Errorf("record that the mark of the last stop is missing: %w", err)
		}
	}
	if stop.Missing == 0 {
		return nil
	}
	finding := missingMark(stop.Missing)
	s.config.Logger.ErrorContext(ctx, "the mark of a stop is missing", "what", finding.Text)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unmarked, s.accused = []ledger.Finding{finding}, append(s.accused, finding)
	return nil
}

// behindTheMark returns the entries after the mark of the last stop or, without a mark, the entries that no checkpoint covers; nil for
// none.
func behindTheMark(ctx context.Context, config *Config, log shop.LedgerTree, signers []note.Signer, keys []string,
) (*shop.EntriesFound, error) {
	var newest, sealed int64
	var found stopMark
	marked := false
	err := config.Store.View(ctx, func(tx shop.Reader) (err error) {
		if newest, err = tx.LastAuditSequence(); err != nil {
			return err
		}
		last, err := newestOf(tx, log)
		if _, wrong := errors.AsType[*troubleError](err); err != nil && !wrong {
			return err
		}
		sealed = last.Size
		for i, file := range config.KeyFiles {
			mark, ok := readMark(file, signers[i], keys[i])
			if !ok || marked && mark.Size <= found.Size {
				continue
			}
			found, marked = mark, true
		}
		if !marked || found.Size == 0 || found.Size > newest {
			return nil // the check finds missing entries
		}
		if hash, err := leafHashAt(tx, found.Size); err != nil || hash != found.Last {
			found.Size-- // the last entry was replaced
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("compare the trail with the mark of the last stop: %w", err)
	}
	switch {
	case marked && newest > found.Size:
		return &shop.EntriesFound{First: ident.AuditID(found.Size + 1), Last: ident.AuditID(newest), Written: shop.WrittenWhileStopped}, nil
	case !marked && sealed > 0 && newest > sealed:
		return &shop.EntriesFound{First: ident.AuditID(sealed + 1), Last: ident.AuditID(newest), Written: shop.WrittenUnknown}, nil
	}
	return nil, nil //nolint:nilnil // there are none
}

func (s *Sealer) tell(ctx context.Context, found shop.EntriesFound) error {
	return s.config.Store.Update(ctx, func(tx shop.Tx) error {
		return tx.AppendAudit(shop.LedgerEntriesFound(found, ident.TimestampOf(s.config.Clock())))
	})
}

// accuse records that entries were written while the service was stopped.
func (s *Sealer) accuse(told shop.EntriesFound) {
	finding := whileStopped(told)
	s.config.Logger.Error("the audit trail was added to behind the service's back", "what", finding.Text)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accused = append(s.accused, finding)
}

func whileStopped(told shop.EntriesFound) ledger.Finding {
	return ledger.Finding{
		Kind: ledger.WrittenWhileStopped, Entry: told.First, Until: told.Last,
		Text: fmt.Sprintf("written while the service was stopped: %s to %s", told.First, told.Last),
	}
}

// tellUnwitnessed records the entries that this start found without a mark. It is called after the trail was compared with the last
// signature.
func (s *Sealer) tellUnwitnessed(ctx context.Context) error {
	if s.unwitnessed == nil {
		return nil
	}
	if err := s.tell(ctx, *s.unwitnessed); err != nil {
		return err
	}
	s.config.Logger.WarnContext(ctx, "the service was not stopped in order: its newest entries are sealed only now",
		"first", s.unwitnessed.First, "last", s.unwitnessed.Last)
	s.unwitnessed = nil
	return nil
}

// foundEntries collects the entries of a trail with which earlier starts recorded entries of others.
type foundEntries struct {
	stopped, unknown []shop.EntriesFound
	accepted         []string         // entries at which the ledger restarted
	kept             []keptCheckpoint // checkpoints of earlier trees
	wrong            []ledger.Finding // records that cannot be read
}

// add processes the next entry of the trail. A restart of the ledger accepts the findings before it, unless its entry was itself written
// while the service was stopped.
func (f *foundEntries) add(entry *trail.Entry) {
	switch entry.Action {
	case shop.ActionLedgerEntriesFound:
		var told shop.EntriesFound
		if err := trail.ReadMetadata(entry, &told); err != nil {
			f.unreadable(entry, err)
			return
		}
		if told.Written == shop.WrittenWhileStopped {
			f.stopped = append(f.stopped, told)
		} else {
			f.unknown = append(f.unknown, told)
		}
	case shop.ActionLedgerRestarted:
		f.accepted = append(f.accepted, strings.Clone(entry.ID))
		var told shop.LedgerRestart
		if err := trail.ReadMetadata(entry, &told); err != nil {
			f.unreadable(entry, err)
		} else if told.LastCheckpoint != "" {
			f.kept = append(f.kept, keptCheckpoint{strings.Clone(entry.ID), indexOf(entry), []byte(told.LastCheckpoint)})
		}
	default:
	}
}

func (f *foundEntries) unreadable(entry *trail.Entry, why error) {
	f.wrong = append(f.wrong, ledger.Finding{Kind: ledger.WrongRecord, Entry: strings.Clone(entry.ID), Text: fmt.Sprintf(
		"nothing follows from entry %s: %v", entry.ID, why)})
}

// keptCheckpoint is a checkpoint in an entry of the trail.
type keptCheckpoint struct {
	entry  string
	index  int64 // the index of the entry
	signed []byte
}

// findings returns the findings that were not accepted.
func (f *foundEntries) findings() []ledger.Finding {
	findings := f.wrong
	for _, told := range f.stopped {
		accepted := false
		for _, id := range f.accepted {
			accepted = accepted || id > told.Last && !f.forged(id)
		}
		if !accepted {
			findings = append(findings, whileStopped(told))
		}
	}
	return findings
}

func (f *foundEntries) forged(id string) bool {
	for _, told := range f.stopped {
		if told.First <= id && id <= told.Last {
			return true
		}
	}
	return false
}
