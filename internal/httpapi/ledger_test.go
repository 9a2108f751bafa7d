package httpapi

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/tail"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

func TestLedgerOff(t *testing.T) {
	t.Parallel()
	s := openShop(t, nil)
	for _, target := range []string{
		"/api/ledger", "/api/ledger/proof/aud_0000000000000001", "/ledger/checkpoint", "/ledger/cosigned", "/ledger/tile/0/000",
	} {
		got := s.must(t, http.StatusNotFound, "GET", target, "")
		if plain(got.body) != `{"statusCode":404,"message":"The ledger is not enabled"}` {
			t.Errorf("%s answers %s", target, got.body)
		}
	}
}

// verifiersOf returns the verifier keys of a ledger.
func verifiersOf(t *testing.T, seals *sealer.Sealer) ledger.Keys {
	t.Helper()
	keys, err := ledger.Verifiers(seals.Status().VerifierKeys...)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// openSealedShop starts the service with a ledger of this many entries.
func openSealedShop(t *testing.T, entries int) (*servedShop, *sealer.Sealer) {
	t.Helper()
	store, database := openStore(t)
	follower := tail.New(slog.New(slog.DiscardHandler))
	seals, err := sealer.Open(t.Context(), sealer.Config{
		Store: store, Clock: time.Now, Logger: slog.New(slog.DiscardHandler), Interval: time.Millisecond,
		KeyFiles: []string{filepath.Join(t.TempDir(), "key")}, Wait: follower.Wait,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{}, 2)
	go func() { follower.Run(ctx, store); done <- struct{}{} }()
	go func() { seals.Run(ctx); done <- struct{}{} }()
	halt := sync.OnceFunc(func() { stop(); <-done; <-done })
	t.Cleanup(halt)
	server := httptest.NewServer(newFace(store, func(c *Config) {
		c.Ledger = seals
		c.Files = files.New(files.NewFolder(filepath.Join(t.TempDir(), "files"), false), c.Service, testFileLimit, clockwork(), slog.New(slog.DiscardHandler))
	}))
	t.Cleanup(server.Close)
	s := &servedShop{Server: server, store: store, database: database, halt: halt}
	var told []trail.Entry
	for range entries {
		told = append(told, trail.Entry{Action: shop.ActionNoteCreated, UserID: "ann", Metadata: []byte(`{"a": 1.0}`)})
	}
	if err := s.store.Update(t.Context(), func(tx shop.Tx) error { return tx.AppendAudit(told...) }); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for seals.Size() < int64(entries) {
		if time.Now().After(deadline) {
			t.Fatalf("not sealed: %+v", seals.Status())
		}
		<-time.After(5 * time.Millisecond)
	}
	return s, seals
}

// tileReader lets golang.org/x/mod read the log over HTTP. It requests tiles by the paths of tlog-tiles.
type tileReader struct {
	t *testing.T
	s *servedShop
}

func (r *tileReader) Height() int                     { return 8 }
func (r *tileReader) SaveTiles([]tlog.Tile, [][]byte) {}
func (r *tileReader) ReadTiles(tiles []tlog.Tile) (data [][]byte, err error) {
	for _, tile := range tiles {
		place := ledger.Place{Level: tile.L, Number: tile.N, Width: tile.W}
		data = append(data, []byte(r.s.must(r.t, http.StatusOK, "GET", "/ledger/"+place.Path(), "").body))
	}
	return data, nil
}

// golang.org/x/mod verifies the log over HTTP: its root, inclusion and consistency.
func TestLedgerIsReadByOthers(t *testing.T) {
	t.Parallel()
	s, seals := openSealedShop(t, 700)
	document := loadDocument(t)
	var status ledgerAnswer
	answer := s.must(t, http.StatusOK, "GET", "/api/ledger", "")
	if err := json.Unmarshal([]byte(answer.body), &status); err != nil {
		t.Fatal(err)
	}
	if err := document.check(t.Context(), &exchange{method: "GET", target: "/api/ledger", answer: answer, valid: true}); err != nil {
		t.Error(err)
	}
	if status.Size != 700 || status.Behind != 0 || status.SealedUntil == nil || status.Origin != seals.Status().Origin || len(status.VerifierKeys) != 1 {
		t.Errorf("%s", answer.body)
	}
	keys, err := ledger.Verifiers(status.VerifierKeys...)
	if err != nil {
		t.Fatal(err)
	}
	signed := s.must(t, http.StatusOK, "GET", "/ledger/checkpoint", "")
	if err := document.check(t.Context(), &exchange{method: "GET", target: "/ledger/checkpoint", answer: signed, valid: true}); err != nil {
		t.Error(err)
	}
	checkpoint, err := keys.Open([]byte(signed.body))
	if err != nil {
		t.Fatal(err)
	}
	tree := tlog.Tree{N: checkpoint.Size, Hash: checkpoint.Root}
	reader := tlog.TileHashReader(tree, &tileReader{t, s})
	if root, err := tlog.TreeHash(700, reader); err != nil || root != checkpoint.Root {
		t.Errorf("the root is %s, %v", root, err)
	}
	var entries []json.RawMessage // newest first
	if err := json.Unmarshal([]byte(s.must(t, http.StatusOK, "GET", "/api/audit", "").body), &entries); err != nil {
		t.Fatal(err)
	}
	for _, index := range []int64{0, 255, 256, 699} {
		leaf, err := ledger.Leaf(entries[len(entries)-1-int(index)])
		if err != nil {
			t.Fatal(err)
		}
		proof, err := tlog.ProveRecord(700, index, reader)
		if err == nil {
			err = tlog.CheckRecord(proof, 700, checkpoint.Root, index, tlog.RecordHash(leaf))
		}
		if err != nil {
			t.Errorf("entry %d: %v", index, err)
		}
	}
	old, err := tlog.TreeHash(300, reader)
	if err != nil {
		t.Fatal(err)
	}
	if proof, err := tlog.ProveTree(700, 300, reader); err != nil || tlog.CheckTree(proof, 700, checkpoint.Root, 300, old) != nil {
		t.Errorf("consistency: %v", err)
	}
	for target, want := range map[string]string{
		"/ledger/tile/0/000": "public, max-age=31536000, immutable", "/ledger/tile/entries/001": "public, max-age=31536000, immutable",
		"/ledger/tile/0/002.p/188": "no-cache", "/ledger/tile/entries/002.p/5": "no-cache", "/ledger/tile/1/000.p/2": "no-cache",
	} {
		if got := s.must(t, http.StatusOK, "GET", target, "").header.Get("Cache-Control"); got != want {
			t.Errorf("%s may be kept: %q", target, got)
		}
	}
	for _, target := range []string{
		"/ledger/tile/0/002", "/ledger/tile/0/002.p/189", "/ledger/tile/0/003.p/1", "/ledger/tile/1/000.p/3", "/ledger/tile/9/000",
		"/ledger/tile/0/0", "/ledger/tile/entries/002", "/ledger/tile/data/000", "/ledger/tile/0/x000/000",
	} {
		s.must(t, http.StatusNotFound, "GET", target, "")
	}
	leaves, err := ledger.ParseEntries([]byte(s.must(t, http.StatusOK, "GET", "/ledger/tile/entries/002.p/188", "").body))
	if err != nil || len(leaves) != 188 || !strings.Contains(string(leaves[0]), `"id":"aud_0000000000000513"`) {
		t.Errorf("%d leaves, %v", len(leaves), err)
	}
}

func TestLedgerProof(t *testing.T) {
	t.Parallel()
	s, seals := openSealedShop(t, 3)
	document := loadDocument(t)
	keys := verifiersOf(t, seals)
	answer := s.must(t, http.StatusOK, "GET", "/api/ledger/proof/aud_0000000000000002", "")
	if err := document.check(t.Context(), &exchange{method: "GET", target: "/api/ledger/proof/aud_0000000000000002", answer: answer, valid: true}); err != nil {
		t.Error(err)
	}
	proof, err := ledger.ParseProof([]byte(answer.body))
	if err != nil {
		t.Fatal(err)
	}
	if checkpoint, err := proof.Verify(keys); err != nil || checkpoint.Size != 3 || proof.Index != 1 {
		t.Errorf("%+v, %v", checkpoint, err)
	}
	unknown := s.must(t, http.StatusNotFound, "GET", "/api/ledger/proof/aud_0000000000000004", "")
	if plain(unknown.body) != `{"statusCode":404,"message":"Audit entry not found: aud_0000000000000004"}` {
		t.Errorf("%s", unknown.body)
	}
	// A request for an entry that was just committed waits until it is sealed.
	if err := s.store.Update(t.Context(), func(tx shop.Tx) error {
		return tx.AppendAudit(trail.Entry{Action: "x", UserID: "ann"})
	}); err != nil {
		t.Fatal(err)
	}
	for try := 1; ; try++ { // a slow disk seals later than a request waits
		began := time.Now()
		got, err := s.send(t.Context(), "GET", "/api/ledger/proof/aud_0000000000000004", "")
		if err != nil {
			t.Fatal(err)
		}
		if got.status == http.StatusOK {
			break
		}
		if got.status != http.StatusServiceUnavailable || time.Since(began) < sealPatience || try == 20 {
			t.Fatalf("after %s: %d %s", time.Since(began), got.status, got.body)
		}
	}
	none := s.must(t, http.StatusNotFound, "GET", "/ledger/cosigned", "")
	if plain(none.body) != `{"statusCode":404,"message":"No witnesses are configured"}` {
		t.Errorf("%s", none.body)
	}
}

func TestBackups(t *testing.T) {
	t.Parallel()
	off := openShop(t, nil)
	if got := off.must(t, http.StatusNotFound, "GET", "/api/backups", ""); plain(got.body) != `{"statusCode":404,"message":"Backups are not enabled"}` {
		t.Errorf("%s", got.body)
	}
	keeper := backup.NewKeeper(backup.Options{Database: filepath.Join(t.TempDir(), "none.db"), Folder: t.TempDir()}, time.Hour, time.Now,
		slog.New(slog.DiscardHandler))
	s := openShop(t, func(c *Config) { c.Backups = keeper })
	document := loadDocument(t)
	started := s.must(t, http.StatusAccepted, "POST", "/api/backups", "")
	if err := document.check(t.Context(), &exchange{method: "POST", target: "/api/backups", answer: started, valid: true}); err != nil {
		t.Error(err)
	}
	key := [2]string{"Idempotency-Key", "nightly"}
	s.must(t, http.StatusAccepted, "POST", "/api/backups", "", key)
	if again := s.must(t, http.StatusAccepted, "POST", "/api/backups", "", key); again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("a repeat is answered %+v", again)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { keeper.Run(ctx); close(done) }()
	defer func() { stop(); <-done }()
	for until := time.Now().Add(time.Minute); ; <-time.After(5 * time.Millisecond) {
		listed := s.must(t, http.StatusOK, "GET", "/api/backups", "")
		if err := document.check(t.Context(), &exchange{method: "GET", target: "/api/backups", answer: listed, valid: true}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(listed.body, `"problem":"`) { // there is no database
			break
		}
		if time.Now().After(until) {
			t.Fatalf("%s", listed.body)
		}
	}
}
