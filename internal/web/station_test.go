package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

var resultBand = regexp.MustCompile(`(?s)<p class="result (\w+)"[^>]*>(.*?)</p>`)

// scan types a code at the station and checks the kind and the text of the band that appears.
func (v *visitor) scan(code, kind, says string, pairs ...string) {
	v.t.Helper()
	if !strings.HasPrefix(v.page.address, "/scan") {
		v.visit("/scan")
	}
	v.press(`id="code"`, append([]string{"code", code}, pairs...)...)
	v.band(kind, says)
}

// band checks the kind and the text of the band on the page.
func (v *visitor) band(kind, says string) {
	v.t.Helper()
	found := resultBand.FindStringSubmatch(v.page.html)
	if found == nil || found[1] != kind {
		v.t.Fatalf("the band is not %s: %q", kind, found)
	}
	v.says(says)
}

// done scans a unit and completes its step.
func (v *visitor) done(unit string) {
	v.t.Helper()
	v.scan(unit, "show", unit)
	v.scan("RC-DONE", "good", unit)
}

// A scan shows the unit, a second act moves it, and then no unit is in hand.
func TestStationMovesOncePerConfirmation(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind", "Wash", "Pack", "Ship")
	v := s.works("Dana")
	for range 3 {
		v.scan(unit, "show", "Done, on to Grind")
	}
	s.stands(unit, 0, card.InProgress)
	v.scan("RC-DONE", "good", "SN-00001 moved to the next step. It goes to Grind.")
	s.pass(time.Minute)
	for _, code := range []string{"RC-DONE", "RC-ADVANCE"} {
		v.scan(code, "bad", "Scan a unit first.")
	}
	s.stands(unit, 1, card.InProgress)

	// A later scan shows the last change of the unit, with its time and its author.
	v.scan(unit, "show", "Last Unit advanced from Turn to Grind · Dana, 2 Mar 08:00")
	s.stands(unit, 1, card.InProgress)
	v.scan("RC-ADVANCE", "good", "moved to the next step") // the command on older sheets
	// Enter alone completes the step, unless the scanner sent it as a second Enter.
	s.pass(time.Minute)
	v.scan(unit, "show", "Done, on to Pack")
	v.press(`id="code"`, "code", "", "gap", "30")
	s.stands(unit, 2, card.InProgress)
	v.says("Done, on to Pack")
	// A hand that was faster than the eye gets a message.
	for _, hurried := range [][]string{{"gap", "600"}, {"gap", "3000", "early", "yes"}} {
		s.pass(time.Minute)
		v.press(`id="code"`, append([]string{"code", ""}, hurried...)...)
		v.band("bad", "Enter came before the unit could be read here. Nothing was done: press Enter again when the step is done.")
		s.stands(unit, 2, card.InProgress)
	}
	s.pass(2 * time.Second)
	v.press(`id="code"`, "code", "")
	v.band("good", "SN-00001 moved to the next step.")
	v.press(`id="code"`, "code", "")
	s.stands(unit, 3, card.InProgress)
	// The button also completes the step, once.
	s.pass(time.Minute)
	v.scan(unit, "show", "Done, on to Ship")
	v.press("RC-DONE", "do", "RC-DONE")
	if strings.Contains(v.page.html, `name="do" value="RC-DONE"`) {
		t.Error("the unit is still in hand")
	}
	s.stands(unit, 4, card.InProgress)
	v.visit("/scan/codes").says("RC-DONE")
	if strings.Contains(v.text(), "RC-ADVANCE") {
		t.Error("the sheet has two codes for one command")
	}
}

// If the same command is scanned twice within a moment, this is the scanner's mistake: the first result stays on the screen.
func TestStationScannedTwice(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind", "Wash")
	v := s.works("Dana")
	v.done(unit)
	v.scan("RC-DONE", "good", "SN-00001 moved to the next step.", "gap", "200")
	s.stands(unit, 1, card.InProgress)
	s.pass(time.Minute)
	v.scan("RC-DONE", "bad", "Scan a unit first.")
	v.scan(unit, "show", unit)
	v.scan("RC-SCRAP-DAMAGED", "ask", "Scrap SN-00001: Damaged?")
	v.scan("RC-SCRAP-DAMAGED", "ask", "Scrap SN-00001: Damaged?")
	v.scan("RC-DONE", "ask", "Scrap SN-00001: Damaged?")
	s.stands(unit, 1, card.InProgress)
	v.scan("RC-YES", "good", "SN-00001 is scrapped: Damaged.")
	// Opening the address of the question does not show the question again.
	v.scan("RC-YES", "good", "SN-00001 is scrapped: Damaged.")
	v.visit("/scan?state=asked&why=sure&ask=RC-SCRAP-DAMAGED&unit=SN-00001&step=1&entry=none&at=7")
	if strings.Contains(v.page.html, `value="RC-YES"`) {
		t.Error("an old question is asked again")
	}
}

