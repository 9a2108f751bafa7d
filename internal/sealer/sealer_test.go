package sealer_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

func TestOnPostgres(t *testing.T) { enginetest.OnPostgres(t) }

// workbench is a database with a sealer's key next to it.
type workbench struct {
	testing.TB
	database enginetest.Database
	store    shop.Store
	key      string
	clock    atomic.Int64 // the error of the clock in milliseconds
}

func newBench(t testing.TB) *workbench {
	t.Helper()
	b := &workbench{TB: t, database: enginetest.New(t), key: filepath.Join(t.TempDir(), "key")}
	b.store = b.database.Open(t)
	return b
}

func (b *workbench) now() time.Time {
	return time.Now().Add(time.Duration(b.clock.Load()) * time.Millisecond)
}

// append adds entries of different kinds to the trail.
func (b *workbench) append(count int) {
	b.Helper()
	const together = 500
	for count > 0 {
		n := min(count, together)
		entries := make([]trail.Entry, n)
		for i := range entries {
			entries[i] = trail.Entry{
				Action: card.ActionSerialAdvanced, UserID: "anna", Timestamp: ident.TimestampOf(b.now()), SerialID: "SN-00001",
				JobID: "job_1", PathID: "path_1", FromStepID: "step_1", ToStepID: "step_2",
			}
			if i%7 == 0 {
				entries[i].Metadata = []byte(`{"b": 1.0, "a": "<ü>"}`)
				entries[i].CertID, entries[i].StepID, entries[i].BatchQuantity, entries[i].Actor = "cert_1", "step_1", 3, "token:t"
			}
		}
		b.must(b.store.Update(b.Context(), func(tx shop.Tx) error { return tx.AppendAudit(entries...) }))
		count -= n
	}
}

func (b *workbench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *workbench) config() sealer.Config {
	return sealer.Config{
		Store: b.store, Clock: b.now, Logger: slog.New(slog.NewTextHandler(b.Output(), nil)),
		Interval: time.Millisecond, KeyFiles: []string{b.key},
	}
}

// running is a running sealer.
type running struct {
	*sealer.Sealer
	bench *workbench
	stop  func()
}

