package routecard_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard"
)

func threeSteps() routecard.Path {
	return routecard.Path{ID: "path_1", JobID: "job_1", AdvancementMode: routecard.Flexible, Steps: []routecard.ProcessStep{
		{ID: "saw", Name: "Saw"}, {ID: "mill", Name: "Mill"}, {ID: "pack", Name: "Pack"},
	}}
}

// told is an entry about SN-00002 at a time.
func told(at routecard.Timestamp, action routecard.AuditAction, change func(*routecard.AuditEntry)) routecard.AuditEntry {
	entry := routecard.AuditEntry{
		ID: routecard.AuditID(int64(at)), Action: action, UserID: "ann", Timestamp: at,
		SerialID: "SN-00002", JobID: "job_1", PathID: "path_1",
	}
	if change != nil {
		change(&entry)
	}
	return entry
}

func from(stepID, to string) func(*routecard.AuditEntry) {
	return func(e *routecard.AuditEntry) { e.FromStepID, e.ToStepID = stepID, to }
}

func at(stepID string) func(*routecard.AuditEntry) {
	return func(e *routecard.AuditEntry) { e.StepID = stepID }
}

func with(stepID, metadata string) func(*routecard.AuditEntry) {
	return func(e *routecard.AuditEntry) { e.StepID, e.Metadata = stepID, json.RawMessage(metadata) }
}

func creation(at routecard.Timestamp, metadata string) routecard.AuditEntry {
	return told(at, routecard.ActionSerialCreated, func(e *routecard.AuditEntry) {
		e.SerialID, e.BatchQuantity = "", 3
		if metadata != "" {
			e.Metadata = json.RawMessage(metadata)
		}
	})
}

const madeThree = `{"firstSerialId": "SN-00001", "lastSerialId": "SN-00003"}`

func TestReplay(t *testing.T) {
	t.Parallel()
	forced := routecard.ForceCompletion{By: "ann", At: 3, Reason: "rush"}
	for _, c := range []struct {
		name    string
		entries []routecard.AuditEntry
		want    routecard.Serial
		untold  []string
	}{
		{
			"fresh", []routecard.AuditEntry{creation(1, madeThree)},
			routecard.Serial{Status: routecard.InProgress, CreatedAt: 1, UpdatedAt: 1}, []string{},
		},
		{
			"an older trail says when the batch was made", []routecard.AuditEntry{creation(1, "")},
			routecard.Serial{Status: routecard.InProgress, CreatedAt: 1, UpdatedAt: 1}, []string{},
		},
		{
			"nothing but what is about the serial",
			[]routecard.AuditEntry{told(2, routecard.ActionSerialAdvanced, from("saw", "mill"))},
			routecard.Serial{Status: routecard.InProgress, Position: 1, UpdatedAt: 2},
			[]string{"createdAt"},
		},
		{
			"no entry", nil, routecard.Serial{Status: routecard.InProgress}, []string{"createdAt", "updatedAt"},
		},
		{
			"force-completed where it stood",
			[]routecard.AuditEntry{
				creation(1, madeThree), told(2, routecard.ActionSerialAdvanced, from("saw", "mill")),
				told(3, routecard.ActionSerialForceCompleted, with("", `{"incompleteStepIds": ["mill"], "reason": "rush"}`)),
			},
			routecard.Serial{
				Status: routecard.Completed, Position: 1, Completion: &forced, CreatedAt: 1, UpdatedAt: 3,
			}, []string{},
		},
		{
			"completed over steps that it bypassed; what was appended since is not among them",
			[]routecard.AuditEntry{
				creation(1, madeThree), told(2, routecard.ActionSerialAdvanced, from("saw", "")),
				told(2, routecard.ActionStepDeferred, at("mill")), told(3, routecard.ActionCertAttached, at("saw")),
				told(4, "a_later_action", at("elsewhere")),
			},
			routecard.Serial{Status: routecard.Completed, Position: 2, CreatedAt: 1, UpdatedAt: 2}, []string{},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := routecard.Replay(threeSteps(), "SN-00002", c.entries)
			if err != nil {
				t.Fatal(err)
			}
			c.want.ID, c.want.JobID, c.want.PathID = "SN-00002", "job_1", "path_1"
			if diff := cmp.Diff(c.want, got.Card.Serial); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if !slices.Equal(got.Untold, c.untold) {
				t.Errorf("untold is %q, want %q", got.Untold, c.untold)
			}
		})
	}
}

