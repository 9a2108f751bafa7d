package docs_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// The word hold means only the quality hold of a unit. For "hold against" write "compare with".
func TestHoldMeansOneThing(t *testing.T) {
	t.Parallel()
	wrapped := regexp.MustCompile(`\s*\n\s*(?://|#)?\s*`)
	against := regexp.MustCompile(`(?i)\b(?:held|holds?|holding)\b[^.;:|"]{0,80}?\bagainst\b`)
	if err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		written := []string{".go", ".md", ".yaml"}
		if err != nil || entry.IsDir() || !slices.Contains(written, filepath.Ext(file)) || filepath.Base(file) == "vocabulary_test.go" {
			return err
		}
		for _, found := range against.FindAllString(wrapped.ReplaceAllString(read(t, file), " "), -1) {
			t.Errorf("%s says %q", file, found)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
