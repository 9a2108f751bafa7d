package office

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// FloorPage is the floor: what needs attention now.
type FloorPage struct {
	site.Frame
	Floor  views.Floor
	Orders map[string]views.WorkOrder // by job, of the routes and units that it lists
}

// floorHandler returns what answers the floor, with figures that all visitors share.
func floorHandler() func(*site.Visit) error {
	shared := &floors{}
	return func(v *site.Visit) error { return showFloor(v, shared) }
}

func showFloor(v *site.Visit, shared *floors) error {
	floor, err := shared.get(v)
	if err != nil {
		return err
	}
	jobs := append(site.IDsOf(floor.Paths, func(path *views.PathStanding) string { return path.JobID }),
		site.IDsOf(floor.Now.Longest, func(unit *views.StandingUnit) string { return unit.JobID })...)
	jobs = append(jobs, site.IDsOf(floor.Now.Arrived, func(made *views.Arrival) string { return made.JobID })...)
	orders, err := v.Views.JobOrders(v.R.Context(), jobs)
	if err != nil {
		return err
	}
	return v.Show(http.StatusOK, "floor", &FloorPage{Frame: v.Frame("Floor", "floor"), Floor: floor, Orders: orders})
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
	floor   views.Floor
	last    string // the newest audit entry they count
	counted time.Time
}

// How often the figures are counted.
const (
	floorMoment = 300 * time.Millisecond // at most, when something happened
	floorLimit  = 30 * time.Second       // at least, since days end without an audit entry
	zonesKept   = 50
)

func (f *floors) get(v *site.Visit) (views.Floor, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept, ok := f.kept[v.Zone.String()]
	age := time.Since(kept.counted)
	if ok && kept.last >= v.Last && age < floorLimit && !kept.floor.Now.Searching { // entries' identifiers sort as they were committed
		return kept.floor, nil
	}
	if ok && age < floorMoment { // those who wait here are served together
		select {
		case <-time.After(floorMoment - age):
		case <-v.R.Context().Done():
			return kept.floor, v.R.Context().Err()
		}
	}
	// Counted for everybody who waits, so it does not end with the request of the one who came first.
	last, err := v.Views.LastAuditSequence(v.R.Context())
	if err != nil {
		return views.Floor{}, err
	}
	floor, err := v.Views.Floor(context.WithoutCancel(v.R.Context()), v.Zone)
	if err != nil {
		return floor, err
	}
	if f.kept == nil || len(f.kept) >= zonesKept {
		f.kept = map[string]keptFloor{}
	}
	f.kept[v.Zone.String()] = keptFloor{floor, ident.AuditID(last), time.Now()}
	return floor, nil
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
