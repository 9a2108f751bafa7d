package card

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
)

// cardOf returns the card of a unit on a path with these dependency types; a trailing "?" makes a step optional.
func cardOf(mode AdvancementMode, position int, steps ...string) Card {
	c := Card{
		Serial:     Serial{ID: "SN-00001", JobID: "job_1", PathID: "path_1", Position: position, Status: InProgress},
		Path:       Path{ID: "path_1", JobID: "job_1", AdvancementMode: mode},
		Exceptions: map[string]StepException{},
		Overrides:  map[string]Override{},
	}
	for i, dependency := range steps {
		step := ProcessStep{ID: stepID(i), Name: "step " + stepID(i), Order: i, DependencyType: DependencyType(dependency)}
		if last := len(dependency) - 1; dependency[last] == '?' {
			step.Optional, step.DependencyType = true, DependencyType(dependency[:last])
		}
		c.Path.Steps = append(c.Path.Steps, step)
	}
	return c
}

func stepID(i int) string { return string(rune('a' + i)) }

func (c Card) with(i int, status StepStatus) Card {
	return c.Apply(Change{Serial: c.Serial, Exceptions: []StepException{{StepID: stepID(i), Status: status}}})
}

func (c Card) overriding(i int) Card {
	c.Overrides = map[string]Override{stepID(i): {StepID: stepID(i), Active: true}}
	return c
}

func (c Card) in(status SerialStatus, completion *ForceCompletion) Card {
	c.Serial.Status, c.Serial.Completion = status, completion
	return c
}

