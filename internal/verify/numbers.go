package verify

import (
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Counters is used as the kind of record of a wrong counter of assigned numbers.
const Counters ident.RecordKind = "counter"

// toldNumbers are the serial numbers that were assigned according to the trail.
type toldNumbers struct {
	last   int64
	untold bool // an entry of an older trail does not have the serials that it created
}

// add takes the next entry of the trail.
func (n *toldNumbers) add(entry *trail.Entry) {
	switch entry.Action { //nolint:exhaustive // other actions assign no number to a serial
	case card.ActionSerialCreated:
		if made, told := shop.SerialsCreatedBy(*entry); told {
			n.last = max(n.last, made.Last)
		} else {
			n.untold = true
		}
	case shop.ActionDatabaseRestored:
		var restored shop.Restored
		if trail.ReadMetadata(entry, &restored) != nil {
			n.untold = true
		}
		n.last += restored.SkippedSerials
	}
}

// compareCounters compares the last assigned numbers with the serials, reports, shipments, certificates of conformance and first articles
// of the trail: a counter that was set back would assign numbers again.
func (c *RecordCheck) compareCounters(tx shop.Reader, found func(RecordDifference)) error {
	taken, err := tx.NumbersTaken()
	if err != nil {
		return err
	}
	reports := highest(c.reports, shop.ParseNonconformanceID)
	articles := highest(c.hashes.records[shop.RecordFirstArticle], shop.ParseFirstArticleID)
	shipments := highest(c.hashes.records[shop.RecordShipment], shop.ParseShipmentID)
	var d trail.Differing
	d.Unless(taken.Serials == c.numbers.last || c.numbers.untold && taken.Serials > c.numbers.last, "serial")
	d.Unless(taken.Nonconformances == reports, "nonconformance")
	d.Unless(taken.Shipments == shipments, "shipment")
	d.Unless(taken.Conformances == highest(c.hashes.records[shop.RecordConformance], shop.ParseConformanceID), "conformance")
	d.Unless(taken.FirstArticles == articles, "first_article")
	reportFields(found, Counters, "", d)
	return nil
}

// highest returns the highest number of the records with these identifiers; 0 if there are none.
func highest[T any](records map[string]T, parse func(id string) (int64, bool)) (number int64) {
	for id := range records {
		parsed, _ := parse(id)
		number = max(number, parsed)
	}
	return number
}
