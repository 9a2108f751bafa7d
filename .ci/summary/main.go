// Command summary turns the output of `go test -json` into a report for people: one line for each package, the whole output of each
// failure, the name and reason of each skipped test, and, as the last line, the counts alone.
//
// It counts each test and each subtest once. A package that fails although none of its tests failed (it does not build, or the process
// ended during a test) counts as one failure.
//
// Its exit status is 1 when anything failed, when anything was skipped, and when no test ran: a gate that checks nothing must not look like
// one that passed.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	good, err := summarize(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "summary:", err)
	}
	if err != nil || !good {
		os.Exit(1)
	}
}

// event is one line of `go test -json`, as described by `go doc test2json`. Its names are matched in any case.
type event struct {
	Action      string  `json:"action"`
	Package     string  `json:"package"`
	ImportPath  string  `json:"importPath"` // set in place of Package in the output of the compiler
	Test        string  `json:"test"`
	Output      string  `json:"output"`
	Elapsed     float64 `json:"elapsed"`
	FailedBuild string  `json:"failedBuild"` // the ImportPath whose build failed
}

// test is the result of one test. If its name is "", it is the result of a package outside its tests.
type test struct {
	name   string
	result string // pass, fail or skip; empty while the test runs
	output strings.Builder
}

// suite is one package and its tests, in the order in which they started.
type suite struct {
	test

	elapsed     float64
	failedBuild string
	tests       []*test
	byName      map[string]*test
}

func (s *suite) find(name string) *test {
	if name == "" {
		return &s.test
	}
	if found, ok := s.byName[name]; ok {
		return found
	}
	added := &test{name: name}
	s.byName[name] = added
	s.tests = append(s.tests, added)
	return added
}

// counted returns the tests with the given result. A test that did not report how it ended has failed.
func (s *suite) counted(result string) []*test {
	var found []*test
	for _, t := range s.tests {
		if t.result == result || t.result == "" && result == "fail" {
			found = append(found, t)
		}
	}
	return found
}

// run is everything that was read from the input.
type run struct {
	suites []*suite
	byName map[string]*suite
	builds map[string]*strings.Builder // the compiler's output, by import path
	stray  strings.Builder             // lines that are not events
}

