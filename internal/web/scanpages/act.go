package scanpages

import (
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/unitcard"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// operationOf returns the operation of a command.
func operationOf(code string) shop.Operation {
	_, deferred := station.DeferredPlace(code)
	_, measures := station.MeasurePlace(code)
	switch {
	case measures || code == station.CodeInstrument:
		return shop.OpMeasure
	case code == station.CodeInstall:
		return shop.OpInstall
	case code == station.CodeNote:
		return shop.OpNote
	case code == station.CodeHold:
		return shop.OpHold
	case code == station.CodeUndo:
		return shop.OpUndo
	case deferred:
		return shop.OpCompleteDeferred
	case station.ScrapReason(code) != "":
		return shop.OpScrap
	}
	return shop.OpAdvance
}

const nobodyWorks lang.Text = "Choose who is working first."

func refusedWith(text string) station.Event { return station.Event{Kind: station.Refused, Text: text} }

// judge checks whether a command would be allowed before the station asks for anything.
func (run *scanRun) judge(effect station.Effect) (station.Event, error) {
	judged := station.Event{Kind: station.Judged, Command: effect.Command, Why: effect.Why, Words: effect.Words}
	if run.Operator == "" {
		return refusedWith(run.Lookup(nobodyWorks)), nil
	}
	if who := otherWorker(run.Visit); who != "" {
		return station.Event{Kind: station.Changed, Text: who}, nil
	}
	if effect.Command == station.CodeUndo {
		last := site.ReadCookie(run.R, actCookie)
		text, refusal, err := run.takable(last)
		if err != nil || refusal != "" {
			return refusedWith(refusal), err
		}
		judged.Act, judged.Words = last, text
		return judged, nil
	}
	operation := operationOf(effect.Command)
	if err := shop.CallerOf(run.R.Context()).Require(operation.Permission()); err != nil {
		return run.refusedBy(effect.Unit.ID, err)
	}
	card, err := unitcard.Load(run.Visit, effect.Unit.ID)
	if err != nil {
		return run.refusedBy(effect.Unit.ID, err)
	}
	if now := asShown(card, run.place); now.Entry != effect.Unit.Entry || now.Step != effect.Unit.Step {
		return station.Event{Kind: station.Changed, Text: run.nothingDone(card, effect.Unit)}, nil
	}
	switch operation {
	case shop.OpCompleteDeferred:
		return judged, nil
	case shop.OpMeasure:
		return run.judgeMeasuring(judged, card), nil
	case shop.OpInstall:
		return run.judgeInstalling(judged, card)
	default:
	}
	if action := card.Do(operation); !action.Allowed() {
		return run.refusedInFull(effect.Unit.ID, action.Refusal)
	}
	return judged, nil
}

// otherWorker says that the operator of this device is no longer the one that the page showed. It returns "" if the operator is the same.
func otherWorker(v *site.Visit) string {
	if !v.Form.Has("who") || v.Form.Get("who") == v.Operator {
		return ""
	}
	return v.T("{name} works at this device now, and the page did not show that. Nothing was done here. "+
		"No unit is in hand now: scan it again.", "name", v.People.Names()[v.Operator])
}

// nothingDone says that nothing was done because a unit has changed since it was shown. It names the unit, because the status band begins
// with the command.
func (run *scanRun) nothingDone(card *unitcard.Page, shown station.Unit) string {
	text := changedSince(card, shown)
	if !strings.Contains(text, shown.ID) {
		text = run.T("{unit}: {refusal}", "unit", shown.ID, "refusal", text)
	}
	return text + " " + run.Lookup(sayWords(station.SayChanged))
}

// refusedBy returns the event for the refusal of an operation on a unit. It returns other errors as errors.
func (run *scanRun) refusedBy(unit string, err error) (station.Event, error) {
	return run.refusedOn("", unit, err)
}

// refusedOn is refusedBy with the names that the fields have for a kind of record.
func (run *scanRun) refusedOn(kind ident.RecordKind, unit string, err error) (station.Event, error) {
	refused, ok := site.AsRefusal(err)
	if !ok || refused.Kind == refusal.Unavailable || refused.Kind == refusal.Uncertain {
		return station.Event{}, err
	}
	return refusedWith(run.T("{unit}: {refusal}", "unit", unit, "refusal", wording.AdviseOn(run.Language, kind, refused).Text)), nil
}

// refusedInFull is refusedBy with a text that names everything that the unit's step still needs, if something is missing.
func (run *scanRun) refusedInFull(unit string, err error) (station.Event, error) {
	event, failed := run.refusedBy(unit, err)
	if failed != nil || !unitcard.NeedsMore(err) {
		return event, failed
	}
	card, failed := unitcard.Load(run.Visit, unit)
	if failed == nil {
		event.Text = run.T("{unit}: {refusal}", "unit", unit, "refusal", card.InFull(err))
	}
	return event, failed
}

// do carries out a command for the operator and the unit that the page showed.
func (run *scanRun) do(effect station.Effect) (done station.Event, err error) {
	if run.Operator == "" {
		return refusedWith(run.Lookup(nobodyWorks)), nil
	}
	if who := otherWorker(run.Visit); who != "" {
		return station.Event{Kind: station.Changed, Text: who}, nil
	}
	switch operationOf(effect.Command) {
	case shop.OpUndo:
		return run.takeBack(effect.Act)
	case shop.OpMeasure:
		// The route of the station requires only the permission to move units.
		if err = shop.CallerOf(run.R.Context()).Require(shop.OpMeasure.Permission()); err != nil {
			break
		}
		if effect.Command == station.CodeInstrument {
			done, err = run.takeInstrument(effect)
		} else {
			done, err = run.measure(effect)
		}
	case shop.OpInstall:
		// The route of the station requires only the permission to move units.
		if err = shop.CallerOf(run.R.Context()).Require(shop.OpInstall.Permission()); err == nil {
			done, err = run.install(effect)
		}
	case shop.OpNote:
		done, err = run.writeNote(effect)
	case shop.OpHold:
		done, err = run.hold(effect)
	case shop.OpCompleteDeferred:
		done, err = run.completeDeferred(effect)
	case shop.OpScrap:
		done, err = run.scrap(effect)
	default:
		done, err = run.advance(effect)
	}
	if refused, ok := site.AsRefusal(err); ok && refused.Kind == refusal.Conflict {
		card, err := unitcard.Load(run.Visit, effect.Unit.ID)
		if err != nil {
			return station.Event{}, err
		}
		return station.Event{Kind: station.Changed, Text: run.nothingDone(card, effect.Unit)}, nil
	}
	if err != nil && effect.Command == station.CodeInstall {
		return run.refusedOn(shop.RecordComponent, effect.Unit.ID, err)
	}
	if err != nil {
		return run.refusedInFull(effect.Unit.ID, err)
	}
	if done.Kind == station.Acted && run.wentBack() {
		return run.doneBefore(effect, done)
	}
	if done.Kind == station.Acted {
		done.Command = effect.Command
		if effect.Command != station.CodeInstrument && done.Lot.ID == "" { // no unit was changed
			keepAct(run.Visit, done.Act)
		}
	}
	return done, nil
}

// wentBack reports whether this page has already carried out the operation and the device has received a later response since. In that case
// the user has gone back to an old page. A repeat after a lost response does not count, because the device has received no later response.
func (run *scanRun) wentBack() bool {
	shown, err := strconv.ParseInt(run.Form.Get("at"), 10, 64)
	scans := recentScans(run.Visit)
	return err == nil && len(scans) > 0 && int64(scans[0].At) > shown && shop.Answering(run.R.Context())
}

// doneBefore returns the event for an operation that was not carried out because the user went back to an old page.
func (run *scanRun) doneBefore(effect station.Effect, done station.Event) (station.Event, error) {
	text := run.DoneBefore(done.Text, run.Lookup(sayWords(station.SayChanged)))
	if effect.Unit.ID == "" {
		return station.Event{Kind: station.Repeated, Text: text}, nil
	}
	card, err := unitcard.Load(run.Visit, effect.Unit.ID)
	if err == nil && asShown(card, run.place).Entry != effect.Unit.Entry {
		text = run.nothingDone(card, effect.Unit)
	}
	return station.Event{Kind: station.Repeated, Text: text}, err
}

func (run *scanRun) actor() input.TextInput { return input.Given(run.Operator) }

func seenAt(unit station.Unit) input.NumberInput { return input.Given(float64(unit.Step)) }

func (run *scanRun) advance(effect station.Effect) (station.Event, error) {
	id := effect.Unit.ID
	serial, err := run.Service.AdvanceSerial(run.R.Context(), id, shop.AdvanceSerialInput{
		ExpectedStepIndex: seenAt(effect.Unit), UserID: run.actor(),
	})
	if err != nil {
		return station.Event{}, err
	}
	if serial.Status == card.Completed {
		return run.changed(effect.Unit, run.T("{unit} is completed.", "unit", id))
	}
	done, err := run.changed(effect.Unit, run.T("{unit} moved to the next step.", "unit", id))
	if card, loadErr := unitcard.Load(run.Visit, id); loadErr == nil && card.Current() != nil {
		done.Text = run.T("{unit} moved to the next step. It goes to {step}.", "unit", id, "step", site.StepInWords(*card.Current()))
	}
	return done, err
}

func (run *scanRun) scrap(effect station.Effect) (station.Event, error) {
	ctx, reason := run.R.Context(), station.ScrapReason(effect.Command)
	// The route of the station requires only the permission to move units. Scrapping needs another permission.
	if err := shop.CallerOf(ctx).Require(shop.OpScrap.Permission()); err != nil {
		return station.Event{}, err
	}
	in := shop.ScrapSerialInput{Reason: input.Given(string(reason)), ExpectedStepIndex: seenAt(effect.Unit), UserID: run.actor()}
	if effect.Words != "" {
		in.Explanation = input.Given(effect.Words)
	}
	if _, err := run.Service.ScrapSerial(ctx, effect.Unit.ID, in); err != nil {
		return station.Event{}, err
	}
	return run.changed(effect.Unit, run.T("{unit} is scrapped: {reason}.", "unit", effect.Unit.ID,
		"reason", lang.Words(run.Language, reason)))
}

// changed returns the event for a change of the unit's card. The first entry that follows the entry shown by the page identifies the
// change.
func (run *scanRun) changed(unit station.Unit, text string) (station.Event, error) {
	done := station.Event{Kind: station.Acted, Text: text}
	card, err := unitcard.Load(run.Visit, unit.ID)
	if err != nil {
		return done, err
	}
	for _, entry := range card.Trail {
		if entry.ID == unit.Entry {
			break
		}
		if last := card.LastChange; last != nil && last.Entry.ID == entry.ID && entry.UserID == run.Operator {
			done.Act = actOf(changeAct, unit.ID, entry.ID)
		}
	}
	return done, nil
}

// writeNote adds a note to the step that the page showed.
func (run *scanRun) writeNote(effect station.Effect) (station.Event, error) {
	card, err := unitcard.Load(run.Visit, effect.Unit.ID)
	if err != nil {
		return station.Event{}, err
	}
	step := card.Card.NoteStep()
	if steps := card.Card.Path.Steps; effect.Unit.Step < len(steps) {
		step = steps[effect.Unit.Step]
	}
	note, err := run.Service.CreateNote(run.R.Context(), shop.CreateNoteInput{
		JobID: input.Given(card.Serial().JobID), PathID: input.Given(card.Serial().PathID), StepID: input.Given(step.ID),
		SerialIDs: input.GivenTexts(effect.Unit.ID), Text: input.Given(effect.Words), UserID: run.actor(),
	})
	return station.Event{Kind: station.Acted, Act: actOf(noteAct, effect.Unit.ID, note.ID),
		Text: run.T("Note written on {unit}.", "unit", effect.Unit.ID)}, err
}

func (run *scanRun) hold(effect station.Effect) (station.Event, error) {
	hold, err := run.Service.HoldSerial(run.R.Context(), effect.Unit.ID, shop.HoldSerialInput{
		Reason: input.Given(effect.Words), UserID: run.actor(),
	})
	return station.Event{Kind: station.Acted, Act: actOf(holdAct, effect.Unit.ID, hold.ID),
		Text: run.T("{unit} is on hold: {reason}", "unit", effect.Unit.ID, "reason", effect.Words)}, err
}

// completeDeferred completes the only open deferred step, or the step whose number the command contains.
//
// If a check refuses here, completeDeferred still calls the operation, with an empty stepId. If this form was already carried out, the
// operation returns the stored result. Otherwise the page shows the refusal of the check.
func (run *scanRun) completeDeferred(effect station.Effect) (station.Event, error) {
	card, err := unitcard.Load(run.Visit, effect.Unit.ID)
	if err != nil {
		return station.Event{}, err
	}
	place, _ := station.DeferredPlace(effect.Command)
	open, chosen := card.Deferred(), place-1
	if place == 0 && len(open) == 1 {
		chosen = open[0]
	}
	stepID, refusal := "", ""
	if chosen >= 0 && chosen < len(card.Steps) {
		stepID = card.Steps[chosen].Step.ID
	}
	switch {
	case len(open) == 0:
		refusal = run.T("{unit} has no deferred step open.", "unit", effect.Unit.ID)
	case stepID == "":
		refusal = run.T("More than one step is deferred. Press the one that is done.")
	}
	resolved, err := run.Service.CompleteDeferredStep(run.R.Context(), effect.Unit.ID, stepID, run.actor())
	if refusedBefore(refusal, err) {
		return refusedWith(refusal), nil
	}
	if err != nil {
		return station.Event{}, err
	}
	return run.changed(effect.Unit, run.T("Deferred step {step} of {unit} is done.",
		"step", card.StepName(resolved.StepID), "unit", effect.Unit.ID))
}

// refusedBefore reports whether to show the refusal of a check that preceded the operation. It returns false if the operation was already
// carried out.
func refusedBefore(problem string, err error) bool {
	failure, refused := site.AsRefusal(err)
	return problem != "" && refused && (failure.Kind == refusal.Invalid || failure.Kind == refusal.NotFound)
}