// If a code was scanned before its unit or question was on the screen, it has no effect by itself.
func TestStationScannedTooEarly(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind", "Wash")
	v := s.works("Dana")
	v.scan(unit, "show", unit)
	v.scan("RC-DONE", "ask", "RC-DONE was scanned before SN-00001 was on the screen. Is its step done?", "early", "yes")
	v.scan("RC-YES", "ask", "Is its step done?", "early", "yes")
	s.stands(unit, 0, card.InProgress)
	v.scan("RC-NO", "show", "Nothing was changed.")
	v.scan("RC-NOTE", "ask", "Type the note")
	v.scan("burr", "ask", "Is “burr” the note?", "early", "yes")
	v.scan("RC-YES", "good", "Note written")
	v.scan(unit, "show", unit)
	v.scan("RC-DONE", "ask", "Is its step done?", "early", "yes")
	v.scan("RC-YES", "good", "moved to the next step")
	s.stands(unit, 1, card.InProgress)
}

// These are regression tests for changes that the station made without the operator's intention.
func TestStationDoesNothingUnmeant(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(20, "Turn", "Grind")
	v := s.works("Dana")

	// Scanning the next part does not enter it as the explanation of a scrap.
	v.scan("SN-00011", "show", "SN-00011")
	v.scan("RC-SCRAP-OTHER", "ask", "Why is SN-00011 scrapped?")
	v.scan("SN-00012", "show", "SN-00011 was not scrapped.")
	s.stands("SN-00011", 0, card.InProgress)
	s.stands("SN-00012", 0, card.InProgress)
	// A yes is not taken as the explanation either. The explanation is shown and needs a confirmation.
	v.scan("RC-SCRAP-OTHER", "ask", "Why is SN-00012 scrapped?")
	v.scan("RC-YES", "ask", "Why is SN-00012 scrapped?")
	v.scan("fell off the bench", "ask", "Scrap SN-00012: Other, “fell off the bench”?")
	s.stands("SN-00012", 0, card.InProgress)
	v.scan("RC-YES", "good", "SN-00012 is scrapped: Other.")
	s.stands("SN-00012", 0, card.Scrapped)
	// A unit's code does not become part of a note, and RC-DONE does not complete the step while the station waits for the note.
	v.scan("SN-00013", "show", "SN-00013")
	v.scan("RC-NOTE", "ask", "Type the note for SN-00013")
	v.scan("SN-00014", "show", "No note was written on SN-00013.")
	v.scan("RC-NOTE", "ask", "Type the note for SN-00014")
	v.scan("RC-DONE", "ask", "Type the note for SN-00014")
	v.scan("chatter, polished", "good", "Note written on SN-00014.")
	v.scan("RC-DONE", "bad", "Scan a unit first.")
	s.stands("SN-00014", 0, card.InProgress)

	// After a bad scan no unit is in hand.
	v.scan("SN-00010", "show", "SN-00010")
	v.scan("%]–x", "bad", "No unit is in hand now.")
	v.scan("RC-ADVANCE", "bad", "Scan a unit first.")
	v.scan("SN-00010", "show", "SN-00010")
	v.scan("SN-00099", "bad", "There is no unit SN-00099. No unit is in hand now.")
	v.scan("RC-ADVANCE", "bad", "Scan a unit first.")
	v.scan("SN-00010", "show", "SN-00010")
	v.scan("SN-00015SN-00016", "bad", "No unit is in hand now.")
	v.scan("RC-SCRAP-DAMAGED", "bad", "Scan a unit first.")
	for _, layout := range []string{"SNß00010", "SN'00010", "SN)ààà&à", "SN?00010", "SN/00010", "RC)DONE", "NCRß00003"} {
		v.scan(layout, "bad", "The scanner is set to another keyboard")
	}
	s.stands("SN-00010", 0, card.InProgress)
}

