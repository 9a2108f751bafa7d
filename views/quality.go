package views

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// ReportHead is a report without its units, and the number of its units.
type ReportHead struct {
	shop.Nonconformance
	shop.UnitFigures
}

// ReportHeads returns reports newest first, without their units, a page at a time; next is the value of Before for the next page, "" for
// the last page.
func (v *Views) ReportHeads(ctx context.Context, query shop.NonconformanceQuery) (heads []ReportHead, next string, err error) {
	err = v.store.Look(ctx, func(tx Reader) (err error) {
		heads, next, err = reportHeads(tx, query)
		return err
	})
	return heads, next, err
}

// ReportsFound returns reports newest first, without their units, at most limit, which may exceed a page. more reports whether more reports
// follow.
func (v *Views) ReportsFound(ctx context.Context, query shop.NonconformanceQuery, limit int) (heads []ReportHead, more bool, err error) {
	err = v.store.Look(ctx, func(tx Reader) (err error) {
		heads, more, err = reportsFound(tx, query, limit)
		return err
	})
	return heads, more, err
}

func reportsFound(tx Reader, query shop.NonconformanceQuery, limit int) (heads []ReportHead, more bool, err error) {
	for {
		query.Limit = min(limit-len(heads), input.SearchLimit)
		found, next, err := reportHeads(tx, query)
		if err != nil {
			return nil, false, err
		}
		heads = append(heads, found...)
		if next == "" || len(heads) >= limit {
			return heads, next != "", nil
		}
		query.Before = next
	}
}

func reportHeads(tx Reader, query shop.NonconformanceQuery) (heads []ReportHead, next string, err error) {
	found, figures, next, err := shop.Reports(tx, query)
	if err != nil {
		return nil, "", err
	}
	heads = make([]ReportHead, len(found))
	for i := range found {
		heads[i] = ReportHead{found[i], figures[found[i].ID]}
	}
	return heads, next, nil
}

// UnitReport is a report on a serial, with its statement about that serial.
type UnitReport struct {
	ReportHead
	Unit    shop.NonconformingUnit
	Decided bool // whether it has a disposition that counts
	// Released are the holds of the report that were released without a decision about the serial, oldest first.
	Released []card.Hold
}

// unitReports finds the reports on a serial, newest first.
func unitReports(tx Reader, routeCard card.Card) ([]UnitReport, error) {
	heads, _, err := reportHeads(tx, shop.NonconformanceQuery{SerialID: routeCard.Serial.ID})
	if err != nil || len(heads) == 0 {
		return nil, err
	}
	units, err := tx.UnitOnReports(routeCard.Serial.ID)
	if err != nil {
		return nil, err
	}
	reports := make([]UnitReport, len(heads))
	for i, head := range heads {
		unit := units[head.ID]
		if err := unit.TellTakenBack(tx, routeCard.Serial.Status); err != nil {
			return nil, err
		}
		released, err := releasedUndecided(tx, head.ID, []shop.NonconformingUnit{unit}, map[string]card.Card{unit.SerialID: routeCard})
		if err != nil {
			return nil, err
		}
		reports[i] = UnitReport{head, unit, unit.Decided(routeCard.Serial.Status), released[unit.SerialID]}
	}
	return reports, nil
}

// releasedUndecided finds the holds of a report that were released without a decision about their units, by serial, oldest first.
func releasedUndecided(
	tx QualityReader, report string, units []shop.NonconformingUnit, cards map[string]card.Card,
) (map[string][]card.Hold, error) {
	released, err := tx.ReleasedHolds(report, shop.SerialsOf(units))
	if err != nil || len(released) == 0 {
		return nil, err
	}
	undecided := map[string][]card.Hold{}
	on := (&shop.Nonconformance{Units: units}).UnitsByID()
	for _, hold := range released {
		if on[hold.SerialID].ReleasedUndecided(hold, cards[hold.SerialID].Serial.Status) {
			undecided[hold.SerialID] = append(undecided[hold.SerialID], hold)
		}
	}
	return undecided, nil
}

// QualityReader is the database access of the sheets of reports.
type QualityReader interface {
	// ReleasedHolds returns the released holds that a report placed on the given serials, oldest first.
	ReleasedHolds(reportID string, serialIDs []string) ([]card.Hold, error)
}

