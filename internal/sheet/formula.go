package sheet

import (
	"strings"
	"unicode/utf8"
)

// The characters that begin a formula at the beginning of a cell. Some programs treat full-width forms like the usual characters, and
// ignore spaces of every kind. A character that ends a cell in one program is text in another.
const (
	formulaSigns = "=+@\t\r\uFF1D\uFF0B\uFF0D\uFF20\u2212-"
	cellEnds     = ";|\t\r\n"
	disregarded  = " \"'\u00A0\u3000\uFEFF"
)

// Harmless changes a text so that no spreadsheet interprets it as a formula, with any separator of cells: it writes an apostrophe before
// the beginning of a formula. Original reverses it.
func Harmless(text string) string {
	if plain(text) {
		return text
	}
	var harmless strings.Builder
	begins := true // whether a spreadsheet may treat the next character as the first of a cell
	for text != "" {
		char, width := utf8.DecodeRuneInString(text)
		if begins && strings.ContainsRune(formulaSigns, char) {
			harmless.WriteByte('\'')
		}
		harmless.WriteString(text[:width])
		begins, text = beginsAfter(begins, char), text[width:]
	}
	return harmless.String()
}

// plain reports whether Harmless need not change a text, as is true for nearly every text. It returns false for a text with characters
// outside ASCII.
func plain(text string) bool {
	begins := true
	for i := range len(text) {
		switch char := text[i]; {
		case char >= utf8.RuneSelf:
			return false
		case char == '=' || char == '+' || char == '-' || char == '@' || char == '\t' || char == '\r':
			if begins || char < ' ' {
				return false
			}
		case char == ';' || char == '|' || char == '\n':
			begins = true
		case char != ' ' && char != '"' && char != '\'':
			begins = false
		}
	}
	return true
}

// Original returns the text before Harmless changed it. It returns a text that Harmless cannot have changed unchanged.
func Original(text string) string {
	if !strings.Contains(text, "'") {
		return text
	}
	var original strings.Builder
	begins := true
	for text != "" {
		char, width := utf8.DecodeRuneInString(text)
		next, _ := utf8.DecodeRuneInString(text[width:])
		if !begins || char != '\'' || !strings.ContainsRune(formulaSigns, next) {
			original.WriteString(text[:width])
		}
		begins, text = beginsAfter(begins, char), text[width:]
	}
	return original.String()
}

// beginsAfter reports whether a cell may begin after a character.
func beginsAfter(begins bool, char rune) bool {
	return strings.ContainsRune(cellEnds, char) || begins && strings.ContainsRune(disregarded, char)
}
