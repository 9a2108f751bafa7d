package web_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
)

var decimalField = regexp.MustCompile(`<input\b[^>]*inputmode="decimal"[^>]*>`)

// Every field for a decimal number, on every page, refuses a number whose comma may separate thousands.
func TestUnclearNumbersAreRefused(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	at := s.addresses()
	v := s.works("Ann")
	patterns := make([]string, 0, len(at))
	for pattern := range at {
		patterns = append(patterns, pattern)
	}
	slices.Sort(patterns)
	fields := map[string]bool{}
	for _, address := range v.pagesAt(at, patterns) {
		page := v.visit(address).page
		for _, found := range formTag.FindAllStringSubmatch(page.html, -1) {
			for _, field := range decimalField.FindAllString(found[2], -1) {
				name := attribute(field, "name")
				if attribute(found[1], "method") != "post" || strings.HasPrefix(name, "value") {
					continue // readings have a test of their own
				}
				fields[name] = true
				if !v.refusesUnclear(found, name) {
					t.Errorf("%s: %s of the form to %s takes 1,500", address, name, attribute(found[1], "action"))
				}
			}
		}
	}
	if len(fields) < 7 {
		t.Errorf("only the fields %v were tried", fields)
	}
}

// refusesUnclear fills in an unclear number in a form of the page, and reports whether one of the form's buttons refuses it.
func (v *visitor) refusesUnclear(found []string, name string) bool {
	for _, button := range append(inputTag.FindAllString(found[2], -1), "") {
		if strings.HasPrefix(button, "<input") {
			continue
		}
		form := posted{attribute(found[1], "action"), map[string][]string{}}
		for _, tag := range inputTag.FindAllString(found[2], -1) {
			if kind := attribute(tag, "type"); strings.HasPrefix(tag, "<input") && kind != "checkbox" && kind != "radio" {
				value := attribute(tag, "value")
				if attribute(tag, "name") == name {
					value = "1,500"
				}
				form.values.Add(attribute(tag, "name"), value)
			}
		}
		form.values.Del("once") // the form is posted several times
		if attribute(button, "name") != "" {
			form.values.Set(attribute(button, "name"), attribute(button, "value"))
		}
		v.post(form)
		if v.page.status == http.StatusBadRequest && strings.Contains(v.text(), "1,500 can be 1.500 or 1500.") {
			return true
		}
	}
	return false
}

// On a page with a decimal comma, 1,5 is one and a half, and 1.500 is refused because it may be fifteen hundred.
func TestDecimalComma(t *testing.T) {
	t.Parallel()
	languages := lang.Languages()
	s := openShop(t).speakingOnly("de", languages...)
	v := s.works("Ann")
	v.visit("/lots").press(`name="material"`, "material", "316L", "unit", "kg", "quantity", "1.500")
	if v.page.status != http.StatusBadRequest || !strings.Contains(v.text(), "1.500 kann 1,500 oder 1500 sein.") {
		t.Errorf("1.500: %d %s", v.page.status, v.text())
	}
	v.visit("/lots").press(`name="material"`, "material", "316L", "unit", "kg", "quantity", "1,5")
	page, err := s.service.Lots(t.Context(), shop.LotQuery{Limit: 10})
	s.must(err)
	if len(page.Items) != 1 || page.Items[0].Quantity != "1.5" {
		t.Errorf("1,5 is recorded as %v", page.Items)
	}
}
