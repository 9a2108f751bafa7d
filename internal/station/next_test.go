package station

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

var (
	one    = Unit{ID: "SN-00011", Step: 2, Entry: "aud_5"}
	afar   = Unit{ID: "SN-00011", Step: 2, Entry: "aud_5", Away: true}
	other  = ScrapCode(card.OtherReason)
	broken = ScrapCode(card.Damaged)
)

func shownOne() State           { return State{Phase: Shown, Unit: one} }
func text(command string) State { return State{Phase: TextAwaited, Unit: one, Command: command} }
func asked(command string, w Why) State {
	return State{Phase: Asked, Unit: one, Command: command, Why: w}
}

var (
	bore  = Demand{Characteristic: "char_7", Step: "step_2", Revision: 3, Type: card.NumberReading, Called: "7 Bore", Instrument: "inst_1"}
	edge  = Demand{Characteristic: "char_8", Step: "step_2", Revision: 3, Type: card.PassFailReading, Called: "8 Edge"}
	heat  = Demand{Characteristic: "char_9", Step: "step_2", Revision: 3, Type: card.TextReading, Called: "9 Heat"}
	tight = Demand{Characteristic: "char_7", Step: "step_2", Revision: 3, Type: card.NumberReading, Called: "7 Bore", Unit: "mm",
		Limits: card.Limits{Nominal: "48.000", Lower: "47.990", Upper: "48.010"}}
	bare = Demand{Characteristic: "char_7", Step: "step_2", Revision: 3, Type: card.NumberReading, Called: "7 Bore", NeedsOne: true}
	two  = Unit{ID: "SN-00011", Step: 2, Entry: "aud_6"} // unit one after a reading
)

func value(of Demand) State { return Asks(one, of) }

// valueAsked returns a question about a reading.
func valueAsked(of Demand, w Why, words string) State {
	return State{Phase: Asked, Unit: one, Command: CodeMeasure, Why: w, Words: words, Demand: of}
}

// several is the event of two units that a code identifies.
var several = Event{Kind: Several, Units: []string{"SN-00011", "SN-00012"}}

func finds(typed string) []Effect { return []Effect{{Kind: Find, Words: typed}} }

func says(say Say) []Effect { return []Effect{{Kind: Tell, Say: say}} }
func leaves(say Say, command string) []Effect {
	return []Effect{{Kind: Tell, Say: say, Left: command, LeftID: one.ID}}
}

// typed returns a scan a minute after the previous one, with no other scan waiting.
func typed(text string) Event {
	return Event{Kind: Scanned, Typed: text, Ago: time.Minute}
}

// german returns a scan on a page in a language with a decimal comma.
func german(text string) Event {
	return Event{Kind: Scanned, Typed: text, Ago: time.Minute, Comma: true}
}

func early(text string) Event {
	return Event{Kind: Scanned, Typed: text, Ago: time.Minute, Early: true}
}

// doubted returns a scan that follows an action on the unit which was done although its response was lost.
func doubted(text string) Event {
	return Event{Kind: Scanned, Typed: text, Ago: time.Minute, Doubted: true}
}

// unsent returns the press of a button while the field has a text.
func unsent(code string) Event {
	return Event{Kind: Scanned, Typed: code, Ago: time.Minute, Unsent: true}
}

func soon(text string) Event { return Event{Kind: Scanned, Typed: text} }

