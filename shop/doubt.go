package shop

import (
	"context"
	"slices"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// InstrumentReadingsQuery says which readings of an instrument to list.
type InstrumentReadingsQuery struct {
	Since  ident.Timestamp `query:"since"`  // only those of then and later; 0 for all
	Before string          `query:"before"` // the identifier of the last reading of the page before; "" for the first page
	Limit  int             `query:"limit"`  // 1 to SearchLimit; 0 for SearchDefault
}

// ReadingsWith answers what was measured with an instrument, newest first, a page at a time.
func (s *Service) ReadingsWith(ctx context.Context, id string, query InstrumentReadingsQuery) (page MeasurementPage, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		if _, err = findInstrument(tx, id, 0); err != nil {
			return err
		}
		page, err = pageOfMeasurements(tx, MeasurementQuery{
			InstrumentID: id, From: query.Since, Before: query.Before, Limit: query.Limit,
		})
		return err
	})
	return page, err
}

// Doubtful are the units that were measured with an instrument after its last good calibration and before the one that found it
// wrong. Ranges and ExpectedCount are what an operation on many serials, such as Batch Hold, takes.
type Doubtful struct {
	InstrumentID  string          `json:"instrumentId"`
	Since         ident.Timestamp `json:"since,omitzero"` // the last good calibration; 0 when there was none
	Until         ident.Timestamp `json:"until,omitzero"` // the one that found it wrong; 0 when none did
	Ranges        []SerialSpan    `json:"ranges"`
	ExpectedCount int             `json:"expectedCount"`
	Next          string          `json:"-"` // what After has to be for the next page; "" when there is none
}

// DoubtQuery says which part of the units in doubt to answer. The zero DoubtQuery is for all of them.
type DoubtQuery struct {
	After string `query:"after"` // the identifier of a unit: only those with larger numbers
	Limit int    `query:"limit"` // the most units; 0 for all
}

// cut takes a page out of units, which are in the order of their numbers, and says where the next one begins.
func (q DoubtQuery) cut(units []string) (page []string, next string) {
	after, _ := ident.ParseSerialID(q.After)
	units = slices.DeleteFunc(units, func(id string) bool {
		number, _ := ident.ParseSerialID(id)
		return number <= after
	})
	if q.Limit == 0 || len(units) <= q.Limit {
		return units, ""
	}
	return units[:q.Limit], units[q.Limit-1]
}

// doubt is the time in which the readings of an instrument are in doubt, as its calibrations tell, oldest first.
func doubt(calibrations []Calibration) (since, until ident.Timestamp) {
	for _, c := range slices.Backward(calibrations) {
		switch {
		case until == 0 && c.AsFound == CalibrationFail:
			until = c.CalibratedAt
		case until != 0 && c.Result == CalibrationPass:
			return c.CalibratedAt, until
		}
	}
	return 0, until
}

// UnitsInDoubt answers which units the last calibration that found an instrument wrong puts in doubt: none when no calibration did.
// Whoever follows Next is told of every unit that stays in doubt once; each page can be sent to Batch Hold by itself.
func (s *Service) UnitsInDoubt(ctx context.Context, instrumentID string, query DoubtQuery) (Doubtful, error) {
	found := Doubtful{InstrumentID: instrumentID, Ranges: []SerialSpan{}}
	if _, ok := ident.ParseSerialID(query.After); !ok && query.After != "" {
		return found, refusal.RefuseField(refusal.NotSerialID, "after")
	}
	err := s.store.View(ctx, func(tx Reader) error {
		if _, err := findInstrument(tx, instrumentID, 0); err != nil {
			return err
		}
		calibrations, err := tx.CalibrationsOf(instrumentID)
		if err != nil {
			return err
		}
		found.Since, found.Until = doubt(calibrations)
		if found.Until == 0 {
			return nil
		}
		units, err := tx.SerialsMeasuredWith(instrumentID, found.Since, found.Until)
		units, found.Next = query.cut(units)
		found.Ranges, found.ExpectedCount = spansOf(units), len(units)
		return err
	})
	return found, err
}
