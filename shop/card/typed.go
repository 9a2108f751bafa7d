package card

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/routecard/routecard/internal/units"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// People type readings, and machines write them, in more ways than the interface has: with a decimal comma, with the unit after the
// number, and with other words for pass and fail. Here they become what is recorded.

// TypedNumber is a number as somebody typed it, with the unit that may stand after it.
type TypedNumber struct {
	Number string // with a decimal point
	Unit   string // "" when none was typed
}

var numberThenRest = regexp.MustCompile(`^([-+]?[0-9.,]+(?:[eE][-+]?\d+)?)\s*(.*)$`)

// ReadTypedNumber reads a number with a decimal point or comma and perhaps a unit. It reports false for every other text, also for a
// number with both a point and a comma: one of them could separate thousands.
func ReadTypedNumber(text string) (typed TypedNumber, ok bool) {
	parts := numberThenRest.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return typed, false
	}
	plain, _ := input.DecimalEither.Plain(parts[1])
	_, ok = input.ParseDecimal(plain)
	return TypedNumber{Number: plain, Unit: parts[2]}, ok
}

// PlainReading returns a reading that a person typed as Record Measurements takes it. It refuses a number with another unit than the
// characteristic has. A text that is no reading of the type stays as it is, for the operation to refuse.
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

// farOff is how many times a reading is greater or less than expected before its decimal sign seems to be lost or moved. It is below 10,
// as the reading without that mistake would differ from the nominal, too.
const farOff input.Decimal = "8"

// TenTimesOff reports whether a reading is out of limits and about ten times greater or less than expected, or more, as when its decimal
// sign is lost. Expected is the nominal; without one, or when it is 0, the limit that is farthest from 0.
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

// expectedSize is the size of a reading that is as it should be; "0" where the limits do not tell.
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

// absolute is a number without its sign.
func absolute(d input.Decimal) input.Decimal { return input.Decimal(strings.TrimLeft(string(d), "+-")) }

// TypedUnit is why a reading is refused that was typed with another unit.
var TypedUnit = refusal.NewReason(refusal.Invalid, "unit_differs", "{field} was typed in {value}, and {number} is measured in {planned}")
