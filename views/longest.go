package views

import (
	"cmp"
	"slices"
	"sync"

	"github.com/routecard/routecard/shop"
)

// Standstill is a serial in progress and when it was changed last.
type Standstill struct {
	Number int64
	Since  shop.Timestamp
}

// longest keeps the serials that stand still longest, so that looking for them costs what moved since the last look:
// among ten million serials in progress the search takes seconds. A serial that has not changed since the search is still
// among the longest, because every other one that was not found stands still for less. It is safe for concurrent use.
type longest struct {
	mu   sync.Mutex
	kept []Standstill // the longest first; those that were changed since are dropped as they are met
}

const (
	// searchStandstill is how many serials one search keeps.
	searchStandstill = 10_000
	// lookStandstill is how many of them are looked at together.
	lookStandstill = 100
)

// at returns up to limit serials that are in progress and were changed longest ago, the longest first.
func (l *longest) at(tx FloorReader, limit int) ([]StandingSerial, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found, err := l.still(tx, limit)
	if err != nil || len(found) == limit {
		return found, err
	}
	kept, err := tx.StandingLongest(searchStandstill)
	if err != nil {
		return nil, err
	}
	l.kept = kept
	return l.still(tx, limit)
}

// still returns the first of those kept that have not changed since they were found, and forgets those that have.
func (l *longest) still(tx FloorReader, limit int) ([]StandingSerial, error) {
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
		found = append(found, still...)
		if len(still) < len(look) {
			l.kept = slices.Concat(l.kept[:from], standstills(still), l.kept[from+len(look):])
		}
		from += len(still)
	}
	return found[:min(len(found), limit)], nil
}

// keepStill returns the rows of those serials that were not changed, in their order.
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

func standstills(rows []StandingSerial) []Standstill {
	kept := make([]Standstill, len(rows))
	for i, row := range rows {
		kept[i] = Standstill{row.Number, row.Since}
	}
	return kept
}
