package office

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// FloorPage is the floor: what needs attention now.
type FloorPage struct {
	site.Frame
	Attention
	Orders map[string]views.WorkOrder // by job, of the routes and units that it lists
}

// Attention is what the floor shows.
type Attention struct {
	Floor          views.Floor
	Late           []views.JobOverview // the latest first
	LateJobs       int64
	Due            []shop.Instrument // the longest due first
	DueInstruments int64
	InWork         int64
}

const (
	attentionListed = 4    // how many late jobs and instruments the floor lists
	lateCounted     = 1000 // how many late jobs it counts at most
)

// load reads the figures.
func (a *Attention) load(ctx context.Context, v *site.Visit) (err error) {
	if a.Floor, err = v.Views.Floor(ctx, v.Zone); err != nil {
		return err
	}
	late, _, err := v.Views.JobsFound(ctx, views.JobQuery{Status: string(views.JobLate), Sort: views.JobsByUrgency, Limit: lateCounted})
	if err != nil {
		return err
	}
	slices.SortStableFunc(late, func(a, b views.JobOverview) int { return b.DaysLate - a.DaysLate })
	a.LateJobs, a.Late = int64(len(late)), late[:min(len(late), attentionListed)]
	due, err := v.Service.Instruments(ctx, shop.InstrumentQuery{State: shop.InstrumentDue, Limit: input.SearchLimit})
	if err != nil {
		return err
	}
	slices.SortStableFunc(due.Items, func(a, b shop.Instrument) int { return cmp.Compare(a.DueDate, b.DueDate) })
	a.DueInstruments, a.Due = int64(len(due.Items)), due.Items[:min(len(due.Items), attentionListed)]
	units, err := v.Views.CountUnits(ctx, views.UnitQuery{SerialQuery: views.SerialQuery{Status: card.InProgress}})
	a.InWork = units.InProgress
	return err
}

// LateFor is how long work is late, without the word that its row has.
func (*FloorPage) LateFor(order views.WorkOrder) string {
	return wording.Plural(order.DaysLate, "day", "days")
}

// floorHandler returns what answers the floor, with figures that all visitors share.
func floorHandler(shared *floors) func(*site.Visit) error {
	return func(v *site.Visit) error { return showFloor(v, shared) }
}

func showFloor(v *site.Visit, shared *floors) error {
	now, err := shared.get(v)
	if err != nil {
		return err
	}
	floor := now.Floor
	jobs := append(site.IDsOf(floor.Paths, func(path *views.PathStanding) string { return path.JobID }),
		site.IDsOf(floor.Now.Longest, func(unit *views.StandingUnit) string { return unit.JobID })...)
	jobs = append(jobs, site.IDsOf(floor.Now.Arrived, func(made *views.Arrival) string { return made.JobID })...)
	orders, err := v.Views.JobOrders(v.R.Context(), jobs)
	if err != nil {
		return err
	}
	return v.Show(http.StatusOK, "floor", &FloorPage{Frame: v.Frame("Floor", "floor"), Attention: now, Orders: orders})
}

// HeldURL is the list of the units that are on hold for one reason; of all holds where the reason is too long for an address.
func (p *FloorPage) HeldURL(batch views.HeldBatch) string {
	if utf8.RuneCountInString(batch.Reason) > input.NameLimit {
		return "/holds"
	}
	query := url.Values{"hold": {"on"}, "heldFor": {batch.Reason}}
	query.Set("heldBy", cmp.Or(batch.NonconformanceID, views.NoReport))
	return "/serials?" + query.Encode()
}

// wallHandler returns what answers the wall, which shows the figures of the floor.
func wallHandler(shared *floors) func(*site.Visit) error {
	return func(v *site.Visit) error {
		now, err := shared.get(v)
		return v.Shown(err, http.StatusOK, "wall", &WallPage{v.Frame("Wall", "wall"), now})
	}
}

// WallPage is for a screen in the hall.
type WallPage struct {
	site.Frame
	Attention
}

// Today is how many units were completed today.
func (p *WallPage) Today() int64 {
	if n := len(p.Floor.Days); n > 0 {
		return p.Floor.Days[n-1].Finished
	}
	return 0
}

// Usual is how many were completed on a day before, on the average of the days on which any was.
func (p *WallPage) Usual() int64 {
	var units, days int64
	for _, day := range p.Floor.Days[:max(0, len(p.Floor.Days)-1)] {
		if day.Finished > 0 {
			units, days = units+day.Finished, days+1
		}
	}
	return units / max(1, days)
}

// WallStep is a step at which units wait.
type WallStep struct {
	views.StepStanding
	Job string
}

