package views

import (
	"context"
	"slices"
	"strconv"

	"github.com/routecard/routecard/internal/spc"
	"github.com/routecard/routecard/shop"
)

// ChartQuery says which readings of a characteristic to chart, and how. Empty fields do not narrow.
type ChartQuery struct {
	From     shop.Timestamp
	To       shop.Timestamp
	Subgroup int         // how many readings make a point: 1 to spc.SubgroupMost; 0 for 1
	Rules    spc.RuleSet // "" for spc.WesternElectric
}

// Chart is the control chart of a characteristic: of its newest readings, at most shop.ChartReadings.
type Chart struct {
	Characteristic shop.Characteristic // as it is by now
	StepID         string
	Subgroup       int
	Rules          spc.RuleSet
	N              int // readings that are charted
	Mean           float64
	Deviation      float64
	Limits         spc.Limits // control limits, computed from the readings; never the specification's
	Spread         spc.Limits // of the moving range, or of the range of each subgroup
	Points         []ChartPoint
	Capability     spc.Capability // the zero Capability where it says nothing; see spc.Capable
	More           bool           // whether there are older readings than those that are charted
}

// ChartPoint is one point of a chart.
type ChartPoint struct {
	Value    float64
	Spread   float64 // 0 for the first of single readings, which has none
	At       shop.Timestamp
	Readings []shop.ChartedReading // those that make it
	Broken   []int                 // the rules that are broken there
}

// Out reports whether a rule is broken at the point.
func (p ChartPoint) Out() bool { return len(p.Broken) > 0 }

// JobCharts are the charts of a job: one for each number that is measured in it, in the order of its paths and their steps.
type JobCharts struct {
	Charts []Chart
	Steps  []string // the name of the step of each
}

// JobCharts charts what is measured in a job by now.
func (v *Views) JobCharts(ctx context.Context, job shop.JobDetail, query ChartQuery) (charts JobCharts, err error) {
	if err := query.check(); err != nil {
		return charts, err
	}
	err = v.store.Look(ctx, func(tx Reader) error {
		sets, err := tx.CharacteristicsOfJob(job.ID)
		if err != nil {
			return err
		}
		for _, path := range job.Paths {
			for i := range path.Steps {
				at := slices.IndexFunc(sets, func(set shop.CharacteristicSet) bool { return set.StepID == path.Steps[i].ID })
				if at < 0 {
					continue
				}
				for _, c := range sets[at].Characteristics {
					if c.Type != shop.NumberReading {
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

// Measures reports whether anything is measured in a job by now.
func (v *Views) Measures(ctx context.Context, jobID string) (measures bool, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		sets, err := tx.CharacteristicsOfJob(jobID)
		measures = slices.ContainsFunc(sets, func(set shop.CharacteristicSet) bool { return len(set.Characteristics) > 0 })
		return err
	})
	return measures, err
}

// ChartReader is what charts need of a database beside the readings.
type ChartReader interface {
	// CharacteristicsOfJob returns what is measured by now at the steps of a job's paths, in the order of the steps' identifiers.
	CharacteristicsOfJob(jobID string) ([]shop.CharacteristicSet, error)
}

// check judges what is not about a certain characteristic.
func (q ChartQuery) check() error {
	if q.Subgroup < 0 || q.Subgroup > spc.SubgroupMost {
		return shop.RefuseField(NotSubgroup, "subgroup")
	}
	if q.Rules != "" && !slices.Contains(spc.RuleSets(), q.Rules) {
		return shop.NotOneOf("rules", spc.RuleSets())
	}
	return nil
}

// drawn is the chart of a characteristic of type number, whose readings stand in the order in which they were taken.
func drawn(tx Reader, c shop.Characteristic, stepID string, query ChartQuery) (Chart, error) {
	chart := Chart{Characteristic: c, StepID: stepID}
	newest, err := tx.ChartedReadings(shop.ChartedQuery{
		CharacteristicID: c.ID, From: query.From, To: query.To, Limit: shop.ChartReadings + 1,
	})
	if err != nil {
		return chart, err
	}
	if chart.More = len(newest) > shop.ChartReadings; chart.More {
		newest = newest[:shop.ChartReadings]
	}
	err = chart.draw(shop.Charted(newest), query)
	return chart, err
}

// draw computes the chart of readings.
func (c *Chart) draw(readings []shop.ChartedReading, query ChartQuery) error {
	c.Subgroup, c.Rules = max(1, query.Subgroup), query.Rules
	if c.Rules == "" {
		c.Rules = spc.WesternElectric
	}
	values := make([]string, len(readings))
	for i := range readings {
		values[i] = readings[i].Value
	}
	sample, err := spc.NewSample(values)
	if err != nil {
		return err
	}
	drawn := spc.NewChart(sample, c.Subgroup)
	c.N, c.Mean, c.Deviation, c.Limits, c.Spread = sample.Len(), sample.Mean(), sample.Deviation(), drawn.Limits, drawn.Spread
	broken := drawn.Broken(c.Rules)
	c.Points = make([]ChartPoint, len(drawn.Points))
	for i := range c.Points {
		of := readings[i*c.Subgroup : (i+1)*c.Subgroup]
		c.Points[i] = ChartPoint{drawn.Points[i], drawn.Spreads[i], of[len(of)-1].MeasuredAt, of, broken[i]}
	}
	if capability, ok := spc.Capable(sample, drawn, bound(c.Characteristic.Lower), bound(c.Characteristic.Upper)); ok {
		c.Capability = capability
	}
	return nil
}

// bound is a specification limit as a number, nil for none.
func bound(limit shop.Decimal) *float64 {
	if limit == "" {
		return nil
	}
	value, err := strconv.ParseFloat(string(limit), 64)
	if err != nil {
		return nil
	}
	return &value
}

// NotSubgroup refuses a chart with subgroups of a size that no chart has.
var NotSubgroup = shop.NewReason(shop.Invalid, "invalid_subgroup", "{field} must be an integer from 1 to 10")
