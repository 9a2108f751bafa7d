package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Comments cite documents as docs/decisions.md, "Moving". What they cite is there.
func TestCitations(t *testing.T) {
	t.Parallel()
	citation := regexp.MustCompile(`(docs/(?:[a-z]+/)?[a-z-]+\.md)(?:,\s+(?://\s+)?"([^"]+)")?`)
	cited := 0
	for _, name := range goFiles(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range citation.FindAllStringSubmatch(string(text), -1) {
			cited++
			document, err := os.ReadFile(filepath.Join("..", match[1]))
			if err != nil {
				t.Errorf("%s cites %s: %v", name, match[1], err)
				continue
			}
			heading := regexp.MustCompile(`(?m)^##+ ` + regexp.QuoteMeta(strings.Join(strings.Fields(strings.ReplaceAll(match[2], "//", "")), " ")) + `$`)
			if match[2] != "" && !heading.Match(document) {
				t.Errorf("%s cites %q of %s, which has no such heading", name, match[2], match[1])
			}
		}
	}
	if cited < 10 {
		t.Errorf("only %d citations were found", cited)
	}
}
