package units

import (
	"strings"
	"testing"
)

func TestSame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"mm", "mm", true}, {"MM", "mm", true}, {"mm ", "mm", true}, {"", "", true}, {" ", "", true}, {"", "mm", false},
		{"mm", "in", false}, {"\u00b5m", "\u03bcm", true}, {"um", "\u00b5m", true}, {"\u03bcM", "\u00b5m", true},
		{"deg", "°", true}, {"DEG", "°", true}, {"º", "°", true}, {"°", "mm", false}, {"INCH", "in", true}, {`"`, "in", true},
		{"IN", "in", true}, {"\u2103", "°C", true}, {"㎜", "mm", true}, {"\u2126", "Ω", true}, {"ohm", "Ω", true},
		{"nm", "Nm", false}, {"NM", "Nm", false}, {"Nm", "Nm", true}, {"mPa", "MPa", false}, {"MPA", "MPa", false}, {"S", "s", false},
		{"mw", "MW", false}, {"HRC", "hrc", true}, {"m²", "m2", true}, {"N m", "N  m", true},
	} {
		if got := Same(c.a, c.b); got != c.want {
			t.Errorf("Same(%q, %q) = %t", c.a, c.b, got)
		}
		if got := Same(c.b, c.a); got != c.want {
			t.Errorf("Same(%q, %q) = %t", c.b, c.a, got)
		}
	}
}

// No two symbols of this list are the same unit, in any spelling that differs only in case.
func TestDifferentUnitsAreNeverTheSame(t *testing.T) {
	t.Parallel()
	symbols := strings.Fields("m mm cm μm nm in ft ° °C °F K N kN mN MN Nm g G kg mg Mg t T s S ms mS Pa pA kPa MPa mPa bar V mV MV A mA MA " +
		"W mW MW J mJ MJ Hz kHz mHz MHz Ω mΩ MΩ kΩ h H F f % L mH")
	for i, a := range symbols {
		for j, b := range symbols {
			if (i == j) != Same(a, b) {
				t.Errorf("Same(%q, %q) = %t", a, b, i != j)
			}
		}
	}
}

func TestKnown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"mm": true, "MM": true, "inch": true, "°": true, "deg": true, "": false, "A-7": false, "x": false} {
		if Known(text) != want {
			t.Errorf("Known(%q) = %t", text, !want)
		}
	}
}
