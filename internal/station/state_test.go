package station

import (
	"net/url"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/shop/ident"
)

// A page and an address store the whole state.
func TestStateIsKept(t *testing.T) {
	t.Parallel()
	undo := State{Phase: Asked, Command: CodeUndo, Why: Sure, Act: "note SN-00011 note_1", Words: "it"}
	for _, state := range []State{{}, shownOne(), {Phase: Shown, Unit: afar}, text(CodeNote), asked(broken, Sure), asked(CodeDone, Away), undo,
		value(bore), value(edge), Asks(one, bare), valueAsked(bore, Early, "12"), valueAsked(heat, Code, "4711"), valueAsked(bore, Out, "13"),
		value(tight), valueAsked(tight, Far, "48001"), valueAsked(tight, Twice, "48.000"), {Phase: Shown, Unit: two, Words: "12.503"},
		{Phase: Listed, Words: "SN-00011 SN-00012"},
		installs(one, Lot{}), installs(one, steel), {Phase: Asked, Unit: one, Command: CodeInstall, Why: Early, Words: "A-1"},
		{Phase: Asked, Unit: one, Command: CodeInstall, Why: Code, Words: "12345678", Lot: steel},
		{Phase: Listed, Why: Part, Words: "SN-00011"},
		{Phase: Done, Command: CodeDone, Act: "change SN-00011 aud_6"}} {
		form := url.Values{}
		for _, field := range state.Fields() {
			form.Set(field.Name, field.Value)
		}
		if got := Read(ident.DefaultPrefix, form); got != state {
			t.Errorf("%+v is read as %+v", state, got)
		}
	}
}

// Every address, even an edited one, results in one of the states, and a question has its subject.
func TestReadOfNonsense(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		form := url.Values{}
		for _, name := range []string{"state", "unit", "step", "entry", "away", "ask", "why", "words", "act", "char", "of", "revision", "type", "nominal", "lower", "measure",
			"part", "lot", "lotcalled", "amountin"} {
			form.Set(name, rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "shown", "asked", "text", "done", "SN-00001", "0", "7",
				"-1", "yes", CodeDone, CodeNote, CodeUndo, CodeMeasure, CodeInstrument, CodeInstall, "part", "amount", "lot_1", "value", "listed", "SN-00001 SN-00002", "SN-00001 x", "sure", "away", "out", "early", "twice", "far", "char_7", "number"})).Draw(t, name))
		}
		state := Read(ident.DefaultPrefix, form)
		switch state.Phase {
		case Empty:
			if state != (State{}) {
				t.Errorf("empty, with %+v", state)
			}
		case Shown, TextAwaited:
			if state.Unit.ID == "" || state.Unit.Step < 0 {
				t.Errorf("shown without a unit: %+v", state)
			}
		case PartAwaited, AmountAwaited:
			if state.Unit.ID == "" || state.Unit.Step < 0 || state.Command != CodeInstall || (state.Lot.ID != "") != (state.Phase == AmountAwaited) {
				t.Errorf("a component of nothing is asked: %+v", state)
			}
		case ValueAwaited:
			if state.Unit.ID == "" || state.Unit.Step < 0 || state.Demand.Characteristic == "" {
				t.Errorf("a reading of nothing is asked: %+v", state)
			}
		case Asked:
			if state.Command == CodeInstall && state.Words == "" || state.Command != CodeInstall && state.Lot != (Lot{}) {
				t.Errorf("asked about a component of nothing: %+v", state)
			}
			if state.Command == CodeMeasure && state.Demand.Characteristic == "" {
				t.Errorf("asked about a reading of nothing: %+v", state)
			}
			if Understood(ident.DefaultPrefix, state.Command) == "" || state.Unit.ID == "" && state.Command != CodeUndo {
				t.Errorf("asked about nothing: %+v", state)
			}
		case Listed:
			if state.Command != "" || state.Unit.ID != "" || state.Demand != (Demand{}) || len(state.Listing()) < 2 && state.Why != Part || len(state.Listing()) < 1 || Understood(ident.DefaultPrefix, state.Listing()[0]) == "" {
				t.Errorf("which of nothing is asked: %+v", state)
			}
		case Done:
			if state.Unit.ID != "" {
				t.Errorf("done, and a unit is in hand: %+v", state)
			}
		default:
			t.Errorf("no phase: %+v", state)
		}
	})
}
