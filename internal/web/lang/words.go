package lang

import (
	"fmt"
	"strings"
)

// Words converts an identifier of the API to words: out_of_tolerance becomes Out of tolerance.
func Words(l *Language, value any) string {
	text := strings.NewReplacer("_", " ", "-", " ").Replace(fmt.Sprint(value))
	if text == "" {
		return ""
	}
	return l.Lookup(Text(strings.ToUpper(text[:1]) + text[1:]))
}

// InSentence does the same as Words, for the middle of a sentence.
func InSentence(l *Language, value any) string {
	return l.Lookup(Text("in a sentence|" + strings.ToLower(Words(nil, value)))) // not a text: the English words are the key
}
