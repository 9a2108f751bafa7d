package routecard

import "encoding/json"

// Created returns the numbers of the serials that an entry tells the creation of. It is false for every other entry,
// and for those of a trail that is older than the range in their metadata.
func (e AuditEntry) Created() (NumberRange, bool) {
	var made serialRange
	if e.Action != ActionSerialCreated || json.Unmarshal(e.Metadata, &made) != nil {
		return NumberRange{}, false
	}
	first, known := ParseSerialID(made.FirstSerialID)
	last, complete := ParseSerialID(made.LastSerialID)
	return NumberRange{first, last}, known && complete && first <= last
}

// Told is what an entry tells of: its action, but for a completion by Advance to Step, which the interface calls an
// advance.
func (e AuditEntry) Told() AuditAction {
	if e.Action == ActionSerialAdvanced && e.ToStepID == "" {
		return ActionSerialCompleted
	}
	return e.Action
}

// creationOf picks the entry that tells of a serial's creation out of those that its path has of the moment it was
// made. Entries of an older trail do not say which serials they made: one of them is taken when it is the only one.
func creationOf(serial Serial, entries []AuditEntry) (AuditEntry, bool) {
	number, ok := ParseSerialID(serial.ID)
	if !ok {
		return AuditEntry{}, false
	}
	var silent []AuditEntry
	for _, entry := range entries {
		if entry.Action != ActionSerialCreated || entry.PathID != serial.PathID || entry.Timestamp != serial.CreatedAt {
			continue
		}
		made, told := entry.Created()
		if told && made.First <= number && number <= made.Last {
			return entry, true
		}
		if !told {
			silent = append(silent, entry)
		}
	}
	if len(silent) == 1 {
		return silent[0], true
	}
	return AuditEntry{}, false
}

// creation finds the entry that tells of a serial's creation. It is false when the trail does not say.
func creation(tx Tx, serial Serial) (AuditEntry, bool, error) {
	entries, err := tx.CreationsAt(serial.PathID, serial.CreatedAt)
	entry, ok := creationOf(serial, entries)
	return entry, ok, err
}
