package shop_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/verify"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// stepsByID returns the input for steps: the id of a step of the path, or the name of a new step.
func stepsByID(items ...string) shop.RouteStepsInput {
	steps := make([]input.Input[shop.RouteStepInput], len(items))
	for i, item := range items {
		step := shop.RouteStepInput{ID: shoptest.Given(item)}
		if !strings.HasPrefix(item, "step_") {
			step = shop.RouteStepInput{StepInput: shop.StepInput{Name: shoptest.Given(item)}}
		}
		steps[i] = input.Given(step)
	}
	return input.Given(steps)
}

// whatStepsOwn has functions that add a record to a step.
var whatStepsOwn = map[string]func(ctx context.Context, s *shoptest.Shop, stepID, unit string){
	"an operator": func(ctx context.Context, s *shoptest.Shop, stepID, _ string) {
		user := shoptest.Must(s.CreateUser(ctx, shop.CreateUserInput{Name: shoptest.Given("Otto")}))
		shoptest.Must(s.AssignStep(ctx, stepID, shop.AssignStepInput{UserID: shoptest.Given(user.ID)}))
	},
	"a characteristic": func(ctx context.Context, s *shoptest.Shop, stepID, _ string) {
		shoptest.Must(s.SetCharacteristics(ctx, stepID, shop.SetCharacteristicsInput{
			Characteristics: shoptest.Characteristics(shoptest.Between("1", "2")), UserID: shoptest.Given("lead"),
		}))
	},
	"a file": func(ctx context.Context, s *shoptest.Shop, stepID, _ string) {
		shoptest.Must(0, s.ExpectFile(ctx, shop.File{SHA256: "digest"}))
		shoptest.Must(s.KeepFile(ctx, "digest"))
		shoptest.Must(s.AttachFile(ctx, shop.FileSubject{Kind: shop.RecordStep, ID: stepID}, shop.AttachFileInput{
			SHA256: shoptest.Given("digest"), Name: shoptest.Given("a.pdf"), Kind: shoptest.Given("drawing"), UserID: shoptest.Given("ann"),
		}))
	},
	"a reading": func(ctx context.Context, s *shoptest.Shop, stepID, unit string) {
		shoptest.Must(s.SetCharacteristics(ctx, stepID, shop.SetCharacteristicsInput{
			Characteristics: shoptest.Characteristics(shoptest.Between("1", "2")), UserID: shoptest.Given("lead"),
		}))
		shoptest.Must(s.RecordMeasurements(ctx, unit, shoptest.Measured(shoptest.Given("ann"), "1", "1.5")))
		shoptest.Must(s.SetCharacteristics(ctx, stepID, shop.SetCharacteristicsInput{
			Characteristics: shoptest.Characteristics(), UserID: shoptest.Given("lead"),
		}))
	},
}

