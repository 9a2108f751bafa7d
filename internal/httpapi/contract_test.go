package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/apitest"
	"github.com/routecard/routecard/shop"
)

func jsonNumber(n int) json.Number { return json.Number(strconv.Itoa(n)) }

// document is api/openapi.yaml, loaded to check exchanges.
type document struct{ *apitest.Document }

func loadDocument(t *testing.T) *document {
	t.Helper()
	return &document{apitest.Load(t)}
}

// exchange is one request with its response.
type exchange struct {
	method, target, body string
	header               [][2]string
	answer               answered
	valid                bool // whether the request must be valid by the document too
}

// check compares an exchange with the document.
func (d *document) check(ctx context.Context, e *exchange) error {
	return d.Check(ctx, &apitest.Exchange{
		Method: e.method, Target: e.target, Body: e.body, Header: e.header, Valid: e.valid,
		Status: e.answer.status, AnswerHeader: e.answer.header, Answer: e.answer.body,
	})
}

// TestRoutesAndDocument checks that the mux and the document have the same operations, with the same permissions.
func TestRoutesAndDocument(t *testing.T) {
	t.Parallel()
	store, _ := openStore(t)
	face := newFace(store, func(c *Config) { c.Access = newDoor(t, store, access.All, clockwork()) })
	routed := map[string]shop.Permission{}
	// The document writes a wildcard of several segments like any other.
	add := func(pattern string, needs shop.Permission) { routed[strings.Replace(pattern, "...}", "}", 1)] = needs }
	for _, route := range slices.Concat(routes(), accessRoutes()) {
		add(route.pattern, route.needs())
	}
	for _, route := range face.serviceRoutes() {
		add(route.pattern, route.needs)
	}
	documented := map[string]bool{}
	for path, item := range loadDocument(t).Paths.Map() {
		for method, operation := range item.Operations() {
			pattern := method + " " + path
			documented[pattern] = true
			if needs := operation.Extensions["x-permission"]; needs != string(routed[pattern]) {
				t.Errorf("%s needs %q, and %q in the document", pattern, routed[pattern], needs)
			}
		}
	}
	for pattern, needs := range routed {
		if !documented[pattern] {
			t.Errorf("%s is routed and not in the document", pattern)
		}
		if needs == "" {
			t.Errorf("%s does not say which permission it needs", pattern)
		}
		method, path, _ := strings.Cut(pattern, " ")
		request, err := http.NewRequestWithContext(t.Context(), method, path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.URL = segmentedURL(request.URL)
		if _, found := face.mux.Handler(request); strings.Replace(unsegmented(found), "...}", "}", 1) != pattern {
			t.Errorf("%s is answered by %q", pattern, found)
		}
		if needs == shop.Read && method != http.MethodGet {
			t.Errorf("%s changes something and needs no more than %s", pattern, needs)
		}
	}
	for pattern := range documented {
		if _, ok := routed[pattern]; !ok {
			t.Errorf("%s is in the document and has no route", pattern)
		}
	}
}

// TestEveryRouteIsShown checks that every operation has a row that succeeds, and a row for each other status that the document lists.
// Responses that all operations have in common have tests of their own.
func TestEveryRouteIsShown(t *testing.T) {
	t.Parallel()
	document := loadDocument(t)
	shown := map[string]map[string]bool{}
	for row, pattern := range requestRows(t) {
		if shown[pattern] == nil {
			shown[pattern] = map[string]bool{}
		}
		shown[pattern][strconv.Itoa(row.status)] = true
	}
	for _, route := range routes() {
		method, path, _ := strings.Cut(route.pattern, " ")
		item := document.Paths.Value(path)
		if item == nil || item.GetOperation(method) == nil {
			continue // TestRoutesAndDocument reports it
		}
		if strings.HasPrefix(path, "/api/tracker/") {
			continue // needs a tracker: tracker_test.go shows each status
		}
		if route.pattern == eventsPattern {
			continue // neither JSON nor finite: events_test.go shows it
		}
		if strings.HasPrefix(path, "/ledger/") || strings.HasPrefix(path, "/api/ledger") || path == "/api/backups" {
			continue // needs a ledger or a folder for backups: ledger_test.go shows each status
		}
		if strings.HasPrefix(path, "/api/export/") {
			continue // not JSON: export_test.go and visits_test.go show them
		}
		if path == "/api/files" || path == "/api/files/{sha256}" {
			continue // not JSON: files_test.go shows each status
		}
		if strings.HasSuffix(path, "/dossier.zip") {
			continue // not JSON: dossier_test.go shows each status
		}
		if path == "/api/conformances/{id}.pdf" {
			continue // not JSON: conformances_test.go shows each status
		}
		if path == "/api/first-articles/{id}.xlsx" {
			continue // not JSON: firstarticles_test.go shows each status
		}
		if path == "/api/settings/signatures" || path == "/api/signatures" {
			continue // needs a signed-in caller: signatures_test.go shows each status
		}
		for _, status := range slices.Sorted(maps.Keys(item.GetOperation(method).Responses.Map())) {
			if shownElsewhere[item.GetOperation(method).Responses.Value(status).Ref] {
				continue
			}
			switch status {
			case "304", "401", "403", "405", "413", "415", "421", "500", "503":
			default:
				if !shown[route.pattern][status] {
					t.Errorf("no row shows %s answering %s", route.pattern, status)
				}
			}
		}
	}
}

// badAddress is the document's reference to the refusal of a bad address, which every operation can respond with.
const badAddress = "#/components/responses/BadAddress"

// shownElsewhere are the responses that every operation gives under the same conditions. Each of them has a test of its own:
// TestBadAddress, TestListsByPage, TestTagsNameAnswers, TestOnceWaits, TestEveryChangeIsDoneOnce, TestIfMatch.
var shownElsewhere = map[string]bool{
	badAddress:                           true,
	"#/components/responses/BadPage":     true,
	"#/components/responses/NotModified": true,
	"#/components/responses/KeyRunning":  true,
	"#/components/responses/KeyReused":   true,
	"#/components/responses/Changed":     true,
}

// TestBadAddress sends every operation an address that is not UTF-8 or too long.
func TestBadAddress(t *testing.T) {
	t.Parallel()
	workshop, document := openShop(t, nil), loadDocument(t)
	for _, route := range routes() {
		method, path, _ := strings.Cut(route.pattern, " ")
		targets := map[string]string{path + "?x=" + strings.Repeat("x", 501): "x is too long", path + "?x=%ff": "x must be valid UTF-8"}
		if identifiers := wildcards(route.pattern); len(identifiers) > 0 {
			targets[anyWildcard.ReplaceAllString(path, "%ff")] = identifiers[0] + " must be valid UTF-8"
		}
		for target, message := range targets {
			got, err := workshop.send(t.Context(), method, target, "")
			if err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf(`{"statusCode":400,"message":"%s"}`, message); plain(got.body) != want {
				t.Errorf("%s %.60s answers %s, want %s", method, target, got.body, want)
			}
			if err := document.check(t.Context(), &exchange{method: method, target: target, answer: got}); err != nil {
				t.Errorf("%s %.60s and the OpenAPI document disagree: %v", method, target, err)
			}
		}
	}
}

// TestUnknownParameters sends every operation an unknown query parameter. The contract's own operations ignore it, as the document says;
// all others refuse it with its name.
func TestUnknownParameters(t *testing.T) {
	t.Parallel()
	store, _ := openStore(t)
	face := newFace(store, nil)
	document := loadDocument(t)
	disregarding := map[string]bool{}
	for _, route := range interfaceRoutes() {
		disregarding[route.pattern] = true
	}
	for _, route := range routes() {
		method, path, _ := strings.Cut(route.pattern, " ")
		operation := document.Paths.Value(strings.Replace(path, "...}", "}", 1)).GetOperation(method)
		if said := operation.Extensions["x-parameters"] == "disregarded"; said != disregarding[route.pattern] {
			t.Errorf("the document says of %s that it disregards parameters: %t", route.pattern, said)
		}
		for query, message := range map[string]string{
			"page=1":                                 "Unknown parameter: page",
			"zz=1&" + strings.Repeat("y", 120) + "=": "Unknown parameter: " + strings.Repeat("y", 100),
		} {
			target := anyWildcard.ReplaceAllString(path, "x") + "?" + query
			request := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader("{}"))
			answer := httptest.NewRecorder()
			face.ServeHTTP(answer, request)
			if got := strings.Contains(answer.Body.String(), message); got == disregarding[route.pattern] {
				t.Errorf("%s %s answers %d %.200s", method, target, answer.Code, answer.Body)
			}
		}
	}
}

