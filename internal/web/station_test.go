package web_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/shop"
)

var resultBand = regexp.MustCompile(`(?s)<p class="result (\w+)"[^>]*>(.*?)</p>`)

// scan types a code at the station and checks the band that answers: its kind, and what it says.
func (v *visitor) scan(code, kind, says string) {
	v.t.Helper()
	if !strings.HasPrefix(v.page.address, "/scan") {
		v.visit("/scan")
	}
	v.press(`id="code"`, "code", code)
	found := resultBand.FindStringSubmatch(v.page.html)
	if found == nil || found[1] != kind {
		v.t.Fatalf("after %q the band is not %s: %q", code, kind, found)
	}
	v.says(says)
}

// What the station once did without anybody having meant it.
func TestStationDoesNothingUnmeant(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(20, "Turn", "Grind")
	v := s.works("Dana")

	// The next part is not the explanation of a scrap.
	v.scan("SN-00011", "show", "SN-00011")
	v.scan("RC-SCRAP-OTHER", "ask", "Why is SN-00011 scrapped?")
	v.scan("SN-00012", "show", "SN-00011 was not scrapped.")
	s.stands("SN-00011", 0, shop.InProgress)
	s.stands("SN-00012", 0, shop.InProgress)
	// Nor is a yes, and what explains it is shown and asked.
	v.scan("RC-SCRAP-OTHER", "ask", "Why is SN-00012 scrapped?")
	v.scan("RC-YES", "ask", "Why is SN-00012 scrapped?")
	v.scan("fell off the bench", "ask", "Scrap SN-00012: Other, “fell off the bench”?")
	s.stands("SN-00012", 0, shop.InProgress)
	v.scan("RC-YES", "good", "SN-00012 is scrapped: Other.")
	s.stands("SN-00012", 0, shop.Scrapped)
	// A note does not swallow a unit.
	v.scan("SN-00013", "show", "SN-00013")
	v.scan("RC-NOTE", "ask", "Type the note for SN-00013")
	v.scan("SN-00014", "show", "No note was written on SN-00013.")
	v.scan("RC-NOTE", "ask", "Type the note for SN-00014")
	v.scan("chatter, polished", "good", "Note written on SN-00014.")

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
	s.stands("SN-00010", 0, shop.InProgress)
}

// Scans that come in quickly on a slow line are judged by when they were made.
func TestStationScannedTwice(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind", "Wash")
	v := s.works("Dana")
	v.scan(unit, "show", unit)
	s.pass(10 * time.Second)
	v.press(`id="code"`, "code", unit, "gap", "200")
	v.says("The same code twice within three seconds. Do it again to SN-00001?")
	s.stands(unit, 0, shop.InProgress)
	v.scan("RC-NO", "show", "Nothing was changed.")
	s.pass(10 * time.Second)
	v.scan(unit, "good", "SN-00001 moved to the next step.")
	v.scan(unit, "ask", "Do it again to SN-00001?")
	v.press("RC-YES", "do", "RC-YES")
	s.stands(unit, 2, shop.InProgress)
	// The question does not come back with the page.
	v.scan(unit, "ask", "Do it again to SN-00001?")
	v.visit("/scan?unit=" + unit + "&ask=RC-ADVANCE")
	if strings.Contains(v.page.html, "RC-YES") {
		t.Error("an old question is asked again")
	}
}

// Without somebody who works here a station shows and does nothing.
func TestStationAsksWhoWorks(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind")
	quinn := s.operator("Quinn")
	v := s.visitor()
	v.scan(unit, "show", unit)
	s.pass(time.Minute)
	v.scan(unit, "bad", "Choose who is working first.")
	v.says("Who is working here?")
	s.stands(unit, 0, shop.InProgress)
	s.pass(time.Minute)
	v.press("Quinn", "operator", quinn)
	v.scan(unit, "good", "SN-00001 moved to the next step.")
}

// inTwoHands is a unit that two people have in hand, each at a device of their own, for a minute.
func (s *visitedShop) inTwoHands() (unit string, ann, bob *visitor) {
	s.t.Helper()
	_, unit = s.units(1, "Saw", "Turn OP10", "Grind")
	ann, bob = s.works("Ann"), s.works("Bob")
	ann.scan(unit, "show", "Done, on to Turn OP10")
	bob.scan(unit, "show", "Done, on to Turn OP10")
	s.pass(time.Minute)
	return unit, ann, bob
}

