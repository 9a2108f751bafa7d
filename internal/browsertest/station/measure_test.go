package station_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/routecard/routecard/internal/browsertest"
)

// A gauge types like a keyboard: a value and Enter, without pauses. However hurried the user is, a reading is recorded only for the unit,
// the step and the characteristic that were on the screen.
func TestGageThatTypes(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, path, serials := s.Job("Shaft", "strict", 2, browsertest.Fields{"name": "Hone"}, browsertest.Fields{"name": "Pack"})
	number := browsertest.Fields{"number": "7", "name": "Bore", "type": "number", "unit": "mm", "lower": "12.490", "upper": "12.510"}
	s.Demand(path, 0, number, browsertest.Fields{"number": "8", "name": "Length", "type": "number", "unit": "mm", "upper": "80"},
		browsertest.Fields{"number": "9", "name": "Edge", "type": "pass_fail"})
	b := s.Open()
	b.Visit("/scan")
	b.Work("Dana")
	// read acts like a person who reads the question and then measures. A second passes, as at a bench.
	read := func(asks, value string) {
		t.Helper()
		b.Says(asks)
		b.Wait("a second since the scan", fmt.Sprintf(`performance.now() - (window.seen ??= {}, window.seen[%q] ??= performance.now()) > 1100`, asks+value))
		b.Typed(value)
	}

	// The gauge types directly after the scan, on a slow connection. The page only asks a question.
	b.Slow(300)
	b.TypedAtOnce(serials[0], "12.503")
	b.Says("Is it the reading of 7 Bore of " + serials[0] + "?")
	b.Slow(0)
	b.Typed("12.504") // while the page asks
	b.Says("No unit is in hand now: scan it again.")
	if got := s.Values(serials[0]); got != "" {
		t.Fatalf("recorded: %s", got)
	}

	// The next unit is scanned into the field for a reading, both with and without text that the user had begun to type.
	b.Typed(serials[0])
	read("Measure 7 Bore of "+serials[0], serials[1])
	b.Says("Measure 7 Bore of " + serials[1])
	b.Do("a value without its Enter, and a scan behind it", chromedp.KeyEvent("12.5"), chromedp.KeyEvent(serials[0]+kb.Enter))
	b.Says("Two codes, or a code and a text, were scanned as one.")
	b.Typed(serials[0])

	// This is the intended use: value, Enter, value, Enter. If a gauge sends a value twice, it is recorded once.
	read("Measure 7 Bore of "+serials[0], "12.503")
	b.Typed("12.503")
	read("Measure 8 Length of "+serials[0], "80.01")
	b.Says("8 Length is 80.01, limit 80. It is recorded for " + serials[0] + ". Measure it again?")
	b.Click(`.ask [value=RC-YES]`)
	read("Measure 8 Length of "+serials[0], "79.98")
	b.Says("9 Edge of " + serials[0] + ": pass or fail?")
	if got := s.Values(serials[0]) + s.Values(serials[1]); got != "7 12.503, 8 80.01, 8 79.98" {
		t.Errorf("recorded: %s", got)
	}

	// Pass and fail are two large buttons, even on a phone.
	axe, err := os.ReadFile("../testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, look := range []struct {
		scheme string
		width  int64
	}{{"light", 1440}, {"dark", 1440}, {"light", 390}, {"dark", 390}} {
		b.Look(look.scheme, look.width)
		b.Fits("/scan", look.width)
		b.Accessible(string(axe), fmt.Sprintf("a reading that is asked, %s, %d pixels", look.scheme, look.width))
		b.Picture(fmt.Sprintf("measure-%s-%d", look.scheme, look.width), look.width)
	}
	b.Wait("both are as large as a thumb with a glove", `[...document.querySelectorAll(".pass-fail button")].filter(e => {
		const {width, height} = e.getBoundingClientRect(); return width > 120 && height > 90; }).length === 2`)
	b.Wait("a second", `performance.now() - (window.second ??= performance.now()) > 1100`)
	b.Click(`.pass-fail [value=RC-PASS]`)
	b.Says("Everything required at Hone is measured.")
	b.Visit("/serials/" + serials[0])
	b.Fits("the card", 390)
	b.Accessible(string(axe), "readings on a card")
	b.Picture("measured-card-390", 390)
	b.Look("dark", 1440)
	b.Visit("/serials/" + serials[1])
	b.Accessible(string(axe), "the form for readings")
	b.Picture("measured-card-dark", 1440)
	s.At(serials[0], 0)
}
