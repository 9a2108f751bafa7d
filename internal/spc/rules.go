package spc

import "math"

// RuleSet is a named set of rules that detect unusual points of a chart.
type RuleSet string

// The sets of rules. Only rules 1 and 4 of Western Electric are used: with all four rules, one chart in ten has a false alarm.
const (
	WesternElectric RuleSet = "western_electric" // 1: beyond a control limit; 4: eight in a row on one side of the centre
	Nelson          RuleSet = "nelson"           // 1 to 8
)

// RuleSets returns every set.
func RuleSets() []RuleSet { return []RuleSet{WesternElectric, Nelson} }

// rule is one rule of a set: its number in the set, and how many of a run of points must satisfy its condition.
type rule struct {
	number, of, in int
	holds          func(run []float64) bool // run has the distances from the centre in standard deviations of the points; see Broken
}

// rules returns the rules of the set.
func (s RuleSet) rules() []rule {
	beyond := func(number, of, in int, far float64) rule {
		return rule{number: number, of: of, in: in, holds: func(run []float64) bool {
			above, below := 0, 0
			for _, z := range run {
				if z > far {
					above++
				}
				if z < -far {
					below++
				}
			}
			last := run[len(run)-1]
			return last > far && above >= of || last < -far && below >= of
		}}
	}
	switch s {
	case WesternElectric:
		return []rule{beyond(1, 1, 1, 3), beyond(4, 8, 8, 0)}
	case Nelson:
		return []rule{
			beyond(1, 1, 1, 3), beyond(2, 9, 9, 0), {3, 6, 6, steady}, {4, 14, 14, alternating}, beyond(5, 2, 3, 2), beyond(6, 4, 5, 1),
			{7, 15, 15, func(run []float64) bool { return all(run, func(z float64) bool { return math.Abs(z) < 1 }) }},
			{8, 8, 8, func(run []float64) bool { return all(run, func(z float64) bool { return math.Abs(z) > 1 }) }},
		}
	}
	return nil
}

func all(run []float64, holds func(float64) bool) bool {
	for _, z := range run {
		if !holds(z) {
			return false
		}
	}
	return true
}

// steady reports whether each point is above the previous one, or each point is below it.
func steady(run []float64) bool {
	up, down := true, true
	for i := 1; i < len(run); i++ {
		up, down = up && run[i] > run[i-1], down && run[i] < run[i-1]
	}
	return up || down
}

// alternating reports whether the points alternate up and down.
func alternating(run []float64) bool {
	for i := 2; i < len(run); i++ {
		if (run[i]-run[i-1])*(run[i-1]-run[i-2]) >= 0 {
			return false
		}
	}
	return true
}

// Broken returns, for each point of a chart, the numbers of the rules that are broken there: a rule about several points is broken at the
// last of them. A chart without any spread breaks no rule.
func (c Chart) Broken(set RuleSet) [][]int {
	broken := make([][]int, len(c.Points))
	sigma := (c.Limits.Upper - c.Limits.Centre) / 3
	if sigma <= 0 {
		return broken
	}
	distances := make([]float64, len(c.Points))
	for i, point := range c.Points {
		distances[i] = (point - c.Limits.Centre) / sigma
	}
	for _, rule := range set.rules() {
		for end := 1; end <= len(distances); end++ {
			run := distances[max(0, end-rule.in):end]
			if len(run) >= rule.of && rule.holds(run) {
				broken[end-1] = append(broken[end-1], rule.number)
			}
		}
	}
	return broken
}
