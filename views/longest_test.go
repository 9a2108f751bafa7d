package views

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// hall is a FloorReader over a few units that move while it is read.
type hall struct {
	FloorReader
	since    map[int64]ident.Timestamp // by unit in progress: the time of its last change
	searches int
	held     map[int64]bool
}

func (*hall) SerialPrefix() ident.Prefix { return ident.DefaultPrefix }

func (h *hall) OpenHolds(serialIDs []string) (holds []card.Hold, err error) {
	for _, id := range serialIDs {
		if number, _ := ident.DefaultPrefix.ParseSerialID(id); h.held[number] {
			holds = append(holds, card.Hold{SerialID: id})
		}
	}
	return holds, nil
}

func (h *hall) StandingLongest(limit int) ([]Standstill, error) {
	h.searches++
	all := []Standstill{}
	for number, since := range h.since {
		all = append(all, Standstill{number, since})
	}
	slices.SortFunc(all, func(a, b Standstill) int { return int(a.Since-b.Since)*1000 + int(a.Number-b.Number) })
	return all[:min(len(all), limit)], nil
}

func (h *hall) StandingStill(numbers []int64) ([]StandingSerial, error) {
	rows := []StandingSerial{}
	for _, number := range numbers {
		if since, ok := h.since[number]; ok {
			rows = append(rows, StandingSerial{shop.ListedSerial{Number: number}, since})
		}
	}
	return rows, nil
}

// Units that move, are closed or arrive do not stop the longest from being found, mostly without a search.
func TestLongestFollows(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	h := &hall{since: map[int64]ident.Timestamp{}}
	for i := range int64(500) {
		h.since[i] = ident.Timestamp(random.Int64N(100))
	}
	var kept longest
	const looks, shown = 2000, 8
	for now := ident.Timestamp(1000); now < 1000+looks; now++ {
		switch number := random.Int64N(500); random.IntN(3) {
		case 0:
			delete(h.since, number)
		default:
			h.since[number] = now // it moved, is new, or was reopened
		}
		before := h.searches
		want, err := h.StandingLongest(shown)
		h.searches = before
		if err != nil {
			t.Fatal(err)
		}
		found, _, err := kept.at(h, shown)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, standstills(found)); diff != "" {
			t.Fatalf("at %d (-want +got):\n%s", now, diff)
		}
	}
	if h.searches > looks/50 {
		t.Errorf("%d searches for %d looks", h.searches, looks)
	}
}

// Units on hold are skipped, and are back among the longest when they are released. When nearly all units in the cache are on hold, not
// every call searches.
func TestLongestPassesOverHeld(t *testing.T) {
	t.Parallel()
	h := &hall{since: map[int64]ident.Timestamp{}, held: map[int64]bool{}}
	for i := range int64(2 * searchStandstill) {
		h.since[i+1] = ident.Timestamp(i)
	}
	var kept longest
	first := func() int64 {
		t.Helper()
		found, _, err := kept.at(h, 1)
		if err != nil || len(found) != 1 {
			t.Fatalf("found %v, %v", found, err)
		}
		return found[0].Number
	}
	h.held[1], h.held[2] = true, true
	if got := first(); got != 3 {
		t.Errorf("unit %d stands longest, want 3: 1 and 2 are on hold", got)
	}
	delete(h.held, 2)
	if got := first(); got != 2 {
		t.Errorf("unit %d stands longest, want 2, which was released", got)
	}
	for i := range int64(searchStandstill) {
		h.held[i+1] = true
	}
	for range 3 {
		if found, _, err := kept.at(h, 1); err != nil || len(found) != 0 {
			t.Errorf("found %v, %v", found, err)
		}
	}
	if h.searches != 1 {
		t.Errorf("%d searches, want 1", h.searches)
	}
}

// A hall with fewer units than are shown needs no cache: all are found.
func TestLongestOfFew(t *testing.T) {
	t.Parallel()
	h := &hall{since: map[int64]ident.Timestamp{3: 30, 4: 20}}
	var kept longest
	for range 3 {
		found, _, err := kept.at(h, 8)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]Standstill{{4, 20}, {3, 30}}, standstills(found)); diff != "" {
			t.Fatal(diff)
		}
	}
}

// While the first search runs, as after a start, other callers do not wait for it. They wait for a later search.
func TestNobodyWaitsForTheFirstSearch(t *testing.T) {
	t.Parallel()
	h := &slowHall{hall: hall{since: map[int64]ident.Timestamp{3: 30, 4: 20}}, begun: make(chan struct{}), end: make(chan struct{})}
	var kept longest
	first := make(chan []StandingSerial)
	go func() {
		found, _, _ := kept.at(h, 8)
		first <- found
	}()
	<-h.begun
	if found, known, err := kept.at(h, 8); len(found) > 0 || known || err != nil {
		t.Errorf("during the search: %v, known %v, %v", found, known, err)
	}
	close(h.end)
	if found := <-first; len(found) != 2 {
		t.Errorf("the search found %v", found)
	}
	if found, known, err := kept.at(h, 8); len(found) != 2 || !known || err != nil {
		t.Errorf("after the search: %v, known %v, %v", found, known, err)
	}
}

// slowHall is a hall in which the first search takes until end is closed.
type slowHall struct {
	hall
	begun, end chan struct{}
	once       sync.Once
}

func (h *slowHall) StandingLongest(limit int) ([]Standstill, error) {
	h.once.Do(func() {
		close(h.begun)
		<-h.end
	})
	return h.hall.StandingLongest(limit)
}
