package replay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop/card"
)

// stepsOf returns a step for each letter; a capital letter is a required step.
func stepsOf(names string) []card.ProcessStep {
	var steps []card.ProcessStep
	for i, name := range strings.Split(names, "") {
		steps = append(steps, card.ProcessStep{ID: strings.ToLower(name), Name: name, Order: i, Optional: name == strings.ToLower(name)})
	}
	return steps
}

func TestReroutes(t *testing.T) {
	t.Parallel()
	at := func(position int, count int64) UnitPlace { return UnitPlace{Position: position, Count: count} }
	done := func(position int, count int64) UnitPlace {
		return UnitPlace{Position: position, Done: true, Count: count}
	}
	for _, c := range []struct {
		before, after string
		units         []UnitPlace
		moves, passed string
		refusal       string
	}{
		{"ABC", "XABC", []UnitPlace{at(0, 1), at(2, 1), done(3, 1)}, "[{0 2 false 1} {3 3 true 1}]", "[{x 0 deferred}]", ""},
		{"ABC", "AXBC", []UnitPlace{at(0, 1), at(1, 5)}, "[{1 1 false 1}]", "[{x 1 deferred}]", ""},
		{"ABC", "AxBYCZ", []UnitPlace{at(1, 1), at(2, 1), done(3, 1)}, "[{2 2 false 2} {1 1 false 1} {3 3 true 2}]", "[{x 1 skipped} {y 3 deferred}]", ""},
		{"ABC", "ABXC", []UnitPlace{at(1, 1)}, "[]", "[]", ""},
		{"ABC", "ABCX", []UnitPlace{done(3, 1)}, "[]", "[]", ""},
		// Steps were appended after the units were completed: a new step before the appended steps comes after these units.
		{"ABC", "ABXC", []UnitPlace{done(2, 1)}, "[]", "[]", ""},
		{"ABC", "BAC", []UnitPlace{done(2, 1), at(2, 1)}, "[]", "[]", ""},
		{"ABC", "ACB", []UnitPlace{done(2, 3)}, "", "", "Step C cannot come before the end of the route that 3 completed units have left. Put it after the steps that they completed"},
		{"ABCD", "BADC", []UnitPlace{at(2, 4)}, "", "", "Step D cannot come to the other side of step C: 4 units stand there. Move these units first, or keep the order of these steps"},
		{"ABCD", "BACD", []UnitPlace{at(1, 2)}, "", "", "Step A cannot come to the other side of step B: 2 units stand there. Move these units first, or keep the order of these steps"},
		{"ABCD", "DCBA", nil, "[]", "[]", ""},
		{"AB", "XYAB", []UnitPlace{at(1, passedLimit/2)}, "[{1 1 false 2}]", "[{x 0 deferred} {y 1 deferred}]", ""},
		{"AB", "BA", []UnitPlace{done(2, movedLimit+1)}, "[]", "[]", ""},
		{"ABC", "XABC", []UnitPlace{at(0, 1), done(3, movedLimit)}, "", "", "100001 units stand at or after the first step that gets another place, and at most 100000 can be moved at once. Keep the order of the steps up to where most units stand"},
		{"AB", "XYAB", []UnitPlace{at(1, passedLimit/2+1)}, "", "", "Units are past the new steps 40002 times, and at most 40000 are recorded at once. Insert fewer steps at a time, or insert them after the units"},
	} {
		change, err := NewReorder(stepsOf(c.before), stepsOf(c.after)).Follow(c.units)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.refusal {
			t.Errorf("%s to %s: %q, want %q", c.before, c.after, got, c.refusal)
			continue
		}
		if moves, passed := fmt.Sprint(change.Moves), fmt.Sprint(change.Passed); err == nil && (moves != c.moves || passed != c.passed) {
			t.Errorf("%s to %s: %s, want %s; %s, want %s", c.before, c.after, moves, c.moves, passed, c.passed)
		}
	}
}
