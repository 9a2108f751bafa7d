package office_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/browsertest"
)

// TestAccessible checks every page with axe-core, in light and dark colours. No violation may be serious or worse.
func TestAccessible(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	axe, err := os.ReadFile("../testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := browsertest.Serve(t, "--demo")
	b := s.Open()
	b.Visit("/")
	b.Work("Dana Whitfield")
	pages := browsertest.EveryPage(t, s)
	serial := strings.TrimPrefix(pages[7].Path, "/serials/")
	pages = append(pages, browsertest.PagePath{Name: "labels", Path: "/labels?first=" + serial + "&size=single"})
	for _, p := range pages {
		b.Visit(p.Path)
		for _, look := range []struct {
			scheme string
			width  int64
			rules  []string
		}{{scheme: "light", width: 1440}, {"dark", 1440, colourRules()}, {scheme: "light", width: 390}} {
			b.Look(look.scheme, look.width)
			b.Fits(p.Path, look.width)
			b.Accessible(string(axe), p.Path+", "+look.scheme+", "+strconv.FormatInt(look.width, 10)+" pixels", look.rules...)
		}
	}
}

// colourRules returns the rules of axe-core that check colours. The other rules check properties that are the same in light and dark.
func colourRules() []string {
	return []string{"color-contrast", "link-in-text-block"}
}
