package wording

import (
	"fmt"
	"html/template"
	"strings"
	"unicode"
)

// A name that is written from right to left takes with it what stands behind it: a number, a time or the next name of the sentence
// would be shown in front of it. So every text that is composed here, and every name that is put into one by a template, is written
// by apart, with an element of its own around each name. A text without such names is as it was.

// Apart writes a text as HTML, with what is written from right to left set apart from what stands around it. What a frame is called,
// and who Signed, is written by it.
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

// fromRight is where the first name from right to left stands in a text; begin and end are the length of the text when there is none.
// A name has spaces, digits and points in it, and ends before a letter from left to right and before what divides names in a sentence.
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

// isFromRight reports whether a character is of Hebrew, Arabic or another script that is written from right to left.
func isFromRight(c rune) bool {
	return c >= 0x590 && c <= 0x8ff || c >= 0xfb1d && c <= 0xfdff || c >= 0xfe70 && c <= 0xfefc ||
		c >= 0x10800 && c <= 0x10fff || c >= 0x1e800 && c <= 0x1efff
}