// After some time without input, the station puts away the unit on the screen or drops the question.
func TestStationHasPatience(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind")
	v := s.works("Dana")
	v.scan(unit, "show", unit)
	shown := v.page
	s.pass(6 * time.Minute)
	v.visit(shown.address).band("warn", "There was no input for five minutes.")
	v.page = shown
	v.scan("RC-DONE", "bad", "Scan a unit first.")
	v.scan(unit, "show", unit)
	v.scan("RC-SCRAP-DAMAGED", "ask", "Scrap SN-00001")
	s.pass(6 * time.Minute)
	v.scan("RC-YES", "show", "Nothing was asked")
	s.stands(unit, 0, card.InProgress)
}

// Reloading the page at once shows the last result again. Reloading it minutes later shows an empty station.
func TestStationForgetsOldAnswers(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind")
	v := s.works("Dana")
	v.done(unit)
	v.visit(v.page.address).band("good", unit+" moved to the next step.")
	forgets := func() {
		t.Helper()
		s.pass(6 * time.Minute)
		v.visit(v.page.address).band("idle", "Scan a unit to begin.")
		if strings.Contains(v.page.html, "That was a mistake") {
			t.Error("an old change is offered to be taken back by one press")
		}
	}
	forgets()
	v.scan("nothing", "bad", "The station does not know this code.")
	forgets()
}

// Without an operator a station only shows units.
func TestStationAsksWhoWorks(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind")
	quinn := s.operator("Quinn")
	v := s.visitor()
	v.scan(unit, "show", unit)
	s.pass(time.Minute)
	v.scan("RC-SCRAP-DAMAGED", "bad", "Choose who is working first.")
	v.scan("RC-DONE", "bad", "Choose who is working first.")
	v.says("Who is working here?")
	s.stands(unit, 0, card.InProgress)
	s.pass(time.Minute)
	v.press("Quinn", "operator", quinn)
	v.says("Working: Quinn")
	if resultBand.MatchString(v.page.html) {
		t.Error("the page still asks to choose who works here")
	}
	v.scan("RC-DONE", "good", "SN-00001 moved to the next step.")
}

// If the page is reloaded while the response to a confirmation is still awaited, it does not say that nothing was done, because the step
// was completed.
func TestStationLoadedAgainUnderWay(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind")
	v := s.works("Dana")
	v.scan(unit, "show", unit)
	shown := v.page
	v.lost(shown.form(t, `value="RC-DONE"`).with("do", "RC-DONE"))
	v.visit(shown.address).band("warn", "Dana, 08:00: Unit advanced from Turn to Grind. It is at Grind now. No unit is in hand now: scan it again.")
	if strings.Contains(v.text(), "Nothing was done") {
		t.Errorf("the page says that nothing was done:\n%s", v.text())
	}
}

// The operator who is recorded is the one shown next to the field. If another operator was chosen in another window, nothing is done.
func TestStationRecordsWhoIsShown(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind", "Wash")
	quinn := s.operator("Quinn")
	v := s.works("Dana")
	v.scan(unit, "show", unit)
	v.says("Working: Dana")
	if strings.Contains(v.text(), "Working as") {
		t.Error("the page says in two places who works here")
	}
	shown := v.page
	v.visit("/").press(`action="/operator"`, "operator", quinn)
	for _, code := range []string{"RC-DONE", "RC-SCRAP-DAMAGED"} {
		v.page = shown
		v.scan(code, "warn", "Quinn works at this device now, and the page did not show that. Nothing was done")
		v.says("Working: Quinn")
	}
	s.stands(unit, 0, card.InProgress)
	v.done(unit)
	v.scan(unit, "show", "Unit advanced from Turn to Grind · Quinn")
}

// inTwoHands returns a unit that two people have had in hand for a minute, each at their own device.
func (s *visitedShop) inTwoHands() (unit string, ann, bob *visitor) {
	s.t.Helper()
	_, unit = s.units(1, "Saw", "Turn OP10", "Grind", "Wash", "Pack")
	ann, bob = s.works("Ann"), s.works("Bob")
	ann.scan(unit, "show", "Done, on to Turn OP10")
	bob.scan(unit, "show", "Done, on to Turn OP10")
	s.pass(time.Minute)
	return unit, ann, bob
}

