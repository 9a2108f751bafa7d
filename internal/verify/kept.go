package verify

import "github.com/routecard/routecard/shop"

// Most kinds of records need no code here: their rows say how the hash of what one has is read from an entry (Record.Told) and
// from the database (Record.Kept). Every one of them has entries, all with hashes.

// hashed are the kinds of records of which an action tells the hash.
func hashed(action shop.AuditAction) (kinds []shop.Record) {
	for _, record := range shop.Records() {
		if record.Told != nil && action.TellsOf(record.Kind) {
			kinds = append(kinds, record)
		}
	}
	return kinds
}

// takeHash takes an entry that tells the hashes of records.
func (c *RecordCheck) takeHash(entry *shop.AuditEntry) error {
	for _, record := range hashed(entry.Action) {
		id, contents, err := record.Told(entry)
		if err != nil {
			return err
		}
		c.hashes.take(entry, record.Kind, id, contents)
	}
	return nil
}

// compareKept compares the records of the kinds whose rows say how.
func (h *toldHashes) compareKept(tx shop.Reader, found func(RecordDifference)) error {
	for _, record := range shop.Records() {
		if record.Kept == nil {
			continue
		}
		seen := map[string]bool{}
		for kept, err := range record.Kept(tx) {
			if err != nil {
				return err
			}
			seen[kept.ID] = true
			told, known := h.records[record.Kind][kept.ID]
			switch {
			case !known:
				found(RecordDifference{Kind: record.Kind, ID: kept.ID, Why: errRecordUntold})
			case told.contents != kept.Contents:
				tell(found, record.Kind, kept.ID, []string{"contents"})
			}
		}
		h.missing(record.Kind, seen, found)
	}
	return nil
}
