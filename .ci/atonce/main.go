// Command atonce finds the concurrent tests of some packages: tests that start a goroutine, either themselves or in a function of the tests
// that they call. The gate runs these tests with the race detector. The first line of the output is a regular expression for go test -run.
// The other lines are the folders that have such tests.
//
//	go run ./.ci/atonce FOLDER...
//
// It compares names, not types: a test also counts if it calls a function or method that has the same name as one that starts a goroutine.
package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	names, with, err := testsAtOnce(os.Args[1:])
	if err == nil && len(names) == 0 {
		err = errors.New("no test starts a goroutine")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("^(%s)$\n%s\n", strings.Join(names, "|"), strings.Join(with, "\n"))
}

// testsAtOnce returns the names of the concurrent tests, and the folders that have any, in order.
func testsAtOnce(folders []string) (names, with []string, err error) {
	known := functions{}
	for _, folder := range []string{"internal/shoptest", "internal/storetest"} { // helpers for the tests of several packages
		if err := known.read(folder, path.Base(folder)+".", ".go"); err != nil {
			return nil, nil, err
		}
	}
	for _, folder := range folders {
		if err := known.read(folder, folder+".", "_test.go"); err != nil {
			return nil, nil, err
		}
	}
	for name := range known {
		dot := strings.LastIndex(name, ".")
		folder, test := name[:dot], name[dot+1:]
		if strings.HasPrefix(test, "Test") && test != "TestMain" && known.startGoroutine(name, map[string]bool{}) {
			names, with = append(names, test), append(with, folder)
		}
	}
	slices.Sort(names)
	slices.Sort(with)
	return slices.Compact(names), slices.Compact(with), nil
}

// functions has all functions and methods of some packages, by package and name.
type functions map[string]*does

// does says what the functions of one name do together: whether they start a goroutine, and which names they use.
type does struct {
	starts bool
	names  []string // keys of functions; some may be missing there
}

// read adds the functions in the files of a folder.
func (f functions) read(folder, prefix, suffix string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*"+suffix))
	if err != nil {
		return err
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declared := range parsed.Decls {
			if function, ok := declared.(*ast.FuncDecl); ok && function.Body != nil {
				f.add(prefix, function)
			}
		}
	}
	return nil
}

func (f functions) add(prefix string, function *ast.FuncDecl) {
	name := prefix + function.Name.Name
	if f[name] == nil {
		f[name] = &does{}
	}
	does := f[name]
	ast.Inspect(function.Body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.GoStmt:
			does.starts = true
		case *ast.Ident: // called here, or passed to a function that calls it
			does.names = append(does.names, prefix+node.Name)
		case *ast.SelectorExpr:
			of, _ := node.X.(*ast.Ident)
			switch {
			case node.Sel.Name == "Go", // a method of sync.WaitGroup and errgroup.Group
				node.Sel.Name == "Call", // a method of reflect.Value, which can call anything
				of != nil && of.Name == "synctest":
				does.starts = true
			case of != nil:
				does.names = append(does.names, of.Name+"."+node.Sel.Name)
			}
		}
		return true
	})
}

// startGoroutine reports whether a function starts a goroutine, either itself or through a function whose name it uses.
func (f functions) startGoroutine(name string, seen map[string]bool) bool {
	does, ok := f[name]
	if !ok || seen[name] {
		return false
	}
	seen[name] = true
	return does.starts || slices.ContainsFunc(does.names, func(named string) bool { return f.startGoroutine(named, seen) })
}
