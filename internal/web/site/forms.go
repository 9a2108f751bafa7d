package site

import (
	"context"
	"net/url"
	pathpkg "path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Text is a field as it was typed. A field that the form does not have is absent.
func (v *Visit) Text(field string) input.TextInput { return textOf(v.Form, field) }

func textOf(form map[string][]string, field string) input.TextInput {
	if values, ok := form[field]; ok && len(values) > 0 {
		return input.Given(values[0])
	}
	return input.TextInput{}
}

// Number is a field that should be a whole number. An empty one is absent.
func (v *Visit) Number(field string) input.NumberInput { return NumberOf(v.Form.Get(field)) }

// NumberOf reads a number that was typed.
func NumberOf(typed string) input.NumberInput {
	if strings.TrimSpace(typed) == "" {
		return input.NumberInput{}
	}
	return input.WholeNumber(typed)
}

// DecimalOf reads a number that may have decimals. An empty one is absent.
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

// SeenStep is the step that the form was drawn for: acting on a unit that moved meanwhile is refused.
func SeenStep(v *Visit) input.NumberInput { return v.Number("expectedStepIndex") }

// StandsNow says where a unit is that moved while somebody looked at it.
func StandsNow(v *Visit, id string) string {
	return id + " " + strings.TrimSuffix(WhereNow(v, id), ".") + ". Nothing was done."
}

// WhereNow says where a unit is by now, without its name.
func WhereNow(v *Visit, id string) string {
	detail, err := v.Views.Card(v.R.Context(), id)
	if err != nil {
		return "moved meanwhile"
	}
	if step := detail.Card.Current(); step != nil {
		return "is at " + step.Name + " by now"
	}
	return "is " + strings.ToLower(wording.Words(detail.Card.Serial.Status)) + " by now"
}

// OwnPath is a path of this site, so that nobody is led elsewhere by a crafted form.
//
// A browser reads a backslash as a slash, leaves out tabs and line feeds wherever they are, and takes . and .. out of a
// path before it looks whether that begins with two slashes: so none of this may be in it.
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

// LowerFirst is a text that begins with a small letter.
func LowerFirst(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToLower(text[:1]) + text[1:]
}

// InstrumentNamed is an instrument, and none for one that is not there: a cookie may have outlived it.
func InstrumentNamed(ctx context.Context, v *Visit, id string) (shop.Instrument, error) {
	found, err := v.Service.Instrument(ctx, id)
	if refused, ok := AsRefusal(err); ok && refused.Kind == refusal.NotFound {
		return shop.Instrument{}, nil
	}
	return found, err
}

// Visible is a code without the control characters between its elements.
func Visible(code string) string {
	return strings.Join(strings.FieldsFunc(code, unicode.IsControl), " ")
}

// Cut is a text of at most so many characters.
func Cut(text string, limit int) string {
	runes := []rune(strings.TrimSpace(text))
	if len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return string(runes)
}
