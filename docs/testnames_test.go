package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each test that a document names, such as TestDrawnCalls, is a function of a test file.
func TestTestsThatAreNamed(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9]*\b`)
	there := map[string]bool{}
	for _, file := range goFiles(t) {
		if strings.HasSuffix(file, "_test.go") {
			for _, function := range regexp.MustCompile(`(?m)^func (\w+)\(`).FindAllStringSubmatch(read(t, file), -1) {
				there[function[1]] = true
			}
		}
	}
	named := 0
	if err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".md") {
			return err
		}
		for _, test := range name.FindAllString(read(t, file), -1) {
			if named++; !there[test] {
				t.Errorf("%s names %s, and there is no such test", file, test)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if named < 5 || len(there) < 100 {
		t.Errorf("documents name %d tests, of %d", named, len(there))
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
