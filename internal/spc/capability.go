package spc

import "math"

// CapabilityLeast is the minimum number of values for a capability. With fewer values it depends more on chance than on the process.
const CapabilityLeast = 25

// Capability compares the spread of values with specification limits. Cp and Pp need both limits, and are 0 otherwise.
type Capability struct {
	N        int     `json:"n"`
	Cp       float64 `json:"cp,omitempty"` // with the spread within subgroups, or from value to value
	Cpk      float64 `json:"cpk"`
	Pp       float64 `json:"pp,omitempty"` // with the spread of all values
	Ppk      float64 `json:"ppk"`
	TwoSided bool    `json:"-"`
}

// Capable computes the capability of a sample and its chart for specification limits, nil for no limit on that side. It returns false
// without limits, for fewer than CapabilityLeast values, and if the values have no spread.
func Capable(sample Sample, chart Chart, lower, upper *float64) (c Capability, ok bool) {
	c.N = sample.Len()
	overall := sample.Deviation()
	if c.N < CapabilityLeast || lower == nil && upper == nil || chart.Within <= 0 || overall <= 0 {
		return c, false
	}
	nearest := math.Inf(1)
	if lower != nil {
		nearest = min(nearest, sample.Mean()-*lower)
	}
	if upper != nil {
		nearest = min(nearest, *upper-sample.Mean())
	}
	c.Cpk, c.Ppk = nearest/(3*chart.Within), nearest/(3*overall)
	if c.TwoSided = lower != nil && upper != nil; c.TwoSided {
		c.Cp, c.Pp = (*upper-*lower)/(6*chart.Within), (*upper-*lower)/(6*overall)
	}
	return c, true
}
