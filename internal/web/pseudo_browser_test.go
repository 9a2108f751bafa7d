package web_test

import (
	"net/http/httptest"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/internal/web"
	"github.com/routecard/routecard/internal/web/lang"
)

// narrow is the width of a small phone, in pixels.
const narrow = 360

// On a small phone every page has room for texts that are 40 % longer than in English: it does not scroll sideways, and no button is cut
// off.
func TestLongTextsFitASmallPhone(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	open := openShop(t)
	open.fits(open.visitor(), web.Patterns())
	guarded := openGuardedShop(t, access.All)
	guarded.fits(guarded.signedIn("boss"), append(web.Patterns(), web.AccessPatterns()...))
}

// fits checks the pages of the given routes in the pseudo-language.
func (s *visitedShop) fits(v *visitor, patterns []string) {
	s.t.Helper()
	at := s.addresses()
	s.speaking("")
	v.cookies["language"] = lang.Pseudo().Tag()
	if s.door != nil {
		v.visit("/jobs").press(`name="language"`, "language", lang.Pseudo().Tag())
	}
	pages := v.pagesAt(at, patterns)
	server := httptest.NewServer(s.pages)
	s.t.Cleanup(server.Close)
	b := (&browsertest.Site{T: s.t, URL: server.URL}).Open()
	for name, value := range v.cookies {
		browsertest.Call(b, "take the cookie "+name, network.SetCookie, network.SetCookieParams{Name: name, Value: value, URL: server.URL})
	}
	b.Look("light", narrow)
	for _, page := range pages {
		b.Visit(page)
		if !b.Is(`document.documentElement.lang === "en-XA"`) {
			s.t.Errorf("%s is not in the pseudo-language", page)
		}
		b.Fits(page, narrow)
		cut, err := chromedp.Run(b.Context, chromedp.Evaluate[string](`[...document.querySelectorAll("button, .button, summary, label, h1, h2")]
			.filter(e => e.checkVisibility() && !e.closest(".visually-hidden") && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "visible" && e.clientWidth > 0)
			.slice(0, 4).map(e => e.outerHTML.slice(0, 160)).join("\n")`))
		if s.must(err); cut != "" {
			s.t.Errorf("%s cuts texts at %d pixels:\n%s", page, narrow, cut)
		}
	}
}