// Each row is one line of the table in doc.go: the state of the station, the event, and the result.
func TestNext(t *testing.T) {
	t.Parallel()
	look := []Effect{{Kind: Look, Unit: Unit{ID: "SN-00012"}}}
	list := State{Phase: Listed, Words: "SN-00011 SN-00012"}
	act := func(command string) []Effect { return []Effect{{Kind: Act, Unit: one, Command: command}} }
	judge := func(unit Unit, command string, why Why) []Effect {
		return []Effect{{Kind: Judge, Unit: unit, Command: command, Why: why}}
	}
	sureFell := asked(other, Sure)
	sureFell.Words = "fell"
	code570 := asked(CodeNote, Code)
	code570.Words = "570"
	earlyWords := asked(CodeNote, Early)
	earlyWords.Words = "burr"
	undo := State{Phase: Asked, Command: CodeUndo, Why: Sure, Act: "change SN-00011 aud_5", Words: "it"}
	done := State{Phase: Done, Command: CodeDone, Act: "change SN-00011 aud_6"}
	scanned := State{Phase: Shown, Unit: one, Command: one.ID}
	byScan := State{Phase: Done, Command: one.ID, Act: done.Act}
	for name, row := range map[string]struct {
		from  State
		event Event
		to    State
		does  []Effect
	}{
		"a unit":                    {State{}, typed("SN-00012"), State{}, look},
		"its number":                {State{}, typed(" 12 "), State{}, finds("12")},
		"small letters":             {State{}, typed("sn-00012"), State{}, look},
		"SN and its number":         {State{}, typed("SN-12"), State{}, finds("SN-12")},
		"in a QR code":              {State{}, typed("]Q1SN-00012"), State{}, look},
		"the address of a unit":     {State{}, typed("https://old.example/serials/SN-00012"), State{}, look},
		"the address for a text":    {text(CodeNote), typed("https://old.example/serials/SN-00012"), text(CodeNote), look},
		"a serial number of ours":   {State{}, typed("]C121SN-00012"), State{}, look},
		"a command in Code 128":     {shownOne(), typed("]C0RC-DONE"), shownOne(), act(CodeDone)},
		"an engraved number":        {shownOne(), typed("(01)09506000134352(21)7"), shownOne(), finds("(01)09506000134352(21)7")},
		"a number engraved alone":   {asked(broken, Sure), typed("]C12100012"), asked(broken, Sure), finds("]C12100012")},
		"a text that is no code":    {shownOne(), typed(" VB-7 "), shownOne(), finds("VB-7")},
		"one unit has the number":   {shownOne(), Event{Kind: Found, Unit: two}, State{Phase: Shown, Unit: two}, says(SayShown)},
		"several have it":           {shownOne(), several, list, says(SayAsk)},
		"several, while asked":      {asked(broken, Sure), several, list, leaves(SayAsk, broken)},
		"none has it":               {shownOne(), Event{Kind: Missing, Typed: "VB-7"}, State{}, says(SayUnknown)},
		"none of the part has it":   {shownOne(), Event{Kind: Missing, Typed: "(01)09506000134352(21)7"}, State{}, says(SayNotHere)},
		"no unit, but an EAN":       {shownOne(), Event{Kind: Missing, Typed: "4006381333931"}, State{}, says(SayNotHere)},
		"no unit of the number":     {shownOne(), Event{Kind: Missing, Typed: "12"}, State{}, says(SayMissing)},
		"one of them is pressed":    {list, typed("SN-00012"), list, look},
		"done, a code unsent":       {shownOne(), unsent(CodeDone), shownOne(), says(SayUnsent)},
		"yes, a code unsent":        {asked(broken, Sure), unsent(CodeYes), asked(broken, Sure), says(SayUnsent)},
		"no, a code unsent":         {asked(broken, Sure), unsent(CodeNo), shownOne(), says(SayNo)},
		"mistake, a code unsent":    {done, unsent(CodeUndo), done, []Effect{{Kind: Act, Command: CodeUndo, Act: done.Act}}},
		"one scan is not done":      {list, Event{Kind: Found, Unit: one, OneScan: true}, shownOne(), says(SayShown)},
		"done to several":           {list, typed(CodeDone), State{}, says(SayNoUnit)},
		"Enter on several":          {list, typed(""), list, says(SayNothing)},
		"yes to several":            {list, typed(CodeYes), list, says(SayAsk)},
		"no to several":             {list, typed(CodeNo), State{}, says(SayNo)},
		"pass to several":           {list, typed(CodePass), State{}, says(SayNotAsked)},
		"others, while listed":      {list, Event{Kind: Changed}, list, nil},
		"nobody chooses":            {list, Event{Kind: Waited}, list, nil},
		"no answer, while listed":   {list, Event{Kind: Lost}, State{}, says(SayLost)},
		"a part, while asked":       {asked(broken, Sure), typed("]d2240P-7"), asked(broken, Sure), finds("]d2240P-7")},
		"a part that no unit has":   {asked(broken, Sure), Event{Kind: Missing, Typed: "]d2240P-7"}, State{}, leaves(SayNotHere, broken)},
		"a report":                  {shownOne(), typed("NCR-00003"), shownOne(), finds("NCR-00003")},
		"a report is no unit":       {shownOne(), Event{Kind: Missing, Typed: "NCR-00003"}, State{}, says(SayNotHere)},
		"a part for a text":         {text(CodeNote), typed("(240)P-7"), State{Phase: Asked, Unit: one, Command: CodeNote, Why: Code, Words: "(240)P-7"}, says(SayAsk)},
		"another unit":              {shownOne(), typed("SN-00012"), shownOne(), look},
		"a unit while asked":        {asked(broken, Sure), typed("SN-00012"), asked(broken, Sure), look},
		"it is there":               {State{}, Event{Kind: Found, Unit: one}, shownOne(), says(SayShown)},
		"it is there, and left":     {text(CodeNote), Event{Kind: Found, Unit: one}, shownOne(), leaves(SayShown, CodeNote)},
		"it is not there":           {asked(broken, Sure), Event{Kind: Missing}, State{}, leaves(SayMissing, broken)},
		"one scan":                  {State{}, Event{Kind: Found, Unit: one, OneScan: true}, scanned, act(CodeDone)},
		"one scan after another":    {done, Event{Kind: Found, Unit: one, OneScan: true}, scanned, act(CodeDone)},
		"one scan is done":          {scanned, Event{Kind: Acted, Command: CodeDone, Act: done.Act}, byScan, says(SayDone)},
		"one scan is refused":       {scanned, Event{Kind: Refused, Command: CodeDone}, shownOne(), says(SayRefused)},
		"one scan at once again":    {byScan, soon(one.ID), byScan, says(SayNothing)},
		"one scan too early again":  {byScan, early(one.ID), byScan, says(SayNothing)},
		"one scan later again":      {byScan, typed(one.ID), byScan, []Effect{{Kind: Look, Unit: Unit{ID: one.ID}}}},
		"by its number again":       {byScan, Event{Kind: Found, Unit: two, Early: true}, byScan, says(SayNothing)},
		"again, to be measured":     {byScan, Event{Kind: Found, Unit: two, Demand: bore}, byScan, says(SayNothing)},
		"one scan of another":       {byScan, Event{Kind: Found, Unit: Unit{ID: "SN-00012"}, OneScan: true}, State{Phase: Shown, Unit: Unit{ID: "SN-00012"}, Command: "SN-00012"}, []Effect{{Kind: Act, Unit: Unit{ID: "SN-00012"}, Command: CodeDone}}},
		"one scan, shown already":   {shownOne(), Event{Kind: Found, Unit: one, OneScan: true}, shownOne(), says(SayShown)},
		"one scan while asked":      {asked(broken, Sure), Event{Kind: Found, Unit: one, OneScan: true}, shownOne(), leaves(SayShown, broken)},
		"one scan elsewhere":        {State{}, Event{Kind: Found, Unit: afar, OneScan: true}, State{Phase: Shown, Unit: afar}, says(SayShown)},
		"done":                      {shownOne(), typed(CodeDone), shownOne(), act(CodeDone)},
		"done, on an old sheet":     {shownOne(), typed("rc-advance"), shownOne(), act(CodeDone)},
		"done without a unit":       {State{}, typed(CodeDone), State{}, says(SayNoUnit)},
		"done to what was done":     {done, typed(CodeDone), State{}, says(SayNoUnit)},
		"done twice in a moment":    {done, soon(CodeDone), done, says(SayNothing)},
		"done twice, too early":     {done, early(CodeDone), done, says(SayNothing)},
		"done, after a lost answer": {shownOne(), doubted(CodeDone), shownOne(), judge(one, CodeDone, More)},
		"deferred, after one":       {shownOne(), doubted(DeferredCode(3)), shownOne(), judge(one, DeferredCode(3), More)},
		"Enter, after one":          {shownOne(), doubted(""), shownOne(), judge(one, CodeDone, More)},
		"elsewhere, after one":      {State{Phase: Shown, Unit: afar}, doubted(CodeDone), State{Phase: Shown, Unit: afar}, judge(afar, CodeDone, Away)},
		"yes, after one":            {asked(CodeDone, More), doubted(CodeYes), asked(CodeDone, More), act(CodeDone)},
		"Enter is no yes to it":     {asked(CodeDone, More), doubted(""), asked(CodeDone, More), says(SayNothing)},
		"yes twice in a moment":     {done, soon(CodeYes), done, says(SayNothing)},
		"done too early":            {shownOne(), early(CodeDone), shownOne(), judge(one, CodeDone, Early)},
		"done elsewhere":            {State{Phase: Shown, Unit: afar}, typed(CodeDone), State{Phase: Shown, Unit: afar}, judge(afar, CodeDone, Away)},
		"elsewhere and too early":   {State{Phase: Shown, Unit: afar}, early(CodeDone), State{Phase: Shown, Unit: afar}, judge(afar, CodeDone, Away)},
		"done to a question":        {asked(broken, Sure), typed(CodeDone), asked(broken, Sure), says(SayAsk)},
		"done to a text":            {text(CodeNote), typed(CodeDone), text(CodeNote), says(SayAsk)},
		"deferred":                  {shownOne(), typed(DeferredCode(3)), shownOne(), act(DeferredCode(3))},
		"deferred too early":        {shownOne(), early(CodeDeferred), shownOne(), judge(one, CodeDeferred, Early)},
		"Enter":                     {shownOne(), typed(""), shownOne(), act(CodeDone)},
		"Enter behind the scan":     {shownOne(), soon(""), shownOne(), says(SayNothing)},
		"Enter before it was shown": {shownOne(), early(""), shownOne(), says(SayHurried)},
		"Enter by a hurried hand":   {shownOne(), Event{Kind: Scanned, Ago: 600 * time.Millisecond}, shownOne(), says(SayHurried)},
		"two Enters, slow line":     {shownOne(), Event{Kind: Scanned, Early: true}, shownOne(), says(SayNothing)},
		"two codes as one":          {shownOne(), Event{Kind: Missing, Typed: "SN-00012SN-00013"}, State{}, says(SayRanTogether)},
		"Enter on nothing":          {State{}, typed(""), State{}, says(SayNothing)},
		"Enter on a question":       {asked(broken, Sure), typed(""), asked(broken, Sure), says(SayNothing)},
		"Enter for a text":          {text(CodeNote), typed(""), text(CodeNote), says(SayAsk)},
		"Enter on what was done":    {done, typed(""), done, says(SayNothing)},
		"a note":                    {shownOne(), typed(CodeNote), shownOne(), judge(one, CodeNote, "")},
		"a note instead of a scrap": {asked(broken, Sure), typed(CodeNote), asked(broken, Sure), judge(one, CodeNote, "")},
		"the note again":            {text(CodeNote), typed(CodeNote), text(CodeNote), says(SayAsk)},
		"a hold":                    {shownOne(), typed(CodeHold), shownOne(), judge(one, CodeHold, "")},
		"a hold without a unit":     {State{}, typed(CodeHold), State{}, says(SayNoUnit)},
		"a scrap":                   {shownOne(), typed(broken), shownOne(), judge(one, broken, Sure)},
		"a scrap with words":        {shownOne(), typed(other), shownOne(), judge(one, other, "")},
		"the scrap again":           {asked(broken, Sure), typed(broken), asked(broken, Sure), says(SayAsk)},
		"judged, a text":            {shownOne(), Event{Kind: Judged, Command: CodeNote}, text(CodeNote), says(SayAsk)},
		"judged, a question":        {shownOne(), Event{Kind: Judged, Command: broken, Why: Sure}, asked(broken, Sure), says(SayAsk)},
		"judged, and left":          {text(CodeNote), Event{Kind: Judged, Command: broken, Why: Sure}, asked(broken, Sure), leaves(SayAsk, CodeNote)},
		"refused":                   {asked(broken, Sure), Event{Kind: Refused}, shownOne(), says(SayRefused)},
		"done before":               {text(CodeNote), Event{Kind: Repeated}, State{}, says(SayRepeated)},
		"undone before":             {done, Event{Kind: Repeated}, State{}, says(SayRepeated)},
		"another is refused":        {text(CodeNote), Event{Kind: Refused, Command: MeasureCode(2)}, shownOne(), leaves(SayRefused, CodeNote)},
		"another, while asked":      {asked(broken, Sure), Event{Kind: Refused, Command: CodeHold}, shownOne(), leaves(SayRefused, broken)},
		"the same is refused":       {asked(broken, Sure), Event{Kind: Refused, Command: broken}, shownOne(), says(SayRefused)},
		"refused without a unit":    {undo, Event{Kind: Refused}, State{}, says(SayRefused)},
		"yes":                       {asked(broken, Sure), typed(CodeYes), asked(broken, Sure), act(broken)},
		"yes too early":             {asked(broken, Sure), early(CodeYes), asked(broken, Sure), says(SayAsk)},
		"yes to away":               {asked(CodeDone, Away), typed(CodeYes), asked(CodeDone, Away), act(CodeDone)},
		"yes to nothing":            {shownOne(), typed(CodeYes), shownOne(), says(SayNotAsked)},
		"yes to what was done":      {done, typed(CodeYes), State{}, says(SayNotAsked)},
		"yes to a text":             {text(CodeNote), typed(CodeYes), text(CodeNote), says(SayAsk)},
		"yes to words":              {sureFell, typed(CodeYes), sureFell, []Effect{{Kind: Act, Unit: one, Command: other, Words: "fell"}}},
		"yes, a code":               {code570, typed(CodeYes), code570, []Effect{{Kind: Act, Unit: one, Command: CodeNote, Words: "570"}}},
		"yes, these words":          {earlyWords, typed(CodeYes), earlyWords, []Effect{{Kind: Act, Unit: one, Command: CodeNote, Words: "burr"}}},
		"no":                        {asked(broken, Sure), typed(CodeNo), shownOne(), says(SayNo)},
		"no to a text":              {text(CodeHold), typed(CodeNo), shownOne(), says(SayNo)},
		"no, no text":               {code570, typed(CodeNo), text(CodeNote), says(SayAsk)},
		"no to nothing":             {shownOne(), typed(CodeNo), shownOne(), says(SayNotAsked)},
		"undo":                      {State{}, typed("rc-undo"), State{}, []Effect{{Kind: Judge, Command: CodeUndo, Why: Sure}}},
		"undo with a unit":          {shownOne(), typed(CodeUndo), shownOne(), judge(one, CodeUndo, Sure)},
		"undo of what was done":     {done, typed(CodeUndo), done, []Effect{{Kind: Act, Command: CodeUndo, Act: done.Act}}},
		"undo before it was told":   {done, early(CodeUndo), done, []Effect{{Kind: Judge, Command: CodeUndo, Why: Sure}}},
		"yes to undo":               {undo, typed(CodeYes), undo, []Effect{{Kind: Act, Command: CodeUndo, Act: undo.Act, Words: "it"}}},
		"no to undo":                {undo, typed(CodeNo), State{}, says(SayNo)},
		"a text":                    {text(CodeNote), typed(" chatter "), text(CodeNote), []Effect{{Kind: Check, Words: "chatter"}}},
		"a long text":               {text(CodeNote), typed(strings.Repeat("a ", 40) + "a"), text(CodeNote), []Effect{{Kind: Act, Unit: one, Command: CodeNote, Words: strings.Repeat("a ", 40) + "a"}}},
		"it is no number":           {text(CodeNote), Event{Kind: Checked, Words: "chatter"}, text(CodeNote), []Effect{{Kind: Act, Unit: one, Command: CodeNote, Words: "chatter"}}},
		"it is a unit's number":     {text(CodeNote), Event{Kind: Checked, Words: "570", Why: Code}, code570, says(SayAsk)},
		"a text too early":          {text(CodeNote), early("burr"), earlyWords, says(SayAsk)},
		"a mention":                 {text(CodeHold), typed("same as SN-00012"), text(CodeHold), []Effect{{Kind: Check, Words: "same as SN-00012"}}},
		"words for a scrap":         {text(other), typed("fell"), text(other), []Effect{{Kind: Check, Words: "fell"}}},
		"no number for a scrap":     {text(other), Event{Kind: Checked, Words: "fell"}, sureFell, says(SayAsk)},
		"digits for a text":         {text(CodeNote), typed("570"), code570, says(SayAsk)},
		"words while asked":         {asked(broken, Sure), typed("again"), asked(broken, Sure), finds("again")},
		"long words while asked":    {asked(broken, Sure), typed(strings.Repeat("a", 65)), State{}, leaves(SayUnknown, broken)},
		"a command of no station":   {asked(broken, Sure), typed("RC-FLY"), asked(broken, Sure), finds("RC-FLY")},
		"it is no unit's either":    {asked(broken, Sure), Event{Kind: Missing, Typed: "RC-FLY"}, State{}, leaves(SayUnknown, broken)},
		"unreadable":                {shownOne(), typed("%]--"), shownOne(), finds("%]--")},
		"two codes in one":          {shownOne(), typed("SN-00011SN-00012"), shownOne(), finds("SN-00011SN-00012")},
		"a scrap code cut off":      {shownOne(), typed("RC-SCRAP-"), shownOne(), finds("RC-SCRAP-")},
		"no number":                 {shownOne(), typed("-3"), shownOne(), finds("-3")},
		"a deferred step of no":     {shownOne(), typed(CodeDeferred + "-x"), shownOne(), finds(CodeDeferred + "-x")},
		"acted":                     {shownOne(), Event{Kind: Acted, Command: CodeDone, Act: done.Act}, done, says(SayDone)},
		"others":                    {shownOne(), Event{Kind: Changed}, State{}, says(SayChanged)},
		"others while asked":        {asked(broken, Sure), Event{Kind: Changed}, State{}, leaves(SayChanged, broken)},
		"others while typing":       {text(CodeNote), Event{Kind: Changed}, State{}, leaves(SayChanged, CodeNote)},
		"others, nothing shown":     {done, Event{Kind: Changed}, done, nil},
		"nobody does anything":      {shownOne(), Event{Kind: Waited}, State{}, says(SayWaited)},
		"nobody answers":            {asked(broken, Sure), Event{Kind: Waited}, State{}, leaves(SayWaited, broken)},
		"somebody types long":       {text(CodeNote), Event{Kind: Waited}, text(CodeNote), nil},
		"no answer":                 {shownOne(), Event{Kind: Lost}, State{}, says(SayLost)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			to, does := Next(ident.DefaultPrefix, row.from, row.event)
			if diff := cmp.Diff(row.to, to); diff != "" {
				t.Errorf("then it is (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(row.does, does); diff != "" {
				t.Errorf("it does (-want +got):\n%s", diff)
			}
		})
	}
}

