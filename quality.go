package routecard

import (
	"context"
	"slices"
)

// ReportHead is a report without its units, and how many it has.
type ReportHead struct {
	Nonconformance
	UnitFigures
}

// ReportHeads answers reports newest first, without their units, a page at a time; next is what Before has to be for the next
// page, "" when there is none.
func (s *Service) ReportHeads(ctx context.Context, query NonconformanceQuery) (heads []ReportHead, next string, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		heads, next, err = reportHeads(tx, query)
		return err
	})
	return heads, next, err
}

func reportHeads(tx Reader, query NonconformanceQuery) (heads []ReportHead, next string, err error) {
	found, figures, next, err := reports(tx, query)
	if err != nil {
		return nil, "", err
	}
	heads = make([]ReportHead, len(found))
	for i := range found {
		heads[i] = ReportHead{found[i], figures[found[i].ID]}
	}
	return heads, next, nil
}

// UnitReport is a report that a serial is on, and what it says of that serial.
type UnitReport struct {
	ReportHead
	Unit    NonconformingUnit
	Decided bool // whether it has a disposition that counts
}

// unitReports finds the reports that a serial is on, newest first.
func unitReports(tx Reader, card RouteCard) ([]UnitReport, error) {
	heads, _, err := reportHeads(tx, NonconformanceQuery{SerialID: card.Serial.ID})
	if err != nil || len(heads) == 0 {
		return nil, err
	}
	units, err := tx.UnitOnReports(card.Serial.ID)
	if err != nil {
		return nil, err
	}
	reports := make([]UnitReport, len(heads))
	for i, head := range heads {
		unit := units[head.ID]
		reports[i] = UnitReport{head, unit, unit.decided(card)}
	}
	return reports, nil
}

// ReportSheet is everything about one report, for a person to read and decide on.
type ReportSheet struct {
	Report Nonconformance
	Step   string // where it was found, "" when it does not say
	Units  []UnitOnReport
	Paths  []Path // of its units, each once
	// Open is why it cannot be closed yet, nil when it can.
	Open error
}

// UnitOnReport is a unit on a report as it is now.
type UnitOnReport struct {
	NonconformingUnit
	Status  SerialStatus
	Step    string // where it stands, "" for one that is closed
	JobID   string
	JobName string
	Held    []Hold // that are open
	Decided bool   // whether it has a disposition that counts
	Open    error  // why it keeps the report open, nil when it does not
}

// Waits reports whether somebody has to decide about the unit.
func (u UnitOnReport) Waits() bool { return !u.Decided && u.Status != Scrapped }

// ReportSheet answers everything about one report.
func (s *Service) ReportSheet(ctx context.Context, id string) (ReportSheet, error) {
	var sheet ReportSheet
	err := s.store.View(ctx, func(tx Reader) (err error) {
		sheet = ReportSheet{}
		if sheet.Report, err = findNonconformance(tx, id); err != nil {
			return err
		}
		if sheet.Report.StepID != "" {
			path, err := findPathOfStep(tx, sheet.Report.StepID)
			if err != nil {
				return err
			}
			sheet.Step = path.Steps[path.stepIndex(sheet.Report.StepID)].Name
		}
		jobs := map[string]string{}
		for chunk := range slices.Chunk(sheet.Report.Units, chunkSize) {
			if err := sheet.addUnits(tx, chunk, jobs); err != nil {
				return err
			}
		}
		return nil
	})
	return sheet, err
}

// addUnits adds up to a thousand units; jobs are the names of jobs that were looked up.
func (sheet *ReportSheet) addUnits(tx Reader, units []NonconformingUnit, jobs map[string]string) error {
	cards, err := tx.RouteCards(serialsOf(units))
	if err != nil {
		return err
	}
	for _, unit := range units {
		card := cards[unit.SerialID]
		if _, known := jobs[card.Serial.JobID]; !known {
			job, err := tx.Job(card.Serial.JobID)
			if err != nil {
				return err
			}
			jobs[job.ID] = job.Name
		}
		if !slices.ContainsFunc(sheet.Paths, func(path Path) bool { return path.ID == card.Path.ID }) {
			sheet.Paths = append(sheet.Paths, card.Path)
		}
		on := UnitOnReport{
			NonconformingUnit: unit, Status: card.Serial.Status, JobID: card.Serial.JobID, JobName: jobs[card.Serial.JobID],
			Held: card.Holds, Decided: unit.decided(card), Open: unit.Open(card),
		}
		if step := card.Current(); step != nil {
			on.Step = step.Name
		}
		if sheet.Open == nil {
			sheet.Open = on.Open
		}
		sheet.Units = append(sheet.Units, on)
	}
	return nil
}

// HoldReasons answers why serials are on hold: the reason of the oldest open hold of each that has one.
func (s *Service) HoldReasons(ctx context.Context, serialIDs []string) (reasons map[string]string, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		reasons, err = holdReasons(tx, serialIDs)
		return err
	})
	return reasons, err
}

func holdReasons(tx Reader, serialIDs []string) (map[string]string, error) {
	reasons := map[string]string{}
	holds, err := tx.OpenHolds(serialIDs)
	for _, hold := range slices.Backward(holds) {
		reasons[hold.SerialID] = hold.Reason // the oldest comes last
	}
	return reasons, err
}

// Bounds of what the floor shows of quality.
const (
	floorReports = 8
	floorHeld    = 8
	// floorHolds is how many open holds are looked at for them: a scrapped unit keeps its holds, and is no news.
	floorHolds = 100
)

// FloorQuality is what waits for a decision, as of one moment.
type FloorQuality struct {
	Reports     []ReportHead // the open ones that are oldest, oldest first
	MoreReports bool
	Held        []Hold // on units that are not scrapped, newest first; of a unit with several the newest
	MoreHeld    bool
}

func (f *FloorQuality) add(tx Reader) error {
	open, next, err := reportHeads(tx, NonconformanceQuery{Status: ReportOpen, Limit: SearchLimit})
	if err != nil {
		return err
	}
	slices.Reverse(open)
	f.Reports, f.MoreReports = open[:min(len(open), floorReports)], next != "" || len(open) > floorReports
	holds, err := tx.Holds(true, "", floorHolds)
	if err != nil {
		return err
	}
	ids := make([]string, len(holds))
	for i := range holds {
		ids[i] = holds[i].SerialID
	}
	slices.Sort(ids)
	cards, err := tx.RouteCards(slices.Compact(ids))
	if err != nil {
		return err
	}
	shown := map[string]bool{}
	for _, hold := range holds {
		if card := cards[hold.SerialID]; card.Serial.Status == Scrapped || shown[hold.SerialID] {
			continue
		}
		if f.MoreHeld = len(f.Held) == floorHeld; f.MoreHeld {
			break
		}
		shown[hold.SerialID] = true
		f.Held = append(f.Held, hold)
	}
	f.MoreHeld = f.MoreHeld || len(holds) == floorHolds
	return nil
}
