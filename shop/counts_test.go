package shop

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

func TestProgress(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		goal    int64
		counts  SerialCounts
		percent float64
	}{
		{"nothing yet", 10, SerialCounts{}, 0},
		{"all under way", 10, SerialCounts{InProgress: 10}, 0},
		{"half", 10, SerialCounts{InProgress: 5, Completed: 5}, 50},
		{"scrapped ones shrink the denominator", 10, SerialCounts{Completed: 4, Scrapped: 2}, 50},
		{"done", 4, SerialCounts{Completed: 4}, 100},
		{"more than the goal", 4, SerialCounts{Completed: 6}, 150},
		{"more than the goal, some scrapped", 4, SerialCounts{Completed: 3, Scrapped: 2}, 150},
		{"all scrapped", 4, SerialCounts{Scrapped: 4}, 0},
		{"more scrapped than the goal", 4, SerialCounts{InProgress: 1, Scrapped: 5}, 0},
		{"all scrapped, one completed", 4, SerialCounts{Completed: 1, Scrapped: 4}, 100},
		{"more scrapped than the goal, one completed", 4, SerialCounts{Completed: 1, Scrapped: 9}, 100},
		{"a number without an end", 8, SerialCounts{Completed: 1}, 12.5},
	} {
		got := ProgressOf(Job{ID: "job_1", Name: "Bracket", GoalQuantity: test.goal}, test.counts)
		total := test.counts.InProgress + test.counts.Completed + test.counts.Scrapped
		want := JobProgress{
			JobID: "job_1", JobName: "Bracket", GoalQuantity: test.goal, OrderedQuantity: test.goal,
			TotalSerials: total, ProducedQuantity: total, CompletedSerials: test.counts.Completed,
			InProgressSerials: test.counts.InProgress, ScrappedSerials: test.counts.Scrapped, ProgressPercent: test.percent,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestDistribution(t *testing.T) {
	t.Parallel()
	type row struct {
		Standing, Completed int64
		Bottleneck          bool
	}
	for _, test := range []struct {
		name   string
		counts PathCounts
		want   []row
	}{
		{"no serials", PathCounts{}, []row{{}, {}, {}}},
		{
			"one bottleneck",
			PathCounts{Standing: []StandingCount{{card.InProgress, 0, 2}, {card.InProgress, 1, 5}, {card.InProgress, 2, 1}}},
			[]row{{2, 6, false}, {5, 1, true}, {1, 0, false}},
		},
		{
			"two bottlenecks",
			PathCounts{Standing: []StandingCount{{card.InProgress, 0, 3}, {card.InProgress, 2, 3}}},
			[]row{{3, 3, true}, {0, 3, false}, {3, 0, true}},
		},
		{
			"closed serials stand nowhere, and completed what lies behind them",
			PathCounts{Standing: []StandingCount{{card.Completed, 3, 4}, {card.Completed, 1, 1}, {card.Scrapped, 2, 2}, {card.Scrapped, 0, 9}}},
			[]row{{0, 7, false}, {0, 6, false}, {0, 4, false}},
		},
		{
			"bypassed steps are not completed until they are",
			PathCounts{
				Standing: []StandingCount{{card.InProgress, 2, 6}},
				Exceptions: []ExceptionCount{
					{"a", card.StepSkipped, 1}, {"b", card.StepDeferred, 1}, {"b", card.StepWaived, 2}, {"b", card.StepCompleted, 3}, {"gone", card.StepSkipped, 9},
				},
			},
			[]row{{0, 5, false}, {0, 3, false}, {6, 0, true}},
		},
	} {
		path := card.Path{Steps: []card.ProcessStep{{ID: "a", Name: "step a"}, {ID: "b", Name: "step b", Order: 1}, {ID: "c", Name: "step c", Order: 2}}}
		path.Steps[1].Location = "bay 4"
		for i, got := range DistributionOf(path, test.counts) {
			step := path.Steps[i]
			want := StepDistribution{
				StepID: step.ID, StepName: step.Name, StepOrder: i, Location: step.Location,
				SerialCount: test.want[i].Standing, CompletedCount: test.want[i].Completed, IsBottleneck: test.want[i].Bottleneck,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, step %d (-want +got):\n%s", test.name, i, diff)
			}
		}
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	counts := map[string]SerialCounts{
		"job_1": {InProgress: 2, Completed: 3, Scrapped: 7},
		"job_2": {InProgress: 1, Completed: 4},
	}
	bom := BOM{ID: "bom_1", Name: "Gearbox", Entries: []BOMEntry{
		{PartType: "housing", RequiredQuantityPerBuild: 10, ContributingJobIDs: []string{"job_1", "job_2"}},
		{PartType: "shaft", RequiredQuantityPerBuild: 2, ContributingJobIDs: []string{"job_1"}},
		{PartType: "named twice", RequiredQuantityPerBuild: 4.5, ContributingJobIDs: []string{"job_1", "job_1"}},
		{PartType: "of nobody", RequiredQuantityPerBuild: 1, ContributingJobIDs: []string{}},
		{PartType: "of a job that is gone", RequiredQuantityPerBuild: 1, ContributingJobIDs: []string{"job_9"}},
	}}
	want := BOMSummary{BOMID: "bom_1", BOMName: "Gearbox", Entries: []BOMSummaryEntry{
		{"housing", 10, 7, 3, 3},
		{"shaft", 2, 3, 2, 0},
		{"named twice", 4.5, 3, 2, 1.5},
		{"of nobody", 1, 0, 0, 1},
		{"of a job that is gone", 1, 0, 0, 1},
	}}
	if diff := cmp.Diff(want, summaryOf(bom, counts)); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

func TestApplyMoves(t *testing.T) {
	t.Parallel()
	path := card.Path{ID: "path_1", Steps: []card.ProcessStep{{ID: "a"}, {ID: "b"}, {ID: "c"}}}
	before := []StandingCount{{card.Completed, 3, 4}, {card.InProgress, 0, 2}, {card.InProgress, 2, 1}}
	move := func(action trail.Action, from, to string, count int64) Move {
		return Move{PathID: "path_1", Action: action, FromStepID: from, ToStepID: to, Count: count}
	}
	for _, test := range []struct {
		name  string
		moves []Move
		want  []StandingCount // nil if the path must be counted
	}{
		{"nothing", nil, before},
		{"created", []Move{{Action: card.ActionSerialCreated, Count: 2, Quantity: 7}},
			[]StandingCount{{card.Completed, 3, 4}, {card.InProgress, 0, 9}, {card.InProgress, 2, 1}}},
		{"one step on", []Move{move(card.ActionSerialAdvanced, "a", "b", 1)},
			[]StandingCount{{card.Completed, 3, 4}, {card.InProgress, 0, 1}, {card.InProgress, 1, 1}, {card.InProgress, 2, 1}}},
		{"the last one leaves", []Move{move(card.ActionSerialAdvanced, "a", "c", 2)}, []StandingCount{{card.Completed, 3, 4}, {card.InProgress, 2, 3}}},
		{"completed by advancing", []Move{move(card.ActionSerialCompleted, "c", "", 1)}, []StandingCount{{card.Completed, 3, 5}, {card.InProgress, 0, 2}}},
		{"completed by a jump", []Move{move(card.ActionSerialAdvanced, "a", "", 2)}, []StandingCount{{card.Completed, 3, 6}, {card.InProgress, 2, 1}}},
		{"scrapped", []Move{{Action: card.ActionSerialScrapped, StepID: "a", Count: 1}},
			[]StandingCount{{card.Completed, 3, 4}, {card.InProgress, 0, 1}, {card.InProgress, 2, 1}, {card.Scrapped, 0, 1}}},
		{"through a step and on, in any order", []Move{move(card.ActionSerialAdvanced, "b", "c", 2), move(card.ActionSerialAdvanced, "a", "b", 2)},
			[]StandingCount{{card.Completed, 3, 4}, {card.InProgress, 2, 3}}},
		{"more than there are", []Move{move(card.ActionSerialAdvanced, "a", "b", 3)}, nil},
		{"from a step that is gone", []Move{move(card.ActionSerialAdvanced, "x", "b", 1)}, nil},
		{"to a step that is gone", []Move{move(card.ActionSerialAdvanced, "a", "x", 1)}, nil},
		{"scrapped at a step that is gone", []Move{{Action: card.ActionSerialScrapped, StepID: "x", Count: 1}}, nil},
		{"the steps were changed", []Move{{Action: card.ActionPathUpdated, Count: 1}}, nil},
		{"force-completed", []Move{{Action: card.ActionSerialForceCompleted, Count: 1}}, nil},
		{"an action that is not known here", []Move{{Action: "x", Count: 1}}, nil},
	} {
		got, known := applyMoves(path, before, test.moves)
		if !known {
			got = nil
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