func read(in io.Reader) (*run, error) {
	r := &run{byName: map[string]*suite{}, builds: map[string]*strings.Builder{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			r.add(line)
		}
		if errors.Is(err, io.EOF) {
			return r, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (r *run) add(line string) {
	var e event
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		r.stray.WriteString(line)
		return
	}
	if e.Action == "build-output" {
		if r.builds[e.ImportPath] == nil {
			r.builds[e.ImportPath] = &strings.Builder{}
		}
		r.builds[e.ImportPath].WriteString(e.Output)
		return
	}
	if e.Package == "" {
		return
	}
	s, ok := r.byName[e.Package]
	if !ok {
		s = &suite{test: test{name: e.Package}, byName: map[string]*test{}}
		r.byName[e.Package] = s
		r.suites = append(r.suites, s)
	}
	switch e.Action {
	case "run":
		s.find(e.Test)
	case "output":
		s.find(e.Test).output.WriteString(e.Output)
	case "pass", "fail", "skip":
		// A test may print the output of another run of itself, for example with PostgreSQL. A package may run twice, with and without the
		// race detector. A test that failed in one of these runs counts as failed.
		if found := s.find(e.Test); found.result != "fail" {
			found.result = e.Action
		}
		if e.Test == "" {
			s.elapsed += e.Elapsed
			s.failedBuild = cmp.Or(s.failedBuild, e.FailedBuild)
		}
	}
}

func summarize(in io.Reader, out io.Writer) (good bool, err error) {
	r, err := read(in)
	if err != nil {
		return false, err
	}
	w := bufio.NewWriter(out)
	var passed, failed, skipped int
	for _, s := range r.suites {
		p, f, k := len(s.counted("pass")), len(s.counted("fail")), len(s.counted("skip"))
		if f == 0 && s.broken() {
			f = 1
		}
		passed, failed, skipped = passed+p, failed+f, skipped+k
		fmt.Fprintln(w, s.line(p, f, k))
	}
	r.writeFailures(w)
	if skipped > 0 {
		fmt.Fprint(w, "\nSkipped, which counts as failed here:\n")
		for _, s := range r.suites {
			for _, t := range s.counted("skip") {
				fmt.Fprintf(w, "  %s %s\n%s", s.name, t.name, indent(t.words(), "  "))
			}
		}
	}
	if passed+failed+skipped == 0 {
		fmt.Fprint(w, "\nNo test ran.\n")
	}
	fmt.Fprintf(w, "\n%d passed, %d failed", passed, failed)
	if skipped > 0 {
		fmt.Fprintf(w, ", %d skipped", skipped)
	}
	fmt.Fprintln(w)
	return passed > 0 && failed == 0 && skipped == 0, w.Flush()
}

// broken reports whether the package as a whole failed or did not report how it ended.
func (s *suite) broken() bool { return s.result == "fail" || s.result == "" }

func (s *suite) line(passed, failed, skipped int) string {
	switch {
	case s.failedBuild != "":
		return fmt.Sprintf("FAIL  %8s  %s: does not build", "", s.name)
	case failed > 0:
		return fmt.Sprintf("FAIL  %7.1fs  %s: %d passed, %d failed, %d skipped", s.elapsed, s.name, passed, failed, skipped)
	case skipped > 0:
		return fmt.Sprintf("SKIP  %7.1fs  %s: %d passed, %d skipped", s.elapsed, s.name, passed, skipped)
	case passed == 0:
		return fmt.Sprintf("-     %8s  %s: no tests", "", s.name)
	}
	return fmt.Sprintf("ok    %7.1fs  %s: %d passed", s.elapsed, s.name, passed)
}

func (r *run) writeFailures(w *bufio.Writer) {
	if r.stray.Len() > 0 {
		fmt.Fprintf(w, "\nNot from a test:\n%s", indent(r.stray.String(), "  "))
	}
	for _, path := range slices.Sorted(maps.Keys(r.builds)) {
		fmt.Fprintf(w, "\nBuild of %s:\n%s", path, indent(r.builds[path].String(), "  "))
	}
	for _, s := range r.suites {
		for _, t := range s.counted("fail") {
			ended := ""
			if t.result == "" {
				ended = " (did not end)"
			}
			fmt.Fprintf(w, "\nFailed: %s %s%s\n%s", s.name, t.name, ended, indent(t.words(), "  "))
		}
		if words := s.words(); s.broken() && words != "" {
			fmt.Fprintf(w, "\n%s, beside its tests:\n%s", s.name, indent(words, "  "))
		}
	}
}

// words returns the output of a test or a package, without the lines that `go test` adds around it.
func (t *test) words() string {
	var kept strings.Builder
	for line := range strings.Lines(t.output.String()) {
		if !frame.MatchString(line) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

var frame = regexp.MustCompile(`^(=== (RUN|PAUSE|CONT|NAME) | *--- (PASS|FAIL|SKIP): |(PASS|FAIL|ok)\s)`)

// longest is the maximum number of lines of one output in the report.
const longest = 400

// indent indents a text in the report, and shortens a very long text to its beginning and its end.
func indent(text, with string) string {
	lines := slices.Collect(strings.Lines(text))
	if left := len(lines) - longest; left > 0 {
		middle := fmt.Sprintf("... %d lines left out ...\n", left)
		lines = slices.Concat(lines[:longest/2], []string{middle}, lines[len(lines)-longest/2:])
	}
	var out strings.Builder
	for _, line := range lines {
		out.WriteString(with + strings.TrimSuffix(line, "\n") + "\n")
	}
	return out.String()
}