// Update Path matches steps by index. It is refused if a step would take over records of another step. Replace Steps can insert a step
// before that step.
func TestStepsDoNotTakeOver(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx := t.Context()
	for what, give := range whatStepsOwn {
		path := s.Route(t, card.Flexible, "Bore", "Grind", "Pack", "Ship")
		unit := s.Units(t, path, 1)[0]
		bore := path.Steps[0].ID
		update := func(names ...string) string {
			_, err := s.UpdatePath(ctx, path.ID, shop.UpdatePathInput{Steps: shoptest.StepsCalled(names...)})
			if refused := shoptest.Refused(err); refused != nil {
				return refused.Message
			}
			return ""
		}
		if got := update("Grind", "Bore", "Pack", "Ship"); got != "" {
			t.Errorf("a step without %s: %s", what, got)
		}
		s.Rename(t, path, "Bore", "Grind", "Pack", "Ship")
		give(ctx, s, bore, unit)
		hint := ": use PUT /api/paths/" + path.ID + "/steps"
		for names, want := range map[string]string{
			"Wash Bore Grind Pack Ship": "Step Bore would become Wash" + hint,
			"Grind Bore Pack Ship":      "Step Bore would become Grind" + hint,
			"Drill Grind Pack bore":     "Step Bore would become Drill" + hint,
			"Drill Grind Pack Ship":     "",
			"Drill Grind Pack Bores":    "",
		} {
			if got := update(strings.Split(names, " ")...); got != want {
				t.Errorf("%s, %s: %q, want %q", what, names, got, want)
			}
			if want == "" {
				s.Rename(t, path, "Bore", "Grind", "Pack", "Ship")
			}
		}
		before := shoptest.Must(s.Path(ctx, path.ID)).Path
		after := shoptest.Must(s.ReplaceSteps(ctx, path.ID, shop.ReplaceStepsInput{
			Steps: stepsByID("Wash", before.Steps[0].ID, before.Steps[1].ID, before.Steps[2].ID, before.Steps[3].ID),
		}))
		moved := before.Steps[0]
		moved.Order = 1
		if after.Steps[1] != moved || after.Steps[0].AssignedTo != "" {
			t.Errorf("%s: %+v became %+v", what, before.Steps[0], after.Steps)
		}
		if card := shoptest.Must(s.Card(ctx, unit)).Card; card.Current().ID != bore {
			t.Errorf("%s: the unit stands at %+v", what, card.Current())
		}
		if set := after.Characteristics[after.Steps[0].ID]; len(set.Characteristics) > 0 {
			t.Errorf("%s: the new step measures %+v", what, set)
		}
	}
	checkStored(t, s)
}

