package views

import (
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Who stands beside a step on the card did something there, and a unit that ended at a step is not in progress there.
func TestStepRecords(t *testing.T) {
	t.Parallel()
	path := shop.Path{ID: "path", Steps: []shop.ProcessStep{{ID: "saw", Name: "Saw"}, {ID: "turn", Name: "Turn"}, {ID: "pack", Name: "Pack"}}}
	serial := shop.Serial{ID: "SN-00001", PathID: "path", Position: 1, Status: shop.InProgress, CreatedAt: 10}
	sawed := trail.Entry{ID: ident.AuditID(2), Action: shop.ActionSerialAdvanced, UserID: "ann", Timestamp: 20, FromStepID: "saw", ToStepID: "turn"}
	scrapped := trail.Entry{ID: ident.AuditID(3), Action: shop.ActionSerialScrapped, UserID: "bob", Timestamp: 30, StepID: "turn"}
	closed := trail.Entry{ID: ident.AuditID(3), Action: shop.ActionSerialForceCompleted, UserID: "bob", Timestamp: 30}
	type record struct {
		status shop.StepStatus
		by     string
		at     ident.Timestamp
		ended  shop.SerialStatus
	}
	with := func(change func(*shop.Serial)) shop.Serial {
		changed := serial
		change(&changed)
		return changed
	}
	for name, row := range map[string]struct {
		serial shop.Serial
		trail  []trail.Entry
		want   []record
	}{
		"on its first step": {
			with(func(s *shop.Serial) { s.Position = 0 }), nil,
			[]record{{shop.StepInProgress, "", 10, ""}, {shop.StepPending, "", 0, ""}, {shop.StepPending, "", 0, ""}},
		},
		"in progress: nobody has done it yet": {
			serial, []trail.Entry{sawed},
			[]record{{shop.StepCompleted, "ann", 20, ""}, {shop.StepInProgress, "", 20, ""}, {shop.StepPending, "", 0, ""}},
		},
		"scrapped": {
			with(func(s *shop.Serial) {
				s.Status, s.Scrap = shop.Scrapped, &shop.Scrap{Reason: shop.Damaged, StepID: "turn", By: "bob", At: 30}
			}), []trail.Entry{sawed, scrapped},
			[]record{{shop.StepCompleted, "ann", 20, ""}, {shop.StepInProgress, "bob", 30, shop.Scrapped}, {shop.StepPending, "", 0, ""}},
		},
		"closed with steps open": {
			with(func(s *shop.Serial) {
				s.Status, s.Completion = shop.Completed, &shop.ForceCompletion{By: "bob", At: 30}
			}),
			[]trail.Entry{sawed, closed},
			[]record{{shop.StepCompleted, "ann", 20, ""}, {shop.StepInProgress, "bob", 30, shop.Completed}, {shop.StepPending, "", 0, ""}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records := stepRecords(shop.RouteCard{Serial: row.serial, Path: path}, row.trail, StepNames{})
			for i, want := range row.want {
				got := record{records[i].Status, records[i].By, records[i].At, records[i].Ended}
				if got != want || records[i].Step.Name != path.Steps[i].Name {
					t.Errorf("%s: %+v, want %+v", path.Steps[i].Name, got, want)
				}
			}
		})
	}
}
