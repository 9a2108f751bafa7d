package views

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/routecard/routecard/internal/spc"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// ChartQuery selects the readings of a characteristic to chart, and the kind of chart. Empty fields do not narrow.
type ChartQuery struct {
	From     ident.Timestamp `query:"from"`
	To       ident.Timestamp `query:"to"`
	Subgroup int             `query:"subgroup"` // number of readings per point: 1 to spc.SubgroupMost; 0 for 1
	Rules    spc.RuleSet     `query:"rules"`    // "" for the rules of the frozen limits, or spc.WesternElectric if none are frozen
}

// Chart is the control chart of the newest readings of a characteristic, at most shop.ChartReadings of them.
type Chart struct {
	Characteristic card.Characteristic `json:"characteristic"` // its present state, or its last state before it was removed
	StepID         string              `json:"stepId"`
	Subgroup       int                 `json:"subgroup"`
	Rules          spc.RuleSet         `json:"rules"`
	N              int                 `json:"n"` // number of readings in the chart
	Mean           float64             `json:"mean"`
	Deviation      float64             `json:"deviation"`
	// Limits are the control limits: the frozen limits, or otherwise limits computed from the readings; never the limits of the
	// specification.
	Limits     spc.Limits     `json:"limits"`
	Spread     spc.Limits     `json:"spread"`              // limits of the moving range, or of the range of each subgroup
	Baseline   *shop.Baseline `json:"baseline,omitempty"`  // the source of the limits; nil if computed from these readings
	Points     []ChartPoint   `json:"points"`              // oldest first
	Capability spc.Capability `json:"capability,omitzero"` // the zero Capability if there is none; see spc.Capable
	More       bool           `json:"more"`                // whether there are readings older than the readings in the chart
}

// ChartPoint is one point of a chart.
type ChartPoint struct {
	Value    float64               `json:"value"`
	Spread   float64               `json:"spread"` // 0 for the first of single readings, which has no moving range
	At       ident.Timestamp       `json:"at"`
	Readings []shop.ChartedReading `json:"readings"` // the readings of the point
	Broken   []int                 `json:"broken"`   // the rules that the point breaks; empty rather than nil
}

// Out reports whether the point breaks a rule.
func (p ChartPoint) Out() bool { return len(p.Broken) > 0 }

// JobCharts are the charts of a job: one for each number measured in it, in the order of its paths and their steps.
type JobCharts struct {
	Charts []Chart
	Steps  []string // step name of each chart
}

// JobCharts charts the characteristics that are currently measured in a job.
func (v *Views) JobCharts(ctx context.Context, job shop.JobDetail, query ChartQuery) (charts JobCharts, err error) {
	if err := query.check(); err != nil {
		return charts, err
	}
	err = v.store.Look(ctx, func(tx Reader) error {
		charts = JobCharts{}
		sets, err := tx.CharacteristicsOfJob(job.ID)
		if err != nil {
			return err
		}
		for _, path := range job.Paths {
			for i := range path.Steps {
				at := slices.IndexFunc(sets, func(set card.CharacteristicSet) bool { return set.StepID == path.Steps[i].ID })
				if at < 0 {
					continue
				}
				for _, c := range sets[at].Characteristics {
					if c.Type != card.NumberReading {
						continue
					}
					chart, err := drawn(tx, c, path.Steps[i].ID, query)
					if err != nil {
						return err
					}
					charts.Charts, charts.Steps = append(charts.Charts, chart), append(charts.Steps, path.Steps[i].Name)
				}
			}
		}
		return nil
	})
	return charts, err
}

// Measures reports whether any characteristic is currently measured in a job.
func (v *Views) Measures(ctx context.Context, jobID string) (measures bool, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		sets, err := tx.CharacteristicsOfJob(jobID)
		measures = slices.ContainsFunc(sets, func(set card.CharacteristicSet) bool { return len(set.Characteristics) > 0 })
		return err
	})
	return measures, err
}

