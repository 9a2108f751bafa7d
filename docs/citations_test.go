package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Comments of Go files and of case files cite documents as docs/api/units.md, "Moving". The cited heading must exist.
func TestCitations(t *testing.T) {
	t.Parallel()
	citation := regexp.MustCompile(`(docs/(?:[a-z]+/)?[a-z-]+\.md)(?:,\s+(?://\s+)?"([^"]+)")?`)
	cited := 0
	cases, err := filepath.Glob("../internal/httpapi/testdata/cases/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(goFiles(t), cases...) {
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

// TestSectionsHaveTests requires that a test cites each section that states rules of these pages, so that a reader finds the tests of a rule.
func TestSectionsHaveTests(t *testing.T) {
	t.Parallel()
	var comments strings.Builder
	for _, name := range goFiles(t) {
		if strings.HasSuffix(name, "_test.go") {
			for _, comment := range regexp.MustCompile(`(?m)^\s*// .*(?:\n\s*// .*)*`).FindAllString(read(t, name), -1) {
				comments.WriteString(strings.Join(strings.Fields(strings.ReplaceAll(comment, "//", "")), " ") + "\n")
			}
		}
	}
	for document, sections := range map[string][]string{
		"docs/api/jobs.md":        {"Fields", "Operations", "Late jobs"},
		"docs/api/clients.md":     {"Exports", "Imports"},
		"docs/api/identifiers.md": {"Serial numbers of your own", "External identifiers", "Scanned codes", "Codes on labels"},
		"docs/files.md":           {"Upload and attach", "What is served", "Drawings and instructions", "What it proves", "Where they are kept"},
		"docs/measuring.md": {
			"What is measured", "Readings", "Leaving a step", "Samples", "Instruments", "From a file", "Charts",
		},
		"docs/access.md": {
			"Names in requests", "Tokens for programs", "Secrets set by an administrator", "Wrong attempts", "Second factors", "The security log",
			"Stations", "With the company account",
		},
		"docs/signatures.md": {"A second administrator", "What is signed", "Checking a signature"},
	} {
		for _, section := range sections {
			if !strings.Contains(comments.String(), document+`, "`+section+`"`) {
				t.Errorf("no test cites %s, %q", document, section)
			}
		}
	}
}

// goFiles returns the Go files of the repository.
func goFiles(t *testing.T) (files []string) {
	t.Helper()
	if err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(name, ".go") {
			files = append(files, name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}
