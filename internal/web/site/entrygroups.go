package site

import (
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// Act is one action of a person. It can have many entries in the trail: one for each unit of a batch, or one for each step that a unit
// passed. Pages show an act as one line that unfolds to its entries.
type Act struct {
	Entry trail.Entry   // the first entry that the page lists
	Rest  []trail.Entry // the other entries, in the same order
	Units []string      // the units of a batch, each once, in that order; nil for an act on one unit
}

// ActsOf groups consecutive entries of one act: same person, same time, and alike returns true. Pass many if each entry concerns a unit;
// it fills Act.Units.
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

// sameAct reports whether two entries can belong to one act. An undo is always an act of its own.
func sameAct(a, b trail.Entry) bool {
	return a.Timestamp == b.Timestamp && a.UserID == b.UserID && a.Actor == b.Actor &&
		replay.EntryUndoneBy(a) == "" && replay.EntryUndoneBy(b) == ""
}
