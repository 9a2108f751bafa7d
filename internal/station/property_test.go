package station

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// TestOneMovePerConfirmation draws scans, keys, buttons, delays, double scans, lost and repeated responses, and other people's changes. No
// sequence of them moves a unit twice for one confirmation, or signs off a step that was not on the screen. No sequence records a typed
// reading twice, or for a unit, a step or a revision of a characteristic that was not on the screen when the reading was typed. No sequence
// installs a component twice for one scan, or in a unit for which the page did not ask for a component. If several units have the scanned
// number, no unit is moved or in hand before a person selects a unit. The page requests the outcome of each lost request before it sends
// another request. The reported outcome stays true. A person who confirms again after a lost response does not move the unit a second step
// without a question.
func TestOneMovePerConfirmation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &simulated{t: t, units: map[string]*simulatedUnit{}, carriedOut: map[int]bool{}, confirmed: map[int]*confirmation{}, doubts: map[string]bool{}, void: map[int]bool{}, didTo: map[int]string{}, oneScans: map[int]*confirmation{}, agreed: map[int]bool{}, oneScan: rapid.Bool().Draw(t, "one scan"), measures: rapid.Bool().Draw(t, "measures"), revision: 1}
		for i := range 3 {
			s.units[fmt.Sprintf("SN-%05d", i+1)] = &simulatedUnit{away: i == 2}
		}
		t.Repeat(map[string]func(*rapid.T){
			"scan":   s.scan,
			"again":  s.scanAgain,
			"step":   s.confirm,
			"parts":  s.install,
			"answer": s.answer,
			"lose":   s.lose,
			"ask":    s.ask,
			"arrive": s.arriveLate,
			"others": s.others,
			"revise": s.revise,
			"hear":   s.hear,
			"wait":   s.wait,
		})
	})
}

// simulated is a station with its page, a line that loses responses, and a shop with other workers.
type simulated struct {
	t          *rapid.T
	units      map[string]*simulatedUnit
	carriedOut map[int]bool // keys of requests that had an effect
	oneScan    bool
	measures   bool
	revision   int // revision of the characteristics at every step
	screen     State
	waiting    []request       // scans without a response, in their order
	lost       []request       // requests whose responses were lost, and whose outcome the page has not requested
	late       []request       // lost requests that did not reach the server
	notDone    *request        // the last request with the outcome "not done"
	doubts     map[string]bool // units whose lost request turned out to be done
	void       map[int]bool    // keys of requests with the outcome "not done"
	didTo      map[int]string  // units that requests changed, by key of the request
	keys       int
	parts      int                   // components that were installed
	confirmed  map[int]*confirmation // by the key of the request
	oneScans   map[int]*confirmation // by the same keys: scans that sign the step off, unless they are readings
	agreed     map[int]bool          // keys of requests that confirm a text
	last       string                // the code scanned last
}

type simulatedUnit struct {
	step, entry int
	away        bool
	measured    int  // number of the step's characteristics already measured
	here        bool // whether the last act was done at this station
}

// request is a scan as it is sent. It has the state of the page when the scan was sent first; a repeat has the same state.
type request struct {
	code    string
	ago     time.Duration
	early   bool
	unsent  bool // whether the field had a text when a button was pressed
	key     int
	state   *State
	doubted *bool // whether the page says that an action on the unit was done although its response was lost
}

// confirmation is a person's statement that a step is done.
type confirmation struct {
	unit string
	step int // -1 if a scan alone signs off: the step where the unit is
	used bool
	of   Demand // the characteristic of the reading; none for a move
	part string // the code of the component, or the quantity of the lot; none for a move
	lot  Lot    // the lot of which a quantity is installed
}

// scan sends one to four scans, one after the other.
func (s *simulated) scan(t *rapid.T) {
	codes := rapid.SampledFrom([]string{"SN-00001", "SN-00001", "SN-00002", "SN-00003", CodeDone, CodeDone, CodeDone, "", CodeYes, CodeYes, CodeNo,
		"]Q1SN-00001", "https://a/serials/SN-00002", "(01)09506000134352(21)SN-00001", "]C121SN-00003", CodeNote, CodeUndo, ScrapCode("damaged"), "burr", "570", "SN-00001SN-00002",
		"VB-1", "VB-1", "VB-2", "]C121VB-1", "1", "2", CodeNote, CodeNote, "12.503", "12.503", "13", "M-17", "4006381333931", CodePass, CodePass, CodeFail, CodeMeasure, MeasureCode(2), CodeInstrument,
		CodeInstall, CodeInstall, "LOT-1", "LOT-2", "LOT-2"})
	for _, code := range rapid.SliceOfN(codes, 1, 4).Draw(t, "codes") {
		s.scanned(t, code)
	}
}

