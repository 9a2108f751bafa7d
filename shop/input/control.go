package input

import (
	"strings"
	"unicode"

	"github.com/routecard/routecard/shop/refusal"
)

// checkControl refuses characters that make a text look different from what it is: control characters, which are invisible or break a line,
// and characters that reverse the direction of the text. Long texts may contain line breaks and tabs. Directional marks, as used in Arabic
// and Hebrew names, are allowed.
func checkControl(field, value string, limit int) error {
	refused := misleading
	if limit > NameLimit {
		refused = misleadingInLines
	}
	if strings.ContainsFunc(value, refused) {
		return refusal.RefuseField(refusal.WithControl, field)
	}
	return nil
}

func misleading(c rune) bool {
	return unicode.IsControl(c) ||
		c >= '\u202A' && c <= '\u202E' || c >= '\u2066' && c <= '\u2069' // embeddings, overrides and isolates
}

func misleadingInLines(c rune) bool {
	return misleading(c) && !strings.ContainsRune("\n\r\t", c)
}
