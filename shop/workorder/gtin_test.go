package workorder_test

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/shop/workorder"
)

// checkDigit calculates the check digit as in the GS1 General Specifications: odd positions from the right have weight 3.
func checkDigit(digits string) string {
	sum := 0
	for i := range len(digits) {
		sum += int(digits[len(digits)-1-i]-'0') * []int{3, 1}[i%2]
	}
	return strconv.Itoa((10 - sum%10) % 10)
}

// Every GTIN with the right check digit is accepted, also with leading zeros. Changing one digit makes it invalid.
func TestGTIN(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.StringMatching(`[1-9]([0-9]{6}|[0-9]{10,12})`).Draw(t, "body")
		text := body + checkDigit(body)
		gtin, ok := workorder.GTIN14(text)
		if !ok || len(gtin) != 14 || strings.TrimLeft(gtin, "0") != text {
			t.Fatalf("%s is read as %q, %v", text, gtin, ok)
		}
		spelled := workorder.GTINSpellings(gtin)
		for _, length := range []int{8, 12, 13, 14} {
			if length < len(text) {
				continue
			}
			padded := strings.Repeat("0", length-len(text)) + text
			if same, ok := workorder.GTIN14(padded); !ok || same != gtin {
				t.Fatalf("%s is read as %q", padded, same)
			}
			if !strings.Contains(strings.Join(spelled, " ")+" ", padded+" ") {
				t.Fatalf("%s is not among %q", padded, spelled)
			}
		}
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		wrong := []byte(text)
		wrong[at] = '0' + (wrong[at]-'0'+byte(rapid.IntRange(1, 9).Draw(t, "by")))%10
		if _, ok := workorder.GTIN14(string(wrong)); ok {
			t.Fatalf("%s has a wrong check digit", wrong)
		}
	})
	for _, text := range []string{
		"", "0", "00000000", "00000000000000", "4006381333931 ", "400638133393", "40063813339311", "4006-381333931", "４００６３８１３３３９３１",
		"036000291452.0", "3.6000291452E+10", "36000291452", "6000291452",
	} {
		if gtin, ok := workorder.GTIN14(text); ok {
			t.Errorf("%q is read as %s", text, gtin)
		}
	}
}
