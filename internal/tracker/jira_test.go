package tracker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/internal/tracker/jiratest"
)

// bench is a Jira with our connection to it. Tests do not wait: pauses are recorded instead.
type bench struct {
	*jiratest.Jira
	*httptest.Server
	ours   *Jira
	log    *logged
	mu     sync.Mutex
	paused []time.Duration
}

// logged is a log that is safe for concurrent use.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (b *bench) pauses() []time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.paused
}

// open starts a Jira and connects to it.
func open(t *testing.T, jira *jiratest.Jira, change func(*Options)) *bench {
	t.Helper()
	b := &bench{Jira: jira, Server: httptest.NewServer(jira), log: &logged{}}
	t.Cleanup(b.Server.Close)
	options := Options{
		URL: b.URL, User: jira.User, Token: Secret(jira.Token), Projects: []string{"SHOP"}, API: jira.Kind,
		PartField: jiratest.PartField, QuantityField: jiratest.QuantityField, EpicField: jiratest.EpicField,
		Logger: slog.New(slog.NewTextHandler(b.log, nil)), Timeout: time.Minute, Patience: time.Minute,
		Pause: func(ctx context.Context, wait time.Duration) error {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.paused = append(b.paused, wait)
			return ctx.Err()
		},
	}
	if change != nil {
		change(&options)
	}
	ours, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	b.ours = ours
	return b
}

// eachKind runs a test against both kinds of Jira.
func eachKind(t *testing.T, test func(t *testing.T, kind int)) {
	t.Helper()
	for name, kind := range map[string]int{"cloud": jiratest.Cloud, "data center": jiratest.DataCenter} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, kind)
		})
	}
}

func status(t *testing.T, err error) string {
	t.Helper()
	failure, ok := errors.AsType[*APIError](err)
	if !ok {
		t.Fatalf("got the error %v, want an APIError", err)
	}
	return failure.Status
}

func TestTicket(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, kind int) {
		b := open(t, jiratest.Shop(kind), nil)
		got, err := b.ours.Ticket(t.Context(), "shop-118") // Jira ignores the case
		if err != nil {
			t.Fatal(err)
		}
		want := Ticket{
			Key: "SHOP-118", Summary: "25 housings for line 2", Status: "To Do", Priority: "High", PartNumber: "GH-200-B",
			Quantity: 25, EpicLink: "SHOP-90", Labels: []string{"milling", "line-2"}, URL: b.URL + "/browse/SHOP-118",
			Issue: strings.TrimPrefix(b.URL, "http://") + "/10118",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestOnlyIssuesOfTheProjectsAreAskedFor(t *testing.T) {
	t.Parallel()
	b := open(t, jiratest.Shop(jiratest.Cloud), nil)
	for _, key := range []string{"HR-7", "SHOP", "SHOP-", "SHOP-0", "SHOP-1/../../x", "..", "", "SHOP-118?x", "SHOP-118\n", "10118", "XSHOP-118"} {
		if _, err := b.ours.Ticket(t.Context(), key); status(t, err) != "404" {
			t.Errorf("%q: %v", key, err)
		}
		if _, err := b.ours.AddComment(t.Context(), key, "text", "marker"); status(t, err) != "404" {
			t.Errorf("%q: %v", key, err)
		}
	}
	if asked := b.Asked(); len(asked) > 0 {
		t.Errorf("Jira was asked %q", asked)
	}
	b.Add(jiratest.Issue{Key: "HR-8"})
	b.Before = func(w http.ResponseWriter, _ *http.Request) bool { // responds as if SHOP-1 had been moved
		_, _ = fmt.Fprint(w, `{"key": "HR-8", "fields": {"summary": "Nobody's business"}}`)
		return true
	}
	if _, err := b.ours.Ticket(t.Context(), "SHOP-1"); status(t, err) != "404" {
		t.Error(err)
	}
}

func TestTicketsReadsEveryPage(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, kind int) {
		jira := jiratest.Shop(kind)
		jira.PageSize = 7
		want := append(make([]string, 0, 43), "SHOP-90", "SHOP-117", "SHOP-118") // without the finished issue and the issue of the other project
		for i := range 40 {
			key := "SHOP-" + strconv.Itoa(200+i)
			jira.Add(jiratest.Issue{Key: key, Fields: map[string]any{"summary": "Part " + key}})
			want = append(want, key)
		}
		b := open(t, jira, nil)
		tickets, err := b.ours.Tickets(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, ticket := range tickets {
			got = append([]string{ticket.Key}, got...) // tickets are listed newest first
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if asked := len(b.Asked()); asked != 7 {
			t.Errorf("%d pages were read", asked)
		}
	})
}

func TestTicketsIsCapped(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, kind int) {
		jira := jiratest.Shop(kind)
		for i := range ticketLimit + 150 {
			jira.Add(jiratest.Issue{Key: "SHOP-" + strconv.Itoa(1000+i)})
		}
		b := open(t, jira, nil)
		tickets, err := b.ours.Tickets(t.Context())
		if err != nil || len(tickets) != ticketLimit {
			t.Errorf("%d tickets, %v", len(tickets), err)
		}
		if !strings.Contains(b.log.String(), "is cut") {
			t.Error("nobody is told that the list is cut")
		}
	})
}

