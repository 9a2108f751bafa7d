package spc

import "math"

// Limits are a centre line and the control limits on both sides of it.
type Limits struct {
	Lower  float64 `json:"lower"`
	Centre float64 `json:"centre"`
	Upper  float64 `json:"upper"`
}

// Chart is a control chart: of individual values with their moving range, or of means of subgroups with their range.
type Chart struct {
	Subgroup int       // the number of values in a point
	Points   []float64 // the values, or the means of the subgroups
	Spreads  []float64 // the moving range that ends at each value (0 at the first value, which has none), or the range of each subgroup
	Limits   Limits    // the limits of the points
	Spread   Limits    // the limits of the spreads
	Within   float64   // the standard deviation of single values estimated from the spreads; 0 for fewer than two points
}

// NewChart computes the chart of a sample. Values at the end that do not fill a subgroup give no point. subgroup must be from 1 to
// SubgroupMost.
func NewChart(sample Sample, subgroup int) Chart {
	chart := Chart{Subgroup: subgroup}
	offsets, spreads := sample.offsets, []float64(nil)
	if subgroup == 1 {
		for i := 1; i < len(offsets); i++ {
			spreads = append(spreads, math.Abs(offsets[i]-offsets[i-1]))
		}
		chart.Spreads = append([]float64{0}, spreads...)[:len(offsets)]
	} else {
		offsets = nil
		for at := 0; at+subgroup <= len(sample.offsets); at += subgroup {
			group := sample.offsets[at : at+subgroup]
			least, most := group[0], group[0]
			for _, offset := range group {
				least, most = min(least, offset), max(most, offset)
			}
			offsets, spreads = append(offsets, mean(group)), append(spreads, most-least)
		}
		chart.Spreads = spreads
	}
	chart.Points = make([]float64, len(offsets))
	for i, offset := range offsets {
		chart.Points[i] = sample.origin + offset
	}
	n := max(subgroup, 2) // a moving range is the range of two values
	centre, spread := sample.origin+mean(offsets), mean(spreads)
	d2, _ := rangeConstants(n)
	far := 3 * spread / d2
	if subgroup > 1 {
		far = factorOfMean(subgroup) * spread
	}
	lower, upper := factorsOfRange(n)
	chart.Limits = Limits{centre - far, centre, centre + far}
	chart.Spread = Limits{lower * spread, spread, upper * spread}
	chart.Within = spread / d2
	return chart
}
