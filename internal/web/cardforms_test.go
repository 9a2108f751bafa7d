package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop/card"
)

// If a field is missing, the form is refused with its own words, before the page asks for confirmation.
func TestCardFormsThatAreNotFilledIn(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind", "Pack")
	v := s.works("Dana")
	routeCard := "/serials/" + unit
	for reason, says := range map[string]string{
		"": "Choose why it is scrapped.", "other": "Explain it: the reason alone does not say what happened.",
	} {
		v.visit(routeCard).press(`value="scrap"`, "do", "scrap", "reason", reason, "explanation", " ").says(says)
		if v.page.status != http.StatusBadRequest || strings.Contains(v.text(), "Scrap "+unit+"?") {
			t.Errorf("status %d: it is asked whether to scrap the unit for the reason %q", v.page.status, reason)
		}
	}
	s.stands(unit, 0, card.InProgress)
	v.visit(routeCard).press(`value="attach"`, "do", "attach", "certId", s.certificate("Heat 7"))
	v.visit(routeCard).press(">Void<", "do", "void", "record", "", "reason", "x").says("Choose what to void.")
	v.visit("/certs").press("Create certificate", "type", "material", "name", "Heat 8", "metadata", "4711")
	v.says("Write each detail on a line of its own, with a colon behind its name")
	if !strings.Contains(v.page.html, `data-field="metadata"`) {
		t.Error("the refusal does not stand beside its field")
	}
}

// The card of a unit that cannot skip a step has no form for skipping, and states why.
func TestMovingPastStepsIsOfferedWhereItCanBeDone(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(2, "Turn", "Grind", "Pack")
	s.hold("crack", unit)
	v := s.works("Dana")
	for id, offered := range map[string]bool{unit: false, "SN-00002": true} {
		if v.visit("/serials/" + id); strings.Contains(v.page.html, `value="advance-to"`) != offered {
			t.Errorf("%s: moving past steps is offered: %t", id, !offered)
		}
	}
	v.visit("/serials/" + unit).says("Skip ahead: The unit is on hold: crack")
}
