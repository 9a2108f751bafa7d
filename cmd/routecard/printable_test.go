package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestPrintable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"SN-00001 Müller 轴\tok\n":       "SN-00001 Müller 轴\tok\n",
		"\x1b[2J\x1b]0;owned\x07":       `\u001b[2J\u001b]0;owned\u0007`,
		"all proved\rNOT":               `all proved\u000dNOT`,
		"\u009b31m":                     `\u009b31m`,
		"SN-\u202e00001":                `SN-\u202e00001`,
		"\U000e0041":                    `\udb40\udc41`,
		"\x9b31m\xff":                   "\ufffd31m\ufffd",
		"a\u0000b":                      `a\u0000b`,
		"":                              "",
		"non-breaking\u00a0space stays": "non-breaking\u00a0space stays",
	} {
		var out bytes.Buffer
		if _, err := (&printable{to: &out}).Write([]byte(text)); err != nil || out.String() != want {
			t.Errorf("%q: %q, want %q", text, out.String(), want)
		}
	}
	if got := oneStoredLine("x\nProved"); got != `x\u000aProved` {
		t.Errorf("a line break became %q", got)
	}
}

// However a text is divided into writes, no control character reaches the terminal, and JSON stays valid JSON with the same value.
func TestPrintableOfAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		line, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		w := &printable{to: &out}
		for rest := line; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			if _, err := w.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if at := strings.IndexFunc(out.String(), func(c rune) bool { return !unicode.IsGraphic(c) }); at >= 0 {
			t.Fatalf("%q reached the terminal", out.String()[at:])
		}
		var back string
		if err := json.Unmarshal(out.Bytes(), &back); err != nil || back != text {
			t.Fatalf("%q came back as %q, %v", text, back, err)
		}
	})
}
