package station

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// Phase is the phase of a station between two scans.
type Phase string

// The phases of a station. The table in doc.go has the transitions between them.
const (
	Empty       Phase = ""
	Shown       Phase = "shown"
	Asked       Phase = "asked"
	TextAwaited Phase = "text"
	// ValueAwaited is the phase in which the page asks for a reading of a characteristic.
	ValueAwaited Phase = "value"
	// Listed is the phase in which the units that a code identifies are on the screen, and the page asks which one is meant.
	Listed Phase = "listed"
	Done   Phase = "done"
	// PartAwaited is the phase in which the next scan is a component of the unit on the screen.
	PartAwaited Phase = "part"
	// AmountAwaited is the phase in which the page asks how much of a lot is installed.
	AmountAwaited Phase = "amount"
)

// Why is the reason of a question before an act.
type Why string

// The questions of a station.
const (
	Sure  Why = "sure"  // whether to do something that only a decision can undo, and whether to undo a change
	Early Why = "early" // whether to execute a command that was scanned before the unit was on the screen
	Away  Why = "away"  // whether to finish at this station a step that belongs to another place
	Code  Why = "code"  // whether a text that looks like a code is the text or the reading
	Twice Why = "twice" // whether a reading that equals the reading just recorded is a second reading
	Far   Why = "far"   // whether a reading that is ten times off is right
	Sign  Why = "sign"  // which of two numbers the reading is: its point or comma may separate thousands
	Out   Why = "out"   // whether to measure again; the reading out of limits is recorded
	Part  Why = "part"  // in Listed: which unit is meant, or none, because no job has the GTIN of the code
	More  Why = "more"  // whether to continue: an earlier act on the unit was done, but its response was lost
)

// Unit is a unit as the person saw it. The page sends this data, and never fresher data, with every act on the unit.
type Unit struct {
	ID    string
	Step  int    // the index of the step of the unit
	Entry string // the newest entry of its trail
	Away  bool   // whether its step belongs to another place
}

// State is the station's memory between two scans. The page contains the state, so each tab of a browser has its own state.
type State struct {
	Phase   Phase
	Unit    Unit   // on the screen; none in Empty, in Done and in Listed
	Command string // the command that asked; in Done the code of the last act, which is the unit's code if a scan alone signed off
	Why     Why    // the question in Asked; in Listed, Part or none
	Words   string // the typed text; the previous reading where none is typed yet; in Listed the units' identifiers
	Demand  Demand // the demanded reading, if any
	Lot     Lot    // the lot whose quantity is asked for, if any
	Act     string // in Done the last change; in a question for RC-UNDO the change to undo
}

// Listing returns the identifiers of the listed units, nil for none.
func (s State) Listing() []string {
	if s.Phase != Listed {
		return nil
	}
	return strings.Fields(s.Words)
}

// Patience is how long a unit or a question stays on the screen without activity.
const Patience = 5 * time.Minute

// Expired reports whether a state must end after some time without activity (the event Waited). Waiting for a text does no harm, and typing
// a text may take long.
func (s State) Expired(after time.Duration) bool {
	return s.waits() && after >= Patience
}

// waits reports whether a person who comes back could mistake the unit on the screen for another unit.
func (s State) waits() bool {
	return s.Phase == Shown || s.Phase == Asked || s.Phase == ValueAwaited || s.Installing()
}

// awaits reports whether the page asks for something other than a command: a text, a reading, a component or a quantity.
func (s State) awaits() bool {
	return s.Phase == TextAwaited || s.Phase == ValueAwaited || s.Installing()
}

// InHand reports whether a unit is on the screen, to which a command then applies.
func (s State) InHand() bool { return s.Unit.ID != "" && s.Phase != Empty && s.Phase != Done }

// shown returns the state with only the unit.
func (s State) shown() State {
	if s.Unit.ID == "" {
		return State{}
	}
	return State{Phase: Shown, Unit: s.Unit}
}

// Field is a name and a value of a state, as in forms and addresses.
type Field struct{ Name, Value string }

// Fields returns the values that a form or an address stores for a state: Read creates the same state from them.
func (s State) Fields() []Field {
	fields := []Field{{"state", string(s.Phase)}, {"unit", s.Unit.ID}, {"step", ""}, {"entry", s.Unit.Entry}, {"away", ""},
		{"ask", s.Command}, {"why", string(s.Why)}, {"words", s.Words}, {"act", s.Act}}
	if d := s.Demand; d.Characteristic != "" {
		fields = append(fields, Field{"char", d.Characteristic}, Field{"of", d.Step}, Field{"revision", strconv.Itoa(d.Revision)},
			Field{"type", string(d.Type)}, Field{"called", d.Called}, Field{"with", d.Instrument})
		if d.NeedsOne {
			fields = append(fields, Field{"needs", "yes"})
		}
		fields = append(fields, Field{"measure", d.Unit}, Field{"nominal", string(d.Nominal)}, Field{"lower", string(d.Lower)},
			Field{"upper", string(d.Upper)})
	}
	if p := s.Lot; p.ID != "" {
		fields = append(fields, Field{"part", p.Typed}, Field{"lot", p.ID}, Field{"lotcalled", p.Called}, Field{"amountin", p.Unit})
	}
	if s.Unit.ID != "" {
		fields[2].Value = strconv.Itoa(s.Unit.Step)
	}
	if s.Unit.Away {
		fields[4].Value = "yes"
	}
	kept := fields[:0]
	for _, field := range fields {
		if field.Value != "" {
			kept = append(kept, field)
		}
	}
	return kept
}

