package shop

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The package comment names every file of the package and no other. Nouns without a line in it are found by their names in nouns.go.
func TestPackageCommentNamesEveryFile(t *testing.T) {
	t.Parallel()
	comment, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{"doc.go": true}
	for _, word := range strings.Fields(string(comment)) {
		word = strings.TrimRight(word, ".,;:)")
		if !strings.HasSuffix(word, ".go") {
			continue
		}
		if strings.Contains(word, "/") {
			if _, err := os.Stat(filepath.Join("..", filepath.FromSlash(word))); err != nil {
				t.Errorf("doc.go names %s, which is not there", word)
			}
			continue
		}
		named[word] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !named[file] && !strings.Contains(string(text), "Noun = noun{") {
			t.Errorf("doc.go does not say what %s is for", file)
		}
		delete(named, file)
	}
	for file := range named {
		t.Errorf("doc.go names %s, which is not there", file)
	}
}