func TestStepStatus(t *testing.T) {
	t.Parallel()
	three := func(position int) Card { return cardOf(Flexible, position, "preferred", "preferred", "preferred") }
	for _, test := range []struct {
		name string
		card Card
		want []StepStatus
	}{
		{"new", three(0), []StepStatus{"in_progress", "pending", "pending"}},
		{"in the middle", three(1), []StepStatus{"completed", "in_progress", "pending"}},
		{"on the last step", three(2), []StepStatus{"completed", "completed", "in_progress"}},
		{"completed", three(3).in(Completed, nil), []StepStatus{"completed", "completed", "completed"}},
		{
			"completed, then a step was appended", cardOf(Flexible, 2, "preferred", "preferred", "preferred").in(Completed, nil),
			[]StepStatus{"completed", "completed", "pending"},
		},
		{
			"completed, then two steps were appended", three(1).in(Completed, nil),
			[]StepStatus{"completed", "pending", "pending"},
		},
		{"scrapped reads as it was", three(1).in(Scrapped, nil), []StepStatus{"completed", "in_progress", "pending"}},
		{"force-completed reads as it was", three(1).in(Completed, &ForceCompletion{}), []StepStatus{"completed", "in_progress", "pending"}},
		{"force-completed on the first step", three(0).in(Completed, &ForceCompletion{}), []StepStatus{"in_progress", "pending", "pending"}},
		{"bypassed steps", three(2).with(0, StepSkipped).with(1, StepDeferred), []StepStatus{"skipped", "deferred", "in_progress"}},
		{"resolved afterwards", three(2).with(0, StepWaived).with(1, StepCompleted), []StepStatus{"waived", "completed", "in_progress"}},
		{
			"completed with bypassed steps open", three(3).with(0, StepDeferred).with(2, StepSkipped).in(Completed, nil),
			[]StepStatus{"deferred", "completed", "skipped"},
		},
	} {
		got := make([]StepStatus, len(test.card.Path.Steps))
		for i := range got {
			got[i] = test.card.StepStatus(i)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// Operations cannot produce some of these cards, because a serial on its way never moves back and a step ahead of it is always pending. The
// rules still define results for them.
func TestCheckTarget(t *testing.T) {
	t.Parallel()
	const (
		behind   = "Cannot advance to a step at or before the current position"
		beyond   = "Target step index is out of range"
		strict   = "Path is in strict mode — can only advance to the next sequential step"
		physical = "Cannot skip step with physical dependency"
		gate     = "Cannot skip step with completion_gate dependency"
	)
	between := func(mode AdvancementMode, steps ...string) Card {
		return cardOf(mode, 0, append(append([]string{"preferred"}, steps...), "preferred")...)
	}
	type row struct {
		name   string
		card   Card
		target int64
		want   string
	}
	rows := []row{
		{"strict: the next step", cardOf(Strict, 0, "preferred", "preferred", "preferred"), 1, ""},
		{"strict: the step after the next", cardOf(Strict, 0, "preferred", "preferred", "preferred"), 2, strict},
		{"strict: past an optional step", cardOf(Strict, 0, "preferred", "preferred?", "preferred"), 2, strict},
		{"strict: past an overridden step", cardOf(Strict, 0, "preferred", "preferred", "preferred").overriding(1), 2, strict},
		{"strict: completion from the last step", cardOf(Strict, 2, "preferred", "preferred", "preferred"), 3, ""},
		{"strict: completion from elsewhere", cardOf(Strict, 1, "preferred", "preferred", "preferred"), 3, strict},
		{"strict: out of range is told first", cardOf(Strict, 0, "preferred", "preferred"), 3, beyond},
		{"strict: behind is told first", cardOf(Strict, 1, "preferred", "preferred"), 0, behind},
		{"strict: physical has no effect", cardOf(Strict, 0, "preferred", "physical", "preferred"), 1, ""},
		{"strict: a jump past a physical step is a matter of mode", cardOf(Strict, 0, "preferred", "physical", "preferred"), 2, strict},
	}
	jumping := func(mode AdvancementMode) []row {
		p := string(mode) + ": "
		return []row{
			{p + "where it stands", between(mode, "preferred"), 0, behind},
			{p + "before the path", between(mode, "preferred"), -1, behind},
			{p + "far before the path", between(mode, "preferred"), -input.NumberLimit, behind},
			{p + "completion", between(mode, "preferred"), 3, ""},
			{p + "beyond completion", between(mode, "preferred"), 4, beyond},
			{p + "far beyond completion", between(mode, "preferred"), input.NumberLimit, beyond},
			{p + "onto a physical step", between(mode, "physical"), 1, ""},
			{p + "onto a gate", between(mode, "completion_gate"), 1, ""},
			{p + "off a physical step", cardOf(mode, 0, "physical", "preferred", "preferred"), 2, ""},
			{p + "off a gate", cardOf(mode, 0, "completion_gate", "preferred", "preferred"), 2, ""},
			{p + "past preferred steps", between(mode, "preferred", "preferred", "preferred"), 4, ""},
			{p + "past a physical step", between(mode, "physical"), 2, physical},
			{p + "to completion past a physical step", cardOf(mode, 0, "preferred", "physical"), 2, physical},
			{p + "past an optional physical step", between(mode, "physical?"), 2, ""},
			{p + "past an overridden physical step", between(mode, "physical").overriding(1), 2, ""},
			{p + "past a completed physical step", between(mode, "physical").with(1, StepCompleted), 2, ""},
			{p + "past a waived physical step", between(mode, "physical").with(1, StepWaived), 2, physical},
			{p + "past a deferred physical step", between(mode, "physical").with(1, StepDeferred), 2, physical},
			{p + "past a skipped physical step", between(mode, "physical").with(1, StepSkipped), 2, physical},
			{p + "past a gate", between(mode, "completion_gate"), 2, gate},
			{p + "to completion past a gate", cardOf(mode, 0, "preferred", "completion_gate"), 2, gate},
			{p + "past an optional gate", between(mode, "completion_gate?"), 2, ""},
			{p + "past an overridden gate", between(mode, "completion_gate").overriding(1), 2, ""},
			{p + "past a completed gate", between(mode, "completion_gate").with(1, StepCompleted), 2, ""},
			{p + "past a waived gate", between(mode, "completion_gate").with(1, StepWaived), 2, ""},
			{p + "past a deferred gate", between(mode, "completion_gate").with(1, StepDeferred), 2, gate},
			{p + "past a skipped gate", between(mode, "completion_gate").with(1, StepSkipped), 2, ""},
			{p + "past an open gate behind one that is released", between(mode, "completion_gate?", "completion_gate"), 3, gate},
			{p + "physical is told before a gate", between(mode, "completion_gate", "physical"), 3, physical},
		}
	}
	for _, test := range slices.Concat(rows, jumping(Flexible), jumping(PerStep)) {
		got := ""
		if err := CheckTarget(test.card, test.target); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestAdvanceToClassifies(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		status StepStatus // status of the step between the serial and the target
		card   Card
		want   StepStatus // "" if the status does not change
	}{
		{"optional", StepPending, cardOf(Flexible, 0, "preferred", "preferred?", "preferred"), StepSkipped},
		{"overridden", StepPending, cardOf(Flexible, 0, "preferred", "preferred", "preferred").overriding(1), StepSkipped},
		{"required", StepPending, cardOf(Flexible, 0, "preferred", "preferred", "preferred"), StepDeferred},
		{"optional physical", StepPending, cardOf(Flexible, 0, "preferred", "physical?", "preferred"), StepSkipped},
		{"required, deferred before", StepDeferred, cardOf(Flexible, 0, "preferred", "preferred", "preferred"), StepDeferred},
		{"completed before", StepCompleted, cardOf(Flexible, 0, "preferred", "physical", "preferred"), ""},
		{"completed before, optional", StepCompleted, cardOf(Flexible, 0, "preferred", "preferred?", "preferred"), ""},
		{"waived before", StepWaived, cardOf(Flexible, 0, "preferred", "completion_gate", "preferred"), ""},
	} {
		before := test.card
		if test.status != StepPending {
			before = before.with(1, test.status)
		}
		change, bypassed := AdvanceTo(before, 2, "bob", 7)
		want := Change{Serial: before.Serial, Moved: true}
		want.Serial.Position, want.Serial.UpdatedAt = 2, 7
		about := trail.Entry{UserID: "bob", Timestamp: 7, SerialID: "SN-00001", JobID: "job_1", PathID: "path_1"}
		moved := about
		moved.Action, moved.FromStepID, moved.ToStepID = ActionSerialAdvanced, "a", "c"
		want.Audit = []trail.Entry{moved}
		wantBypassed := []Bypass{}
		if test.want != "" {
			wantBypassed = []Bypass{{StepID: "b", StepName: "step b", Classification: test.want}}
			want.Exceptions = []StepException{{StepID: "b", Status: test.want, UpdatedAt: 7}}
			about.Action, about.StepID = "step_"+trail.Action(test.want), "b"
			want.Audit = append(want.Audit, about)
		}
		if diff := cmp.Diff(want, change); diff != "" {
			t.Errorf("%s: change (-want +got):\n%s", test.name, diff)
		}
		if diff := cmp.Diff(wantBypassed, bypassed); diff != "" {
			t.Errorf("%s: bypassed (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestIncompleteRequiredSteps(t *testing.T) {
	t.Parallel()
	// a completed, b skipped, c deferred, d waived, e in progress, f optional, g required, h overridden
	c := cardOf(Flexible, 4, "preferred", "preferred?", "preferred", "preferred", "preferred", "physical?", "physical", "preferred").
		with(1, StepSkipped).with(2, StepDeferred).with(3, StepWaived).overriding(7)
	if diff := cmp.Diff([]string{"c", "e", "g"}, incompleteRequiredSteps(c)); diff != "" {
		t.Errorf("open steps (-want +got):\n%s", diff)
	}
	c.Path.Steps[1].Optional = false // made required after it was skipped
	if diff := cmp.Diff([]string{"b", "c", "e", "g"}, incompleteRequiredSteps(c)); diff != "" {
		t.Errorf("open steps (-want +got):\n%s", diff)
	}
}

func TestApplyLeavesTheCardBefore(t *testing.T) {
	t.Parallel()
	before := cardOf(Flexible, 0, "preferred", "preferred").overriding(1)
	after := before.Apply(Change{
		Serial:     Serial{ID: "SN-00001", Position: 1},
		Exceptions: []StepException{{StepID: "b", Status: StepSkipped}},
		Reversed:   []Override{{StepID: "b"}},
	})
	if len(before.Exceptions) != 0 || len(before.Overrides) != 1 || before.Serial.Position != 0 {
		t.Errorf("the card before the change has become %+v", before)
	}
	if after.Exceptions["b"].Status != StepSkipped || len(after.Overrides) != 0 || after.Serial.Position != 1 {
		t.Errorf("the card after the change is %+v", after)
	}
}