// Each row is one line of the second table in doc.go.
func TestNextMeasures(t *testing.T) {
	t.Parallel()
	look := []Effect{{Kind: Look, Unit: Unit{ID: "SN-00012"}}}
	records := func(of Demand, words string) []Effect {
		return []Effect{{Kind: Act, Unit: one, Command: CodeMeasure, Words: words, Demand: of}}
	}
	judge := func(command string, why Why) []Effect {
		return []Effect{{Kind: Judge, Unit: one, Command: command, Why: why}}
	}
	before := value(bore)
	before.Words = "12.503"
	next := Asks(two, edge)
	next.Words = "12.503"
	out := State{Phase: Asked, Unit: two, Command: CodeMeasure, Why: Out, Words: "13", Demand: bore}
	outBare := State{Phase: Asked, Unit: two, Command: CodeMeasure, Why: Out, Words: "13", Demand: bare}
	shownOut := State{Phase: Shown, Unit: two, Words: "13"}
	after := func(ago time.Duration, text string) Event {
		return Event{Kind: Scanned, Typed: text, Ago: ago}
	}
	again := func(of Demand, words string) State {
		state := value(of)
		state.Words = words
		return state
	}
	shownAfter := State{Phase: Shown, Unit: two, Words: "12.503"}
	bareAfter := Asks(two, bare)
	bareAfter.Words = "12.503"
	for name, row := range map[string]struct {
		from  State
		event Event
		to    State
		does  []Effect
	}{
		"a unit to measure":        {State{}, Event{Kind: Found, Unit: one, Demand: bore}, value(bore), says(SayAsk)},
		"one scan is not done":     {State{}, Event{Kind: Found, Unit: one, Demand: bore, OneScan: true}, value(bore), says(SayAsk)},
		"it is measured elsewhere": {State{}, Event{Kind: Found, Unit: afar, Demand: bore}, State{Phase: Shown, Unit: afar}, says(SayShown)},
		"an instrument first":      {State{}, Event{Kind: Found, Unit: one, Demand: bare}, State{Phase: TextAwaited, Unit: one, Command: CodeInstrument, Demand: bare}, says(SayAsk)},
		"its number":               {Asks(one, bare), typed("0815"), Asks(one, bare), []Effect{{Kind: Act, Unit: one, Command: CodeInstrument, Words: "0815", Demand: bare}}},
		"a unit for its number":    {Asks(one, bare), typed("SN-00012"), Asks(one, bare), look},
		"it is taken":              {Asks(one, bare), Event{Kind: Acted, Command: CodeInstrument, Demand: bore}, value(bore), says(SayMeasured)},
		"it may not be used":       {Asks(one, bare), Event{Kind: Refused}, Asks(one, bare), says(SayRefused)},
		"another instrument":       {before, typed(CodeInstrument), State{Phase: TextAwaited, Unit: one, Command: CodeInstrument, Demand: bore}, says(SayAsk)},
		"the same after all":       {State{Phase: TextAwaited, Unit: one, Command: CodeInstrument, Demand: bore}, typed(CodeNo), value(bore), says(SayAsk)},
		"none was chosen":          {Asks(one, bare), typed(CodeNo), shownOne(), says(SayNo)},
		"an instrument for no one": {shownOne(), typed(CodeInstrument), shownOne(), says(SayNotAsked)},
		"a number":                 {value(bore), typed(" 12.503 "), value(bore), records(bore, "12.503")},
		"a unit's number":          {value(bore), typed("12"), value(bore), records(bore, "12")},
		"too early":                {value(bore), early("12.503"), valueAsked(bore, Early, "12.503"), says(SayAsk)},
		"behind the scan":          {value(bore), soon("12.503"), valueAsked(bore, Early, "12.503"), says(SayAsk)},
		"twice":                    {before, soon("12.503"), before, says(SayNothing)},
		"twice, and early":         {before, early("12.503"), before, says(SayNothing)},
		"the same again":           {before, typed("12.503"), before, records(bore, "12.503")},
		"a barcode":                {value(bore), typed("4006381333931"), valueAsked(bore, Code, "4006381333931"), says(SayAsk)},
		"of wide digits":           {value(bore), typed("１２．５０３"), value(bore), says(SayNoNumber)},
		"an EAN in groups":         {value(bore), typed("4 006381 333931"), value(bore), says(SayNoNumber)},
		"with a comma":             {value(bore), typed("12,50"), value(bore), records(bore, "12.50")},
		"a comma in German":        {value(bore), german("12,503"), value(bore), records(bore, "12.503")},
		"a point in German":        {value(bore), german("12.50"), value(bore), records(bore, "12.50")},
		"thousands in German?":     {value(bore), german("1.234"), valueAsked(bore, Sign, "1.234"), says(SayAsk)},
		"thousands in English?":    {value(bore), typed("1,234"), valueAsked(bore, Sign, "1.234"), says(SayAsk)},
		"thousands with a unit?":   {value(tight), typed("48,001 mm"), valueAsked(tight, Sign, "48.001"), says(SayAsk)},
		"a text in German":         {value(heat), german("1.234"), value(heat), []Effect{{Kind: Check, Words: "1.234"}}},
		"the decimal":              {valueAsked(bore, Sign, "1.234"), german("1,234"), value(bore), records(bore, "1.234")},
		"the decimal in English":   {valueAsked(bore, Sign, "1.234"), typed("1.234"), value(bore), records(bore, "1.234")},
		"the whole number":         {valueAsked(bore, Sign, "1.234"), soon("1234"), value(bore), records(bore, "1234")},
		"the same sign again":      {valueAsked(bore, Sign, "1.234"), german("1.234"), valueAsked(bore, Sign, "1.234"), says(SayAsk)},
		"before it was asked":      {valueAsked(bore, Sign, "1.234"), early("1234"), valueAsked(bore, Early, "1234"), says(SayAsk)},
		"far off after all":        {valueAsked(tight, Sign, "48.001"), typed("48001"), valueAsked(tight, Far, "48001"), says(SayAsk)},
		"another number instead":   {valueAsked(bore, Sign, "1.234"), typed("12.5"), value(bore), records(bore, "12.5")},
		"a unit instead":           {valueAsked(bore, Sign, "1.234"), typed("SN-00012"), valueAsked(bore, Sign, "1.234"), look},
		"yes to neither":           {valueAsked(bore, Sign, "1.234"), typed(CodeYes), valueAsked(bore, Sign, "1.234"), says(SayAsk)},
		"neither":                  {valueAsked(bore, Sign, "1.234"), typed(CodeNo), value(bore), says(SayAsk)},
		"with its unit":            {value(tight), german("48,001 MM"), value(tight), records(tight, "48.001")},
		"with another unit":        {value(tight), typed("1.89 in"), value(tight), says(SayOtherUnit)},
		"with a unit for a count":  {value(bore), typed("12 mm"), value(bore), says(SayOtherUnit)},
		"with thousands":           {value(bore), typed("1,000.5"), value(bore), says(SayNoNumber)},
		"the caliper twice":        {again(tight, "48.000"), after(1400*time.Millisecond, "48.000"), valueAsked(tight, Twice, "48.000"), says(SayAsk)},
		"twice, other zeros":       {again(tight, "48.000"), after(4*time.Second, "48.0 mm"), valueAsked(tight, Twice, "48.0"), says(SayAsk)},
		"twice, much later":        {again(tight, "48.000"), after(Again, "48.000"), again(tight, "48.000"), records(tight, "48.000")},
		"another value at once":    {again(tight, "48.000"), after(2*time.Second, "48.001"), again(tight, "48.000"), records(tight, "48.001")},
		"it is another reading":    {valueAsked(tight, Twice, "48.000"), typed(CodeYes), valueAsked(tight, Twice, "48.000"), records(tight, "48.000")},
		"it was the caliper":       {valueAsked(tight, Twice, "48.000"), typed(CodeNo), again(tight, "48.000"), says(SayAsk)},
		"a text twice":             {again(heat, "heat A"), after(2*time.Second, "heat A"), valueAsked(heat, Twice, "heat A"), says(SayAsk)},
		"pass for the next, too":   {again(edge, "pass"), after(2*time.Second, CodePass), again(edge, "pass"), records(edge, "pass")},
		"twice, after the last":    {shownAfter, after(1400*time.Millisecond, "12.503"), shownAfter, says(SayNothing)},
		"a unit after the last":    {shownAfter, after(1400*time.Millisecond, "417"), shownAfter, finds("417")},
		"a lost point":             {value(tight), typed("48001"), valueAsked(tight, Far, "48001"), says(SayAsk)},
		"a moved point":            {value(tight), typed("4.8001"), valueAsked(tight, Far, "4.8001"), says(SayAsk)},
		"no lost point":            {value(tight), typed("48.5"), value(tight), records(tight, "48.5")},
		"far off, corrected":       {valueAsked(tight, Far, "48001"), typed("48.001"), value(tight), records(tight, "48.001")},
		"far off, as far again":    {valueAsked(tight, Far, "48001"), typed("48002"), valueAsked(tight, Far, "48002"), says(SayAsk)},
		"far off, typed twice":     {valueAsked(tight, Far, "48001"), after(2*time.Second, "48001"), valueAsked(tight, Far, "48001"), says(SayNothing)},
		"far off, a unit instead":  {valueAsked(tight, Far, "48001"), typed("SN-00012"), valueAsked(tight, Far, "48001"), look},
		"twice, then another":      {valueAsked(tight, Twice, "48.000"), typed("48.002"), value(tight), records(tight, "48.002")},
		"three times":              {valueAsked(tight, Twice, "48.000"), after(2*time.Second, "48.0"), valueAsked(tight, Twice, "48.000"), says(SayNothing)},
		"a barcode, then a value":  {valueAsked(tight, Code, "40063813"), typed("48.002"), value(tight), records(tight, "48.002")},
		"a value, nothing asked":   {shownOne(), Event{Kind: Missing, Typed: "48,002 mm"}, State{}, says(SayNotMeasuring)},
		"it is right":              {valueAsked(tight, Far, "48001"), typed(CodeYes), valueAsked(tight, Far, "48001"), records(tight, "48001")},
		"it is not right":          {valueAsked(tight, Far, "48001"), typed(CodeNo), value(tight), says(SayAsk)},
		"OK":                       {value(edge), typed("i.O."), value(edge), []Effect{{Kind: Check, Words: "i.O."}}},
		"OK of no unit":            {value(edge), Event{Kind: Checked, Words: "i.O."}, value(edge), records(edge, "i.O.")},
		"too many digits":          {value(bore), typed("1.0000000000000000001"), value(bore), says(SayNoNumber)},
		"words":                    {value(bore), typed("burr"), value(bore), finds("burr")},
		"words that name none":     {value(bore), Event{Kind: Missing, Typed: "burr"}, State{}, leaves(SayUnknown, CodeMeasure)},
		"several while measured":   {value(bore), several, State{Phase: Listed, Words: "SN-00011 SN-00012"}, leaves(SayAsk, CodeMeasure)},
		"a damaged code":           {value(bore), typed("SN'00012"), value(bore), finds("SN'00012")},
		"the code of a part":       {value(bore), typed("(240)P-7"), value(bore), finds("(240)P-7")},
		"it names no unit":         {value(bore), Event{Kind: Missing, Typed: "(240)P-7"}, State{}, leaves(SayNotHere, CodeMeasure)},
		"a unit behind a number":   {value(bore), typed("12.503SN-00012"), State{}, leaves(SayRanTogether, CodeMeasure)},
		"another unit":             {value(bore), typed("SN-00012"), value(bore), look},
		"the other unit is there":  {value(bore), Event{Kind: Found, Unit: afar, Demand: Demand{}}, State{Phase: Shown, Unit: afar}, leaves(SayShown, CodeMeasure)},
		"the same unit":            {value(bore), Event{Kind: Found, Unit: one, Demand: bore}, value(bore), says(SayAsk)},
		"the same, instrument":     {Asks(one, bare), Event{Kind: Found, Unit: one, Demand: bare}, Asks(one, bare), says(SayAsk)},
		"Enter":                    {value(bore), typed(""), value(bore), says(SayAsk)},
		"done":                     {value(bore), typed(CodeDone), value(bore), says(SayAsk)},
		"yes":                      {value(bore), typed(CodeYes), value(bore), says(SayAsk)},
		"no":                       {value(bore), typed(CodeNo), shownOne(), says(SayNo)},
		"pass":                     {value(edge), typed(CodePass), value(edge), records(edge, "pass")},
		"fail":                     {value(edge), typed("rc-fail"), value(edge), records(edge, "fail")},
		"the word":                 {value(edge), typed("pass"), value(edge), records(edge, "pass")},
		"a number for a mark":      {value(edge), typed("12.503"), State{}, leaves(SayNotMeasuring, CodeMeasure)},
		"pass for a number":        {value(bore), typed(CodePass), value(bore), says(SayAsk)},
		"pass while asked":         {asked(broken, Sure), typed(CodePass), asked(broken, Sure), says(SayAsk)},
		"pass to nothing":          {shownOne(), typed(CodePass), shownOne(), says(SayNotAsked)},
		"a text":                   {value(heat), typed("heat A"), value(heat), []Effect{{Kind: Check, Words: "heat A"}}},
		"a text of no unit":        {value(heat), Event{Kind: Checked, Words: "heat A"}, value(heat), records(heat, "heat A")},
		"a unit's number as text":  {value(heat), Event{Kind: Checked, Words: "4711", Why: Code}, valueAsked(heat, Code, "4711"), says(SayAsk)},
		"a text like a code":       {value(heat), typed("4711"), valueAsked(heat, Code, "4711"), says(SayAsk)},
		"yes, the reading":         {valueAsked(heat, Code, "4711"), typed(CodeYes), valueAsked(heat, Code, "4711"), records(heat, "4711")},
		"yes, too early":           {valueAsked(bore, Early, "12"), early(CodeYes), valueAsked(bore, Early, "12"), says(SayAsk)},
		"no, not the reading":      {valueAsked(bore, Early, "12"), typed(CodeNo), value(bore), says(SayAsk)},
		"another while asked":      {valueAsked(bore, Early, "12"), typed("12.1"), State{}, leaves(SayNotMeasuring, CodeMeasure)},
		"found, out of limits":     {State{}, Event{Kind: Found, Unit: two, Out: true, Demand: bore, Words: "13"}, out, says(SayAsk)},
		"found out, after go on":   {shownOut, Event{Kind: Found, Unit: two, Out: true, Demand: bore, Words: "13"}, State{Phase: Shown, Unit: two}, says(SayShown)},
		"out, instrument first":    {outBare, typed("M-017"), Asks(two, bare), []Effect{{Kind: Act, Unit: two, Command: CodeInstrument, Words: "M-017", Demand: bare}}},
		"found out once more":      {State{Phase: Shown, Unit: two}, Event{Kind: Found, Unit: two, Out: true, Demand: bore, Words: "13"}, out, says(SayAsk)},
		"found out, elsewhere":     {State{}, Event{Kind: Found, Unit: afar, Out: true, Demand: bore, Words: "13"}, State{Phase: Shown, Unit: afar}, says(SayShown)},
		"another, instrument next": {Asks(one, bare), Event{Kind: Judged, Command: MeasureCode(2), Demand: bore}, value(bore), says(SayAsk)},
		"recorded":                 {value(bore), Event{Kind: Acted, Command: CodeMeasure, Unit: two, Demand: edge, Words: "12.503"}, next, says(SayMeasured)},
		"recorded, the last":       {value(bore), Event{Kind: Acted, Command: CodeMeasure, Unit: two, Words: "12.503"}, shownAfter, says(SayMeasured)},
		"recorded, out":            {value(bore), Event{Kind: Acted, Command: CodeMeasure, Unit: two, Demand: bore, Out: true, Words: "13"}, out, says(SayAsk)},
		"measure again":            {out, typed(CodeYes), Asks(two, bore), says(SayAsk)},
		"measure again, too early": {out, early(CodeYes), out, says(SayAsk)},
		"go on":                    {out, typed(CodeNo), shownOut, []Effect{{Kind: Look, Unit: Unit{ID: one.ID}}}},
		"a value while out":        {out, typed("12.5"), Asks(two, bore), []Effect{{Kind: Act, Unit: two, Command: CodeMeasure, Words: "12.5", Demand: bore}}},
		"a value while out, early": {out, early("12.5"), State{Phase: Asked, Unit: two, Command: CodeMeasure, Why: Early, Words: "12.5", Demand: bore}, says(SayAsk)},
		"out, typed twice":         {out, after(1400*time.Millisecond, "13.0"), out, says(SayNothing)},
		"out again, measured":      {out, typed("13"), Asks(two, bore), []Effect{{Kind: Act, Unit: two, Command: CodeMeasure, Words: "13", Demand: bore}}},
		"no number while out":      {out, typed("13..5"), Asks(two, bore), says(SayNoNumber)},
		"a unit while out":         {out, typed("SN-00012"), out, look},
		"twice, instrument next":   {bareAfter, after(1400*time.Millisecond, "12.503"), bareAfter, says(SayNothing)},
		"an instrument, like it":   {bareAfter, typed("12.503"), bareAfter, []Effect{{Kind: Act, Unit: two, Command: CodeInstrument, Words: "12.503", Demand: bare}}},
		"recorded, instrument":     {value(bore), Event{Kind: Acted, Command: CodeMeasure, Unit: two, Demand: bare, Words: "12.503"}, bareAfter, says(SayMeasured)},
		"Enter at once":            {value(bore), soon(""), value(bore), says(SayNothing)},
		"Enter too early":          {value(bore), early(""), value(bore), says(SayNothing)},
		"pass, with a code unsent": {value(edge), unsent(CodePass), value(edge), says(SayUnsent)},
		"instrument, code unsent":  {Asks(one, bare), unsent("0815"), Asks(one, bare), []Effect{{Kind: Act, Unit: one, Command: CodeInstrument, Words: "0815", Demand: bare}}},
		"measure":                  {shownOne(), typed("rc-measure"), shownOne(), judge(CodeMeasure, "")},
		"measure the second":       {value(bore), typed(MeasureCode(2)), value(bore), judge(MeasureCode(2), "")},
		"measure without a unit":   {State{}, typed(CodeMeasure), State{}, says(SayNoUnit)},
		"judged":                   {shownOne(), Event{Kind: Judged, Command: MeasureCode(2), Demand: edge}, value(edge), says(SayAsk)},
		"judged, and left":         {text(CodeNote), Event{Kind: Judged, Command: CodeMeasure, Demand: edge}, value(edge), leaves(SayAsk, CodeNote)},
		"refused":                  {value(bore), Event{Kind: Refused}, value(bore), says(SayRefused)},
		"a hold is refused":        {value(bore), Event{Kind: Refused, Command: CodeHold}, value(bore), says(SayRefused)},
		"a hold, while asked":      {valueAsked(bore, Early, "12"), Event{Kind: Refused, Command: CodeHold}, value(bore), leaves(SayRefused, CodeMeasure)},
		"a hold, instrument first": {Asks(one, bare), Event{Kind: Refused, Command: CodeHold}, Asks(one, bare), says(SayRefused)},
		"a hold":                   {value(bore), typed(CodeHold), value(bore), judge(CodeHold, "")},
		"others":                   {value(bore), Event{Kind: Changed}, State{}, leaves(SayChanged, CodeMeasure)},
		"nobody does anything":     {value(bore), Event{Kind: Waited}, State{}, leaves(SayWaited, CodeMeasure)},
		"no answer":                {value(bore), Event{Kind: Lost}, State{}, says(SayLost)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			to, does := Next(ident.DefaultPrefix, row.from, row.event)
			if diff := cmp.Diff(row.to, to); diff != "" {
				t.Errorf("then it is (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(row.does, does); diff != "" {
				t.Errorf("it does (-want +got):\n%s", diff)
			}
		})
	}
}

