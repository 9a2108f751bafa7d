package routecard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The package comment is the map of the package: it names every file that is there, and none that is not.
func TestPackageCommentNamesEveryFile(t *testing.T) {
	t.Parallel()
	comment, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{"doc.go": true}
	for _, word := range strings.Fields(string(comment)) {
		if strings.HasSuffix(word, ".go") {
			named[word] = true
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		if !named[file] {
			t.Errorf("doc.go does not say what %s is for", file)
		}
		delete(named, file)
	}
	for file := range named {
		t.Errorf("doc.go names %s, which is not there", file)
	}
}
