package card

import (
	"strings"
	"testing"

	"github.com/routecard/routecard/shop/input"
)

func TestReadTypedNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]TypedNumber{
		"12.503": {"12.503", ""}, " 12,503 ": {"12.503", ""}, "0.001 mm": {"0.001", "mm"}, "0,001mm": {"0.001", "mm"}, "-4,0 °": {"-4.0", "°"},
		"+.5": {"+.5", ""}, "1.5e3": {"1.5e3", ""}, "5E-3 mm": {"5E-3", "mm"}, "12 burrs": {"12", "burrs"},
	} {
		if got, ok := ReadTypedNumber(text); !ok || got != want {
			t.Errorf("%q: %+v, %t", text, got, ok)
		}
	}
	for _, text := range []string{"", "mm", "1.000,5", "1,000.5", "1,000,000", "1..5", "pass", "e5", ".", ",", "１２", "1 234,5 mm x 1,2,3,"} {
		if got, ok := ReadTypedNumber(text); ok && got.Unit == "" {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// A typed number can be two numbers if its point or comma may separate thousands in the language of the page. Every other typed number is
// one number.
func TestUnclearNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text               string
		inEnglish, inComma string // the two numbers in a language with a decimal point, and in one with a decimal comma; "" for one number
	}{
		{"12,5", "", ""}, {"12.5", "", ""}, {"1.234", "", "1.234 1234"}, {"1,234", "1.234 1234", ""}, {" 1,234 mm", "1.234 1234", ""},
		{"1.234mm", "", "1.234 1234"}, {"-12.503", "", "-12.503 -12503"}, {"+999,000", "+999.000 +999000", ""}, {"0,234", "", ""}, {"0.500", "", ""},
		{"012.345", "", ""}, {"1234.567", "", ""}, {"1234,567", "", ""}, {"1,2345", "", ""}, {"1.23", "", ""}, {"1.234.567", "", ""},
		{"1,234,567", "", ""}, {"1.234,5", "", ""}, {"1,234.5", "", ""}, {"1.234e3", "", ""}, {".234", "", ""}, {"1234", "", ""}, {"", "", ""},
		{"burr", "", ""},
	} {
		for comma, want := range map[bool]string{false: c.inEnglish, true: c.inComma} {
			decimal, whole, ok := UnclearNumber(c.text, comma)
			if got := strings.TrimSpace(decimal + " " + whole); got != want || ok != (want != "") {
				t.Errorf("%q with a decimal comma %t: %q, %t, want %q", c.text, comma, got, ok, want)
			}
		}
	}
}

func TestPlainReading(t *testing.T) {
	t.Parallel()
	bore := &Characteristic{Number: "7", Type: NumberReading, Unit: "mm"}
	count := &Characteristic{Number: "8", Type: NumberReading}
	for _, c := range []struct {
		of         *Characteristic
		text, want string
		refused    bool
	}{
		{bore, "12,503", "12.503", false}, {bore, "12.503 MM", "12.503", false}, {bore, "0.5 in", "", true}, {bore, "12.5 x", "12.5 x", false},
		{count, "3", "3", false}, {count, "3 mm", "", true}, {&Characteristic{Type: TextReading}, "1,5 mm", "1,5 mm", false},
	} {
		got, err := PlainReading(c.of, "value", c.text)
		if got != c.want || (err != nil) != c.refused {
			t.Errorf("%q of %s: %q, %v", c.text, c.of.Number, got, err)
		}
	}
}

func TestTenTimesOff(t *testing.T) {
	t.Parallel()
	bore := Limits{Nominal: "48.000", Lower: "47.990", Upper: "48.010"}
	runout := Limits{Nominal: "0", Upper: "0.01"}
	for _, c := range []struct {
		limits Limits
		value  input.Decimal
		want   bool
	}{
		{bore, "48001", true}, {bore, "480.01", true}, {bore, "4.8001", true}, {bore, "48.5", false}, {bore, "48.000", false}, {bore, "-48001", true},
		{bore, "0", true}, {runout, "0.005", false}, {runout, "0.0001", false}, {runout, "0.05", false}, {runout, "5", true}, {runout, "0", false},
		{Limits{}, "48001", false}, {Limits{Nominal: "5"}, "50", true}, {Limits{Nominal: "5"}, "49", true}, {Limits{Nominal: "5"}, "39", false}, {Limits{Lower: "800"}, "80", true},
		{Limits{Lower: "-0.005", Upper: "0.005"}, "1", true}, {Limits{Lower: "-0.005", Upper: "0.005"}, "0.006", false},
	} {
		if got := TenTimesOff(c.limits, c.value); got != c.want {
			t.Errorf("%s within %+v: %t", c.value, c.limits, got)
		}
	}
}
