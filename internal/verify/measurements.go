package verify

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

// measured reads an entry about readings. It stores only the hashes, because there may be many readings.
func (c *RecordCheck) measured(entry *trail.Entry) error {
	made, err := shop.MeasurementsOf(entry)
	for i := range made {
		c.told.measured[strings.Clone(made[i].ID)] = made[i].Contents()
	}
	if err != nil {
		return err
	}
	counted, told, err := shop.ArrivalOf(entry)
	if told {
		c.told.arrived[arrival{strings.Clone(counted.StepID), strings.Clone(counted.SerialID)}] = counted.Ordinal
	}
	return err
}

// arrival is a unit at a step at which only a sample is measured.
type arrival struct{ stepID, serialID string }

// compareArrivals compares the arrival numbers of units at sampled steps if an entry has them. The arrival numbers of a step have no gaps,
// so a missing unit is also found in other ways.
func (c *toldContents) compareArrivals(tx shop.Reader, found func(RecordDifference)) error {
	seen := map[arrival]bool{}
	var last shop.CountedUnit
	for unit, err := range tx.CountedUnits() {
		if err != nil {
			return err
		}
		next := int64(1)
		if unit.StepID == last.StepID {
			next = last.Ordinal + 1
		}
		if last = unit; unit.Ordinal != next {
			found(RecordDifference{Kind: shop.RecordSerial, ID: unit.SerialID, Why: fmt.Errorf(
				"it came to %s as number %d, and the one before it is not number %d", unit.StepID, unit.Ordinal, unit.Ordinal-1)})
		}
		at := arrival{unit.StepID, unit.SerialID}
		seen[at] = true
		if told, known := c.arrived[at]; known && told != unit.Ordinal {
			found(RecordDifference{Kind: shop.RecordSerial, ID: unit.SerialID, Why: fmt.Errorf(
				"it came to %s as number %d, and its entry tells %d", unit.StepID, unit.Ordinal, told)})
		}
	}
	for at, told := range c.arrived {
		if !seen[at] {
			found(RecordDifference{Kind: shop.RecordSerial, ID: at.serialID, Why: fmt.Errorf(
				"it came to %s as number %d, and is not counted there", at.stepID, told)})
		}
	}
	return nil
}

// compareCharacteristics compares the last set of each characteristic. The chart computes the capability of the process with the drawing
// limits of that set.
func compareCharacteristics(tx shop.Reader, found func(RecordDifference)) error {
	last := map[string]card.CharacteristicSet{}
	for set, err := range tx.AllCharacteristics() {
		if unreadable(err) {
			continue // compareKept reports it
		}
		if err != nil {
			return err
		}
		for i := range set.Characteristics {
			if id := set.Characteristics[i].ID; set.Revision > last[id].Revision {
				last[id] = card.CharacteristicSet{ID: set.ID, Revision: set.Revision}
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(last)) {
		set, err := tx.SetWith(id)
		if unreadable(err) {
			continue
		}
		if err != nil && !errors.Is(err, shop.ErrNoRecord) {
			return err
		}
		if set.ID != last[id].ID {
			reportFields(found, shop.RecordCharacteristic, id, []string{"set"})
		}
	}
	return nil
}

// compareMeasurements compares readings. Voiding is compared for all records that can be voided.
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
			reportFields(found, shop.RecordMeasurement, reading.ID, []string{"contents"})
		}
	}
	missing(found, shop.RecordMeasurement, seen, maps.Keys(c.measured))
	return nil
}