// start runs a sealer until stop is called or the test ends.
func (b *workbench) start(change ...func(*sealer.Config)) *running {
	b.Helper()
	config := b.config()
	config.Wait = func(ctx context.Context, after int64) error {
		for {
			newest := int64(0)
			if err := b.store.View(ctx, func(tx shop.Reader) (err error) {
				newest, err = tx.LastAuditSequence()
				return err
			}); err != nil || newest > after {
				return err
			}
			select {
			case <-time.After(2 * time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	for _, apply := range change {
		apply(&config)
	}
	s, err := sealer.Open(b.Context(), config)
	b.must(err)
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan struct{})
	go func() { s.Run(ctx); close(done) }()
	stopped := false
	stop := func() {
		if !stopped {
			stopped = true
			cancel()
			<-done
		}
	}
	b.Cleanup(stop)
	return &running{s, b, stop}
}

// until waits for a state of the sealer.
func (r *running) until(what string, holds func(sealer.Status) bool) sealer.Status {
	r.bench.Helper()
	deadline := time.After(time.Minute)
	for {
		status := r.Status()
		if holds(status) {
			return status
		}
		select {
		case <-time.After(2 * time.Millisecond):
		case <-deadline:
			r.bench.Fatalf("not %s: %+v", what, status)
		}
	}
}

func (r *running) sealed(size int64) sealer.Status {
	r.bench.Helper()
	return r.until(fmt.Sprintf("sealed up to %d", size), func(s sealer.Status) bool { return s.Size == size && s.Checked })
}

func (r *running) refuses() string {
	r.bench.Helper()
	return r.until("refusing", func(s sealer.Status) bool { return s.Trouble != "" }).Trouble
}

// newest returns the newest checkpoint after checking its signature.
func (r *running) newest() ledger.Checkpoint {
	r.bench.Helper()
	signed, err := r.Checkpoint(r.bench.Context())
	r.bench.must(err)
	keys, err := ledger.Verifiers(r.Status().VerifierKeys...)
	r.bench.must(err)
	checkpoint, err := keys.Open(signed)
	r.bench.must(err)
	return checkpoint
}

// root computes the root over the trail again, from the entries as the interface returns them.
func (b *workbench) root(size int64) ledger.Hash {
	b.Helper()
	tree := &ledger.Tree{}
	b.must(b.store.View(b.Context(), func(tx shop.Reader) error {
		for entry, err := range sealer.Entries(tx.AuditAfter) {
			if err != nil {
				return err
			}
			if entry.Index < size {
				tree.Add(ledger.LeafHash(entry.Leaf))
			}
		}
		return nil
	}))
	return tree.Root()
}

func TestSealing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.start()
	if !strings.HasPrefix(s.Status().Origin, "routecard/") || len(s.Status().Origin) != len("routecard/")+8 {
		t.Errorf("the log is called %q", s.Status().Origin)
	}
	info, err := os.Stat(b.key)
	b.must(err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the key's mode is %s", info.Mode())
	}
	if _, err := s.Checkpoint(t.Context()); !errors.Is(err, sealer.ErrNotSealed) {
		t.Errorf("an empty trail has a checkpoint: %v", err)
	}
	total := int64(0)
	for _, count := range []int{1, 2, 254, 300, 3000} {
		b.append(count)
		total += int64(count)
		status := s.sealed(total)
		if got := s.newest(); got.Size != total || got.Root != b.root(total) || got.Origin != status.Origin {
			t.Errorf("of %d entries the checkpoint is %+v", total, got)
		}
		if status.SealedUntil == 0 || status.StartedWith != 0 {
			t.Errorf("%+v", status)
		}
		if behind, err := s.Behind(t.Context()); err != nil || behind != 0 {
			t.Errorf("behind by %d, %v", behind, err)
		}
	}
	origin := s.Status().Origin
	b.append(1)
	s.stop() // seals once more
	again := b.start()
	if status := again.sealed(total + 1); status.Origin != origin {
		t.Errorf("after a start it is called %s", status.Origin)
	}
	b.must(again.VerifyAll(t.Context()))
	if status := again.Status(); status.Wrong() || status.Verified != total+1 {
		t.Errorf("%+v", status)
	}
}

// Sealing does not change responses: the tag of a list stays the same.
func TestASealLeavesTheVersion(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	witness := newWitness(t, "one.example")
	policy, err := ledger.ParsePolicy(fmt.Appendf(nil, "witness w1 %s %s\nquorum w1\n", witness.key, witness.URL))
	b.must(err)
	s := b.start(func(c *sealer.Config) { c.Policy = policy })
	witness.log, err = note.NewVerifier(s.Status().VerifierKeys[0])
	b.must(err)
	s.stop() // so that nothing is sealed before the version is read
	version := func() string {
		b.Helper()
		version, err := b.store.Version(t.Context(), shop.RecordSerial)
		b.must(err)
		return version
	}
	b.append(300)
	changed := version()
	s = b.start(func(c *sealer.Config) { c.Policy = policy })
	s.sealed(300)
	b.must(s.Witness(t.Context()))
	if _, err := s.Cosigned(t.Context()); err != nil {
		t.Errorf("nobody has cosigned: %v", err)
	}
	if sealed := version(); sealed != changed {
		t.Errorf("the version was %s and after the seal it is %s", changed, sealed)
	}
}

// Every leaf is made from the JSON of the interface.
func TestLeavesFollowFromTheInterface(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.append(20)
	b.must(b.store.View(t.Context(), func(tx shop.Reader) error {
		entries, err := tx.AuditAfter(0, 100)
		if err != nil {
			return err
		}
		i := 0
		for made, err := range sealer.Entries(tx.AuditAfter) {
			want, leafErr := ledger.Leaf(encoded(t, entries[i]))
			if err := errors.Join(err, leafErr); err != nil {
				return err
			}
			if !bytes.Equal(made.Leaf, want) || made.Index != int64(i) {
				return fmt.Errorf("leaf %d is %s, want %s", i, made.Leaf, want)
			}
			i++
		}
		return nil
	}))
}

func TestProofs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.append(600)
	s := b.start()
	s.sealed(601)
	keys, err := ledger.Verifiers(s.Status().VerifierKeys...)
	b.must(err)
	for _, index := range []int64{0, 255, 256, 599, 600} {
		proof, err := s.Proof(t.Context(), ledger.EntryID(index), time.Second)
		b.must(err)
		if _, err := proof.Verify(keys); err != nil {
			t.Errorf("leaf %d: %v", index, err)
		}
	}
	for _, id := range []string{"aud_0000000000000000", "aud_0000000000000602", "aud_1", "x", ""} {
		if _, err := s.Proof(t.Context(), id, time.Second); !errors.Is(err, sealer.ErrUnknown) {
			t.Errorf("%q: %v", id, err)
		}
	}
	s.stop()
	b.append(1)
	if _, err := s.Proof(t.Context(), ledger.EntryID(601), 10*time.Millisecond); !errors.Is(err, sealer.ErrNotSealed) {
		t.Errorf("an entry that is not sealed: %v", err)
	}
	if _, err := s.Attest(t.Context(), 601, 0, 10*time.Millisecond); !errors.Is(err, sealer.ErrNotSealed) {
		t.Errorf("a dossier with an entry that is not sealed: %v", err)
	}
	if _, err := s.Attest(t.Context(), 600, 600, time.Second); !errors.Is(err, sealer.ErrTooSmall) {
		t.Errorf("a dossier in a tree without its last entry: %v", err)
	}
	if _, err := s.Attest(t.Context(), 600, 0, time.Second); err != nil {
		t.Errorf("a dossier of what is sealed: %v", err)
	}
}

// No wrong proof is served: neither of a changed entry, nor of an entry with the number of a removed one.
func TestNoProofOfWhatWasNotSealed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.append(20)
	s := b.start()
	s.sealed(21)
	s.stop()
	b.tamper("DELETE FROM audit WHERE sequence = 21", "UPDATE audit SET user_id = 'mallory' WHERE sequence = 10")
	b.append(1)
	for index, want := range map[int64]error{8: nil, 9: ledger.ErrNotProved, 20: ledger.ErrNotProved} {
		if _, err := s.Proof(t.Context(), ledger.EntryID(index), time.Second); !errors.Is(err, want) {
			t.Errorf("leaf %d: %v", index, err)
		}
	}
}

