//go:build linux && amd64

package faulttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/process"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// image is the state of a disk: the contents that are certainly on it, and the later changes that may be on it.
type image struct {
	synced  map[*file][]byte
	pending map[*file][]event
	names   map[string]*file
	entries []event // files that were made, moved and removed since the folder was synced
}

// imageAfter returns the state of the disk after these calls.
func imageAfter(events []event) *image {
	m := &image{synced: map[*file][]byte{}, pending: map[*file][]event{}, names: map[string]*file{}}
	for _, e := range events {
		switch e.doing {
		case writing, truncating:
			m.pending[e.file] = append(m.pending[e.file], e)
		case syncing:
			for _, change := range m.pending[e.file] {
				m.synced[e.file] = change.on(m.synced[e.file])
			}
			delete(m.pending, e.file)
		case creating, renaming, removing:
			m.entries = append(m.entries, e)
		case syncingFolder:
			for _, entry := range m.entries {
				m.enter(entry)
			}
			m.entries = nil
		}
	}
	return m
}

// enter applies a change to the folder.
func (m *image) enter(e event) {
	switch e.doing {
	case creating:
		m.names[e.name] = e.file
	case renaming:
		if m.names[e.name] == e.file {
			delete(m.names, e.name)
			m.names[e.to] = e.file
		}
	case removing:
		if m.names[e.name] == e.file {
			delete(m.names, e.name)
		}
	case writing, truncating, syncing, syncingFolder:
	}
}

const sector = 512

