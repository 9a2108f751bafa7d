package views

import (
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// auditAtOnce is the number of entries that are read at once when looking for changes since a time, changeEffort the number of entries per
// page.
const (
	auditAtOnce  = 1000
	changeEffort = 10_000
)

// changes finds the records that changed since a time according to the trail. A page has each record once, in the order of their first
// change.
type changes[K comparable] struct {
	tx    Reader
	since ident.Timestamp
	limit int // maximum number of records per page
	// This function returns the records that an entry changed and whose places are above the given place, at most limit, by place.
	told func(entry *trail.Entry, behind int64, limit int) ([]telling[K], error)
}

// telling is a record that an entry changed. Its place is above 0 and unique within the entry.
type telling[K comparable] struct {
	what  K
	place int64
	// before is the entry before the first entry that changed the record; at is the time of the last such entry that was read.
	before int64
	at     ident.Timestamp
}

// position returns the beginning of the page that follows the record: an entry, and a place in the entry after that entry.
func (t *telling[K]) position() ListPosition { return ListPosition{By: t.before, Place: t.place} }

// beginning stands for the entry after which changes begin at the time of the query.
const beginning = -1

// The method returns the records that changed after an entry; for beginning, since the time of the query. Of the next entry it leaves out
// the records up to a place. more reports whether more records may follow at position at. The method reads a bounded part of the trail, so
// it may find no records although more records follow.
func (c changes[K]) behind(entry, place int64) (found []telling[K], at ListPosition, more bool, err error) {
	if entry == beginning {
		if entry, err = shop.EntryBefore(c.tx, max(1, c.since-Lookback)); err != nil {
			return nil, at, false, err
		}
	}
	known := map[K]int{} // index in found
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
			if len(told) > c.limit { // the entry may have changed more records
				return found, ListPosition{By: entry, Place: place}, true, nil
			}
			entry, _ = ident.AuditSequence(entries[i].ID)
			place = 0
		}
		looked += len(entries)
	}
	return found, ListPosition{By: entry, Place: int64(0)}, true, nil
}
