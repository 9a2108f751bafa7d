package views

import (
	"math"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// attentionRows is how many lines each part of Attention lists.
const attentionRows = 6

// Attention is what needs somebody now, as of one moment.
type Attention struct {
	Held     []HeldBatch // the longest held first
	AllHeld  int64       // how many units are on hold and not scrapped
	Reports  []ReportHead
	Open     int64 // how many reports are open
	Waiting  int64 // about how many of their units somebody has to decide
	MoreOpen bool  // whether there are more open reports, which are not counted
	Longest  []StandingUnit
	// Searching is whether the units that stand longest are still being looked for, so that Longest has none.
	Searching bool
	Arrived   []Arrival
}

// HeldBatch are the units, not scrapped, that are on hold for one reason.
type HeldBatch struct {
	Reason           string
	NonconformanceID string // the report that put them on hold, "" for none
	Units            int64
	Since            ident.Timestamp // when the first of them was put on hold
	First            string          // the unit with the lowest number
}

// Arrival are units that were made together.
type Arrival struct {
	First, Last string
	Units       int64
	At          ident.Timestamp
	By          string // the identifier of whoever made them
	JobID       string
	JobName     string
	PathName    string
}

func (a *Attention) add(tx Reader) (err error) {
	if a.Held, err = tx.HeldBatches(attentionRows); err != nil {
		return err
	}
	counted, err := tx.CountUnits(SerialSearch{Hold: OnHold})
	if err != nil {
		return err
	}
	for _, at := range counted {
		a.AllHeld += at.Count
	}
	open, more, err := reportsFound(tx, shop.NonconformanceQuery{Status: shop.ReportOpen}, UnitsAtMost)
	if err != nil {
		return err
	}
	a.Open, a.MoreOpen = int64(len(open)), more
	for i := range open {
		a.Waiting += int64(open[i].Waiting)
	}
	slices.Reverse(open)
	a.Reports = open[:min(len(open), attentionRows)]
	a.Arrived, err = arrivals(tx, attentionRows)
	return err
}

// arrivals finds the newest batches of units, the newest first, and looks at nothing else: the unit with the highest number is of the
// newest batch, and the one below its lowest number is of the batch before.
func arrivals(tx Reader, limit int) ([]Arrival, error) {
	found := []Arrival{}
	names := shop.RouteNames{}
	for before := int64(math.MaxInt64); len(found) < limit; {
		newest, err := tx.SearchSerials(SerialSearch{Before: before, Limit: 1})
		if err != nil || len(newest) == 0 {
			return found, err
		}
		item, err := names.Item(tx, &newest[0])
		if err != nil {
			return found, err
		}
		arrival := Arrival{First: item.ID, Last: item.ID, Units: 1, At: item.CreatedAt,
			JobID: item.JobID, JobName: item.JobName, PathName: item.PathName}
		before = newest[0].Number
		entry, known, err := shop.Creation(tx, card.Serial{ID: item.ID, PathID: item.PathID, CreatedAt: item.CreatedAt})
		if err != nil {
			return found, err
		}
		if made, told := shop.SerialsCreatedBy(entry); known && told {
			arrival.First, arrival.Units, arrival.By = ident.SerialID(made.First), made.Last-made.First+1, entry.UserID
			before = made.First
		}
		found = append(found, arrival)
	}
	return found, nil
}

// AttentionReader is what Attention needs of a database, beside what lists need.
type AttentionReader interface {
	// HeldBatches returns the reasons for which units that are not scrapped are on hold, with the report that gave each reason, the
	// longest held first.
	HeldBatches(limit int) ([]HeldBatch, error)
}