// Two people have the same unit on the screen. The second person cannot sign off a step by mistake: the station shows the change by the
// first person, and then has no unit in hand.
func TestStationOfTwoPeople(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	unit, ann, bob := s.inTwoHands()
	shown := bob.page
	ann.press("RC-DONE", "do", "RC-DONE")
	ann.says("SN-00001 moved to the next step.")
	const told = "SN-00001: Ann, 08:01: Unit advanced from Saw to Turn OP10. It is at Turn OP10 now."
	for range 2 { // the button, and then a second press on the page that the browser still has
		bob.page = shown
		bob.press("RC-DONE", "do", "RC-DONE")
		bob.band("warn", told+" Nothing was done here. No unit is in hand now: scan it again.")
		if strings.Contains(bob.page.html, `name="do" value="RC-DONE"`) {
			t.Error("the page has armed itself again")
		}
	}
	bob.scan("RC-DONE", "bad", "Scan a unit first.")
	s.stands(unit, 1, card.InProgress)
	// An open page is updated, and a reloaded page shows the same.
	bob.page = shown
	address := bob.page.form(t, `id="code"`).values
	address.Del("once")
	request := httptest.NewRequest(http.MethodGet, "/scan?"+address.Encode(), nil)
	request.Header.Set("Routecard-Live", "1")
	bob.send(request).band("warn", told)
	bob.visit(shown.address).band("warn", strings.TrimPrefix(told, "SN-00001: ")+" No unit is in hand now: scan it again.")
	// The same happens while the station asks a question or a text is typed.
	for _, code := range []string{"RC-SCRAP-DAMAGED", "RC-NOTE"} {
		bob.scan(unit, "show", "Done, on to")
		bob.scan(code, "ask", unit)
		request := httptest.NewRequest(http.MethodGet, bob.page.address, nil)
		request.Header.Set("Routecard-Live", "1")
		if answer := bob.ask(request); answer.Code != 204 {
			t.Errorf("nothing happened, and the page is answered %d", answer.Code)
		}
		asked := bob.page
		s.pass(time.Minute)
		ann.done(unit)
		bob.visit(asked.address).band("warn", "Ann, ")
	}
	bob.scan(unit, "show", unit)
	s.pass(time.Minute)
	ann.done(unit)
	bob.scan("RC-SCRAP-DAMAGED", "warn", "Ann, ")
	s.stands(unit, 4, card.InProgress)
}

// The station asks for confirmation before it accepts a text that looks like a code.
func TestStationAsksAboutCodesAsText(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(2, "Turn", "Grind")
	v := s.works("Dana")
	for _, typed := range []string{"570", "4006381333931", "SNß00002", "SN'00002", "SN00002", "4 006381 333931", "４００６", "RC-NOTTE", "]C1SX-00002", "(10)L7", "ncr-00001"} {
		v.scan("SN-00001", "show", "SN-00001")
		v.scan("RC-NOTE", "ask", "Type the note")
		v.scan(typed, "ask", "“"+typed+"” looks like a code. Is it the note?")
		v.scan("RC-NO", "ask", "Type the note")
	}
	v.scan("570", "ask", "looks like a code")
	v.scan("RC-YES", "good", "Note written on SN-00001.")
	card, err := s.views.Card(t.Context(), "SN-00001")
	s.must(err)
	if len(card.Notes) != 1 || card.Notes[0].Text != "570" {
		t.Errorf("notes: %+v", card.Notes)
	}
	v.scan("SN-00001", "show", "SN-00001")
	v.scan("RC-SCRAP-OTHER", "ask", "Why")
	v.scan("0815", "ask", "Is it the reason of the scrapping?")
	v.scan("RC-YES", "ask", "Scrap SN-00001: Other, “0815”?") // this asks again
	v.scan("RC-YES", "good", "scrapped")
}

