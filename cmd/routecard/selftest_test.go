package main

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/process"
	"github.com/routecard/routecard/internal/selftest"
)

// lie changes the responses of the service so that a claim is false. It has the text with which the claim must report that.
type lie struct {
	accepts string                          // requests that get 200 although the service refuses them, a pattern of METHOD PATH
	forgets string                          // a header that the liar removes from requests
	answers func(path, body string) string  // changes the response
	killed  func(path, body string) string  // changes the response after the service was killed
	edited  string                          // a statement that runs before the database is edited
	command func(args []string) (bool, int) // whether a command does nothing, and its exit status then
	found   string
}

// proves is a verification that never finds an edit.
func proves(args []string) (bool, int) { return args[0] == "verify", 0 }

// instead replaces a text in the responses of some addresses.
func instead(address, was, is string) func(path, body string) string {
	at, text := regexp.MustCompile(address), regexp.MustCompile(was)
	return func(path, body string) string {
		if at.MatchString(path) {
			return text.ReplaceAllString(body, is)
		}
		return body
	}
}

// lies has one lie for each claim.
var lies = map[string]lie{ //nolint:gochecknoglobals // a table
	"path":            {accepts: `POST .*/advance-to$`, found: "not refused with 400 path_strict"},
	"gate":            {accepts: `POST .*/advance-to$`, found: "not refused with 400 completion_gate"},
	"passed-over":     {answers: instead(`/step-statuses$`, `"skipped"`, `"completed"`), found: "the steps of "},
	"measured":        {accepts: `POST .*/advance$`, found: "not refused with 400 measurements_missing"},
	"instrument":      {accepts: `POST .*/measurements$`, found: "not refused with 400 instrument_failed"},
	"hold":            {accepts: `POST .*/release$`, found: "not refused with 403 permission_needed"},
	"nonconformance":  {accepts: `POST .*/close$`, found: "not refused with 400 no_disposition"},
	"undone":          {answers: instead(`/audit/serial/`, `\{[^{}]*"serial_advanced"[^{}]*\},`, ``), found: "the undone change is not in the trail"},
	"voided":          {answers: instead(`/cert-attachments$`, `(?s).*`, `[]`), found: "what stays on record is"},
	"moved-meanwhile": {accepts: `POST .*/advance$`, found: "not refused with 409 stands_elsewhere"},
	"repeated":        {forgets: "Idempotency-Key", found: "the second answer is"},
	"own-number":      {accepts: `PUT .*/serial-number$`, found: "not refused with 409 serial_number_taken"},
	"identity":        {accepts: `GET /api/serials/`, found: "by nobody is not refused with 401"},
	"roles":           {accepts: `POST .*/force-complete$`, found: "by orson is not refused with 403"},
	"names":           {answers: instead(`/audit/serial/`, `"means":"session"`, `"means":""`), found: "somebody with a session"},
	"given-secret":    {accepts: `POST .*/advance$`, found: "not refused with 403 password_change_needed"},
	"lock":            {accepts: `POST /api/sign-in$`, found: "a sign-in is answered 200"},
	"signature":       {answers: instead(`/serials/[^/]*/signatures$`, `"approval"`, `"review"`), found: "the signatures of "},
	"trail":           {answers: instead(`/export/audit.ndjson$`, `(?m)^.*aud_0000000000000003".*\n`, ``), found: "entry 3 is"},
	"copies":          {answers: instead(`/export/audit.csv$`, `\n[^\n]*\n$`, "\n"), found: "the table has"},
	"kept":            {killed: instead(`/serials/`, `"currentStepIndex":\d`, `"currentStepIndex":0`), found: "is in_progress at step 0"},
	"restored":        {command: func(args []string) (bool, int) { return args[0] == "restore", 0 }, found: "routecard restore"},
	"unchangeable":    {edited: "DROP TRIGGER IF EXISTS audit_no_delete", found: "the database takes DELETE"},
	"record-edit":     {command: proves, found: "ends with 0, in place of"},
	"trail-edit":      {command: proves, found: "ends with 0, in place of"},
}

// liar is an installation whose service lies.
type liar struct {
	*scratch
	lie    lie
	killed bool
	front  *httptest.Server
}

func (l *liar) URL() string { return l.front.URL }

func (l *liar) Kill(ctx context.Context) error {
	l.killed = true
	return l.scratch.Kill(ctx)
}

func (l *liar) Edit(statement string) error {
	if l.lie.edited != "" {
		if err := l.scratch.Edit(l.lie.edited); err != nil {
			return err
		}
	}
	return l.scratch.Edit(statement)
}

func (l *liar) Command(ctx context.Context, args ...string) (status int, printed string, err error) {
	if l.lie.command != nil {
		if nothing, status := l.lie.command(args); nothing {
			return status, `{"proved":true}`, nil
		}
	}
	return l.scratch.Command(ctx, args...)
}

// ServeHTTP passes a request on, and lies about it.
func (l *liar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked := r.Method + " " + r.URL.Path
	is := func(pattern string) bool { return pattern != "" && regexp.MustCompile(pattern).MatchString(asked) }
	if l.lie.forgets != "" {
		r.Header.Del(l.lie.forgets)
	}
	to, err := url.Parse(l.url)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	proxy := httputil.ReverseProxy{
		Rewrite: func(request *httputil.ProxyRequest) { request.SetURL(to); request.Out.Header.Del("Accept-Encoding") },
		ModifyResponse: func(answer *http.Response) error {
			body, err := io.ReadAll(answer.Body)
			if err = errors.Join(err, answer.Body.Close()); err != nil {
				return err
			}
			text := string(body)
			if answer.StatusCode >= http.StatusBadRequest && is(l.lie.accepts) {
				answer.StatusCode, text = http.StatusOK, "{}"
			}
			if l.lie.answers != nil {
				text = l.lie.answers(r.URL.Path, text)
			}
			if l.killed && l.lie.killed != nil {
				text = l.lie.killed(r.URL.Path, text)
			}
			answer.Header.Del("Content-Length")
			answer.ContentLength, answer.Body = int64(len(text)), io.NopCloser(strings.NewReader(text))
			return nil
		},
	}
	proxy.ServeHTTP(w, r)
}

// TestEveryClaimCanFail puts a lie in front of the service for each claim, and expects the claim to find it.
func TestEveryClaimCanFail(t *testing.T) {
	t.Parallel()
	names := selftest.Names()
	if told := slices.Sorted(maps.Keys(lies)); !slices.Equal(told, slices.Sorted(slices.Values(names))) {
		t.Fatalf("there are lies for %v, and the claims are %v", told, names)
	}
	ctx, end := context.WithCancel(t.Context())
	defer end()
	service, err := newScratch(ctx, process.Routecard(t), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	l := &liar{scratch: service}
	l.front = httptest.NewServer(l)
	defer l.front.Close()
	tried := 0
	l.lie = lies[names[0]]
	err = errors.Join(selftest.Run(ctx, l, nil, func(one selftest.Result) error {
		if one.True || !strings.Contains(one.Found, l.lie.found) {
			t.Errorf("%s is %v on a service that lies, and found is %q in place of %q", one.Claim, one.True, one.Found, l.lie.found)
		}
		if tried++; tried < len(names) {
			l.lie, l.killed = lies[names[tried]], false
		}
		return nil
	}), service.end())
	if err != nil || tried != len(names) {
		t.Errorf("%d claims were tried: %v", tried, err)
	}
}
