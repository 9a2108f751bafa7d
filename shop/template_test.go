package shop

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/shop/card"
)

// A step of a template keeps its characteristics at a new index, unless two steps match.
func TestTemplateStepsKeepCharacteristics(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before, after string
		want          []int
	}{
		{"ABC", "ABC", []int{0, 1, 2}},
		{"ABC", "XABC", []int{-1, 0, 1, 2}},
		{"ABC", "CA", []int{2, 0}},
		{"ABC", "AXC", []int{0, -1, 2}},
		{"ABA", "BAA", []int{1, 0, 2}},
		{"AAB", "BAA", []int{2, 1, 0}},
		{"AAB", "XBAA", []int{-1, 2, -1, -1}},
		{"AB", "XAA", []int{-1, -1, -1}},
	} {
		var before []TemplateStep
		for _, step := range routeOf(c.before) {
			before = append(before, TemplateStep{Name: step.Name})
		}
		after := routeOf(c.after)
		got := make([]int, len(after))
		for i := range after {
			got[i] = templateStepBefore(after, before, i)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s to %s:\n%s", c.before, c.after, diff)
		}
	}
}

// routeOf returns a step for each letter; a capital letter is a required step.
func routeOf(names string) []card.ProcessStep {
	var steps []card.ProcessStep
	for i, name := range strings.Split(names, "") {
		steps = append(steps, card.ProcessStep{ID: strings.ToLower(name), Name: name, Order: i, Optional: name == strings.ToLower(name)})
	}
	return steps
}
