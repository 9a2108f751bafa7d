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

// withGTIN sets the GTIN of a unit's job.
func (s *visitedShop) withGTIN(job, gtin string) {
	_, err := s.service.UpdateJob(s.t.Context(), job, shop.UpdateJobInput{OrderInput: workorder.OrderInput{GTIN: input.Given(gtin)}})
	s.must(err)
}

// docs/api/identifiers.md, "Scanned codes": If a code has a GTIN and a serial number, the unit with that number in the job with the GTIN is
// taken in hand. If no job has the GTIN, the station asks, even if only one unit has the number. The search lists the unit, and fields
// refuse the code.
func TestStationAsksAboutAnUnknownPart(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, one := s.units(1, "Turn", "Grind")
	_, two := s.units(1, "Mill", "Grind")
	s.numbered(one, "7")
	s.numbered(two, "8")
	v := s.works("Dana")
	const gtin, code = "4006381333931", "(01)04006381333931(21)7"
	for range 2 {
		v.scan(code, "ask", "No job has the GTIN of this code. Is this the unit in your hand?")
		v.says("part unknown")
		if v.inHand() != "" {
			t.Errorf("%s is in hand", v.inHand())
		}
		v.scan("RC-YES", "ask", "Is this the unit in your hand?")
		v.scan("RC-DONE", "bad", "Scan a unit first.")
	}
	s.stands(one, 0, card.InProgress)
	v.scan(code, "ask", "No job has the GTIN")
	v.press(`value="`+one+`"`, "do", one)
	if v.inHand() != one {
		t.Errorf("%q is in hand", v.inHand())
	}
	if v.visit("/search?q=" + url.QueryEscape(code)); !strings.HasPrefix(v.page.address, "/search") {
		t.Errorf("the search leads to %s", v.page.address)
	}
	v.says("part unknown")
	v.says(one)
	v.visit("/labels?first=" + url.QueryEscape(code) + "&last=" + url.QueryEscape(code)).says("No job has the GTIN of")
	s.withGTIN(job, gtin)
	if v.scan(code, "show", "When the step is done"); v.inHand() != one {
		t.Errorf("%q is in hand", v.inHand())
	}
	v.scan("(01)04006381333931(21)8", "bad", "No unit with the own number 8 of part 04006381333931 is known here.")
	for _, text := range []string{code, "https://id.gs1.org/01/" + gtin + "/21/7"} {
		if v.visit("/search?q=" + url.QueryEscape(text)); !strings.HasPrefix(v.page.address, "/serials/"+one) {
			t.Errorf("the search leads from %q to %s", text, v.page.address)
		}
	}
	for _, text := range []string{gtin, "0" + gtin, "(01)0" + gtin, "https://id.gs1.org/01/" + gtin} {
		if v.visit("/search?q=" + url.QueryEscape(text)); !strings.HasPrefix(v.page.address, "/jobs/"+job) {
			t.Errorf("the search leads from %q to %s", text, v.page.address)
		}
	}
}

// docs/api/jobs.md, "Fields": The form of a job has a field for the GTIN, the page of the job shows it, and an invalid GTIN is refused at
// the field.
func TestJobHasAGTIN(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Dana")
	v.visit("/jobs").press(`Create job`, "name", "Box", "goalQuantity", "2", "gtin", "036000291453")
	v.says("The last digit of the GTIN is not its check digit.")
	v.visit("/jobs").press(`Create job`, "name", "Box", "goalQuantity", "2", "gtin", "036000291452")
	v.says("GTIN 036000291452")
	v.says("GTIN: 036000291452")
	job, unit := s.units(1, "Turn")
	s.numbered(unit, "7")
	s.withGTIN(job, "4006381333931")
	if labels := v.visit("/labels?matrix=yes&first=" + unit).page.html; !strings.Contains(labels, "Data Matrix: 0104006381333931217\"") {
		t.Error("the label does not have the GTIN")
	}
	v.visit("/jobs").press(`Create job`, "name", "Box", "goalQuantity", "2")
	v.press(`value="edit"`, "do", "edit", "name", "Box", "goalQuantity", "2", "gtin", "3.6E+10")
	v.says("Type the 8, 12, 13 or 14 digits of the GTIN.")
}
