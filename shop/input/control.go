package input

import (
	"strings"
	"unicode"

	"github.com/routecard/routecard/shop/refusal"
)

// checkControl refuses characters that make a text look like another one than it is: controls, which are not shown or
// break a line, and those that turn the direction in which a text is read. A text that may be long may have lines and tabs.
// What only marks a direction, as names in Arabic and Hebrew have it, is allowed.
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
