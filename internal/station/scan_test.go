package station

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/routecard/routecard/shop"
)

// Each row is one scan: what was in hand, what was typed, and what it means.
func TestScan(t *testing.T) {
	t.Parallel()
	const one, two = "SN-00011", "SN-00012"
	hand := func(question, words string) InHand { return InHand{SerialID: one, Question: question, Words: words} }
	other, damaged := ScrapCode(shop.OtherReason), ScrapCode(shop.Damaged)
	for name, row := range map[string]struct {
		hand  InHand
		typed string
		want  Scan
	}{
		"a unit":                       {InHand{}, one, Scan{Kind: ScanUnit, Code: one, After: InHand{SerialID: one}}},
		"its number":                   {InHand{}, " 11 ", Scan{Kind: ScanUnit, Code: one, After: InHand{SerialID: one}}},
		"small letters":                {InHand{}, "sn-00011", Scan{Kind: ScanUnit, Code: one, After: InHand{SerialID: one}}},
		"a command without a unit":     {InHand{}, CodeAdvance, Scan{Kind: ScanNothing, Code: CodeAdvance}},
		"scrapping without a unit":     {InHand{}, damaged, Scan{Kind: ScanNothing, Code: damaged}},
		"yes without a unit":           {InHand{}, CodeYes, Scan{Kind: ScanNo, Code: CodeYes}},
		"the unit again":               {hand("", ""), one, Scan{Kind: ScanAdvance, Code: one, After: hand("", "")}},
		"advance":                      {hand("", ""), CodeAdvance, Scan{Kind: ScanAdvance, Code: CodeAdvance, After: hand("", "")}},
		"another unit":                 {hand("", ""), two, Scan{Kind: ScanUnit, Code: two, After: InHand{SerialID: two}}},
		"nothing typed":                {hand("", ""), "  ", Scan{Kind: ScanNo, After: hand("", "")}},
		"yes that nobody asked for":    {hand("", ""), CodeYes, Scan{Kind: ScanNo, Code: CodeYes, After: hand("", "")}},
		"no that nobody asked for":     {hand("", ""), CodeNo, Scan{Kind: ScanNo, Code: CodeNo, After: hand("", "")}},
		"hold":                         {hand("", ""), CodeHold, Scan{Kind: ScanAskWords, Code: CodeHold, After: hand(CodeHold, "")}},
		"why it is held":               {hand(CodeHold, ""), "crack", Scan{Kind: ScanHold, Code: CodeHold, Words: "crack", After: hand("", "")}},
		"a unit instead of why":        {hand(CodeHold, ""), two, Scan{Kind: ScanUnit, Code: two, After: InHand{SerialID: two}, Left: CodeHold}},
		"a mistake":                    {hand("", ""), "rc-undo", Scan{Kind: ScanUndo, Code: CodeUndo, After: hand("", "")}},
		"a mistake of nothing":         {InHand{}, CodeUndo, Scan{Kind: ScanNothing, Code: CodeUndo}},
		"deferred":                     {hand("", ""), CodeDeferred, Scan{Kind: ScanDeferredDone, Code: CodeDeferred, After: hand("", "")}},
		"the deferred step in place 3": {hand("", ""), DeferredCode(3), Scan{Kind: ScanDeferredDone, Code: DeferredCode(3), Place: 3, After: hand("", "")}},

		// After a bad scan no unit is in hand.
		"unreadable":            {hand("", ""), "%]--", Scan{Kind: ScanUnknown, Code: "%]--"}},
		"two codes in one":      {hand("", ""), one + two, Scan{Kind: ScanUnknown, Code: one + two}},
		"a scrap code cut off":  {hand("", ""), "RC-SCRAP-", Scan{Kind: ScanUnknown, Code: "RC-SCRAP-"}},
		"no number":             {hand("", ""), "-3", Scan{Kind: ScanUnknown, Code: "-3"}},
		"bad while words":       {hand(CodeNote, ""), "RC-NOTTE", Scan{Kind: ScanUnknown, Code: "RC-NOTTE", Left: CodeNote}},
		"merged while words":    {hand(other, ""), two + one, Scan{Kind: ScanUnknown, Code: two + one, Left: other}},
		"bad while asked":       {hand(damaged, ""), "XYZ", Scan{Kind: ScanUnknown, Code: "XYZ", Left: damaged}},
		"words while asked":     {hand(other, "fell"), "again", Scan{Kind: ScanUnknown, Code: "again", Left: other}},
		"deferred without step": {hand("", ""), CodeDeferred + "-x", Scan{Kind: ScanUnknown, Code: CodeDeferred + "-x"}},

		// Scrapping always asks.
		"scrap":                      {hand("", ""), damaged, Scan{Kind: ScanAskSure, Code: damaged, Reason: shop.Damaged, After: hand(damaged, "")}},
		"yes to it":                  {hand(damaged, ""), CodeYes, Scan{Kind: ScanScrap, Code: damaged, Reason: shop.Damaged, After: hand("", "")}},
		"no to it":                   {hand(damaged, ""), CodeNo, Scan{Kind: ScanNo, Code: CodeNo, After: hand("", ""), Left: damaged}},
		"the same code is no yes":    {hand(damaged, ""), damaged, Scan{Kind: ScanAskSure, Code: damaged, Reason: shop.Damaged, After: hand(damaged, "")}},
		"another unit instead":       {hand(damaged, ""), two, Scan{Kind: ScanUnit, Code: two, After: InHand{SerialID: two}, Left: damaged}},
		"the same unit instead":      {hand(damaged, ""), one, Scan{Kind: ScanUnit, Code: one, After: hand("", ""), Left: damaged}},
		"advance instead":            {hand(damaged, ""), CodeAdvance, Scan{Kind: ScanAdvance, Code: CodeAdvance, After: hand("", ""), Left: damaged}},
		"scrap for another reason":   {hand("", ""), other, Scan{Kind: ScanAskWords, Code: other, Reason: shop.OtherReason, After: hand(other, "")}},
		"its explanation asks":       {hand(other, ""), "fell", Scan{Kind: ScanAskSure, Code: other, Reason: shop.OtherReason, Words: "fell", After: hand(other, "fell")}},
		"a number explains":          {hand(other, ""), "12", Scan{Kind: ScanAskSure, Code: other, Reason: shop.OtherReason, Words: "12", After: hand(other, "12")}},
		"yes to the explained":       {hand(other, "fell"), CodeYes, Scan{Kind: ScanScrap, Code: other, Reason: shop.OtherReason, Words: "fell", After: hand("", "")}},
		"no to the explained":        {hand(other, "fell"), CodeNo, Scan{Kind: ScanNo, Code: CodeNo, After: hand("", ""), Left: other}},
		"a unit explains nothing":    {hand(other, ""), two, Scan{Kind: ScanUnit, Code: two, After: InHand{SerialID: two}, Left: other}},
		"small letters neither":      {hand(other, ""), "sn-00012", Scan{Kind: ScanUnit, Code: two, After: InHand{SerialID: two}, Left: other}},
		"yes explains nothing":       {hand(other, ""), CodeYes, Scan{Kind: ScanAskWords, Code: CodeYes, After: hand(other, "")}},
		"nothing explains nothing":   {hand(other, ""), "", Scan{Kind: ScanAskWords, After: hand(other, "")}},
		"no explanation after all":   {hand(other, ""), CodeNo, Scan{Kind: ScanNo, Code: CodeNo, After: hand("", ""), Left: other}},
		"a reason instead":           {hand(other, ""), damaged, Scan{Kind: ScanAskSure, Code: damaged, Reason: shop.Damaged, After: hand(damaged, ""), Left: other}},
		"a made-up question is none": {hand("RC-SCRAP-MOOD", ""), CodeYes, Scan{Kind: ScanNo, Code: CodeYes, After: hand("", "")}},

		// Notes.
		"a note":                    {hand("", ""), CodeNote, Scan{Kind: ScanAskWords, Code: CodeNote, After: hand(CodeNote, "")}},
		"its words":                 {hand(CodeNote, ""), " chatter ", Scan{Kind: ScanWriteNote, Code: CodeNote, Words: "chatter", After: hand("", "")}},
		"words about a unit":        {hand(CodeNote, ""), two + " has it too", Scan{Kind: ScanWriteNote, Code: CodeNote, Words: two + " has it too", After: hand("", "")}},
		"a unit named at the end":   {hand(CodeNote, ""), "same as " + two, Scan{Kind: ScanWriteNote, Code: CodeNote, Words: "same as " + two, After: hand("", "")}},
		"a unit among words":        {hand(CodeHold, ""), "same as " + two + " yesterday", Scan{Kind: ScanHold, Code: CodeHold, Words: "same as " + two + " yesterday", After: hand("", "")}},
		"an arc is no command":      {hand(CodeNote, ""), "arc-weld at ARC-12, SN-7", Scan{Kind: ScanWriteNote, Code: CodeNote, Words: "arc-weld at ARC-12, SN-7", After: hand("", "")}},
		"a unit is no note":         {hand(CodeNote, ""), two, Scan{Kind: ScanUnit, Code: two, After: InHand{SerialID: two}, Left: CodeNote}},
		"nor is the unit itself":    {hand(CodeNote, ""), one, Scan{Kind: ScanUnit, Code: one, After: hand("", ""), Left: CodeNote}},
		"nor is a command":          {hand(CodeNote, ""), CodeAdvance, Scan{Kind: ScanAdvance, Code: CodeAdvance, After: hand("", ""), Left: CodeNote}},
		"a note without a unit":     {InHand{Question: CodeNote}, "words", Scan{Kind: ScanUnknown, Code: "words", Left: CodeNote}},
		"the code of a note again":  {hand(CodeNote, ""), CodeNote, Scan{Kind: ScanAskWords, Code: CodeNote, After: hand(CodeNote, "")}},
		"yes to twice":              {hand(CodeAdvance, ""), CodeYes, Scan{Kind: ScanAdvance, Code: CodeAdvance, After: hand("", "")}},
		"yes to the unit twice":     {hand(one, ""), CodeYes, Scan{Kind: ScanAdvance, Code: one, After: hand("", "")}},
		"a third time is a yes":     {hand(one, ""), one, Scan{Kind: ScanAdvance, Code: one, After: hand("", "")}},
		"after twice, another unit": {hand(one, ""), two, Scan{Kind: ScanUnit, Code: two, After: InHand{SerialID: two}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(row.want, row.hand.Scan(row.typed, LastScan{})); diff != "" {
				t.Errorf("%+v, %q (-want +got):\n%s", row.hand, row.typed, diff)
			}
		})
	}
}

