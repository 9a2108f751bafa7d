package input

import (
	"strings"

	"github.com/routecard/routecard/shop/refusal"
)

// Plain is a number of a file as the interface writes it, with a point; ok reports whether there is one way to read it. A text that
// is no number stays as it is, but for the blanks around it.
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

// Written is a number that a field has, as the interface writes it. A text that is none stays as it is, for the operation to refuse.
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