// A trail from before the ledger is sealed, and its length is recorded.
func TestOldTrailIsTakenIn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.append(45_000)
	s := b.start()
	b.append(10) // while the old trail is being sealed
	s.sealed(45_011)
	if started := s.Status().StartedWith; started < 45_000 {
		t.Errorf("it began with %d entries", started)
	}
	if got := s.newest(); got.Root != b.root(45_011) {
		t.Error("the root does not follow from the trail")
	}
	s.stop()
	status := b.start().until("checked", func(s sealer.Status) bool { return s.Checked })
	if status.StartedWith < 45_000 || status.Trouble != "" {
		t.Errorf("%+v", status)
	}
}

// door opens the database as its owner could, without the triggers that protect the trail.
func (b *workbench) door() *sql.DB {
	b.Helper()
	door := b.database.BackDoor(b)
	for _, drop := range []string{"DROP TRIGGER audit_no_update", "DROP TRIGGER audit_no_delete"} {
		if _, err := door.ExecContext(b.Context(), drop); err != nil { // PostgreSQL's triggers are off on this connection
			b.Log(err)
		}
	}
	return door
}

func (b *workbench) tamper(statements ...string) {
	b.Helper()
	door := b.door()
	for _, statement := range statements {
		_, err := door.ExecContext(b.Context(), statement)
		b.must(err)
	}
	b.must(door.Close())
}

