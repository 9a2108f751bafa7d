package handbook

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// anchors gives headings the anchors that links in the documents expect, which are those of GitHub: letters, digits, - and _ stay, spaces
// become -, and other characters are removed.
type anchors map[string]bool

// Generate implements goldmark's parser.IDs.
func (a anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	plain := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		case r == '-' || r == '_':
			return r
		}
		return -1
	}, strings.TrimSpace(string(value)))
	name := plain
	for n := 1; a[name]; n++ {
		name = fmt.Sprintf("%s-%d", plain, n)
	}
	a[name] = true
	return []byte(name)
}

// Put implements goldmark's parser.IDs.
func (a anchors) Put(value []byte) { a[string(value)] = true }

// renderDocument makes the page of a document. HTML in the document is omitted. The documents contain none, and none may become part of a
// page.
func (h *Handbook) renderDocument(document string, source []byte) (*page, error) {
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	tree := markdown.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(anchors{}))))
	made := &page{Title: document, Address: addressOf(document)}
	if err := h.relink(document, tree); err != nil {
		return nil, err
	}
	made.sections = sectionsOf(tree, source)
	if len(made.sections) > 0 {
		made.Title = made.sections[0].title
	}
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, source, tree); err != nil {
		return nil, err
	}
	made.Body = template.HTML(b.String()) //nolint:gosec // goldmark escapes text, and omits HTML
	return made, nil
}

// relink changes links and pictures to addresses of the service, and replaces links without a target by their text.
func (h *Handbook) relink(document string, tree ast.Node) error {
	var dead []*ast.Link
	err := ast.Walk(tree, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.Link:
			to := h.target(document, string(node.Destination))
			if node.Destination = []byte(to); to == "" {
				dead = append(dead, node)
			}
		case *ast.Image:
			node.Destination = []byte(h.target(document, string(node.Destination)))
		}
		return ast.WalkContinue, nil
	})
	for _, link := range dead {
		parent := link.Parent()
		for child := link.FirstChild(); child != nil; child = link.FirstChild() {
			parent.InsertBefore(parent, link, child)
		}
		parent.RemoveChild(parent, link)
	}
	return err
}
