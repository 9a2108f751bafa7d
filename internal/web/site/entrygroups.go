package site

import (
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// Act is one action of a person. It can have many entries in the trail: one for each unit of a batch, or one for each step that a unit
// passed. Pages show an act as one line, which users can unfold to see its entries.
type Act struct {
	Entry trail.Entry   // the first entry that the page lists
	Rest  []trail.Entry // the other entries, in the same order
	Units []string      // the units of a batch in the order of the entries, without duplicates; nil for an act on one unit
}

// ActsOf groups consecutive entries that belong to one act: they have the same person and time, and alike returns true for them. If many is
// true, each entry concerns a unit and ActsOf fills in Act.Units.
func ActsOf(entries []trail.Entry, many bool, alike func(a, b trail.Entry) bool) []Act {
	var acts []Act
	for _, entry := range entries {
		if n := len(acts); n > 0 && sameAct(acts[n-1].Entry, entry) && alike(acts[n-1].Entry, entry) {
			acts[n-1].Rest = append(acts[n-1].Rest, entry)
			if many {
				acts[n-1].Units = append(acts[n-1].Units, entry.SerialID)
			}
			continue
		}
		one := Act{Entry: entry}
		if many && entry.SerialID != "" {
			one.Units = []string{entry.SerialID}
		}
		acts = append(acts, one)
	}
	return acts
}

// sameAct reports whether two entries can belong to one act. An undo is always a separate act.
func sameAct(a, b trail.Entry) bool {
	return a.Timestamp == b.Timestamp && a.UserID == b.UserID && a.Actor == b.Actor &&
		replay.EntryUndoneBy(a) == "" && replay.EntryUndoneBy(b) == ""
}
