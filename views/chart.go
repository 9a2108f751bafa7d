package views

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/routecard/routecard/internal/spc"
	"github.com/routecard/routecard/shop"
)

// ChartReadings is how many readings a chart has at most: the newest of those that are asked for.
const ChartReadings = 10_000

// ChartQuery says which readings of a characteristic to chart, and how. Empty fields do not narrow.
type ChartQuery struct {
	From     shop.Timestamp
	To       shop.Timestamp
	Subgroup int         // how many readings make a point: 1 to spc.SubgroupMost; 0 for 1
	Rules    spc.RuleSet // "" for spc.WesternElectric
}

// Chart is the control chart of a characteristic.
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
	Readings []shop.Measurement // those that make it
	Broken   []int              // the rules that are broken there
}

// Out reports whether a rule is broken at the point.
func (p ChartPoint) Out() bool { return len(p.Broken) > 0 }

// Chart charts the readings of a characteristic of type number, in the order in which they were taken. Of a unit that was measured again
// in the same pass the last reading counts; those that were voided do not.
func (v *Views) Chart(ctx context.Context, characteristicID string, query ChartQuery) (chart Chart, err error) {
	if query.Subgroup < 0 || query.Subgroup > spc.SubgroupMost {
		return chart, shop.RefuseField(NotSubgroup, "subgroup")
	}
	if query.Rules != "" && !slices.Contains(spc.RuleSets(), query.Rules) {
		return chart, shop.NotOneOf("rules", spc.RuleSets())
	}
	err = v.store.Look(ctx, func(tx Reader) error {
		if chart.Characteristic, chart.StepID, err = findCharacteristic(tx, characteristicID); err != nil {
			return err
		}
		newest, err := tx.Measurements(shop.MeasurementQuery{
			CharacteristicID: characteristicID, From: query.From, To: query.To, Limit: ChartReadings + 1,
		})
		if err != nil {
			return err
		}
		if chart.More = len(newest) > ChartReadings; chart.More {
			newest = newest[:ChartReadings]
		}
		return chart.draw(counted(newest), query)
	})
	return chart, err
}

// findCharacteristic finds a characteristic as it is by now, or as it was last when its step has none such any more, and its step.
func findCharacteristic(tx Reader, id string) (shop.Characteristic, string, error) {
	readings, err := tx.Measurements(shop.MeasurementQuery{CharacteristicID: id, Limit: 1})
	if err != nil {
		return shop.Characteristic{}, "", err
	}
	if len(readings) > 0 {
		path, err := tx.PathOfStep(readings[0].StepID)
		if err != nil && !errors.Is(err, shop.ErrNoRecord) {
			return shop.Characteristic{}, "", err
		}
		if c := among(path.CharacteristicsOf(readings[0].StepID), id); c != nil {
			return *c, readings[0].StepID, nil
		}
	}
	var found shop.Characteristic
	var step string
	for set, err := range tx.AllCharacteristics() {
		if err != nil {
			return found, "", err
		}
		if c := among(set, id); c != nil {
			found, step = *c, set.StepID // the newest set comes last
		}
	}
	if step == "" {
		return found, "", shop.NameCharacteristic.NotFound(id)
	}
	return found, step, nil
}

func among(set shop.CharacteristicSet, id string) *shop.Characteristic {
	i := slices.IndexFunc(set.Characteristics, func(c shop.Characteristic) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return &set.Characteristics[i]
}

// counted are the readings that count, oldest first.
func counted(newestFirst []shop.Measurement) []shop.Measurement {
	type measured struct {
		serial string
		pass   int
	}
	seen := make(map[measured]bool, len(newestFirst))
	count := make([]shop.Measurement, 0, len(newestFirst))
	for i := range newestFirst {
		m := &newestFirst[i]
		if of := (measured{m.SerialID, m.Pass}); !m.Voided() && !seen[of] {
			seen[of] = true
			count = append(count, *m)
		}
	}
	slices.Reverse(count)
	return count
}

// draw computes the chart of readings.
func (c *Chart) draw(readings []shop.Measurement, query ChartQuery) error {
	c.Subgroup, c.Rules = max(1, query.Subgroup), query.Rules
	if c.Rules == "" {
		c.Rules = spc.WesternElectric
	}
	if c.Characteristic.Type != shop.NumberReading {
		return shop.Refuse(NotCharted, c.Characteristic.Called())
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

// Why a chart is refused.
var (
	NotSubgroup = shop.NewReason(shop.Invalid, "invalid_subgroup", "{field} must be an integer from 1 to 10")
	NotCharted  = shop.NewReason(shop.Invalid, "not_charted", "Characteristic {number} is no number, and has no chart")
)