// If the owner of the database changes the trail in any way, the next start signs nothing.
func TestNothingIsSignedOverATrailThatWasChanged(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, want string }{
		{"UPDATE audit SET user_id = 'otto' WHERE sequence = 300", "aud_0000000000000300 was changed"},
		{"UPDATE audit SET metadata = '{' WHERE sequence = 300", "aud_0000000000000300 was changed: its metadata is no JSON"},
		{"DELETE FROM audit WHERE sequence = 300", "aud_0000000000000300 is missing"},
		{"DELETE FROM audit WHERE sequence > 590", "aud_0000000000000591 to aud_0000000000000600 were signed and are missing"},
		{"DELETE FROM ledger_checkpoint", ""}, // only the record next to the key has the signature, and the trail matches it
		{"DELETE FROM audit WHERE sequence > 590; DELETE FROM ledger_checkpoint", "aud_0000000000000591 to aud_0000000000000600 were signed"},
		{"UPDATE ledger_checkpoint SET signed = 'x'", "the newest checkpoint in the database was changed"},
		{"DELETE FROM ledger_tree", "the database has no ledger"},
		{"INSERT INTO ledger_tree VALUES (2, 'x', 3)", "none of the keys"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			s := b.start()
			b.append(600)
			s.sealed(600)
			s.stop()
			state, err := os.ReadFile(sealer.StateFile(b.key))
			b.must(err)
			b.tamper(strings.Split(test.name, "; ")...)
			s = b.start()
			if test.want == "" {
				b.append(5)
				s.sealed(605)
				return
			}
			if got := s.refuses(); !strings.Contains(got, test.want) {
				t.Errorf("it says %q", got)
			}
			if s.Degraded() == "" || s.Status().Refusals != 1 {
				t.Errorf("%q, %+v", s.Degraded(), s.Status())
			}
			s.stop()
			if now, err := os.ReadFile(sealer.StateFile(b.key)); err != nil || !bytes.Equal(now, state) {
				t.Error("something was signed")
			}
		})
	}
}

// An old trail with entries that cannot be sealed is refused.
func TestOldTrailThatCannotBe(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]string{
		"DELETE FROM audit WHERE sequence = 30":                           "aud_0000000000000030 is missing",
		"UPDATE audit SET sequence = 0 WHERE sequence = 30":               "an entry with the number 0 stands before the first",
		"UPDATE audit SET metadata = 'x' WHERE sequence = 30":             "aud_0000000000000030 cannot be sealed",
		"UPDATE audit SET sequence = 1000 + sequence WHERE sequence > 30": "aud_0000000000000031 is missing",
	} {
		b := newBench(t)
		b.append(60)
		b.tamper(statement)
		s := b.start()
		if got := s.refuses(); !strings.Contains(got, want) {
			t.Errorf("%s: it says %q", statement, got)
		}
		s.stop()
	}
}

// The database is replaced by an older copy: the record next to the key shows that more was signed.
func TestAcceptBeginsAnew(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.start()
	b.append(600)
	before := s.sealed(600)
	old := s.newest()
	s.stop()
	if _, err := sealer.Accept(t.Context(), b.config(), " ", "root"); err == nil {
		t.Error("no reason is accepted")
	}
	b.tamper("DELETE FROM audit WHERE sequence > 500")
	b.append(20)
	s = b.start()
	s.refuses()
	s.stop()
	accepted, err := sealer.Accept(t.Context(), b.config(), "restored the backup of Tuesday", "root")
	b.must(err)
	if accepted.Tree.Origin != before.Origin+"/2" || accepted.TakenOver {
		t.Errorf("%+v", accepted)
	}
	s = b.start()
	status := s.sealed(521)
	if got := s.newest(); got.Origin != before.Origin+"/2" || got.Root != b.root(521) {
		t.Errorf("%+v", got)
	}
	if keys, err := ledger.Verifiers(before.VerifierKeys...); err != nil {
		t.Error(err)
	} else if signed, err := s.Checkpoint(t.Context()); err != nil {
		t.Error(err)
	} else if _, err := keys.Open(signed); err != nil {
		t.Errorf("the key by its first name: %v", err)
	}
	if status.Wrong() {
		t.Errorf("%+v", status)
	}
	b.must(b.store.View(t.Context(), func(tx shop.Reader) error {
		entries, err := tx.AuditAfter(520, 10)
		if err != nil {
			return err
		}
		if len(entries) != 1 || entries[0].Action != shop.ActionLedgerRestarted || entries[0].UserID != "root" ||
			!strings.Contains(string(entries[0].Metadata), old.Root.String()) ||
			!strings.Contains(string(entries[0].Metadata), "restored the backup of Tuesday") {
			return fmt.Errorf("%+v", entries)
		}
		return nil
	}))
	s.stop()
	// Another machine, whose record is of the earlier tree, adopts the new tree.
	other := filepath.Join(t.TempDir(), "key")
	copyFile(t, b.key, other)
	signed, err := old.Sign(mustSigner(t, b.key, before.Origin))
	b.must(err)
	b.must(os.WriteFile(sealer.StateFile(other), signed, 0o600))
	b.key = other
	s = b.start()
	s.refuses()
	s.stop()
	taken, err := sealer.Accept(t.Context(), b.config(), "the same", "root")
	b.must(err)
	if !taken.TakenOver || taken.Tree.Number != 2 {
		t.Errorf("%+v", taken)
	}
	b.append(1)
	b.start().sealed(522)
}