// install makes a person scan a unit, ask to install, and scan a component.
func (s *simulated) install(t *rapid.T) {
	parts := rapid.SampledFrom([]string{"SN-00003", "SN-00003", "VB-2", "LOT-1", "LOT-2", "SN-00001", "1"})
	for _, code := range []string{rapid.SampledFrom([]string{"SN-00001", "SN-00002"}).Draw(t, "unit"), CodeInstall, parts.Draw(t, "part"), "13"} {
		s.scanned(t, code)
		for rapid.Bool().Draw(t, "seen") && len(s.waiting) > 0 {
			s.answer(t)
		}
	}
}

// confirm makes a person scan a unit, see it, and sign off its step.
func (s *simulated) confirm(t *rapid.T) {
	s.scanned(t, rapid.SampledFrom([]string{"SN-00001", "SN-00002"}).Draw(t, "unit"))
	for len(s.waiting) > 0 {
		s.answer(t)
	}
	s.scanned(t, rapid.SampledFrom([]string{CodeDone, ""}).Draw(t, "by"))
}

// scanAgain repeats a scan, as a scanner that reads twice, or a person who presses Send again.
func (s *simulated) scanAgain(t *rapid.T) {
	if s.notDone == nil {
		s.scanned(t, s.last)
		return
	}
	again := *s.notDone
	s.notDone = nil
	s.keys++
	for _, from := range []map[int]*confirmation{s.confirmed, s.oneScans} { // the press confirms it once more
		if c := from[again.key]; c != nil {
			another := *c
			from[s.keys] = &another
		}
	}
	s.agreed[s.keys] = s.agreed[again.key]
	again.key = s.keys
	s.waiting = append(s.waiting, again)
}

func (s *simulated) scanned(t *rapid.T, code string) {
	s.last = code
	s.keys++
	sent := request{code: code, key: s.keys, early: len(s.waiting) > 0,
		ago:    rapid.SampledFrom([]time.Duration{0, 2 * time.Second, time.Minute}).Draw(t, "ago"),
		unsent: code != "" && rapid.IntRange(0, 7).Draw(t, "unsent") == 0}
	on := s.screen
	switch {
	case sent.early: // a person does not confirm a question that is not on the screen yet
	case sent.unsent && on.InHand(): // the person may have another unit in hand
	case (code == CodeDone || code == "") && on.Phase == Shown && !s.doubts[on.Unit.ID], code == CodeYes && on.Phase == Asked && on.Command == CodeDone:
		s.confirmed[sent.key] = &confirmation{unit: on.Unit.ID, step: on.Unit.Step}
	}
	s.agreed[sent.key] = !sent.early && code == CodeYes && on.Phase == Asked && on.Words != ""
	if reads := on.Phase == ValueAwaited || on.Phase == Asked && on.Why == Out || code == CodeYes && on.Phase == Asked && on.Command == CodeMeasure && on.Words != ""; reads && !sent.early && !sent.unsent {
		s.confirmed[sent.key] = &confirmation{unit: on.Unit.ID, step: on.Unit.Step, of: on.Demand}
	}
	if yes := code == CodeYes && on.Phase == Asked && on.Command == CodeInstall; !sent.early && !sent.unsent && (yes || on.Installing()) {
		s.confirmed[sent.key] = &confirmation{unit: on.Unit.ID, step: on.Unit.Step, part: code, lot: on.Lot}
		if yes {
			s.confirmed[sent.key].part = on.Words
		}
	}
	unit := Understood(ident.DefaultPrefix, code)
	if called := s.called(code); len(called) == 1 {
		unit = called[0]
	}
	if s.oneScan && s.units[unit] != nil {
		s.oneScans[sent.key] = &confirmation{unit: unit, step: -1}
	}
	s.waiting = append(s.waiting, sent)
}

// Responds to the first scan that waits.
func (s *simulated) answer(t *rapid.T) {
	if len(s.waiting) == 0 {
		t.Skip("nothing waits")
	}
	s.ask(t)
	s.screen = s.carryOut(&s.waiting[0])
	s.waiting = s.waiting[1:]
}