// If a code is scanned into an unfinished text, it does not become part of the text, whatever the station is waiting for.
func TestStationScansIntoWords(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(2, "Turn", "Grind")
	v := s.works("Dana")
	for code, left := range map[string]string{
		"RC-HOLD": "SN-00001 was not put on hold.", "RC-NOTE": "No note was written on SN-00001.", "RC-SCRAP-OTHER": "SN-00001 was not scrapped.",
	} {
		for _, typed := range []string{"crack atSN-00002", "burrRC-NO", "SN-00001 SN-00002", strings.Repeat("long ", 30) + "atSN-00002"} {
			v.scan("SN-00001", "show", "SN-00001")
			v.scan(code, "ask", "SN-00001")
			v.scan(typed, "bad", left+" Two codes, or a code and a text, were scanned as one. Nothing was done. No unit is in hand now: scan it again.")
			v.says(typed[max(0, len(typed)-12):])
			v.scan("RC-ADVANCE", "bad", "Scan a unit first.")
		}
	}
	unit, err := s.views.Card(t.Context(), "SN-00001")
	s.must(err)
	if len(unit.Notes) > 0 || unit.Card.Serial.Status != card.InProgress || unit.Card.Serial.Position != 0 {
		t.Errorf("something was done: %+v", unit)
	}
	if v.scan("SN-00001", "show", "SN-00001"); strings.Contains(v.text(), "On hold:") {
		t.Error("it is on hold")
	}
	v.scan("RC-HOLD", "ask", "Why")
	v.scan("same as SN-00002 yesterday", "good", "SN-00001 is on hold: same as SN-00002 yesterday")
}

// Texts may be as long as the field allows.
func TestStationTakesLongWords(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(3, "Turn", "Grind")
	v := s.works("Dana")
	long := strings.Repeat("fell off ", 600) + "the bench"
	v.scan("SN-00001", "show", "SN-00001")
	v.scan("RC-SCRAP-OTHER", "ask", "Why is SN-00001 scrapped?")
	v.scan(long, "ask", "Scrap SN-00001: Other, “"+long+"”?")
	asked := v.page
	s.stands("SN-00001", 0, card.InProgress)
	v.page = asked
	v.press("RC-YES", "do", "RC-YES")
	v.says("SN-00001 is scrapped: Other.")
	card, err := s.views.Card(t.Context(), "SN-00001")
	s.must(err)
	if scrap := card.Card.Serial.Scrap; scrap == nil || scrap.Explanation != long {
		t.Errorf("scrapped: %+v", scrap)
	}
	for code, says := range map[string]string{"RC-NOTE": "Note written on SN-00002.", "RC-HOLD": "SN-00002 is on hold"} {
		v.scan("SN-00002", "show", "SN-00002")
		v.scan(code, "ask", "SN-00002")
		v.scan(long, "good", says)
		if code == "RC-HOLD" {
			break
		}
	}
}

// If a unit cannot advance, the station shows the reason across the whole width, and no buttons for actions that are not possible.
func TestStationShowsWhatIsStopped(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(3, "Turn")
	v := s.works("Dana")
	v.scan("SN-00001", "show", "SN-00001")
	v.scan("RC-HOLD", "ask", "Why")
	v.scan("crack", "good", "on hold")
	v.scan("SN-00002", "show", "SN-00002")
	v.scan("RC-SCRAP-DAMAGED", "ask", "Scrap SN-00002")
	v.scan("RC-YES", "good", "scrapped")
	v.done("SN-00003")
	for unit, band := range map[string][2]string{"SN-00001": {"warn", "On hold: crack"}, "SN-00002": {"bad", "Scrapped: Damaged."},
		"SN-00003": {"warn", "Completed. There is nothing left to do."}} {
		v.scan(unit, band[0], band[1])
		if band := resultBand.FindStringSubmatch(v.page.html); strings.Contains(v.page.html, `name="do" value="RC-DONE"`) || strings.Contains(band[2], "When the step is done") {
			t.Errorf("%s is offered what cannot be done", unit)
		}
		v.scan("RC-DONE", "bad", unit)
		v.visit("/scan?unit="+unit).band(band[0], band[1])
	}
	v.scan("SN-00002", "bad", "Scrapped")
	v.scan("RC-SCRAP-DAMAGED", "bad", "SN-00002: ")
	v.scan("RC-HOLD", "bad", "SN-00002: ")
}