// ReportSheet holds all data about one report that a person needs to decide on it.
type ReportSheet struct {
	Report  shop.Nonconformance // the report with all its units
	Step    string              // where the defect was found; "" if not stated; the step's identifier if the step is gone
	Units   []UnitOnReport      // the units that the query selects
	Next    string              // the first unit after the selected units; "" for none
	Paths   []card.Path         // the paths of all its units, each once
	Waiting []string            // the units without a decision
	// Signatures are the signatures of the decisions about the selected units, oldest first.
	Signatures []shop.Signature
	// Open is the reason why the report cannot be closed yet; nil if it can.
	Open error
}

// SheetQuery selects the units that a report's sheet shows. The zero SheetQuery selects all.
type SheetQuery struct {
	Waiting bool   // only units without a decision
	From    string // the page begins at this unit, or at the next unit on the report; "" for the first unit
	Limit   int    // the maximum number of units; 0 for all
}

// UnitOnReport is a unit on a report in its present state.
type UnitOnReport struct {
	shop.NonconformingUnit
	Status  card.SerialStatus
	Step    string // the step where it is; "" for a closed unit
	JobID   string
	JobName string
	Held    []card.Hold // the open holds
	Decided bool        // whether it has a disposition that counts
	// Released are the holds of the report that were released without a decision about the unit, oldest first.
	Released []card.Hold
	Open     error // the reason why the unit keeps the report open; nil if it does not
}

// Waits reports whether the unit needs a decision.
func (u UnitOnReport) Waits() bool { return u.NonconformingUnit.Waits(u.Status) }

// ReportSheet returns all data about one report.
func (v *Views) ReportSheet(ctx context.Context, id string, query SheetQuery) (ReportSheet, error) {
	var sheet ReportSheet
	err := v.store.Look(ctx, func(tx Reader) (err error) {
		sheet = ReportSheet{}
		if sheet.Report, err = shop.FindNonconformance(tx, id); err != nil {
			return err
		}
		if sheet.Report.StepID != "" {
			path, err := tx.PathOfStep(sheet.Report.StepID)
			switch {
			case errors.Is(err, shop.ErrNoRecord): // a path without serials can be deleted
				sheet.Step = sheet.Report.StepID
			case err != nil:
				return err
			default:
				sheet.Step = path.Steps[path.StepIndex(sheet.Report.StepID)].Name
			}
		}
		waiting, err := sheet.overlook(tx)
		if err != nil {
			return err
		}
		jobs := map[string]string{}
		for chunk := range slices.Chunk(sheet.choose(tx.SerialPrefix(), query, waiting), shop.ChunkSize) {
			if err := sheet.addUnits(tx, chunk, jobs); err != nil {
				return err
			}
		}
		sheet.Signatures, err = signaturesOnReport(tx, &sheet)
		return err
	})
	return sheet, err
}

// overlook sets the fields that concern all units together. It does not read their cards, because there may be very many. It returns the
// units without a decision.
func (sheet *ReportSheet) overlook(tx Reader) (waiting []shop.NonconformingUnit, err error) {
	standings, err := tx.UnitStandings(sheet.Report.ID)
	if err != nil {
		return nil, err
	}
	on, seen := sheet.Report.UnitsByID(), map[string]bool{}
	for i := range standings {
		standing := &standings[i]
		unit := on[standing.SerialID]
		if unit.Waits(standing.Status) {
			waiting = append(waiting, *unit)
		}
		if sheet.Open == nil {
			sheet.Open = unit.Open(standing.Status, standing.Position)
		}
		if !seen[standing.PathID] {
			seen[standing.PathID] = true
			path, err := tx.Path(standing.PathID)
			if err != nil {
				return nil, err
			}
			sheet.Paths = append(sheet.Paths, path)
		}
	}
	sheet.Waiting = shop.SerialsOf(waiting)
	return waiting, nil
}

