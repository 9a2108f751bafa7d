package lang

import (
	"fmt"
	"html/template"
	"strings"
	"unicode"
)

// In a sentence, a name in a right-to-left script also reverses the text after it: a number, a time or the next name would be displayed
// before it. So Apart puts an element around each such name, in every text that is composed here and in every name that a template inserts
// into a text. It leaves other text unchanged.

// Apart returns a text as escaped HTML with an element around each name in a right-to-left script. Frame.Called uses it, as do the names of
// signers.
func Apart(text any) template.HTML {
	rest := fmt.Sprint(text)
	var written strings.Builder
	for {
		begin, end := fromRight(rest)
		written.WriteString(template.HTMLEscapeString(rest[:begin]))
		if begin == end {
			return template.HTML(written.String()) //nolint:gosec // each piece is escaped
		}
		written.WriteString("<bdi>" + template.HTMLEscapeString(rest[begin:end]) + "</bdi>")
		rest = rest[end:]
	}
}

// fromRight returns the beginning and the end of the first right-to-left name in a text. If there is none, both are the length of the text.
// A name may contain spaces, digits and points. It ends before a left-to-right letter and before punctuation that separates names in a
// sentence.
func fromRight(text string) (begin, end int) {
	begin, end = len(text), len(text)
	found := false
	for i, c := range text {
		switch {
		case isFromRight(c):
			if !found {
				begin, found = i, true
			}
			end = i + len(string(c))
		case found && (unicode.IsLetter(c) || strings.ContainsRune(",:;·→/()“”", c)):
			return begin, end
		}
	}
	return begin, end
}

// isFromRight reports whether a character belongs to Hebrew, Arabic or another right-to-left script.
func isFromRight(c rune) bool {
	return c >= 0x590 && c <= 0x8ff || c >= 0xfb1d && c <= 0xfdff || c >= 0xfe70 && c <= 0xfefc ||
		c >= 0x10800 && c <= 0x10fff || c >= 0x1e800 && c <= 0x1efff
}