// checkStored compares all stored data with the audit trail.
func checkStored(t *testing.T, s *shoptest.Shop) {
	t.Helper()
	if found := shoptest.RecordsFound(t, s.Store); len(found) > 0 {
		t.Errorf("records do not follow from the trail: %q", found)
	}
	err := s.Store.View(t.Context(), func(tx shop.Reader) error {
		_, err := verify.CheckSerials(tx, ledger.Canonical, func(serialID string, fields []string, why error) {
			t.Errorf("%s does not follow from the trail: %q, %v", serialID, fields, why)
		})
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A move past steps that were reordered later cannot be undone. A scrap can be undone; the unit then has missed the steps that were
// inserted before its position in the meantime.
func TestUndoAfterReroute(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx, by, reason := t.Context(), shoptest.Given("ann"), shoptest.Given("so")
	path := s.Route(t, card.Flexible, "Saw", "Bore", "Pack")
	units := s.Units(t, path, 3)
	for _, unit := range units {
		shoptest.Must(s.AdvanceSerial(ctx, unit, shop.AdvanceSerialInput{UserID: by}))
	}
	shoptest.Must(s.ScrapSerial(ctx, units[1], shop.ScrapSerialInput{Reason: shoptest.Given("damaged"), UserID: by}))
	shoptest.Must(s.ForceComplete(ctx, units[2], shop.ForceCompleteInput{UserID: by}))
	s.Tick()
	saw, bore, pack := path.Steps[0].ID, path.Steps[1].ID, path.Steps[2].ID
	path = shoptest.Must(s.ReplaceSteps(ctx, path.ID, shop.ReplaceStepsInput{Steps: stepsByID(saw, "Wash", bore, pack)}))
	undo := func(unit string) error {
		trail := shoptest.Collect(s.AuditOfSerial(ctx, unit))
		last := trail[len(trail)-1].ID
		_, err := s.Undo(ctx, unit, shop.UndoInput{EntryID: shoptest.Given(last), Reason: reason, UserID: by})
		if refused := shoptest.Refused(err); refused != nil {
			return errors.New(strings.ReplaceAll(refused.Message, last, "it"))
		}
		return err
	}
	statuses := func(unit string) string {
		var text []string
		for _, step := range shoptest.Must(s.StepStatuses(ctx, unit)) {
			text = append(text, string(step.Status))
		}
		return strings.Join(text, " ")
	}
	const refused = "Cannot undo it: the order of the steps has changed since. Send the unit back to a step instead"
	if err := undo(units[0]); err == nil || err.Error() != refused {
		t.Errorf("the move: %v", err)
	}
	if last := shoptest.Must(s.Card(ctx, units[0])).LastChange; last != nil {
		t.Errorf("the card offers to undo %+v", last)
	}
	if got := statuses(units[1]); got != "completed skipped in_progress pending" {
		t.Errorf("the scrapped unit: %s", got)
	}
	for _, unit := range units[1:] {
		if err := undo(unit); err != nil {
			t.Errorf("%s: %v", unit, err)
		}
		if got := statuses(unit); got != "completed deferred in_progress pending" {
			t.Errorf("%s is open again: %s", unit, got)
		}
	}
	s.Tick()
	shoptest.Must(s.CompleteDeferredStep(ctx, units[1], path.Steps[1].ID, by))
	shoptest.Must(s.ReworkSerial(ctx, units[0], shop.ReworkSerialInput{TargetStepIndex: shoptest.Number(0), Reason: reason, UserID: by}))
	if got := statuses(units[0]); got != "in_progress pending pending pending" {
		t.Errorf("the unit that was sent back: %s", got)
	}
	if err := undo(units[0]); err != nil || statuses(units[0]) != "completed deferred in_progress pending" {
		t.Errorf("undoing the rework: %v, %s", err, statuses(units[0]))
	}
	checkStored(t, s)
}

// A completed unit stands after the steps that the path had when the unit completed. This stays true when steps are appended, when other
// steps are inserted before the appended steps, and when a change of a deferred step of the unit is undone.
func TestUndoOfACompletedUnitAfterReroute(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx, by := t.Context(), shoptest.Given("ann")
	path := s.Route(t, card.Flexible, "Saw", "Bore")
	unit := s.Units(t, path, 1)[0]
	saw, bore := path.Steps[0].ID, path.Steps[1].ID
	shoptest.Must(s.AdvanceToStep(ctx, unit, shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(2), UserID: by}))
	shoptest.Must(s.CompleteDeferredStep(ctx, unit, bore, by))
	s.Tick()
	path = shoptest.Must(s.ReplaceSteps(ctx, path.ID, shop.ReplaceStepsInput{Steps: stepsByID(saw, bore, "Pack", "Ship")}))
	pack, ship := path.Steps[2].ID, path.Steps[3].ID
	s.Tick()
	shoptest.Must(s.ReplaceSteps(ctx, path.ID, shop.ReplaceStepsInput{Steps: stepsByID(saw, bore, "Wash", pack, ship)}))
	for _, wanted := range []card.StepStatus{card.StepDeferred, card.StepCompleted} {
		trail := shoptest.Collect(s.AuditOfSerial(ctx, unit))
		last := shoptest.Given(trail[len(trail)-1].ID)
		if wanted == card.StepDeferred {
			shoptest.Must(s.Undo(ctx, unit, shop.UndoInput{EntryID: last, Reason: shoptest.Given("so"), UserID: by}))
		} else {
			shoptest.Must(s.CompleteDeferredStep(ctx, unit, bore, by))
		}
		if got := shoptest.Must(s.StepStatuses(ctx, unit))[1].Status; got != wanted {
			t.Errorf("bore is %s, want %s", got, wanted)
		}
		checkStored(t, s)
	}
}

// A rework makes deferred steps pending, even if a later change of the route puts these steps before the target of the rework.
func TestVisitsOfAReworkBeforeAReroute(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx, by := t.Context(), shoptest.Given("ann")
	path := s.Route(t, card.Flexible, "Saw", "Bore", "Pack")
	unit := s.Units(t, path, 1)[0]
	saw, bore, pack := path.Steps[0].ID, path.Steps[1].ID, path.Steps[2].ID
	shoptest.Must(s.AdvanceToStep(ctx, unit, shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(2), UserID: by}))
	shoptest.Must(s.ReworkSerial(ctx, unit, shop.ReworkSerialInput{TargetStepIndex: shoptest.Number(0), Reason: shoptest.Given("burr"), UserID: by}))
	for range 2 {
		shoptest.Must(s.AdvanceSerial(ctx, unit, shop.AdvanceSerialInput{UserID: by}))
	}
	s.Tick()
	shoptest.Must(s.ReplaceSteps(ctx, path.ID, shop.ReplaceStepsInput{Steps: stepsByID(bore, saw, pack)}))
	checkStored(t, s)
	checkVisits(t, shoptest.Must(s.Card(ctx, unit)).Card, shoptest.Must(s.Visits(ctx, unit)))
}

// A report keeps the step where the nonconformity was found.
func TestReportsFollowReroutes(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx, by := t.Context(), shoptest.Given("ann")
	path := s.Route(t, card.Flexible, "A", "B", "C", "D")
	units := s.Units(t, path, 3)
	for i, unit := range units {
		for range i {
			shoptest.Must(s.AdvanceSerial(ctx, unit, shop.AdvanceSerialInput{UserID: by}))
		}
	}
	open := func(stepID string, units ...string) string {
		report := shoptest.Must(s.OpenNonconformance(ctx, shop.OpenNonconformanceInput{
			Title: shoptest.Given("Burr"), Severity: shoptest.Given("minor"), StepID: shoptest.Given(stepID),
			Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(units...)}, UserID: by,
		}))
		return report.ID
	}
	id := func(place int) string { return path.Steps[place].ID }
	reports := []string{open(id(0), units...), open("", units...), open(id(3), units...)}
	found := func() (names []string) {
		now := shoptest.Must(s.Path(ctx, path.ID)).Path
		for _, report := range reports {
			var of []string
			for _, unit := range shoptest.Must(s.Nonconformance(ctx, report)).Units {
				of = append(of, now.Steps[unit.FoundAt].Name)
			}
			names = append(names, strings.Join(of, ""))
		}
		return names
	}
	want := fmt.Sprint(found())
	shoptest.Must(s.ReplaceSteps(ctx, path.ID, shop.ReplaceStepsInput{Steps: stepsByID("X", id(0), id(1), "Y", id(2), "Z", id(3))}))
	if got := fmt.Sprint(found()); got != want || want != "[AAA ABC DDD]" {
		t.Errorf("found at %s, and before at %s", got, want)
	}
	checkStored(t, s)
	lot := s.Route(t, card.Flexible, "A", "B", "C", "D")
	unit := s.Units(t, lot, 1)[0]
	shoptest.Must(s.AdvanceToStep(ctx, unit, shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(3), UserID: by}))
	path = lot
	reports = []string{open(id(0), unit), open(id(1), unit), open(id(2), unit)}
	shoptest.Must(s.ReplaceSteps(ctx, path.ID, shop.ReplaceStepsInput{Steps: stepsByID(id(2), id(0), id(1), id(3))}))
	if got := fmt.Sprint(found()); got != "[A B C]" {
		t.Errorf("found at %s", got)
	}
	checkStored(t, s)
}

