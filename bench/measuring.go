package main

import (
	"fmt"
	"net/http"
	"time"

	"github.com/routecard/routecard/bench/internal/load"
	"github.com/routecard/routecard/bench/internal/shop"
)

const (
	caseUnmeasured     = "advance, 64 callers, nothing is measured anywhere, in turn"
	caseBesideMeasured = "advance, 64 callers, on paths without characteristics beside one with 20, in turn"
	caseMeasure        = "record 20 readings, 64 callers, in turn"
	caseChart          = "chart of 10,000 readings"
)

// The number of values in a call, and the number of units with a value, which is the maximum number of readings of a chart.
const (
	measuredAtOnce = 20
	measuredUnits  = 10_000
)

// measuring measures the cost of readings compared with advances, the cost at steps without characteristics, and a chart. It uses small
// databases, which are quick to copy, because the results do not depend on the number of other units.
func measuring(r *rig, _ string) ([]row, error) {
	if r.data.size > smallSize {
		return nil, nil
	}
	var measured *shop.Measured
	begin := func(characteristics int) func() error {
		return func() (err error) {
			if err = r.renew(); err == nil {
				measured, err = shop.Measure(r.service.base, characteristics, measuredUnits)
			}
			return err
		}
	}
	advances := func() shop.Next { return r.stock.Advance() }
	rows, err := r.inTurns(way{caseUnmeasured, begin(0), advances}, way{caseBesideMeasured, begin(measuredAtOnce), advances})
	if err != nil {
		return nil, err
	}
	none := &rows[0]
	rows[1].compare(none, "where nothing is measured")
	readings, err := r.measure(caseMeasure, 64, http.StatusCreated, measured.All())
	if err != nil {
		return nil, err
	}
	readings.Note = fmt.Sprintf("%.2f times the time and %.2f times the processor time of an advance",
		none.PerSecond/readings.PerSecond, float64(readings.CPU)/float64(none.CPU))
	if err := begin(measuredAtOnce)(); err != nil {
		return nil, err
	}
	if _, err := load.Drive(load.Plan{
		Base: r.service.base, Callers: 64, During: time.Hour, Wanted: http.StatusCreated, Next: measured.One(),
	}); err != nil {
		return nil, err
	}
	chart, err := r.read(caseChart, 1, measured.Chart(), shop.Get(measured.Chart()))
	return append(rows, append([]row{readings}, chart...)...), err
}

func judgeMeasuring(o outcome, add addTarget, skip skipTarget) {
	const readings, readingsWanted = "20 readings in one call, against an advance", "at most 3 times"
	const chart, chartWanted = "a chart of 10,000 readings", "under 50 ms"
	const without, withoutWanted = "advance where nothing is measured, beside steps where something is", "more than 0.95"
	none, all, beside := o.at(caseUnmeasured, 0), o.at(caseMeasure, 0), o.at(caseBesideMeasured, 0)
	if none == nil || all == nil || beside == nil || all.PerSecond == 0 || none.PerSecond == 0 {
		skip(readings, readingsWanted)
		skip(without, withoutWanted)
	} else {
		times := none.PerSecond / all.PerSecond
		rate, _ := beside.ratios(none)
		add(readings, readingsWanted, times <= 3, fmt.Sprintf("%.2f times", times)+at(all))
		add(without, withoutWanted, rate > 0.95, fmt.Sprintf("%.2f", rate)+at(beside))
	}
	if r := o.at(caseChart, 0); r != nil {
		add(chart, chartWanted, r.P50 < 50*time.Millisecond, r.P50.Round(100*time.Microsecond).String()+at(r))
	} else {
		skip(chart, chartWanted)
	}
}
