package docs_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Comments name rules of the contract by their codes, such as R12. Each has a row in docs/api/rules.md.
func TestRulesThatCommentsName(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("api/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([A-Z]\d+) \|`).FindAllSubmatch(text, -1) {
		rules[string(row[1])] = true
	}
	code := regexp.MustCompile(`\b[RGAKPMXLBHUVNSDF]\d{1,2}\b`)
	named := 0
	for _, file := range goFiles(t) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, comment := range parsed.Comments {
			for _, rule := range code.FindAllString(comment.Text(), -1) {
				if named++; !rules[rule] {
					t.Errorf("%s names the rule %s, which docs/api/rules.md does not have", file, rule)
				}
			}
		}
	}
	if len(rules) < 50 || named == 0 {
		t.Errorf("%d rules were found, and comments name %d", len(rules), named)
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
