package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// If a user releases a report's hold on the card, the unit is released without a decision. The card says so before the release. The report
// says so afterwards, even when it is decided later. A release by a decision is not described in this way.
func TestReleasedWithoutADecision(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, first := s.units(3, "Turn", "Grind")
	report := s.report(first)
	_, err := s.service.AddToNonconformance(t.Context(), report, shop.AddToNonconformanceInput{
		Selection: shop.SelectionInput{SerialIDs: input.GivenTexts("SN-00002")}, Hold: input.Given(true), UserID: input.Given("setup"),
	})
	s.must(err)
	s.hold("dent", "SN-00003")
	v := s.works("Dana")
	sheet, card := "/nonconformances/"+report, "/serials/"+first
	v.visit(card).says("Release without a decision: NCR-00001: Seat too small")
	v.says("This hold belongs to report NCR-00001 , which waits for a decision about SN-00001.")
	if v.visit("/serials/SN-00003"); strings.Contains(v.text(), "without a decision") {
		t.Error("a hold of no report is told as one that waits for a decision")
	}
	s.pass(time.Minute)
	v.visit(card).press(`value="release"`, "do", "release").says("Say why.")
	v.visit(card).press(`value="release"`, "do", "release", "reason", "lost patience").says("SN-00001 is released.")
	told := "Released without a decision by Dana, 2 Mar 08:01 : lost patience"
	v.visit(card).says(told)
	v.visit(sheet).says(told)
	v.visit(sheet + "/print").says("Released without a decision by Dana, 2 Mar 2026 08:01 UTC: lost patience")

	s.pass(time.Minute)
	v.visit(sheet).press(">Decide<", "do", "dispose", "all", v.box("all"), "disposition", "use_as_is", "reason", "fits", "concession", "customer")
	v.says("2 units: use as is.")
	v.visit(sheet).says(told)
	if count := strings.Count(v.text(), "Released without a decision"); count != 1 {
		t.Errorf("%d units were released without a decision, want 1:\n%s", count, v.text())
	}
}

// Fields that state something have no default value: the reason of a scrap, and the meaning of a signature.
func TestNothingIsStatedByLeavingAFieldAlone(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, first := s.units(1, "Turn")
	sheet := "/nonconformances/" + s.report(first)
	v := s.works("Dana")
	v.visit(sheet)
	chosen := regexp.MustCompile(`(?s)<select name="scrapReason">\s*<option value="">`)
	if !chosen.MatchString(v.page.html) || strings.Contains(v.page.html, `value="other" selected`) {
		t.Error("a scrap reason is chosen beforehand")
	}
	v.press(">Decide<", "do", "dispose", "serial", first, "disposition", "scrap", "reason", "porous", "scrapReason", "")
	v.says("Choose why they are scrapped.")
	if v.page.status != http.StatusBadRequest {
		t.Errorf("status %d", v.page.status)
	}
	s.stands(first, 0, card.InProgress)
}

// If a field that does not belong to the chosen decision contains text from an earlier choice, the text is ignored.
func TestDecisionsHaveTheirOwnFieldsAlone(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, first := s.units(2, "Turn", "Grind")
	sheet := "/nonconformances/" + s.report(first)
	v := s.works("Dana")
	v.visit(sheet).press(">Decide<", "do", "dispose", "serial", first, "disposition", "return_to_supplier", "reason", "porous",
		"concession", "the customer agreed", "target", "0", "scrapReason", "damaged")
	v.says("1 unit: return to supplier.")
	for _, page := range []string{sheet, "/serials/" + first, "/audit"} {
		if v.visit(page); strings.Contains(v.text(), "the customer agreed") {
			t.Errorf("%s tells of a concession:\n%s", page, v.text())
		}
	}
	v.says("porous")
}
