package web

import (
	"net/url"
	pathpkg "path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/input"
)

// text is a field as it was typed. A field that the form does not have is absent.
func (v *visit) text(field string) input.TextInput { return textOf(v.form, field) }

func textOf(form map[string][]string, field string) input.TextInput {
	if values, ok := form[field]; ok && len(values) > 0 {
		return input.Given(values[0])
	}
	return input.TextInput{}
}

// number is a field that should be a whole number. An empty one is absent.
func (v *visit) number(field string) input.NumberInput { return numberOf(v.form.Get(field)) }

func numberOf(typed string) input.NumberInput {
	if strings.TrimSpace(typed) == "" {
		return input.NumberInput{}
	}
	return input.WholeNumber(typed)
}

// decimalOf reads a number that may have decimals. An empty one is absent.
func decimalOf(typed string) input.NumberInput {
	typed = strings.TrimSpace(typed)
	if typed == "" {
		return input.NumberInput{}
	}
	value, err := strconv.ParseFloat(typed, 64)
	if err != nil || strings.Trim(typed, "0123456789+-.") != "" {
		return input.Mistyped[float64]()
	}
	return input.Given(value)
}

// seenStep is the step that the form was drawn for: acting on a unit that moved meanwhile is refused.
func seenStep(v *visit) input.NumberInput { return v.number("expectedStepIndex") }

// standsNow says where a unit is that moved while somebody looked at it.
func standsNow(v *visit, id string) string {
	return id + " " + strings.TrimSuffix(whereNow(v, id), ".") + ". Nothing was done."
}

// whereNow says where a unit is by now, without its name.
func whereNow(v *visit, id string) string {
	detail, err := v.views.Card(v.r.Context(), id)
	if err != nil {
		return "moved meanwhile"
	}
	if step := detail.Card.Current(); step != nil {
		return "is at " + step.Name + " by now"
	}
	return "is " + strings.ToLower(wording.Words(detail.Card.Serial.Status)) + " by now"
}

// ownPath is a path of this site, so that nobody is led elsewhere by a crafted form.
//
// A browser reads a backslash as a slash, leaves out tabs and line feeds wherever they are, and takes . and .. out of a
// path before it looks whether that begins with two slashes: so none of this may be in it.
func ownPath(path string) string {
	if !strings.HasPrefix(path, "/") || strings.ContainsAny(path, "\\") ||
		strings.ContainsFunc(path, func(c rune) bool { return c <= ' ' || c == 0x7F || c == utf8.RuneError }) {
		return "/"
	}
	address, err := url.Parse(path)
	if err != nil || address.Scheme != "" || address.Host != "" || address.User != nil || address.Fragment != "" {
		return "/"
	}
	if clean := pathpkg.Clean(address.Path); clean != address.Path || address.RawPath != "" {
		return "/"
	}
	return path
}
