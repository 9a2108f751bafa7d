package views

import (
	"math"
	"testing"
	"time"

	"github.com/routecard/routecard/shop/card"
)

// TestFloorOfClosedUnits counts finished and scrapped units by the days of a time zone, and the reasons of scrap by frequency.
func TestFloorOfClosedUnits(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 2*60*60)
	now := time.Date(2026, 3, 14, 12, 0, 0, 0, zone)
	at := func(day, hour, minute int) int64 {
		return time.Date(2026, 3, day, hour, minute, 0, 0, zone).UnixMilli() / quarter.Milliseconds()
	}
	floor := Floor{Days: lastDays(now)}
	first := now.AddDate(0, 0, 1-FloorDays).Day()
	floor.addClosed([]ClosedCount{
		{at(first-1, 23, 45), card.Completed, "", 100}, // before the first day
		{at(first, 0, 0), card.Completed, "", 1},
		{at(13, 23, 45), card.Completed, "", 2},
		{at(14, 0, 0), card.Completed, "", 4},
		{at(14, 8, 0), card.Scrapped, card.Damaged, 1},
		{at(13, 8, 0), card.Scrapped, card.ProcessDefect, 2},
		{at(12, 8, 0), card.Scrapped, card.Damaged, 5},
		{at(14, 8, 0), card.InProgress, "", 50},
	})
	if days := floor.Days; days[0].Finished != 1 || days[FloorDays-2].Finished != 2 || days[FloorDays-1].Finished != 4 ||
		days[FloorDays-1].Scrapped != 1 || days[FloorDays-2].Scrapped != 2 || days[FloorDays-3].Scrapped != 5 {
		t.Errorf("days %+v", days)
	}
	if totals := floor.Totals(); totals.Finished != 7 || totals.Scrapped != 8 {
		t.Errorf("totals %+v", totals)
	}
	shares := floor.Pareto()
	want := []ReasonShare{
		{ReasonFigures{card.Damaged, 6}, 75, 75},
		{ReasonFigures{card.ProcessDefect, 2}, 25, 100},
	}
	if len(shares) != len(want) {
		t.Fatalf("shares %+v", shares)
	}
	for i := range want {
		if shares[i].ReasonFigures != want[i].ReasonFigures || math.Abs(shares[i].Share-want[i].Share) > 1e-9 ||
			math.Abs(shares[i].Together-want[i].Together) > 1e-9 {
			t.Errorf("reason %d is %+v, want %+v", i, shares[i], want[i])
		}
	}
	if shares := (&Floor{}).Pareto(); len(shares) != 0 {
		t.Errorf("nothing was scrapped, and there is %+v", shares)
	}
}

// TestCurrentAndNextStep finds the step where a serial is and the step after it.
func TestCurrentAndNextStep(t *testing.T) {
	t.Parallel()
	path := card.Path{Steps: []card.ProcessStep{{ID: "a"}, {ID: "b", Order: 1}}}
	for _, test := range []struct {
		name          string
		serial        card.Serial
		current, next string
	}{
		{"on the first step", card.Serial{Status: card.InProgress}, "a", "b"},
		{"on the last step", card.Serial{Status: card.InProgress, Position: 1}, "b", ""},
		{"on a step that the route does not have", card.Serial{Status: card.InProgress, Position: 2}, "", ""},
		{"completed", card.Serial{Status: card.Completed, Position: 2}, "", ""},
		{"closed early", card.Serial{Status: card.Completed, Position: 0, Completion: &card.ForceCompletion{}}, "", ""},
		{"scrapped", card.Serial{Status: card.Scrapped, Position: 0}, "", ""},
	} {
		unit := card.Card{Serial: test.serial, Path: path}
		id := func(step *card.ProcessStep) string {
			if step == nil {
				return ""
			}
			return step.ID
		}
		if id(unit.Current()) != test.current || id(unit.Next()) != test.next {
			t.Errorf("%s: stands on %q, then %q", test.name, id(unit.Current()), id(unit.Next()))
		}
	}
	if card := (card.Card{Serial: card.Serial{Status: card.InProgress}}); card.Current() != nil {
		t.Error("a card without its route has a current step")
	}
}