// A restarted tree has a name that was never signed, even if the database is from before an earlier acceptance, such as a backup.
func TestAcceptNeverReusesAName(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.start()
	b.append(30)
	origin := s.sealed(30).Origin
	s.stop()
	accept := func(want string) {
		t.Helper()
		accepted, err := sealer.Accept(t.Context(), b.config(), "known", "root")
		b.must(err)
		if accepted.Tree.Origin != want || accepted.TakenOver {
			t.Errorf("%+v, want %s", accepted, want)
		}
	}
	sealed := func(size int64) *running {
		t.Helper()
		s := b.start()
		s.sealed(size)
		return s
	}
	accept(origin + "/2")
	sealed(31).stop()

	// The database is one from before the ledger restarted.
	b.tamper("DELETE FROM ledger_tree WHERE number = 2", "DELETE FROM audit WHERE sequence > 30")
	s = b.start()
	s.refuses()
	s.stop()
	accept(origin + "/3")
	sealed(31).stop()

	// And a database from before the last restart, with the row of another tree.
	b.tamper("DELETE FROM ledger_tree WHERE number = 3", "INSERT INTO ledger_tree (number, origin, began_at) VALUES (2, '"+origin+"/2', 0)")
	s = b.start()
	s.refuses()
	s.stop()
	accept(origin + "/4")
	b.append(1)
	sealed(33).stop()
}