// ChartReader is the database access of charts, in addition to the readings.
type ChartReader interface {
	// CharacteristicsOfJob returns the characteristics that are currently measured at the steps of a job's paths, by step identifier.
	CharacteristicsOfJob(jobID string) ([]card.CharacteristicSet, error)
}

// check validates the parameters that do not depend on the characteristic, and fills in defaults.
func (q *ChartQuery) check() error {
	q.Subgroup = cmp.Or(q.Subgroup, 1)
	if err := shop.CheckSubgroup("subgroup", q.Subgroup); err != nil {
		return err
	}
	if q.To != 0 && q.To < q.From {
		return refusal.RefuseField(refusal.RangeBackwards, "to")
	}
	if q.Rules != "" && !slices.Contains(spc.RuleSets(), q.Rules) {
		return input.NotOneOf("rules", spc.RuleSets())
	}
	return nil
}

// Chart charts a characteristic of type number, even if it is no longer measured.
func (v *Views) Chart(ctx context.Context, characteristicID string, query ChartQuery) (chart Chart, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		set, c, err := shop.FindCharacteristic(tx, characteristicID)
		if err != nil {
			return err
		}
		if err := shop.Chartable(&c); err != nil {
			return err
		}
		if err := query.check(); err != nil {
			return err
		}
		chart, err = drawn(tx, c, set.StepID, query)
		return err
	})
	return chart, err
}

// drawn returns the chart of a characteristic of type number, with its readings in the order in which they were taken.
func drawn(tx Reader, c card.Characteristic, stepID string, query ChartQuery) (Chart, error) {
	chart := Chart{Characteristic: c, StepID: stepID}
	newest, err := tx.ChartedReadings(shop.ChartedQuery{
		CharacteristicID: c.ID, From: query.From, To: query.To, Limit: shop.ChartReadings + 1,
	})
	if err != nil {
		return chart, err
	}
	frozen, err := tx.BaselinesOf(c.ID)
	if err != nil {
		return chart, err
	}
	for i := range frozen { // the last baseline with this subgroup size applies
		if frozen[i].Subgroup == query.Subgroup {
			chart.Baseline = &frozen[i]
		}
	}
	if chart.More = len(newest) > shop.ChartReadings; chart.More {
		newest = newest[:shop.ChartReadings]
	}
	err = chart.draw(shop.Charted(newest), query)
	return chart, err
}

// draw computes the chart of readings.
func (c *Chart) draw(readings []shop.ChartedReading, query ChartQuery) error {
	c.Subgroup, c.Rules = query.Subgroup, query.Rules
	sample, err := shop.SampleOf(readings)
	if err != nil {
		return err
	}
	drawn := spc.NewChart(sample, c.Subgroup)
	if c.Baseline != nil {
		drawn.Limits, drawn.Spread = c.Baseline.Limits, c.Baseline.Spread
		c.Rules = cmp.Or(c.Rules, c.Baseline.Rules)
	}
	c.Rules = cmp.Or(c.Rules, spc.WesternElectric)
	c.N, c.Mean, c.Deviation, c.Limits, c.Spread = sample.Len(), sample.Mean(), sample.Deviation(), drawn.Limits, drawn.Spread
	broken := drawn.Broken(c.Rules)
	c.Points = make([]ChartPoint, len(drawn.Points))
	for i := range c.Points {
		of := readings[i*c.Subgroup : (i+1)*c.Subgroup]
		c.Points[i] = ChartPoint{drawn.Points[i], drawn.Spreads[i], of[len(of)-1].MeasuredAt, of, append([]int{}, broken[i]...)}
	}
	if capability, ok := spc.Capable(sample, drawn, bound(c.Characteristic.Lower), bound(c.Characteristic.Upper)); ok {
		c.Capability = capability
	}
	return nil
}

// bound converts a specification limit to a number; nil for none.
func bound(limit input.Decimal) *float64 {
	if limit == "" {
		return nil
	}
	value, err := strconv.ParseFloat(string(limit), 64)
	if err != nil {
		return nil
	}
	return &value
}
