package web

import (
	"net/http"

	"github.com/routecard/routecard"
)

type floorPage struct {
	frame
	Floor routecard.Floor
}

func showFloor(v *visit) error {
	floor, err := v.service.Floor(v.r.Context(), v.zone)
	if err != nil {
		return err
	}
	return v.show(http.StatusOK, "floor", &floorPage{frame: v.frame("Floor", "floor"), Floor: floor})
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
func (p *floorPage) Middle(day int) float64 { return dayWidth*float64(day) + dayWidth/2 }

const (
	plotHeight = 120.0
	dayWidth   = 40.0
)

// DaysPlot draws the days.
func (p *floorPage) DaysPlot() Plot {
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
			Bar{x + 6, plotHeight - high(day.Finished), 16, high(day.Finished), "finished"},
			Bar{x + 24, plotHeight - high(day.Scrapped), 10, high(day.Scrapped), "scrapped"})
	}
	return plot
}

// ParetoRow is one reason with its share and the share of it and all before it.
type ParetoRow struct {
	Reason          routecard.ScrapReason
	Count           int64
	Share, Together float64 // in percent
	Width           float64 // of its bar, in percent of the longest
}

// Pareto lists the scrap reasons.
func (p *floorPage) Pareto() []ParetoRow {
	total := int64(0)
	for _, reason := range p.Floor.Reasons {
		total += reason.Count
	}
	rows := make([]ParetoRow, len(p.Floor.Reasons))
	sum := int64(0)
	for i, reason := range p.Floor.Reasons {
		sum += reason.Count
		rows[i] = ParetoRow{
			reason.Reason, reason.Count, 100 * float64(reason.Count) / float64(total), 100 * float64(sum) / float64(total),
			100 * float64(reason.Count) / float64(p.Floor.Reasons[0].Count),
		}
	}
	return rows
}

// Totals sums the days.
func (p *floorPage) Totals() routecard.DayFigures {
	var totals routecard.DayFigures
	for _, day := range p.Floor.Days {
		totals.Finished += day.Finished
		totals.Scrapped += day.Scrapped
	}
	return totals
}
