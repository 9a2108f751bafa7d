package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// listed is a package in the output of go list.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Export     string // the file with the compiled export data
	Module     *struct{ Main bool }
}

func (l *listed) own() bool { return l.Module != nil && l.Module.Main }

// TestSystems type-checks the program for Windows and for macOS. The gate builds releases for Linux only, because compiling everything again
// for each system takes a minute. Dependencies are compiled once for each of their versions; our own packages are checked from their source.
func TestSystems(t *testing.T) {
	t.Parallel()
	for _, one := range []target{{"windows", "amd64"}, {"darwin", "arm64"}} {
		t.Run(one.system, func(t *testing.T) {
			t.Parallel()
			all := list(t, one, "-deps", "./cmd/routecard")
			var others []string
			for i := range all {
				if !all[i].own() && all[i].ImportPath != "unsafe" {
					others = append(others, all[i].ImportPath)
				}
			}
			exports := map[string]string{}
			for _, other := range list(t, one, append([]string{"-export"}, others...)...) {
				exports[other.ImportPath] = other.Export
			}
			files := token.NewFileSet()
			known := checked{map[string]*types.Package{}, importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) {
				return os.Open(exports[path])
			})}
			judge := types.Config{Importer: known, Sizes: types.SizesFor("gc", one.processor), Error: func(err error) { t.Error(err) }}
			for i := range all { // imported packages come before the packages that import them
				if !all[i].own() {
					continue
				}
				var parsed []*ast.File
				for _, name := range all[i].GoFiles {
					file, err := parser.ParseFile(files, filepath.Join(all[i].Dir, name), nil, parser.SkipObjectResolution)
					if err != nil {
						t.Fatal(err)
					}
					parsed = append(parsed, file)
				}
				known.own[all[i].ImportPath], _ = judge.Check(all[i].ImportPath, files, parsed, nil) // errors were reported
			}
			if len(known.own) < 20 || known.own["github.com/routecard/routecard/cmd/routecard"] == nil {
				t.Errorf("only %d packages were checked", len(known.own))
			}
		})
	}
}

// checked is an importer. It returns our own packages from the type check, and other packages from their export data.
type checked struct {
	own    map[string]*types.Package
	others types.Importer
}

func (c checked) Import(path string) (*types.Package, error) {
	if own := c.own[path]; own != nil {
		return own, nil
	}
	return c.others.Import(path)
}

// list runs go list for packages of the service and a target system.
func list(t *testing.T, of target, args ...string) (packages []listed) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", append([]string{"list", "-trimpath", "-json=ImportPath,Dir,GoFiles,Export,Module"}, args...)...) //nolint:gosec // ours
	command.Dir = ".."
	command.Env = append(os.Environ(), "GOOS="+of.system, "GOARCH="+of.processor, "CGO_ENABLED=0")
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for decoder := json.NewDecoder(output); ; {
		var one listed
		err := decoder.Decode(&one)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, one)
	}
	if err := command.Wait(); err != nil {
		t.Fatal(err)
	}
	return packages
}
