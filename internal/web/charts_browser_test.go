package web_test

import (
	"fmt"
	"os"
	"testing"
)

// The charts of the demonstration, in which a seat drifts, can be read in light and dark, and at the width of a phone.
func TestChartsCanBeRead(t *testing.T) {
	t.Parallel()
	chromium(t)
	axe, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, "--demo")
	b := s.open()
	b.visit("/jobs/" + s.jobOf("q=valve") + "/charts")
	b.says("12 Seat diameter")
	b.wait("a rule catches the drift", `document.querySelectorAll(".chart-panel:first-of-type .out").length > 5`)
	for _, look := range []struct {
		scheme string
		width  int64
	}{{"light", 1440}, {"dark", 1440}, {"light", 390}} {
		b.look(look.scheme, look.width)
		b.fits("the charts", look.width)
		b.picture(fmt.Sprintf("charts-%s-%d", look.scheme, look.width), look.width)
		b.accessible(string(axe), fmt.Sprintf("the charts, %s, %d pixels", look.scheme, look.width))
	}
}
