package web_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/workorder"
)

// inHand returns the unit in hand at the station, or "" if there is none.
func (v *visitor) inHand() string {
	_, rest, found := strings.Cut(v.page.html, `name="unit" value="`)
	if !found {
		return ""
	}
	id, _, _ := strings.Cut(rest, `"`)
	return id
}

// ofPart sets the part number of a unit's job.
func (s *visitedShop) ofPart(job, part string) {
	_, err := s.service.UpdateJob(s.t.Context(), job, shop.UpdateJobInput{OrderInput: workorder.OrderInput{PartNumber: input.Given(part)}})
	s.must(err)
}

// numbered sets or corrects the own number of a unit.
func (s *visitedShop) numbered(unit, number string) {
	_, err := s.service.SetSerialNumber(s.t.Context(), unit, shop.SetSerialNumberInput{
		SerialNumber: input.Given(number), Reason: input.Given("misread"), UserID: input.Given("ann"),
	})
	s.must(err)
}

// docs/api/identifiers.md, "Serial numbers of your own": The station finds a unit by its own number. If the code contains a part, it finds
// only units of that part. If several units match, it asks which one is meant. Continuing without a choice changes none of them.
func TestStationFindsOwnNumbers(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	first, one := s.units(1, "Turn", "Grind")
	second, two := s.units(1, "Mill", "Grind")
	s.ofPart(first, "VB-210")
	s.ofPart(second, "09506000134352")
	s.numbered(one, "7")
	s.numbered(two, "7")
	v := s.works("Dana")
	// SN-00007 does not exist: 7 is the own number of two units.
	for _, code := range []string{"7", "]C1217", "[)>\x1e06\x1dS7\x1e\x04", "(21)7"} {
		v.scan(code, "ask", "These are 2 units. Which one is in your hand?")
		for _, says := range []string{"VB-210", "Turn", "Mill", one, two} {
			v.says(says)
		}
		if v.inHand() != "" {
			t.Errorf("%q picked %s", code, v.inHand())
		}
		v.scan("RC-YES", "ask", "Which one is in your hand?")
		v.scan("RC-DONE", "bad", "Scan a unit first.")
	}
	for code, unit := range map[string]string{
		"[)>\x1e06\x1d1PVB-210\x1dS7\x1e\x04": one, "[)>\x1e06\x1dPvb-210\x1d1T4\x1dS7\x1e\x04": one,
		"(01)09506000134352(21)7": two, "https://id.gs1.org/01/09506000134352/21/7": two,
	} {
		if v.scan(code, "show", "When the step is done"); v.inHand() != unit {
			t.Errorf("%q shows %q", code, v.inHand())
		}
	}
	v.scan("[)>\x1e06\x1d1PVB-211\x1dS7\x1e\x04", "bad", "No unit with the own number 7 of part VB-211 is known here.")
	v.scan("7", "ask", "Which one")
	v.press(`value="`+two+`"`, "do", two)
	if v.inHand() != two {
		t.Error(v.inHand())
	}
	v.scan("7", "ask", "Which one")
	v.scan("RC-NO", "show", "Nothing was changed.")
	s.stands(one, 0, card.InProgress)
	s.stands(two, 0, card.InProgress)
}

// An own number that looks like another code is found at the station, in the search, and at either end of a range of labels.
func TestPagesFindOwnNumbersThatLookLikeCodes(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(8, "Turn", "Grind")
	numbers := map[string]string{
		"A/8004/77": "SN-00001", "(10)55": "SN-00002", "(10)56": "SN-00003", "]A1B": "SN-00004", "(21)7": "SN-00005", "(240)P-7": "SN-00006", "]C121X": "SN-00007",
		"10/55": "SN-00008",
	}
	for number, unit := range numbers {
		s.numbered(unit, number)
	}
	v := s.works("Dana")
	for number, unit := range numbers {
		if v.scan(number, "show", "When the step is done"); v.inHand() != unit {
			t.Errorf("the station finds %q for %q", v.inHand(), number)
		}
		if v.visit("/search?q=" + url.QueryEscape(number)); !strings.HasPrefix(v.page.address, "/serials/"+unit) {
			t.Errorf("the search leads from %q to %s", number, v.page.address)
		}
	}
	v.visit("/labels?first=" + url.QueryEscape("(10)55") + "&last=" + url.QueryEscape("(10)56")).says("SN-00002")
	v.says("SN-00003")
}

