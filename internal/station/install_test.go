package station

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/shop/ident"
)

var (
	steel  = Lot{Typed: "A-1", ID: "lot_1", Called: "A-1", Unit: "kg"}
	coded  = Lot{Typed: "4711", ID: "lot_2", Called: "4711", Unit: "pcs"}
	loaded = State{Phase: Shown, Unit: two, Words: "SN-00012"}
)

// Each row is one line of the third table in doc.go.
func TestNextInstalls(t *testing.T) {
	t.Parallel()
	part, amount := installs(one, Lot{}), installs(one, steel)
	look := []Effect{{Kind: Look, Unit: Unit{ID: "SN-00012"}}}
	judge := []Effect{{Kind: Judge, Unit: one, Command: CodeInstall}}
	act := func(words string, of Lot) []Effect {
		return []Effect{{Kind: Act, Unit: one, Command: CodeInstall, Words: words, Lot: of}}
	}
	question := func(why Why, words string, of Lot) State {
		return State{Phase: Asked, Unit: one, Command: CodeInstall, Why: why, Words: words, Lot: of}
	}
	for name, row := range map[string]struct {
		from  State
		event Event
		to    State
		does  []Effect
	}{
		"a component":                {shownOne(), typed("rc-install"), shownOne(), judge},
		"without a unit":             {State{}, typed(CodeInstall), State{}, says(SayNoUnit)},
		"after an act":               {State{Phase: Done, Command: CodeDone}, typed(CodeInstall), State{}, says(SayNoUnit)},
		"instead of a note":          {text(CodeNote), typed(CodeInstall), text(CodeNote), judge},
		"while measured":             {value(bore), typed(CodeInstall), value(bore), judge},
		"it may be installed":        {shownOne(), Event{Kind: Judged, Command: CodeInstall}, part, says(SayAsk)},
		"it may be, and left":        {text(CodeNote), Event{Kind: Judged, Command: CodeInstall}, part, leaves(SayAsk, CodeNote)},
		"it may not be":              {shownOne(), Event{Kind: Refused, Command: CodeInstall}, shownOne(), says(SayRefused)},
		"another unit, not asked":    {shownOne(), typed("SN-00012"), shownOne(), look},
		"a unit":                     {part, typed("SN-00012"), part, act("SN-00012", Lot{})},
		"a unit in a QR code":        {part, typed("]Q1https://old.example/serials/SN-00012"), part, act("]Q1https://old.example/serials/SN-00012", Lot{})},
		"itself":                     {part, typed(one.ID), part, act(one.ID, Lot{})},
		"a lot":                      {part, typed(" A-1 "), part, act("A-1", Lot{})},
		"a mark":                     {part, typed("(01)09506000134352(10)A(21)7"), part, act("(01)09506000134352(10)A(21)7", Lot{})},
		"before it was asked":        {part, early("SN-00012"), question(Early, "SN-00012", Lot{}), says(SayAsk)},
		"two codes in one":           {part, typed("SN-00011 SN-00012"), State{}, leaves(SayRanTogether, CodeInstall)},
		"Enter":                      {part, typed(""), part, says(SayAsk)},
		"again":                      {part, typed(CodeInstall), part, says(SayAsk)},
		"done to it":                 {part, typed(CodeDone), part, says(SayAsk)},
		"yes to it":                  {part, typed(CodeYes), part, says(SayAsk)},
		"pass to it":                 {part, typed(CodePass), part, says(SayAsk)},
		"an instrument for it":       {part, typed(CodeInstrument), part, says(SayAsk)},
		"no":                         {part, typed(CodeNo), shownOne(), says(SayNo)},
		"a hold instead":             {part, typed(CodeHold), part, []Effect{{Kind: Judge, Unit: one, Command: CodeHold}}},
		"a hold, and left":           {part, Event{Kind: Judged, Command: CodeHold}, text(CodeHold), leaves(SayAsk, CodeInstall)},
		"a hold is refused":          {part, Event{Kind: Refused, Command: CodeHold}, shownOne(), leaves(SayRefused, CodeInstall)},
		"it is refused":              {part, Event{Kind: Refused, Command: CodeInstall}, part, says(SayRefused)},
		"it is installed":            {part, Event{Kind: Acted, Command: CodeInstall, Unit: two, Words: "SN-00012"}, loaded, says(SayMeasured)},
		"it was installed before":    {part, Event{Kind: Repeated, Command: CodeInstall}, State{}, says(SayRepeated)},
		"the same again at once":     {loaded, soon("SN-00012"), loaded, says(SayNothing)},
		"the same again later":       {loaded, typed("SN-00012"), loaded, look},
		"the next one, not asked":    {loaded, soon("SN-00013"), loaded, []Effect{{Kind: Look, Unit: Unit{ID: "SN-00013"}}}},
		"others":                     {part, Event{Kind: Changed}, State{}, leaves(SayChanged, CodeInstall)},
		"time passes":                {part, Event{Kind: Waited}, State{}, leaves(SayWaited, CodeInstall)},
		"no response":                {part, Event{Kind: Lost}, State{}, says(SayLost)},
		"yes, that one":              {question(Early, "A-1", Lot{}), typed(CodeYes), question(Early, "A-1", Lot{}), act("A-1", Lot{})},
		"yes, too early":             {question(Early, "A-1", Lot{}), early(CodeYes), question(Early, "A-1", Lot{}), says(SayAsk)},
		"no, not that one":           {question(Early, "A-1", Lot{}), typed(CodeNo), part, says(SayAsk)},
		"that one is refused":        {question(Early, "A-1", Lot{}), Event{Kind: Refused, Command: CodeInstall}, part, says(SayRefused)},
		"another unit to a question": {question(Early, "A-1", Lot{}), typed("SN-00012"), question(Early, "A-1", Lot{}), look},

		"a counted lot":             {part, Event{Kind: Acted, Command: CodeInstall, Lot: steel}, amount, says(SayAsk)},
		"a quantity":                {amount, typed(" 12,5 "), amount, act("12.5", steel)},
		"with its unit":             {amount, typed("12.5 kg"), amount, act("12.5", steel)},
		"with another unit":         {amount, typed("12.5 mm"), amount, says(SayOtherUnit)},
		"no number":                 {amount, typed("1,000.5"), amount, says(SayNoNumber)},
		"words":                     {amount, typed("a bit"), amount, finds("a bit")},
		"words that name none":      {amount, Event{Kind: Missing, Typed: "a bit"}, State{}, leaves(SayUnknown, CodeInstall)},
		"the lot again":             {amount, typed("A-1"), amount, says(SayAsk)},
		"the lot, which is digits":  {installs(one, coded), typed("4711"), installs(one, coded), says(SayAsk)},
		"a barcode":                 {amount, typed("40063812"), question(Code, "40063812", steel), says(SayAsk)},
		"a quantity too early":      {amount, early("12.5"), question(Early, "12.5", steel), says(SayAsk)},
		"a quantity after the scan": {amount, soon("12.5"), question(Early, "12.5", steel), says(SayAsk)},
		"yes, that quantity":        {question(Code, "40063812", steel), typed(CodeYes), question(Code, "40063812", steel), act("40063812", steel)},
		"no, not that quantity":     {question(Code, "40063812", steel), typed(CodeNo), amount, says(SayAsk)},
		"a quantity is refused":     {amount, Event{Kind: Refused, Command: CodeInstall}, amount, says(SayRefused)},
		"a unit for a quantity":     {amount, typed("SN-00012"), amount, look},
		"it is there":               {amount, Event{Kind: Found, Unit: two}, State{Phase: Shown, Unit: two}, leaves(SayShown, CodeInstall)},
		"Enter for a quantity":      {amount, typed(""), amount, says(SayAsk)},
		"no quantity":               {amount, typed(CodeNo), shownOne(), says(SayNo)},
		"another lot after all":     {amount, typed(CodeInstall), amount, says(SayAsk)},
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
