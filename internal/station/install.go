package station

import (
	"github.com/routecard/routecard/internal/units"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// CodeInstall is the command that turns the next scan into a component of the unit on the screen.
const CodeInstall = "RC-INSTALL"

// Lot is a lot from which something is to be installed, as the person scanned it. The station asks for the quantity.
type Lot struct {
	Typed  string // the code that was scanned for it
	ID     string // identifier, "" for none
	Called string // the number of the lot on the page; nothing depends on it
	Unit   string // unit of its quantity, which may follow a number
}

// installs returns the state in which a unit is on the screen and the next scan is a component of the unit, or the quantity of a lot.
func installs(unit Unit, lot Lot) State {
	if lot.ID == "" {
		return State{Phase: PartAwaited, Unit: unit, Command: CodeInstall}
	}
	return State{Phase: AmountAwaited, Unit: unit, Command: CodeInstall, Lot: lot}
}

// Installing reports whether the next scan is a component, or the quantity of a lot.
func (s State) Installing() bool { return s.Phase == PartAwaited || s.Phase == AmountAwaited }

// installed returns the transition after a component was installed, or a lot was recognized whose quantity is needed.
func (s State) installed(e Event) (State, []Effect) {
	if e.Lot.ID != "" {
		return installs(s.Unit, e.Lot), []Effect{{Kind: Tell, Say: SayAsk}}
	}
	return State{Phase: Shown, Unit: e.Unit, Words: e.Words}, []Effect{{Kind: Tell, Say: SayMeasured, Text: e.Text}}
}

// part returns the transition for a code that was scanned as a component.
func (s State) part(prefix ident.Prefix, typed string, e Event) (State, []Effect) {
	switch {
	case ranTogether(prefix, typed):
		return State{}, s.tell(SayRanTogether, "")
	case e.Early:
		return s.take(typed, Early)
	}
	return s.take(typed, "")
}

// amount returns the transition for a text that was typed as the quantity of a lot.
func (s State) amount(prefix ident.Prefix, typed string, e Event) (State, []Effect) {
	number, ok := card.ReadTypedNumber(typed)
	switch {
	case ranTogether(prefix, typed):
		return State{}, s.tell(SayRanTogether, "")
	case typed == s.Lot.Typed: // a scanner that reads the lot twice
		return s, []Effect{{Kind: Tell, Say: SayAsk}}
	case !ok && mistyped(typed):
		return s, []Effect{{Kind: Tell, Say: SayNoNumber}}
	case !ok:
		return s.find(prefix, typed)
	case number.Unit != "" && !units.Same(number.Unit, s.Lot.Unit):
		return s, []Effect{{Kind: Tell, Say: SayOtherUnit}}
	case likeBarcode(number.Number):
		return s.take(number.Number, Code)
	case e.Early || e.Ago < Settled: // before the person can have read the question
		return s.take(number.Number, Early)
	}
	return s.take(number.Number, "")
}
