package handbook

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// section is a heading with the text below it, up to the next heading.
type section struct {
	title, anchor string
	text          string
	words         string // title and text in lower case
}

// sectionsOf splits a document at its headings.
func sectionsOf(tree ast.Node, source []byte) []section {
	var all []section
	for node := tree.FirstChild(); node != nil; node = node.NextSibling() {
		if heading, ok := node.(*ast.Heading); ok {
			one := section{title: textOf(heading, source)}
			if id, ok := heading.AttributeString("id"); ok {
				if name, ok := id.([]byte); ok {
					one.anchor = string(name)
				}
			}
			all = append(all, one)
			continue
		}
		if len(all) > 0 {
			last := &all[len(all)-1]
			last.text = strings.TrimSpace(last.text + " " + textOf(node, source))
		}
	}
	for i := range all {
		all[i].words = strings.ToLower(all[i].title + " " + all[i].text)
	}
	return all
}

// textOf returns the text of a node and its descendants, with one space between words.
func textOf(node ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(node, func(one ast.Node, entering bool) (ast.WalkStatus, error) { // it returns no error
		if !entering {
			return ast.WalkContinue, nil
		}
		switch one := one.(type) {
		case *ast.Text:
			b.Write(one.Segment.Value(source))
			if one.SoftLineBreak() || one.HardLineBreak() {
				b.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			for i := range one.Lines().Len() {
				line := one.Lines().At(i)
				b.Write(line.Value(source))
			}
		}
		if one.Type() == ast.TypeBlock {
			b.WriteByte(' ')
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// found is a section with the requested words.
type found struct {
	Page    string // the title of the page
	Title   string
	Address string
	Excerpt string
	rank    int
}

// Limits of a search.
const (
	foundAtMost  = 50
	wordsAtMost  = 10
	excerptRunes = 240
)

// find lists the sections that contain every word. Sections with words in their headings come first.
func (b *book) find(asked string) []found {
	words := strings.Fields(strings.ToLower(asked))
	words = words[:min(len(words), wordsAtMost)]
	var all []found
	seen := map[*page]bool{}
	for _, one := range b.chapters {
		for _, shown := range one.Pages {
			if seen[shown] {
				continue
			}
			seen[shown] = true
			for _, part := range shown.sections {
				if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(part.words, word) }) {
					all = append(all, found{
						Page: shown.Title, Title: part.title, Address: shown.Address + "#" + part.anchor,
						Excerpt: excerpt(part.text, words), rank: inHeading(part.title, words),
					})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return b.rank - a.rank })
	return all[:min(len(all), foundAtMost)]
}

// inHeading returns the number of the words that a heading contains.
func inHeading(title string, words []string) (count int) {
	title = strings.ToLower(title)
	for _, word := range words {
		if strings.Contains(title, word) {
			count++
		}
	}
	return count
}

// excerpt returns the part of a text around the first of the words in it.
func excerpt(text string, words []string) string {
	runes, lower := []rune(text), []rune(strings.ToLower(text))
	at := 0
	if len(runes) == len(lower) {
		for _, word := range words {
			if before, _, ok := strings.Cut(string(lower), word); ok {
				at = len([]rune(before))
				break
			}
		}
	}
	begin := max(0, at-excerptRunes/4)
	end := min(len(runes), begin+excerptRunes)
	part := string(runes[begin:end])
	if begin > 0 {
		part = "… " + part
	}
	if end < len(runes) {
		part += " …"
	}
	return part
}