// lose loses the first scan that waits, or its response. The page reports the loss, and forgets the other waiting scans.
func (s *simulated) lose(t *rapid.T) {
	if len(s.waiting) == 0 {
		t.Skip("nothing waits")
	}
	lost := s.waiting[0]
	if lost.state == nil {
		state := s.screen
		lost.state = &state
	}
	switch rapid.IntRange(0, 2).Draw(t, "before the server, after the commit, or delayed") {
	case 0:
	case 1:
		s.carryOut(&lost)
	case 2:
		s.late = append(s.late, lost)
	}
	s.screen, _ = Next(ident.DefaultPrefix, s.screen, Event{Kind: Lost})
	s.waiting, s.lost = nil, append(s.lost, lost)
}

// ask requests the outcome of lost requests, as the page does before it sends another request. A request that was not done is refused from
// then on.
func (s *simulated) ask(*rapid.T) {
	for i := range s.lost {
		lost := s.lost[i]
		if !s.carriedOut[lost.key] {
			s.void[lost.key], s.notDone = true, &lost
			continue
		}
		if unit := s.didTo[lost.key]; unit != "" {
			s.doubts[unit] = true
		}
	}
	s.lost = nil
}

// arriveLate delivers a request to the server after its page gave it up.
func (s *simulated) arriveLate(t *rapid.T) {
	if len(s.late) == 0 {
		t.Skip("none is delayed")
	}
	s.carryOut(&s.late[0])
	s.late = s.late[1:]
}

// carryOut simulates the server.
func (s *simulated) carryOut(sent *request) State {
	if sent.state == nil {
		state := s.screen
		sent.state = &state
	}
	if sent.doubted == nil {
		doubted := s.doubts[sent.state.Unit.ID]
		sent.doubted = &doubted
	}
	state, event := *sent.state, Event{Kind: Scanned, Typed: sent.code, Early: sent.early, Ago: sent.ago, Doubted: *sent.doubted,
		Unsent: sent.unsent}
	for {
		next, effects := Next(ident.DefaultPrefix, state, event)
		state = next
		answered := false
		for _, effect := range effects {
			switch effect.Kind {
			case Tell:
				continue
			default:
				event = s.effect(effect, sent.key)
			}
			event.Early, event.Ago = sent.early, sent.ago
			answered = true
		}
		if !answered {
			return state
		}
	}
}

// called returns the units that a code identifies by other means than the full identifier. VB-1 is engraved on the first unit, and VB-2 on
// the second and the third. 1 is short for VB-1, and 2 for VB-2.
func (*simulated) called(code string) []string {
	return map[string][]string{"VB-1": {"SN-00001"}, "]C121VB-1": {"SN-00001"}, "1": {"SN-00001"},
		"VB-2": {"SN-00002", "SN-00003"}, "2": {"SN-00002", "SN-00003"}}[code]
}

// find returns the event of looking up a code with called.
func (s *simulated) find(code string) Event {
	switch units := s.called(code); len(units) {
	case 0:
		return Event{Kind: Missing, Typed: code}
	case 1:
		return s.effect(Effect{Kind: Look, Unit: Unit{ID: units[0]}}, 0)
	default:
		return Event{Kind: Several, Units: units}
	}
}

func (s *simulated) effect(effect Effect, key int) Event {
	unit := s.units[effect.Unit.ID]
	switch effect.Kind {
	case Find:
		return s.find(effect.Words)
	case Check:
		if s.called(effect.Words) != nil {
			return Event{Kind: Checked, Words: effect.Words, Why: Code}
		}
		return Event{Kind: Checked, Words: effect.Words}
	case Look:
		if unit == nil {
			return Event{Kind: Missing}
		}
		return Event{Kind: Found, Unit: s.shown(effect.Unit.ID), OneScan: s.oneScan && !unit.here && !unit.away, Demand: s.demand(unit, unit.measured)}
	case Judge:
		if effect.Command == CodeUndo {
			return Event{Kind: Refused}
		}
		if s.shown(effect.Unit.ID) != effect.Unit {
			return Event{Kind: Changed}
		}
		if place, measures := MeasurePlace(effect.Command); measures {
			demand := s.demand(unit, max(place-1, 0))
			if demand == (Demand{}) {
				return Event{Kind: Refused}
			}
			return Event{Kind: Judged, Command: effect.Command, Demand: demand}
		}
		return Event{Kind: Judged, Command: effect.Command, Why: effect.Why, Words: effect.Words}
	case Act, Tell:
	}
	switch effect.Command {
	case CodeMeasure:
		return s.measure(effect, key)
	case CodeInstall:
		return s.installed(effect, key)
	case CodeInstrument:
		if effect.Words != "M-17" {
			return Event{Kind: Refused}
		}
		effect.Demand.Instrument = "inst_17"
		return Event{Kind: Acted, Command: CodeInstrument, Demand: effect.Demand}
	case CodeDone:
		if s.demand(unit, unit.measured) != (Demand{}) {
			return Event{Kind: Refused}
		}
	default:
		if s.called(effect.Words) != nil && !s.agreed[key] {
			s.t.Fatalf("the number %q became the text of %s on %s, and nobody said that", effect.Words, effect.Command, effect.Unit.ID)
		}
		return Event{Kind: Acted, Command: effect.Command}
	}
	if !s.carriedOut[key] {
		if unit.step != effect.Unit.Step {
			return Event{Kind: Changed}
		}
		if s.void[key] {
			return Event{Kind: Refused}
		}
		s.moved(effect.Unit.ID, unit.step, key)
		s.didTo[key] = effect.Unit.ID
		unit.step, unit.entry, unit.here, unit.measured = unit.step+1, unit.entry+1, true, 0
		s.carriedOut[key] = true
	}
	return Event{Kind: Acted, Command: CodeDone, Act: "change " + effect.Unit.ID + " x"}
}

