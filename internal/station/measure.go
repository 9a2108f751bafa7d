package station

import (
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/units"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// The commands for readings. The code that measures may be followed by a hyphen and the place of a characteristic at the step, counted from
// 1.
const (
	CodeMeasure    = "RC-MEASURE"
	CodePass       = "RC-PASS"
	CodeFail       = "RC-FAIL"
	CodeInstrument = "RC-INSTRUMENT"
)

// MeasureCode returns the command code that measures the characteristic at a place of the step, counted from 1.
func MeasureCode(place int) string { return CodeMeasure + hyphen + strconv.Itoa(place) }

// MeasurePlace returns the place in a code that measures, counted from 1; 0 if it has no place. ok reports whether the code measures.
func MeasurePlace(code string) (place int, ok bool) { return placed(CodeMeasure, code) }

// placed returns the place after the hyphen of a command, 0 for none. ok reports whether the code is that command.
func placed(command, code string) (place int, ok bool) {
	if code == command {
		return 0, true
	}
	text, ok := strings.CutPrefix(code, command+hyphen)
	if !ok {
		return 0, false
	}
	place, err := strconv.Atoi(text)
	return place, err == nil && place > 0
}

// Demand is a characteristic to be measured, as the person saw it. The page sends this data, and never fresher data, with a reading.
type Demand struct {
	Characteristic string // identifier of the characteristic, "" for none
	Step           string // identifier of its step
	Revision       int    // the revision of the step's characteristics
	Type           card.CharacteristicType
	Called         string // the name of the characteristic on the page; nothing depends on it
	Instrument     string // identifier of the instrument, "" for none
	NeedsOne       bool   // whether no reading is accepted without an instrument
	Unit           string // unit of measurement, which may follow a number
	card.Limits           // for checking a reading before it is recorded; the page shows them
}

// Asks returns the state in which a unit is on the screen and the page asks for a reading of it, or for the instrument first. Without a
// characteristic, the state has only the unit.
func Asks(unit Unit, demand Demand) State {
	switch {
	case demand.Characteristic == "":
		return State{Phase: Shown, Unit: unit}
	case demand.NeedsOne && demand.Instrument == "":
		return State{Phase: TextAwaited, Unit: unit, Command: CodeInstrument, Demand: demand}
	}
	return State{Phase: ValueAwaited, Unit: unit, Command: CodeMeasure, Demand: demand}
}

// measured returns the transition after a reading was recorded, or an instrument taken.
func (s State) measured(e Event) (State, []Effect) {
	next := Asks(s.Unit, e.Demand)
	if e.Command != CodeInstrument {
		next = Asks(e.Unit, e.Demand)
		next.Words = e.Words
	}
	if e.Out {
		next = State{Phase: Asked, Unit: e.Unit, Command: CodeMeasure, Why: Out, Words: e.Words, Demand: e.Demand}
		return next, []Effect{{Kind: Tell, Say: SayAsk}}
	}
	return next, []Effect{{Kind: Tell, Say: SayMeasured, Text: e.Text}}
}

// value returns the transition for a text that was typed as a reading.
func (s State) value(prefix ident.Prefix, typed string, e Event) (State, []Effect) {
	hurried := e.Early || e.Ago < Settled
	read, fits := s.reading(typed)
	switch {
	case ranTogether(prefix, typed):
		return State{}, s.tell(SayRanTogether, "")
	case hurried && (typed == s.Words || fits && s.repeats(read)): // an instrument that types twice
		return s, []Effect{{Kind: Tell, Say: SayNothing}}
	case s.otherUnit(typed):
		return s, []Effect{{Kind: Tell, Say: SayOtherUnit}}
	case s.Demand.Type == card.NumberReading && !fits && mistyped(typed):
		return s, []Effect{{Kind: Tell, Say: SayNoNumber}}
	case !fits && isNumber(typed):
		return State{}, s.tell(SayNotMeasuring, "")
	case !fits:
		return s.find(prefix, typed)
	}
	if decimal, _, unclear := card.UnclearNumber(typed, e.Comma); unclear && s.Demand.Type == card.NumberReading {
		return s.take(decimal, Sign)
	}
	why := s.doubt(prefix, read, hurried, e.Ago)
	if s.Demand.Type == card.TextReading || s.Demand.Type == card.PassFailReading && typed != read {
		return s.check(prefix, typed, why)
	}
	return s.take(read, why)
}

// Choices returns the two numbers that the reading can be; "" unless the state asks which of two numbers the reading is.
func (s State) Choices() (decimal, whole string) {
	if s.Phase != Asked || s.Why != Sign {
		return "", ""
	}
	return s.Words, strings.Replace(s.Words, ".", "", 1)
}

// chosen returns the transition for a text that was typed while the page asks which of two numbers the reading is. Usually the text is one
// of the two numbers, from its button. Any other reading replaces the unclear reading.
func (s State) chosen(prefix ident.Prefix, typed string, e Event) (State, []Effect) {
	decimal, whole := s.Choices()
	read, ok := card.ReadTypedNumber(typed)
	if ok && !e.Early && (read.Number == decimal || read.Number == whole) {
		e.Ago = max(e.Ago, Again) // it repeats the typed text
	}
	return Asks(s.Unit, s.Demand).value(prefix, typed, e)
}

// doubt returns the reason to ask whether a text is the reading, "" for none.
func (s State) doubt(prefix ident.Prefix, read string, hurried bool, ago time.Duration) Why {
	number := s.Demand.Type == card.NumberReading
	switch {
	case number && likeBarcode(read), s.Demand.Type == card.TextReading && looksLikeCode(prefix, read):
		return Code
	case hurried: // before the person can have read the question
		return Early
	case s.Demand.Type != card.PassFailReading && ago < Again && s.repeats(read):
		return Twice
	case number && card.TenTimesOff(s.Demand.Limits, input.Decimal(read)):
		return Far
	}
	return ""
}

// repeats reports whether a reading equals the previous one, ignoring zeros at its end.
func (s State) repeats(read string) bool {
	if s.Words == "" || read == s.Words {
		return read == s.Words
	}
	number, is := input.ParseDecimal(read)
	before, was := input.ParseDecimal(s.Words)
	return is && was && number.Compare(before) == 0
}

// repeatsLast reports whether a text repeats the last reading, from an instrument that types twice, while the page asks for no reading, or
// about the last one.
func (s State) repeatsLast(typed string, e Event) bool {
	read, ok := card.ReadTypedNumber(typed)
	asksNone := s.Phase == Shown || s.Phase == TextAwaited && s.Command == CodeInstrument || s.measuresAgain()
	return asksNone && s.Words != "" && e.Ago < Again && (typed == s.Words || ok && s.repeats(read.Number))
}

// measuresAgain reports whether a typed value replaces the reading of the question, because the person has measured again or corrected it.
func (s State) measuresAgain() bool {
	if s.Phase != Asked || s.Command != CodeMeasure {
		return false
	}
	return s.Why == Out || s.Demand.Type == card.NumberReading && (s.Why == Twice || s.Why == Far || s.Why == Code)
}

// measureAgain returns the transition for a text that was typed as the new reading, or as the instrument that it needs first.
func (s State) measureAgain(prefix ident.Prefix, typed string, e Event) (State, []Effect) {
	next := Asks(s.Unit, s.Demand)
	if next.Phase == TextAwaited {
		return next.text(prefix, typed, e.Early)
	}
	return next.value(prefix, typed, e)
}

// reading converts a text to a reading of the demanded characteristic. fits reports whether the text can be such a reading.
func (s State) reading(typed string) (read string, fits bool) {
	switch s.Demand.Type {
	case card.NumberReading:
		number, ok := card.ReadTypedNumber(typed)
		return number.Number, ok && (number.Unit == "" || units.Same(number.Unit, s.Demand.Unit))
	case card.PassFailReading:
		verdict, ok := card.ReadVerdict(typed)
		return string(verdict), ok
	case card.TextReading:
	}
	return typed, true
}

// otherUnit reports whether a number was typed with another unit of measurement than that of the characteristic.
func (s State) otherUnit(typed string) bool {
	number, ok := card.ReadTypedNumber(typed)
	return ok && s.Demand.Type == card.NumberReading && units.Known(number.Unit) && !units.Same(number.Unit, s.Demand.Unit)
}

// isNumber reports whether a text can be a reading of a number.
func isNumber(typed string) bool {
	number, ok := card.ReadTypedNumber(typed)
	return ok && number.Unit == ""
}

// mistyped reports whether a text was meant as a number but is not one, such as 1,000.5, 12..5 or １２.５.
func mistyped(typed string) bool {
	typed = narrow(typed)
	return strings.Trim(typed, "0123456789.,+- ") == "" && !likeBarcode(typed)
}

// barcodeDigits is the number of digits without a point from which a text counts as a scanned barcode: an EAN-8 has 8.
const barcodeDigits = 8

func likeBarcode(typed string) bool {
	return len(typed) >= barcodeDigits && digitsOnly(typed)
}

// verdict returns the transition for RC-PASS and RC-FAIL, or for the button of one of these commands.
func (s State) verdict(prefix ident.Prefix, code string, e Event) (State, []Effect) {
	switch {
	case s.Phase == ValueAwaited && s.Demand.Type == card.PassFailReading:
		typed := string(card.VerdictPass)
		if code == CodeFail {
			typed = string(card.VerdictFail)
		}
		return s.value(prefix, typed, e)
	case s.awaits() || s.Phase == Asked:
		return s, []Effect{{Kind: Tell, Say: SayAsk}}
	}
	return s.shownOrEmpty(), []Effect{{Kind: Tell, Say: SayNotAsked}}
}

// instrument asks for another instrument.
func (s State) instrument() (State, []Effect) {
	switch s.Phase {
	case ValueAwaited:
		s.Phase, s.Command, s.Words = TextAwaited, CodeInstrument, ""
		return s, []Effect{{Kind: Tell, Say: SayAsk}}
	case TextAwaited, PartAwaited, AmountAwaited, Asked:
		return s, []Effect{{Kind: Tell, Say: SayAsk}}
	case Empty, Shown, Listed, Done:
	}
	return s.shownOrEmpty(), []Effect{{Kind: Tell, Say: SayNotAsked}}
}

// goesOn accepts a reading out of limits as it is: the unit is looked up again, for its other characteristics.
func (s State) goesOn() (State, []Effect) {
	return State{Phase: Shown, Unit: s.Unit, Words: s.Words}, []Effect{{Kind: Look, Unit: Unit{ID: s.Unit.ID}}}
}
