package workorder_test

import (
	"cmp"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/shop/workorder"
)

// docs/api/jobs.md, "Late jobs": late first, then priority, due date, and creation.
func TestUrgency(t *testing.T) {
	t.Parallel()
	ordered := []workorder.Urgency{ // the most urgent first
		{Late: true, Priority: 1, DueDate: "2026-02-01", JobID: "job_2"},
		{Late: true, DueDate: "2026-01-01", JobID: "job_1"},
		{Late: true, DueDate: "2026-01-01", JobID: "job_2"},
		{Late: true, DueDate: "2026-01-02", JobID: "job_1"},
		{Late: true, Priority: 5, DueDate: "2020-01-02", JobID: "job_1"},
		{Priority: 1, JobID: "job_9"},
		{Priority: 2, DueDate: "2999-12-31", JobID: "job_9"},
		{Priority: 2, JobID: "job_1"},
		{DueDate: "2999-12-31", JobID: "job_9"},
		{JobID: "job_1"},
		{JobID: "job_2"},
		{Priority: 4, DueDate: "2026-02-01", JobID: "job_1"},
	}
	for i := range ordered {
		for j := range ordered {
			if got := ordered[i].Compare(ordered[j]); got != cmp.Compare(i, j) {
				t.Errorf("%+v against %+v is %d", ordered[i], ordered[j], got)
			}
		}
	}
}

// Compare ranks by the criteria of the rule, one after the other.
func TestUrgencyComparesByTheRule(t *testing.T) {
	t.Parallel()
	drawn := rapid.Custom(func(t *rapid.T) workorder.Urgency {
		return workorder.Urgency{
			Late: rapid.Bool().Draw(t, "late"), Priority: workorder.PriorityOf(rapid.Int64Range(1, 5).Draw(t, "priority")),
			DueDate: rapid.SampledFrom([]string{"", "2026-01-31", "2026-02-01", "9999-12-31"}).Draw(t, "due"),
			JobID:   rapid.SampledFrom([]string{"job_1", "job_2"}).Draw(t, "job"),
		}
	})
	rank := func(u workorder.Urgency) (late int, due string) {
		if !u.Late {
			late = 1
		}
		return late, cmp.Or(u.DueDate, "~")
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawn.Draw(t, "a"), drawn.Draw(t, "b")
		lateA, dueA := rank(a)
		lateB, dueB := rank(b)
		want := cmp.Or(cmp.Compare(lateA, lateB), cmp.Compare(a.Priority.Number(), b.Priority.Number()), cmp.Compare(dueA, dueB),
			cmp.Compare(a.JobID, b.JobID))
		if got := a.Compare(b); got != want {
			t.Fatalf("%+v against %+v is %d, want %d", a, b, got, want)
		}
		if got := cmp.Compare(a.Key(), b.Key()); got != want {
			t.Fatalf("the keys of %+v and %+v compare as %d, want %d", a, b, got, want)
		}
	})
}
