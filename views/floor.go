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

// Floor is a snapshot of the shop.
type Floor struct {
	At      ident.Timestamp
	Jobs    []JobOverview   // jobs with units in progress, most urgent first
	Paths   []PathStanding  // paths with units in progress, the path with the most units first
	Days    []DayFigures    // the last FloorDays days, oldest first, today last
	Reasons []ReasonFigures // the reasons of scrap in those days, most frequent first
	Now     Attention
	AllJobs int // number of jobs with units in progress
	// MorePaths is the number of paths that are not listed.
	MorePaths int
}

// Limits of the lists in Floor.
const (
	FloorDays  = 14
	floorJobs  = 8
	floorPaths = 8
)

// PathStanding is the distribution of the waiting units of a path.
type PathStanding struct {
	PathID   string
	PathName string
	JobID    string
	JobName  string
	Waiting  int64 // includes units on hold
	Held     int64
	Steps    []StepStanding
}

// StepStanding is the number of units that wait at one step.
type StepStanding struct {
	StepID     string
	Name       string
	Location   string
	Waiting    int64 // includes units on hold
	Held       int64
	Bottleneck bool // see holdsUp
}

// Free returns the number of units that can be worked on.
func (s StepStanding) Free() int64 { return s.Waiting - s.Held }

// Free returns the number of units that can be worked on.
func (p PathStanding) Free() int64 { return p.Waiting - p.Held }

// DayFigures counts the units that were finished and scrapped on one day.
type DayFigures struct {
	Day      time.Time // midnight in the requested zone
	Finished int64
	Scrapped int64
}

// ReasonFigures counts the units that were scrapped for one reason.
type ReasonFigures struct {
	Reason card.ScrapReason
	Count  int64
}

// StandingUnit is a unit with the time when it came to its step.
type StandingUnit struct {
	shop.SerialListItem
	Since ident.Timestamp
}

// StandingSerial is a unit as a store lists it, with the time of its last move.
type StandingSerial struct {
	shop.ListedSerial
	Since ident.Timestamp
}

// ClosedCount is the number of units that got a status, for a reason, within one quarter of an hour. The counts are by quarter because some
// time zones are offset by quarters of an hour.
type ClosedCount struct {
	Quarter int64 // number of quarters since 1970
	Status  card.SerialStatus
	Reason  card.ScrapReason
	Count   int64
}

const quarter = 15 * time.Minute

// Floor returns the state of the shop, with its days in a time zone. It takes a bounded number of statements, however many jobs and units
// there are.
func (v *Views) Floor(ctx context.Context, zone *time.Location) (Floor, error) {
	now := v.shop.Now()
	var floor Floor
	err := v.store.Look(ctx, func(tx Reader) error {
		floor = Floor{At: now, Days: lastDays(now.Time().In(zone))}
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

// addJobs adds the most urgent jobs with units in progress.
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

// ReasonShare is one reason with its share of all scrapped units, and the cumulative share including the reasons before it.
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

// lastDays returns the days up to now, without counts. They are calendar days: some have 23 or 25 hours.
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

// FloorReader is the database access of the floor page.
type FloorReader interface {
	// ClosedByQuarter counts the completed and scrapped serials that were last moved since a time, by that time: see Serial.UpdatedAt.
	ClosedByQuarter(since ident.Timestamp) ([]ClosedCount, error)
	// StandingLongest returns the serials in progress whose last move was longest ago, the longest first.
	StandingLongest(limit int) ([]Standstill, error)
	// StandingStill returns the given serials that are in progress, in any order.
	StandingStill(numbers []int64) ([]StandingSerial, error)
}
