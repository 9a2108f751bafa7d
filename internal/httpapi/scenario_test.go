package httpapi

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
)

// The tests of the interface are data: testdata/cases/*.txt. One row is one request with its expected result.
//
//	# A comment.
//	== A scenario: it has a database of its own, after the rows in front of the file's first scenario
//	POST /api/jobs {"name": "Valve body", "goalQuantity": 5}
//	  -> 201 {"id": "$job", "name": "Valve body", "goalQuantity": 5, "createdAt": "$made", "updatedAt": "$made"}
//	POST /api/serials/SN-00001/advance
//	  Content-Type: application/json; charset=utf-8
//	  {"userId": "ann"}
//	  -> 200
//	  audit {"action": "serial_completed", "userId": "ann", ...}
//	POST /api/jobs raw "{\"name\": \"\xff\"}"
//	  -> 400 Request body must be a valid JSON object
//	sql UPDATE serial SET position = 99
//
// Indented lines before the arrow are headers and more of the body. raw is a body as a Go string literal, for bodies that are not text.
// After the arrow come the status and, for an error, the message; otherwise the complete response. If the response is left out, it is only
// compared with the OpenAPI document. Indented lines after the arrow are more of the response, headers that the response must have, and the
// audit entries that the request must add, oldest first, without their id and timestamp. A request without audit lines must not add any,
// and one that is refused, or only reads, must not change a single row of the database.
//
// $name stands for a value of an earlier response: when it first appears as a whole string in an expected response, it takes the value at
// that place. ${x*501} is x 501 times. In an expected response "@any" is any value, "@time" any timestamp, "@after $name" a later one than
// $name, "@job" any identifier that starts with job_, and so on, and the member "...": 0 allows an object to have more members.
//
// sql changes the database without the service, and without its foreign keys, as only damage would. lenient, a line before the arrow, marks
// a request that the service accepts although it is not valid by the OpenAPI document; undocumented marks a response that the document
// leaves out, because only a damaged database causes it.

type scenario struct {
	name string
	rows []row
}

type row struct {
	place        string // file:line
	sql          string // instead of a request
	method       string
	target       string
	header       [][2]string
	body         string
	lenient      bool
	undocumented bool

	status  int
	message string
	answer  string // "" if only the document checks it
	headers [][2]string
	audit   []string
}

var (
	headerLine = regexp.MustCompile(`^([A-Z][A-Za-z0-9-]*): ?(.*)$`)
	repetition = regexp.MustCompile(`\$\{(.+?)\*(\d+)\}`)
	variable   = regexp.MustCompile(`\$[A-Za-z][A-Za-z0-9]*`)
)

// readScenarios reads every case file.
func readScenarios(t *testing.T) []scenario {
	t.Helper()
	files, err := filepath.Glob("testdata/cases/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	scenarios := make([]scenario, 0, 10*len(files))
	for _, file := range files {
		scenarios = append(scenarios, readScenarioFile(t, file)...)
	}
	return scenarios
}

func readScenarioFile(t *testing.T, file string) []scenario {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	base := strings.TrimSuffix(filepath.Base(file), ".txt")
	var prologue []row
	var scenarios []scenario
	var current *row
	behindArrow := false
	rows := &prologue
	lines := bufio.NewScanner(bytes.NewReader(text))
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimRight(lines.Text(), " ")
		place := fmt.Sprintf("%s:%d", file, number)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "== "):
			name := base + "/" + strings.TrimPrefix(line, "== ")
			scenarios = append(scenarios, scenario{name: name, rows: slices.Clone(prologue)})
			rows = &scenarios[len(scenarios)-1].rows
		case !strings.HasPrefix(line, " "):
			*rows = append(*rows, parseRequestLine(t, place, line))
			current, behindArrow = &(*rows)[len(*rows)-1], false
		default:
			if err := current.parseDetail(strings.TrimSpace(line), &behindArrow); err != nil {
				t.Fatalf("%s: %v", place, err)
			}
		}
	}
	if len(scenarios) == 0 {
		scenarios = []scenario{{name: base, rows: prologue}}
	}
	for _, scenario := range scenarios {
		for _, row := range scenario.rows {
			if row.sql == "" && row.status == 0 {
				t.Fatalf("%s: the row has no arrow", row.place)
			}
		}
	}
	return scenarios
}

func parseRequestLine(t *testing.T, place, line string) row {
	t.Helper()
	first, rest, _ := strings.Cut(line, " ")
	if first == "sql" {
		return row{place: place, sql: rest}
	}
	target, body, _ := strings.Cut(rest, " ")
	if quoted, ok := strings.CutPrefix(body, "raw "); ok {
		var err error
		if body, err = strconv.Unquote(quoted); err != nil {
			t.Fatalf("%s: %v", place, err)
		}
	}
	return row{place: place, method: first, target: target, body: body}
}

