package routecard

import (
	"testing"
)

// Who stands beside a step on the card did something there, and a unit that ended at a step is not in progress there.
func TestStepRecords(t *testing.T) {
	t.Parallel()
	path := Path{ID: "path", Steps: []ProcessStep{{ID: "saw", Name: "Saw"}, {ID: "turn", Name: "Turn"}, {ID: "pack", Name: "Pack"}}}
	serial := Serial{ID: "SN-00001", PathID: "path", Position: 1, Status: InProgress, CreatedAt: 10}
	sawed := AuditEntry{ID: AuditID(2), Action: ActionSerialAdvanced, UserID: "ann", Timestamp: 20, FromStepID: "saw", ToStepID: "turn"}
	scrapped := AuditEntry{ID: AuditID(3), Action: ActionSerialScrapped, UserID: "bob", Timestamp: 30, StepID: "turn"}
	closed := AuditEntry{ID: AuditID(3), Action: ActionSerialForceCompleted, UserID: "bob", Timestamp: 30}
	type record struct {
		status StepStatus
		by     string
		at     Timestamp
		ended  SerialStatus
	}
	with := func(change func(*Serial)) Serial {
		changed := serial
		change(&changed)
		return changed
	}
	for name, row := range map[string]struct {
		serial Serial
		trail  []AuditEntry
		want   []record
	}{
		"on its first step": {
			with(func(s *Serial) { s.Position = 0 }), nil,
			[]record{{StepInProgress, "", 10, ""}, {StepPending, "", 0, ""}, {StepPending, "", 0, ""}},
		},
		"in progress: nobody has done it yet": {
			serial, []AuditEntry{sawed},
			[]record{{StepCompleted, "ann", 20, ""}, {StepInProgress, "", 20, ""}, {StepPending, "", 0, ""}},
		},
		"scrapped": {
			with(func(s *Serial) {
				s.Status, s.Scrap = Scrapped, &Scrap{Reason: Damaged, StepID: "turn", By: "bob", At: 30}
			}), []AuditEntry{sawed, scrapped},
			[]record{{StepCompleted, "ann", 20, ""}, {StepInProgress, "bob", 30, Scrapped}, {StepPending, "", 0, ""}},
		},
		"closed with steps open": {
			with(func(s *Serial) { s.Status, s.Completion = Completed, &ForceCompletion{By: "bob", At: 30} }),
			[]AuditEntry{sawed, closed},
			[]record{{StepCompleted, "ann", 20, ""}, {StepInProgress, "bob", 30, Completed}, {StepPending, "", 0, ""}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records := stepRecords(RouteCard{Serial: row.serial, Path: path}, row.trail, StepNames{})
			for i, want := range row.want {
				got := record{records[i].Status, records[i].By, records[i].At, records[i].Ended}
				if got != want || records[i].Step.Name != path.Steps[i].Name {
					t.Errorf("%s: %+v, want %+v", path.Steps[i].Name, got, want)
				}
			}
		})
	}
}