// Two people have the same unit in hand: whoever comes second signs nothing off that he did not see.
func TestStationOfTwoPeople(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	unit, ann, bob := s.inTwoHands()
	ann.press("RC-ADVANCE", "do", "RC-ADVANCE")
	ann.says("SN-00001 moved to the next step.")
	bob.press("RC-ADVANCE", "do", "RC-ADVANCE")
	bob.says("SN-00001 is at Turn OP10 by now. Nothing was done.")
	bob.says("Done, on to Grind")
	s.stands(unit, 1, shop.InProgress)
	ann.scan(unit, "good", "SN-00001 moved to the next step.")
	ann.press("RC-ADVANCE", "do", "RC-ADVANCE")
	bob.scan("RC-SCRAP-DAMAGED", "ask", "Scrap SN-00001")
	bob.press("RC-YES", "do", "RC-YES")
	s.stands(unit, 3, shop.Completed)
}

// A bounce after a refusal asks as well: what was refused because the unit was elsewhere would sign off the step there.
func TestStationBouncesAfterARefusal(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	unit, ann, bob := s.inTwoHands()
	ann.scan(unit, "good", "SN-00001 moved to the next step.")
	s.pass(time.Minute)
	bob.scan(unit, "bad", "SN-00001 is at Turn OP10 by now. Nothing was done.")
	bob.scan(unit, "ask", "The same code twice within three seconds.")
	s.stands(unit, 1, shop.InProgress)
	s.pass(time.Minute)
	bob.scan("RC-NO", "show", "Nothing was changed.")
	bob.scan(unit, "good", "SN-00001 moved to the next step.")
}

// A scanner that types into words which are not finished makes no text of them, in whichever mode.
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
			v.scan(typed, "bad", left+" A code ran into other words or codes. Nothing was done. No unit is in hand now: scan it again.")
			v.says(typed[max(0, len(typed)-12):])
			v.scan("RC-ADVANCE", "bad", "Scan a unit first.")
		}
	}
	card, err := s.views.Card(t.Context(), "SN-00001")
	s.must(err)
	if len(card.Notes) > 0 || card.Card.Serial.Status != shop.InProgress || card.Card.Serial.Position != 0 {
		t.Errorf("something was done: %+v", card)
	}
	if v.scan("SN-00001", "show", "SN-00001"); strings.Contains(v.text(), "On hold:") {
		t.Error("it is on hold")
	}
	v.scan("RC-HOLD", "ask", "Why")
	v.scan("same as SN-00002 yesterday", "good", "SN-00001 is on hold: same as SN-00002 yesterday")
}

// Words may be as long as the field lets them.
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
	if v.press(`id="code"`, "code", " "); v.page.status != 200 {
		t.Errorf("Enter alone: status %d", v.page.status)
	}
	s.stands("SN-00001", 0, shop.InProgress)
	v.page = asked
	v.press("RC-YES", "do", "RC-YES")
	v.says("SN-00001 is scrapped: Other.")
	card, err := s.views.Card(t.Context(), "SN-00001")
	s.must(err)
	if scrap := card.Card.Serial.Scrap; scrap == nil || scrap.Explanation != long {
		t.Errorf("scrapped: %+v", scrap)
	}
	v.scan("SN-00002", "show", "SN-00002")
	for code, says := range map[string]string{"RC-NOTE": "Note written on SN-00002.", "RC-HOLD": "SN-00002 is on hold"} {
		v.scan(code, "ask", "SN-00002")
		v.scan(long, "good", says)
	}
}

