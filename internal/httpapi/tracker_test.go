package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/routecard/routecard/api"
	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/httpapi"
	"github.com/routecard/routecard/internal/tracker"
	"github.com/routecard/routecard/internal/tracker/jiratest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// trackedShop is the whole service with a fake Jira, as clients see it. Every response is compared with the OpenAPI document.
type trackedShop struct {
	*httptest.Server
	jira   *jiratest.Jira
	broken atomic.Int64 // a status for all responses of Jira; 0 for none
	router routers.Router
}

func openTrackedShop(t *testing.T) *trackedShop {
	t.Helper()
	s := &trackedShop{jira: jiratest.Shop(jiratest.Cloud)}
	s.jira.Before = func(w http.ResponseWriter, _ *http.Request) bool {
		if status := int(s.broken.Load()); status != 0 {
			w.WriteHeader(status)
			return true
		}
		return false
	}
	jira := httptest.NewServer(s.jira)
	t.Cleanup(jira.Close)
	pause := func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	ours, err := tracker.New(tracker.Options{
		URL: jira.URL, User: s.jira.User, Token: tracker.Secret(s.jira.Token), Projects: []string{"SHOP"}, API: s.jira.Kind,
		PartField: jiratest.PartField, QuantityField: jiratest.QuantityField, Pause: pause,
	})
	if err != nil {
		t.Fatal(err)
	}
	store := enginetest.New(t).Open(t)
	service := shop.New(store, time.Now, ident.NewIdentifiers(time.Now))
	s.Server = httptest.NewServer(httpapi.New(httpapi.Config{
		Service: service, Views: views.New(store, service), Tracker: tracker.NewLink(service, ours, pause),
		Ready: func(context.Context) error { return nil }, Degraded: ours.Degraded, Logger: slog.New(slog.DiscardHandler), Metrics: httpapi.NewMetrics(),
		MaxBody: 1 << 20,
	}))
	t.Cleanup(s.Close)
	document, err := openapi3.NewLoader().LoadFromData(api.YAML)
	if err != nil {
		t.Fatal(err)
	}
	document.Servers = openapi3.Servers{{URL: s.URL}}
	if s.router, err = gorillamux.NewRouter(document); err != nil {
		t.Fatal(err)
	}
	return s
}

// ask sends a request and returns status and body, after it was compared with the document.
func (s *trackedShop) ask(t *testing.T, method, path, body string) (status int, answer string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	route, parameters, err := s.router.FindRoute(request)
	if err != nil {
		t.Fatalf("%s %s is not in the document: %v", method, path, err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: request, PathParams: parameters, Route: route},
		Status:                 response.StatusCode, Header: response.Header, Body: io.NopCloser(bytes.NewReader(text)),
	}); err != nil {
		t.Errorf("%s %s and the document disagree: %v\n%s", method, path, err, text)
	}
	return response.StatusCode, string(text)
}

// find returns the first group of a pattern in a text.
func find(t *testing.T, text, pattern string) string {
	t.Helper()
	match := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if match == nil {
		t.Fatalf("no %s in %s", pattern, text)
	}
	return match[1]
}

func refusal(status int, message string) string {
	return fmt.Sprintf(`{"statusCode": %d, "message": %q}`, status, message)
}