var anyWildcard = regexp.MustCompile(`\{[^}]*\}`)

// requestRows yields the rows that are requests, with the pattern of their operation; "" if there is none.
func requestRows(t *testing.T) func(func(*row, string) bool) {
	t.Helper()
	scenarios := readScenarios(t)
	return func(yield func(*row, string) bool) {
		for _, scenario := range scenarios {
			for i := range scenario.rows {
				row := &scenario.rows[i]
				if row.sql == "" && !yield(row, operationOf(row)) {
					return
				}
			}
		}
	}
}

// patterns are those of all routes. They are created once, because creating routes reads the types of all inputs.
var patterns = sync.OnceValue(func() (all []string) {
	for _, route := range routes() {
		all = append(all, route.pattern)
	}
	return all
})

// operationOf returns the pattern of the route that serves a row; "" if there is none.
func operationOf(row *row) string {
	path, _, _ := strings.Cut(row.target, "?")
	found, names := "", -1
	for _, pattern := range patterns() {
		method, template, _ := strings.Cut(pattern, " ")
		if method != row.method {
			continue
		}
		parameters, ok := apitest.MatchPath(template, strings.Split(path, "/"))
		if n := strings.Count(template, "/") - len(parameters); ok && n > names {
			found, names = pattern, n
		}
	}
	return found
}