// If a code is sent again after its response was lost, it gets the same response.
func TestStationAnswersARepeat(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind", "Wash", "Test", "Pack")
	v := s.works("Dana")
	twice := func(code, says string) {
		t.Helper()
		s.pass(10 * time.Second)
		form := v.page.form(t, `id="code"`).with("code", code)
		before := map[string]string{"scans": v.cookies["scans"], "did": v.cookies["did"]}
		for range 2 {
			for name, value := range before { // the response was lost, including its cookies
				v.cookies[name] = value
			}
			v.post(form)
			if band := resultBand.FindStringSubmatch(v.page.html); band == nil || band[1] != "good" || !strings.Contains(band[2], says) {
				t.Errorf("%s: the band is %q", code, band)
			}
		}
	}
	v.scan(unit, "show", unit)
	twice("RC-DONE", "SN-00001 moved to the next step.")
	twice("RC-UNDO", "SN-00001: “Unit advanced” was undone. It is at")
	s.stands(unit, 0, card.InProgress)
	// The change before it counts as another change and can be undone.
	v.scan(unit, "show", unit)
	twice("RC-DONE", "SN-00001 moved to the next step.")
	v.scan(unit, "show", unit)
	v.scan("RC-SCRAP-DAMAGED", "ask", "Scrap SN-00001")
	twice("RC-YES", "SN-00001 is scrapped")
	twice("RC-UNDO", "SN-00001: “Unit scrapped” was undone. It is at")
	s.stands(unit, 1, card.InProgress)
	// Completing deferred steps.
	v.visit("/serials/"+unit).press(`value="advance-to"`, "do", "advance-to", "target", "4")
	v.scan(unit, "show", unit)
	v.scan("RC-DEFERRED-3", "good", "Deferred step Wash of SN-00001 is done.")
	v.scan(unit, "show", unit)
	twice("RC-DEFERRED", "Deferred step Test of SN-00001 is done.")
	v.scan("RC-UNDO", "good", "undone")
	v.scan(unit, "show", unit)
	twice("RC-DEFERRED-4", "Deferred step Test of SN-00001 is done.")
	v.scan(unit, "show", unit)
	v.scan("RC-DEFERRED", "bad", "SN-00001 has no deferred step open.")
	// Writing notes.
	v.scan("RC-NOTE", "ask", "Type the note")
	twice("burr", "Note written on SN-00001.")
	twice("RC-UNDO", "SN-00001: the note is voided.")
}

// The command RC-UNDO undoes the last change at this station, of any kind, and nothing else.
func TestStationTakesBackWhatItDidLast(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(3, "Saw", "Turn OP10", "Grind")
	here := s.works("Ann")
	there := s.visitor()
	there.cookies["operator"] = here.cookies["operator"]
	here.scan("RC-UNDO", "bad", "There is nothing to undo at this station.")
	here.done("SN-00001")
	here.scan("SN-00001", "show", "SN-00001")
	here.scan("RC-HOLD", "ask", "Why")
	here.scan("crack", "good", "on hold")
	// The move before the hold is not undone. Releasing the hold needs the permission to decide.
	here.scan("RC-UNDO", "bad", "The last change at this station put SN-00001 on hold. Releasing it is a decision: do that on the card.")
	here.scan("RC-UNDO", "bad", "Releasing it is a decision")
	s.stands("SN-00001", 1, card.InProgress)

	// A note is undone.
	here.scan("SN-00002", "show", "SN-00002")
	here.scan("RC-NOTE", "ask", "Type the note")
	here.scan("burr", "good", "Note written")
	s.pass(time.Minute)
	here.visit("/scan").scan("RC-UNDO", "ask", "Undo the last change at this station? SN-00002: the note “burr”.")
	here.scan("RC-NO", "show", "Nothing was changed.")
	here.scan("RC-UNDO", "ask", "Undo the last change at this station?")
	here.scan("RC-YES", "good", "SN-00002: the note is voided.")
	s.pass(time.Minute)
	here.scan("RC-UNDO", "bad", "There is nothing to undo at this station.")
	s.stands("SN-00001", 1, card.InProgress)

	// A move is undone with the button next to the result.
	here.done("SN-00002")
	here.press("That was a mistake", "do", "RC-UNDO")
	here.band("good", "SN-00002: “Unit advanced” was undone. It is at")
	s.stands("SN-00002", 0, card.InProgress)
	// That button undoes the change next to it, even after another change was made at this station.
	here.done("SN-00002")
	done := here.page
	here.done("SN-00003")
	here.page = done
	here.press("That was a mistake", "do", "RC-UNDO")
	here.band("bad", "Another change was made at this station since. Nothing was undone.")
	s.stands("SN-00002", 1, card.InProgress)
	s.stands("SN-00003", 1, card.InProgress)

	// Changes at another station can be undone only there. A later change of the unit prevents the undo.
	there.scan("RC-UNDO", "bad", "There is nothing to undo at this station")
	there.done("SN-00003")
	here.scan("RC-UNDO", "bad", "SN-00003 was changed since: Unit advanced from Turn OP10 to Grind, Ann. Nothing was undone.")
	s.stands("SN-00003", 2, card.InProgress)
	s.pass(20 * time.Minute)
	there.scan("RC-UNDO", "bad", "Undoing it is a decision: do that on the card.")
	s.stands("SN-00003", 2, card.InProgress)
}

