package scancode_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/shop/ident"
	"pgregory.net/rapid"
)

// wedge is the replacement of a code's separators by a keyboard wedge.
type wedge struct{ gs, rs, eot string }

// wedges keep the separators, write others for them, or lose them.
func wedges() []wedge {
	return []wedge{
		{gs, rs, eot}, {"", "", ""}, {gs, "", ""}, {gs, rs, ""}, {"<GS>", "<RS>", "<EOT>"}, {"{GS}", "{RS}", "{EOT}"}, {"␝", "␞", "␄"},
		{"|", "|", "|"}, {"]", "^", ""}, {"~", "#", "@"}, {"^]", "^^", "^D"}, {" ", " ", " "},
	}
}

func (w wedge) types(code string) string {
	return strings.NewReplacer(gs, w.gs, rs, w.rs, eot, w.eot).Replace(code)
}

// around adds to a code what scanners put before and after codes.
func around(t *rapid.T, code string) string {
	return rapid.SampledFrom([]string{"", "\ufeff", "\x02", " "}).Draw(t, "before") + code +
		rapid.SampledFrom([]string{"", "\r", "\r\n", "\x00", "\x03", "\t"}).Draw(t, "after")
}

// reads fails unless one of the readings of a code has these elements.
func reads(t *rapid.T, code string, want []scancode.Element) {
	t.Helper()
	read := scancode.Parse(ident.DefaultPrefix, code)
	for _, r := range read {
		if slices.Equal(r.Mark.Elements, want) {
			return
		}
	}
	if len(read) < 16 { // or it was too ambiguous
		t.Fatalf("%q has no reading %v: %+v", code, want, read)
	}
}

// An element string is read as it was written, whatever a wedge does to its separators.
func TestElementStringsThroughWedges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		code, want := "", []scancode.Element{}
		add := func(qualifier, value string, fixed bool) {
			want = append(want, scancode.Element{Qualifier: qualifier, Value: value})
			if code += qualifier + value; !fixed {
				code += gs
			}
		}
		add("01", withCheckDigit(rapid.StringMatching(`[0-9]{12}[1-9]`).Draw(t, "GTIN")), true)
		qualifiers := rapid.Permutation([]string{"10", "21", "240", "250", "17"}).Draw(t, "qualifiers")
		for _, qualifier := range qualifiers[:rapid.IntRange(0, 5).Draw(t, "how many")] {
			if qualifier == "17" {
				add("17", "281231", true)
				continue
			}
			add(qualifier, rapid.StringMatching(`[0-9A-Z./-]{1,12}`).Draw(t, qualifier), false)
		}
		w := rapid.SampledFrom(wedges()).Draw(t, "wedge")
		symbol := rapid.SampledFrom([]string{"]C1", "]d2", "]Q3", ""}).Draw(t, "symbol")
		reads(t, around(t, symbol+w.types(strings.TrimSuffix(code, gs))), want)
	})
}

// A message of ISO/IEC 15434 is read as it was written, whatever a wedge does to its separators. If all separators are lost, only elements
// that identify an item are read, so the message has no others.
func TestMessagesThroughWedges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SampledFrom(wedges()).Draw(t, "wedge")
		want := []scancode.Element{
			{Qualifier: "17V", Value: rapid.StringMatching(`[0-9A-Z]{5}`).Draw(t, "CAGE")},
			{Qualifier: "1P", Value: rapid.StringMatching(`[0-9A-Z./-]{1,10}`).Draw(t, "part")},
			{Qualifier: "S", Value: rapid.StringMatching(`[0-9A-Z./-]{1,10}`).Draw(t, "serial")},
		}
		if w.gs != "" && rapid.Bool().Draw(t, "more") {
			want = append(want, scancode.Element{Qualifier: "4L", Value: "US"})
		}
		code := "[)>" + rs + "06"
		for _, e := range want {
			code += gs + e.Qualifier + e.Value
		}
		reads(t, around(t, w.types(code+rs+eot)), want)
	})
}

// Human-readable element strings have the same reading.
func TestParenthesesAndLinks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		gtin := withCheckDigit(rapid.StringMatching(`[0-9]{12}[1-9]`).Draw(t, "GTIN"))
		serial := rapid.StringMatching(`[0-9A-Z]{1,20}`).Draw(t, "serial")
		want := []scancode.Element{{Qualifier: "01", Value: gtin}, {Qualifier: "21", Value: serial}}
		reads(t, "(01)"+gtin+"(21)"+serial, want)
		reads(t, "https://id.example/a/01/"+gtin+"/21/"+serial, want)
	})
}

func withCheckDigit(digits string) string {
	sum := 0
	for i := range digits {
		weight := 1
		if (len(digits)-i)%2 == 1 {
			weight = 3
		}
		sum += weight * int(digits[i]-'0')
	}
	return digits + string(rune('0'+(10-sum%10)%10))
}

// docs/api/identifiers.md, "Scanned codes": for every scan, no panic, the same result every time, and nothing named in two ways.
func FuzzParse(f *testing.F) {
	for _, code := range []string{
		"", "SN-00417", "417", "rc-done", "RC-ID-abc", "]C10109506000134352" + "10L1" + gs + "21S1", "(01)09506000134352(21)8",
		"https://id.gs1.org/01/09506000134352/21/8?17=281231", "https://a/serials/SN-00417", "[)>" + rs + "06" + gs + "17V0CVA5" + gs + "1P1" + gs + "S2" + rs + eot,
		"[)>0617V0CVA51P1234S786950", "[)>12MFR0CVA5SER1", "[)>RS06GSS1RSEOT", "%2f/serials/%", "\ufeff]d2\x1d",
	} {
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, code string) {
		read := scancode.Parse(ident.DefaultPrefix, code)
		if len(read) > 0 && len(code) > scancode.Longest {
			t.Errorf("%d bytes name %+v", len(code), read[0])
		}
		if len(read) > 16 {
			t.Errorf("%q has %d readings", code, len(read))
		}
		units := 0
		for _, r := range read {
			texts := []string{r.ID, r.Text}
			for _, e := range r.Mark.Elements {
				texts = append(texts, e.Qualifier, e.Value)
			}
			for _, text := range texts {
				if !utf8.ValidString(text) {
					t.Errorf("%q: no UTF-8 in %+v", code, r)
				}
			}
			switch {
			case r.Kind == scancode.Ours && r.ID == "", r.Kind == scancode.Marked && len(r.Mark.Elements) == 0,
				(r.Kind == scancode.Text || r.Kind == scancode.Command || r.Kind == scancode.Badge) && r.Text == "":
				t.Errorf("%q names nothing: %+v", code, r)
			}
			if r.Unit() {
				units++
			}
		}
		if id, ok := scancode.Unit(ident.DefaultPrefix, code); ok && (units == 0 || read[0].ID != id) {
			t.Errorf("%q is the unit %s, of %+v", code, id, read)
		}
	})
}