// Units that advance while steps are inserted keep their current step.
func TestReroutesAmongAdvances(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx, by := t.Context(), shoptest.Given("ann")
	path := s.Route(t, card.Flexible, "A", "B", "C", "D", "E", "F")
	units := s.Units(t, path, 12)
	var working sync.WaitGroup
	failed := make(chan error, len(units)+1)
	for _, unit := range units {
		working.Go(func() {
			for range 9 {
				_, err := s.AdvanceSerial(ctx, unit, shop.AdvanceSerialInput{UserID: by})
				if refused, ok := errors.AsType[*refusal.Error](err); err != nil && (!ok || refused.Reason != card.AdvanceCompleted) {
					failed <- err
				}
			}
		})
	}
	working.Go(func() {
		for i := range 8 {
			now := shoptest.Must(s.Path(ctx, path.ID)).Path
			var items []string
			for _, step := range now.Steps {
				items = append(items, step.ID)
			}
			at := 1 + i*5%(len(items)-1)
			items = append(items[:at:at], append([]string{fmt.Sprint("New ", i)}, items[at:]...)...)
			if _, err := s.ReplaceSteps(ctx, path.ID, shop.ReplaceStepsInput{Steps: stepsByID(items...)}); err != nil {
				failed <- err
			}
		}
	})
	working.Wait()
	close(failed)
	for err := range failed {
		t.Error(err)
	}
	checkStored(t, s)
}