// A scan that follows typed words, or several scans in one text, has no effect: the station does not use it as a text.
func TestScanIntoWords(t *testing.T) {
	t.Parallel()
	for _, command := range []string{CodeNote, CodeHold, other} {
		for _, into := range []string{
			"crack atSN-00012", "crackedSN-00012", "crack,sn-00012", "burrRC-NO", "burr rc-no", "burr]C0RC-NO", "größeRC-ADVANCE", "burrRC-SCRAP-DAMAGED",
			"burrRC-DEFERRED-3", "fell RC-YES", "see SN-00012RC-HOLD", "as SN-00012SN-00013", "SN-00011 SN-00012", "SN-00011\u00a0RC-YES",
			"RC-HOLD SN-00012", "SN-00011SN-00012 SN-00013",
		} {
			to, does := Next(ident.DefaultPrefix, text(command), typed(into))
			if to != (State{}) || !cmp.Equal(does, leaves(SayRanTogether, command)) {
				t.Errorf("%s, %q: %+v, %+v", command, into, to, does)
			}
		}
	}
}

// The station asks before it uses a text that looks like a code. It uses words that people type without a question.
func TestLooksLikeCode(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{"570", "4006381333931", "SNß00007", "SN'00007", "SN/00007", "SN00007", "RC-NOTTE", "RCßDONE", "ncr-00001",
		"4 006381 333931", "4006381-333931", "4.006381.333931", "4\u00a0006381\u2009333931", "４００６３８１３３３９３１", "４ ００６３８１ ３３３９３１", "５７０", "٤٠٠٦ ٣٨١٣ ٣٣٩٣١",
		"ＳＮ－００００７", "ＲＣ－ＮＯＴＥ", "SN 00007", "SN 0 0 0 0 7", "NCR – 00003", "SN‑00007",
		"]C1SN-00007", "SN-00007SN-00008", "SN-7", "(21)7", "[)>06|17V0CVA5|1P1|S2|", "https://id.gs1.org/01/09506000134352/21/7"} {
		if !looksLikeCode(ident.DefaultPrefix, typed) {
			t.Errorf("%q is taken for words", typed)
		}
	}
	for _, typed := range []string{"", "burr", "570 rpm", "(1) burr", "snag", "SNAP", "scratched", "R12", "12.5", "12.503 mm", "12,5 - 12,6", "0.02 0.03", "-0.015", "+0.1/-0.2", "12.5 12.6",
		"bore 12.503, was 12.498", "lot 4 006381 333931 of the supplier", "SN", "RC 7 turns", "SN 7 has it too", "arc-weld", "RCA", "Ø12.3", "ok."} {
		if looksLikeCode(ident.DefaultPrefix, typed) {
			t.Errorf("%q is taken for a code", typed)
		}
	}
	for typed, want := range map[string]bool{"SN)ààààé": true, "sn)ààà\"é": true, "SN)ÀÀÀ&É": true, "SN)àààà!": true, "SN=éééé+": true, "SN=éééé1": false, "SNüöööö7": true, "SN6))))&": true,
		"SN'00007": true, "SN/00007": true, "SN?00007": true, "SN+00007": true, "NCR)àààà\"": true, "NCRß00003": true, "RC)QDVQNCE": true, "RC)DEFERRED)\"": true,
		"SN)burr": false, "SN)": false, "SN6": false, "SN600007": false, "SNAP)ààé": false, "NCR 3": false, "à l'état": false, "SNß00007": true, "RCßDONE": true, "SN-00007": false, "SN00007": false, "snag": false, "570": false} {
		if got := AnotherKeyboard(ident.DefaultPrefix, typed); got != want {
			t.Errorf("another keyboard typed %q: %v", typed, got)
		}
	}
}

