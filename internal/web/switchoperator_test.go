package web_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Only the button with an operator's name changes the operator of a device. No other key does, in whatever control of the head the focus
// is, and the focus is in no control after a change.
func TestOperatorChangesByButtonAlone(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.job("Shaft", "strict", 1, fields{"name": "Turn"})
	for _, name := range []string{"Sofia", "Olaf", "Ida"} {
		s.operator(name)
	}
	b := s.open()
	b.visit("/serials/SN-00001")
	b.work("Dana")
	b.says("You work as Dana now.")
	if !b.is(`document.activeElement.matches(".done, body")`) {
		t.Error("the focus is in a control after the operator was chosen")
	}
	const controls = `document.querySelectorAll("header :is(a[href], button, input, select, textarea)")`
	for i := range 20 {
		if !b.is(fmt.Sprintf(`%s[%d]?.focus() ?? (%[1]s.length > %[2]d)`, controls, i)) {
			if i < 3 {
				t.Fatalf("the head has %d controls", i)
			}
			break
		}
		b.do("type", chromedp.KeyEvent("SN-00543"+kb.PageDown+kb.ArrowDown+kb.Home+kb.End+kb.PageUp))
	}
	b.reload()
	b.wait("the operator is the same", `document.querySelector("header").innerText.includes("Dana")`)
	b.switchTo(s.operator("Sofia"))
	b.says("You work as Sofia now, no longer as Dana.")
	b.wait("the focus is on that", `document.activeElement.matches(".done")`)
}

// Enter in a field presses the first button of its form, so a field for an operator's name has a form without the buttons of others.
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