// choose selects the units of the query, and sets Next.
func (sheet *ReportSheet) choose(prefix ident.Prefix, query SheetQuery, waiting []shop.NonconformingUnit) []shop.NonconformingUnit {
	units := sheet.Report.Units
	if query.Waiting {
		units = waiting
	}
	from, _ := prefix.ParseSerialID(query.From)
	first, _ := slices.BinarySearchFunc(units, from, func(unit shop.NonconformingUnit, from int64) int {
		number, _ := prefix.ParseSerialID(unit.SerialID)
		return cmp.Compare(number, from)
	})
	units = units[first:]
	if query.Limit > 0 && len(units) > query.Limit {
		sheet.Next = units[query.Limit].SerialID
		units = units[:query.Limit]
	}
	return units
}

// addUnits adds up to a thousand units; jobs caches the names of jobs.
func (sheet *ReportSheet) addUnits(tx Reader, units []shop.NonconformingUnit, jobs map[string]string) error {
	cards, err := tx.RouteCards(shop.SerialsOf(units))
	if err != nil {
		return err
	}
	released, err := releasedUndecided(tx, sheet.Report.ID, units, cards)
	if err != nil {
		return err
	}
	for _, unit := range units {
		card := cards[unit.SerialID]
		if err := unit.TellTakenBack(tx, card.Serial.Status); err != nil {
			return err
		}
		if _, known := jobs[card.Serial.JobID]; !known {
			job, err := tx.Job(card.Serial.JobID)
			if err != nil {
				return err
			}
			jobs[job.ID] = job.Name
		}
		on := UnitOnReport{
			NonconformingUnit: unit, Status: card.Serial.Status, JobID: card.Serial.JobID, JobName: jobs[card.Serial.JobID],
			Held: card.Holds, Decided: unit.Decided(card.Serial.Status),
			Released: released[unit.SerialID], Open: unit.Open(card.Serial.Status, card.Serial.Position),
		}
		if step := card.Current(); step != nil {
			on.Step = step.Name
		}
		sheet.Units = append(sheet.Units, on)
	}
	return nil
}

// HoldReasons returns the reasons why serials are on hold: for each, the reason of its oldest open hold.
func (v *Views) HoldReasons(ctx context.Context, serialIDs []string) (reasons map[string]string, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		reasons, err = holdReasons(tx, serialIDs)
		return err
	})
	return reasons, err
}

func holdReasons(tx interface {
	OpenHolds(serialIDs []string) ([]card.Hold, error)
}, serialIDs []string) (map[string]string, error) {
	reasons := map[string]string{}
	holds, err := tx.OpenHolds(serialIDs)
	for _, hold := range slices.Backward(holds) {
		reasons[hold.SerialID] = hold.Reason // the oldest comes last
	}
	return reasons, err
}

// HeldUnit is an open hold with its unit. A scrapped unit keeps its holds.
type HeldUnit struct {
	card.Hold
	Status card.SerialStatus
	Step   string // the step where the unit is; "" for a closed unit
	Own    string // the unit's own number, "" for none
	JobID  string
}

// HeldUnits returns open holds newest first, at most limit, starting after the hold before ("" for the newest). more reports whether more
// holds follow.
func (v *Views) HeldUnits(ctx context.Context, before string, limit int) (units []HeldUnit, more bool, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		holds, err := tx.Holds(true, before, limit+1)
		if err != nil {
			return err
		}
		if more = len(holds) > limit; more {
			holds = holds[:limit]
		}
		cards, err := cardsOfHolds(tx, holds)
		units = make([]HeldUnit, len(holds))
		for i, hold := range holds {
			units[i] = heldUnit(hold, cards[hold.SerialID])
		}
		return err
	})
	return units, more, err
}

func heldUnit(hold card.Hold, card card.Card) HeldUnit {
	unit := HeldUnit{Hold: hold, Status: card.Serial.Status, Own: card.Serial.SerialNumber, JobID: card.Serial.JobID}
	if step := card.Current(); step != nil {
		unit.Step = step.Name
	}
	return unit
}

func cardsOfHolds(tx Reader, holds []card.Hold) (map[string]card.Card, error) {
	ids := make([]string, len(holds))
	for i := range holds {
		ids[i] = holds[i].SerialID
	}
	slices.Sort(ids)
	return tx.RouteCards(slices.Compact(ids))
}
