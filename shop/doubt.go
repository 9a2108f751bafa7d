package shop

import (
	"context"
	"slices"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// InstrumentReadingsQuery selects readings of an instrument.
type InstrumentReadingsQuery struct {
	Since  ident.Timestamp `query:"since"`  // at or after this time; 0 for all
	Before string          `query:"before"` // the id of the last reading on the previous page; "" for the first page
	Limit  int             `query:"limit"`  // 1 to SearchLimit; 0 for SearchDefault
}

// ReadingsWith returns one page of the readings that were taken with an instrument, newest first.
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

// Doubtful has the units that were measured with an instrument after its last good calibration and before the calibration that
// failed. An operation on many serials, such as Batch Hold, accepts Ranges and ExpectedCount as its selection.
type Doubtful struct {
	InstrumentID  string          `json:"instrumentId"`
	Since         ident.Timestamp `json:"since,omitzero"` // time of the last good calibration; 0 if there was none
	Until         ident.Timestamp `json:"until,omitzero"` // time of the failed calibration; 0 if none failed
	Ranges        []SerialSpan    `json:"ranges"`
	ExpectedCount int             `json:"expectedCount"`
	Next          string          `json:"-"` // the value of After for the next page; "" on the last page
}

// DoubtQuery selects a page of the units in doubt. The zero DoubtQuery selects all of them.
type DoubtQuery struct {
	After string `query:"after"` // the id of a unit: only units with larger numbers
	Limit int    `query:"limit"` // the maximum number of units; 0 for all
}

// cut returns a page of units, which are sorted by number, and the After of the next page.
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

// doubt returns the period in which the readings of an instrument are in doubt. Calibrations are oldest first.
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

// UnitsInDoubt returns the units that the last failed calibration of an instrument puts in doubt: none if no calibration failed.
// A client that follows Next gets every unit that remains in doubt exactly once, and can send each page to Batch Hold by itself.
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
