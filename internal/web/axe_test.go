package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// TestAccessible lets axe-core look at every page in light and dark; no violation may be serious or worse.
func TestAccessible(t *testing.T) {
	t.Parallel()
	chromium(t)
	axe, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, "--demo")
	b := s.open()
	b.visit("/")
	b.work("Dana Whitfield")
	pages := everyPage(t, s)
	serial := strings.TrimPrefix(pages[7].path, "/serials/")
	pages = append(pages, pagePath{"labels", "/labels?first=" + serial + "&size=single"})
	for _, p := range pages {
		b.visit(p.path)
		for _, look := range []struct {
			scheme string
			width  int64
			rules  []string
		}{{scheme: "light", width: 1440}, {"dark", 1440, colourRules()}, {scheme: "light", width: 390}} {
			b.look(look.scheme, look.width)
			b.fits(p.path, look.width)
			b.accessible(string(axe), p.path+", "+look.scheme+", "+strconv.FormatInt(look.width, 10)+" pixels", look.rules...)
		}
	}
}

// colourRules are the rules of axe-core that judge colours. The other rules judge what is the same in light and dark.
func colourRules() []string {
	return []string{"color-contrast", "link-in-text-block"}
}

// accessible lets axe-core look at the page, by all of its rules or by some; no violation may be serious or worse.
func (b *browser) accessible(axe, what string, rules ...string) {
	b.t.Helper()
	b.do("open everything", chromedp.Evaluate[chromedp.Void](`{document.querySelectorAll("details").forEach(d => d.open = true); undefined}`))
	if !b.is(`window.axe`) {
		b.do("load axe-core", chromedp.Evaluate[chromedp.Void](axe+"\nundefined"))
	}
	only := ""
	if len(rules) > 0 {
		only = fmt.Sprintf(`, runOnly: {type: "rule", values: ["%s"]}`, strings.Join(rules, `", "`))
	}
	var found string
	b.do("look at "+what, chromedp.Func(func(ctx context.Context, target *chromedp.Target) (err error) {
		found, err = chromedp.Evaluate[string](`axe.run({resultTypes: ["violations"]`+only+`}).then(result => JSON.stringify(result.violations
			.filter(v => v.impact === "serious" || v.impact === "critical")
			.map(v => ({id: v.id, help: v.help, where: v.nodes.slice(0, 4).map(n => n.html.slice(0, 160) + " | " + n.any.map(a => a.message).join("; "))}))))`,
			func(p *runtime.EvaluateParams) { wait := true; p.AwaitPromise = &wait })(ctx, target)
		return err
	}))
	var violations []struct {
		ID    string   `json:"id"`
		Help  string   `json:"help"`
		Where []string `json:"where"`
	}
	if err := json.Unmarshal([]byte(found), &violations); err != nil {
		b.t.Fatal(err)
	}
	for _, v := range violations {
		b.t.Errorf("%s: %s (%s)\n  %s", what, v.Help, v.ID, strings.Join(v.Where, "\n  "))
	}
}
