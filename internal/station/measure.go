package station

import (
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/units"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// The commands for readings. The code that measures may be followed by a hyphen and the place of a characteristic among those of the step,
// counted from 1.
const (
	CodeMeasure    = "RC-MEASURE"
	CodePass       = "RC-PASS"
	CodeFail       = "RC-FAIL"
	CodeInstrument = "RC-INSTRUMENT"
)

// MeasureCode returns the command code that measures the characteristic at a place of the step, counted from 1.
func MeasureCode(place int) string { return CodeMeasure + hyphen + strconv.Itoa(place) }

// MeasurePlace returns the place in a code that measures, counted from 1; 0 if it has none. ok reports whether the code is one.
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

// Demand is a characteristic to be measured, as the person saw it. A reading is sent with this, and never with fresher data.
type Demand struct {
	Characteristic string // identifier of the characteristic, "" for none
	Step           string // identifier of its step
	Revision       int    // of the characteristics of the step
	Type           card.CharacteristicType
	Called         string // its name on the page; nothing depends on it
	Instrument     string // identifier of the instrument, "" for none
	NeedsOne       bool   // whether no reading is accepted without an instrument
	Unit           string // unit of measurement, which may follow a number
	card.Limits           // for checking a reading before it is recorded; the page shows them
}

// Asks returns the state in which a unit is on the screen and the page asks for a reading of it, or for the instrument first. Without a
// characteristic it has only the unit.
func Asks(unit Unit, demand Demand) State {
	switch {
	case demand.Characteristic == "":
		return State{Phase: Shown, Unit: unit}
	case demand.NeedsOne && demand.Instrument == "":
		return State{Phase: TextAwaited, Unit: unit, Command: CodeInstrument, Demand: demand}
	}
	return State{Phase: ValueAwaited, Unit: unit, Command: CodeMeasure, Demand: demand}
}

// measured is the transition after a reading was recorded, or an instrument taken.
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

// value is the transition for a text that was typed as a reading.
func (s State) value(typed string, e Event) (State, []Effect) {
	hurried := e.Early || e.Ago < Settled
	read, fits := s.reading(typed)
	switch {
	case ranTogether(typed):
		return State{}, s.tell(SayRanTogether, "")
	case hurried && (typed == s.Words || fits && s.repeats(read)): // an instrument that types twice
		return s, []Effect{{Kind: Tell, Say: SayNothing}}
	case s.otherUnit(typed):
		return s, []Effect{{Kind: Tell, Say: SayOtherUnit}}
	case s.Demand.Type == card.NumberReading && !fits && mistyped(typed):
		return s, []Effect{{Kind: Tell, Say: SayNoNumber}}
	case !fits && isNumber(typed):
		return State{}, s.tell(SayUnknown, "")
	case !fits:
		return s.find(typed)
	}
	why := s.doubt(read, hurried, e.Ago)
	if s.Demand.Type == card.TextReading || s.Demand.Type == card.PassFailReading && typed != read {
		return s.check(typed, why)
	}
	return s.take(read, why)
}

// doubt returns the reason to ask whether a text is the reading, "" for none.
func (s State) doubt(read string, hurried bool, ago time.Duration) Why {
	number := s.Demand.Type == card.NumberReading
	switch {
	case number && likeBarcode(read), s.Demand.Type == card.TextReading && looksLikeCode(read):
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

// repeatsShown reports whether a text repeats the last reading of the unit on the screen, from an instrument that types twice.
func (s State) repeatsShown(typed string, e Event) bool {
	read, ok := card.ReadTypedNumber(typed)
	return s.Phase == Shown && s.Words != "" && e.Ago < Again && (typed == s.Words || ok && s.repeats(read.Number))
}

// reading is a text as a reading of the asked characteristic. It reports whether it can be one.
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

// barcodeDigits is the number of digits without a point from which a text counts as a scanned barcode: an EAN-8 has as many.
const barcodeDigits = 8

func likeBarcode(typed string) bool {
	return len(typed) >= barcodeDigits && digitsOnly(typed)
}

// verdict is the transition for a reading by one of the two buttons, or their codes.
func (s State) verdict(code string, e Event) (State, []Effect) {
	switch {
	case s.Phase == ValueAwaited && s.Demand.Type == card.PassFailReading:
		typed := string(card.VerdictPass)
		if code == CodeFail {
			typed = string(card.VerdictFail)
		}
		return s.value(typed, e)
	case s.Phase == ValueAwaited || s.Phase == TextAwaited || s.Phase == Asked:
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
	case TextAwaited, Asked:
		return s, []Effect{{Kind: Tell, Say: SayAsk}}
	case Empty, Shown, Listed, Done:
	}
	return s.shownOrEmpty(), []Effect{{Kind: Tell, Say: SayNotAsked}}
}

// goesOn accepts a reading out of limits as it is: the unit is looked up again, for its other characteristics.
func (s State) goesOn() (State, []Effect) {
	return State{Phase: Shown, Unit: s.Unit}, []Effect{{Kind: Look, Unit: Unit{ID: s.Unit.ID}}}
}
