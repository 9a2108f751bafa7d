package web_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/routecard/routecard/internal/browsertest"
)

// Only the button with an operator's name changes the operator of a device. No other key does, in any control of the page header. After a
// change no control has the focus.
func TestOperatorChangesByButtonAlone(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	s.Job("Shaft", "strict", 1, fields{"name": "Turn"})
	for _, name := range []string{"Sofia", "Olaf", "Ida"} {
		s.Operator(name)
	}
	b := s.Open()
	b.Visit("/serials/SN-00001")
	b.Work("Dana")
	b.Says("You work as Dana now.")
	if !b.Is(`document.activeElement.matches(".done, body")`) {
		t.Error("the focus is in a control after the operator was chosen")
	}
	const controls = `document.querySelectorAll("header :is(a[href], button, input, select, textarea)")`
	for i := range 20 {
		if !b.Is(fmt.Sprintf(`%s[%d]?.focus() ?? (%[1]s.length > %[2]d)`, controls, i)) {
			if i < 3 {
				t.Fatalf("the head has %d controls", i)
			}
			break
		}
		b.Do("type", chromedp.KeyEvent("SN-00543"+kb.PageDown+kb.ArrowDown+kb.Home+kb.End+kb.PageUp))
	}
	b.Reload()
	b.Wait("the operator is the same", `document.querySelector("header").innerText.includes("Dana")`)
	b.SwitchTo(s.Operator("Sofia"))
	b.Says("You work as Sofia now, no longer as Dana.")
	b.Wait("the focus is on that", `document.activeElement.matches(".done")`)
}

// Enter in a field presses the first button of its form. So the field for an operator's name is in a form without the buttons of the other
// operators.
func TestTypedOperatorIsNotTheFirstListed(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	for i := range 30 {
		s.operator(fmt.Sprintf("Operator %03d", i))
	}
	v := s.visitor()
	buttons := regexp.MustCompile(`<button[^>]* name="operator"`)
	for _, address := range []string{"/", "/scan"} {
		v.visit(address).press(`list="people"`, "operator", "Operator 007")
		typed := 0
		for _, form := range formTag.FindAllString(v.visit(address).page.html, -1) {
			if !strings.Contains(form, `action="/operator"`) || !strings.Contains(form, `list="people"`) {
				continue
			}
			if typed++; buttons.MatchString(form) {
				t.Errorf("%s: Enter after a typed name presses the button of another operator:\n%s", address, form)
			}
		}
		if typed != 1 {
			t.Errorf("%s has %d fields for a name", address, typed)
		}
	}
	v.visit("/").press("Stop working as", "operator", "")
	v.says("You no longer work as Operator 007.")
}
