package workorder

import (
	"strings"

	"github.com/routecard/routecard/shop/refusal"
)

// GTINLimit is the number of digits of the longest GTIN. A shorter GTIN is the same number with leading zeros.
const GTINLimit = 14

// GTIN14 returns a GTIN of 8, 12, 13 or 14 digits with leading zeros, the form for comparing. It returns false for any other text, for a
// wrong check digit, and for zeros only.
func GTIN14(text string) (gtin string, ok bool) {
	if !gtinDigits(text) || !RightCheckDigit(text) || strings.Trim(text, "0") == "" {
		return "", false
	}
	return strings.Repeat("0", GTINLimit-len(text)) + text, true
}

// GTINSpellings returns the ways to write a GTIN of 14 digits: with 14, 13, 12 and 8 digits. If the number needs more digits, the shortest
// length that has all of them is used. A text that is not a GTIN of 14 digits has no other spelling.
func GTINSpellings(gtin string) []string {
	spelled := []string{gtin, gtin, gtin, gtin}
	if len(gtin) != GTINLimit {
		return spelled
	}
	for i, length := range []int{13, 12, 8} {
		spelled[i+1] = spelled[i]
		if short, zeros := strings.CutPrefix(gtin, strings.Repeat("0", GTINLimit-length)); zeros {
			spelled[i+1] = short
		}
	}
	return spelled
}

// gtinDigits reports whether a text has only digits, and as many as a GTIN can have.
func gtinDigits(text string) bool {
	switch len(text) {
	case 8, 12, 13, GTINLimit:
		return onlyDigits(text)
	}
	return false
}

// RightCheckDigit reports whether a text has only digits and the last is the GS1 check digit. With the weights 1, 3, 1, 3 and so on from
// the right, the weighted sum must be a multiple of ten.
func RightCheckDigit(text string) bool {
	if text == "" || !onlyDigits(text) {
		return false
	}
	sum := 0
	for i := range len(text) {
		weight := 1
		if (len(text)-i)%2 == 0 {
			weight = 3
		}
		sum += weight * int(text[i]-'0')
	}
	return sum%10 == 0
}

func onlyDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// CheckGTIN refuses a text that is not a GTIN. It accepts "".
func CheckGTIN(field, text string) error {
	if text == "" {
		return nil
	}
	if !gtinDigits(text) {
		return refusal.RefuseField(NotGTIN, field)
	}
	if _, ok := GTIN14(text); !ok {
		return refusal.RefuseField(WrongCheckDigit, field)
	}
	return nil
}

// Reasons for refusing a GTIN.
var (
	NotGTIN         = refusal.NewReason(refusal.Invalid, "must_be_gtin", "{field} must be a GTIN of 8, 12, 13 or 14 digits")
	WrongCheckDigit = refusal.NewReason(refusal.Invalid, "wrong_check_digit", "{field} must end in its check digit")
)
