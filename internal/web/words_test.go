package web

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
)

// pageTexts returns the texts of all pages, by their source: the templates without inserted values, and the tables of words.
func pageTexts(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	marked := regexp.MustCompile(`\bt[sn]? [^"{}]*"([^"]*)"(?: "([^"]*)")?`)
	dropped := regexp.MustCompile(`(?s)\{\{.*?\}\}|<[^>]*>`)
	shown := regexp.MustCompile(`(?:placeholder|aria-label|title|alt)="([^"]*)"|"(?:Label|Hint|Title)" "([^"]*)"|columns ((?:"[^"]*" ?)+)`)
	entries, err := fs.ReadDir(templateFiles, "templates")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		text, err := fs.ReadFile(templateFiles, "templates/"+entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		source := string(text)
		for _, found := range shown.FindAllStringSubmatch(source, -1) {
			texts[entry.Name()] += " " + dropped.ReplaceAllString(strings.Join(found[1:], " "), " ")
		}
		for _, found := range marked.FindAllStringSubmatch(source, -1) {
			texts[entry.Name()] += " " + strings.Join(found[1:], " ")
		}
		texts[entry.Name()] += " " + dropped.ReplaceAllString(regexp.MustCompile(`(?s)<code>.*?</code>`).ReplaceAllString(source, " "), " ")
	}
	for _, action := range slices.Concat(shop.AuditActions(), shop.AccessActions()) {
		texts["the words of "+string(action)] = wording.ActionWords(nil, action)
	}
	for reason, said := range wording.Sentences {
		texts["the sentence "+reason.Code()] = regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(said.Text.English(), " ")
	}
	for of, fields := range wording.NounFields {
		for name, field := range fields {
			texts["the field "+name+" of "+string(of)] = strings.Join([]string{string(field.Label), string(field.Absent), string(field.Unlisted)}, " ")
		}
	}
	for name, field := range wording.CommonFields {
		texts["the field "+name] = strings.Join([]string{string(field.Label), string(field.Absent), string(field.Unlisted)}, " ")
	}
	for operation, words := range site.OperationWords {
		texts["the operation "+string(operation)] = words.English()
	}
	for operation, words := range site.SignedWords {
		texts["the question "+string(operation)] = words.English()
	}
	maps.Copy(texts, spokenTexts(t))
	return texts
}

// spokenTexts returns the constants in the source of the pages that contain a space: in Go files, without addresses, pictures, and texts
// for programmers such as errors and log messages, and in Routecard's own scripts.
func spokenTexts(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, folder := range []string{".", "account", "office", "scanpages", "site", "unitcard", "wording", "../station"} {
		paths, err := filepath.Glob(folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.CallExpr:
					called, ok := node.Fun.(*ast.SelectorExpr)
					return !ok || !slices.Contains([]string{"Errorf", "MustCompile", "Handle", "Error", "Warn", "Info"}, called.Sel.Name)
				case *ast.StructType, *ast.ImportSpec:
					return false // struct tags
				case *ast.BasicLit:
					text, err := strconv.Unquote(node.Value)
					if err == nil && strings.Contains(text, " ") && !strings.Contains(text, " /") && !strings.Contains(text, "<") {
						texts[fmt.Sprint("line ", files.Position(node.Pos()))] = text
					}
				}
				return true
			})
		}
	}
	for _, name := range []string{"acts.js", "app.js", "camera.js", "files.js", "import.js", "passkey.js", "search.js", "station.js"} {
		source, err := fs.ReadFile(staticFiles, "static/"+name)
		if err != nil {
			t.Fatal(err)
		}
		for i, found := range regexp.MustCompile("\"[^\"\n]* [^\"\n]*\"|`[^`\n]* [^`\n]*`").FindAll(source, -1) {
			texts[fmt.Sprint("text ", i+1, " of ", name)] = string(found)
		}
	}
	return texts
}

// The pages use the words of docs/words.md, and none of the words that the glossary replaces.
func TestPagesSpeakInOneVocabulary(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../docs/words.md")
	if err != nil {
		t.Fatal(err)
	}
	texts, looked := pageTexts(t), 0
	pages, _, _ := strings.Cut(string(document), "\n## ")
	for line := range strings.Lines(pages) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 3 || strings.HasPrefix(cells[0], " ---") || strings.TrimSpace(cells[0]) == "word" {
			continue
		}
		for word := range strings.SplitSeq(cells[2], ",") {
			looked++
			wrong := regexp.MustCompile(fmt.Sprintf(`(?i)\b%s\b`, regexp.QuoteMeta(strings.TrimSpace(word))))
			for _, where := range slices.Sorted(maps.Keys(texts)) {
				if at := wrong.FindStringIndex(texts[where]); at != nil {
					t.Errorf("%s says %q, and docs/words.md says %q:%s", where, strings.TrimSpace(word), strings.TrimSpace(cells[0]),
						strings.Join(strings.Fields(texts[where][max(0, at[0]-40):min(len(texts[where]), at[1]+40)]), " "))
				}
			}
		}
	}
	if looked < 20 {
		t.Errorf("only %d words were looked for", looked)
	}
}

// Every word of the glossary has a translation and appears only once. No two words of the trade have the same translation.
func TestGlossaryIsWhole(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../docs/words.md")
	if err != nil {
		t.Fatal(err)
	}
	_, glossary, _ := strings.Cut(string(document), "\n## ")
	rows, columns, seen := 0, 0, map[string]string{}
	for line := range strings.Lines(glossary) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "| ---") {
			continue
		}
		rows++
		if columns == 0 {
			columns = len(cells) // of the header
		}
		if len(cells) != columns {
			t.Errorf("a row has %d cells, want %d: %s", len(cells), columns, line)
			continue
		}
		for i, cell := range cells {
			for word := range strings.SplitSeq(strings.ReplaceAll(cell, "(?)", ""), ",") {
				key := fmt.Sprint(i, " ", strings.TrimSpace(word))
				if other, twice := seen[key]; twice || strings.TrimSpace(word) == "" {
					t.Errorf("%q stands for %q and for %q", strings.TrimSpace(word), other, strings.TrimSpace(cells[0]))
				}
				seen[key] = strings.TrimSpace(cells[0])
			}
		}
	}
	if rows < 60 || columns < 3 {
		t.Errorf("only %d rows of %d columns were read", rows, columns)
	}
}
