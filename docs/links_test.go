package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLinksOfDocuments checks that links lead to an existing file and heading. It includes documents that the handbook does not show, such as
// SECURITY.md and CHANGELOG.md.
func TestLinksOfDocuments(t *testing.T) {
	t.Parallel()
	var documents []string
	for _, pattern := range []string{"../*.md", "*.md", "*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, found...)
	}
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	code := regexp.MustCompile("(?m)^    .*$|`[^`\n]*`")
	links := map[string]int{}
	for _, document := range documents {
		for _, match := range link.FindAllStringSubmatch(code.ReplaceAllString(read(t, document), ""), -1) {
			if strings.Contains(match[1], "://") || strings.HasPrefix(match[1], "mailto:") {
				continue
			}
			links[document]++
			file, heading, _ := strings.Cut(match[1], "#")
			target := document
			if file != "" {
				target = filepath.Join(filepath.Dir(document), filepath.FromSlash(file))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s leads to %s, which is not there", document, match[1])
			} else if heading != "" && !headings(t, target)[heading] {
				t.Errorf("%s leads to %s, and there is no such heading", document, match[1])
			}
		}
	}
	for _, document := range []string{"../README.md", "../SECURITY.md", "../CHANGELOG.md", "../CONTRIBUTING.md", "versions.md", "validation.md"} {
		if links[document] == 0 {
			t.Errorf("no link was found in %s", document)
		}
	}
}

// headings returns the anchors of a document.
func headings(t *testing.T, document string) map[string]bool {
	t.Helper()
	anchors := map[string]bool{}
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(read(t, document), -1) {
		anchors[anchorOf(heading[1])] = true
	}
	return anchors
}

// anchorOf returns the anchor of a heading, as GitHub computes it.
func anchorOf(heading string) string {
	kept := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(heading), "")
	return strings.ReplaceAll(kept, " ", "-")
}