// A station looks for a unit whose own number is the scanned text, whatever other code the text looks like.
func TestAcceptedOwnNumbersAreLookedFor(t *testing.T) {
	t.Parallel()
	pieces := rapid.SampledFrom([]string{"A/8004/77", "(10)55", "(21)7", "]A1", "]C1", "B", "7", "/", "//", "SN-", "RC-", "NCR-", "ext:", "01", "09506000134352",
		"[)>", "06", "S", "1P", "ä", " ", "serials", "?unit=", "<GS>", "{RS}", "x", "-", ".", "https://", "#"})
	check := func(t rapid.TB, number string) {
		if number = strings.TrimSpace(number); number == "" || utf8.RuneCountInString(number) > shop.OwnNumberLimit || shop.RefuseReserved(ident.DefaultPrefix, "serialNumber", number, "") != nil {
			return
		}
		to, does := Next(ident.DefaultPrefix, shownOne(), typed(number))
		if diff := cmp.Diff(finds(number), does); diff != "" || to != shownOne() {
			t.Fatalf("%q leads to %+v (-want +got):\n%s", number, to, diff)
		}
	}
	for _, number := range []string{"A/8004/77", "(10)55", "]A1B", "(240)P-7", "]d2240P-7", strings.Repeat("7", shop.OwnNumberLimit)} {
		check(t, number)
	}
	rapid.Check(t, func(t *rapid.T) { check(t, strings.Join(rapid.SliceOfN(pieces, 1, 5).Draw(t, "pieces"), "")) })
}
