package verify

import (
	"maps"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// numberSet reads an entry that gives a serial its own number. The check of cards compares the current own number.
func (c *RecordCheck) numberSet(entry *trail.Entry) error {
	_, after, err := replay.NumberTold(entry)
	if err != nil {
		return err
	}
	serial, _ := c.prefix.ParseSerialID(entry.SerialID)
	c.told.ownNumbers[serial] = append(c.told.ownNumbers[serial], shop.OwnNumber{
		Number: strings.Clone(after), JobID: strings.Clone(entry.JobID), GivenAt: entry.Timestamp,
	})
	return nil
}

// compareOwnNumbers compares the own numbers by which serials are found, including earlier ones, and the rows that keep a number unique
// within a part.
func (c *toldContents) compareOwnNumbers(tx shop.Reader, found func(RecordDifference)) error {
	seen, scopes := map[int64]int{}, map[string]string{}
	wrong := map[int64]bool{}
	for kept, err := range tx.OwnNumbers() {
		if err != nil {
			return err
		}
		if _, known := scopes[kept.JobID]; !known {
			job, err := tx.Job(kept.JobID)
			if err != nil && !cannotBeRead(err, shop.RecordJob, kept.JobID, found) {
				return err
			}
			scopes[kept.JobID] = job.NumberScope()
		}
		serial, _ := tx.SerialPrefix().ParseSerialID(kept.SerialID)
		told, at := c.ownNumbers[serial], seen[serial]
		seen[serial]++
		if at >= len(told) {
			wrong[serial] = true
			continue
		}
		want := told[at]
		want.SerialID, want.Scope, want.Earlier = kept.SerialID, scopes[kept.JobID], at < len(told)-1
		wrong[serial] = wrong[serial] || want != kept
	}
	for serial, told := range c.ownNumbers {
		wrong[serial] = wrong[serial] || seen[serial] != len(told)
	}
	maps.DeleteFunc(wrong, func(_ int64, is bool) bool { return !is })
	for _, serial := range slices.Sorted(maps.Keys(wrong)) {
		reportFields(found, shop.RecordSerial, tx.SerialPrefix().SerialID(serial), []string{"serialNumber"})
	}
	return nil
}