// A forged address only shows a unit and has no other effect.
func TestStationAddressDoesNothing(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Saw", "Turn")
	v := s.works("Ann")
	v.scan(unit, "show", unit)
	entry := v.page.form(t, `id="code"`).values.Get("entry")
	for _, state := range []url.Values{
		{"state": {"asked"}, "why": {"sure"}, "ask": {"RC-SCRAP-DAMAGED"}, "unit": {unit}, "step": {"0"}, "entry": {entry}},
		{"state": {"text"}, "ask": {"RC-NOTE"}, "unit": {unit}, "step": {"0"}, "entry": {entry}},
		{"state": {"done"}, "act": {"change SN-00001 aud_1"}}, {"state": {"nonsense"}, "unit": {unit}, "step": {"x"}},
		{"state": {"shown"}, "unit": {unit}, "step": {"-1"}}, {"state": {"shown"}, "unit": {"SN-00099"}, "step": {"0"}, "entry": {"x"}},
	} {
		v.visit("/scan?" + state.Encode())
		if strings.Contains(v.page.html, `value="RC-YES"`) || strings.Contains(v.page.html, "That was a mistake") || v.page.status != 200 {
			t.Errorf("%v: status %d\n%s", state, v.page.status, v.text())
		}
	}
	s.stands(unit, 0, card.InProgress)
}

// If an operator acts, goes back to the previous page and presses its button again, nothing is done, and the page says so.
func TestStationSaysWhatBackDoesNotDo(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(3, "Turn", "Grind", "Wash", "Pack")
	v := s.works("Dana")
	back := func(kind, says string, press func()) { // press, continue, go back, and press again
		t.Helper()
		older := v.page
		s.pass(10 * time.Second)
		press()
		v.band("good", "")
		at, status := s.at(unit)
		for range 2 {
			s.pass(10 * time.Second)
			v.page = older
			press()
			v.band(kind, says)
			if strings.Contains(v.text(), "No note was written") || strings.Contains(v.text(), "was not scrapped") {
				t.Errorf("what was done before is told as not done:\n%s", v.text())
			}
			if v.says("Nothing was done"); v.inHand() != "" || strings.Contains(v.page.html, "That was a mistake") {
				t.Errorf("a unit is in hand, or something is offered:\n%s", v.text())
			}
			s.stands(unit, at, status)
			v.scan("SN-00003", "show", "SN-00003") // another scan in between
		}
	}
	v.scan(unit, "show", unit)
	back("warn", "Dana, 08:00: Unit advanced from Turn to Grind. It is at Grind now.", func() { v.press(`value="RC-DONE"`, "do", "RC-DONE") })
	v.scan(unit, "show", unit)
	back("warn", "Unit advanced from Grind to Wash", func() { v.press(`id="code"`, "code", "RC-DONE") })
	v.done(unit)
	back("warn", "It was done before, from this page: SN-00001: “Unit advanced” was undone. It is at", func() { v.press("That was a mistake", "do", "RC-UNDO") })
	v.scan(unit, "show", unit)
	v.scan("RC-NOTE", "ask", "Type the note")
	back("warn", "It was done before, from this page: Note written on SN-00001.", func() { v.press(`id="code"`, "code", "burr") })
	v.scan(unit, "show", unit)
	v.scan("RC-SCRAP-DAMAGED", "ask", "Scrap")
	back("warn", "It is scrapped now.", func() { v.press("RC-YES", "do", "RC-YES") })
	card, err := s.views.Card(t.Context(), unit)
	s.must(err)
	if len(card.Notes) != 1 {
		t.Errorf("notes: %+v", card.Notes)
	}
}

