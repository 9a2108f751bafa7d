package main

import (
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/httpapi"
	"github.com/routecard/routecard/internal/process"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/tail"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// serveLedger serves the interface of the shop while do runs.
func (s *sealedShop) serveLedger(do func(url string, seals *sealer.Sealer)) {
	s.Helper()
	s.work(func(store sqlstore.Store, seals *sealer.Sealer) error {
		service := shop.New(store, time.Now, ident.NewIdentifiers(time.Now))
		server := httptest.NewServer(httpapi.New(httpapi.Config{
			Service: service, Views: views.New(store, service), Ready: store.Ready, Metrics: httpapi.NewMetrics(),
			Logger: slog.New(slog.DiscardHandler), Ledger: seals, Tail: tail.New(slog.New(slog.DiscardHandler)),
		}))
		defer server.Close()
		do(server.URL, seals)
		return nil
	})
}

// A verification from outside finds unaccepted entries that a start of the service discovered, because the log records them. It lists the
// problems that only a verification of the database can find.
func TestVerifyFromOutsideSaysWhatItCannotFind(t *testing.T) {
	t.Parallel()
	s := &sealedShop{T: t, file: filepath.Join(t.TempDir(), "shop.db")}
	now := ident.TimestampOf(time.Now())
	tell := func(entry trail.Entry) {
		s.work(func(store sqlstore.Store, seals *sealer.Sealer) error {
			s.must(store.Update(t.Context(), func(tx shop.Tx) error { return tx.AppendAudit(entry) }))
			awaitSealed(t, seals)
			return nil
		})
	}
	verify := func(want int, texts ...string) {
		t.Helper()
		s.serveLedger(func(url string, _ *sealer.Sealer) {
			status, output := s.verify("--url", url, "--key", s.key)
			for _, text := range append(texts, "Not checked from outside: whether serials, reports and other records are what the entries tell") {
				if status != want || !strings.Contains(output, text) {
					t.Errorf("%d, want %d and %q\n%s", status, want, text, output)
				}
			}
		})
	}
	tell(trail.Entry{Action: shop.ActionNoteCreated, UserID: "ann", Timestamp: now})
	s.tamper("UPDATE counter SET value = 7 WHERE name = 'serial'")
	verify(0, "routecard verify --database does")
	tell(shop.LedgerEntriesFound(shop.EntriesFound{First: ident.AuditID(5), Last: ident.AuditID(7), Written: shop.WrittenUnknown}, now))
	verify(0, "The service did not stop in order before a start found aud_0000000000000005 to aud_0000000000000007")
	tell(shop.LedgerEntriesFound(shop.EntriesFound{First: ident.AuditID(8), Last: ident.AuditID(9), Written: shop.WrittenWhileStopped}, now))
	verify(1, "written while the service was stopped: aud_0000000000000008 to aud_0000000000000009")
}

// TestVerifierInAnotherLanguage runs docs/examples/verify_ledger.py, which was written from docs/ledger.md alone, against ledgers that are
// served: it accepts an unchanged ledger and finds the changes in others.
func TestVerifierInAnotherLanguage(t *testing.T) {
	t.Parallel()
	python := process.Find(t, "python3", "python3")
	workshop := newSealedShop(t)
	run := func(args ...string) (status int, output string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), python, append([]string{"../../docs/examples/verify_ledger.py"}, args...)...) //nolint:gosec // our own program
		printed, err := command.CombinedOutput()
		if command.ProcessState == nil {
			t.Fatal(err)
		}
		return command.ProcessState.ExitCode(), string(printed)
	}
	kept, proof := filepath.Join(t.TempDir(), "kept.txt"), filepath.Join(t.TempDir(), "proof")
	workshop.serveLedger(func(url string, seals *sealer.Sealer) {
		signed, err := seals.Checkpoint(t.Context())
		workshop.must(err)
		workshop.must(os.WriteFile(kept, signed, 0o600))
		status, output := run("--url", url, "--key", workshop.key, "--checkpoint", kept)
		if status != 0 || !strings.Contains(output, "they fit 1 checkpoints that were kept") {
			t.Errorf("a good ledger: %d\n%s", status, output)
		}
		if mine, said := workshop.verify("--url", url, "--key", workshop.key, "--checkpoint", kept); mine != 0 {
			t.Errorf("routecard verify does not agree: %d\n%s", mine, said)
		}
		for _, index := range []int64{0, 39, 255, 256, seals.Status().Size - 1} {
			made, err := seals.Proof(t.Context(), ident.AuditID(index+1), time.Minute)
			workshop.must(err)
			workshop.must(os.WriteFile(proof, made.Text(), 0o600))
			if status, output := run("--proof", proof, "--key", workshop.key); status != 0 || !strings.Contains(output, ident.AuditID(index+1)) {
				t.Errorf("the proof of leaf %d: %d\n%s", index, status, output)
			}
		}
		made, err := os.ReadFile(proof)
		workshop.must(err)
		workshop.must(os.WriteFile(proof, []byte(strings.Replace(string(made), "index ", "index 1", 1)), 0o600))
		if status, output := run("--proof", proof, "--key", workshop.key); status != 1 {
			t.Errorf("a proof of another leaf: %d\n%s", status, output)
		}
	})
	other := anotherSealedShop(t)
	for _, test := range []struct {
		name, statement, key, want string
	}{
		{"an entry was changed", "UPDATE audit SET user_id = 'otto' WHERE sequence = 40", workshop.key, "aud_0000000000000040 was changed"},
		{"its metadata alone", `UPDATE audit SET metadata = '{"reason":"other"}' WHERE sequence = (SELECT MIN(sequence) FROM audit WHERE metadata <> '' AND sequence > 1)`, workshop.key, "was changed"},
		{"another key", "UPDATE counter SET value = value WHERE name = 'probe'", other.key, "not signed by the key that was given"},
	} {
		spoiled := workshop.copy(t)
		spoiled.tamper(test.statement)
		spoiled.serveLedger(func(url string, _ *sealer.Sealer) {
			if status, output := run("--url", url, "--key", test.key, "--checkpoint", kept); status != 1 || !strings.Contains(output, test.want) {
				t.Errorf("%s: %d\n%s", test.name, status, output)
			}
		})
	}
	other.serveLedger(func(url string, _ *sealer.Sealer) { // another history, with another signature
		if status, output := run("--url", url, "--key", other.key, "--checkpoint", kept); status != 1 {
			t.Errorf("a checkpoint of another log: %d\n%s", status, output)
		}
	})
}
