package input

import (
	"strings"

	"github.com/routecard/routecard/shop/refusal"
)

// Plain converts a number in a file to the interface's form, with a decimal point. ok is false if the number is ambiguous. A text that is
// not a number is returned without surrounding blanks.
func (d DecimalSigns) Plain(text string) (plain string, ok bool) {
	text = strings.TrimSpace(text)
	switch {
	case d == DecimalComma && grouped.MatchString(text):
		return text, false
	case d != DecimalPoint && !strings.Contains(text, ".") && strings.Count(text, ",") == 1:
		return strings.Replace(text, ",", ".", 1), true
	}
	return text, true
}

// Written converts the number in a field to the interface's form. It returns a text that is not a number unchanged, so that the operation
// refuses it.
func (d DecimalSigns) Written(field string, in WrittenInput) (WrittenInput, error) {
	if in.State != StateGiven {
		return in, nil
	}
	plain, ok := d.Plain(string(in.Value))
	if !ok {
		return in, refusal.RefuseField(PointUnclear, field, plain)
	}
	return Given(Written(plain)), nil
}