// If the row of the ledger is removed from the database, the service signs nothing until that is accepted.
func TestAcceptOfARemovedLedger(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.start()
	b.append(30)
	origin := s.sealed(30).Origin
	s.stop()
	b.tamper("DELETE FROM ledger_tree")
	s = b.start()
	s.refuses()
	s.stop()
	accepted, err := sealer.Accept(t.Context(), b.config(), "somebody removed it", "root")
	b.must(err)
	if accepted.Tree.Origin != origin+"/2" || !slices.ContainsFunc(accepted.Found, func(found string) bool {
		return strings.Contains(found, "its row in ledger_tree was removed")
	}) {
		t.Errorf("%+v", accepted)
	}
	s = b.start()
	if status := s.sealed(31); status.Origin != origin+"/2" || status.Wrong() {
		t.Errorf("%+v", status)
	}
	s.stop()

	// Without a record next to the key, the service cannot know of a ledger.
	b.tamper("DELETE FROM ledger_tree")
	b.must(os.Remove(sealer.StateFile(b.key)))
	if _, err := sealer.Accept(t.Context(), b.config(), "again", "root"); err == nil || !strings.Contains(err.Error(), "has no ledger") {
		t.Error(err)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.start()
	b.append(10)
	first := s.sealed(10)
	s.stop()

	second := filepath.Join(t.TempDir(), "second")
	b.must(sealer.MakeKey(second, "routecard"))
	if sealer.MakeKey(second, "routecard") == nil {
		t.Error("a key is made over another")
	}
	both := func(c *sealer.Config) { c.KeyFiles = append(c.KeyFiles, second) }
	s = b.start(both)
	status := s.sealed(11)
	if len(status.VerifierKeys) != 2 || status.VerifierKeys[0] != first.VerifierKeys[0] {
		t.Errorf("the keys are %q", status.VerifierKeys)
	}
	signed, err := s.Checkpoint(t.Context())
	b.must(err)
	for _, key := range status.VerifierKeys {
		keys, err := ledger.Verifiers(key)
		b.must(err)
		if _, err := keys.Open(signed); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	s.stop()
	firstKey := b.key
	b.key = second
	s = b.start()
	if status := s.sealed(12); len(status.VerifierKeys) != 1 || status.VerifierKeys[0] == first.VerifierKeys[0] {
		t.Errorf("the keys are %q", status.VerifierKeys)
	}
	s.stop()
	b.actions(10, shop.ActionLedgerKeyAdded, shop.ActionLedgerKeyRetired)

	b.key = firstKey // the first key was retired
	s = b.start()
	if got := s.refuses(); !strings.Contains(got, "none of the keys") {
		t.Errorf("a retired key: %s", got)
	}
	s.stop()
	b.key = filepath.Join(t.TempDir(), "lost")
	s = b.start()
	if got := s.refuses(); !strings.Contains(got, "the key is missing") {
		t.Errorf("a lost key: %s", got)
	}
	s.stop()
	if _, err := os.Stat(b.key); err == nil {
		t.Error("another key was made in the place of the lost one")
	}
	_, err = sealer.Accept(t.Context(), b.config(), "the disk with the key died", "root")
	b.must(err)
	s = b.start()
	s.sealed(15)
	b.actions(12, shop.ActionLedgerRestarted, shop.ActionLedgerKeyRetired, shop.ActionLedgerKeyAdded)
}

// actions ends the test unless the entries after the given one have exactly these actions.
func (b *workbench) actions(after int64, want ...trail.Action) {
	b.Helper()
	b.must(b.store.View(b.Context(), func(tx shop.Reader) error {
		entries, err := tx.AuditAfter(after, 100)
		if err != nil {
			return err
		}
		var got []trail.Action
		for _, entry := range entries {
			got = append(got, entry.Action)
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("the trail has %q, want %q", got, want)
		}
		return nil
	}))
}

func TestOrigin(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	named := func(c *sealer.Config) { c.Origin = "plant.example/west" }
	s := b.start(named)
	b.append(1)
	s.sealed(1)
	if got := s.newest().Origin; got != "plant.example/west" {
		t.Errorf("it is called %s", got)
	}
	s.stop()
	b.start().sealed(1)
	for _, name := range []string{"another", "with space"} {
		config := b.config()
		config.Origin = name
		if _, err := sealer.Open(t.Context(), config); err == nil {
			t.Errorf("it is called %q now", name)
		}
	}
}

// A clock that goes back does not change the order of entries.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.start()
	b.append(10)
	s.sealed(10)
	b.clock.Store(-48 * time.Hour.Milliseconds())
	b.append(10)
	s.sealed(20)
	s.stop()
	s = b.start()
	s.sealed(20)
	b.append(1)
	s.sealed(21)
	if got := s.newest(); got.Size != 21 || got.Root != b.root(21) {
		t.Errorf("%+v", got)
	}
}

// Two instances seal one trail: their checkpoints never contradict each other, and when one instance ends, the other continues.
func TestTwoInstances(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.start()
	second := b.start()
	total := int64(0)
	for range 30 {
		b.append(100)
		total += 100
	}
	first.sealed(total)
	second.sealed(total)
	first.stop()
	b.append(700)
	second.sealed(total + 700)
	for _, s := range []*running{first, second} {
		if status := s.Status(); status.Wrong() || status.Failing != "" {
			t.Errorf("%+v", status)
		}
	}
	if got := second.newest(); got.Root != b.root(total+700) {
		t.Error("the root does not follow from the trail")
	}
}

// crowded is a store in which another instance has the turn to seal a few times.
type crowded struct {
	shop.Store
	times atomic.Int32
}

type crowdedTx struct {
	shop.Tx
	store *crowded
}

func (c *crowded) Update(ctx context.Context, change func(shop.Tx) error, options ...shop.UpdateOption) error {
	return c.Store.Update(ctx, func(tx shop.Tx) error { return change(crowdedTx{tx, c}) }, options...)
}

func (tx crowdedTx) TakeLedgerTurn() (bool, error) {
	if tx.store.times.Add(-1) >= 0 {
		return false, nil
	}
	return tx.Tx.TakeLedgerTurn()
}

// The last commits before a stop are sealed even if the sealer has to wait for its turn.
func TestTheLastSealAwaitsItsTurn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.append(5)
	store := &crowded{Store: b.store}
	s := b.start(func(c *sealer.Config) {
		c.Store = store
		c.Wait = func(ctx context.Context, _ int64) error { <-ctx.Done(); return ctx.Err() }
	})
	s.until("sealed", func(s sealer.Status) bool { return s.Checked && s.Size >= 5 })
	before := s.newest().Size
	b.append(5)
	store.times.Store(3)
	s.stop()
	if got := s.newest(); got.Size != before+5 || got.Root != b.root(got.Size) {
		t.Errorf("sealed up to %d of %d", got.Size, before+5)
	}
}