// A code that is sent again because its answer was lost is answered as it was the first time.
func TestStationAnswersARepeat(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind", "Wash", "Test", "Pack")
	v := s.works("Dana")
	twice := func(code, says string) {
		t.Helper()
		s.pass(10 * time.Second)
		form := v.page.form(t, `id="code"`).with("code", code)
		before := v.cookies["scans"]
		for range 2 {
			v.cookies["scans"] = before // the answer was lost, with what it had to remember
			v.post(form)
			if band := resultBand.FindStringSubmatch(v.page.html); band == nil || band[1] != "good" || !strings.Contains(band[2], says) {
				t.Errorf("%s: the band is %q", code, band)
			}
		}
	}
	v.scan(unit, "show", unit)
	twice("RC-ADVANCE", "SN-00001 moved to the next step.")
	twice("RC-UNDO", "SN-00001: taken back, serial advanced.")
	s.stands(unit, 0, shop.InProgress)
	// What was done before is another change that could be taken back.
	twice("RC-ADVANCE", "SN-00001 moved to the next step.")
	v.scan("RC-SCRAP-DAMAGED", "ask", "Scrap SN-00001")
	v.scan("RC-YES", "good", "SN-00001 is scrapped")
	twice("RC-UNDO", "SN-00001: taken back, serial scrapped.")
	s.stands(unit, 1, shop.InProgress)
	// Deferred steps.
	v.visit("/serials/"+unit).press(`value="advance-to"`, "do", "advance-to", "target", "4")
	v.scan(unit, "show", unit)
	v.scan("RC-DEFERRED-3", "good", "done afterwards: Wash.")
	twice("RC-DEFERRED", "SN-00001, done afterwards: Test.")
	v.scan("RC-UNDO", "good", "taken back")
	twice("RC-DEFERRED-4", "SN-00001, done afterwards: Test.")
	s.pass(10 * time.Second)
	v.scan("RC-DEFERRED", "bad", "SN-00001 has no deferred step open.")
}

// Taking back goes by what the page showed, too.
func TestStationTakesBackWhatItShowed(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Saw", "Turn OP10", "Grind")
	here := s.works("Ann")
	there := s.visitor()
	there.cookies["operator"] = here.cookies["operator"]
	here.scan(unit, "show", unit)
	here.scan("RC-ADVANCE", "good", "SN-00001 moved to the next step.")
	there.scan(unit, "show", "Done, on to Grind")
	there.scan("RC-ADVANCE", "good", "SN-00001 moved to the next step.")
	here.scan("RC-UNDO", "bad", "SN-00001 is at Grind by now. Nothing was done.")
	s.stands(unit, 2, shop.InProgress)
	s.pass(time.Minute)
	here.scan("RC-UNDO", "good", "SN-00001: taken back, serial advanced.")
	s.stands(unit, 1, shop.InProgress)

	// The unit is at the same step again, by another change than the one that was shown.
	here.visit("/scan?unit=" + unit).says("Last change: Unit moved on from Saw to Turn OP10 · Ann")
	shown := here.page
	s.pass(time.Minute)
	there.visit("/scan?unit="+unit).scan("RC-UNDO", "good", "SN-00001: taken back, serial advanced.")
	s.pass(time.Minute)
	there.scan("RC-ADVANCE", "good", "SN-00001 moved to the next step.")
	s.stands(unit, 1, shop.InProgress)
	const other = "Something else was done to SN-00001 since: serial advanced, Ann. Nothing was taken back."
	here.scan("RC-UNDO", "bad", other)
	s.stands(unit, 1, shop.InProgress)
	here.page = shown
	here.press("That was a mistake", "do", "RC-UNDO")
	here.says(other)
	s.stands(unit, 1, shop.InProgress)

	// What was drawn fresh can be taken back, and who asks twice is answered twice.
	s.pass(time.Minute)
	form := here.page.form(t, `id="code"`).with("code", "RC-UNDO")
	before := here.cookies["scans"]
	for range 2 {
		here.cookies["scans"] = before
		here.post(form).says("SN-00001: taken back, serial advanced.")
	}
	s.stands(unit, 0, shop.InProgress)
	if strings.Contains(here.text(), "Last change:") {
		t.Error("a new unit has a last change")
	}

	// A question in between keeps to what was shown.
	for range 2 {
		s.pass(time.Minute)
		here.scan("RC-ADVANCE", "good", "SN-00001 moved to the next step.")
	}
	here.scan("RC-UNDO", "good", "taken back")
	here.scan("RC-UNDO", "ask", "Do it again to SN-00001?")
	s.pass(time.Minute)
	there.visit("/scan?unit="+unit).scan("RC-UNDO", "good", "taken back")
	s.pass(time.Minute)
	there.scan("RC-ADVANCE", "good", "SN-00001 moved to the next step.")
	here.press("RC-YES", "do", "RC-YES")
	here.says(other)
	s.stands(unit, 1, shop.InProgress)
}