// Read reads a state from a form or an address. Invalid input becomes Empty.
func Read(prefix ident.Prefix, form url.Values) State {
	s := State{
		Phase: Phase(form.Get("state")), Command: form.Get("ask"), Why: Why(form.Get("why")),
		Words: form.Get("words"), Act: form.Get("act"),
	}
	step, err := strconv.Atoi(form.Get("step"))
	s.Unit = Unit{ID: form.Get("unit"), Step: step, Entry: form.Get("entry"), Away: form.Get("away") == "yes"}
	s.Demand, s.Lot = readDemand(form), readLot(form)
	switch s.Phase {
	case Shown:
		shown := s.shownIf(err)
		if shown.Phase == Shown {
			shown.Words = s.Words
		}
		return shown
	case TextAwaited:
		measures := s.Command == CodeInstrument
		if !AsksText(s.Command) || err != nil || s.Unit.ID == "" || s.Unit.Step < 0 || measures && s.Demand == (Demand{}) {
			return s.shownIf(err)
		}
		text := State{Phase: TextAwaited, Unit: s.Unit, Command: s.Command}
		if measures {
			text.Demand, text.Words = s.Demand, s.Words
		}
		return text
	case ValueAwaited:
		if err == nil && s.Unit.ID != "" && s.Unit.Step >= 0 && s.Demand != (Demand{}) {
			return State{Phase: ValueAwaited, Unit: s.Unit, Command: CodeMeasure, Words: s.Words, Demand: s.Demand}
		}
		return s.shownIf(err)
	case PartAwaited, AmountAwaited:
		if next := installs(s.Unit, s.Lot); err == nil && s.Unit.ID != "" && s.Unit.Step >= 0 && next.Phase == s.Phase {
			return next
		}
		return s.shownIf(err)
	case Asked:
		if s.Command != CodeMeasure {
			s.Demand = Demand{}
		}
		if Understood(prefix, s.Command) == s.Command && s.asks() && (err == nil && s.Unit.ID != "" || s.Command == CodeUndo) {
			return s
		}
		return s.shownIf(err)
	case Listed:
		other := func(id string) bool {
			_, is := prefix.ParseSerialID(id)
			return !is
		}
		units, least := strings.Fields(s.Words), 2
		if s.Why == Part {
			least = 1
		} else {
			s.Why = ""
		}
		if len(units) < least || slices.ContainsFunc(units, other) {
			return s.shownIf(err)
		}
		return State{Phase: Listed, Why: s.Why, Words: strings.Join(units, " ")}
	case Done:
		return State{Phase: Done, Command: s.Command, Act: s.Act}
	case Empty:
	}
	return State{}
}

// asks reports whether the command can have the question of the state.
func (s State) asks() bool {
	switch s.Command {
	case "":
		return false
	case CodeMeasure:
		return s.Demand != (Demand{}) && (s.Why == Out || s.Why.ofReading() && s.Words != "")
	case CodeInstall:
		return s.Words != "" && (s.Why == Early || s.Why == Code)
	}
	return s.Why == Sure || s.Why == Early || s.Why == Away || s.Why == Code || s.Why == More
}

// ofReading reports whether the question can come before a reading is recorded.
func (w Why) ofReading() bool { return w == Early || w == Code || w == Twice || w == Far || w == Sign }

// shownIf returns a state that shows only the unit of the form, if the form has a unit.
func (s State) shownIf(err error) State {
	if err != nil || s.Unit.Step < 0 {
		return State{}
	}
	return s.shown()
}

// readLot reads the lot of an installation from a form.
func readLot(form url.Values) Lot {
	if form.Get("ask") != CodeInstall || form.Get("lot") == "" {
		return Lot{}
	}
	return Lot{form.Get("part"), form.Get("lot"), form.Get("lotcalled"), form.Get("amountin")}
}

// readDemand reads the demanded reading from a form, and nothing if it is incomplete.
func readDemand(form url.Values) Demand {
	revision, err := strconv.Atoi(form.Get("revision"))
	kind := card.CharacteristicType(form.Get("type"))
	if err != nil || revision <= 0 || form.Get("char") == "" || form.Get("of") == "" || !slices.Contains(shop.CharacteristicTypes(), kind) {
		return Demand{}
	}
	return Demand{
		Characteristic: form.Get("char"), Step: form.Get("of"), Revision: revision, Type: kind, Called: form.Get("called"),
		Instrument: form.Get("with"), NeedsOne: form.Get("needs") == "yes", Unit: form.Get("measure"),
		Limits: card.Limits{Nominal: decimal(form.Get("nominal")), Lower: decimal(form.Get("lower")), Upper: decimal(form.Get("upper"))},
	}
}

// decimal returns a number of a form, "" if the text is not one.
func decimal(text string) input.Decimal {
	number, ok := input.ParseDecimal(text)
	if !ok {
		return ""
	}
	return number
}
