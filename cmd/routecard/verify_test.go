package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/demo"
	"github.com/routecard/routecard/internal/httpapi"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/tail"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// sealedShop is a database file whose trail is sealed.
type sealedShop struct {
	*testing.T
	file string
	key  string // verifier key
}

// anotherSealedShop makes a database with demonstration data, which has every kind of entry, and seals it with a key of its own.
func anotherSealedShop(t *testing.T) *sealedShop {
	t.Helper()
	s := &sealedShop{T: t, file: filepath.Join(t.TempDir(), "shop.db")}
	store, err := sqlstore.OpenSQLite(t.Context(), s.file, sqlstore.Options{})
	s.must(err)
	s.must(demo.Fill(t.Context(), store, time.Now()))
	s.must(store.Close())
	s.work(func(sqlstore.Store, *sealer.Sealer) error { return nil })
	return s
}

// newSealedShop returns a copy of the sealed demonstration that all tests of a process share.
func newSealedShop(t *testing.T) *sealedShop {
	t.Helper()
	sealedDemo.once.Do(func() {
		s := anotherSealedShop(t)
		sealedDemo.contents = map[string][]byte{}
		for _, end := range sealedEnds() {
			content, err := os.ReadFile(s.file + end)
			s.must(err)
			sealedDemo.contents[end] = content
		}
		sealedDemo.key = s.key
	})
	s := &sealedShop{T: t, file: filepath.Join(t.TempDir(), "shop.db"), key: sealedDemo.key}
	for end, content := range sealedDemo.contents {
		s.must(os.WriteFile(s.file+end, content, 0o600))
	}
	return s
}

// sealedDemo is the demonstration data with its ledger. It is made once for all tests of a process.
var sealedDemo struct { //nolint:gochecknoglobals // making it takes seconds
	once     sync.Once
	contents map[string][]byte // by the suffix of the file's name
	key      string
}

// sealedEnds returns the suffixes of the names of the database file and of the ledger's files.
func sealedEnds() []string { return []string{"", ".ledger-key", ".ledger-key.state"} }

// copy returns a copy of the shop in another file, which one test may alter.
func (s *sealedShop) copy(t *testing.T) *sealedShop {
	t.Helper()
	c := &sealedShop{T: t, file: filepath.Join(t.TempDir(), "shop.db"), key: s.key}
	for _, end := range sealedEnds() {
		content, err := os.ReadFile(s.file + end)
		s.must(err)
		s.must(os.WriteFile(c.file+end, content, 0o600))
	}
	return c
}

// work calls do while a sealer runs, and stops the sealer when all entries are sealed.
func (s *sealedShop) work(do func(sqlstore.Store, *sealer.Sealer) error) {
	s.Helper()
	ctx := context.Background()
	store, err := sqlstore.OpenSQLite(ctx, s.file, sqlstore.Options{})
	s.must(err)
	seals, err := sealer.Open(ctx, sealer.Config{
		Store: store, Clock: time.Now, Logger: slog.New(slog.DiscardHandler), KeyFiles: []string{s.file + ".ledger-key"},
		Interval: 5 * time.Millisecond, Wait: func(ctx context.Context, _ int64) error { return ctx.Err() },
	})
	s.must(err)
	s.key = seals.Status().VerifierKeys[0]
	running, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { seals.Run(running); close(done) }()
	awaitSealed(s.T, seals)
	err = do(store, seals)
	stop()
	<-done
	s.must(errors.Join(err, store.Close()))
}

