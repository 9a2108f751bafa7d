package scanpages

import (
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/internal/web/unitcard"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/views"
)

// bandOf returns how a status band looks and sounds: good, bad, ask, show, or warn, which sounds like bad.
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
		station.SayRefused, station.SayLost, station.SayNoNumber, station.SayOtherUnit:
	}
	return "bad"
}

const noneInHand = "No unit is in hand now: scan it again."

// sayWords returns the text of a status band whose event has none.
func sayWords(say station.Say) string {
	switch say {
	case station.SayUnknown:
		return "This is no code that a station knows. No unit is in hand now."
	case station.SayRanTogether:
		return "A code ran into other words or codes. Nothing was done. " + noneInHand
	case station.SayNoUnit:
		return "Scan a unit first."
	case station.SayShown:
		return "When the step is done: press the button, press Enter, or scan RC-DONE."
	case station.SayNotAsked:
		return "Nothing was asked, and nothing was changed."
	case station.SayNo:
		return "Nothing was changed."
	case station.SayChanged:
		return "Nothing was done here. " + noneInHand
	case station.SayWaited:
		return "Nobody did anything for five minutes. Nothing was done. " + noneInHand
	case station.SayNoNumber:
		return "This is not one number, and nothing was recorded. Type it again, such as 12.503 or 12,503."
	case station.SayOtherUnit:
		return "The reading has another unit than the characteristic, and nothing was recorded. Convert it, or set the instrument."
	case station.SayLost:
		return "It is not known whether this was done."
	case station.SayNothing, station.SayNotHere, station.SayMissing, station.SayAsk, station.SayRefused, station.SayDone,
		station.SayMeasured, station.SayRepeated:
	}
	return ""
}

const anotherKeyboard = "The scanner is set to another keyboard than this device: it types other characters for hyphens or digits. " +
	"Set its keyboard layout. No unit is in hand now."

func noSuchUnit(id string) string { return "There is no unit " + id + ". No unit is in hand now." }

// byEarlier describes a unit that was found by one of its earlier numbers.
func byEarlier(unit views.CalledUnit) string {
	return "Its own number is " + unit.SerialNumber + " now: look what is engraved on the unit in your hand."
}

// scrappedToo identifies the scrapped units that have the number of the unit on the screen.
func scrappedToo(units []views.CalledUnit) string {
	return "Scrapped with the same number: " + strings.Join(calledIDs(units), ", ") + ". Check the unit in your hand."
}

// elsewhere says where the unit's step is done.
func elsewhere(card *unitcard.Page) string {
	step := card.Current()
	return card.Serial().ID + " is at " + step.Name + ", " + step.Location + ", not here."
}

// question returns the question that waits for a response, with the unit; "" for none.
func question(state station.State) string {
	id, code := state.Unit.ID, state.Command
	switch state.Phase {
	case station.TextAwaited:
		if code == station.CodeInstrument {
			return instrumentQuestion(state.Demand)
		}
		return textQuestion(id, code)
	case station.ValueAwaited:
		return valueQuestion(id, state.Demand)
	case station.Asked:
		return askedQuestion(state)
	case station.Listed:
		if state.Why == station.Part {
			return partUnknown(len(state.Listing()))
		}
		return "These are " + strconv.Itoa(len(state.Listing())) + " units. Which one is in your hand?"
	case station.Empty, station.Shown, station.Done:
	}
	return ""
}

// partUnknown asks about units with the serial number of a code whose GTIN no job has.
func partUnknown(units int) string {
	const gtin = "No job has the GTIN of this code. "
	if units == 1 {
		return gtin + "Is this the unit in your hand?"
	}
	return gtin + "Which of these units is in your hand?"
}

func textQuestion(id, code string) string {
	switch code {
	case station.CodeNote:
		return "Type the note for " + id + ", then Enter."
	case station.CodeHold:
		return "Why is " + id + " put on hold? Type it, then Enter."
	}
	return "Why is " + id + " scrapped? Type it, then Enter."
}