// If a command is refused, the open question is dropped, and the band says what was not done.
func TestStationTellsWhatARefusalLeaves(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(2, "Turn", "Grind")
	v := s.works("Dana")
	for command, left := range map[string]string{
		"RC-NOTE": "No note was written on " + unit + ".", "RC-HOLD": unit + " was not put on hold.",
		"RC-SCRAP-OTHER": unit + " was not scrapped.", "RC-SCRAP-DAMAGED": unit + " was not scrapped.",
	} {
		for other, refusal := range map[string]string{
			"RC-MEASURE-2": unit + " has nothing to measure at Turn.",
			"RC-UNDO":      "There is nothing to undo at this station.",
		} {
			v.scan(unit, "show", unit)
			v.scan(command, "ask", unit)
			v.scan(other, "bad", left+" "+refusal)
		}
	}
	v.scan(unit, "show", unit)
	v.scan("RC-MEASURE-2", "bad", "RC-MEASURE-2 "+unit+" has nothing to measure")
}

// If an operator lacks the permission for an action, the station refuses it before it asks for an explanation or a confirmation.
func TestStationAsksNobodyInVain(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	_, unit := s.units(1, "Turn", "Pack")
	s.person("anna", "operator")
	s.person("quinn", "quality")
	anna, quinn := s.signedIn("anna"), s.signedIn("quinn")
	for _, code := range []string{"RC-SCRAP-DAMAGED", "RC-SCRAP-OTHER"} {
		anna.scan(unit, "show", unit)
		anna.scan(code, "bad", unit+": This needs the permission decide")
		if strings.Contains(anna.page.html, `value="RC-YES"`) {
			t.Errorf("%s asks whoever may not scrap", code)
		}
	}
	quinn.scan(unit, "show", unit)
	quinn.scan("RC-SCRAP-DAMAGED", "ask", "Scrap "+unit+": Damaged?")
	s.stands(unit, 0, card.InProgress)
}

// If Enter alone has no effect, the band about another user's change stays on the screen.
func TestEnterLeavesWhatIsTold(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind", "Pack")
	v := s.works("Dana")
	v.scan(unit, "show", "Done, on to Grind")
	shown := v.page.address
	_, err := s.service.AdvanceSerial(t.Context(), unit, shop.AdvanceSerialInput{UserID: input.Given(s.operator("Quinn"))})
	s.must(err)
	s.pass(2 * time.Second)
	v.visit(shown).band("warn", "Quinn, 08:00: Unit advanced")
	v.press(`id="code"`, "code", "").band("warn", "Quinn, 08:00: Unit advanced")
	s.stands(unit, 1, card.InProgress)
	// After five minutes the band has expired, and the page changes.
	v.scan(unit, "show", "Done, on to Pack")
	s.pass(6 * time.Minute)
	v.press(`id="code"`, "code", "")
	s.stands(unit, 1, card.InProgress)
	if strings.Contains(v.page.html, `name="do" value="RC-DONE"`) {
		t.Error("the unit is still in hand")
	}
}

// Only a change that the station may undo has a button for that.
func TestNoButtonTakesAHoldBack(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind")
	v := s.works("Dana")
	for _, command := range []string{"RC-NOTE", "RC-HOLD"} { // after the hold no other command is accepted
		v.scan(unit, "show", unit)
		v.press(`id="code"`, "code", command).press(`id="code"`, "code", "burr on the edge")
		if offered := strings.Contains(v.page.html, `value="RC-UNDO"`); offered != (command == "RC-NOTE") {
			t.Errorf("%s: That was a mistake is offered: %t", command, offered)
		}
		s.pass(time.Minute)
	}
}

// The band of a scrapped unit first says that the unit is scrapped, and then what the scan dropped. Its panel is as red as the band.
func TestStationSaysTheStateFirst(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(12, "Saw")
	_, err := s.service.ScrapSerial(t.Context(), "SN-00012", shop.ScrapSerialInput{Reason: input.Given("operator_error"), UserID: input.Given("ann")})
	s.must(err)
	v := s.works("Dana")
	v.scan("SN-00011", "show", "SN-00011")
	v.scan("RC-SCRAP-DAMAGED", "ask", "Scrap SN-00011: Damaged?")
	v.scan("12", "bad", "Scrapped: Operator error. SN-00011 was not scrapped.")
	if !strings.Contains(v.page.html, `class="unit stopped bad"`) {
		t.Error("the panel of the scrapped unit is not marked as bad")
	}
}
