package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/shop/refusal"
)

// codeFits reports whether a reason with this code has this message for a field.
func codeFits(message, code, field string) bool {
	return slices.ContainsFunc(refusal.Reasons(), func(reason *refusal.Reason) bool {
		if reason.Code() != code {
			return false
		}
		about := strings.ReplaceAll(regexp.QuoteMeta(reason.Sentence()), `\{field\}`, regexp.QuoteMeta(field))
		about = places.ReplaceAllString(about, ".*")
		return regexp.MustCompile(`(?s)^` + about + `( \(.*\))?( Repeat the request with the same Idempotency-Key\.)?$`).MatchString(message)
	})
}

var places = regexp.MustCompile(`\\\{\w+\\\}`)

// checkError compares the body of a refusal with the table of reasons, and returns it.
func checkError(status int, text string) (httpstatus.Body, error) {
	var body httpstatus.Body
	if err := json.Unmarshal([]byte(text), &body); err != nil {
		return body, fmt.Errorf("the body of an error is no JSON: %w: %s", err, text)
	}
	again, err := json.Marshal(body)
	switch {
	case err != nil:
		return body, err
	case string(again) != strings.ReplaceAll(text, `\ufffd`, "\uFFFD"):
		return body, fmt.Errorf("the members of an error are others, or in another order: %s, want %s", text, again)
	case body.StatusCode != status:
		return body, fmt.Errorf("an error with the status %d says %d", status, body.StatusCode)
	case !codeFits(body.Message, body.Code, body.Field):
		return body, fmt.Errorf("no reason with the code %q and the field %q says %q", body.Code, body.Field, body.Message)
	}
	return body, nil
}

// plain removes codes and fields from the body of a refusal, as before these existed. They were compared with the table when the body was
// received.
func plain(text string) string { return codes.ReplaceAllString(text, "$1") }

var codes = regexp.MustCompile(`("statusCode":\d+,"message":"(?:[^"\\]|\\.)*"),"code":"\w+"(?:,"field":"(?:[^"\\]|\\.)*")?`)

// TestErrorBodies compares the exact bytes of one body of each form.
func TestErrorBodies(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	for _, test := range []struct {
		status             int
		method, path, body string
		want               string
	}{
		{http.StatusNotFound, "GET", "/api/serials/SN-00001", "", `{"statusCode":404,"message":"SerialNumber not found: SN-00001","code":"not_found"}`},
		{http.StatusBadRequest, "POST", "/api/jobs", `{"goalQuantity":1}`, `{"statusCode":400,"message":"name is required","code":"required","field":"name"}`},
		{http.StatusBadRequest, "POST", "/api/templates", `{"name":"t","steps":[{"name":"a"},{"name":5}]}`, `{"statusCode":400,"message":"steps[1].name must be a string","code":"must_be_string","field":"steps[1].name"}`},
		{http.StatusBadRequest, "POST", "/api/jobs", `{`, `{"statusCode":400,"message":"Request body must be a valid JSON object","code":"body_not_object"}`},
		{http.StatusMethodNotAllowed, "PUT", "/api/jobs", `{}`, `{"statusCode":405,"message":"Method not allowed: PUT /api/jobs","code":"method_not_allowed"}`},
		{http.StatusNotFound, "GET", "/api/nothing", "", `{"statusCode":404,"message":"Route not found: GET /api/nothing","code":"route_not_found"}`},
		{http.StatusBadRequest, "GET", "/api/serials/search?status=lost", "", `{"statusCode":400,"message":"status must be one of: in_progress, completed, scrapped","code":"must_be_one_of","field":"status"}`},
	} {
		if got := workshop.must(t, test.status, test.method, test.path, test.body); got.body != test.want {
			t.Errorf("%s %s %s answers\n%s, want\n%s", test.method, test.path, test.body, got.body, test.want)
		}
	}
}

// TestEveryCodeIsDocumented compares the codes in the OpenAPI document with the tables of reasons of all packages whose errors this package
// sends.
func TestEveryCodeIsDocumented(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(document), "\n      x-codes:\n")
	if !found {
		t.Fatal("the document lists no codes")
	}
	documented := map[string]bool{}
	for line := range strings.Lines(list) {
		row := regexp.MustCompile(`^        (\w+): \S.*\.["']?\n$`).FindStringSubmatch(line)
		if row == nil {
			break
		}
		if documented[row[1]] {
			t.Errorf("%s is documented twice", row[1])
		}
		documented[row[1]] = true
	}
	pages, err := os.ReadFile("../web/wording/reason.go") // reasons of the pages, whose texts dossiers need: the interface never returns them
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]refusal.Kind{}
	for _, reason := range refusal.Reasons() {
		if kind, seen := known[reason.Code()]; seen && kind != reason.Kind() {
			t.Errorf("%s is the code of two kinds of refusal", reason.Code())
		}
		known[reason.Code()] = reason.Kind()
		if !documented[reason.Code()] && !strings.Contains(string(pages), `"`+reason.Code()+`"`) {
			t.Errorf("%s is not documented: %s", reason.Code(), reason.Sentence())
		}
	}
	for code := range documented {
		if _, exists := known[code]; !exists {
			t.Errorf("%s is documented and no code", code)
		}
	}
}

// TestProblem requests an error in the form of RFC 9457.
func TestProblem(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	const address = "/api/jobs/job%20x?page=1"
	for accept, problem := range map[string]bool{
		"application/problem+json":                        true,
		"application/json, application/problem+json;q=.5": true,
		"application/problem+json;q=0":                    false,
		"application/json":                                false,
		"*/*":                                             false,
		"application/problem+json;q=x":                    false,
		";":                                               false,
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, workshop.URL+address, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", accept)
		answer, err := workshop.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		if err := errors.Join(err, answer.Body.Close()); err != nil {
			t.Fatal(err)
		}
		kind, want := "application/json", `{"statusCode":404,"message":"Job not found: job x","code":"not_found"}`
		if problem {
			kind = "application/problem+json"
			want = `{"type":"about:blank","title":"Not Found","status":404,"detail":"Job not found: job x","instance":"/api/jobs/job%20x",` + want[1:]
		}
		if got := answer.Header.Get("Content-Type"); got != kind || string(body) != want || answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d %s\n got %s\nwant %s", accept, answer.StatusCode, got, body, want)
		}
		if got := answer.Header.Values("Vary"); !slices.Contains(got, "Accept") {
			t.Errorf("%s: Vary is %v", accept, got)
		}
	}
}
