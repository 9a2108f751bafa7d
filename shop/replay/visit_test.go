package replay_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

func TestVisits(t *testing.T) {
	t.Parallel()
	skip := func(at ident.Timestamp, action trail.Action, step string) trail.Entry {
		return told(at, action, func(e *trail.Entry) { e.StepID = step })
	}
	visit := func(step string, order, pass int, status replay.VisitStatus, entered, left ident.Timestamp) replay.Visit {
		v := replay.Visit{
			SerialID: "SN-00002", JobID: "job_1", PathID: "path_1", StepID: step, StepOrder: order, Pass: pass, Status: status,
			EnteredAt: entered, LeftAt: left, StepName: map[string]string{"saw": "Saw", "mill": "Mill", "pack": "Pack"}[step],
		}
		if left != 0 {
			v.LeftBy = "ann"
		}
		return v
	}
	made := creation(1, madeThree)
	for _, c := range []struct {
		name    string
		entries []trail.Entry
		want    []replay.Visit
	}{
		{"fresh", []trail.Entry{made}, []replay.Visit{visit("saw", 0, 1, replay.VisitInProgress, 1, 0)}},
		{"to the end", []trail.Entry{
			made, told(2, card.ActionSerialAdvanced, from("saw", "mill")), told(3, card.ActionSerialAdvanced, from("mill", "pack")),
			told(4, card.ActionSerialCompleted, from("pack", "")),
		}, []replay.Visit{
			visit("saw", 0, 1, replay.VisitCompleted, 1, 2), visit("mill", 1, 1, replay.VisitCompleted, 2, 3),
			visit("pack", 2, 1, replay.VisitCompleted, 3, 4),
		}},
		{"a step that is deferred and done later", []trail.Entry{
			made, told(2, card.ActionSerialAdvanced, from("saw", "pack")), skip(2, card.ActionStepDeferred, "mill"),
			skip(5, card.ActionDeferredStepCompleted, "mill"),
		}, []replay.Visit{
			visit("saw", 0, 1, replay.VisitCompleted, 1, 2), visit("mill", 1, 1, replay.VisitCompleted, 2, 5),
			visit("pack", 2, 1, replay.VisitInProgress, 2, 0),
		}},
		{"a step that is skipped, and one that is waived", []trail.Entry{
			made, told(2, card.ActionSerialAdvanced, from("saw", "")), skip(2, card.ActionStepSkipped, "mill"),
			skip(2, card.ActionStepDeferred, "pack"), skip(6, card.ActionStepWaived, "pack"),
		}, []replay.Visit{
			visit("saw", 0, 1, replay.VisitCompleted, 1, 2), visit("mill", 1, 1, replay.VisitSkipped, 2, 2),
			visit("pack", 2, 1, replay.VisitWaived, 2, 6),
		}},
		{"scrapped", []trail.Entry{
			made, told(2, card.ActionSerialAdvanced, from("saw", "mill")), told(3, card.ActionSerialScrapped, with("mill", `{"reason": "damaged"}`)),
		}, []replay.Visit{visit("saw", 0, 1, replay.VisitCompleted, 1, 2), visit("mill", 1, 1, replay.VisitScrapped, 2, 3)}},
		{"a move that was taken back", []trail.Entry{
			made, told(2, card.ActionSerialAdvanced, from("saw", "mill")),
			told(3, replay.ActionChangeUndone, func(e *trail.Entry) {
				e.Metadata = []byte(`{"entryId": "` + ident.AuditID(2) + `", "action": "serial_advanced"}`)
			}),
		}, []replay.Visit{visit("saw", 0, 1, replay.VisitInProgress, 1, 0)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			replayed, err := replay.Replay(threeSteps(), "SN-00002", c.entries)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, replayed.Visits()); diff != "" {
				t.Errorf("(- want, + got)\n%s", diff)
			}
		})
	}
}
