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

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// FloorPage is the page of the shop floor: it shows everything that needs attention now.
type FloorPage struct {
	site.Frame
	Attention
	Orders map[string]views.WorkOrder // by job, for the listed routes and units
}

// Attention is the data of the floor.
type Attention struct {
	Floor          views.Floor
	Late           []views.JobOverview // the latest first
	LateJobs       int64
	Due            []shop.Instrument // the longest overdue first
	DueInstruments int64
	Overdue        []shop.Shipment // the longest overdue first
	OverdueAll     int64
	InWork         int64
}

const (
	attentionListed = 4    // maximum number of late jobs, of instruments and of shipments on the floor
	lateCounted     = 1000 // maximum number of late jobs that are counted
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
	overdue, err := v.Service.Shipments(ctx, shop.ShipmentQuery{Status: shop.ShipmentOverdue, Limit: input.SearchLimit})
	if err != nil {
		return err
	}
	slices.SortStableFunc(overdue.Items, func(a, b shop.Shipment) int { return cmp.Compare(a.ExpectedBack, b.ExpectedBack) })
	a.OverdueAll, a.Overdue = int64(len(overdue.Items)), overdue.Items[:min(len(overdue.Items), attentionListed)]
	units, err := v.Views.CountUnits(ctx, views.UnitQuery{SerialQuery: views.SerialQuery{Status: card.InProgress}})
	a.InWork = units.InProgress
	return err
}

// LateFor is the number of days by which an order is late. It omits the word "late", which the row already has.
func (p *FloorPage) LateFor(order views.WorkOrder) string {
	return p.TN(order.DaysLate, "{n} day", "{n} days")
}

// DaysSince is the number of days since a date in the shop's time zone. On the day itself and before it, it is the date.
func (p *FloorPage) DaysSince(date string) string {
	day, err := time.Parse(time.DateOnly, date)
	today, todayErr := time.Parse(time.DateOnly, p.Now.In(p.Zone).Format(time.DateOnly))
	if days := int(today.Sub(day).Hours()) / 24; err == nil && todayErr == nil && days > 0 {
		return p.TN(days, "{n} day", "{n} days")
	}
	return p.Day(date)
}

// weekdays are the names of days in the table of days.
var weekdays = [...]lang.Text{"weekday|Sun", "weekday|Mon", "weekday|Tue", "weekday|Wed", "weekday|Thu", "weekday|Fri", "weekday|Sat"}

// DayName is the weekday and the date of a day.
func (p *FloorPage) DayName(day time.Time) string {
	return p.T("{weekday} {date}", "weekday", weekdays[day.Weekday()], "date", p.Time(day, "format|2 Jan"))
}

// floorHandler returns the handler of the floor page. All visitors share the figures.
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

// HeldURL lists the units that are on hold for one reason. If the reason is too long for an address, it lists all holds.
func (p *FloorPage) HeldURL(batch views.HeldBatch) string {
	if utf8.RuneCountInString(batch.Reason) > input.NameLimit {
		return "/holds"
	}
	query := url.Values{"hold": {"on"}, "heldFor": {batch.Reason}}
	query.Set("heldBy", cmp.Or(batch.NonconformanceID, views.NoReport))
	return "/serials?" + query.Encode()
}

// wallHandler returns the handler of the wall page, which shows the same figures as the floor page.
func wallHandler(shared *floors) func(*site.Visit) error {
	return func(v *site.Visit) error {
		now, err := shared.get(v)
		return v.Shown(err, http.StatusOK, "wall", &WallPage{v.Frame("Wall", "wall"), now})
	}
}

// WallPage is the page for a large screen in the hall.
type WallPage struct {
	site.Frame
	Attention
}

// Today is the number of units completed today.
func (p *WallPage) Today() int64 {
	if n := len(p.Floor.Days); n > 0 {
		return p.Floor.Days[n-1].Finished
	}
	return 0
}

// Usual is the average number of units completed on an earlier day, not counting days without any.
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

// Bottlenecks returns the steps that delay other steps. Those with the most units come first.
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

// OnHold returns the reasons of holds. It omits holds of reports that the page already lists as waiting for a decision.
func (p *FloorPage) OnHold() []views.HeldBatch {
	return slices.DeleteFunc(slices.Clone(p.Floor.Now.Held), func(batch views.HeldBatch) bool {
		return slices.ContainsFunc(p.Floor.Now.Reports, func(report views.ReportHead) bool { return report.ID == batch.NonconformanceID })
	})
}

// ReleaseURL is the page on which the units on hold for one reason are released.
func (*FloorPage) ReleaseURL(batch views.HeldBatch) string {
	if batch.NonconformanceID != "" {
		return "/holds?q=" + url.QueryEscape(batch.NonconformanceID)
	}
	return "/holds?q=" + url.QueryEscape(batch.Reason)
}

// ClosedURL lists the units that were finished or scrapped in the period of the floor page, for one reason or, if reason is "", for any
// reason.
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

// DayURL lists the units that were finished or scrapped on a day.
func (p *FloorPage) DayURL(status string, day views.DayFigures) string {
	on := day.Day.Format(dayLayout)
	return "/serials?" + url.Values{"status": {status}, "since": {on}, "until": {on}}.Encode()
}

// floors caches the figures of the floor page for a short time. They are counted over all units, and every screen in the hall requests them
// after every change. It is safe for concurrent use.
type floors struct {
	mu   sync.Mutex
	kept map[string]keptFloor // by time zone
}

type keptFloor struct {
	now     Attention
	last    string // the newest audit entry that the figures include
	counted time.Time
}

// These limits determine how often the figures are counted.
const (
	floorMoment = 300 * time.Millisecond // minimum age before they are counted again after a change
	floorLimit  = 30 * time.Second       // maximum age, since a day can end without an audit entry
	zonesKept   = 50
)

func (f *floors) get(v *site.Visit) (Attention, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept, ok := f.kept[v.Zone.String()]
	age := time.Since(kept.counted)
	if ok && kept.last >= v.Last && age < floorLimit && !kept.now.Floor.Now.Searching { // entry identifiers are in the order of commits
		return kept.now, nil
	}
	if ok && age < floorMoment { // requests that wait here share the next count
		select {
		case <-time.After(floorMoment - age):
		case <-v.R.Context().Done():
			return kept.now, v.R.Context().Err()
		}
	}
	// All waiting requests share this count, so it must not stop when the first of them is canceled.
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

// Plot is the chart of days: for each day one bar for completed units and one for scrapped units.
type Plot struct {
	Width, Height float64
	Bars          []Bar
	Top           int64 // the value of the highest line
}

// Wide is the width of the whole chart, with the numbers on its left.
func (p Plot) Wide() float64 { return p.Width + 40 }

// Middle is the x coordinate of a day's name.
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
