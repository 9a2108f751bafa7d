package docs_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Comments of Go files and of case files name rules of the contract by their codes, such as R12. Each has a row in docs/api/rules.md.
func TestRulesThatCommentsName(t *testing.T) {
	t.Parallel()
	text := read(t, "api/rules.md")
	rules, letters := map[string]bool{}, ""
	for _, row := range regexp.MustCompile(`(?m)^\| ([A-Z])(\d+) \|`).FindAllStringSubmatch(text, -1) {
		rules[row[1]+row[2]] = true
		letters += row[1]
	}
	code := regexp.MustCompile(`\b[` + letters + `]\d{1,2}\b`)
	named := map[string]int{}
	judge := func(file, comment string) {
		for _, rule := range code.FindAllString(comment, -1) {
			if named[filepath.Ext(file)]++; !rules[rule] {
				t.Errorf("%s names the rule %s, which docs/api/rules.md does not have", file, rule)
			}
		}
	}
	for _, file := range goFiles(t) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, comment := range parsed.Comments {
			judge(file, comment.Text())
		}
	}
	cases, err := filepath.Glob("../internal/httpapi/testdata/cases/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range cases {
		for _, comment := range regexp.MustCompile(`(?m)^(?:#|==) .*$`).FindAllString(read(t, file), -1) {
			judge(file, comment)
		}
	}
	if len(rules) < 50 || named[".go"] == 0 || named[".txt"] == 0 {
		t.Errorf("%d rules were found, and comments name %v", len(rules), named)
	}
}

// Each rule about files, measurements, orders, numbers, codes, exports and imports is named beside a test of it.
func TestRulesHaveTests(t *testing.T) {
	t.Parallel()
	comments := new(strings.Builder)
	for _, file := range goFiles(t) {
		if !strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, comment := range regexp.MustCompile(`(?m)^// .*$`).FindAllString(read(t, file), -1) {
			comments.WriteString(comment + "\n")
		}
	}
	cases, err := filepath.Glob("../internal/httpapi/testdata/cases/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range cases {
		for _, comment := range regexp.MustCompile(`(?m)^(?:#|==) .*$`).FindAllString(read(t, file), -1) {
			comments.WriteString(comment + "\n")
		}
	}
	rules := 0
	for group := range strings.SplitSeq(read(t, "api/rules.md"), "\n## ") {
		title, rows, _ := strings.Cut(group, "\n")
		words := map[string]string{
			"F: files": "", "M: measurements": " of measurements", "O: orders": "", "E: exports and imports": "", "Q: own numbers": "", "C: codes": "",
			"X: external identifiers": ".*ext", // other rules have these codes too
		}
		about, ok := words[title]
		if !ok {
			continue
		}
		for _, row := range regexp.MustCompile(`(?m)^\| ([A-Z]\d+) \|`).FindAllStringSubmatch(rows, -1) {
			rules++
			if !regexp.MustCompile(`\b` + row[1] + `\b` + about).MatchString(comments.String()) {
				t.Errorf("no test is named to be of the rule %s of %q", row[1], title)
			}
		}
	}
	if rules < 35 {
		t.Errorf("only %d rules were found", rules)
	}
}

// The beginning of the rules links every group of them, and says of every letter that two groups share which of them is meant where.
func TestGroupsOfRules(t *testing.T) {
	t.Parallel()
	beginning, groups, _ := strings.Cut(read(t, "api/rules.md"), "\n## ")
	shared := regexp.MustCompile(`(?s)\n(\w+) letters are used twice\.(.*)\n\n\| codes`).FindStringSubmatch(beginning)
	if shared == nil {
		t.Fatal("nothing says which letters are used twice")
	}
	headings := regexp.MustCompile(`(?m)^## (([A-Z])\d*: .*)$`).FindAllStringSubmatch("\n## "+groups, -1)
	times := map[string]int{}
	for _, heading := range headings {
		times[heading[2]]++
	}
	twice := 0
	for _, heading := range headings {
		anchor := "](#" + anchorOf(heading[1]) + ")"
		if !strings.Contains(beginning, anchor) {
			t.Errorf("the beginning does not link %q", heading[1])
		}
		if times[heading[2]] > 1 {
			if twice++; !strings.Contains(shared[2], anchor) {
				t.Errorf("nothing says when %s is a rule of %q", heading[2], heading[1])
			}
		}
	}
	if words := []string{"", "One", "Two", "Three", "Four", "Five", "Six"}; twice/2 >= len(words) || shared[1] != words[twice/2] {
		t.Errorf("%s letters are used twice, says the text, and it is %d", shared[1], twice/2)
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
