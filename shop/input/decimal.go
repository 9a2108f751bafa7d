package input

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"
)

// Decimal is a number as somebody typed it, such as 12.500: it is kept with its zeros, and compared as the exact number that it
// is. ParseDecimal makes them. The zero Decimal is no number.
type Decimal string

// decimalDigits are how many digits a Decimal has at most, written without an exponent. Zeros at its beginning do not count.
const decimalDigits = 18

// decimalRoom is how many characters it has at most.
const decimalRoom = 64

// ParseDecimal reads a number with an optional sign, point and exponent. It is false for every other text, also for one with
// more than 18 digits in all, and for an exponent that asks for more.
func ParseDecimal(typed string) (Decimal, bool) {
	typed = strings.TrimSpace(typed)
	_, plain := Decimal(typed).plain()
	return Decimal(typed), plain
}

// plainDecimal is a number without what can be written in several ways: no sign but a minus, no exponent, no zeros at its ends.
type plainDecimal struct {
	negative        bool
	whole, fraction string // digits
}

// plain takes a number apart, and reports whether it is one.
func (d Decimal) plain() (p plainDecimal, ok bool) {
	digits, power, exponential := string(d), 0, false
	if len(digits) > decimalRoom {
		return p, false
	}
	if at := strings.IndexAny(digits, "eE"); at >= 0 {
		var err error
		power, err = strconv.Atoi(digits[at+1:])
		if err != nil || power < -decimalDigits || power > decimalDigits {
			return p, false
		}
		digits, exponential = digits[:at], true
	}
	switch {
	case strings.HasPrefix(digits, "-"):
		p.negative, digits = true, digits[1:]
	case strings.HasPrefix(digits, "+"):
		digits = digits[1:]
	}
	whole, fraction, pointed := strings.Cut(digits, ".")
	if whole+fraction == "" || pointed && fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return p, false
	}
	if exponential {
		zeros := strings.Repeat("0", max(power, -power))
		if power > 0 {
			fraction += zeros
			whole, fraction = whole+fraction[:power], fraction[power:]
		} else {
			whole = zeros + whole
			whole, fraction = whole[:len(whole)+power], whole[len(whole)+power:]+fraction
		}
		fraction = strings.TrimRight(fraction, "0")
	}
	p.whole, p.fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if len(p.whole)+len(fraction) > decimalDigits {
		return p, false
	}
	p.negative = p.negative && p.whole+p.fraction != ""
	return p, true
}

// Rat is the number itself. It must be one.
func (d Decimal) Rat() *big.Rat {
	number, ok := new(big.Rat).SetString(string(d))
	if !ok {
		return new(big.Rat)
	}
	return number
}

// Compare returns -1 when a number is less than another one, 0 when they are equal, and +1 when it is greater. Both must be
// numbers.
func (d Decimal) Compare(other Decimal) int {
	a, _ := d.plain()
	b, _ := other.plain()
	switch {
	case a.negative && !b.negative:
		return -1
	case b.negative && !a.negative:
		return 1
	case a.negative:
		a, b = b, a
	}
	return cmp.Or(
		cmp.Compare(len(a.whole), len(b.whole)), strings.Compare(a.whole, b.whole), strings.Compare(a.fraction, b.fraction),
	)
}
