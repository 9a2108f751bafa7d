package tracker

import (
	"strings"
	"unicode"
)

// commentLimit is the maximum number of characters of a text that are sent; Jira accepts 32,767.
const commentLimit = 32_000

// document returns a comment in the form of the interface's version: the Atlassian Document Format in 3, wiki markup in 2. Both formats
// show the text literally, without interpreting markup in it.
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

// wiki escapes a text for wiki markup, so that it contains no macros, links, mentions, pictures or tables.
func wiki(text string) string {
	var b strings.Builder
	length := 0
	for _, c := range text {
		var written string
		switch c {
		case '\\':
			written = "&#92;" // a backslash cannot escape itself, because two backslashes are a line break
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

// documentFormat makes a document with a paragraph for each part of the text between empty lines, and a last paragraph with the marker.
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

// plain returns the text of a document, with the same lines as on the page.
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

// lastLine returns the last line of a text that is not empty.
func lastLine(text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r", "\n"))
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}
