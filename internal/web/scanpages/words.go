package scanpages

import (
	"strings"

	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/unitcard"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/views"
)

// bandOf returns how a status band looks and sounds: good, bad, ask, show, or warn. warn sounds like bad.
func bandOf(say station.Say) string {
	switch say {
	case station.SayAsk:
		return "ask"
	case station.SayShown, station.SayNotAsked, station.SayNo:
		return "show"
	case station.SayDone, station.SayMeasured:
		return "good"
	case station.SayChanged, station.SayWaited, station.SayRepeated:
		return "warn"
	case station.SayNothing, station.SayUnknown, station.SayNotHere, station.SayRanTogether, station.SayNoUnit, station.SayMissing,
		station.SayRefused, station.SayLost, station.SayNoNumber, station.SayOtherUnit, station.SayUnsent, station.SayHurried,
		station.SayNotMeasuring:
	}
	return "bad"
}

// sayWords returns the text of a status band if its event has no text.
func sayWords(say station.Say) lang.Text {
	switch say {
	case station.SayUnknown:
		return "The station does not know this code. No unit is in hand now."
	case station.SayRanTogether:
		return "Two codes, or a code and a text, were scanned as one. Nothing was done. No unit is in hand now: scan it again."
	case station.SayNoUnit:
		return "Scan a unit first."
	case station.SayShown:
		return "When the step is done: press the button, press Enter, or scan RC-DONE."
	case station.SayNotAsked:
		return "Nothing was asked, and nothing was changed."
	case station.SayNo:
		return "Nothing was changed."
	case station.SayChanged:
		return "Nothing was done here. No unit is in hand now: scan it again."
	case station.SayWaited:
		return "There was no input for five minutes. Nothing was done. No unit is in hand now: scan it again."
	case station.SayNoNumber:
		return "This is not one number, and nothing was recorded. Type it again, such as 12.503 or 12,503."
	case station.SayOtherUnit:
		return "The reading has another unit than the characteristic, and nothing was recorded. Convert it, or set the instrument."
	case station.SayUnsent:
		return "The field has a code or a text that was not sent. Press Enter to send it, or delete it. Nothing was done."
	case station.SayHurried:
		return "Enter came before the unit could be read here. Nothing was done: press Enter again when the step is done."
	case station.SayNotMeasuring:
		return "This number was not recorded, because no number is asked for. No unit is in hand now: scan it again."
	case station.SayLost:
		return "It is not known whether this was done."
	case station.SayNothing, station.SayNotHere, station.SayMissing, station.SayAsk, station.SayRefused, station.SayDone,
		station.SayMeasured, station.SayRepeated:
	}
	return ""
}

const anotherKeyboard lang.Text = "The scanner is set to another keyboard than this device: " +
	"it types other characters for hyphens or digits. Set its keyboard layout. No unit is in hand now."

func noSuchUnit(l *lang.Language, id string) string {
	return l.T("There is no unit {unit}. No unit is in hand now.", "unit", id)
}

// byEarlier describes a unit that was found by one of its earlier numbers.
func byEarlier(l *lang.Language, unit views.CalledUnit) string {
	return l.T("Its own number is {number} now: check the number engraved on the unit in your hand.", "number", unit.SerialNumber)
}

// scrappedToo identifies the scrapped units that have the same number as the unit on the screen.
func scrappedToo(l *lang.Language, units []views.CalledUnit) string {
	return l.T("Scrapped with the same number: {units}. Check the unit in your hand.", "units", strings.Join(calledIDs(units), ", "))
}

// elsewhere says where the unit's step is done.
func elsewhere(card *unitcard.Page) string {
	step := card.Current()
	return card.T("{unit} is at {step}, {place}, not here.", "unit", card.Serial().ID, "step", step.Name, "place", step.Location)
}

// question returns the question that waits for a response, including the unit. It returns "" if there is no question.
func question(l *lang.Language, state station.State) string {
	id, code := state.Unit.ID, state.Command
	switch state.Phase {
	case station.TextAwaited:
		if code == station.CodeInstrument {
			return l.T("Type the number of the instrument for {characteristic}, then Enter.", "characteristic", state.Demand.Called)
		}
		return l.T(ofText(code).question, "unit", id)
	case station.ValueAwaited:
		return valueQuestion(l, id, state.Demand)
	case station.PartAwaited:
		return l.T("Scan the unit or the lot that is installed in {unit}.", "unit", id)
	case station.AmountAwaited:
		return l.T("How much of lot {lot} is installed in {unit}? Type it in {measure}, then Enter.",
			"lot", state.Lot.Called, "unit", id, "measure", state.Lot.Unit)
	case station.Asked:
		return askedQuestion(l, state)
	case station.Listed:
		return listedQuestion(l, state)
	case station.Empty, station.Shown, station.Done:
	}
	return ""
}

