package web_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The maximum length of a text is declared where the length is checked. Templates contain no number for it.
func TestTemplatesNameNoLengths(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("templates/*.html")
	if err != nil || len(files) < 30 {
		t.Fatal(len(files), err)
	}
	number := regexp.MustCompile(`(?:min|max)length="[^{"]*\d[^"]*"|at (?:least|most) \d[\d,]* (?:characters|digits)`)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range number.FindAllString(string(text), -1) {
			t.Errorf("%s has %s", name, found)
		}
	}
}
