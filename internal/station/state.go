package station

import (
	"net/url"
	"strconv"
	"time"
)

// Phase is where a station is between two scans.
type Phase string

// The phases of a station. The table in doc.go says what leads from one to another.
const (
	Empty       Phase = ""
	Shown       Phase = "shown"
	Asked       Phase = "asked"
	TextAwaited Phase = "text"
	Done        Phase = "done"
)

// Why says what a station asks about before it acts.
type Why string

// The questions of a station.
const (
	Sure  Why = "sure"  // whether to do what cannot be taken back without a decision, and whether to take something back
	Early Why = "early" // whether to do what was scanned before the unit was on the screen
	Away  Why = "away"  // whether to finish here a step whose place is elsewhere
	Code  Why = "code"  // whether what looks like a code is the text
)

// Unit is a unit as the person saw it. Whatever is done to it is sent with this, and never with anything fresher.
type Unit struct {
	ID    string
	Step  int    // where it stood, counted from 0
	Entry string // the newest entry of its trail
	Away  bool   // whether its step is done elsewhere
}

// State is what a station remembers between two scans. It stands in the page, so each tab of a browser has its own.
type State struct {
	Phase   Phase
	Unit    Unit   // on the screen; none in Empty and Done
	Command string // the code that asked; in Done the code of what was done
	Why     Why    // in Asked
	Words   string // the text that was typed for the command
	Act     string // in Done what was done, and in a question about RC-UNDO what would be taken back
}

// Patience is for how long a unit or a question stays on the screen when nobody does anything.
const Patience = 5 * time.Minute

// Expired reports whether a state has to be left because nobody did anything for some time (the event Waited). A text that is
// awaited does no harm, and whoever types it may take long.
func (s State) Expired(after time.Duration) bool {
	return (s.Phase == Shown || s.Phase == Asked) && after >= Patience
}

// InHand reports whether a unit is on the screen, so that a command is about it.
func (s State) InHand() bool { return s.Unit.ID != "" && s.Phase != Empty && s.Phase != Done }

// shown is the state with the unit alone.
func (s State) shown() State {
	if s.Unit.ID == "" {
		return State{}
	}
	return State{Phase: Shown, Unit: s.Unit}
}

// Field is a name and a value of a state, as forms and addresses have them.
type Field struct{ Name, Value string }

// Fields are what a form or an address keeps of a state: Read makes the same state from them.
func (s State) Fields() []Field {
	fields := []Field{{"state", string(s.Phase)}, {"unit", s.Unit.ID}, {"step", ""}, {"entry", s.Unit.Entry}, {"away", ""},
		{"ask", s.Command}, {"why", string(s.Why)}, {"words", s.Words}, {"act", s.Act}}
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

// Read reads a state from a form or an address. What makes no state is Empty.
func Read(form url.Values) State {
	s := State{
		Phase: Phase(form.Get("state")), Command: form.Get("ask"), Why: Why(form.Get("why")),
		Words: form.Get("words"), Act: form.Get("act"),
	}
	step, err := strconv.Atoi(form.Get("step"))
	s.Unit = Unit{ID: form.Get("unit"), Step: step, Entry: form.Get("entry"), Away: form.Get("away") == "yes"}
	known := Understood(s.Command) == s.Command && s.Command != ""
	switch s.Phase {
	case Shown:
		return s.shownIf(err)
	case TextAwaited:
		if AsksText(s.Command) && err == nil && s.Unit.ID != "" {
			return State{Phase: TextAwaited, Unit: s.Unit, Command: s.Command}
		}
		return s.shownIf(err)
	case Asked:
		asks := s.Why == Sure || s.Why == Early || s.Why == Away || s.Why == Code
		if known && asks && (err == nil && s.Unit.ID != "" || s.Command == CodeUndo) {
			return s
		}
		return s.shownIf(err)
	case Done:
		return State{Phase: Done, Command: s.Command, Act: s.Act}
	case Empty:
	}
	return State{}
}

// shownIf is the state with the unit alone, if the form has one.
func (s State) shownIf(err error) State {
	if err != nil || s.Unit.Step < 0 {
		return State{}
	}
	return s.shown()
}
