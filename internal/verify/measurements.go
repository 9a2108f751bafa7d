package verify

import (
	"maps"
	"strings"

	"github.com/routecard/routecard/shop"
)

// measured takes an entry that tells of readings. Of each only the hash is kept: there may be many.
func (c *RecordCheck) measured(entry *shop.AuditEntry) error {
	made, err := shop.MeasurementsOf(entry)
	for i := range made {
		c.told.measured[strings.Clone(made[i].ID)] = made[i].Contents()
	}
	return err
}

// compareMeasurements compares readings. That one was voided is compared for all records that can be.
func (c *toldContents) compareMeasurements(tx shop.Reader, found func(RecordDifference)) error {
	seen := map[string]bool{}
	for reading, err := range tx.AllMeasurements() {
		if err != nil {
			return err
		}
		seen[reading.ID] = true
		told, known := c.measured[reading.ID]
		switch {
		case !known:
			found(RecordDifference{Kind: shop.RecordMeasurement, ID: reading.ID, Why: errRecordUntold})
		case told != reading.Contents():
			tell(found, shop.RecordMeasurement, reading.ID, []string{"contents"})
		}
	}
	missing(found, shop.RecordMeasurement, seen, maps.Keys(c.measured))
	return nil
}
