package web_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// demand sets what is measured at a step of a route.
func (s *site) demand(path string, step int, list ...fields) {
	s.t.Helper()
	var route struct{ Steps []struct{ ID string } }
	s.get("/api/paths/"+path, &route)
	s.send(http.MethodPut, "/api/steps/"+route.Steps[step].ID+"/characteristics", fields{"characteristics": list, "userId": "setup"}, nil)
}

// values are the values that were recorded of a unit, in their order.
func (s *site) values(unit string) string {
	s.t.Helper()
	var readings []struct{ Number, Value string }
	s.get("/api/serials/"+unit+"/measurements", &readings)
	list := make([]string, len(readings))
	for i, reading := range readings {
		list[i] = reading.Number + " " + reading.Value
	}
	return strings.Join(list, ", ")
}

// A gage types as a keyboard does: a value and Enter, at once. In whatever hurry it is used, nothing is recorded of a unit, at a step or
// for a characteristic that nobody saw.
func TestGageThatTypes(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, path, serials := s.job("Shaft", "strict", 2, fields{"name": "Hone"}, fields{"name": "Pack"})
	number := fields{"number": "7", "name": "Bore", "type": "number", "unit": "mm", "lower": "12.490", "upper": "12.510"}
	s.demand(path, 0, number, fields{"number": "8", "name": "Length", "type": "number", "unit": "mm", "upper": "80"},
		fields{"number": "9", "name": "Edge", "type": "pass_fail"})
	b := s.open()
	b.visit("/scan")
	b.work("Dana")
	// read is what a person does: looks at what is asked, and measures. A second passes, as at a bench.
	read := func(asks, value string) {
		t.Helper()
		b.says(asks)
		b.wait("a second since the scan", fmt.Sprintf(`performance.now() - (window.seen ??= {}, window.seen[%q] ??= performance.now()) > 1100`, asks+value))
		b.typed(value)
	}

	// The gage types right behind the scan, on a slow line: it asks, and so does nothing.
	b.slow(300)
	b.typedAtOnce(serials[0], "12.503")
	b.says("Is it the reading of 7 Bore of " + serials[0] + "?")
	b.slow(0)
	b.typed("12.504") // while it asks
	b.says("No unit is in hand now.")
	if got := s.values(serials[0]); got != "" {
		t.Fatalf("recorded: %s", got)
	}

	// The next unit is scanned into the field for a reading, with and without what a person had begun to type.
	b.typed(serials[0])
	read("Measure 7 Bore of "+serials[0], serials[1])
	b.says("Measure 7 Bore of " + serials[1])
	b.do("a value without its Enter, and a scan behind it", chromedp.KeyEvent("12.5"), chromedp.KeyEvent(serials[0]+kb.Enter))
	b.says("A code ran into other words or codes.")
	b.typed(serials[0])

	// As it is meant: value, Enter, value, Enter. A gage that types twice records once.
	read("Measure 7 Bore of "+serials[0], "12.503")
	b.typed("12.503")
	read("Measure 8 Length of "+serials[0], "80.01")
	b.says("8 Length is 80.01, limit 80. It is recorded for " + serials[0] + ". Measure it again?")
	b.click(`.ask [value=RC-YES]`)
	read("Measure 8 Length of "+serials[0], "79.98")
	b.says("9 Edge of " + serials[0] + ": pass or fail?")
	if got := s.values(serials[0]) + s.values(serials[1]); got != "7 12.503, 8 80.01, 8 79.98" {
		t.Errorf("recorded: %s", got)
	}

	// Pass and fail are two large buttons, also on a phone.
	axe, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, look := range []struct {
		scheme string
		width  int64
	}{{"light", 1440}, {"dark", 1440}, {"light", 390}, {"dark", 390}} {
		b.look(look.scheme, look.width)
		b.fits("/scan", look.width)
		b.accessible(string(axe), fmt.Sprintf("a reading that is asked, %s, %d pixels", look.scheme, look.width))
		b.picture(fmt.Sprintf("measure-%s-%d", look.scheme, look.width), look.width)
	}
	b.wait("both are as large as a thumb with a glove", `[...document.querySelectorAll(".pass-fail button")].filter(e => {
		const {width, height} = e.getBoundingClientRect(); return width > 120 && height > 90; }).length === 2`)
	b.wait("a second", `performance.now() - (window.second ??= performance.now()) > 1100`)
	b.click(`.pass-fail [value=RC-PASS]`)
	b.says("All that Hone demands is measured.")
	b.visit("/serials/" + serials[0])
	b.fits("the card", 390)
	b.accessible(string(axe), "readings on a card")
	b.picture("measured-card-390", 390)
	b.look("dark", 1440)
	b.visit("/serials/" + serials[1])
	b.accessible(string(axe), "the form for readings")
	b.picture("measured-card-dark", 1440)
	s.at(serials[0], 0)
}
