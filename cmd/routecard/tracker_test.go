package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/process"
	"github.com/routecard/routecard/internal/tracker/jiratest"
)

// service is a running routecard.
type service struct{ *process.Server }

func startService(t *testing.T, flags ...string) service {
	t.Helper()
	return service{process.Serve(t, flags...)}
}

// ask sends a request and decodes its response.
func (s service) ask(ctx context.Context, method, path, body string) (status int, answer map[string]any, err error) {
	request, err := http.NewRequestWithContext(ctx, method, s.URL+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	err = json.NewDecoder(response.Body).Decode(&answer)
	return response.StatusCode, answer, err
}

func (s service) must(t *testing.T, method, path, body string) map[string]any {
	t.Helper()
	status, answer, err := s.ask(t.Context(), method, path, body)
	if err != nil || status >= http.StatusBadRequest {
		t.Fatalf("%s %s: %d %v %v", method, path, status, answer, err)
	}
	return answer
}

func writeToken(t *testing.T, mode os.FileMode) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(name, []byte("example-token\n"), mode); err != nil {
		t.Fatal(err)
	}
	return name
}

// The process is killed after the tracker has stored the comment and before the service records it. A repeated call gets the existing
// comment.
func TestKilledBetweenCommentAndRecord(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]int{"cloud": jiratest.Cloud, "data center": jiratest.DataCenter} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			accepted, release := make(chan struct{}), make(chan struct{})
			jira := jiratest.Shop(kind)
			jira.Accepted = func(*http.Request, jiratest.Comment) {
				close(accepted)
				<-release // the response waits until the process is killed
			}
			worktracker := httptest.NewServer(jira)
			defer worktracker.Close()
			args := []string{
				"--database", filepath.Join(t.TempDir(), "shop.db"),
				"--tracker-url", worktracker.URL, "--tracker-user", jira.User, "--tracker-token-file", writeToken(t, 0o600),
				"--tracker-project", "SHOP", "--tracker-api", strconv.Itoa(kind), "--log-level", "warn",
			}
			first := startService(t, args...)
			linked := first.must(t, http.MethodPost, "/api/tracker/link", `{"ticketKey": "SHOP-118"}`)
			job, _ := linked["job"].(map[string]any)
			note := first.must(t, http.MethodPost, "/api/notes", fmt.Sprintf(
				`{"jobId": %q, "pathId": "p", "stepId": "s", "serialIds": ["SN-00001"], "text": "Burr", "userId": "ana"}`, job["id"]))["id"]
			push := fmt.Sprintf(`{"jobId": %q, "noteId": %q}`, job["id"], note)
			ended := make(chan error, 1)
			go func() {
				_, _, err := first.ask(t.Context(), http.MethodPost, "/api/tracker/comment", push)
				ended <- err
			}()
			<-accepted
			first.Kill()
			if err := <-ended; err == nil {
				t.Fatal("the call was answered")
			}
			close(release)

			second := startService(t, args...)
			for range 2 {
				posted := second.must(t, http.MethodPost, "/api/tracker/comment", push)
				comments := jira.Comments("SHOP-118")
				if len(comments) != 1 || posted["commentId"] != comments[0].ID {
					t.Errorf("answered %v; the ticket has %v", posted, comments)
				}
			}
			second.Kill() // the record must survive the process
			third := startService(t, args...)
			asked := len(jira.Asked())
			posted := third.must(t, http.MethodPost, "/api/tracker/comment", push)
			if posted["commentId"] != "10001" || len(jira.Asked()) != asked {
				t.Errorf("answered %v, and the tracker was asked %d times", posted, len(jira.Asked())-asked)
			}
		})
	}
}

func TestTrackerSettings(t *testing.T) {
	t.Parallel()
	good := trackerSettings{URL: "https://example.atlassian.net", TokenFile: writeToken(t, 0o600), Projects: []string{"SHOP"}, API: 3}
	write := func(content string) string {
		name := filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, c := range []struct {
		name       string
		change     func(*trackerSettings)
		want, logs string
	}{
		{"all there", func(*trackerSettings) {}, "", ""},
		{"none", func(s *trackerSettings) { *s = trackerSettings{API: 3} }, "", ""},
		{"no address", func(s *trackerSettings) { s.URL = "" }, "issue tracker: --tracker-url is missing", ""},
		{"bad address", func(s *trackerSettings) { s.URL = "jira" }, "issue tracker: the address must be one such as https://example.atlassian.net", ""},
		{"no token file", func(s *trackerSettings) { s.TokenFile = "" }, "issue tracker: --tracker-token-file is missing", ""},
		{"empty token file", func(s *trackerSettings) { s.TokenFile = write(" \n") }, "is empty", ""},
		{"two lines", func(s *trackerSettings) { s.TokenFile = write("a\nb") }, "holds something else than one token", ""},
		{"large", func(s *trackerSettings) { s.TokenFile = write(strings.Repeat("x", 1<<20)) }, "holds something else than one token", ""},
		{"absent", func(s *trackerSettings) { s.TokenFile = "nowhere" }, "no such file or directory", ""},
		{"no project", func(s *trackerSettings) { s.Projects = nil }, "issue tracker: at least one project is needed", ""},
		{"open file", func(s *trackerSettings) { s.TokenFile = writeToken(t, 0o644) }, "", "chmod 600"},
		{"open network", func(s *trackerSettings) { s.URL = "http://jira.example.com" }, "", "unencrypted"},
		{"loopback", func(s *trackerSettings) { s.URL = "http://127.0.0.1:8090" }, "", ""},
	} {
		settings := good
		c.change(&settings)
		var log bytes.Buffer
		_, err := settings.connect(slog.New(slog.NewTextHandler(&log, nil)))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if !strings.Contains(log.String(), c.logs) || c.logs == "" && log.Len() > 0 || strings.Contains(log.String(), "example-token") {
			t.Errorf("%s: the log says %s", c.name, log.String())
		}
	}
}