func (r *row) parseDetail(line string, behindArrow *bool) error {
	if r == nil || r.sql != "" {
		return fmt.Errorf("%q belongs to no request", line)
	}
	if outcome, ok := strings.CutPrefix(line, "-> "); ok {
		status, rest, _ := strings.Cut(outcome, " ")
		var err error
		if r.status, err = strconv.Atoi(status); err != nil {
			return err
		}
		if r.status >= http.StatusBadRequest {
			r.message = rest
		} else {
			r.answer = rest
		}
		*behindArrow = true
		return nil
	}
	header := headerLine.FindStringSubmatch(line)
	switch {
	case *behindArrow && strings.HasPrefix(line, "audit "):
		r.audit = append(r.audit, strings.TrimPrefix(line, "audit "))
	case *behindArrow && header != nil:
		r.headers = append(r.headers, [2]string{header[1], header[2]})
	case *behindArrow:
		r.answer += "\n" + line
	case header != nil:
		r.header = append(r.header, [2]string{header[1], header[2]})
	case line == "lenient":
		r.lenient = true
	case line == "undocumented":
		r.undocumented = true
	default:
		r.body += "\n" + line
	}
	return nil
}

// expand replaces the variables that have a value.
func expand(text string, variables map[string]string) string {
	text = repetition.ReplaceAllStringFunc(text, func(match string) string {
		parts := repetition.FindStringSubmatch(match)
		count, err := strconv.Atoi(parts[2])
		if err != nil {
			panic(err) // the expression allows digits only
		}
		return strings.Repeat(parts[1], count)
	})
	return variable.ReplaceAllStringFunc(text, func(name string) string {
		if value, ok := variables[name[1:]]; ok {
			return value
		}
		return name
	})
}

func decodeJSON(text []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if decoder.More() {
		return nil, fmt.Errorf("there is something behind the value: %s", text)
	}
	return value, nil
}

// match compares a value of a response with the expected one, and assigns values to new variables.
func match(at string, want, got any, variables map[string]string) error {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			return fmt.Errorf("%s is %v, want an object", at, got)
		}
		return matchObject(at, want, got, variables)
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			return fmt.Errorf("%s is %v, want %d items", at, compact(got), len(want))
		}
		for i := range want {
			if err := match(fmt.Sprintf("%s[%d]", at, i), want[i], got[i], variables); err != nil {
				return err
			}
		}
		return nil
	case string:
		return matchText(at, want, got, variables)
	}
	if want != got {
		return fmt.Errorf("%s is %v, want %v", at, compact(got), want)
	}
	return nil
}

func matchObject(at string, want, got map[string]any, variables map[string]string) error {
	_, open := want["..."]
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if name == "..." {
			continue
		}
		value, ok := got[name]
		if !ok {
			return fmt.Errorf("%s.%s is missing", at, name)
		}
		if err := match(at+"."+name, want[name], value, variables); err != nil {
			return err
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok && !open {
			return fmt.Errorf("%s.%s is there and should not be: %v", at, name, compact(got[name]))
		}
	}
	return nil
}

func matchText(at, want string, got any, variables map[string]string) error {
	if want == "@any" {
		return nil
	}
	text, ok := got.(string)
	if !ok {
		return fmt.Errorf("%s is %v, want a string", at, compact(got))
	}
	earlier, after := strings.CutPrefix(want, "@after ")
	kind, placeholder := strings.CutPrefix(want, "@")
	switch {
	case variable.FindString(want) == want && want != "":
		variables[want[1:]] = text // unbound: a bound one was replaced by its value
	case after && timestamp.MatchString(text):
		if text <= earlier {
			return fmt.Errorf("%s is %s, want a time after %s", at, text, earlier)
		}
	case want == "@time":
		if !timestamp.MatchString(text) {
			return fmt.Errorf("%s is %q, want a timestamp", at, text)
		}
	case placeholder && !after:
		if !strings.HasPrefix(text, kind+"_") || !identifier.MatchString(text) {
			return fmt.Errorf("%s is %q, want an identifier of %s_", at, text, kind)
		}
	case text != want:
		return fmt.Errorf("%s is %q, want %q", at, text, want)
	}
	return nil
}

func compact(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

// prefixes returns the prefixes of the identifiers of all records as alternatives of a regular expression, without the underscore.
func prefixes() string {
	var all []string
	for _, record := range shop.Records() {
		if prefix, ok := strings.CutSuffix(record.Prefix, "_"); ok {
			all = append(all, prefix)
		}
	}
	return strings.Join(all, "|")
}

var (
	timestamp  = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
	identifier = regexp.MustCompile(`^((` + prefixes() + `|bome)_[0-9A-Z]{26}|` +
		`snss_(SN|P2)-\d{5,}_[0-9A-Z]{26}|aud_\d{16}|(SN|P2|NCR|SHP|COC|FAI)-\d{5,})$`)
)

// checkForms checks every response: identifiers and times have one form at every place.
func checkForms(at string, value any) error {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if name == "metadata" {
				continue // a certificate's metadata is stored as sent
			}
			text, ok := value[name].(string)
			switch {
			case name == "id" && (!ok || !identifier.MatchString(text)):
				return fmt.Errorf("%s.id is %v, not an identifier", at, value[name])
			case (name == "timestamp" || strings.HasSuffix(name, "At")) && (!ok || !timestamp.MatchString(text)):
				return fmt.Errorf("%s.%s is %v, not a timestamp", at, name, value[name])
			}
			if err := checkForms(at+"."+name, value[name]); err != nil {
				return err
			}
		}
	case []any:
		for i := range value {
			if err := checkForms(fmt.Sprintf("%s[%d]", at, i), value[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