// A search also ends if Jira always returns the same page or the same token.
func TestEndlessPagesEnd(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, kind int) {
		jira := jiratest.Shop(kind)
		jira.Before = func(w http.ResponseWriter, r *http.Request) bool {
			if strings.HasSuffix(r.URL.Path, "/comment") {
				_, _ = fmt.Fprintf(w, `{"startAt": %s, "total": 9999999, "comments": [{"id": "1", "body": "x"}]}`, r.FormValue("startAt"))
			} else {
				_, _ = fmt.Fprint(w, `{"issues": [{"key": "SHOP-1"}], "total": 9999999, "nextPageToken": "again"}`)
			}
			return true
		}
		b := open(t, jira, nil)
		if tickets, err := b.ours.Tickets(t.Context()); err != nil || len(tickets) != 1 {
			t.Errorf("%v, %v", tickets, err)
		}
		if id, err := b.ours.FindComment(t.Context(), "SHOP-1", "marker"); err != nil || id != "" {
			t.Errorf("%q, %v", id, err)
		}
		if asked := len(b.Asked()); asked != 2*pageLimit {
			t.Errorf("%d requests", asked)
		}
	})
}

// Jira Cloud no longer has the counted search, and Data Center never had the search by token: tickets are found with either version.
func TestSearchFallsBack(t *testing.T) {
	t.Parallel()
	for version, kind := range map[int]string{2: "/search/jql", 3: "/search"} {
		jira := &jiratest.Jira{Kind: version, Token: "t", Before: func(w http.ResponseWriter, r *http.Request) bool {
			if strings.HasSuffix(r.URL.Path, kind) {
				_, _ = fmt.Fprint(w, `{"issues": [{"key": "SHOP-1"}], "total": 1, "isLast": true}`)
			} else {
				w.WriteHeader(http.StatusGone)
			}
			return true
		}}
		b := open(t, jira, nil)
		if tickets, err := b.ours.Tickets(t.Context()); err != nil || len(tickets) != 1 {
			t.Errorf("version %d: %v, %v", version, tickets, err)
		}
	}
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	for name, user := range map[string]string{"basic": "lead@example.com", "bearer": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			jira := jiratest.Shop(jiratest.Cloud)
			jira.User = user
			b := open(t, jira, nil)
			if _, err := b.ours.Ticket(t.Context(), "SHOP-118"); err != nil {
				t.Error(err)
			}
			jira.Token = "another"
			if _, err := b.ours.Ticket(t.Context(), "SHOP-118"); status(t, err) != "401" {
				t.Error(err)
			}
			if got := b.ours.Degraded(); got != "The issue tracker refuses the credentials" {
				t.Errorf("degraded: %q", got)
			}
			jira.Token = "example-token"
			if _, err := b.ours.Ticket(t.Context(), "SHOP-118"); err != nil || b.ours.Degraded() != "" {
				t.Errorf("%v, degraded: %q", err, b.ours.Degraded())
			}
		})
	}
}

const noteText = "Burr on the flange [see|javascript:alert(1)] {code}x{code} \\ *bold*\r\n\r\n\x07bell\n\nlast"

func TestCommentIsFoundAgain(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, kind int) {
		jira := jiratest.Shop(kind)
		jira.PageSize = 3
		b := open(t, jira, nil)
		ids := map[string]string{}
		for i := range 10 {
			marker := fmt.Sprintf("Routecard note_%d", i)
			id, err := b.ours.AddComment(t.Context(), "SHOP-118", noteText+"\nRoutecard note_99", marker)
			if err != nil {
				t.Fatal(err)
			}
			ids[marker] = id
		}
		ids["Routecard note_99"] = "" // it occurs only inside texts
		ids["Routecard note_"] = ""
		for marker, want := range ids {
			if got, err := b.ours.FindComment(t.Context(), "SHOP-118", marker); err != nil || got != want {
				t.Errorf("%s: found %q, want %q (%v)", marker, got, want, err)
			}
		}
	})
}

