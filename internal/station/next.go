package station

import (
	"strings"
	"time"

	"github.com/routecard/routecard/shop/ident"
)

const (
	// Settled is the time after a scan in which a person cannot have read the screen: an empty Enter confirms nothing, and a reading causes
	// a question.
	Settled = time.Second
	// Ending is the time after a scan in which an empty Enter is ignored, because scanners may end a code with two Enters.
	Ending = 250 * time.Millisecond
	// Bounce is the time in which a repeated command counts as scanned by accident, so that its result stays on the screen.
	Bounce = 3 * time.Second
	// Again is the time in which a repeated reading counts as sent twice by the instrument.
	Again = 5 * time.Second
)

// Next returns the next state of a station and its effects after an event. It implements the table in doc.go, and is a pure function. The
// effects are executed in their order; the result of Look, Find, Check, Judge or Act, at most one of which occurs, is the next event.
func Next(prefix ident.Prefix, s State, e Event) (State, []Effect) {
	switch e.Kind {
	case Scanned:
		return s.scanned(prefix, e)
	case Found:
		return s.found(e)
	case Several:
		return State{Phase: Listed, Why: e.Why, Words: strings.Join(e.Units, " ")}, s.tell(SayAsk, e.Text)
	case Missing:
		return State{}, s.tell(namesNone(prefix, e.Typed), e.Text)
	case Checked:
		return s.take(e.Words, e.Why)
	case Judged:
		next := State{Phase: Asked, Unit: s.Unit, Command: e.Command, Why: e.Why, Words: e.Words, Act: e.Act}
		if _, measures := MeasurePlace(e.Command); measures {
			next = Asks(s.Unit, e.Demand)
		} else if e.Command == CodeInstall {
			next = installs(s.Unit, Lot{})
		} else if e.Why == "" {
			next.Phase = TextAwaited
		}
		if s.Command == e.Command || s.Demand.Characteristic != "" && next.Demand.Characteristic != "" { // nothing is dropped
			return next, []Effect{{Kind: Tell, Say: SayAsk}}
		}
		return next, s.tell(SayAsk, "")
	case Acted:
		if e.Command == CodeMeasure || e.Command == CodeInstrument {
			return s.measured(e)
		}
		if e.Command == CodeInstall {
			return s.installed(e)
		}
		done := State{Phase: Done, Command: e.Command, Act: e.Act}
		if s.Phase == Shown && s.Command != "" { // the scan alone signed the step off
			done.Command = s.Command
		}
		return done, []Effect{{Kind: Tell, Say: SayDone, Text: e.Text}}
	case Repeated:
		return State{}, []Effect{{Kind: Tell, Say: SayRepeated, Text: e.Text}}
	case Refused:
		return s.refused(e)
	case Changed:
		if s.InHand() {
			return State{}, s.tell(SayChanged, e.Text)
		}
	case Waited:
		if s.waits() {
			return State{}, s.tell(SayWaited, e.Text)
		}
	case Lost:
		return State{}, []Effect{{Kind: Tell, Say: SayLost, Text: e.Text}}
	}
	return s, nil
}

// found shows a unit that was looked up, asks for a reading of it, or signs its step off if a scan alone does so.
func (s State) found(e Event) (State, []Effect) {
	if s.bounces(e.Unit.ID, e) { // the scan that signed it off, repeated
		return s, []Effect{{Kind: Tell, Say: SayNothing}}
	}
	if goesOn := s.Phase == Shown && s.Unit.ID == e.Unit.ID && s.Words == e.Words; e.Out && !e.Unit.Away && !goesOn {
		return State{Phase: Asked, Unit: e.Unit, Command: CodeMeasure, Why: Out, Words: e.Words, Demand: e.Demand}, s.tell(SayAsk, e.Text)
	}
	if e.Demand.Characteristic != "" && !e.Out && !e.Unit.Away {
		if s.Demand.Characteristic != "" && s.Unit.ID == e.Unit.ID {
			s = State{} // scanning the same unit again leaves no question open
		}
		return Asks(e.Unit, e.Demand), s.tell(SayAsk, e.Text)
	}
	next := State{Phase: Shown, Unit: e.Unit}
	if e.OneScan && (s.Phase == Empty || s.Phase == Done || s.Phase == Shown && s.Unit.ID != e.Unit.ID) && !e.Unit.Away {
		next.Command = e.Unit.ID
		return next, []Effect{{Kind: Act, Unit: e.Unit, Command: CodeDone}}
	}
	return next, s.tell(SayShown, e.Text)
}