// Bottlenecks are the steps that hold the others up, those with most units first.
func (p *WallPage) Bottlenecks() (found []WallStep) {
	for _, path := range p.Floor.Paths {
		for _, step := range path.Steps {
			if step.Bottleneck {
				found = append(found, WallStep{step, path.JobName})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b WallStep) int { return cmp.Compare(b.Free(), a.Free()) })
	return found[:min(len(found), attentionListed)]
}

// OnHold lists the reasons of holds, without those of reports that the floor lists because they wait for a decision.
func (p *FloorPage) OnHold() []views.HeldBatch {
	return slices.DeleteFunc(slices.Clone(p.Floor.Now.Held), func(batch views.HeldBatch) bool {
		return slices.ContainsFunc(p.Floor.Now.Reports, func(report views.ReportHead) bool { return report.ID == batch.NonconformanceID })
	})
}

// ReleaseURL is where the units are released that are on hold for one reason.
func (*FloorPage) ReleaseURL(batch views.HeldBatch) string {
	if batch.NonconformanceID != "" {
		return "/holds?q=" + url.QueryEscape(batch.NonconformanceID)
	}
	return "/holds?q=" + url.QueryEscape(batch.Reason)
}

// ClosedURL is the list of the units that were finished or scrapped in the days that the floor shows, for a reason or for any ("").
func (p *FloorPage) ClosedURL(status string, reason card.ScrapReason) string {
	query := url.Values{"status": {status}}
	if reason != "" {
		query.Set("reason", string(reason))
	}
	if len(p.Floor.Days) > 0 {
		query.Set("since", p.Floor.Days[0].Day.Format(dayLayout))
	}
	return "/serials?" + query.Encode()
}

// DayURL is the list of the units that were finished or scrapped on a day.
func (p *FloorPage) DayURL(status string, day views.DayFigures) string {
	on := day.Day.Format(dayLayout)
	return "/serials?" + url.Values{"status": {status}, "since": {on}, "until": {on}}.Encode()
}

// floors keeps the figures of the floor for a moment: they are counted over every unit, and every screen in the hall
// asks for them as soon as anything happens.
type floors struct {
	mu   sync.Mutex
	kept map[string]keptFloor // by time zone
}

type keptFloor struct {
	now     Attention
	last    string // the newest audit entry they count
	counted time.Time
}

// How often the figures are counted.
const (
	floorMoment = 300 * time.Millisecond // at most, when something happened
	floorLimit  = 30 * time.Second       // at least, since days end without an audit entry
	zonesKept   = 50
)

func (f *floors) get(v *site.Visit) (Attention, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept, ok := f.kept[v.Zone.String()]
	age := time.Since(kept.counted)
	if ok && kept.last >= v.Last && age < floorLimit && !kept.now.Floor.Now.Searching { // entries' identifiers sort as they were committed
		return kept.now, nil
	}
	if ok && age < floorMoment { // those who wait here are served together
		select {
		case <-time.After(floorMoment - age):
		case <-v.R.Context().Done():
			return kept.now, v.R.Context().Err()
		}
	}
	// Counted for everybody who waits, so it does not end with the request of the one who came first.
	last, err := v.Views.LastAuditSequence(v.R.Context())
	if err != nil {
		return Attention{}, err
	}
	var now Attention
	if err := now.load(context.WithoutCancel(v.R.Context()), v); err != nil {
		return now, err
	}
	if f.kept == nil || len(f.kept) >= zonesKept {
		f.kept = map[string]keptFloor{}
	}
	f.kept[v.Zone.String()] = keptFloor{now, ident.AuditID(last), time.Now()}
	return now, nil
}

// Bar is one bar of a plot, in the plot's own units.
type Bar struct {
	X, Y, Width, Height float64
	Kind                string
}

// Plot is the drawing of the days: for each one bar for what was finished and one for what was scrapped.
type Plot struct {
	Width, Height float64
	Bars          []Bar
	Top           int64 // what the highest line stands for
}

// Wide is the width of the whole drawing, with the numbers at its left.
func (p Plot) Wide() float64 { return p.Width + 40 }

// Middle is where the name of a day stands.
func (p *FloorPage) Middle(day int) float64 { return dayWidth*float64(day) + dayWidth/2 }

const (
	plotHeight = 120.0
	dayWidth   = 40.0
)

// DaysPlot draws the days.
func (p *FloorPage) DaysPlot() Plot {
	top := int64(1)
	for _, day := range p.Floor.Days {
		top = max(top, day.Finished, day.Scrapped)
	}
	plot := Plot{Width: dayWidth * float64(len(p.Floor.Days)), Height: plotHeight, Top: top}
	for i, day := range p.Floor.Days {
		x := dayWidth * float64(i)
		high := func(count int64) float64 {
			if count == 0 {
				return 0
			}
			return max(2, plotHeight*float64(count)/float64(top))
		}
		plot.Bars = append(plot.Bars,
			Bar{x + 6, plotHeight - high(day.Finished), 16, high(day.Finished), "completed"},
			Bar{x + 24, plotHeight - high(day.Scrapped), 10, high(day.Scrapped), "scrapped"})
	}
	return plot
}
