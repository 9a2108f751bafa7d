package input

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"
)

// Decimal is a number as typed, such as 12.500: it is stored with its zeros and compared by its exact value. Use ParseDecimal to create a
// Decimal. The zero Decimal is not a number.
type Decimal string

// decimalDigits is the maximum number of digits of a Decimal written without an exponent, not counting leading zeros.
const decimalDigits = 18

// decimalRoom is the maximum length of a Decimal in characters.
const decimalRoom = 64

// ParseDecimal reads a number with an optional sign, point and exponent. It returns false for every other text, and for a number that has
// more than 18 digits when written without an exponent.
func ParseDecimal(typed string) (Decimal, bool) {
	typed = strings.TrimSpace(typed)
	_, plain := Decimal(typed).plain()
	return Decimal(typed), plain
}

// plainDecimal is the unique form of a number: a minus sign or none, no exponent, no leading or trailing zeros.
type plainDecimal struct {
	negative        bool
	whole, fraction string // digits
}

// plain splits a number into its parts, and reports whether it is a number.
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

// Rat returns the exact value. d must be a number.
func (d Decimal) Rat() *big.Rat {
	number, ok := new(big.Rat).SetString(string(d))
	if !ok {
		return new(big.Rat)
	}
	return number
}

// Compare returns -1 if d is less than other, 0 if they are equal, and +1 if d is greater. Both must be numbers.
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

// Plus returns the exact sum of two numbers, written without an exponent and with as many decimal places as the number that has more. It
// returns false if the sum has more than 18 digits. Both must be numbers.
func (d Decimal) Plus(other Decimal) (Decimal, bool) { return d.sum(other, 1) }

// Minus returns the exact difference of two numbers, as Plus does.
func (d Decimal) Minus(other Decimal) (Decimal, bool) { return d.sum(other, -1) }

func (d Decimal) sum(other Decimal, sign int64) (Decimal, bool) {
	value := new(big.Rat).Mul(other.Rat(), new(big.Rat).SetInt64(sign))
	return ParseDecimal(value.Add(d.Rat(), value).FloatString(max(d.places(), other.places())))
}

// places returns the number of decimal places, as typed.
func (d Decimal) places() int {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(string(d)), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	power, err := strconv.Atoi(exponent)
	if err != nil {
		power = 0 // no exponent
	}
	return max(0, len(fraction)-power)
}

// Integral reports whether a number has no fraction: 12.00 has none.
func (d Decimal) Integral() bool {
	p, ok := d.plain()
	return ok && p.fraction == ""
}

// Sign returns -1, 0 or +1 as a number is below, equal to or above 0.
func (d Decimal) Sign() int { return d.Rat().Sign() }