// refused drops the question. If the refused command is not the one that asked, refused also reports that the question was dropped. A
// reading that is still demanded is not dropped.
func (s State) refused(e Event) (State, []Effect) {
	next := Asks(s.Unit, s.Demand).ifInHand()
	if s.Command == CodeInstall && e.Command == CodeInstall { // another component, or another quantity
		next = installs(s.Unit, s.Lot)
	}
	if e.Command != "" && e.Command != s.Command && next.Phase != s.Phase {
		return next, s.tell(SayRefused, e.Text)
	}
	return next, []Effect{{Kind: Tell, Say: SayRefused, Text: e.Text}}
}

// bounces reports whether a code repeats the code whose effect is on the screen: it was scanned again within Bounce, or before the result
// was shown.
func (s State) bounces(code string, e Event) bool {
	return s.Phase == Done && code == s.Command && (e.Early || e.Ago < Bounce)
}

// scanned returns the transition for a scan, a key or a button.
func (s State) scanned(prefix ident.Prefix, e Event) (State, []Effect) {
	typed := strings.TrimSpace(e.Typed)
	code := Understood(prefix, typed)
	_, unit := prefix.ParseSerialID(code)
	switch {
	case e.Unsent && s.InHand() && s.Phase != TextAwaited && code != CodeNo && code != CodeInstrument:
		return s, []Effect{{Kind: Tell, Say: SayUnsent}}
	case typed == "":
		return s.entered(e)
	case s.repeatsLast(typed, e):
		return s, []Effect{{Kind: Tell, Say: SayNothing}}
	case s.Phase == PartAwaited && (unit || code == ""):
		return s.part(prefix, typed, e)
	case code == "" && s.Phase == AmountAwaited:
		return s.amount(prefix, typed, e)
	case code == "" && s.Phase == TextAwaited:
		return s.text(prefix, typed, e.Early)
	case code == "" && s.Phase == ValueAwaited:
		return s.value(prefix, typed, e)
	case code == "" && s.Phase == Asked && s.Why == Sign:
		return s.chosen(prefix, typed, e)
	case code == "" && s.measuresAgain():
		return s.measureAgain(prefix, typed, e)
	case code == "":
		return s.find(prefix, typed)
	case s.bounces(code, e), s.Phase == Done && e.Ago < Bounce && code == CodeYes:
		return s, []Effect{{Kind: Tell, Say: SayNothing}}
	}
	if unit {
		return s, []Effect{{Kind: Look, Unit: Unit{ID: code}}}
	}
	switch code {
	case CodeYes:
		return s.yes(e.Early)
	case CodeNo:
		return s.no()
	case CodePass, CodeFail:
		return s.verdict(prefix, code, e)
	case CodeInstrument:
		return s.instrument()
	case CodeUndo:
		if s.Phase == Done && s.Act != "" && !e.Early {
			return s, []Effect{{Kind: Act, Command: CodeUndo, Act: s.Act}}
		}
		return s, []Effect{{Kind: Judge, Unit: s.Unit, Command: CodeUndo, Why: Sure}}
	}
	return s.command(code, e)
}

// find looks up the unit that a code may identify by other means than the unit's identifier. During measuring, a number with a decimal
// point identifies no unit.
func (s State) find(prefix ident.Prefix, typed string) (State, []Effect) {
	reading := s.Command == CodeMeasure && isNumber(typed) && Numbered(prefix, typed) == ""
	if reading || !canNumber(prefix, typed) {
		return State{}, s.tell(namesNone(prefix, typed), "")
	}
	return s, []Effect{{Kind: Find, Words: typed}}
}

// entered returns the transition for Enter on the empty field: the person sees the unit and signs its step off.
func (s State) entered(e Event) (State, []Effect) {
	switch {
	case s.Phase == Shown && !e.Early && e.Ago >= Settled:
		return s.command(CodeDone, e)
	case s.Phase == Shown && e.Ago >= Ending: // the person believes that the step is signed off
		return s, []Effect{{Kind: Tell, Say: SayHurried}}
	case s.awaits() && !e.Early && e.Ago >= Settled: // a second Enter of a scanner would hide the result of the first
		return s, []Effect{{Kind: Tell, Say: SayAsk}}
	}
	return s, []Effect{{Kind: Tell, Say: SayNothing}}
}

// command returns the transition for a command on the unit on the screen. A command with a question is checked first, so that the station
// asks no question about a command that will be refused.
func (s State) command(code string, e Event) (State, []Effect) {
	if !s.InHand() {
		return State{}, []Effect{{Kind: Tell, Say: SayNoUnit}}
	}
	judge := Effect{Kind: Judge, Unit: s.Unit, Command: code}
	_, deferred := DeferredPlace(code)
	_, measures := MeasurePlace(code)
	switch {
	case code == s.Command: // asked already
		return s, []Effect{{Kind: Tell, Say: SayAsk}}
	case AsksText(code), measures, code == CodeInstall:
	case !deferred && code != CodeDone:
		judge.Why = Sure
	case s.Phase != Shown: // after a question or a text, RC-DONE refers to the question or the text, not to the step
		return s, []Effect{{Kind: Tell, Say: SayAsk}}
	case s.Unit.Away:
		judge.Why = Away
	case e.Early:
		judge.Why = Early
	case e.Doubted:
		judge.Why = More
	default:
		return s, []Effect{{Kind: Act, Unit: s.Unit, Command: code}}
	}
	return s, []Effect{judge}
}