// If a unit replaces a scrapped unit and has its number, the number finds the replacement. The station also identifies the scrapped unit,
// and one scan does not move anything.
func TestStationFindsTheReplacementOfAScrappedUnit(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, one := s.units(1, "Turn", "Grind")
	_, two := s.units(1, "Mill", "Grind")
	s.numbered(one, "VB-7")
	s.numbered(two, "VB-7")
	v := s.works("Dana")
	v.scan("VB-7", "ask", "These are 2 units.")
	_, err := s.service.ScrapSerial(t.Context(), one, shop.ScrapSerialInput{Reason: input.Given("damaged"), UserID: input.Given("ann")})
	s.must(err)
	v.scan("VB-7", "warn", "Scrapped with the same number: VB-7 ("+one+"). Check the unit in your hand.")
	if v.inHand() != two {
		t.Errorf("%q is in hand", v.inHand())
	}
	s.stands(two, 0, card.InProgress)
	s.hold("burr", two)
	v.scan("VB-7", "warn", "Check the unit in your hand. On hold: burr")
	v.scan(one, "bad", "Scrapped: Damaged.")
}

// If the number of the next unit is scanned while the station waits for a note, it is not recorded as a note of the previous unit. An
// earlier number of a unit shows the unit with a warning.
func TestOwnNumberIsNoNote(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, one := s.units(2, "Turn", "Grind")
	s.numbered(one, "VB-8")
	s.numbered(one, "VB-7")
	s.numbered("SN-00002", "VB-9")
	v := s.works("Dana")
	v.scan("vb-7", "show", "When the step is done")
	v.scan("RC-NOTE", "ask", "Type the note")
	v.scan("VB-9", "ask", "“VB-9” looks like a code. Is it the note?")
	v.scan("RC-NO", "ask", "Type the note")
	v.scan("a burr, as VB-9 has", "good", "")
	v.scan("VB-8", "warn", "Its own number is VB-7 now")
	if v.inHand() != one {
		t.Error(v.inHand())
	}
	s.numbered("SN-00002", "VB-8")
	v.scan("VB-8", "ask", "Which one is in your hand?")
	v.says("earlier VB-8")
	v.says("earlier VB-9")
	v.scan("2", "show", "When the step is done")
	if v.inHand() != "SN-00002" {
		t.Error(v.inHand())
	}
}

// A command stays a command even if an earlier version assigned it to a unit as its own number: the station carries it out without a
// question. The search finds the unit, so that its number can be corrected. Any other text that begins with RC- may be an own number.
func TestACommandIsNeverAnOwnNumber(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, one := s.units(4, "Turn", "Grind")
	v := s.works("Dana")
	const two = "SN-00002"
	v.visit("/serials/"+two).press(`value="set-serial-number"`, "do", "set-serial-number", "serialNumber", "RC-DONE").
		says("Own number is a command code: a station does not find anything by it. Type another one.")
	s.must(s.store.Update(t.Context(), func(tx shop.Tx) error {
		return tx.GiveOwnNumbers([]shop.OwnNumber{{SerialID: two, Number: "RC-DONE", JobID: job, Scope: "job " + job, GivenAt: 1}})
	}))
	v.visit("/serials/" + two).says("Stations read RC-DONE as a code of Routecard. Correct the number.")
	v.scan(one, "show", "Done, on to Grind")
	v.scan("rc-done", "good", one+" moved to the next step.")
	s.stands(one, 1, card.InProgress)
	s.stands(two, 0, card.InProgress)
	s.numbered(two, "RC-4711")
	v.scan(one, "show", one)
	v.scan("RC-DONE", "good", one)
	s.stands(two, 0, card.InProgress)
	if v.scan("RC-4711", "show", "When the step is done"); v.inHand() != two {
		t.Errorf("in hand is %q", v.inHand())
	}
}

// The filter of the audit trail and the labels accept the own number of a unit. If several units have it, they are listed.
func TestFieldsTakeOwnNumbers(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(1, "Turn")
	s.units(1, "Mill")
	s.numbered("SN-00001", "VB-7")
	s.numbered("SN-00002", "VB-9")
	v := s.visitor()
	for _, page := range []string{"/audit?serial=", "/labels?first="} {
		v.visit(page + "vb-9").says("SN-00002")
		v.saysNothingOf("SN-00001")
		v.visit(page + "1").says("SN-00001")
	}
	s.numbered("SN-00001", "VB-9")
	for _, page := range []string{"/audit?serial=", "/labels?first="} {
		if v.visit(page + "VB-9").says("can be several units: VB-9 (SN-00002), Valve body, Mill; VB-9 (SN-00001), Valve body, Turn."); v.page.status != 400 {
			t.Errorf("%s answers %d", page, v.page.status)
		}
	}
}

// The search in the page header accepts codes with a part. It shows the unit of that part, and if units of several parts match, it lists
// them.
func TestSearchReadsMarks(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	first, one := s.units(1, "Turn")
	_, two := s.units(1, "Mill")
	s.ofPart(first, "VB-210")
	s.numbered(one, "7")
	s.numbered(two, "7")
	v := s.visitor()
	if got := v.finds("(240)VB-210(21)7"); got != "Units: 7" {
		t.Error(got)
	}
	if got := v.finds("(21)7"); got != "Units: 7, 7" {
		t.Error(got)
	}
	if got := v.finds("(240)VB-211(21)7"); got != "" {
		t.Error(got)
	}
}