// moved records a move. Its request must be a confirmation of this step, and be valid for one move.
func (s *simulated) moved(unit string, step, key int) {
	c := s.confirmed[key]
	if c == nil || c.of != (Demand{}) || c.part != "" {
		c = s.oneScans[key]
	}
	if c == nil || c.used || c.unit != unit || c.step >= 0 && c.step != step {
		s.t.Fatalf("%s was moved from step %d by request %d, and nobody confirmed that: %+v", unit, step, key, c)
	}
	c.used = true
}

func (s *simulated) shown(id string) Unit {
	unit := s.units[id]
	return Unit{ID: id, Step: unit.step, Entry: strconv.Itoa(unit.entry), Away: unit.away}
}

// others makes another person move a unit, write a note on it, or send it back.
func (s *simulated) others(t *rapid.T) {
	unit := s.units[rapid.SampledFrom([]string{"SN-00001", "SN-00002", "SN-00003"}).Draw(t, "unit")]
	unit.step = max(0, unit.step+rapid.IntRange(-1, 1).Draw(t, "by"))
	unit.entry, unit.here, unit.measured = unit.entry+1, false, rapid.IntRange(0, 2).Draw(t, "measured")
}

// revise makes another person change the characteristics.
func (s *simulated) revise(*rapid.T) { s.revision++ }

// demand returns the characteristic at a place of the unit's step. The first characteristic is a number, which needs an instrument in every
// second revision. The second is pass or fail. At later places there is none.
func (s *simulated) demand(unit *simulatedUnit, place int) Demand {
	if !s.measures || place > 1 {
		return Demand{}
	}
	d := Demand{Characteristic: fmt.Sprint("char_", unit.step, "_", place), Step: fmt.Sprint("step_", unit.step), Revision: s.revision}
	if d.Type = card.NumberReading; place == 1 {
		d.Type = card.PassFailReading
	}
	d.NeedsOne = place == 0 && s.revision%2 == 0
	return d
}

// measure records a reading.
func (s *simulated) measure(effect Effect, key int) Event {
	unit := s.units[effect.Unit.ID]
	if !s.carriedOut[key] {
		if s.void[key] {
			return Event{Kind: Refused}
		}
		if effect.Demand.Revision != s.revision {
			return Event{Kind: Changed}
		}
		if effect.Demand.Step != fmt.Sprint("step_", unit.step) {
			return Event{Kind: Refused}
		}
		c := s.confirmed[key]
		if c == nil || c.used || c.unit != effect.Unit.ID || c.step != unit.step || c.of != effect.Demand || Understood(ident.DefaultPrefix, effect.Words) != "" {
			s.t.Fatalf("%q was recorded for %+v of %s by request %d, and nobody typed that: %+v", effect.Words, effect.Demand, effect.Unit.ID, key, c)
		}
		c.used, s.carriedOut[key], s.didTo[key] = true, true, effect.Unit.ID
		unit.measured, unit.entry = unit.measured+1, unit.entry+1
	}
	if effect.Words == "13" || effect.Words == string(card.VerdictFail) {
		return Event{Kind: Acted, Command: CodeMeasure, Unit: s.shown(effect.Unit.ID), Demand: effect.Demand, Out: true, Words: effect.Words}
	}
	return Event{Kind: Acted, Command: CodeMeasure, Unit: s.shown(effect.Unit.ID), Demand: s.demand(unit, unit.measured), Words: effect.Words}
}