func TestTrackerOverHTTP(t *testing.T) {
	t.Parallel()
	s := openTrackedShop(t)
	_, template := s.ask(t, http.MethodPost, "/api/templates", `{"name": "Housing", "steps": [{"name": "Saw"}, {"name": "Mill"}]}`)
	templateID := find(t, template, `"id":"(tmpl_\w+)"`)
	_, other := s.ask(t, http.MethodPost, "/api/jobs", `{"name": "Bracket", "goalQuantity": 2}`)
	otherID := find(t, other, `"id":"(job_\w+)"`)

	status, linked := s.ask(t, http.MethodPost, "/api/tracker/link", `{"ticketKey": "SHOP-118", "templateId": "`+templateID+`"}`)
	jobID, pathID := find(t, linked, `"job":{"id":"(job_\w+)"`), find(t, linked, `"path":{"id":"(path_\w+)"`)
	for _, want := range []string{
		`"trackerTicketKey":"SHOP-118","trackerTicketSummary":"25 housings for line 2","trackerPartNumber":"GH-200-B"`,
		`"trackerPriority":"High","trackerEpicLink":"SHOP-90","trackerLabels":["milling","line-2"]`, `"goalQuantity":25`,
	} {
		if status != http.StatusOK || !strings.Contains(linked, want) {
			t.Errorf("%d, no %s in %s", status, want, linked)
		}
	}
	status, linked = s.ask(t, http.MethodPost, "/api/tracker/link", `{"ticketKey": "SHOP-117", "goalQuantity": 3}`)
	if status != http.StatusOK || strings.Contains(linked, `"path"`) || !strings.Contains(linked, `"goalQuantity":3`) {
		t.Errorf("%d %s", status, linked)
	}
	_, note := s.ask(t, http.MethodPost, "/api/notes", fmt.Sprintf(
		`{"jobId": %q, "pathId": %q, "stepId": "s", "serialIds": ["SN-00001"], "text": "Burr", "userId": "ana"}`, jobID, pathID))
	noteID := find(t, note, `"id":"(note_\w+)"`)
	for range 2 {
		status, posted := s.ask(t, http.MethodPost, "/api/tracker/comment", fmt.Sprintf(`{"jobId": %q, "noteId": %q}`, jobID, noteID))
		if status != http.StatusOK || posted != `{"success":true,"commentId":"10001"}` {
			t.Errorf("%d %s", status, posted)
		}
	}
	if _, notes := s.ask(t, http.MethodGet, "/api/notes/serial/SN-00001", ""); !strings.Contains(notes, `"pushedToTracker":true,"trackerCommentId":"10001"`) {
		t.Error(notes)
	}
	if status, posted := s.ask(t, http.MethodPost, "/api/tracker/comment", `{"jobId": "`+jobID+`"}`); status != http.StatusOK || posted != `{"success":true,"commentId":"10002"}` {
		t.Errorf("%d %s", status, posted)
	}
	var tickets []tracker.Ticket
	if status, text := s.ask(t, http.MethodGet, "/api/tracker/tickets", ""); status != http.StatusOK || json.Unmarshal([]byte(text), &tickets) != nil || len(tickets) != 3 {
		t.Errorf("%d %s", status, text)
	}
	if status, text := s.ask(t, http.MethodGet, "/api/tracker/tickets/SHOP-118", ""); status != http.StatusOK || !strings.HasPrefix(text,
		`{"key":"SHOP-118","summary":"25 housings for line 2","status":"To Do","priority":"High","partNumber":"GH-200-B","quantity":25,"epicLink":"SHOP-90","labels":["milling","line-2"],"url":"http://`) {
		t.Errorf("%d %s", status, text)
	}

	for _, c := range []struct{ method, path, body, want string }{
		{"POST", "/api/tracker/link", ``, refusal(400, "ticketKey is required")},
		{"POST", "/api/tracker/link", `{"ticketKey": null}`, refusal(400, "ticketKey is required")},
		{"POST", "/api/tracker/link", `{"ticketKey": 5}`, refusal(400, "ticketKey must be a string")},
		{"POST", "/api/tracker/link", `{"ticketKey": "SHOP-90", "templateId": []}`, refusal(400, "templateId must be a string")},
		{"POST", "/api/tracker/link", `{"ticketKey": "SHOP-90", "goalQuantity": "x"}`, refusal(400, "goalQuantity must be a number")},
		{"POST", "/api/tracker/link", `{"ticketKey": "SHOP-90", "goalQuantity": 0}`, refusal(400, "goalQuantity must be greater than 0")},
		{"POST", "/api/tracker/link", `{"ticketKey": "SHOP-90", "goalQuantity": 1e300}`, refusal(400, "goalQuantity must be at most 9007199254740991")},
		{"POST", "/api/tracker/link", `{"ticketKey": "SHOP-90", "templateId": "tmpl_none"}`, refusal(404, "TemplateRoute not found: tmpl_none")},
		{"POST", "/api/tracker/link", `{"ticketKey": "SHOP-118"}`, refusal(400, "Ticket SHOP-118 is already linked to job "+jobID)},
		{"POST", "/api/tracker/link", `{"ticketKey": "SHOP-999"}`, refusal(502, "Tracker API error: 404")},
		{"POST", "/api/tracker/link", `[]`, refusal(400, "Request body must be a valid JSON object")},
		{"POST", "/api/tracker/comment", ``, refusal(400, "jobId is required")},
		{"POST", "/api/tracker/comment", `{"jobId": 5}`, refusal(400, "jobId must be a string")},
		{"POST", "/api/tracker/comment", `{"jobId": "` + jobID + `", "noteId": {}}`, refusal(400, "noteId must be a string")},
		{"POST", "/api/tracker/comment", `{"jobId": "job_none"}`, refusal(404, "Job not found: job_none")},
		{"POST", "/api/tracker/comment", `{"jobId": "` + otherID + `"}`, refusal(400, "Job is not linked to a tracker ticket")},
		{"POST", "/api/tracker/comment", `{"jobId": "` + jobID + `", "noteId": "note_none"}`, refusal(404, "Note not found: note_none")},
		{"GET", "/api/tracker/tickets/SHOP-999", ``, refusal(502, "Tracker API error: 404")},
		{"GET", "/api/tracker/tickets/SHOP-118%20x", ``, refusal(502, "Tracker API error: 404")},
	} {
		_, got := s.ask(t, c.method, c.path, c.body)
		var gotValue, wantValue map[string]any
		if json.Unmarshal([]byte(got), &gotValue) != nil || json.Unmarshal([]byte(c.want), &wantValue) != nil || gotValue["code"] == nil {
			t.Errorf("%s %s %s: %s", c.method, c.path, c.body, got)
		}
		delete(gotValue, "code")
		delete(gotValue, "field")
		if fmt.Sprint(gotValue) != fmt.Sprint(wantValue) {
			t.Errorf("%s %s %s: %s, want %s", c.method, c.path, c.body, got, c.want)
		}
	}
}

