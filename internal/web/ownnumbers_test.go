package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// On the card users set a unit's own number and correct it with a reason. If another unit already has the number, the card says which.
func TestCardSetsTheOwnNumber(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(2, "Saw", "Turn")
	v := s.works("Dana")
	give := func(unit string, fields ...string) *visitor {
		return v.visit("/serials/"+unit).press(`value="set-serial-number"`, append([]string{"do", "set-serial-number"}, fields...)...)
	}
	give("SN-00001", "serialNumber", "VB-7").says("Own number set: VB-7 (SN-00001).")
	give("SN-00002", "serialNumber", "VB-7").says("Another unit has it, VB-7 (SN-00001): look which of the two it is engraved on.")
	if v.page.status != http.StatusConflict {
		t.Errorf("status %d", v.page.status)
	}
	give("SN-00001", "serialNumber", "VB-8", "reason", " ").says("Say why.")
	give("SN-00001", "serialNumber", "VB-8", "reason", "misread").says("Own number set: VB-8 (SN-00001).")
	v.says("VB-7 → VB-8")
	give("SN-00002", "serialNumber", "VB-7").says("Own number set: VB-7 (SN-00002).")
}

// The search finds a unit by its own number and by an earlier own number. If several units have the number, it lists them.
func TestSearchFindsOwnNumbers(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	first, _ := s.units(2, "Saw")
	second, _ := s.units(1, "Saw")
	if first == second {
		t.Fatal("one job")
	}
	set := func(unit, number string) {
		_, err := s.service.SetSerialNumber(t.Context(), unit, shop.SetSerialNumberInput{
			SerialNumber: input.Given(number), Reason: input.Given("misread"), UserID: input.Given("ann"),
		})
		s.must(err)
	}
	set("SN-00001", "VB-7")
	set("SN-00001", "VB-8")
	set("SN-00002", "VB-9")
	set("SN-00003", "VB-9")
	v := s.visitor()
	for text, want := range map[string]string{
		"vb-8": "Units: VB-8!", "vb-9": "Units: VB-9!, VB-9!", "VB-7": "Units: VB-8", "vb": "Units: VB-8, VB-9, VB-9", "sn-00002": "Units: VB-9!",
	} {
		if got := v.finds(text); got != want {
			t.Errorf("%s finds %q, want %q", text, got, want)
		}
	}
	if !strings.Contains(v.visit("/search?q=VB-9").page.html, "SN-00003") {
		t.Error("of two units one was picked")
	}
}
