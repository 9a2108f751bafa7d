package tracker

import (
	"strings"
	"unicode"
)

// commentLimit is how many characters of a text are sent; Jira takes 32,767.
const commentLimit = 32_000

// document is a comment in the form of the interface's version: the Atlassian Document Format in 3, wiki markup in 2.
// In both the text is shown as it is, whatever it has in it.
func (j *Jira) document(text, marker string) any {
	text = sendable(text)
	if j.options.API == 2 {
		return wiki(text) + "\n\n" + marker
	}
	return documentFormat(text, marker)
}

// sendable omits characters that Jira refuses or that are invisible.
func sendable(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		switch {
		case c == '\n' || c == '\t':
			return c
		case c == '\r':
			return '\n'
		case unicode.IsControl(c):
			return -1
		}
		return c
	}, text))
}

// wiki writes a text in wiki markup that means nothing but itself: no macros, links, mentions, pictures or tables.
func wiki(text string) string {
	var b strings.Builder
	length := 0
	for _, c := range text {
		var written string
		switch c {
		case '\\':
			written = "&#92;" // a backslash cannot escape itself: two are a line break
		case '{', '}', '[', ']', '!', '|', '*', '_', '^', '~', '+':
			written = `\` + string(c)
		default:
			written = string(c)
		}
		if length += len([]rune(written)); length > commentLimit {
			b.WriteString("…")
			break
		}
		b.WriteString(written)
	}
	return b.String()
}

// node is a part of a document in the Atlassian Document Format.
type node struct {
	Type    string `json:"type"`
	Version int    `json:"version,omitempty"`
	Text    string `json:"text,omitempty"`
	Content []node `json:"content,omitempty"`
}

// documentFormat makes a paragraph of every run of lines, and one of the marker.
func documentFormat(text, marker string) node {
	if runes := []rune(text); len(runes) > commentLimit {
		text = string(runes[:commentLimit]) + "…"
	}
	document := node{Type: "doc", Version: 1}
	for _, paragraph := range append(strings.Split(text, "\n\n"), marker) {
		var lines []node
		for line := range strings.SplitSeq(strings.Trim(paragraph, "\n"), "\n") {
			if lines != nil {
				lines = append(lines, node{Type: "hardBreak"})
			}
			if line != "" {
				lines = append(lines, node{Type: "text", Text: line})
			}
		}
		if lines != nil {
			document.Content = append(document.Content, node{Type: "paragraph", Content: lines})
		}
	}
	return document
}

// plain is the text of a document, one line for every line on the page.
func (n *node) plain() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	switch n.Type {
	case "text":
		b.WriteString(n.Text)
		return
	case "hardBreak":
		b.WriteByte('\n')
		return
	}
	for i := range n.Content {
		n.Content[i].write(b)
	}
	if n.Type != "doc" {
		b.WriteByte('\n')
	}
}

// lastLine is the last line of a text that has anything in it.
func lastLine(text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r", "\n"))
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}