// If the tracker fails, the message is that of the contract. The service is degraded, but ready.
func TestTrackerFailsOverHTTP(t *testing.T) {
	t.Parallel()
	s := openTrackedShop(t)
	_, linked := s.ask(t, http.MethodPost, "/api/tracker/link", `{"ticketKey": "SHOP-118"}`)
	jobID := find(t, linked, `"job":{"id":"(job_\w+)"`)
	ready := func(want string) {
		t.Helper()
		if status, got := s.ask(t, http.MethodGet, "/readyz", ""); status != http.StatusOK || got != want {
			t.Errorf("/readyz: %d %s, want %s", status, got, want)
		}
	}
	ready(`{"status":"ready"}`)
	s.broken.Store(http.StatusUnauthorized)
	if status, got := s.ask(t, http.MethodGet, "/api/tracker/tickets", ""); status != http.StatusBadGateway || !strings.Contains(got, "Tracker API error: 401") {
		t.Errorf("%d %s", status, got)
	}
	ready(`{"status":"degraded","message":"The issue tracker refuses the credentials"}`)
	s.broken.Store(http.StatusServiceUnavailable)
	requests := [][3]string{
		{http.MethodGet, "/api/tracker/tickets", ""},
		{http.MethodGet, "/api/tracker/tickets/SHOP-117", ""},
		{http.MethodPost, "/api/tracker/link", `{"ticketKey": "SHOP-117"}`},
		{http.MethodPost, "/api/tracker/comment", `{"jobId": "` + jobID + `"}`},
	}
	for _, message := range []string{"Tracker API error: 503", "Tracker API error: unavailable"} {
		for _, r := range requests {
			if status, got := s.ask(t, r[0], r[1], r[2]); status != http.StatusBadGateway || !strings.Contains(got, `"`+message+`"`) {
				t.Errorf("%s %s: %d %s", r[0], r[1], status, got)
			}
		}
	}
	ready(`{"status":"degraded","message":"The issue tracker is unavailable"}`)
	if _, jobs := s.ask(t, http.MethodGet, "/api/jobs", ""); strings.Count(jobs, `"id"`) != 1 {
		t.Errorf("a job was made: %s", jobs)
	}
	if len(s.jira.Comments("SHOP-118")) != 0 || !slices.Contains(s.jira.Asked(), "POST /rest/api/3/issue/SHOP-118/comment") {
		t.Error("the comment was not tried, or was added")
	}
}
