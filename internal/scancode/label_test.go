package scancode_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/shop/ident"
)

func TestLabels(t *testing.T) {
	t.Parallel()
	message := func(elements string) string { return "[)>" + rs + "06" + gs + elements + rs + eot }
	for _, c := range []struct {
		name                string
		id, own, gtin, part string
		want                scancode.Label
	}{
		{"a part that is a GTIN", "SN-00017", "17", "", "9506000134352", scancode.Label{Content: "01095060001343522117", GS1: true}},
		{"one with a wrong check digit", "SN-00017", "17", "", "9506000134353", scancode.Label{Content: message("1P9506000134353" + gs + "S17")}},
		{"a number that is too long for GS1", "SN-00017", "A23456789012345678901", "", "9506000134352",
			scancode.Label{Content: message("1P9506000134352" + gs + "SA23456789012345678901")}},
		{"a character that GS1 does not have", "SN-00017", "A#1", "", "9506000134352", scancode.Label{Content: message("1P9506000134352" + gs + "SA#1")}},
		{"another part", "SN-00017", "VB-17", "", "VB-210", scancode.Label{Content: message("1PVB-210" + gs + "SVB-17")}},
		{"no part", "SN-00017", "VB-17", "", "", scancode.Label{Content: message("SVB-17")}},
		{"a part that is not in ASCII", "SN-00017", "VB-17", "", "Ø40", scancode.Label{Content: message("SVB-17")}},
		{"a number that is not in ASCII", "SN-00017", "Ø17", "", "VB-210", scancode.Label{Content: message("SSN-00017")}},
		{"no own number", "SN-00017", "", "", "VB-210", scancode.Label{Content: message("SSN-00017")}},
		{"a GTIN of the job", "SN-00017", "17", "9506000134352", "VB-210", scancode.Label{Content: "01095060001343522117", GS1: true}},
		{"a GTIN of the job and another as the part", "SN-00017", "17", "9506000134352", "4006381333931",
			scancode.Label{Content: "01095060001343522117", GS1: true}},
		{"a number that is too long for the GTIN of the job", "SN-00017", "A23456789012345678901", "9506000134352", "VB-210",
			scancode.Label{Content: message("1PVB-210" + gs + "SA23456789012345678901")}},
		{"no own number of a GTIN", "SN-00017", "", "", "9506000134352", scancode.Label{Content: message("SSN-00017")}},
	} {
		if got := scancode.LabelOf(ident.DefaultPrefix, c.id, c.own, c.gtin, c.part); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got.Content, c.want.Content)
		}
	}
}

// docs/api/identifiers.md, "Codes on labels": Whatever a unit and its part are called, its label is read as the unit by its identifier, or
// by its own number alone or with the part.
func TestLabelsAreRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringMatching(`[A-Z0-9./-]{0,24}`), rapid.StringMatching(`[!-~]([ -~]{0,20}[!-~])?`), rapid.String())
		own := text.Draw(t, "own")
		part := rapid.OneOf(text, rapid.Just("09506000134352")).Draw(t, "part")
		gtin := rapid.SampledFrom([]string{"", "", "04006381333931"}).Draw(t, "gtin")
		label := scancode.LabelOf(ident.DefaultPrefix, "SN-00417", own, gtin, part)
		code := label.Content
		if label.GS1 {
			code = "]d2" + code
		}
		read := scancode.Parse(ident.DefaultPrefix, code)
		if len(read) == 0 {
			t.Fatalf("%q is not read", code)
		}
		first := read[0]
		switch {
		case first.Unit() && first.ID == "SN-00417":
		case len(read) > 1 || first.Mark.SerialNumber != own:
			t.Errorf("%q is read as %+v", code, read)
		case first.Mark.Part() && first.Mark.PartNumber != part && first.Mark.GTIN != part && first.Mark.GTIN != gtin:
			t.Errorf("%q is read as of another part than %q: %+v", code, part, read)
		}
	})
}
