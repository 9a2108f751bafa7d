package site

import (
	"context"
	"net/url"
	pathpkg "path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Text returns a field as the user typed it. It is absent if the form does not have the field.
func (v *Visit) Text(field string) input.TextInput { return textOf(v.Form, field) }

func textOf(form map[string][]string, field string) input.TextInput {
	if values, ok := form[field]; ok && len(values) > 0 {
		return input.Given(values[0])
	}
	return input.TextInput{}
}

// Number reads a field as a whole number. An empty field is absent.
func (v *Visit) Number(field string) input.NumberInput { return NumberOf(v.Form.Get(field)) }

// NumberOf reads a typed number.
func NumberOf(typed string) input.NumberInput {
	if strings.TrimSpace(typed) == "" {
		return input.NumberInput{}
	}
	return input.WholeNumber(typed)
}

// DecimalOf reads a decimal number. An empty text is absent.
func DecimalOf(typed string) input.NumberInput {
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

// SeenStep is the step that the page showed when the form was rendered. If the unit has moved since then, the operation is refused.
func SeenStep(v *Visit) input.NumberInput { return v.Number("expectedStepIndex") }

// StandsNow describes the current position of a unit that has moved since the page was rendered.
func StandsNow(v *Visit, id string) string {
	return v.T("{unit} {where}. Nothing was done.", "unit", id, "where", strings.TrimSuffix(WhereNow(v, id), "."))
}

// WhereNow describes the current position of a unit, without its name.
func WhereNow(v *Visit, id string) string {
	detail, err := v.Views.Card(v.R.Context(), id)
	if err != nil {
		return v.T("moved meanwhile")
	}
	if step := detail.Card.Current(); step != nil {
		return v.T("is at {step} by now", "step", step.Name)
	}
	return v.T("is {status} by now", "status", lang.InSentence(v.Language, detail.Card.Serial.Status))
}

// OwnPath returns the path if it is a path on this site, so that a crafted form cannot redirect users to another site.
//
// Browsers treat a backslash as a slash, ignore tabs and line feeds anywhere, and remove "." and ".." from a path before they check for two
// leading slashes. So the path must not contain any of these.
func OwnPath(path string) string {
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

// InstrumentNamed returns an instrument, or the zero value if the instrument does not exist. The identifier may come from a cookie and be
// outdated.
func InstrumentNamed(ctx context.Context, v *Visit, id string) (shop.Instrument, error) {
	found, err := v.Service.Instrument(ctx, id)
	if refused, ok := AsRefusal(err); ok && refused.Kind == refusal.NotFound {
		return shop.Instrument{}, nil
	}
	return found, err
}

// Visible replaces the control characters between the elements of a code with spaces.
func Visible(code string) string {
	return strings.Join(strings.FieldsFunc(code, unicode.IsControl), " ")
}

// Cut truncates a text to a maximum number of characters.
func Cut(text string, limit int) string {
	runes := []rune(strings.TrimSpace(text))
	if len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return string(runes)
}
