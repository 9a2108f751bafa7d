package views

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// Standstill is a serial in progress with the time of its last change.
type Standstill struct {
	Number int64
	Since  ident.Timestamp
}

// longest caches the serials that have not changed for longest, so that finding them costs only what changed since the last call: among ten
// million serials in progress the search takes seconds. A serial that has not changed since the search is still among the longest, because
// every serial that was not found changed later. Serials on hold stay in the cache but are skipped, since they are among the longest again
// once they are released. It is safe for concurrent use.
type longest struct {
	searching atomic.Bool // the first search is running

	mu       sync.Mutex
	kept     []Standstill // longest first; serials that have changed are dropped when they are read
	searched bool         // whether a search has run
}

const (
	// Number of serials that one search caches.
	searchStandstill = 10_000
	// Number of cached serials that are checked together.
	lookStandstill = 100
)

// at returns up to limit serials that are in progress, have no open hold, and changed longest ago, the longest first. It finds no serials
// beyond the first ten thousand if nearly all of these are on hold. While another call runs the first search, which takes seconds among ten
// million serials, at does not wait: it returns no serials, and known is false.
func (l *longest) at(tx longestReader, limit int) (found []StandingSerial, known bool, err error) {
	if l.searching.Load() {
		return nil, false, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	found, err = l.still(tx, limit)
	if err != nil || len(found) == limit || len(l.kept) == searchStandstill { // the rest is on hold
		return found, true, err
	}
	l.searching.Store(!l.searched)
	defer l.searching.Store(false)
	kept, err := tx.StandingLongest(searchStandstill)
	if err != nil {
		return nil, true, err
	}
	l.kept, l.searched = kept, true
	found, err = l.still(tx, limit)
	return found, true, err
}

// SearchLongest runs the first search when the service starts: pages that are requested during the search come without these units, and
// later pages find the units in the cache.
func (v *Views) SearchLongest(ctx context.Context) error {
	return v.store.Look(ctx, func(tx Reader) error {
		_, _, err := v.longest.at(tx, attentionRows)
		return err
	})
}

// longestReader is the database access of the search for the longest unchanged serials.
type longestReader interface {
	shop.Prefixed
	FloorReader
	OpenHolds(serialIDs []string) ([]card.Hold, error)
}

// still returns the first cached serials that have not changed since they were found and are not on hold. It forgets the serials that have
// changed.
func (l *longest) still(tx longestReader, limit int) ([]StandingSerial, error) {
	found := []StandingSerial{}
	for from := 0; from < len(l.kept) && len(found) < limit; {
		look := l.kept[from:min(from+lookStandstill, len(l.kept))]
		numbers := make([]int64, len(look))
		for i, s := range look {
			numbers[i] = s.Number
		}
		rows, err := tx.StandingStill(numbers)
		if err != nil {
			return nil, err
		}
		still := keepStill(look, rows)
		free, err := withoutHeld(tx, still)
		if err != nil {
			return nil, err
		}
		found = append(found, free...)
		if len(still) < len(look) {
			l.kept = slices.Concat(l.kept[:from], standstills(still), l.kept[from+len(look):])
		}
		from += len(still)
	}
	return found[:min(len(found), limit)], nil
}

// keepStill returns the rows of the serials that have not changed, in their order.
func keepStill(look []Standstill, rows []StandingSerial) []StandingSerial {
	var still []StandingSerial
	for _, row := range rows {
		if slices.Contains(look, Standstill{row.Number, row.Since}) {
			still = append(still, row)
		}
	}
	slices.SortFunc(still, func(a, b StandingSerial) int {
		return cmp.Or(cmp.Compare(a.Since, b.Since), cmp.Compare(a.Number, b.Number))
	})
	return still
}

// withoutHeld returns the serials that have no open hold.
func withoutHeld(tx longestReader, rows []StandingSerial) ([]StandingSerial, error) {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = tx.SerialPrefix().SerialID(row.Number)
	}
	held, err := holdReasons(tx, ids)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(rows), func(row StandingSerial) bool {
		_, onHold := held[tx.SerialPrefix().SerialID(row.Number)]
		return onHold
	}), nil
}

func standstills(rows []StandingSerial) []Standstill {
	kept := make([]Standstill, len(rows))
	for i, row := range rows {
		kept[i] = Standstill{row.Number, row.Since}
	}
	return kept
}
