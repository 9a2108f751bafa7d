package views

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// auditAtOnce is how many entries are read at once for what was changed since a time, and changeEffort how many for one page.
const (
	auditAtOnce  = 1000
	changeEffort = 10_000
)

// changes finds what was changed since a time where the trail tells of each change: each thing once for a page, in the order in which
// the trail tells of them first.
type changes[K comparable] struct {
	tx    Reader
	since ident.Timestamp
	limit int // the most things for a page
	// told are the things that an entry tells of behind a place of it, at most limit, in the order of their places.
	told func(entry *trail.Entry, behind int64, limit int) ([]telling[K], error)
}

// telling is a thing that an entry tells of. Its place is above 0, and tells the things of one entry apart.
type telling[K comparable] struct {
	what  K
	place int64
	// The entry in front of that which tells of it first, and when the last one that was read was written.
	before int64
	at     ident.Timestamp
}

// position is where a page begins that begins behind the thing: behind an entry, and of the next one behind a place.
func (t *telling[K]) position() ListPosition { return ListPosition{By: t.before, Place: t.place} }

// beginning is the entry behind which changes begin at the time of the query.
const beginning = -1

// behind reads the things behind an entry, or from the beginning on, and of the next entry those behind a place. more says whether there
// may be others behind the position at. It looks through a bounded part of the trail, and may find none although there are others.
func (c changes[K]) behind(entry, place int64) (found []telling[K], at ListPosition, more bool, err error) {
	if entry == beginning {
		if entry, err = entryBefore(c.tx, max(1, c.since-Lookback)); err != nil {
			return nil, at, false, err
		}
	}
	known := map[K]int{} // where in found
	for looked := 0; looked < changeEffort; {
		entries, err := c.tx.AuditAfter(entry, auditAtOnce)
		if err != nil {
			return nil, at, false, err
		}
		if len(entries) == 0 {
			return found, at, false, nil
		}
		for i := range entries {
			told, err := c.told(&entries[i], place, c.limit+1)
			if err != nil {
				return nil, at, false, err
			}
			for _, one := range told {
				if was, again := known[one.what]; again {
					found[was].at = max(found[was].at, entries[i].Timestamp)
					continue
				}
				if len(found) == c.limit {
					return found, ListPosition{By: entry, Place: place}, true, nil
				}
				known[one.what] = len(found)
				one.before, one.at, place = entry, entries[i].Timestamp, one.place
				found = append(found, one)
			}
			if len(told) > c.limit { // there may be more of this entry
				return found, ListPosition{By: entry, Place: place}, true, nil
			}
			entry, _ = ident.AuditSequence(entries[i].ID)
			place = 0
		}
		looked += len(entries)
	}
	return found, ListPosition{By: entry, Place: int64(0)}, true, nil
}

// entryBefore is the number of the entry behind which the trail has come to a time; 0 for its beginning. Times in the trail grow as
// its numbers do, but for the skew of clocks, so that the place is found by halving.
func entryBefore(tx Reader, at ident.Timestamp) (int64, error) {
	newest, err := tx.LastAuditSequence()
	if err != nil {
		return 0, err
	}
	after, high := int64(0), newest
	for after < high {
		middle := after + (high-after)/2
		next, err := tx.AuditAfter(middle, 1)
		if err != nil {
			return 0, err
		}
		if len(next) == 0 || next[0].Timestamp >= at {
			high = middle
		} else {
			after = middle + 1
		}
	}
	return after, nil
}
