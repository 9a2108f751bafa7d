package views

import (
	"testing"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// The person shown at a step of the card did something there, and a unit that ended at a step is not in progress there.
func TestStepRecords(t *testing.T) {
	t.Parallel()
	path := card.Path{ID: "path", Steps: []card.ProcessStep{{ID: "saw", Name: "Saw"}, {ID: "turn", Name: "Turn"}, {ID: "pack", Name: "Pack"}}}
	serial := card.Serial{ID: "SN-00001", PathID: "path", Position: 1, Status: card.InProgress, CreatedAt: 10}
	sawed := trail.Entry{ID: ident.AuditID(2), Action: card.ActionSerialAdvanced, UserID: "ann", Timestamp: 20, FromStepID: "saw", ToStepID: "turn"}
	scrapped := trail.Entry{ID: ident.AuditID(3), Action: card.ActionSerialScrapped, UserID: "bob", Timestamp: 30, StepID: "turn"}
	closed := trail.Entry{ID: ident.AuditID(3), Action: card.ActionSerialForceCompleted, UserID: "bob", Timestamp: 30}
	type record struct {
		status card.StepStatus
		by     string
		at     ident.Timestamp
		ended  card.SerialStatus
	}
	with := func(change func(*card.Serial)) card.Serial {
		changed := serial
		change(&changed)
		return changed
	}
	for name, row := range map[string]struct {
		serial card.Serial
		trail  []trail.Entry
		want   []record
	}{
		"on its first step": {
			with(func(s *card.Serial) { s.Position = 0 }), nil,
			[]record{{card.StepInProgress, "", 10, ""}, {card.StepPending, "", 0, ""}, {card.StepPending, "", 0, ""}},
		},
		"in progress: nobody has done it yet": {
			serial, []trail.Entry{sawed},
			[]record{{card.StepCompleted, "ann", 20, ""}, {card.StepInProgress, "", 20, ""}, {card.StepPending, "", 0, ""}},
		},
		"scrapped": {
			with(func(s *card.Serial) {
				s.Status, s.Scrap = card.Scrapped, &card.Scrap{Reason: card.Damaged, StepID: "turn", By: "bob", At: 30}
			}), []trail.Entry{sawed, scrapped},
			[]record{{card.StepCompleted, "ann", 20, ""}, {card.StepInProgress, "bob", 30, card.Scrapped}, {card.StepPending, "", 0, ""}},
		},
		"closed with steps open": {
			with(func(s *card.Serial) {
				s.Status, s.Completion = card.Completed, &card.ForceCompletion{By: "bob", At: 30}
			}),
			[]trail.Entry{sawed, closed},
			[]record{{card.StepCompleted, "ann", 20, ""}, {card.StepInProgress, "bob", 30, card.Completed}, {card.StepPending, "", 0, ""}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records := stepRecords(card.Card{Serial: row.serial, Path: path}, row.trail, StepNames{})
			for i, want := range row.want {
				got := record{records[i].Status, records[i].By, records[i].At, records[i].Ended}
				if got != want || records[i].Step.Name != path.Steps[i].Name {
					t.Errorf("%s: %+v, want %+v", path.Steps[i].Name, got, want)
				}
			}
		})
	}
}
