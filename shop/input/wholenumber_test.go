package input

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/shop/refusal"
)

// TestWholeNumber reads whole numbers, and ambiguous texts.
func TestWholeNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"0": 0, "7": 7, " 1000\t": 1000, "-3": -3, "9007199254740991": NumberLimit} {
		if got := WholeNumber(text); got != Given(want) {
			t.Errorf("%q is %+v, want %v", text, got, want)
		}
	}
	for _, text := range []string{
		"", "1.000", "1,000", "25,000", "1 000", "1\u00a0000", "1\u202f000", "1'000", "1’000", "1_000", "1.0", "1e2", "1E+02", "000815", "00", "-0",
		"+5", "- 5", "0x10", "٣", "5pcs", "∞", "NaN", "Inf",
	} {
		if _, err := Whole("units", WholeNumber(text)); err == nil || err.Error() != refusal.RefuseField(refusal.NotDigits, "units").Error() {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"9007199254740993", strings.Repeat("9", 400)} {
		if _, err := RequiredQuantity("units", WholeNumber(text)); err == nil || err.Error() != "units must be at most 9007199254740991" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestWholeNumberIsWritten draws texts. A text is accepted only if strconv formats the number as exactly that text.
func TestWholeNumberIsWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringMatching(`[-+ ]?[0-9., '\x{a0}eE]{1,12}`), rapid.StringMatching(`-?[0-9]{1,18}`), rapid.String()).Draw(t, "text")
		in := WholeNumber(text)
		if in.State == StateNotDigits {
			return
		}
		if math.Abs(in.Value) <= NumberLimit && strconv.FormatInt(int64(in.Value), 10) != strings.TrimSpace(text) {
			t.Fatalf("%q was read as %v", text, in.Value)
		}
	})
}
