package views_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/spc"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// charting is a job with two steps: at the first, numbers 1 and 2 and a mark are measured; at the second, nothing.
type charting struct {
	*shoptest.Shop
	t     *testing.T
	path  card.Path
	set   card.CharacteristicSet
	units []string
	views *views.Views
}

func newCharting(t *testing.T) *charting {
	t.Helper()
	s := shoptest.Open(t)
	c := &charting{Shop: s, t: t, path: s.Route(t, card.Flexible, "Hone", "Wash")}
	c.units = c.Units(t, c.path, 40)
	c.set = shoptest.Must(s.SetCharacteristics(t.Context(), c.path.Steps[0].ID, shop.SetCharacteristicsInput{
		Characteristics: shoptest.Characteristics(shoptest.Between("1", "9"), shoptest.Between("1", "9"),
			shop.CharacteristicInput{Type: shoptest.Given("pass_fail")}), UserID: shoptest.Given("ann"),
	}))
	c.views = views.New(s.Store, s.Service)
	return c
}

// reads records a value of number 1 of a unit.
func (c *charting) reads(unit int, value input.Written) card.Measurement {
	c.t.Helper()
	c.Tick()
	return shoptest.Must(c.RecordMeasurements(c.t.Context(), c.units[unit], shoptest.Measured(shoptest.Given("ann"), "1", value)))[0]
}

func (c *charting) charts(query views.ChartQuery) (views.JobCharts, error) {
	return c.views.JobCharts(c.t.Context(), shoptest.Must(c.Job(c.t.Context(), c.path.JobID)), query)
}

// chart returns the chart of number 1.
func (c *charting) chart(query views.ChartQuery) views.Chart {
	c.t.Helper()
	charts := shoptest.Must(c.charts(query))
	if len(charts.Charts) != 2 || !slices.Equal(charts.Steps, []string{"Hone", "Hone"}) {
		c.t.Fatalf("%d charts of %q", len(charts.Charts), charts.Steps)
	}
	return charts.Charts[0]
}

func values(chart views.Chart) (found []string) {
	for _, point := range chart.Points {
		for _, reading := range point.Readings {
			found = append(found, reading.SerialID+" "+reading.Value)
		}
	}
	return found
}

// docs/measuring.md, "Charts": a chart has, oldest first, the last reading of each unit in each pass that is within the requested time and
// not voided.
func TestChartedReadings(t *testing.T) {
	t.Parallel()
	c := newCharting(t)
	if chart := c.chart(views.ChartQuery{}); len(chart.Points) != 0 || chart.Capability.N != 0 {
		t.Errorf("without readings: %+v", chart)
	}
	c.reads(0, "2")
	c.reads(1, "3.50")
	again := c.reads(0, "4")
	void := c.reads(1, "5")
	shoptest.Must(c.VoidMeasurement(t.Context(), void.ID, shop.VoidInput{Reason: shoptest.Given("dirt"), UserID: shoptest.Given("ann")}))
	last := c.reads(2, "6")
	for _, row := range []struct {
		query views.ChartQuery
		want  []string
	}{
		{views.ChartQuery{}, []string{"SN-00002 3.50", "SN-00001 4", "SN-00003 6"}},
		{views.ChartQuery{From: again.MeasuredAt}, []string{"SN-00001 4", "SN-00003 6"}},
		{views.ChartQuery{To: last.MeasuredAt - 1}, []string{"SN-00002 3.50", "SN-00001 4"}},
		{views.ChartQuery{Subgroup: 2}, []string{"SN-00002 3.50", "SN-00001 4"}}, // the third reading does not fill a subgroup
	} {
		if got := values(c.chart(row.query)); !slices.Equal(got, row.want) {
			t.Errorf("%+v: %q, want %q", row.query, got, row.want)
		}
	}
	if chart := c.chart(views.ChartQuery{}); chart.Rules != spc.WesternElectric || chart.Subgroup != 1 || chart.N != 3 || chart.More {
		t.Errorf("%+v", chart)
	}
	for _, query := range []views.ChartQuery{{Subgroup: 11}, {Subgroup: -1}, {Rules: "all"}} {
		if _, err := c.charts(query); err == nil {
			t.Errorf("%+v is charted", query)
		}
	}
}

// A point lists the rules of the set that it breaks, and capability needs 25 readings.
func TestChartedRules(t *testing.T) {
	t.Parallel()
	c := newCharting(t)
	for unit := range 24 {
		c.reads(unit, input.Written(fmt.Sprintf("5.%d", unit%2)))
	}
	if chart := c.chart(views.ChartQuery{}); chart.Capability.N != 0 || chart.Mean != 5.05 {
		t.Errorf("of 24 readings: mean %v, %+v", chart.Mean, chart.Capability)
	}
	c.reads(24, "7")
	chart := c.chart(views.ChartQuery{})
	// The last reading is an outlier, and has moved the centre line above the 24 before it.
	for at, want := range map[int][]int{6: nil, 7: {4}, 23: {4}, 24: {1}} {
		if point := chart.Points[at]; !slices.Equal(point.Broken, want) || point.Out() != (want != nil) {
			t.Errorf("point %d: %+v, want %v", at, point, want)
		}
	}
	if chart.Capability.N != 25 || !chart.Capability.TwoSided || chart.Capability.Cpk <= 0 {
		t.Errorf("%+v", chart.Capability)
	}
	if nelson := c.chart(views.ChartQuery{Rules: spc.Nelson}); !slices.Equal(nelson.Points[23].Broken, []int{2, 4, 7}) {
		t.Errorf("by Nelson's: %+v", nelson.Points[23])
	}
}

// A characteristic that is no longer measured has no chart on the page of its job.
func TestChartsOfWhatIsMeasured(t *testing.T) {
	t.Parallel()
	c := newCharting(t)
	c.reads(0, "2")
	measures := func(want bool) {
		t.Helper()
		if got := shoptest.Must(c.views.Measures(t.Context(), c.path.JobID)); got != want {
			t.Errorf("something is measured: %v", got)
		}
	}
	measures(true)
	c.Tick()
	shoptest.Must(c.SetCharacteristics(t.Context(), c.set.StepID, shop.SetCharacteristicsInput{
		Characteristics: shoptest.Characteristics(), UserID: shoptest.Given("ann"),
	}))
	measures(false)
	if charts := shoptest.Must(c.charts(views.ChartQuery{})); len(charts.Charts) != 0 {
		t.Errorf("%+v", charts)
	}
}
