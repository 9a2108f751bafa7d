package office_test

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/routecard/routecard/internal/browsertest"
)

// looksWrong lists what sticks out of its panel, and the fields whose placeholder is hard to read.
const looksWrong = `(() => {
	const wrong = [], called = (e) => e.outerHTML.slice(0, 120);
	const scrolls = (e) => e.closest(".sheet, .scrolls, pre, .list thead");
	for (const panel of document.querySelectorAll(".panel")) {
		const right = panel.getBoundingClientRect().right;
		const out = [...panel.querySelectorAll("*")].find((e) => e.checkVisibility({visibilityProperty: true}) && !e.closest("svg, .visually-hidden, .hidden") &&
			!scrolls(e) && e.getBoundingClientRect().right > right + 1 && getComputedStyle(e.parentElement).overflowX === "visible");
		if (out) wrong.push("sticks out: " + called(out));
	}
	const light = (colour) => {
		const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((v) => v / 255).map((v) => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
		return .2126 * r + .7152 * g + .0722 * b;
	};
	const ground = (e) => {
		for (; e; e = e.parentElement) {
			const colour = getComputedStyle(e).backgroundColor;
			if (!/^rgba\(.*, 0\)$/.test(colour)) return colour;
		}
		return "rgb(255, 255, 255)";
	};
	for (const field of document.querySelectorAll("[placeholder]")) {
		const [a, b] = [light(getComputedStyle(field, "::placeholder").color), light(ground(field))];
		const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		if (contrast < 4.5) wrong.push("contrast " + contrast.toFixed(1) + ": " + called(field));
	}
	return wrong.slice(0, 4);
})()`

// Every page fits the screen of a phone, a tablet, a laptop and a monitor, in light and dark colours: nothing scrolls sideways or sticks out
// of its panel, and placeholders can be read.
func TestEveryPageAtEveryWidth(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	axe, err := os.ReadFile("../testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	looksRight(browsertest.Serve(t).Open(), "/") // a shop without operators asks for a name in the head
	s := browsertest.Serve(t, "--demo")
	b := s.Open()
	b.Visit("/")
	b.Work("Dana Whitfield")
	for _, p := range browsertest.EveryPage(t, s) {
		looksRight(b, p.Path)
	}
	for _, p := range browsertest.DemoPages(t, s) { // TestAccessible checks the colours of the others
		looksRight(b, p.Path)
		b.Accessible(string(axe), p.Path+", dark", colourRules()...)
	}
}

// looksRight visits a page and looks at it at each width in each scheme, the dark one last.
func looksRight(b *browsertest.Browser, path string) {
	b.T.Helper()
	b.Visit(path)
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range browsertest.Widths {
			b.Look(scheme, width)
			b.Fits(path, width)
			wrong, err := chromedp.Run(b.Context, chromedp.Evaluate[[]string](looksWrong))
			if err != nil {
				b.T.Fatal(err)
			}
			for _, what := range wrong {
				b.T.Errorf("%s at %d pixels, %s: %s", path, width, scheme, what)
			}
		}
	}
}
