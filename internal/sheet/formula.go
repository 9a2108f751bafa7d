package sheet

import (
	"strings"
	"unicode/utf8"
)

// What a spreadsheet takes for the beginning of a formula, where a cell begins. Some take the wide forms of the characters for the
// usual ones, and spaces of every kind for nothing. What one program takes for the end of a cell is text for another.
const (
	formulaSigns = "=+@\t\r\uFF1D\uFF0B\uFF0D\uFF20\u2212-"
	cellEnds     = ";|\t\r\n"
	disregarded  = " \"'\u00A0\u3000\uFEFF"
)

// Harmless changes a text so that no spreadsheet takes it for a formula, with any separator of cells: an apostrophe precedes the beginning
// of a formula. Original reverses it.
func Harmless(text string) string {
	if plain(text) {
		return text
	}
	var harmless strings.Builder
	begins := true // whether a spreadsheet may take the next character for the first of a cell
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

// plain reports that Harmless has nothing to change, as it has not in nearly every text. It reads no text with other than ASCII.
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

// Original is the text before Harmless changed it. A text that Harmless cannot have changed stays as it is.
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