// awaitSealed waits until all entries are sealed, or the sealer reports trouble.
func awaitSealed(t *testing.T, seals *sealer.Sealer) {
	t.Helper()
	until := time.Now().Add(time.Minute)
	for seals.Status().Trouble == "" && time.Now().Before(until) {
		behind, err := seals.Behind(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if behind == 0 && seals.Status().Checked {
			return
		}
		<-time.After(5 * time.Millisecond)
	}
	if seals.Status().Trouble == "" {
		t.Error("what was written is not sealed after a minute")
	}
}

func (s *sealedShop) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// verify runs the command and returns its exit status and what it printed.
func (s *sealedShop) verify(args ...string) (status int, output string) {
	s.Helper()
	var stdout, stderr bytes.Buffer
	status = run(context.Background(), append([]string{"verify"}, args...), &stdout, &stderr)
	return status, stdout.String() + stderr.String()
}

// tamper runs statements on the file that its owner can run.
func (s *sealedShop) tamper(statements ...string) {
	s.Helper()
	db, err := sql.Open("sqlite", s.file)
	s.must(err)
	script := append([]string{"DROP TRIGGER audit_no_update", "DROP TRIGGER audit_no_delete"}, statements...)
	for _, event := range []string{"update", "delete"} { // restores the triggers, so that the change leaves no trace
		script = append(script, fmt.Sprintf("CREATE TRIGGER audit_no_%s BEFORE %s ON audit BEGIN\n    "+
			"SELECT RAISE(ABORT, 'the audit trail is append-only');\nEND", event, strings.ToUpper(event)))
	}
	for _, statement := range script {
		_, err := db.ExecContext(s.Context(), statement)
		s.must(err)
	}
	s.must(db.Close())
}

func (s *sealedShop) number(query string) (number int64) {
	s.Helper()
	db, err := sql.Open("sqlite", s.file)
	s.must(err)
	s.must(db.QueryRowContext(s.Context(), query).Scan(&number))
	s.must(db.Close())
	return number
}

func TestVerify(t *testing.T) {
	t.Parallel()
	workshop := newSealedShop(t)
	last := workshop.number("SELECT MAX(sequence) FROM audit")
	serial := workshop.number("SELECT MIN(number) FROM serial WHERE status = 'in_progress' AND position > 0")
	end := ident.AuditID(last)

	for _, args := range [][]string{{"--database", workshop.file}, {"--database", workshop.file, "--key", workshop.key}} {
		if status, output := workshop.verify(args...); status != 0 || !strings.Contains(output, fmt.Sprintf("Proved: the first %d entries", last)) ||
			!strings.Contains(output, fmt.Sprintf("%d entries were there before the ledger was begun", last-1)) ||
			!strings.Contains(output, "serials were compared with their entries") ||
			!strings.Contains(output, "reports of nonconformances were compared with their entries") ||
			strings.Contains(output, "No --key was given") != (len(args) == 2) {
			t.Errorf("untouched: %d\n%s", status, output)
		}
	}
	for _, side := range []string{"-wal", "-shm"} {
		if _, err := os.Stat(workshop.file + side); err == nil {
			t.Errorf("it left %s behind", side)
		}
	}
	var answer verifyAnswer
	status, output := workshop.verify("--database", workshop.file, "--json")
	if err := json.Unmarshal([]byte(output), &answer); err != nil || status != 0 || !answer.Proved || answer.Entries != last || answer.KeysGiven {
		t.Errorf("%d %v\n%s", status, err, output)
	}

	columns := map[string]string{ // each column of an entry
		"action": "'x'", "user_id": "user_id || 'x'", "at": "at + 1", "serial_number": "serial_number + 100000", "certificate_id": "'x'",
		"job_id": "'x'", "path_id": "'x'", "step_id": "'x'", "from_step_id": "'x'", "to_step_id": "'x'", "batch_quantity": "77",
		"metadata": `'{"x":1}'`, "actor": "'x'", "means": "'x'",
	}
	if told := workshop.number("SELECT COUNT(*) FROM pragma_table_info('audit') WHERE name <> 'sequence'"); told != int64(len(columns)) {
		t.Errorf("an entry has %d columns beside its number, of which %d are edited here", told, len(columns))
	}
	type spoiled struct {
		name       string
		statements []string
		want       string
		status     int
	}
	tests := []spoiled{
		{"removed", []string{"DELETE FROM audit WHERE sequence = 44"}, "aud_0000000000000044 is missing", 1},
		{"removed and renumbered", []string{
			"DELETE FROM audit WHERE sequence = 44", "UPDATE audit SET sequence = -sequence WHERE sequence > 44",
			"UPDATE audit SET sequence = -sequence - 1 WHERE sequence < 0",
		}, "aud_0000000000000044 is not what was sealed by that id: the entry that stands there was sealed as aud_0000000000000045", 1},
		{"inserted", []string{
			"UPDATE audit SET sequence = -sequence - 1 WHERE sequence >= 44", "UPDATE audit SET sequence = -sequence WHERE sequence < 0",
			"INSERT INTO audit SELECT 44, action, 'otto', at, serial_number, certificate_id, job_id, path_id, step_id, from_step_id, to_step_id, " +
				"batch_quantity, metadata, actor, means FROM audit WHERE sequence = 30",
		}, "aud_0000000000000044 was changed", 1},
		{"before the first", []string{"INSERT INTO audit SELECT 0, action, 'otto', at, serial_number, certificate_id, job_id, path_id, step_id, " +
			"from_step_id, to_step_id, batch_quantity, metadata, actor, means FROM audit WHERE sequence = 30"}, "stands before the first", 1},
		{"long before the first", []string{"INSERT INTO audit SELECT -7, action, 'otto', at, serial_number, certificate_id, job_id, path_id, step_id, " +
			"from_step_id, to_step_id, batch_quantity, metadata, actor, means FROM audit WHERE sequence = 30"},
			"an entry with the number -7 stands before the first", 1},
		{"swapped", []string{
			"UPDATE audit SET sequence = -1 WHERE sequence = 44", "UPDATE audit SET sequence = 44 WHERE sequence = 49",
			"UPDATE audit SET sequence = 49 WHERE sequence = -1",
		}, "aud_0000000000000044 is not what was sealed by that id: the entry that stands there was sealed as aud_0000000000000049", 1},
		{"tail cut", []string{fmt.Sprintf("DELETE FROM audit WHERE sequence > %d", last-3)}, end + " were signed and are missing", 1},
		{"tail cut and checkpoints removed", []string{fmt.Sprintf("DELETE FROM audit WHERE sequence > %d", last-3), "DELETE FROM ledger_checkpoint"},
			"were signed and are missing", 1},
		{"checkpoints removed", []string{"DELETE FROM ledger_checkpoint"}, "the database has no checkpoint", 1},
		{"checkpoint forged", []string{"UPDATE ledger_checkpoint SET size = size - 1"}, "is not one that was signed", 1},
		{"tile edited", []string{"UPDATE ledger_tile SET hashes = 'AAAA' || substr(hashes, 5) WHERE level = 0 AND number = 0"},
			"the stored tile tile/0/0 does not fit aud_0000000000000001; the entry itself is proved", 1},
		{"tile removed", []string{"DELETE FROM ledger_tile WHERE level = 0 AND number = 0"}, "the stored tile tile/0/0", 1},
		{"a serial's row alone", []string{fmt.Sprintf("UPDATE serial SET position = 0 WHERE number = %d", serial)},
			"the row of " + ident.DefaultPrefix.SerialID(serial) + " does not follow from its entries", 1},
		{"a report's row", []string{"UPDATE nonconformance SET title = 'nothing' WHERE number = 1"},
			"the report NCR-00001 does not follow from its entries: title", 1},
		{"a disposition", []string{"UPDATE nonconforming_unit SET disposition = 'use_as_is', reason = 'fits' WHERE disposition = 'scrap'"},
			"does not follow from its entries: disposition of SN-", 1},
		{"a voided note", []string{"UPDATE note SET voided_at = 0, voided_by = '', void_reason = '' WHERE voided_at <> 0"},
			"does not follow from its entries: it was voided, and does not say so", 1},
		{"what has to be signed", []string{"INSERT INTO signature_policy VALUES ('scrap', 'self')"},
			"what has to be signed does not follow from the entries: scrap", 1},
		{"a hold that was released", []string{"UPDATE hold SET release_reason = 'x' WHERE released_at <> 0"},
			"does not follow from its entries: releaseReason", 1},
		{"a step's name", []string{"UPDATE step SET name = 'Polish'"}, "does not follow from its entries: steps", 1},
		{"no ledger", []string{"DELETE FROM ledger_tree"}, "the database has no ledger: its row in ledger_tree was removed", 1},
	}
	for column, value := range columns {
		tests = append(tests, spoiled{"column " + column, []string{"UPDATE audit SET " + column + " = " + value + " WHERE sequence = 44"},
			"aud_0000000000000044 was changed", 1})
	}
	for _, test := range tests {
		c := workshop.copy(t)
		c.tamper(test.statements...)
		if status, output := c.verify("--database", c.file, "--key", c.key); status != test.status || !strings.Contains(output, test.want) {
			t.Errorf("%s: %d\n%s", test.name, status, output)
		}
	}
	// A clock that was set back is a remark and not a finding.
	c, unit := workshop.copy(t), ident.DefaultPrefix.SerialID(serial)
	c.work(func(store sqlstore.Store, _ *sealer.Sealer) error {
		early := func() time.Time { return time.Now().AddDate(-1, 0, 0) }
		newest, err := shop.NewestIdentifier(t.Context(), store)
		if err != nil {
			return err
		}
		_, err = shop.New(store, early, ident.NewIdentifiersAfter(newest, early)).HoldSerial(t.Context(), unit, shop.HoldSerialInput{
			Reason: input.Given("crack"), UserID: input.Given("ann"),
		})
		return err
	})
	if status, output := c.verify("--database", c.file, "--key", c.key); status != 0 ||
		!strings.Contains(output, "- "+unit+": entry aud_") || !strings.Contains(output, "goes back in time by ") ||
		!strings.Contains(output, "of 1 serials the times are not in the order of their entries") {
		t.Errorf("a clock set back: %d\n%s", status, output)
	}
	if status, output := workshop.verify("--database", filepath.Join(t.TempDir(), "none.db")); status != 2 {
		t.Errorf("no file: %d %s", status, output)
	}
	if status, output := workshop.verify(); status != 2 || !strings.Contains(output, "name what to verify") {
		t.Errorf("nothing named: %d %s", status, output)
	}
}

// An attacker with the key can sign another history. Only a checkpoint that was stored elsewhere shows that.
func TestVerifyWithKeptCheckpoint(t *testing.T) {
	t.Parallel()
	workshop := newSealedShop(t)
	kept := filepath.Join(t.TempDir(), "kept.txt")
	state, err := os.ReadFile(workshop.file + ".ledger-key.state")
	workshop.must(err)
	workshop.must(os.WriteFile(kept, state, 0o600))
	workshop.tamper("UPDATE audit SET user_id = 'otto' WHERE sequence = 46", "DELETE FROM ledger_checkpoint", "DELETE FROM ledger_tile")
	workshop.must(os.Remove(workshop.file + ".ledger-key.state"))
	workshop.work(func(sqlstore.Store, *sealer.Sealer) error { return nil }) // signs the other history
	if status, output := workshop.verify("--database", workshop.file, "--key", workshop.key); status != 0 {
		t.Errorf("without a checkpoint: %d\n%s", status, output)
	}
	if status, output := workshop.verify("--database", workshop.file, "--key", workshop.key, "--checkpoint", kept); status != 1 ||
		!strings.Contains(output, "does not fit the trail") {
		t.Errorf("with a checkpoint: %d\n%s", status, output)
	}
	if status, output := workshop.verify("--database", workshop.file, "--key", "x+y+z"); status != 2 {
		t.Errorf("with no key: %d\n%s", status, output)
	}
}

// A stored checkpoint shows that a ledger was removed. Other alterations are still found.
func TestVerifyFindsARemovedLedger(t *testing.T) {
	t.Parallel()
	workshop := newSealedShop(t)
	kept := filepath.Join(t.TempDir(), "kept.txt")
	state, err := os.ReadFile(workshop.file + ".ledger-key.state")
	workshop.must(err)
	workshop.must(os.WriteFile(kept, state, 0o600))
	workshop.must(os.Remove(workshop.file + ".ledger-key.state"))
	removed := []string{"UPDATE serial SET created_at = created_at + 1 WHERE number = 7"}
	for _, table := range []string{"ledger_tree", "ledger_tile", "ledger_checkpoint", "ledger_key"} {
		removed = append(removed, "DELETE FROM "+table)
		workshop.tamper(removed...)
		status, output := workshop.verify("--database", workshop.file, "--checkpoint", kept)
		if status != 1 || !strings.Contains(output, "the database has no ledger: ") || !strings.Contains(output, "the row of "+ident.DefaultPrefix.SerialID(7)) {
			t.Errorf("without %s: %d\n%s", table, status, output)
		}
	}
}

// Verification from outside, against a running service, and of one entry by its proof.
func TestVerifyFromOutside(t *testing.T) {
	t.Parallel()
	workshop := newSealedShop(t)
	workshop.work(func(store sqlstore.Store, seals *sealer.Sealer) error {
		service := shop.New(store, time.Now, ident.NewIdentifiers(time.Now))
		server := httptest.NewServer(httpapi.New(httpapi.Config{
			Service: service, Ready: store.Ready, Logger: slog.New(slog.DiscardHandler), Metrics: httpapi.NewMetrics(), Ledger: seals,
			Tail: tail.New(slog.New(slog.DiscardHandler)),
		}))
		defer server.Close()
		kept, proof := filepath.Join(t.TempDir(), "kept.txt"), filepath.Join(t.TempDir(), "proof")
		signed, err := seals.Checkpoint(t.Context())
		workshop.must(err)
		workshop.must(os.WriteFile(kept, signed, 0o600))
		if status, output := workshop.verify("--url", server.URL+"/", "--key", workshop.key, "--checkpoint", kept); status != 0 || !strings.Contains(output, "Proved") {
			t.Errorf("%d\n%s", status, output)
		}
		if status, output := workshop.verify("--database", workshop.file, "--checkpoint", kept); status != 0 {
			t.Errorf("while the service runs: %d\n%s", status, output)
		}
		made, err := seals.Proof(t.Context(), "aud_0000000000000044", time.Second)
		workshop.must(err)
		workshop.must(os.WriteFile(proof, made.Text(), 0o600))
		if status, output := workshop.verify("--proof", proof, "--key", workshop.key); status != 0 || !strings.Contains(output, `"id":"aud_0000000000000044"`) {
			t.Errorf("%d\n%s", status, output)
		}
		made.Leaf = bytes.Replace(made.Leaf, []byte(`"userId":"`), []byte(`"userId":"x`), 1)
		workshop.must(os.WriteFile(proof, made.Text(), 0o600))
		if status, output := workshop.verify("--proof", proof, "--key", workshop.key); status != 1 {
			t.Errorf("a changed leaf: %d\n%s", status, output)
		}
		if status, output := workshop.verify("--proof", proof); status != 2 {
			t.Errorf("without a key: %d\n%s", status, output)
		}
		workshop.tamper("UPDATE audit SET user_id = 'otto' WHERE sequence = 44")
		if status, output := workshop.verify("--url", server.URL, "--key", workshop.key); status != 1 || !strings.Contains(output, "aud_0000000000000044 was changed") {
			t.Errorf("changed: %d\n%s", status, output)
		}
		server.Close()
		if status, _ := workshop.verify("--url", server.URL, "--key", workshop.key); status != 2 {
			t.Errorf("nobody there: %d", status)
		}
		return nil
	})
}
