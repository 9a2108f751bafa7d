package card

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/routecard/routecard/internal/units"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// This file converts readings that people type and machines write to the form of the interface. Such readings may have a decimal comma, a
// unit after the number, and other words for pass and fail.

// TypedNumber is a number as a person typed it, with the unit if one was typed after it.
type TypedNumber struct {
	Number string // with a decimal point
	Unit   string // "" if none was typed
}

var numberThenRest = regexp.MustCompile(`^([-+]?[0-9.,]+(?:[eE][-+]?\d+)?)\s*(.*)$`)

// ReadTypedNumber reads a number with a decimal point or comma and an optional unit. ok is false for every other text, and for a number
// with both a point and a comma, since either could separate thousands.
func ReadTypedNumber(text string) (typed TypedNumber, ok bool) {
	parts := numberThenRest.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return typed, false
	}
	plain, _ := input.DecimalEither.Plain(parts[1])
	_, ok = input.ParseDecimal(plain)
	return TypedNumber{Number: plain, Unit: parts[2]}, ok
}

// grouped matches a number whose point or comma either separates thousands or precedes three decimal places.
var grouped = regexp.MustCompile(`^([-+]?[1-9]\d{0,2})[.,](\d{3})$`)

// UnclearNumber returns the two numbers that a typed number can be if its point or comma may separate thousands. That is the point in
// languages with a decimal comma, and the comma in languages with a decimal point, where 1,234 is 1.234 or 1234. ok is false for every
// other text.
func UnclearNumber(text string, decimalComma bool) (decimal, whole string, ok bool) {
	separator := ","
	if decimalComma {
		separator = "."
	}
	typed := numberThenRest.FindStringSubmatch(strings.TrimSpace(text))
	if len(typed) == 0 || !strings.Contains(typed[1], separator) {
		return "", "", false
	}
	groups := grouped.FindStringSubmatch(typed[1])
	if groups == nil {
		return "", "", false
	}
	return groups[1] + "." + groups[2], groups[1] + groups[2], true
}

// PlainReading converts a typed reading to the form that Record Measurements takes. It refuses a number with a unit other than the
// characteristic's. It returns a text that is no reading of the type unchanged, so that the operation refuses it.
func PlainReading(c *Characteristic, field, text string) (string, error) {
	if c.Type != NumberReading {
		return text, nil
	}
	typed, ok := ReadTypedNumber(text)
	switch {
	case !ok:
		return text, nil
	case typed.Unit == "" || units.Same(typed.Unit, c.Unit):
		return typed.Number, nil
	case units.Known(typed.Unit):
		return "", refusal.RefuseField(TypedUnit, field, typed.Unit, c.Called(), cmp.Or(c.Unit, "none"))
	}
	return text, nil
}

// farOff is the factor between a reading and the expected value from which the decimal sign seems lost or moved. It is below 10, because
// even the intended reading would differ from the nominal.
const farOff input.Decimal = "8"

// TenTimesOff reports whether a reading is out of limits and at least about ten times greater or less than expected, as when its decimal
// sign is lost. The expected value is the nominal or, if that is missing or 0, the limit farthest from 0.
func TenTimesOff(l Limits, value input.Decimal) bool {
	below, above := l.Outside(value)
	if !below && !above && (l.Lower != "" || l.Upper != "") {
		return false
	}
	expected, is := expectedSize(l).Rat(), value.Rat()
	expected.Abs(expected)
	is.Abs(is)
	if expected.Sign() == 0 {
		return false
	}
	ratio := is.Quo(is, expected)
	return ratio.Cmp(farOff.Rat()) >= 0 || ratio.Mul(ratio, farOff.Rat()).Cmp(input.Decimal("1").Rat()) <= 0
}

// expectedSize returns the value that a good reading is close to, or "0" when the limits do not determine one.
func expectedSize(l Limits) input.Decimal {
	if l.Nominal != "" && l.Nominal.Compare("0") != 0 {
		return l.Nominal
	}
	farthest := input.Decimal("0")
	for _, limit := range []input.Decimal{l.Lower, l.Upper} {
		if limit != "" && absolute(limit).Compare(absolute(farthest)) > 0 {
			farthest = limit
		}
	}
	return farthest
}

// absolute returns the number without its sign.
func absolute(d input.Decimal) input.Decimal { return input.Decimal(strings.TrimLeft(string(d), "+-")) }

// TypedUnit refuses a reading that was typed with another unit.
var TypedUnit = refusal.NewReason(refusal.Invalid, "unit_differs", "{field} was typed in {value}, and {number} is measured in {planned}")