// installed installs the component that the person scanned when the page asked for one, and checks that it happens once. LOT-2 is counted,
// and every unit but the parent is free.
func (s *simulated) installed(effect Effect, key int) Event {
	unit, part := s.units[effect.Unit.ID], Understood(ident.DefaultPrefix, effect.Words)
	if called := s.called(effect.Words); len(called) == 1 {
		part = called[0]
	}
	switch {
	case effect.Lot.ID == "" && effect.Words == "LOT-2":
		return Event{Kind: Acted, Command: CodeInstall, Lot: Lot{Typed: "LOT-2", ID: "lot_2", Unit: "pcs"}}
	case effect.Lot.ID == "" && effect.Words != "LOT-1" && (s.units[part] == nil || part == effect.Unit.ID):
		return Event{Kind: Refused}
	}
	if !s.carriedOut[key] {
		if s.void[key] || unit.step != effect.Unit.Step {
			return Event{Kind: Refused}
		}
		c := s.confirmed[key]
		if c == nil || c.used || c.unit != effect.Unit.ID || c.step != unit.step || c.part != effect.Words || c.lot != effect.Lot {
			s.t.Fatalf("%q of %+v was installed in %s by request %d, and the page did not ask for it: %+v",
				effect.Words, effect.Lot, effect.Unit.ID, key, c)
		}
		c.used, s.carriedOut[key], s.didTo[key] = true, true, effect.Unit.ID
		unit.entry++
		s.parts++
	}
	return Event{Kind: Acted, Command: CodeInstall, Unit: s.shown(effect.Unit.ID), Words: effect.Words}
}

// hear notifies the page of a change by others.
func (s *simulated) hear(t *rapid.T) {
	if len(s.waiting) > 0 || !s.screen.InHand() || s.shown(s.screen.Unit.ID) == s.screen.Unit {
		t.Skip("nothing to hear")
	}
	if s.screen, _ = Next(ident.DefaultPrefix, s.screen, Event{Kind: Changed}); s.screen.InHand() {
		t.Error("the unit is still in hand")
	}
}

func (s *simulated) wait(*rapid.T) {
	s.screen, _ = Next(ident.DefaultPrefix, s.screen, Event{Kind: Waited})
}

// An instrument may type any number any number of times. A number that was recorded less than five seconds ago, or that is ten times off,
// is recorded only after the person says yes to that question.
func TestDoubtfulReadingsAreAsked(t *testing.T) {
	t.Parallel()
	limits := card.Limits{Nominal: "12.5", Lower: "12", Upper: "12.9"}
	rapid.Check(t, func(t *rapid.T) {
		state, before, recorded := State{Phase: ValueAwaited, Unit: one, Command: CodeMeasure}, "", 0
		ask := func(place int) Demand {
			return Demand{Characteristic: fmt.Sprint("char_", place), Step: "step_2", Revision: 3, Type: card.NumberReading, Unit: "mm", Limits: limits}
		}
		state.Demand = ask(0)
		for range rapid.IntRange(1, 12).Draw(t, "scans") {
			typed := rapid.SampledFrom([]string{"12.503", "12.503", "12,50 mm", "12.5030", "12503", "125.03", "1.25", "12.4", CodeYes, CodeNo}).Draw(t, "typed")
			ago := rapid.SampledFrom([]time.Duration{100 * time.Millisecond, 1400 * time.Millisecond, 4 * time.Second, time.Minute}).Draw(t, "ago")
			asked := state
			next, effects := Next(ident.DefaultPrefix, state, Event{Kind: Scanned, Typed: typed, Ago: ago})
			if state = next; effects[0].Kind != Act {
				if typed != CodeNo && typed != CodeYes && state.Why != Twice {
					before = "" // another scan came between
				}
				if state.Phase == Empty { // a number while a question is on the screen
					state, before = State{Phase: ValueAwaited, Unit: one, Command: CodeMeasure, Demand: ask(recorded % 2)}, ""
				}
				continue
			}
			words := effects[0].Words
			agreed := typed == CodeYes && asked.Phase == Asked && asked.Words == words
			again := before != "" && ago < Again && input.Decimal(words).Compare(input.Decimal(before)) == 0
			if !agreed && (again || card.TenTimesOff(limits, input.Decimal(words))) {
				t.Fatalf("%q was recorded unasked, %s after %q", words, ago, before)
			}
			before, recorded = words, recorded+1
			state, _ = Next(ident.DefaultPrefix, state, Event{Kind: Acted, Command: CodeMeasure, Unit: one, Demand: ask(recorded % 2), Words: words})
		}
	})
}
