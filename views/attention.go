package views

import (
	"context"
	"math"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// attentionRows is how many lines each part of Attention lists.
const attentionRows = 6

// Attention is a snapshot of the problems that need a decision or an action now.
type Attention struct {
	Held     []HeldBatch // longest on hold first
	AllHeld  int64       // number of units that are on hold and not scrapped
	Reports  []ReportHead
	Open     int64 // number of open reports
	Waiting  int64 // approximate number of their units without a decision
	MoreOpen bool  // whether there are more open reports than were counted
	Longest  []StandingUnit
	// Searching reports that the first search for the units without progress is still running; Longest is then empty.
	Searching bool
	Arrived   []Arrival
}

// HeldBatch is a group of units, none of them scrapped, that are on hold for the same reason.
type HeldBatch struct {
	Reason           string
	NonconformanceID string // the report that put them on hold; "" for none
	Units            int64
	Since            ident.Timestamp // when the first of these units was put on hold
	First            string          // the unit with the lowest number
}

// Arrival is a batch of units that were created together.
type Arrival struct {
	First, Last string
	Units       int64
	At          ident.Timestamp
	By          string // identifier of the user who created them
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

// arrivals finds the newest batches of units, newest first, without reading other batches: the unit with the highest number belongs to the
// newest batch, and the unit below that batch's lowest number belongs to the previous batch.
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
			arrival.First, arrival.Units, arrival.By = made.Prefix.SerialID(made.First), made.Last-made.First+1, entry.UserID
			before = made.First
		}
		found = append(found, arrival)
	}
	return found, nil
}

// LongestHeld returns the groups of units on hold, longest on hold first.
func (v *Views) LongestHeld(ctx context.Context, limit int) (held []HeldBatch, err error) {
	err = v.store.Look(ctx, func(tx Reader) (err error) {
		held, err = tx.HeldBatches(limit)
		return err
	})
	return held, err
}

// AttentionReader is the database access of Attention, in addition to that of lists.
type AttentionReader interface {
	// HeldBatches returns the reasons for which units that are not scrapped are on hold, each with the report that gave it, longest on hold
	// first.
	HeldBatches(limit int) ([]HeldBatch, error)
}
