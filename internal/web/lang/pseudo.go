package lang

import "strings"

// These are the brackets of the pseudo-language.
const (
	PseudoOpen  = "⟦"
	PseudoClose = "⟧"
)

// accent replaces each letter by a letter with an accent, if there is one.
func accent(text string) string {
	const plain = "acdeghiklnorstuwyzACDEGHIKLNORSTUWYZ"
	accented := []rune("áçðéğĥíķļñöŕšţüŵýžÁÇÐÉĞĤÍĶĻÑÖŔŠŢÜŴÝŽ")
	return strings.Map(func(c rune) rune {
		if at := strings.IndexRune(plain, c); at >= 0 {
			return accented[at]
		}
		return c
	}, text)
}

// pseudo converts a text to the pseudo-language. Placeholders stay unchanged.
func pseudo(text string) string {
	if text == "" {
		return ""
	}
	var written strings.Builder
	written.WriteString(PseudoOpen)
	letters := 0
	for rest := text; rest != ""; {
		own, after, found := strings.Cut(rest, "{")
		letters += len([]rune(own))
		written.WriteString(accent(own))
		if !found {
			break
		}
		place, next, _ := strings.Cut(after, "}")
		written.WriteString("{" + place + "}")
		rest = next
	}
	written.WriteString(strings.Repeat("~", (letters*2+4)/5))
	written.WriteString(PseudoClose)
	return written.String()
}
