package web_test

import (
	"testing"

	"github.com/routecard/routecard/shop"
)

// A form on an outdated page of an instrument does not overwrite later changes.
func TestInstrumentPage(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	a, b := s.works("Ann"), s.works("Bob")
	create := `action="/instruments" class="grid panel"`
	a.visit("/instruments").press(create, "number", "M-017", "name", "Micrometer", "dueDate", "2999-07-31").says("Instrument recorded.")
	a.visit("/instruments").press(create, "number", "M-017", "name", "Other").says("Another instrument has that number.")
	page, err := s.service.Instruments(t.Context(), shop.InstrumentQuery{})
	s.must(err)
	if len(page.Items) != 1 {
		t.Fatalf("there are %+v", page.Items)
	}
	at, edit := "/instruments?id="+page.Items[0].ID, `action="/instruments/`+page.Items[0].ID+`"`
	a.visit(at)
	b.visit(at).press(edit, "name", "Micrometer, digital", "dueDate", "2999-07-31").says("Saved.")
	a.press(edit, "name", "Micrometer", "number", "M-018", "dueDate", "2999-07-31")
	a.changedMeanwhile("You had typed: Number: M-018 (now M-017). Name: Micrometer (now Micrometer, digital).")
	a.press(edit, "number", "M-018").says("Saved.")
	a.says("M-018 Micrometer, digital")
	a.visit(at).press("/calibrations", "result", "", "dueDate", "2999-12-31").says("Choose the result.")
	a.visit(at).press("/calibrations", "result", "fail", "asFound", "fail", "dueDate", "2999-12-31").says("Calibration recorded.")
	a.says("M-018 Micrometer, digital Failed: do not use")
}