func TestReplayOfATrailThatCannotBe(t *testing.T) {
	t.Parallel()
	advanced := told(2, routecard.ActionSerialAdvanced, from("saw", "mill"))
	scrapped := told(3, routecard.ActionSerialScrapped, with("saw", `{"reason": "damaged"}`))
	for _, c := range []struct {
		name    string
		entries []routecard.AuditEntry
		want    string
	}{
		{"another serial", []routecard.AuditEntry{told(1, "x", func(e *routecard.AuditEntry) { e.SerialID = "SN-00009" })}, "about another serial"},
		{"another path", []routecard.AuditEntry{told(1, "x", func(e *routecard.AuditEntry) { e.PathID = "path_2" })}, "about another job or path"},
		{"a creation of others", []routecard.AuditEntry{creation(1, `{"firstSerialId": "SN-00003", "lastSerialId": "SN-00004"}`)}, "about another serial"},
		{"created twice", []routecard.AuditEntry{creation(1, madeThree), creation(2, madeThree)}, "existed before"},
		{"created after it moved", []routecard.AuditEntry{advanced, creation(3, madeThree)}, "existed before"},
		{"an entry is missing", []routecard.AuditEntry{told(2, routecard.ActionSerialAdvanced, from("mill", "pack"))}, "did not stand on that step"},
		{"an entry came twice", []routecard.AuditEntry{advanced, advanced}, "did not stand on that step"},
		{"moved back", []routecard.AuditEntry{advanced, told(3, routecard.ActionSerialAdvanced, from("mill", "saw"))}, "no such step"},
		{"moved when scrapped", []routecard.AuditEntry{scrapped, told(4, routecard.ActionSerialAdvanced, from("saw", "mill"))}, "was not in progress"},
		{"scrapped elsewhere", []routecard.AuditEntry{advanced, scrapped}, "did not stand on that step"},
		{"scrapped twice", []routecard.AuditEntry{scrapped, scrapped}, "was not in progress"},
		{"scrapped without a reason", []routecard.AuditEntry{told(1, routecard.ActionSerialScrapped, at("saw"))}, "metadata"},
		{"forced when scrapped", []routecard.AuditEntry{scrapped, told(4, routecard.ActionSerialForceCompleted, with("", `{}`))}, "was not in progress"},
		{"forced without metadata", []routecard.AuditEntry{told(4, routecard.ActionSerialForceCompleted, nil)}, "metadata"},
		{"skipped by nothing", []routecard.AuditEntry{told(1, routecard.ActionStepSkipped, at("mill"))}, "no advance over the step"},
		{"skipped although not passed", []routecard.AuditEntry{advanced, told(3, routecard.ActionStepSkipped, at("pack"))}, "no advance over the step"},
		{"skipped a step of another path", []routecard.AuditEntry{advanced, told(3, routecard.ActionStepSkipped, at("drill"))}, "no such step"},
		{"resolved what was not deferred", []routecard.AuditEntry{told(3, routecard.ActionStepWaived, at("mill"))}, "was not deferred"},
		{"resolved a step of another path", []routecard.AuditEntry{told(3, routecard.ActionDeferredStepCompleted, at("drill"))}, "no such step"},
		{"overridden a step of another path", []routecard.AuditEntry{told(3, routecard.ActionStepOverrideCreated, with("drill", `{}`))}, "no such step"},
		{"overridden without a reason", []routecard.AuditEntry{told(3, routecard.ActionStepOverrideCreated, at("mill"))}, "metadata"},
		{"held without metadata", []routecard.AuditEntry{told(3, routecard.ActionSerialHeld, at("saw"))}, "metadata"},
		{"released what was not held", []routecard.AuditEntry{told(3, routecard.ActionSerialReleased, with("saw", `{"holdId": "hold_1"}`))}, "no such hold"},
		{"reversed what was not overridden", []routecard.AuditEntry{told(3, routecard.ActionStepOverrideReversed, at("mill"))}, "no such override"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := routecard.Replay(threeSteps(), "SN-00002", c.entries)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.entries[len(c.entries)-1].ID) {
				t.Errorf("error is %v, want the last entry and %q", err, c.want)
			}
		})
	}
}

// TestDiffers changes every field of a card in turn.
func TestDiffers(t *testing.T) {
	t.Parallel()
	replayed, err := routecard.Replay(threeSteps(), "SN-00002", []routecard.AuditEntry{
		creation(1, madeThree), told(2, routecard.ActionStepOverrideCreated, with("pack", `{"reason": "agreed"}`)),
	})
	if err != nil {
		t.Fatal(err)
	}
	changed := map[string]func(*routecard.RouteCard){
		"jobId":            func(c *routecard.RouteCard) { c.Serial.JobID = "job_2" },
		"pathId":           func(c *routecard.RouteCard) { c.Serial.PathID = "path_2" },
		"currentStepIndex": func(c *routecard.RouteCard) { c.Serial.Position = 1 },
		"status":           func(c *routecard.RouteCard) { c.Serial.Status = routecard.Scrapped },
		"scrap":            func(c *routecard.RouteCard) { c.Serial.Scrap = &routecard.Scrap{} },
		"forceCompleted":   func(c *routecard.RouteCard) { c.Serial.Completion = &routecard.ForceCompletion{} },
		"createdAt":        func(c *routecard.RouteCard) { c.Serial.CreatedAt = 2 },
		"updatedAt":        func(c *routecard.RouteCard) { c.Serial.UpdatedAt = 2 },
		"stepStatuses": func(c *routecard.RouteCard) {
			c.Exceptions = map[string]routecard.StepException{"saw": {StepID: "saw", Status: routecard.StepSkipped}}
		},
		"overrides": func(c *routecard.RouteCard) { c.Overrides = nil },
		"holds":     func(c *routecard.RouteCard) { c.Holds = []routecard.Hold{{ID: "hold_1"}} },
		"pass":      func(c *routecard.RouteCard) { c.Serial.Reworks = 1 },
	}
	for name, change := range changed {
		card := replayed.Card
		change(&card)
		if got := replayed.Differs(card); !slices.Equal(got, []string{name}) {
			t.Errorf("%s: differs in %q", name, got)
		}
	}
	if got := replayed.Differs(replayed.Card); got != nil {
		t.Errorf("the same card differs in %q", got)
	}
	older, err := routecard.Replay(threeSteps(), "SN-00002", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := older.Differs(routecard.RouteCard{Serial: routecard.Serial{
		JobID: "job_1", PathID: "path_1", Status: routecard.InProgress, CreatedAt: 7, UpdatedAt: 7,
	}}); len(got) != 0 {
		t.Errorf("what is not told differs: %q", got)
	}
}
