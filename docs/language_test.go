package docs_test

import (
	"fmt"
	"go/scanner"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// constructions are words that make a sentence hard to read, with what to write instead. Replace a pronoun by its noun, say who does what to
// what, and use the standard verb.
var constructions = []struct{ pattern, instead string }{
	{`who(?:ever|mever|m)`, "the caller, the user, an administrator"},
	{`(?:nobody|somebody|anybody)`, "the person, or the passive"},
	{`(?:tells?|told|telling)`, "record, report, describe, log"},
	{`judg(?:e|es|ed|ing)`, "check, validate, evaluate"},
	{`answer(?:s|ed|ing)?`, "return, respond, response"},
	{`anew`, "again"},
	{`beside`, "in addition to, next to"},
	{`behind`, "after"},
	{`(?:brings?|brought|bringing)(?: \w+)? in`, "import"},
	{`(?:takes?|took|taken|taking)(?: \w+)? back`, "undo"},
	{`(?:is|are|be|was|were) about`, "concern, refer to"},
	{`(?:is|are|was|were) (?:what|to whom|how (?:a|an|the|it|they|what))`, "a noun"},
	{`(?:that|what) there (?:is|are|was|were)`, "the, all, existing"},
	{`(?:none without|as usual|is kept with)`, "default, stored"},
}

// constructionsLeft counts the constructions that comments and documents still have, by folder. The figures only go down.
var constructionsLeft = map[string]int{
	".":                  1,
	"bench":              4,
	"client":             3,
	"cmd/routecard":      5,
	"docs":               1,
	"internal/access":    2,
	"internal/apitest":   1,
	"internal/faulttest": 2,
	"internal/files":     1,
	"internal/handbook":  1,
	"internal/httpapi":   8,
	"internal/patience":  1,
	"internal/scancode":  1,
	"internal/sealer":    2,
	"internal/selftest":  2,
	"internal/shoptest":  1,
	"internal/station":   15,
	"internal/storetest": 1,
	"internal/verify":    1,
	"internal/web":       9,
	"ledger":             1,
	"shop":               19,
	"views":              3,
}

// TestLanguage finds words in comments and documents that are not to be used.
func TestLanguage(t *testing.T) {
	t.Parallel()
	var alternatives []string
	for _, one := range constructions {
		alternatives = append(alternatives, "("+one.pattern+")")
	}
	pattern := regexp.MustCompile(`(?i)\b(?:` + strings.Join(alternatives, "|") + `)\b`)
	hits, lines := map[string][]string{}, map[string]int{}
	look := func(group, file string, line int, text string) {
		lines[group]++
		for _, found := range pattern.FindAllStringSubmatch(text, -1) {
			for i, one := range found[1:] {
				if one != "" {
					hits[group] = append(hits[group], fmt.Sprintf("%s:%d: %q; better: %s", file, line, one, constructions[i].instead))
				}
			}
		}
	}
	for _, file := range goFiles(t) {
		for _, comment := range commentLines(t, file) {
			look(groupOf(file), file, comment.line, comment.text)
		}
	}
	code := regexp.MustCompile("`[^`\n]*`|\\]\\([^)]*\\)") // and targets of links
	for _, folder := range []string{"../*.md", "*.md", "*/*.md"} {
		documents, err := filepath.Glob(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range documents {
			for i, line := range strings.Split(read(t, file), "\n") {
				if !strings.HasPrefix(line, "    ") && filepath.Base(file) != "words.md" {
					look(filepath.ToSlash(filepath.Clean("docs/"+filepath.Dir(file))), file, i+1, code.ReplaceAllString(line, ""))
				}
			}
		}
	}
	found, all := 0, 0
	for group, count := range lines {
		found, all = found+len(hits[group]), all+count
		limit := constructionsLeft[group]
		switch here := hits[group]; {
		case len(here) > limit:
			t.Errorf("%s has %d constructions that are hard to read, and may have %d:\n%s", group, len(here), limit,
				strings.Join(here[max(0, len(here)-40):], "\n"))
		case len(here) < limit*3/4:
			t.Errorf("%s has only %d of %d constructions now: lower its figure", group, len(here), limit)
		}
	}
	for group := range constructionsLeft {
		if lines[group] == 0 {
			t.Errorf("%s does not exist", group)
		}
	}
	t.Logf("%d in %d lines, %d in a thousand", found, all, found*1000/all)
}

// groupOf returns the folder by which a file counts: internal/web, shop, bench.
func groupOf(file string) string {
	parts := strings.Split(strings.TrimPrefix(filepath.ToSlash(file), "../"), "/")
	if (parts[0] == "internal" || parts[0] == "cmd") && len(parts) > 2 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

type commentLine struct {
	line int
	text string
}

// commentLines returns the lines of a file's comments; for a generated file it returns none.
func commentLines(t *testing.T, file string) (found []commentLine) {
	t.Helper()
	text := []byte(read(t, file))
	files := token.NewFileSet()
	opened := files.AddFile(file, -1, len(text))
	var s scanner.Scanner
	s.Init(opened, text, nil, scanner.ScanComments)
	for {
		position, kind, literal := s.Scan()
		if kind == token.EOF {
			return found
		}
		if kind != token.COMMENT || strings.HasPrefix(literal, "//go:") || strings.HasPrefix(literal, "//nolint") {
			continue
		}
		if strings.HasPrefix(literal, "// Code generated") {
			return nil
		}
		for i, line := range strings.Split(literal, "\n") {
			found = append(found, commentLine{opened.Line(position) + i, line})
		}
	}
}
