package views

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/routecard/routecard/shop"
)

// hall is a FloorReader over a few units that move while somebody looks.
type hall struct {
	FloorReader
	since    map[int64]shop.Timestamp // of the units in progress
	searches int
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

// Whatever moves, is closed or comes, those that stand longest are found, mostly without a search.
func TestLongestFollows(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	h := &hall{since: map[int64]shop.Timestamp{}}
	for i := range int64(500) {
		h.since[i] = shop.Timestamp(random.Int64N(100))
	}
	var kept longest
	const looks, shown = 2000, 8
	for now := shop.Timestamp(1000); now < 1000+looks; now++ {
		switch number := random.Int64N(500); random.IntN(3) {
		case 0:
			delete(h.since, number)
		default:
			h.since[number] = now // it moved, or is new, or came back
		}
		before := h.searches
		want, err := h.StandingLongest(shown)
		h.searches = before
		if err != nil {
			t.Fatal(err)
		}
		found, err := kept.at(h, shown)
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

// In a hall with fewer units than are shown there is nothing to keep, and they are all found.
func TestLongestOfFew(t *testing.T) {
	t.Parallel()
	h := &hall{since: map[int64]shop.Timestamp{3: 30, 4: 20}}
	var kept longest
	for range 3 {
		found, err := kept.at(h, 8)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]Standstill{{4, 20}, {3, 30}}, standstills(found)); diff != "" {
			t.Fatal(diff)
		}
	}
}