// text returns the transition for the text of a command.
func (s State) text(prefix ident.Prefix, typed string, early bool) (State, []Effect) {
	if ranTogether(prefix, typed) {
		return State{}, s.tell(SayRanTogether, "")
	}
	why := Why("")
	switch {
	case s.Command == CodeInstrument: // the instrument must exist
		return s.take(typed, "")
	case looksLikeCode(prefix, typed):
		why = Code
	case early:
		why = Early
	}
	return s.check(prefix, typed, why)
}

// check accepts a text. It asks first if there is a reason to ask, or if the text is the number of a unit: a scan of the next unit must not
// become a note on the previous unit.
func (s State) check(prefix ident.Prefix, words string, why Why) (State, []Effect) {
	if why == "" && canNumber(prefix, words) {
		return s, []Effect{{Kind: Check, Words: words}}
	}
	return s.take(words, why)
}

// take accepts a text for the command, or asks about it first.
func (s State) take(words string, why Why) (State, []Effect) {
	if why == "" && ScrapReason(s.Command) != "" {
		why = Sure
	}
	if why == "" {
		return s, []Effect{{Kind: Act, Unit: s.Unit, Command: s.Command, Words: words, Demand: s.Demand, Lot: s.Lot}}
	}
	asked := State{Phase: Asked, Unit: s.Unit, Command: s.Command, Why: why, Words: words, Demand: s.Demand, Lot: s.Lot}
	return asked, []Effect{{Kind: Tell, Say: SayAsk}}
}

// yes confirms the question, if it was on the screen.
func (s State) yes(early bool) (State, []Effect) {
	switch {
	case s.awaits(), s.Phase == Listed, s.Phase == Asked && early:
		return s, []Effect{{Kind: Tell, Say: SayAsk}}
	case s.Phase != Asked:
		return s.shownOrEmpty(), []Effect{{Kind: Tell, Say: SayNotAsked}}
	case s.Why == Sign:
		return s, []Effect{{Kind: Tell, Say: SayAsk}}
	case s.Why == Out:
		return Asks(s.Unit, s.Demand), []Effect{{Kind: Tell, Say: SayAsk}}
	case s.Words != "" && s.Why != Sure:
		return s.take(s.Words, "")
	}
	return s, []Effect{{Kind: Act, Unit: s.Unit, Command: s.Command, Words: s.Words, Act: s.Act}}
}

// no drops the question.
func (s State) no() (State, []Effect) {
	switch {
	case s.Phase == Asked && s.Why == Out:
		return s.goesOn()
	case s.Phase == Asked && s.Why == Twice: // a third reading causes a question as well
		next := Asks(s.Unit, s.Demand)
		next.Words = s.Words
		return next, []Effect{{Kind: Tell, Say: SayAsk}}
	case s.Phase == Asked && s.Command == CodeMeasure,
		s.Phase == TextAwaited && Asks(s.Unit, s.Demand).Phase == ValueAwaited:
		return Asks(s.Unit, s.Demand), []Effect{{Kind: Tell, Say: SayAsk}}
	case s.Phase == Asked && s.Command == CodeInstall:
		return installs(s.Unit, s.Lot), []Effect{{Kind: Tell, Say: SayAsk}}
	case s.Phase == Asked && s.Why == Code:
		return State{Phase: TextAwaited, Unit: s.Unit, Command: s.Command}, []Effect{{Kind: Tell, Say: SayAsk}}
	case s.Phase == Asked || s.awaits() || s.Phase == Listed:
		return s.shown(), []Effect{{Kind: Tell, Say: SayNo}}
	}
	return s.shownOrEmpty(), []Effect{{Kind: Tell, Say: SayNotAsked}}
}

// ifInHand returns the state, or the empty state if it has no unit.
func (s State) ifInHand() State {
	if s.Unit.ID == "" {
		return State{}
	}
	return s
}

func (s State) shownOrEmpty() State {
	if s.Phase == Shown {
		return s
	}
	return State{}
}

// This method shows a message in the status band. The message also mentions a question that is dropped.
func (s State) tell(say Say, text string) []Effect {
	told := Effect{Kind: Tell, Say: say, Text: text}
	if (s.Phase == Asked || s.awaits()) && s.Command != CodeUndo && s.Why != Out {
		told.Left, told.LeftID = s.Command, s.Unit.ID
	}
	return []Effect{told}
}