func askedQuestion(state station.State) string {
	id, code := state.Unit.ID, state.Command
	_, deferred := station.DeferredPlace(code)
	switch {
	case code == station.CodeMeasure:
		return readingQuestion(state)
	case state.Why == station.Code:
		return "“" + state.Words + "” looks like a code. Is it " + textName(code) + "?"
	case code == station.CodeUndo:
		return "Undo what was done here last? " + state.Words
	case state.Why == station.More:
		return "What was sent for " + id + " before was done. Is the step that is on the screen now done, too?"
	case state.Why == station.Early && state.Words != "":
		return "Is “" + state.Words + "” " + textName(code) + "?"
	case station.ScrapReason(code) != "" && state.Words != "":
		return "Scrap " + id + ": " + wording.Words(station.ScrapReason(code)) + ", “" + state.Words + "”? Undoing it needs a reason."
	case station.ScrapReason(code) != "":
		return "Scrap " + id + ": " + wording.Words(station.ScrapReason(code)) + "? Undoing it needs a reason."
	case deferred && state.Why == station.Away:
		return id + " is not here. Is its deferred step done all the same?"
	case deferred:
		return "The code was scanned before " + id + " was on the screen. Is its deferred step done?"
	case state.Why == station.Away:
		return id + " is not here. Is its step done all the same? The trail says that it was done at this station."
	}
	return "RC-DONE was scanned before " + id + " was on the screen. Is its step done?"
}

// textName returns the noun for the text that a command asks for.
func textName(code string) string {
	switch code {
	case station.CodeNote:
		return "the note"
	case station.CodeHold:
		return "the reason of the hold"
	}
	return "the reason of the scrapping"
}

// Yes is the label of the button that says yes to the question.
func (p *Page) Yes() string {
	switch {
	case p.State.Why == station.Out:
		return "Measure again"
	case p.State.Command == station.CodeMeasure:
		return "Yes, that is the reading"
	case p.State.Why == station.Code || p.State.Words != "" && p.State.Why == station.Early:
		return "Yes, that is " + textName(p.State.Command)
	case p.State.Command == station.CodeUndo:
		return "Yes, undo it"
	case station.ScrapReason(p.State.Command) != "":
		return "Yes, scrap " + p.State.Unit.ID
	}
	return "Yes, " + p.State.Unit.ID + " is done"
}

// leftOf returns the command of a question that is dropped when the unit is put away.
func leftOf(state station.State) string {
	if state.Phase == station.Asked || state.Phase == station.TextAwaited || state.Phase == station.ValueAwaited {
		return state.Command
	}
	return ""
}

// leftWords describes the question that was dropped.
func leftWords(effect station.Effect) string {
	_, deferred := station.DeferredPlace(effect.Left)
	switch {
	case effect.Left == "" || effect.LeftID == "":
		return ""
	case effect.Left == station.CodeNote:
		return "No note was written on " + effect.LeftID + "."
	case effect.Left == station.CodeHold:
		return effect.LeftID + " was not put on hold."
	case effect.Left == station.CodeDone:
		return effect.LeftID + " was not moved."
	case effect.Left == station.CodeMeasure || effect.Left == station.CodeInstrument:
		return "Not everything of " + effect.LeftID + " was measured."
	case deferred:
		return "No deferred step of " + effect.LeftID + " was done."
	}
	return strings.TrimSpace(effect.LeftID) + " was not scrapped."
}

// valueQuestion asks for a reading.
func valueQuestion(id string, demand station.Demand) string {
	switch demand.Type {
	case card.PassFailReading:
		return demand.Called + " of " + id + ": pass or fail?"
	case card.TextReading:
		return "Type " + demand.Called + " of " + id + ", then Enter."
	case card.NumberReading:
	}
	return "Measure " + demand.Called + " of " + id + ", then Enter."
}

func instrumentQuestion(demand station.Demand) string {
	return "Type the number of the instrument for " + demand.Called + ", then Enter."
}

// readingQuestion asks whether a typed reading is right, or whether to repeat a recorded one.
func readingQuestion(state station.State) string {
	id, called := state.Unit.ID, state.Demand.Called
	switch state.Why {
	case station.Out:
		return state.Words + ". It is recorded for " + id + ". Measure it again?"
	case station.Code:
		return "“" + state.Words + "” looks like a code. Is it the reading of " + called + "?"
	case station.Twice:
		return "“" + state.Words + "” was recorded a moment ago. Is it the reading of " + called + " of " + id + ", too?"
	case station.Far:
		return "“" + state.Words + "” is far from " +
			wording.LimitsInWords(state.Demand.Limits, state.Demand.Unit) + ". Is it the reading of " +
			called + " of " + id + "?"
	default:
		return "“" + state.Words + "” came before " + called + " could be read on the screen. Is it the reading of " +
			called + " of " + id + "?"
	}
}

// No is the label of the button that declines the question.
func (p *Page) No() string {
	if p.State.Why == station.Out {
		return "Go on"
	}
	return "No"
}