// leaving is a store that stops the service in the middle of a read.
type leaving struct {
	shop.Store
	stops func() bool
}

func (l *leaving) View(ctx context.Context, read func(shop.Reader) error, options ...shop.ViewOption) error {
	if l.stops != nil && l.stops() {
		return context.Canceled
	}
	return l.Store.View(ctx, read, options...)
}

// A service that stops right after its comparison of the trail with the last signature seals the commits since.
func TestTheLastSealAfterTheFirstLook(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.append(5)
	first := b.start()
	before := first.until("sealed", func(s sealer.Status) bool { return s.Checked && s.Size >= 5 }).Size
	first.stop()
	b.append(5)
	store := &leaving{Store: b.store}
	config := b.config()
	config.Store = store
	s, err := sealer.Open(t.Context(), config)
	b.must(err)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	store.stops = func() bool {
		if !s.Status().Checked || ctx.Err() != nil {
			return false
		}
		stop()
		return true
	}
	s.Run(ctx)
	if got := (&running{s, b, stop}).newest(); got.Size != before+5 {
		t.Errorf("sealed up to %d of %d", got.Size, before+5)
	}
}

// failing is a store whose Updates fail: before the first change, before the commit, or after the commit.
type failing struct {
	shop.Store
	mode atomic.Int32
}

var errCrash = errors.New("crashed")

func (f *failing) Update(ctx context.Context, change func(shop.Tx) error, options ...shop.UpdateOption) error {
	switch f.mode.Load() {
	case 1:
		return errCrash
	case 2:
		return f.Store.Update(ctx, func(tx shop.Tx) error { return errors.Join(change(tx), errCrash) }, options...)
	case 3:
		return errors.Join(f.Store.Update(ctx, change, options...), errCrash)
	}
	return f.Store.Update(ctx, change, options...)
}

// After a crash while sealing, before or after any write, the next start can continue.
func TestCrashWhileSealing(t *testing.T) {
	t.Parallel()
	for mode := int32(1); mode <= 3; mode++ {
		b := newBench(t)
		s := b.start()
		b.append(700)
		s.sealed(700)
		s.stop()
		b.append(100)
		broken := &failing{Store: b.store}
		broken.mode.Store(mode)
		s = b.start(func(c *sealer.Config) { c.Store = broken })
		if mode < 3 { // the next attempt finds the commits
			s.until("failing", func(s sealer.Status) bool { return strings.Contains(s.Failing, errCrash.Error()) })
			if !strings.Contains(s.Degraded(), "cannot seal") {
				t.Errorf("it says %q", s.Degraded())
			}
		}
		b.append(200)
		s.stop()
		s = b.start()
		s.sealed(1000)
		if got := s.newest(); got.Root != b.root(1000) {
			t.Error("the root does not follow from the trail")
		}
		b.must(s.VerifyAll(t.Context()))
		if status := s.Status(); status.Wrong() || s.Degraded() != "" {
			t.Errorf("after crash %d: %+v", mode, status)
		}
	}
}

// A full disk or a missing folder of the key stops only the signing.
func TestStateCannotBeWritten(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.start()
	b.append(5)
	s.sealed(5)
	gone := filepath.Dir(b.key) + ".gone"
	b.must(os.Rename(filepath.Dir(b.key), gone))
	b.append(5)
	s.until("failing", func(s sealer.Status) bool { return s.Failing != "" })
	b.must(os.Rename(gone, filepath.Dir(b.key)))
	s.sealed(10)
	s.until("well again", func(s sealer.Status) bool { return s.Failing == "" })
}

// The continuous verification finds changes made while the service runs.
func TestVerifyAllFindsChanges(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.start()
	b.append(600)
	s.sealed(600)
	b.tamper("UPDATE audit SET actor = 'x' WHERE sequence = 77")
	b.must(s.VerifyAll(t.Context()))
	status := s.Status()
	if !status.Wrong() || status.Failures != 1 || status.Findings[0].Entry != "aud_0000000000000077" {
		t.Errorf("%+v", status)
	}
}