// A scanner that types behind words, or several times, makes no words: nothing is done with them.
func TestScanIntoWords(t *testing.T) {
	t.Parallel()
	for _, question := range []string{CodeNote, CodeHold, ScrapCode(shop.OtherReason)} {
		hand := InHand{SerialID: "SN-00011", Question: question}
		for _, typed := range []string{
			"crack atSN-00012", "crackedSN-00012", "crack,sn-00012", "burrRC-NO", "burr rc-no", "größeRC-ADVANCE", "burrRC-SCRAP-DAMAGED",
			"burrRC-DEFERRED-3", "fell RC-YES", "see SN-00012RC-HOLD", "as SN-00012SN-00013", "SN-00011 SN-00012", "SN-00011\u00a0RC-YES",
			"RC-HOLD SN-00012", "SN-00011SN-00012 SN-00013",
		} {
			want := Scan{Kind: ScanRanTogether, Code: typed, Left: question}
			if diff := cmp.Diff(want, hand.Scan(typed, LastScan{})); diff != "" {
				t.Errorf("%+v, %q (-want +got):\n%s", hand, typed, diff)
			}
		}
	}
}

// The same code twice in a moment asks, if it would act; a moment later it acts.
func TestScanTwice(t *testing.T) {
	t.Parallel()
	hand := InHand{SerialID: "SN-00011"}
	for _, row := range []struct {
		typed string
		last  LastScan
		want  ScanKind
	}{
		{"SN-00011", LastScan{"SN-00011", 500 * time.Millisecond}, ScanAskAgain},
		{"11", LastScan{"SN-00011", 0}, ScanAskAgain},
		{"SN-00011", LastScan{"SN-00011", ScanBounce}, ScanAdvance},
		{"SN-00011", LastScan{"SN-00012", 0}, ScanAdvance},
		{CodeAdvance, LastScan{CodeAdvance, time.Second}, ScanAskAgain},
		{CodeAdvance, LastScan{"SN-00011", time.Second}, ScanAdvance},
		{CodeDeferred, LastScan{CodeDeferred, time.Second}, ScanAskAgain},
		{ScrapCode(shop.Damaged), LastScan{ScrapCode(shop.Damaged), time.Second}, ScanAskSure},
		{CodeNote, LastScan{CodeNote, time.Second}, ScanAskWords},
		{"SN-00012", LastScan{"SN-00012", time.Second}, ScanUnit},
	} {
		scan := hand.Scan(row.typed, row.last)
		if scan.Kind != row.want {
			t.Errorf("%s after %+v: kind %d, want %d", row.typed, row.last, scan.Kind, row.want)
		}
		if scan.Kind == ScanAskAgain && scan.After != (InHand{SerialID: "SN-00011", Question: scan.Code}) {
			t.Errorf("%s after %+v: then %+v is in hand", row.typed, row.last, scan.After)
		}
	}
	asked := InHand{SerialID: "SN-00011", Question: CodeAdvance}
	if scan := asked.Scan(CodeAdvance, LastScan{CodeAdvance, time.Second}); scan.Kind != ScanAskAgain {
		t.Errorf("a third time in a moment: kind %d", scan.Kind)
	}
}
