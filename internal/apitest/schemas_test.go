package apitest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/apitest"
)

func TestAnswersAreJudged(t *testing.T) {
	document := apitest.Load(t)
	chart := example(t, document, "/api/characteristics/{id}/chart")
	const job = `{"id":"job_1","name":"Valve","goalQuantity":3,"createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z"}`
	for _, test := range []struct {
		name, target, answer string
		status               int
		right                bool
	}{
		{"a list", "/api/jobs", "[" + job + "]", http.StatusOK, true},
		{"an empty list", "/api/jobs", "[]", http.StatusOK, true},
		{"no list", "/api/jobs", job, http.StatusOK, false},
		{"a number for a name", "/api/jobs", "[" + strings.Replace(job, `"Valve"`, "3", 1) + "]", http.StatusOK, false},
		{"a member that is missing", "/api/jobs", `[{"id":"job_1","name":"Valve"}]`, http.StatusOK, false},
		{"a member that the document does not have", "/api/jobs", "[" + job[:len(job)-1] + `,"colour":"red"}]`, http.StatusOK, false},
		{"a time that is none", "/api/jobs", "[" + strings.ReplaceAll(job, "01-01T00", "13-45T99") + "]", http.StatusOK, false},
		{"a chart", "/api/characteristics/char_1/chart", chart, http.StatusOK, true},
		{"a member that the schema does not have that was copied for a description", "/api/characteristics/char_1/chart",
			strings.Replace(chart, `"limits":{`, `"limits":{"colour":"red",`, 1), http.StatusOK, false},
		{"no JSON", "/api/jobs", "[" + job, http.StatusOK, false},
		{"an error", "/api/jobs/job_2", `{"statusCode":404,"message":"Job not found: job_2","code":"not_found"}`, http.StatusNotFound, true},
		{"an error without a message", "/api/jobs/job_2", `{"statusCode":404}`, http.StatusNotFound, false},
	} {
		exchange := apitest.Exchange{
			Method: http.MethodGet, Target: test.target, Status: test.status, Answer: test.answer,
			AnswerHeader: http.Header{"Content-Type": {"application/json"}, "Etag": {`"1"`}, "Cache-Control": {"no-cache"}},
		}
		if err := document.Check(t.Context(), &exchange); (err == nil) != test.right {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// example returns the document's example of the successful response of a GET.
func example(t *testing.T, document *apitest.Document, path string) string {
	t.Helper()
	media := document.Paths.Value(path).Get.Responses.Status(http.StatusOK).Value.Content["application/json"]
	value := media.Example
	for _, named := range media.Examples {
		value = named.Value.Value
	}
	text, err := json.Marshal(value)
	if err != nil || value == nil {
		t.Fatalf("%s has no example: %v", path, err)
	}
	return string(text)
}