// listedQuestion asks which of the listed units is meant. If no job has the GTIN of the code, the unit may be none of them.
func listedQuestion(l *lang.Language, state station.State) string {
	units := len(state.Listing())
	if state.Why == station.Part {
		return l.TN(units, "No job has the GTIN of this code. Is this the unit in your hand?",
			"No job has the GTIN of this code. Which of these units is in your hand?")
	}
	return l.TN(units, "This is {n} unit. Is it in your hand?", "These are {n} units. Which one is in your hand?")
}

// textWords are the texts of a command that asks for a text.
type textWords struct {
	label    lang.Text // of the field
	question lang.Text
	isCode   lang.Text // question about a text that looks like a code
	isMeant  lang.Text // question about a text that was typed before the question was on the screen
	yes      lang.Text // the label of the button
	left     lang.Text // message that the question was dropped
}

// ofText returns the texts of a command that asks for a text.
func ofText(code string) textWords {
	switch code {
	case station.CodeNote:
		return textWords{
			"Note on {unit}", "Type the note for {unit}, then Enter.", "“{text}” looks like a code. Is it the note?",
			"Is “{text}” the note?", "Yes, that is the note", "No note was written on {unit}.",
		}
	case station.CodeHold:
		return textWords{
			"Why is {unit} put on hold?", "Why is {unit} put on hold? Type it, then Enter.",
			"“{text}” looks like a code. Is it the reason of the hold?", "Is “{text}” the reason of the hold?",
			"Yes, that is the reason of the hold", "{unit} was not put on hold.",
		}
	}
	return textWords{
		"Why is {unit} scrapped?", "Why is {unit} scrapped? Type it, then Enter.",
		"“{text}” looks like a code. Is it the reason of the scrapping?", "Is “{text}” the reason of the scrapping?",
		"Yes, that is the reason of the scrapping", "{unit} was not scrapped.",
	}
}

// TextLabel is the label of the field while the station waits for a text.
func (p *Page) TextLabel() string { return p.T(ofText(p.State.Command).label, "unit", p.State.Unit.ID) }

func askedQuestion(l *lang.Language, state station.State) string {
	id, code := state.Unit.ID, state.Command
	_, deferred := station.DeferredPlace(code)
	reason := lang.Words(l, station.ScrapReason(code))
	switch {
	case code == station.CodeMeasure:
		return readingQuestion(l, state)
	case code == station.CodeInstall && state.Lot.ID != "":
		return l.T("Is “{text}” the quantity of lot {lot} that is installed in {unit}?",
			"text", state.Words, "lot", state.Lot.Called, "unit", id)
	case code == station.CodeInstall:
		return l.T("“{text}” was scanned before the question was on the screen. Is it installed in {unit}?",
			"text", state.Words, "unit", id)
	case state.Why == station.Code:
		return l.T(ofText(code).isCode, "text", state.Words)
	case code == station.CodeUndo:
		return l.T("Undo the last change at this station? {change}", "change", state.Words)
	case state.Why == station.More:
		return l.T("The earlier scan of {unit} was carried out. Is the step that is on the screen now done, too?", "unit", id)
	case state.Why == station.Early && state.Words != "":
		return l.T(ofText(code).isMeant, "text", state.Words)
	case reason != "" && state.Words != "":
		return l.T("Scrap {unit}: {reason}, “{text}”? Undoing it needs a reason.", "unit", id, "reason", reason, "text", state.Words)
	case reason != "":
		return l.T("Scrap {unit}: {reason}? Undoing it needs a reason.", "unit", id, "reason", reason)
	case deferred && state.Why == station.Away:
		return l.T("{unit} is not here. Is its deferred step done all the same?", "unit", id)
	case deferred:
		return l.T("The code was scanned before {unit} was on the screen. Is its deferred step done?", "unit", id)
	case state.Why == station.Away:
		return l.T("{unit} is not here. Is its step done all the same? The trail says that it was done at this station.", "unit", id)
	}
	return l.T("RC-DONE was scanned before {unit} was on the screen. Is its step done?", "unit", id)
}

