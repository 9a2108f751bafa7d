package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// part is a third-party component of programs.
type part struct {
	name, version string
	address       string // the origin, as a purl
	licence       string // an expression of SPDX
	texts         []licenceText
}

// licenceText is a file of a part with its licence or its copyright notice.
type licenceText struct{ name, text string }

// embedded lists the third-party files in the checkout that are built into every program, each with its licence files.
var embedded = []struct {
	part
	files []string
}{
	{
		part{name: "swagger-ui-dist", version: "5.35.0", address: "pkg:npm/swagger-ui-dist@5.35.0", licence: "Apache-2.0"},
		[]string{"internal/httpapi/docs/LICENSE", "internal/httpapi/docs/NOTICE", "internal/httpapi/docs/swagger-ui-bundle.js.LICENSE.txt"},
	},
	{
		part{name: "htmx.org", version: "4", address: "pkg:npm/htmx.org", licence: "0BSD"},
		[]string{"internal/web/static/htmx.LICENSE"},
	},
	{
		part{name: "zxing-wasm", version: "3.1.4", address: "pkg:npm/zxing-wasm@3.1.4", licence: "MIT AND Apache-2.0 AND BSD-3-Clause"},
		[]string{"internal/web/static/zxing_reader.LICENSE"},
	},
	{
		part{
			name: "@fontsource-variable/ibm-plex-sans", version: "5.3.0",
			address: "pkg:npm/%40fontsource-variable/ibm-plex-sans@5.3.0", licence: "OFL-1.1",
		},
		[]string{"internal/web/static/plex.LICENSE"},
	},
	{
		part{name: "lucide", version: "1.62.0", address: "pkg:npm/lucide@1.62.0", licence: "ISC"},
		[]string{"internal/web/static/icons.LICENSE"},
	},
}

// The licences that licensecheck may find in a module of the program, by their SPDX identifiers.
var allowed = map[string]bool{
	"0BSD": true, "Apache-2.0": true, "BSD-2-Clause": true, "BSD-3-Clause": true, "CC0-1.0": true, "ISC": true, "MIT": true,
	"Unlicense": true,
}

// learnParts lists the components of the programs with their licences. It fails if a module has no licence, or a licence that is not
// allowed.
func (r *release) learnParts(ctx context.Context) error {
	r.parts = map[string]part{}
	names := []string{}
	for i := range r.programs {
		for _, module := range r.programs[i].info.Deps {
			address := "pkg:golang/" + module.Path + "@" + module.Version
			r.parts[module.Path] = part{name: module.Path, version: module.Version, address: address}
			names = append(names, module.Path)
		}
	}
	slices.Sort(names)
	args := append([]string{"list", "-m", "-f", "{{.Path}}\t{{.Dir}}"}, slices.Compact(names)...)
	listed, err := r.goTool(ctx, r.targets[0], args...)
	if err != nil {
		return err
	}
	var errs []error
	for line := range strings.Lines(string(listed)) {
		name, folder, _ := strings.Cut(strings.TrimSpace(line), "\t")
		errs = append(errs, r.learnModule(name, folder))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	root, err := r.goTool(ctx, r.targets[0], "env", "GOROOT")
	if err != nil {
		return err
	}
	standard := part{name: "std", version: strings.TrimPrefix(runtime.Version(), "go"), licence: "BSD-3-Clause"}
	standard.address = "pkg:golang/std@" + standard.version
	standard.texts, err = textsOf(strings.TrimSpace(string(root)), "LICENSE", "PATENTS")
	if err != nil {
		return err
	}
	r.parts[standard.name] = standard
	for _, one := range embedded {
		if one.texts, err = textsOf(r.source, one.files...); err != nil {
			return err
		}
		r.parts[one.name] = one.part
	}
	return nil
}

func (r *release) learnModule(name, folder string) error {
	module := r.parts[name]
	files, err := licenceFiles(folder)
	if err != nil {
		return err
	}
	if module.texts, err = textsOf(folder, files...); err != nil {
		return err
	}
	grants := regexp.MustCompile(`(?i)^(licen[sc]e|copying)[^/]*$`) // licences of the module itself
	others := regexp.MustCompile(`(?i)(3rd|third).?party`)          // licences of third-party code, including that of tests
	found := map[string]bool{}
	for _, file := range module.texts {
		if !grants.MatchString(file.name) || others.MatchString(file.name) {
			continue
		}
		for _, match := range licensecheck.Scan([]byte(file.text)).Match {
			if !match.IsURL {
				found[match.ID] = true
			}
		}
	}
	if len(found) == 0 {
		return fmt.Errorf("%s %s has no licence that is known", module.name, module.version)
	}
	var all []string
	for id := range found {
		if !allowed[id] {
			return fmt.Errorf("%s %s is under %s, which is not among those that were judged", module.name, module.version, id)
		}
		all = append(all, id)
	}
	slices.Sort(all)
	module.licence = strings.Join(all, " AND ")
	r.parts[name] = module
	return nil
}

// licenceFiles lists the licence files below a folder, those directly in the folder first.
func licenceFiles(folder string) (files []string, err error) {
	speaks := regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice|patents)`)
	err = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{"testdata", "vendor", "node_modules"}, entry.Name()) {
			return fs.SkipDir
		}
		if !entry.IsDir() && speaks.MatchString(entry.Name()) && !strings.HasSuffix(entry.Name(), ".go") {
			within, err := filepath.Rel(folder, name)
			files = append(files, filepath.ToSlash(within))
			return err
		}
		return nil
	})
	slices.SortFunc(files, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), cmp.Compare(a, b))
	})
	return files, err
}

// textsOf reads the files of a folder. If several have the same text, it returns only the first.
func textsOf(folder string, names ...string) (texts []licenceText, err error) {
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(texts, func(one licenceText) bool { return one.text == string(text) }) {
			texts = append(texts, licenceText{name, string(text)})
		}
	}
	return texts, nil
}

// licences returns one text with our licence and the licences of all components.
func (r *release) licences() ([]byte, error) {
	own, err := os.ReadFile(filepath.Join(r.source, "LICENSE"))
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	text.WriteString("Routecard, https://github.com/routecard/routecard\nLicense: Apache-2.0\n\n")
	text.Write(own)
	text.WriteString("\nThe program contains what others have written, under these licences:\n\n")
	for _, one := range r.sortedParts() {
		fmt.Fprintf(&text, "    %s %s: %s\n", one.name, one.version, one.licence)
	}
	for _, one := range r.sortedParts() {
		for _, file := range one.texts {
			fmt.Fprintf(&text, "\n%s\n%s %s, %s\n\n%s\n",
				strings.Repeat("-", 80), one.name, one.version, file.name, strings.TrimSpace(file.text))
		}
	}
	return text.Bytes(), nil
}

func (r *release) sortedParts() []part {
	var all []part
	for _, one := range r.parts {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b part) int { return cmp.Compare(a.name, b.name) })
	return all
}
