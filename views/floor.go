package views

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// Floor is what happens in the shop, as of one moment.
type Floor struct {
	At      ident.Timestamp
	Jobs    []JobOverview   // with units in progress, the most urgent first
	Paths   []PathStanding  // with units in progress, those with most first
	Days    []DayFigures    // the last FloorDays days, oldest first, today last
	Reasons []ReasonFigures // why units were scrapped in those days, most frequent first
	Now     Attention
	AllJobs int // how many jobs have units in progress
	// MorePaths is how many paths there are beside those listed.
	MorePaths int
}

// Bounds of what Floor lists.
const (
	FloorDays  = 14
	floorJobs  = 8
	floorPaths = 8
)

// PathStanding is where the units of a path wait.
type PathStanding struct {
	PathID   string
	PathName string
	JobID    string
	JobName  string
	Waiting  int64 // also those on hold
	Held     int64
	Steps    []StepStanding
}

// StepStanding is how many units wait at one step.
type StepStanding struct {
	StepID     string
	Name       string
	Location   string
	Waiting    int64 // also those on hold
	Held       int64
	Bottleneck bool // see holdsUp
}

// Free is how many can be worked on.
func (s StepStanding) Free() int64 { return s.Waiting - s.Held }

// Free is how many can be worked on.
func (p PathStanding) Free() int64 { return p.Waiting - p.Held }

// DayFigures is what was finished and scrapped on one day.
type DayFigures struct {
	Day      time.Time // midnight in the zone that was asked for
	Finished int64
	Scrapped int64
}

// ReasonFigures is how many units were scrapped for one reason.
type ReasonFigures struct {
	Reason card.ScrapReason
	Count  int64
}

// StandingUnit is a unit and when it came to the step it stands on.
type StandingUnit struct {
	shop.SerialListItem
	Since ident.Timestamp
}

// StandingSerial is a unit as a store lists it, and when it last moved.
type StandingSerial struct {
	shop.ListedSerial
	Since ident.Timestamp
}

// ClosedCount is how many units got a status, for a reason, within one quarter of an hour. Quarters, because there are
// time zones that are off by one.
type ClosedCount struct {
	Quarter int64 // counted from 1970
	Status  card.SerialStatus
	Reason  card.ScrapReason
	Count   int64
}

const quarter = 15 * time.Minute

// Floor answers what happens in the shop, with its days as they are in a time zone. It takes a bounded number of
// statements, however many jobs and units there are.
func (v *Views) Floor(ctx context.Context, zone *time.Location) (Floor, error) {
	floor := Floor{At: v.shop.Now()}
	floor.Days = lastDays(floor.At.Time().In(zone))
	err := v.store.Look(ctx, func(tx Reader) error {
		standing, err := v.shop.Standing(tx)
		if err != nil {
			return err
		}
		waiting := standing.Waiting()
		counted, err := tx.HeldWaiting()
		if err != nil {
			return err
		}
		if err := floor.addPaths(tx, waiting, counted); err != nil {
			return err
		}
		if err := v.addJobs(tx, &floor, waiting); err != nil {
			return err
		}
		closed, err := tx.ClosedByQuarter(ident.TimestampOf(floor.Days[0].Day))
		if err != nil {
			return err
		}
		floor.addClosed(closed)
		floor.Now = Attention{}
		if err := floor.Now.add(tx); err != nil {
			return err
		}
		longest, known, err := v.longest.at(tx, attentionRows)
		if err != nil {
			return err
		}
		floor.Now.Searching = !known
		listed := make([]shop.ListedSerial, len(longest))
		for i := range longest {
			listed[i] = longest[i].ListedSerial
		}
		items, err := nameSerials(tx, listed)
		if err != nil {
			return err
		}
		floor.Now.Longest = make([]StandingUnit, len(items))
		for i := range items {
			floor.Now.Longest[i] = StandingUnit{items[i], longest[i].Since}
		}
		return nil
	})
	return floor, err
}

// addJobs adds the most urgent of the jobs that have units in progress.
func (v *Views) addJobs(tx Reader, floor *Floor, waiting []shop.PositionCount) error {
	jobs, err := tx.JobsOfPaths(pathsOf(waiting))
	if err != nil {
		return err
	}
	found := make([]JobOverview, len(jobs))
	for i, job := range jobs {
		found[i].Job = job
	}
	if err := v.addProgress(tx, found); err != nil {
		return err
	}
	slices.SortFunc(found, func(a, b JobOverview) int { return a.Urgency().Compare(b.Urgency()) })
	floor.Jobs, floor.AllJobs = found[:min(len(found), floorJobs)], len(found)
	return nil
}

