package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// The map in docs/architecture.md has each folder with Go files, and none that does not exist.
func TestArchitectureNamesEveryFolder(t *testing.T) {
	t.Parallel()
	text := read(t, "architecture.md")
	for _, pattern := range []string{"../*/*.go", "../internal/*/*.go", "../cmd/*/*.go", "../shop/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if folder := "`" + strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../") + "/`"; !strings.Contains(text, folder) {
				t.Errorf("docs/architecture.md does not have %s", folder)
			}
		}
	}
	for _, named := range regexp.MustCompile("`((?:internal|cmd|shop)/\\w+)/`").FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join("..", named[1])); err != nil {
			t.Errorf("docs/architecture.md names %s, which does not exist", named[1])
		}
	}
}

// Each file in the table of docs/adding-a-noun.md exists.
func TestAddingANounNamesFiles(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(read(t, "adding-a-noun.md"), "| file | content |")
	table, _, _ = strings.Cut(table, "\n\n")
	files := regexp.MustCompile("`([\\w/]+\\.[\\w.]+)`").FindAllStringSubmatch(table, -1)
	for _, named := range files {
		if _, err := os.Stat(filepath.Join("..", named[1])); err != nil {
			t.Errorf("docs/adding-a-noun.md names %s, which does not exist", named[1])
		}
	}
	if len(files) < 10 {
		t.Errorf("the table has %d files", len(files))
	}
}

// The readme has less than 600 words, and all documents together at most 46,000; 45,000 are wanted.
func TestDocumentsAreShort(t *testing.T) {
	t.Parallel()
	words := func(patterns ...string) (count int) {
		for _, pattern := range patterns {
			documents, err := filepath.Glob(pattern)
			if err != nil {
				t.Fatal(err)
			}
			for _, document := range documents {
				for field := range strings.FieldsSeq(read(t, document)) {
					if strings.ContainsFunc(field, unicode.IsLetter) || strings.ContainsFunc(field, unicode.IsDigit) {
						count++ // and not the marks of a table or a list
					}
				}
			}
		}
		return count
	}
	if count := words("../README.md"); count >= 600 {
		t.Errorf("README.md has %d words, and may have 600", count)
	}
	if count := words("../README.md", "*.md", "*/*.md"); count > 46_000 || count < 10_000 {
		t.Errorf("the documents have %d words together, and may have 46,000", count)
	}
}
