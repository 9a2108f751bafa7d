package scancode

import "strings"

// The control characters that separate the parts of a code. FNC1 is transmitted as GS.
const (
	gs  = "\x1d"
	rs  = "\x1e"
	eot = "\x04"
)

// named replaces names of control characters by the characters: scanners, and programs between a scanner and the field, type such names. It
// is applied only where separators are expected: any other text stays as it is.
var named = strings.NewReplacer(
	"␝", gs, "<GS>", gs, "{GS}", gs, "[GS]", gs, "<gs>", gs, `\x1d`, gs, `\x1D`, gs, `\u001d`, gs, `\u001D`, gs, "~d029", gs, "^]", gs,
	"<FNC1>", gs, "{FNC1}", gs, "[FNC1]", gs, "<F1>", gs,
	"␞", rs, "<RS>", rs, "{RS}", rs, "[RS]", rs, "<rs>", rs, `\x1e`, rs, `\x1E`, rs, `\u001e`, rs, `\u001E`, rs, "~d030", rs, "^^", rs,
	"␄", eot, "<EOT>", eot, "{EOT}", eot, "[EOT]", eot, "<eot>", eot, `\x04`, eot, `\u0004`, eot, "~d004", eot, "^D", eot,
)

// symbol is the symbology identifier of ISO/IEC 15424 that a scanner put before a code, without the bracket; "" for none.
type symbol string

// elements reports whether the symbol says that its content is a GS1 element string: GS1-128, GS1 DataBar and Composite, GS1
// DataMatrix, GS1 QR Code and GS1 DotCode.
func (s symbol) elements() bool {
	switch s {
	case "C1", "e0", "d2", "d5", "Q3", "Q4", "J1":
		return true
	}
	return false
}

// number reports whether the symbol says that its content is a GTIN: EAN and UPC, and ITF with a check digit.
func (s symbol) number() bool {
	switch s {
	case "E0", "E4", "I1":
		return true
	}
	return false
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func digitsOnly(text string) bool { return strings.Trim(text, "0123456789") == "" }