// The responses have the format of the public documentation of both kinds of Jira, with the values of a shop.
func TestRecordedShapes(t *testing.T) {
	t.Parallel()
	serve := func(files map[string]string) *jiratest.Jira {
		return &jiratest.Jira{Token: "t", Before: func(w http.ResponseWriter, r *http.Request) bool {
			for suffix, file := range files {
				if !strings.HasSuffix(r.Method+" "+r.URL.Path, suffix) {
					continue
				}
				text, err := os.ReadFile(filepath.Join("testdata", file))
				if err != nil {
					t.Error(err)
				}
				if r.Method == http.MethodPost {
					w.WriteHeader(http.StatusCreated)
				}
				_, _ = w.Write(text)
				return true
			}
			return false
		}}
	}
	full := Ticket{
		Key: "SHOP-118", Summary: "25 housings for line 2", Status: "To Do", Priority: "High",
		PartNumber: "GH-200-B", Quantity: 25, EpicLink: "SHOP-90", Labels: []string{"milling", "line-2"},
	}
	listed := full
	listed.Quantity, listed.EpicLink = 0, "" // null or a fraction; a parent that is not an epic
	for _, c := range []struct {
		name   string
		kind   int
		prefix string
		epic   string
	}{
		{"cloud", jiratest.Cloud, "cloud", ""},
		{"data center", jiratest.DataCenter, "datacenter", jiratest.EpicField},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			jira := serve(map[string]string{
				"GET /rest/api/" + strconv.Itoa(c.kind) + "/issue/SHOP-118": c.prefix + "_issue.json",
				"/search": c.prefix + "_search.json", "/search/jql": c.prefix + "_search.json",
				"GET /rest/api/" + strconv.Itoa(c.kind) + "/issue/SHOP-118/comment":  c.prefix + "_comments.json",
				"POST /rest/api/" + strconv.Itoa(c.kind) + "/issue/SHOP-118/comment": c.prefix + "_comment.json",
			})
			jira.Kind = c.kind
			b := open(t, jira, func(o *Options) { o.EpicField = c.epic })
			ticket, err := b.ours.Ticket(t.Context(), "SHOP-118")
			if id := "/10118"; !strings.HasSuffix(ticket.Issue, id) || ticket.Issue == id {
				t.Errorf("it is issue %q", ticket.Issue)
			}
			ticket.URL, ticket.Issue = "", ""
			if diff := cmp.Diff(full, ticket); err != nil || diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
			tickets, err := b.ours.Tickets(t.Context())
			if err != nil || len(tickets) != 1 {
				t.Fatalf("%v, %v", tickets, err)
			}
			tickets[0].URL, tickets[0].Issue, tickets[0].QuantityUnread = "", "", "" // in Data Center it is 2.5
			if diff := cmp.Diff(listed, tickets[0]); diff != "" {
				t.Error(diff)
			}
			if id, err := b.ours.AddComment(t.Context(), "SHOP-118", "text", "marker"); id != "10452" || err != nil {
				t.Errorf("%q, %v", id, err)
			}
			marker := "Routecard note_01KG9Q5300W17AVENGKEPMSARV"
			if id, err := b.ours.FindComment(t.Context(), "SHOP-118", marker); id != "10452" || err != nil {
				t.Errorf("%q, %v", id, err)
			}
		})
	}
}

func TestErrorShapesReachTheLog(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"error_issue.json":   "Issue does not exist or you do not have permission to see it.",
		"error_search.json":  "The value 'SHOP' does not exist for the field 'project'.",
		"error_comment.json": "comment: Comment body is not valid!",
	} {
		content, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		if got := errorText(bytes.NewReader(content)); got != want {
			t.Errorf("%s: %q", file, got)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	good := Options{URL: "https://example.atlassian.net", Token: "t", Projects: []string{"SHOP"}, API: 3}
	if _, err := New(good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Options){
		"no address":          func(o *Options) { o.URL = "" },
		"another scheme":      func(o *Options) { o.URL = "ftp://example.com" },
		"no host":             func(o *Options) { o.URL = "https:///jira" },
		"a password in it":    func(o *Options) { o.URL = "https://me:secret@example.com" },
		"a query":             func(o *Options) { o.URL = "https://example.com?x=1" },
		"no such version":     func(o *Options) { o.API = 1 },
		"no project":          func(o *Options) { o.Projects = nil },
		"no key of a project": func(o *Options) { o.Projects = []string{`A" OR project = "HR`} },
		"no field":            func(o *Options) { o.PartField = "a,b" },
		"no token":            func(o *Options) { o.Token = "" },
	} {
		bad := good
		change(&bad)
		if _, err := New(bad); err == nil {
			t.Errorf("%s is accepted", name)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error shows a password: %v", name, err)
		}
	}
}

func TestSecretIsNeverShown(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	options := Options{Token: "hush"}
	slog.New(slog.NewTextHandler(&log, nil)).Info("options", "text", options, "token", options.Token)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("options", "json", options, "token", options.Token)
	fmt.Fprintf(&log, "%v %+v %#v %s %q", options, options, options, options.Token, options.Token)
	if strings.Contains(log.String(), "hush") {
		t.Error(log.String())
	}
}