func (f *Floor) addPaths(tx interface {
	shop.JobStore
	shop.PathStore
}, standing []shop.PositionCount, held heldUnits) error {
	waiting := map[string]int64{}
	for _, at := range standing {
		waiting[at.PathID] += at.Count
	}
	ids := make([]string, 0, len(waiting))
	for id := range waiting {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(cmp.Compare(waiting[b], waiting[a]), cmp.Compare(b, a))
	})
	f.MorePaths = max(0, len(ids)-floorPaths)
	f.Paths = []PathStanding{}
	for _, id := range ids[:min(len(ids), floorPaths)] {
		path, err := tx.Path(id)
		if err != nil {
			return err
		}
		job, err := tx.Job(path.JobID)
		if err != nil {
			return err
		}
		var counts shop.PathCounts
		for _, at := range standing {
			if at.PathID == id {
				counts.Standing = append(counts.Standing,
					shop.StandingCount{Status: card.InProgress, Position: at.Position, Count: at.Count})
			}
		}
		strip := PathStanding{PathID: id, PathName: path.Name, JobID: job.ID, JobName: job.Name, Waiting: waiting[id]}
		steps := shop.DistributionOf(path, counts)
		for i, at := range steps {
			onHold := held.at(id, at.StepOrder)
			strip.Held += onHold
			strip.Steps = append(strip.Steps,
				StepStanding{at.StepID, at.StepName, at.Location, at.SerialCount, onHold, holdsUp(steps, i, onHold)})
		}
		f.Paths = append(f.Paths, strip)
	}
	return nil
}

// Totals sums the days.
func (f *Floor) Totals() DayFigures {
	var totals DayFigures
	for _, day := range f.Days {
		totals.Finished += day.Finished
		totals.Scrapped += day.Scrapped
	}
	return totals
}

// ReasonShare is one reason with its share of all that was scrapped, and the share of it and the reasons before it.
type ReasonShare struct {
	ReasonFigures
	Share, Together float64 // in percent
}

// Pareto returns the scrap reasons with their shares, the most frequent first.
func (f *Floor) Pareto() []ReasonShare {
	total := int64(0)
	for _, reason := range f.Reasons {
		total += reason.Count
	}
	shares := make([]ReasonShare, len(f.Reasons))
	sum := int64(0)
	for i, reason := range f.Reasons {
		sum += reason.Count
		shares[i] = ReasonShare{reason, 100 * float64(reason.Count) / float64(total), 100 * float64(sum) / float64(total)}
	}
	return shares
}

// lastDays returns the days up to now, empty. They are counted by the calendar: some days have 23 or 25 hours.
func lastDays(now time.Time) []DayFigures {
	days := make([]DayFigures, FloorDays)
	for i := range days {
		days[i].Day = time.Date(now.Year(), now.Month(), now.Day()-FloorDays+1+i, 0, 0, 0, 0, now.Location())
	}
	return days
}

func (f *Floor) addClosed(closed []ClosedCount) {
	reasons := make(map[card.ScrapReason]int64)
	for _, count := range closed {
		at := time.UnixMilli(count.Quarter * quarter.Milliseconds())
		day := len(f.Days) - 1
		for day >= 0 && at.Before(f.Days[day].Day) {
			day--
		}
		if day < 0 {
			continue
		}
		switch count.Status {
		case card.Completed:
			f.Days[day].Finished += count.Count
		case card.Scrapped:
			f.Days[day].Scrapped += count.Count
			reasons[count.Reason] += count.Count
		case card.InProgress:
		}
	}
	f.Reasons = []ReasonFigures{}
	for _, reason := range shop.ScrapReasons() {
		if reasons[reason] > 0 {
			f.Reasons = append(f.Reasons, ReasonFigures{reason, reasons[reason]})
		}
	}
	slices.SortStableFunc(f.Reasons, func(a, b ReasonFigures) int { return cmp.Compare(b.Count, a.Count) })
}

// FloorReader is what the floor page needs of a database.
type FloorReader interface {
	// ClosedByQuarter counts the serials that are completed or scrapped, and were last moved since a time, by that time: see
	// Serial.UpdatedAt.
	ClosedByQuarter(since ident.Timestamp) ([]ClosedCount, error)
	// StandingLongest returns the serials in progress that were last moved longest ago, the longest first.
	StandingLongest(limit int) ([]Standstill, error)
	// StandingStill returns those of some serials that are in progress, in any order.
	StandingStill(numbers []int64) ([]StandingSerial, error)
}
