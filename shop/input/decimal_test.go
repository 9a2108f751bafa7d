package input

import (
	"math/big"
	"strings"
	"testing"
)

// docs/measuring.md, "What is measured": numbers have at most 18 digits, and are stored as typed.
func TestParseDecimal(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{
		"0", "12.500", "-0.003", "+1", ".250", "-.5", "1e3", "1E-7", "12.5e+1", "999999999999999999", "0.12345678901234567", "1e17", "-0",
		"1e-18", "0e18", "100e-3", "000000000000000000000012.5", "1.2345678901234567e-2", "0.123456789012345678",
	} {
		if number, ok := ParseDecimal(" " + typed + "\t"); !ok || string(number) != typed {
			t.Errorf("%s was read as %q, %v", typed, number, ok)
		}
	}
	for _, typed := range []string{
		"", " ", ".", "-", "+", "1.", "1e", "e3", "1e400", "1e-400", "1e18", "1e-19", "NaN", "Inf", "-Infinity", "0x10", "1_000", "1,5", "1/3",
		"--1", "+-1", "1 2", "1.2.3", "1e1.5", "1e1e1", "1234567890123456789", "0.1234567890123456789", "12.00000000000000000", "١", "1\x00",
		"1e99999999999999999999", strings.Repeat("0", 65),
	} {
		if number, ok := ParseDecimal(typed); ok {
			t.Errorf("%q is the number %q", typed, number)
		}
	}
}

// docs/measuring.md, "What is measured": numbers are compared exactly.
func TestCompareDecimals(t *testing.T) {
	t.Parallel()
	// Each group is less than the next; the numbers in a group are equal.
	for i, less := range sameNumbers {
		for j, more := range sameNumbers {
			for _, a := range less {
				for _, b := range more {
					want := 0
					if i != j {
						want = map[bool]int{true: -1, false: 1}[i < j]
					}
					if got := a.Compare(b); got != want {
						t.Errorf("%s is to %s as %d, want %d", a, b, got, want)
					}
				}
			}
		}
	}
}

var sameNumbers = [][]Decimal{
	{"-999999999999999999"}, {"-10", "-1e1", "-10.0"}, {"-9.99"}, {"-0.1", "-.1", "-1e-1"}, {"-0.09"}, {"0", "-0", "+0.000", "0e5", ".0"},
	{"0.000000000000000001", "1e-18"}, {"0.09"}, {"0.1", ".1", "+0.10"}, {"0.3"}, {"0.30000000000000004"}, {"9"},
	{"12.5", "12.500", "1.25e1", "0012.5", "125e-1"}, {"100", "1e2"}, {"9007199254740992"}, {"9007199254740993"}, {"999999999999999999"},
}

// FuzzDecimal compares the parsing and the order of decimals with exact fractions.
func FuzzDecimal(f *testing.F) {
	for _, numbers := range sameNumbers {
		f.Add(string(numbers[0]), "12.500")
	}
	f.Add("1e400", "NaN")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, ok := ParseDecimal(a)
		y, both := ParseDecimal(b)
		if !ok || !both {
			return
		}
		exactly, known := new(big.Rat).SetString(string(x))
		other, knownToo := new(big.Rat).SetString(string(y))
		if !known || !knownToo {
			t.Fatalf("%q or %q is no number", x, y)
		}
		if got, want := x.Compare(y), exactly.Cmp(other); got != want {
			t.Errorf("%s is to %s as %d, want %d", x, y, got, want)
		}
		if string(x) != strings.TrimSpace(a) {
			t.Errorf("%q was kept as %q", a, x)
		}
	})
}
