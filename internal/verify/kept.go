package verify

import (
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// Most kinds of records need no code in this package: their rows in package shop have functions that read the hash of a record from an
// entry (Record.Told) and from the database (Record.Kept). Every such record has entries, all with hashes.

// hashed returns the kinds of records whose hash is in the entries of an action.
func (c *RecordCheck) hashed(action trail.Action) []shop.Record {
	kinds, known := c.kinds[action]
	if !known {
		for _, record := range shop.Records() {
			if record.Told != nil && shop.TellsOf(action, record.Kind) {
				kinds = append(kinds, record)
			}
		}
		c.kinds[trail.Action(strings.Clone(string(action)))] = kinds
	}
	return kinds
}

// takeHash reads an entry with the hashes of records.
func (c *RecordCheck) takeHash(entry *trail.Entry) error {
	for _, record := range c.hashed(entry.Action) {
		id, contents, err := record.Told(entry)
		if err != nil {
			return err
		}
		if id == "" {
			continue // the entry is of a component that left its lot unchanged
		}
		c.hashes.take(entry, record.Kind, id, contents)
	}
	return nil
}

// compareKept compares the records of the kinds that have Record.Kept.
func (h *toldHashes) compareKept(tx shop.Reader, found func(RecordDifference)) error {
	for _, record := range shop.Records() {
		if record.Kept == nil {
			continue
		}
		seen, ended := map[string]bool{}, false
		for kept, err := range record.Kept(tx) {
			if err != nil && !cannotBeRead(err, record.Kind, kept.ID, found) {
				return err
			}
			ended = ended || kept.ID == ""
			if seen[kept.ID] = true; err != nil {
				continue
			}
			told, known := h.records[record.Kind][kept.ID]
			switch {
			case !known:
				found(RecordDifference{Kind: record.Kind, ID: kept.ID, Why: errRecordUntold})
			case told.contents != kept.Contents:
				reportFields(found, record.Kind, kept.ID, []string{"contents"})
			}
		}
		if !ended {
			h.missing(record.Kind, seen, found)
		}
	}
	return nil
}
