package office_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/routecard/routecard/internal/browsertest"
)

// The charts in the demonstration, whose seat diameter drifts, are readable in light and dark colours and at the width of a phone.
func TestChartsCanBeRead(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	axe, err := os.ReadFile("../testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := browsertest.Serve(t, "--demo")
	b := s.Open()
	b.Visit("/jobs/" + jobOfAt(s, "q=valve") + "/charts")
	b.Says("12 Seat diameter")
	b.Wait("a rule catches the drift", `document.querySelectorAll(".chart-panel:first-of-type .out").length > 5`)
	for _, look := range []struct {
		scheme string
		width  int64
	}{{"light", 1440}, {"dark", 1440}, {"light", 390}} {
		b.Look(look.scheme, look.width)
		b.Fits("the charts", look.width)
		b.Picture(fmt.Sprintf("charts-%s-%d", look.scheme, look.width), look.width)
		b.Accessible(string(axe), fmt.Sprintf("the charts, %s, %d pixels", look.scheme, look.width))
	}
}
