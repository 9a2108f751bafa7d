package scancode

import (
	"strings"
	"unicode"
)

// The control characters that separate what is in a code. FNC1 is transmitted as GS.
const (
	gs  = "\x1d"
	rs  = "\x1e"
	eot = "\x04"
)

// named writes control characters for the names that scanners, and programs between them and the field, type in their place. It
// is applied only where separators are looked for: a text stays as it is.
var named = strings.NewReplacer(
	"␝", gs, "<GS>", gs, "{GS}", gs, "[GS]", gs, "<gs>", gs, `\x1d`, gs, `\x1D`, gs, `\u001d`, gs, `\u001D`, gs, "~d029", gs, "^]", gs,
	"<FNC1>", gs, "{FNC1}", gs, "[FNC1]", gs, "<F1>", gs,
	"␞", rs, "<RS>", rs, "{RS}", rs, "[RS]", rs, "<rs>", rs, `\x1e`, rs, `\x1E`, rs, `\u001e`, rs, `\u001E`, rs, "~d030", rs, "^^", rs,
	"␄", eot, "<EOT>", eot, "{EOT}", eot, "[EOT]", eot, "<eot>", eot, `\x04`, eot, `\u0004`, eot, "~d004", eot, "^D", eot,
)

// dropControls drops what scanners add around and between the characters of a code: byte order marks, CR, NUL and other control
// characters that separate nothing, and blanks at both ends.
func dropControls(scanned string) string {
	for _, mark := range []string{"\ufeff", "ï»¿"} { // the second is the first, read as another encoding
		scanned = strings.TrimPrefix(scanned, mark)
	}
	kept := strings.Map(func(c rune) rune {
		switch {
		case c == '\ufeff':
			return -1
		case c == '\x1d', c == '\x1e', c == '\x04', c == '\t', c == '\n': // \t and \n are blanks: at the ends they are trimmed
			return c
		case unicode.IsControl(c):
			return -1
		}
		return c
	}, scanned)
	return strings.TrimSpace(kept)
}

// symbol is the symbology identifier of ISO/IEC 15424 that a scanner put before a code, "" for none.
type symbol string

// symbology cuts the symbology identifier off: a bracket, a letter and a modifier.
func symbology(code string) (_ symbol, content string) {
	if len(code) < 3 || code[0] != ']' || !letter(code[1]) || !letter(code[2]) && !digit(code[2]) {
		return "", code
	}
	return symbol(code[1:3]), strings.TrimSpace(code[3:])
}

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

func digit(c byte) bool  { return c >= '0' && c <= '9' }
func letter(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }

func digitsOnly(text string) bool { return strings.Trim(text, "0123456789") == "" }
