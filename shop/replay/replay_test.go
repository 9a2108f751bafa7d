package replay_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

func threeSteps() card.Path {
	return card.Path{ID: "path_1", JobID: "job_1", AdvancementMode: card.Flexible, Steps: []card.ProcessStep{
		{ID: "saw", Name: "Saw"}, {ID: "mill", Name: "Mill"}, {ID: "pack", Name: "Pack"},
	}}
}

// told returns an entry of SN-00002 with this time.
func told(at ident.Timestamp, action trail.Action, change func(*trail.Entry)) trail.Entry {
	entry := trail.Entry{
		ID: ident.AuditID(int64(at)), Action: action, UserID: "ann", Timestamp: at,
		SerialID: "SN-00002", JobID: "job_1", PathID: "path_1",
	}
	if change != nil {
		change(&entry)
	}
	return entry
}

func from(stepID, to string) func(*trail.Entry) {
	return func(e *trail.Entry) { e.FromStepID, e.ToStepID = stepID, to }
}

func at(stepID string) func(*trail.Entry) {
	return func(e *trail.Entry) { e.StepID = stepID }
}

func with(stepID, metadata string) func(*trail.Entry) {
	return func(e *trail.Entry) { e.StepID, e.Metadata = stepID, json.RawMessage(metadata) }
}

func creation(at ident.Timestamp, metadata string) trail.Entry {
	return told(at, card.ActionSerialCreated, func(e *trail.Entry) {
		e.SerialID, e.BatchQuantity = "", 3
		if metadata != "" {
			e.Metadata = json.RawMessage(metadata)
		}
	})
}

const madeThree = `{"firstSerialId": "SN-00001", "lastSerialId": "SN-00003"}`

func TestReplay(t *testing.T) {
	t.Parallel()
	forced := card.ForceCompletion{By: "ann", At: 3, Reason: "rush"}
	for _, c := range []struct {
		name    string
		entries []trail.Entry
		want    card.Serial
		untold  []string
	}{
		{
			"fresh", []trail.Entry{creation(1, madeThree)},
			card.Serial{Status: card.InProgress, CreatedAt: 1, UpdatedAt: 1}, []string{},
		},
		{
			"an older trail says when the batch was made", []trail.Entry{creation(1, "")},
			card.Serial{Status: card.InProgress, CreatedAt: 1, UpdatedAt: 1}, []string{},
		},
		{
			"nothing but what is about the serial",
			[]trail.Entry{told(2, card.ActionSerialAdvanced, from("saw", "mill"))},
			card.Serial{Status: card.InProgress, Position: 1, UpdatedAt: 2},
			[]string{"createdAt"},
		},
		{
			"no entry", nil, card.Serial{Status: card.InProgress}, []string{"createdAt", "updatedAt"},
		},
		{
			"force-completed where it stood",
			[]trail.Entry{
				creation(1, madeThree), told(2, card.ActionSerialAdvanced, from("saw", "mill")),
				told(3, card.ActionSerialForceCompleted, with("", `{"incompleteStepIds": ["mill"], "reason": "rush"}`)),
			},
			card.Serial{
				Status: card.Completed, Position: 1, Completion: &forced, CreatedAt: 1, UpdatedAt: 3,
			}, []string{},
		},
		{
			"completed over steps that it bypassed; what was appended since is not among them",
			[]trail.Entry{
				creation(1, madeThree), told(2, card.ActionSerialAdvanced, from("saw", "")),
				told(2, card.ActionStepDeferred, at("mill")), told(3, shop.ActionCertAttached, at("saw")),
				told(4, "a_later_action", at("elsewhere")),
			},
			card.Serial{Status: card.Completed, Position: 2, CreatedAt: 1, UpdatedAt: 2}, []string{},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := replay.Replay(threeSteps(), "SN-00002", c.entries)
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
	advanced := told(2, card.ActionSerialAdvanced, from("saw", "mill"))
	scrapped := told(3, card.ActionSerialScrapped, with("saw", `{"reason": "damaged"}`))
	for _, c := range []struct {
		name    string
		entries []trail.Entry
		want    string
	}{
		{"another serial", []trail.Entry{told(1, "x", func(e *trail.Entry) { e.SerialID = "SN-00009" })}, "about another serial"},
		{"another path", []trail.Entry{told(1, "x", func(e *trail.Entry) { e.PathID = "path_2" })}, "about another job or path"},
		{"a creation of others", []trail.Entry{creation(1, `{"firstSerialId": "SN-00003", "lastSerialId": "SN-00004"}`)}, "about another serial"},
		{"created twice", []trail.Entry{creation(1, madeThree), creation(2, madeThree)}, "existed before"},
		{"created after it moved", []trail.Entry{advanced, creation(3, madeThree)}, "existed before"},
		{"an entry is missing", []trail.Entry{told(2, card.ActionSerialAdvanced, from("mill", "pack"))}, "did not stand on that step"},
		{"an entry came twice", []trail.Entry{advanced, advanced}, "did not stand on that step"},
		{"moved back", []trail.Entry{advanced, told(3, card.ActionSerialAdvanced, from("mill", "saw"))}, "no such step"},
		{"moved when scrapped", []trail.Entry{scrapped, told(4, card.ActionSerialAdvanced, from("saw", "mill"))}, "was not in progress"},
		{"scrapped elsewhere", []trail.Entry{advanced, scrapped}, "did not stand on that step"},
		{"scrapped twice", []trail.Entry{scrapped, scrapped}, "was not in progress"},
		{"scrapped without a reason", []trail.Entry{told(1, card.ActionSerialScrapped, at("saw"))}, "metadata"},
		{"forced when scrapped", []trail.Entry{scrapped, told(4, card.ActionSerialForceCompleted, with("", `{}`))}, "was not in progress"},
		{"forced without metadata", []trail.Entry{told(4, card.ActionSerialForceCompleted, nil)}, "metadata"},
		{"skipped by nothing", []trail.Entry{told(1, card.ActionStepSkipped, at("mill"))}, "no advance over the step"},
		{"skipped although not passed", []trail.Entry{advanced, told(3, card.ActionStepSkipped, at("pack"))}, "no advance over the step"},
		{"skipped a step of another path", []trail.Entry{advanced, told(3, card.ActionStepSkipped, at("drill"))}, "no such step"},
		{"resolved what was not deferred", []trail.Entry{told(3, card.ActionStepWaived, at("mill"))}, "was not deferred"},
		{"resolved a step of another path", []trail.Entry{told(3, card.ActionDeferredStepCompleted, at("drill"))}, "no such step"},
		{"overridden a step of another path", []trail.Entry{told(3, card.ActionStepOverrideCreated, with("drill", `{}`))}, "no such step"},
		{"overridden without a reason", []trail.Entry{told(3, card.ActionStepOverrideCreated, at("mill"))}, "metadata"},
		{"held without metadata", []trail.Entry{told(3, card.ActionSerialHeld, at("saw"))}, "metadata"},
		{"released what was not held", []trail.Entry{told(3, card.ActionSerialReleased, with("saw", `{"holdId": "hold_1"}`))}, "no such hold"},
		{"reversed what was not overridden", []trail.Entry{told(3, card.ActionStepOverrideReversed, at("mill"))}, "no such override"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := replay.Replay(threeSteps(), "SN-00002", c.entries)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.entries[len(c.entries)-1].ID) {
				t.Errorf("error is %v, want the last entry and %q", err, c.want)
			}
		})
	}
}