// operationNames maps the operations in the error tables to their patterns.
var operationNames = map[string]string{
	"Create Job":             "POST /api/jobs",
	"List Jobs":              "GET /api/jobs",
	"Update Job":             "PUT /api/jobs/{id}",
	"Create Path":            "POST /api/paths",
	"Update Path":            "PUT /api/paths/{id}",
	"Delete Path":            "DELETE /api/paths/{id}",
	"Advance Serial":         "POST /api/serials/{id}/advance",
	"Advance to Step":        "POST /api/serials/{id}/advance-to",
	"Scrap Serial":           "POST /api/serials/{id}/scrap",
	"Force Complete":         "POST /api/serials/{id}/force-complete",
	"Complete Deferred Step": "POST /api/serials/{id}/complete-deferred/{stepId}",
	"Waive Step":             "POST /api/serials/{id}/waive-step/{stepId}",
	"Delete Override":        "DELETE /api/serials/{id}/overrides/{stepId}",
	"List Serials":           "GET /api/serials",
	"Create Certificate":     "POST /api/certs",
	"Attach Certificate":     "POST /api/serials/{id}/attach-cert",
	"Batch Attach":           "POST /api/certs/batch-attach",
	"Create Note":            "POST /api/notes",
	"Create BOM":             "POST /api/bom",
	"Create Process":         "POST /api/library/processes",
	"Delete Process":         "DELETE /api/library/processes/{id}",
}

// openErrors are rows of the error tables whose message the contract leaves open, with the place that shows them.
var openErrors = map[string]string{
	"List Jobs, List Serials: unexpected validation failure": "lists take no input that could fail to validate; " +
		"query parameters are ignored, which testdata/cases/jobs.txt and serials.txt show",
	"Attach Certificate: certId missing or invalid": "decided as \"certId is required\" and the common messages, " +
		"which testdata/cases/certificates.txt shows",
}

// TestEveryMessageIsProvoked reads the error tables of docs/api and searches the rows for each message, with its operations and its status.
// TestCases checks that the rows are true.
func TestEveryMessageIsProvoked(t *testing.T) {
	t.Parallel()
	provoked := map[string][]string{} // by pattern and status
	for row, pattern := range requestRows(t) {
		key := fmt.Sprint(pattern, " ", row.status)
		provoked[key] = append(provoked[key], row.message)
	}
	rows, left := 0, maps.Clone(openErrors)
	for _, cells := range errorTables(t) {
		status, condition, message := cells[1], cells[2], cells[3]
		if message == "varies" {
			if key := cells[0] + ": " + condition; left[key] == "" {
				t.Errorf("%s: the message varies, and nothing says how that is shown", key)
			} else {
				delete(left, key)
			}
			continue
		}
		for operation := range strings.SplitSeq(cells[0], ", ") {
			rows++
			pattern, ok := operationNames[operation]
			if !ok {
				t.Errorf("the interface has an operation that this test does not know: %s", operation)
				continue
			}
			if want := messagePattern(message); !slices.ContainsFunc(provoked[pattern+" "+status], want.MatchString) {
				t.Errorf("no row provokes %s %s: %s", operation, status, message)
			}
		}
	}
	if rows < 70 {
		t.Errorf("only %d messages were found in the error tables", rows)
	}
	for row := range left {
		t.Errorf("the interface no longer has the row %q", row)
	}
}

// errorTables returns the rows of the error tables in docs/api: operations, status, condition, message.
func errorTables(t *testing.T) (rows [][]string) {
	t.Helper()
	pages, err := filepath.Glob("../../docs/api/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		_, tables, _ := strings.Cut(string(text), "\n## Errors of ")
		for line := range strings.Lines(tables) {
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			if len(cells) != 4 || strings.Contains(line, "---") || strings.Contains(line, "| Operation |") {
				continue
			}
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			rows = append(rows, cells)
		}
	}
	return rows
}

var placeholderInMessage = regexp.MustCompile(`\\\{[a-zA-Z]+\\\}`)

// messagePattern turns a message of the tables into a regular expression.
func messagePattern(cell string) *regexp.Regexp {
	message := strings.ReplaceAll(strings.Trim(cell, "`"), `\"`, `"`)
	return regexp.MustCompile("^" + placeholderInMessage.ReplaceAllString(regexp.QuoteMeta(message), `\S+?`) + "$")
}
