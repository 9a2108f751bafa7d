package tracker

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDocumentFormat(t *testing.T) {
	t.Parallel()
	got := documentFormat(sendable("one\r\ntwo\x00\x1b\n\n\n\nthree"), "marker")
	text := func(s string) node { return node{Type: "text", Text: s} }
	paragraph := func(lines ...node) node { return node{Type: "paragraph", Content: lines} }
	want := node{Type: "doc", Version: 1, Content: []node{
		paragraph(text("one"), node{Type: "hardBreak"}, text("two")), paragraph(text("three")), paragraph(text("marker")),
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWiki(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain, text.":                  "plain, text.",
		"{code}":                        `\{code\}`,
		"[x|javascript:alert(1)]":       `\[x\|javascript:alert(1)\]`,
		"[~user] !http://x/a.png!":      `\[\~user\] \!http://x/a.png\!`,
		`a\b`:                           "a&#92;b",
		"*b* _i_ ^u^ +p+ ||h||":         `\*b\* \_i\_ \^u\^ \+p\+ \|\|h\|\|`,
		strings.Repeat("x", 40_000):     strings.Repeat("x", commentLimit) + "…",
		strings.Repeat("{", 40_000):     strings.Repeat(`\{`, commentLimit/2) + "…",
		"Umlaute äöü, 漢字, 5 µm and 90°": "Umlaute äöü, 漢字, 5 µm and 90°",
	} {
		if got := wiki(text); got != want {
			t.Errorf("%.60q: %.80q", text, got)
		}
	}
}

func TestLastLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "a": "a", "a\nb": "b", "a\r\nb\r\n\r\n": "b", "\n\n": "", "a\rb": "b", "a\n  b  ": "b",
	} {
		if got := lastLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A comment with any text is read back with the marker as its last line.
func FuzzComment(f *testing.F) {
	f.Add("Burr\n\nmarker", 2)
	f.Add("\r\n\x00{code}", 3)
	f.Fuzz(func(t *testing.T, text string, version int) {
		if version != 2 {
			version = 3
		}
		j := &Jira{options: Options{API: version}}
		sent, err := json.Marshal(j.document(text, "Routecard note_1"))
		if err != nil {
			t.Fatal(err)
		}
		if got := lastLine(plain(sent)); got != "Routecard note_1" {
			t.Errorf("the last line is %q", got)
		}
	})
}
