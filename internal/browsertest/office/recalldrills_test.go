package office_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/browsertest"
)

// The drills for a gauge, for an operator and a week, and for a shipment of a supplier: from the cause to a printed list of units that are
// all on hold.
func TestRecallDrills(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	s := browsertest.Serve(t, "--demo")
	b := s.Open()
	b.Visit("/")
	b.Work("Dana Whitfield")
	b.Look("light", 1280)
	day := func(ago int) string { return time.Now().AddDate(0, 0, -ago).Format(time.DateOnly) }
	for _, drill := range []struct{ cause, of, from, title string }{
		{"shipment", "SHP-00001", "", "Recall of shipment SHP-00001"},
		{"instrument", "M-017", day(31), "Recall of what M-017 measured"},
		{"operator", "Emre Yilmaz", day(7), "Recall of what Emre Yilmaz did"},
	} {
		b.Visit("/recall")
		b.Choose("main select[name=cause]", drill.cause)
		b.Fill("main [name=of]", drill.of)
		if drill.from != "" {
			b.Click("main details[data-key=days] > summary")
			b.Run("choose the days", fmt.Sprintf(`document.querySelector("main [name=from]").value = %q
				document.querySelector("main [name=to]").value = %q`, drill.from, day(0)))
		}
		b.Click("main form.search button.primary")
		b.Says(drill.title)
		b.Wait("the page has scrolled to the units",
			`(window.stood = window.stood?.y === scrollY ? {y: scrollY, n: window.stood.n + 1} : {y: scrollY, n: 0}).n > 10`)
		b.Click("main details[data-key=hold] > summary")
		b.Fill("main [name=reason]", "Drill: "+drill.cause)
		b.Click("main form[data-batch] button.big")
		b.Says("On hold: ")
		b.Wait("all units are on hold", `[...document.querySelectorAll("#recalled-units tbody tr")].length > 0 &&
			[...document.querySelectorAll("#recalled-units tbody tr")].every((row) => row.querySelector(".held-tag, .tag.scrapped"))`)
		text := paper(b)
		if !strings.Contains(text, drill.title) || !strings.Contains(text, "Printed ") || !regexp.MustCompile(`SN-\d+ .*On hold`).MatchString(text) {
			t.Errorf("the paper about %s lacks its title or its units on hold:\n%s", drill.cause, text)
		}
	}
}
