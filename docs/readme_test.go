package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The readme says why each folder with Go files exists, and names none that is not there.
func TestReadmeNamesEveryFolder(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"../*/*.go", "../internal/*/*.go", "../cmd/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if folder := "`" + strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../") + "/`"; !strings.Contains(string(readme), folder) {
				t.Errorf("README.md does not say why %s exists", folder)
			}
		}
	}
	for _, named := range regexp.MustCompile("`((?:internal|cmd)/\\w+)/`").FindAllSubmatch(readme, -1) {
		if _, err := os.Stat(filepath.Join("..", string(named[1]))); err != nil {
			t.Errorf("README.md names %s, which is not there", named[1])
		}
	}
}

// What is longer than a visitor reads belongs into docs.
func TestReadmeIsShort(t *testing.T) {
	t.Parallel()
	if lines := strings.Count(read(t, "../README.md"), "\n"); lines > 150 {
		t.Errorf("README.md has %d lines, and 150 at most", lines)
	}
}