// Yes is the label of the button that says yes to the question.
func (p *Page) Yes() string {
	switch {
	case p.State.Why == station.Out:
		return p.T("Measure again")
	case p.State.Command == station.CodeMeasure:
		return p.T("Yes, that is the reading")
	case p.State.Command == station.CodeInstall:
		return p.T("Yes, install it")
	case p.State.Why == station.Code || p.State.Words != "" && p.State.Why == station.Early:
		return p.Lookup(ofText(p.State.Command).yes)
	case p.State.Command == station.CodeUndo:
		return p.T("Yes, undo it")
	case station.ScrapReason(p.State.Command) != "":
		return p.T("Yes, scrap {unit}", "unit", p.State.Unit.ID)
	}
	return p.T("Yes, {unit} is done", "unit", p.State.Unit.ID)
}

// leftOf returns the command whose question is dropped if the unit is put away.
func leftOf(state station.State) string {
	switch state.Phase {
	case station.Asked, station.TextAwaited, station.ValueAwaited, station.PartAwaited, station.AmountAwaited:
		return state.Command
	case station.Empty, station.Shown, station.Listed, station.Done:
	}
	return ""
}

// leftWords describes the question that was dropped.
func leftWords(l *lang.Language, effect station.Effect) string {
	if effect.Left == "" || effect.LeftID == "" {
		return ""
	}
	return l.T(leftText(effect.Left), "unit", strings.TrimSpace(effect.LeftID))
}

func leftText(code string) lang.Text {
	_, deferred := station.DeferredPlace(code)
	switch {
	case code == station.CodeDone:
		return "{unit} was not moved."
	case code == station.CodeMeasure || code == station.CodeInstrument:
		return "Nothing more was measured on {unit}."
	case code == station.CodeInstall:
		return "Nothing was installed in {unit}."
	case deferred:
		return "No deferred step of {unit} was done."
	}
	return ofText(code).left
}

// valueQuestion asks for a reading.
func valueQuestion(l *lang.Language, id string, demand station.Demand) string {
	switch demand.Type {
	case card.PassFailReading:
		return l.T("{characteristic} of {unit}: pass or fail?", "characteristic", demand.Called, "unit", id)
	case card.TextReading:
		return l.T("Type {characteristic} of {unit}, then Enter.", "characteristic", demand.Called, "unit", id)
	case card.NumberReading:
	}
	return l.T("Measure {characteristic} of {unit}, then Enter.", "characteristic", demand.Called, "unit", id)
}

// readingQuestion asks whether a typed reading is correct, or whether a recorded reading is to be repeated.
func readingQuestion(l *lang.Language, state station.State) string {
	id, called := state.Unit.ID, state.Demand.Called
	switch state.Why {
	case station.Out:
		reading := card.Measurement{Value: state.Words, Verdict: card.VerdictFail, Limits: state.Demand.Limits}
		return l.T("{reading}. It is recorded for {unit}. Measure it again?",
			"reading", wording.OutInWords(l, &reading, called), "unit", id)
	case station.Code:
		return l.T("“{text}” looks like a code. Is it the reading of {characteristic}?", "text", state.Words, "characteristic", called)
	case station.Twice:
		return l.T("“{text}” was recorded a moment ago. Is it the reading of {characteristic} of {unit}, too?",
			"text", state.Words, "characteristic", called, "unit", id)
	case station.Sign:
		decimal, whole := state.Choices()
		return l.T("Is the reading of {characteristic} of {unit} {decimal} or {whole}?",
			"characteristic", called, "unit", id, "decimal", l.Decimal(decimal), "whole", whole)
	case station.Far:
		return l.T("“{text}” is far from {limits}. Is it the reading of {characteristic} of {unit}?", "text", state.Words,
			"limits", wording.LimitsInWords(l, state.Demand.Limits, state.Demand.Unit), "characteristic", called, "unit", id)
	default:
		return l.T("“{text}” came before {characteristic} could be read on the screen. "+
			"Is it the reading of {characteristic} of {unit}?", "text", state.Words, "characteristic", called, "unit", id)
	}
}

// No is the label of the button that declines the question.
func (p *Page) No() string {
	if p.State.Why == station.Out {
		return p.T("Go on")
	}
	return p.T("No")
}
