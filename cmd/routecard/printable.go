package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// printable is the output of commands that print stored text. It writes every character that is not graphic, except line feeds and tabs, as
// \u and its number, so that stored text cannot control the terminal. This form is valid inside a JSON string. Bytes that are not UTF-8
// become U+FFFD. It is safe for concurrent use.
type printable struct {
	mu   sync.Mutex
	to   io.Writer
	rest []byte // the beginning of a character whose end was not written yet
}

// Write returns the length of p if the underlying writer accepted everything.
func (w *printable) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := slices.Concat(w.rest, p)
	end := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if start := len(text) - back; utf8.RuneStart(text[start]) {
			if !utf8.FullRune(text[start:]) {
				end = start
			}
			break
		}
	}
	w.rest = slices.Clone(text[end:])
	if _, err := io.WriteString(w.to, quoteUnprintable(string(text[:end]), "\n\t")); err != nil {
		return 0, err
	}
	return len(p), nil
}

// oneStoredLine quotes line breaks too, for stored text inside a line of other text.
func oneStoredLine(text string) string { return quoteUnprintable(text, "") }

func quoteUnprintable(text, allowed string) string {
	plain := func(c rune) bool {
		return unicode.IsGraphic(c) && c != utf8.RuneError || strings.ContainsRune(allowed, c)
	}
	if strings.IndexFunc(text, func(c rune) bool { return !plain(c) }) < 0 {
		return text
	}
	var b strings.Builder
	for _, c := range text {
		switch {
		case plain(c), c == utf8.RuneError:
			b.WriteRune(c)
		case c > 0xffff: // as JSON writes it
			high, low := (c-0x10000)>>10+0xd800, (c-0x10000)&0x3ff+0xdc00
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	return b.String()
}