// TestDiffers changes each field of a card in turn.
func TestDiffers(t *testing.T) {
	t.Parallel()
	replayed, err := replay.Replay(threeSteps(), "SN-00002", []trail.Entry{
		creation(1, madeThree), told(2, card.ActionStepOverrideCreated, with("pack", `{"reason": "agreed"}`)),
	})
	if err != nil {
		t.Fatal(err)
	}
	changed := map[string]func(*card.Card){
		"jobId":            func(c *card.Card) { c.Serial.JobID = "job_2" },
		"pathId":           func(c *card.Card) { c.Serial.PathID = "path_2" },
		"currentStepIndex": func(c *card.Card) { c.Serial.Position = 1 },
		"status":           func(c *card.Card) { c.Serial.Status = card.Scrapped },
		"scrap":            func(c *card.Card) { c.Serial.Scrap = &card.Scrap{} },
		"forceCompleted":   func(c *card.Card) { c.Serial.Completion = &card.ForceCompletion{} },
		"createdAt":        func(c *card.Card) { c.Serial.CreatedAt = 2 },
		"updatedAt":        func(c *card.Card) { c.Serial.UpdatedAt = 2 },
		"stepStatuses": func(c *card.Card) {
			c.Exceptions = map[string]card.StepException{"saw": {StepID: "saw", Status: card.StepSkipped}}
		},
		"overrides": func(c *card.Card) { c.Overrides = nil },
		"away":      func(c *card.Card) { c.Away = card.Away{ShipmentID: "SHP-00001"} },
		"holds":     func(c *card.Card) { c.Holds = []card.Hold{{ID: "hold_1"}} },
		"pass":      func(c *card.Card) { c.Serial.Reworks = 1 },
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
	older, err := replay.Replay(threeSteps(), "SN-00002", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := older.Differs(card.Card{Serial: card.Serial{
		JobID: "job_1", PathID: "path_1", Status: card.InProgress, CreatedAt: 7, UpdatedAt: 7,
	}}); len(got) != 0 {
		t.Errorf("what is not told differs: %q", got)
	}
}
