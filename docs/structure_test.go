package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Limits of non-test files in a package and of methods of a type.
const (
	filesAtMost   = 45
	methodsAtMost = 60
)

// largePackages are the packages with more files, and largeTypes the types with more methods. Their figures only go down: lower the figure
// of a package that has become smaller, and remove the package when it is within the limit.
var (
	largePackages = map[string]int{}
	largeTypes    = map[string]int{}
)

// operationTypes have one method for each operation or view.
var operationTypes = []string{"shop.Service", "internal/access.Service", "views.Views", "client.Client"}

func TestPackagesAndTypesStaySmall(t *testing.T) {
	t.Parallel()
	files, methods := map[string]int{}, map[string]int{}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "node_modules" || entry.Name() == "testdata") {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return err
		}
		folder := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(path), ".."+string(filepath.Separator)))
		if !ast.IsGenerated(parsed) {
			files[folder]++
		}
		for _, declared := range parsed.Decls {
			if method, ok := declared.(*ast.FuncDecl); ok && method.Recv != nil {
				if of := folder + "." + receiver(method.Recv.List[0].Type); !slices.Contains(operationTypes, of) {
					methods[of]++
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 30 {
		t.Errorf("only %d packages were found", len(files))
	}
	compareSizes(t, "files", files, filesAtMost, largePackages)
	compareSizes(t, "methods", methods, methodsAtMost, largeTypes)
}

// parsedFiles returns the non-test files of a package, by name.
func parsedFiles(t *testing.T, folder string) map[string]*ast.File {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no files: %v", folder, err)
	}
	parsed := make(map[string]*ast.File)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		if parsed[file], err = parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution); err != nil {
			t.Fatal(err)
		}
	}
	return parsed
}

func receiver(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiver(of.X)
	case *ast.IndexExpr:
		return receiver(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}

func compareSizes(t *testing.T, what string, found map[string]int, atMost int, larger map[string]int) {
	t.Helper()
	for name, count := range found {
		limit, known := larger[name]
		switch {
		case !known && count > atMost:
			t.Errorf("%s has %d %s, at most %d", name, count, what, atMost)
		case known && count > limit:
			t.Errorf("%s has %d %s, and had %d", name, count, what, limit)
		case known && count < limit:
			t.Errorf("%s has %d %s now: lower its figure, or remove it from the list at %d", name, count, what, atMost)
		}
	}
	for name := range larger {
		if found[name] == 0 {
			t.Errorf("%s is not there any more", name)
		}
	}
}

// sqlWords are words that only a statement for a database has; namingFields are the fields of shop.Record that name tables and columns.
var (
	sqlWords     = regexp.MustCompile(`\b(SELECT|INSERT INTO|DELETE FROM|WHERE|ORDER BY|GROUP BY|CASE WHEN|COALESCE|LEFT JOIN)\b`)
	namingFields = []string{"Table", "StepColumn", "Called", "Detailed"}
)

// tablesNamed is the number of places where a business package names a table or a column, as the rows of shop.Record do. The figures
// only go down.
var tablesNamed = map[string]int{"shop": 68}

// The business packages and views use records and fields; only internal/sqlstore knows tables and columns.
func TestBusinessHasNoSQL(t *testing.T) {
	t.Parallel()
	found := map[string]int{}
	for _, folder := range []string{"shop", "shop/card", "shop/ident", "shop/importing", "shop/input", "shop/refusal", "shop/replay", "shop/trail", "shop/workorder", "views"} {
		for file, parsed := range parsedFiles(t, folder) {
			ast.Inspect(parsed, func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.BasicLit:
					if word := sqlWords.FindString(node.Value); word != "" && node.Kind == token.STRING {
						t.Errorf("%s: %s is a word of SQL", file, word)
					}
				case *ast.KeyValueExpr:
					if key, ok := node.Key.(*ast.Ident); ok && slices.Contains(namingFields, key.Name) {
						found[folder]++
					}
				}
				return true
			})
		}
	}
	compareSizes(t, "places that name tables and columns", found, 0, tablesNamed)
}