// leave writes into a folder a state that the disk may have if the power fails now: with none, all, or any part of the unsynced changes,
// and with any sectors of a write.
func (m *image) leave(random *rand.Rand, folder string) error {
	kept := one(&drawer{Rand: random}, 0, 100, 50, 50, 90, 10) // of a hundred
	torn := random.IntN(2) == 0
	chance := func() bool { return random.IntN(100) < kept }
	for _, entry := range m.entries {
		if chance() {
			m.enter(entry)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.names)) {
		f := m.names[name]
		content := slices.Clone(m.synced[f])
		for _, change := range m.pending[f] {
			switch {
			case change.doing == writing && torn:
				for at := 0; at < len(change.data); {
					next := min(at+sector-int(change.offset+int64(at))%sector, len(change.data))
					if chance() {
						part := event{doing: writing, offset: change.offset + int64(at), data: change.data[at:next]}
						content = part.on(content)
					}
					at = next
				}
			case chance():
				content = change.on(content)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			return err
		}
		if strings.HasSuffix(name, "-wal") && torn { // with arbitrary bytes next to the written ones
			garbage := make([]byte, 32<<10)
			for i := range garbage {
				garbage[i] = byte(random.Uint32())
			}
			if err := os.WriteFile(filepath.Join(folder, strings.TrimSuffix(name, "wal")+"shm"), garbage, 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}

// promise is a fact that was acknowledged after a number of calls: the step of a serial, or the length of the trail.
type promise struct {
	calls    int
	serial   string
	position int
	entries  int
}

// recorded is the work of a service on a watched disk after two starts: on an empty disk, and after a stop.
type recorded struct {
	events   []event
	promises []promise
	keys     []string      // the verifier keys of the ledger
	trail    []trail.Entry // at the end
}

func (d *disk) calls() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.events)
}

// ledgerState is the service's response about its ledger.
type ledgerState struct {
	VerifierKeys []string
	Behind       int
}

func (s *diskShop) ledger() (state ledgerState) {
	s.Helper()
	if status, text := s.get("/api/ledger", &state); status != http.StatusOK {
		s.Error(text)
	}
	return state
}

func record(t *testing.T) *recorded {
	t.Helper()
	s := &diskShop{T: t, disk: newDisk(t), client: &http.Client{Timeout: time.Minute}}
	s.disk.passes = true
	s.start()
	s.stock()
	r := &recorded{keys: s.ledger().VerifierKeys}
	r.promises = append(r.promises, promise{calls: s.disk.calls(), entries: 3})
	for round := range 2 {
		if round == 1 {
			if err := s.server.Stop(); err != nil {
				t.Fatal(err)
			}
			s.start()
		}
		for range 3 {
			folds := s.disk.folds()
			r.promises = append(r.promises, s.advanceAll(8)...)
			s.await("the log is folded back", func() bool { return s.disk.folds() > folds })
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	s.server.Kill()
	s.disk.mu.Lock() // the last calls may not have been recorded yet
	r.events = slices.Clone(s.disk.events)
	files := slices.Collect(maps.Values(s.disk.files))
	s.disk.mu.Unlock()
	happened := len(r.events)
	folder := t.TempDir()
	for _, f := range files {
		r.events = append(r.events, event{doing: syncing, file: f})
	}
	r.events = append(r.events, event{doing: syncingFolder})
	if err := imageAfter(r.events).leave(rand.New(rand.NewPCG(0, 0)), folder); err != nil {
		t.Fatal(err)
	}
	r.events = r.events[:happened]
	var err error
	if r.trail, _, err = read(t, folder); err != nil {
		t.Fatal(err)
	}
	return r
}

// advanceAll advances every serial, each by a client of its own.
func (s *diskShop) advanceAll(times int) []promise {
	made := make([][]promise, len(s.serials))
	var clients sync.WaitGroup
	for i, serial := range s.serials {
		clients.Go(func() {
			for range times {
				if status, text := s.post("/api/serials/"+serial.id+"/advance", `{}`, nil); status != http.StatusOK {
					s.Error(text)
					return
				}
				serial.answered++
				made[i] = append(made[i], promise{calls: s.disk.calls(), serial: serial.id, position: serial.answered})
			}
		})
	}
	clients.Wait()
	return slices.Concat(made...)
}

// folds returns the number of checkpoints, which copy the log into the database file.
func (d *disk) folds() (count int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range d.events {
		if e.doing == syncing && strings.HasSuffix(e.name, ".db") {
			count++
		}
	}
	return count
}

// read opens a database as the service does, and reads its trail and the positions of its serials.
func read(t *testing.T, folder string) (trail []trail.Entry, standing map[string]int, err error) {
	t.Helper()
	store, err := sqlstore.OpenSQLite(t.Context(), filepath.Join(folder, "shop.db"), sqlstore.Options{})
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if closing := store.Close(); err == nil {
			err = closing
		}
	}()
	service := shop.New(store, time.Now, ident.NewIdentifiers(time.Now))
	for entry, err := range service.AuditEntries(t.Context(), shop.NoLimit, 0) {
		if err != nil {
			return nil, nil, err
		}
		trail = append(trail, entry)
	}
	slices.Reverse(trail)
	standing = map[string]int{}
	for item, err := range service.Serials(t.Context()) {
		if err != nil {
			return nil, nil, err
		}
		standing[item.ID] = item.CurrentStepIndex
	}
	return trail, standing, store.Ready(t.Context())
}

// TestPowerFailure records in which order the program changes and syncs its files, and builds states that a disk may have after a power
// failure: everything that was synced, and any part of the later changes, down to single sectors. A file whose folder was not synced may
// have its new name or not. The database must open in each of these states with every acknowledged change. On some of the states the test
// starts the real program, which must become ready and verify its trail: the ledger's key and its last signatures are next to the database.
//
// ROUTECARD_TORTURE makes a thousand states, from a seed of the day.
func TestPowerFailure(t *testing.T) {
	t.Parallel()
	states, programs, seed := 50, 10, uint64(1)
	if os.Getenv("ROUTECARD_TORTURE") != "" {
		states, programs, seed = 1000, 200, uint64(time.Now().UnixNano())
	}
	if text := os.Getenv("ROUTECARD_TORTURE_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	r := record(t)
	t.Logf("%d calls, %d answers, seed %d", len(r.events), len(r.promises), seed)
	root := t.TempDir()
	for i := range states {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		calls := random.IntN(len(r.events) + 1)
		switch i % 4 {
		case 0, 1: // at the end, with the most acknowledged changes
			calls = r.promises[random.IntN(len(r.promises))].calls
		case 2: // at the beginning
			calls = random.IntN(r.promises[0].calls)
		}
		folder := filepath.Join(root, strconv.Itoa(i))
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		m := imageAfter(r.events[:calls])
		if err := m.leave(random, folder); err != nil {
			t.Fatal(err)
		}
		what := fmt.Sprintf("state %d, after %d calls", i, calls)
		if i%(states/programs) == 0 {
			r.startOn(t, what, folder, calls)
		}
		r.check(t, what, folder, calls)
		if t.Failed() {
			return
		}
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
}

// check compares a state with the changes acknowledged by then.
func (r *recorded) check(t *testing.T, what, folder string, calls int) {
	t.Helper()
	trail, standing, err := read(t, folder)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if len(trail) > len(r.trail) || len(trail) > 0 && !reflect.DeepEqual(trail, r.trail[:len(trail)]) {
		t.Errorf("%s: the trail is not the beginning of what it became", what)
	}
	told := map[string]int{}
	for _, entry := range trail {
		if entry.Action == card.ActionSerialAdvanced {
			told[entry.SerialID]++
		}
	}
	for serial, position := range standing {
		if told[serial] != position {
			t.Errorf("%s: %s stands at %d, and its trail tells of %d", what, serial, position, told[serial])
		}
	}
	for _, p := range r.promises {
		if p.calls <= calls && (standing[p.serial] < p.position || len(trail) < p.entries) {
			t.Errorf("%s: %+v was answered, and is gone: %d, %d entries", what, p, standing[p.serial], len(trail))
			return
		}
	}
}

// startOn starts the program on a state, makes a few writes, and verifies the trail with the earlier key.
func (r *recorded) startOn(t *testing.T, what, folder string, calls int) {
	t.Helper()
	database := filepath.Join(folder, "shop.db")
	copied := filepath.Join(t.TempDir(), "state")
	if err := os.CopyFS(copied, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	database = filepath.Join(copied, filepath.Base(database))
	server, err := process.Start(process.Command(t.Context(), process.Routecard(t), "--database", database, "--ledger-interval", "20ms"))
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	defer server.Kill()
	s := &diskShop{T: t, server: server, client: http.DefaultClient}
	if status, text := s.post("/api/jobs", `{"name":"After","goalQuantity":1}`, nil); status != http.StatusCreated {
		t.Errorf("%s: a write answers %s", what, text)
	}
	s.await("the trail is sealed", func() bool { return s.ledger().Behind == 0 })
	if keys := s.ledger().VerifierKeys; calls >= r.promises[0].calls && !slices.Equal(keys, r.keys) {
		t.Errorf("%s: the ledger's key is %v, and was %v", what, keys, r.keys)
	}
	status, text := s.get("/readyz", nil)
	var health struct{ Status string }
	if err := json.Unmarshal([]byte(text), &health); err != nil || status != http.StatusOK || health.Status != "ready" {
		t.Errorf("%s: readyz answers %d %s", what, status, text)
	}
	if err := server.Stop(); err != nil {
		t.Errorf("%s: %v\n%s", what, err, server.Stderr.String())
	}
	(&instance{t: t, database: database}).verify()
}
