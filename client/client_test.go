package client_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/routecard/routecard/client"
)

// line is a network: each request gets the next response, and all later ones get the last.
type line struct {
	answers []answer
	heard   []*http.Request
	bodies  []string
}

// answer is the result of one request.
type answer struct {
	status int
	body   string
	header http.Header
	err    error // nothing comes back
	cut    bool  // the body breaks off
}

var errBroken = errors.New("the connection broke")

func (l *line) RoundTrip(r *http.Request) (*http.Response, error) {
	sent := ""
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		sent = string(body)
	}
	next := l.answers[min(len(l.heard), len(l.answers)-1)]
	l.heard, l.bodies = append(l.heard, r), append(l.bodies, sent)
	if next.err != nil {
		return nil, next.err
	}
	body := io.Reader(strings.NewReader(next.body))
	if next.cut {
		body = io.MultiReader(body, broken{})
	}
	if next.header == nil {
		next.header = http.Header{}
	}
	return &http.Response{
		StatusCode: next.status, Status: http.StatusText(next.status), Header: next.header, Body: io.NopCloser(body), Request: r,
	}, nil
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errBroken }

func (l *line) client(t *testing.T, settings client.Settings) *client.Client {
	t.Helper()
	settings.HTTP = &http.Client{Transport: l}
	c, err := client.New("http://shop.example.com", settings)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (l *line) keys() (keys []string) {
	for _, r := range l.heard {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
	}
	return keys
}

// TestChangeIsRepeatedUnderItsKey breaks the line in every way before the response comes.
func TestChangeIsRepeatedUnderItsKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &line{answers: []answer{
			{err: errBroken},
			{status: http.StatusCreated, body: `{"id":"job_1"`, cut: true},
			{status: http.StatusBadGateway, body: "<html>"},
			{status: http.StatusServiceUnavailable, body: `{"statusCode":503,"message":"busy","code":"service_busy"}`, header: http.Header{"Retry-After": {"7"}}},
			{status: http.StatusConflict, body: `{"statusCode":409,"message":"running","code":"idempotency_key_running"}`},
			{status: http.StatusInternalServerError, body: `{"statusCode":500,"message":"Internal Server Error","code":"internal"}`},
			{status: http.StatusCreated, body: `{"id":"job_1","name":"A"}`, header: http.Header{"Etag": {`"x"`}}},
		}}
		var header http.Header
		began := time.Now()
		job, err := l.client(t, client.Settings{Token: "rcd_x"}).CreateJob(t.Context(), client.CreateJobRequest{Name: "A", GoalQuantity: 3}, client.Answered(&header))
		if err != nil || job.ID != "job_1" || header.Get("ETag") != `"x"` {
			t.Fatalf("got %v, %v, %v", job, header, err)
		}
		if keys := l.keys(); len(keys) != 7 || keys[0] == "" || len(slices.Compact(keys)) != 1 {
			t.Errorf("the keys are %q", keys)
		}
		for i, r := range l.heard {
			if r.Header.Get("Authorization") != "Bearer rcd_x" || l.bodies[i] != `{"goalQuantity":3,"name":"A"}` {
				t.Errorf("attempt %d is %v with %s", i, r.Header, l.bodies[i])
			}
		}
		if took := time.Since(began); took < 7*time.Second {
			t.Errorf("it came back after %v, and was asked to wait 7 seconds", took)
		}
	})
}

// TestRefusalIsNotRepeated checks that the client believes a refusal.
func TestRefusalIsNotRepeated(t *testing.T) {
	l := &line{answers: []answer{{status: http.StatusBadRequest, body: `{"statusCode":400,"message":"name is required","code":"required","field":"name"}`}}}
	_, err := l.client(t, client.Settings{}).CreateJob(t.Context(), client.CreateJobRequest{})
	refused, ok := errors.AsType[*client.Error](err)
	if !ok || refused.StatusCode != http.StatusBadRequest || refused.Code != "required" || refused.Field != "name" || refused.Error() != "name is required" || len(l.heard) != 1 {
		t.Errorf("got %#v after %d attempts", err, len(l.heard))
	}
}

// TestPatienceEnds gives up at last, and says with which key to go on.
func TestPatienceEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, test := range map[string]struct {
			settings client.Settings
			context  time.Duration
			least    time.Duration
			most     time.Duration
		}{
			"as usual":              {client.Settings{}, time.Hour, 90 * time.Second, 2 * time.Minute},
			"a short one":           {client.Settings{Patience: 10 * time.Second}, time.Hour, time.Second, 10 * time.Second},
			"none":                  {client.Settings{Patience: -1}, time.Hour, 0, 0},
			"of whoever is calling": {client.Settings{}, 5 * time.Second, 5 * time.Second, 5 * time.Second},
		} {
			l := &line{answers: []answer{{err: errBroken}}}
			ctx, cancel := context.WithTimeout(t.Context(), test.context)
			began := time.Now()
			_, err := l.client(t, test.settings).AdvanceSerial(ctx, "SN-00001", client.AdvanceSerialRequest{}, client.Key("mine"))
			cancel()
			gaveUp, ok := errors.AsType[*client.UnansweredError](err)
			if !ok || gaveUp.Key != "mine" || gaveUp.Attempts != len(l.heard) || !errors.Is(err, errBroken) {
				t.Errorf("%s: got %#v", name, err)
			}
			if took := time.Since(began); took < test.least || took > test.most {
				t.Errorf("%s: it took %v", name, took)
			}
		}
	})
}

// TestSlowAttemptIsGivenUp repeats a request of which nothing is heard any more.
func TestSlowAttemptIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &line{answers: []answer{{status: http.StatusOK, body: `{"status":"ok"}`}}}
		stuck := 0
		c, err := client.New("http://shop.example.com", client.Settings{Attempt: time.Second, HTTP: &http.Client{Transport: travel(func(r *http.Request) (*http.Response, error) {
			if stuck++; stuck < 3 {
				<-r.Context().Done()
				return nil, r.Context().Err()
			}
			return l.RoundTrip(r)
		})}})
		if err != nil {
			t.Fatal(err)
		}
		if health, err := c.GetHealth(t.Context()); err != nil || health.Status != client.HealthStatusOk || stuck != 3 {
			t.Errorf("got %v, %v after %d attempts", health, err, stuck)
		}
	})
}

type travel func(*http.Request) (*http.Response, error)

func (f travel) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestWithoutKeyOnce sends a request without a key once, because its outcome would be unknown.
func TestWithoutKeyOnce(t *testing.T) {
	l := &line{answers: []answer{{err: errBroken}}}
	c := l.client(t, client.Settings{})
	if _, err := c.SignIn(t.Context(), client.SignInRequest{Login: new("ada"), Password: new("x")}); !errors.Is(err, errBroken) || len(l.heard) != 1 {
		t.Errorf("got %v after %d attempts", err, len(l.heard))
	}
	if _, err := c.UploadFile(t.Context(), strings.NewReader("drawing"), client.Key("not for this")); !errors.Is(err, errBroken) || len(l.heard) != 2 {
		t.Errorf("got %v after %d attempts", err, len(l.heard))
	}
	if l.bodies[1] != "drawing" {
		t.Errorf("sent %q", l.bodies[1])
	}
}

// TestIdentifiersAreEscaped keeps a foreign identifier from being another address.
func TestIdentifiersAreEscaped(t *testing.T) {
	l := &line{answers: []answer{{status: http.StatusOK, body: `[]`}}}
	c := l.client(t, client.Settings{})
	if _, err := c.ListVisits(t.Context(), "../../jobs?x=1#y", client.ListVisitsParams{}); err != nil {
		t.Fatal(err)
	}
	if got := l.heard[0].URL.String(); got != "http://shop.example.com/api/serials/..%2F..%2Fjobs%3Fx=1%23y/steps" {
		t.Errorf("asked for %s", got)
	}
	for range c.EachAuditEntry(t.Context(), client.SearchAuditEntriesParams{From: "2026-01-31T09:00:00+01:00"}) {
		t.Error("there is an entry")
	}
	if got := l.heard[1].URL.RawQuery; got != "from=2026-01-31T09%3A00%3A00%2B01%3A00&limit=500" {
		t.Errorf("asked for %s", got)
	}
}

// TestLeftOutIsNotEmpty holds optional fields of requests to be left out, sent empty, and null.
func TestLeftOutIsNotEmpty(t *testing.T) {
	l := &line{answers: []answer{{status: http.StatusOK, body: `{}`}}}
	c := l.client(t, client.Settings{})
	for _, call := range []func() error{
		func() error {
			_, err := c.UpdateUser(t.Context(), "u", client.UpdateUserRequest{Department: new(""), Active: new(false)})
			return err
		},
		func() error { _, err := c.UpdateUser(t.Context(), "u", client.UpdateUserRequest{}); return err },
		func() error {
			_, err := c.AssignStep(t.Context(), "s", client.AssignStepRequest{})
			return err
		},
		func() error { _, err := c.BeginPasskeySignIn(t.Context(), nil); return err },
	} {
		if err := call(); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{`{"active":false,"department":""}`, `{}`, `{"userId":null}`, ``}; !slices.Equal(l.bodies, want) {
		t.Errorf("sent %q", l.bodies)
	}
}

// TestPages reads all pages, and begins again when it is ranged over again.
func TestPages(t *testing.T) {
	l := &line{answers: []answer{
		{status: http.StatusOK, body: `{"items":[{"id":"SN-00003"},{"id":"SN-00002"}],"next":"SN-00002"}`, header: leading("after=SN-00002&limit=2&status=in_progress")},
		{status: http.StatusOK, body: `{"items":[{"id":"SN-00001"}]}`},
		{status: http.StatusOK, body: `{"items":[{"id":"SN-00003"}],"next":"SN-00003"}`, header: leading("after=SN-00003&limit=2&status=in_progress")},
		{status: http.StatusBadRequest, body: `{"statusCode":400,"message":"before must be the id of a serial","code":"must_be_serial_id"}`},
	}}
	all := l.client(t, client.Settings{}).EachSerial(t.Context(), client.SearchSerialsParams{Limit: 2, Status: client.SerialStatusInProgress})
	var found []string
	for range 2 {
		for serial, err := range all {
			if err != nil {
				found = append(found, err.Error())
				continue
			}
			found = append(found, serial.ID)
		}
	}
	if want := []string{"SN-00003", "SN-00002", "SN-00001", "SN-00003", "before must be the id of a serial"}; !slices.Equal(found, want) {
		t.Errorf("found %q", found)
	}
	for i, want := range []string{"limit=2&status=in_progress", "after=SN-00002&limit=2&status=in_progress", "limit=2&status=in_progress"} {
		if got := l.heard[i].URL.RawQuery; got != want {
			t.Errorf("request %d has %s", i, got)
		}
	}
}

// leading returns the header of a response with a link to the next page.
func leading(query string) http.Header {
	return http.Header{"Link": {"</api/serials/search?" + query + `>; rel="next"`}}
}

// TestPagesOfLists follows Link of a list that is an array, also when a page has no row.
func TestPagesOfLists(t *testing.T) {
	l := &line{answers: []answer{
		{status: http.StatusOK, body: `[]`, header: http.Header{"Link": {`</api/jobs?after=x%3D&limit=500>; rel="next"`}}},
		{status: http.StatusOK, body: `[{"id":"job_1"}]`},
	}}
	found := 0
	for job, err := range l.client(t, client.Settings{}).EachJob(t.Context(), client.ListJobsParams{}) {
		if err != nil || job.ID != "job_1" {
			t.Errorf("%+v, %v", job, err)
		}
		found++
	}
	if found != 1 || len(l.heard) != 2 || l.heard[1].URL.Path != "/api/jobs" || l.heard[1].URL.Query().Get("after") != "x=" {
		t.Errorf("%d jobs by %d requests, the last for %s", found, len(l.heard), l.heard[len(l.heard)-1].URL)
	}
}

// TestPagesOfOthers sends no token to a foreign address in a Link.
func TestPagesOfOthers(t *testing.T) {
	for _, link := range []string{
		`<https://elsewhere.example.com/api/jobs>; rel="next"`, `<//elsewhere.example.com/api/jobs>; rel="next"`, `</admin>; rel="next"`,
		`</api/jobs>; rel="last"`, `<%zz>; rel="next"`, "nonsense",
	} {
		l := &line{answers: []answer{{status: http.StatusOK, body: `[{"id":"job_1"}]`, header: http.Header{"Link": {link}}}}}
		var failed error
		for _, err := range l.client(t, client.Settings{Token: "rcd_x"}).EachJob(t.Context(), client.ListJobsParams{}) {
			failed = err
		}
		if failed == nil || len(l.heard) != 1 {
			t.Errorf("%s: %v after %d requests", link, failed, len(l.heard))
		}
	}
}

// TestExportThatBreaksOff: an export that breaks off returns an error.
func TestExportThatBreaksOff(t *testing.T) {
	l := &line{answers: []answer{{status: http.StatusOK, body: `{"serialId":"SN-00001"}` + "\n" + `{"ser`, cut: true}}}
	var found []string
	for visit, err := range l.client(t, client.Settings{}).EachVisit(t.Context(), client.ExportVisitsParams{}) {
		if err != nil {
			found = append(found, err.Error())
			continue
		}
		found = append(found, visit.SerialID)
	}
	if want := []string{"SN-00001", errBroken.Error()}; !slices.Equal(found, want) {
		t.Errorf("found %q", found)
	}
}

// TestEventsGoOn breaks the stream off in the middle of an entry, and has it refused in the end.
func TestEventsGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &line{answers: []answer{
			{status: http.StatusOK, body: `[{"id":"aud_7","action":"job_created"}]`},
			{status: http.StatusOK, body: "retry: 1000\n\n: hello\nid: aud_8\nevent: audit\ndata: {\"id\":\"aud_8\"}\n\nevent: heartbeat\ndata: {}\n\nid: aud_9\ndata: {\"id\"", cut: true},
			{err: errBroken},
			{status: http.StatusServiceUnavailable, body: `{"statusCode":503,"message":"busy","code":"service_busy"}`},
			{status: http.StatusOK, body: "id: aud_9\nevent: audit\ndata: {\"id\":\"aud_9\"}\n\nid: aud_12\n\n"},
			{status: http.StatusForbidden, body: `{"statusCode":403,"message":"This needs the permission read","code":"permission_needed"}`},
		}}
		var heard []string
		for entry, err := range l.client(t, client.Settings{}).Events(t.Context(), client.StreamEventsParams{Types: "job_created"}) {
			if err != nil {
				heard = append(heard, err.Error())
				continue
			}
			heard = append(heard, entry.ID)
		}
		if want := []string{"aud_8", "aud_9", "This needs the permission read"}; !slices.Equal(heard, want) {
			t.Errorf("heard %q", heard)
		}
		var after []string
		for _, r := range l.heard[1:] {
			after = append(after, r.Header.Get("Last-Event-ID")+"?"+r.URL.RawQuery)
		}
		if want := []string{"aud_7?types=job_created", "aud_8?types=job_created", "aud_8?types=job_created", "aud_8?types=job_created", "aud_12?types=job_created"}; !slices.Equal(after, want) {
			t.Errorf("asked for %q", after)
		}
	})
}

// TestSilentStreamIsBroken comes back when a stream says nothing, as one does whose other end lost power.
func TestSilentStreamIsBroken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		attempts := 0
		c, err := client.New("http://shop.example.com", client.Settings{HTTP: &http.Client{Transport: travel(func(r *http.Request) (*http.Response, error) {
			attempts++
			if attempts == 1 {
				return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(silent{r.Context()}), Request: r}, nil
			}
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("id: a\ndata: {\"id\":\"a\"}\n\n")), Request: r}, nil
		})}})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for entry, err := range c.Events(t.Context(), client.StreamEventsParams{After: "aud_0000000000000000"}) {
			if err != nil || entry.ID != "a" || attempts != 2 {
				t.Errorf("got %v, %v after %d attempts", entry, err, attempts)
			}
			break
		}
		if took := time.Since(began); took < 30*time.Second || took > time.Minute {
			t.Errorf("it took %v", took)
		}
	})
}

type silent struct{ ctx context.Context }

func (s silent) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

// TestEventsEndWithTheContext ends while it waits, and says so.
func TestEventsEndWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &line{answers: []answer{{err: errBroken}}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var ends []error
		for _, err := range l.client(t, client.Settings{}).Events(ctx, client.StreamEventsParams{After: "aud_1"}) {
			ends = append(ends, err)
		}
		if len(ends) != 1 || !errors.Is(ends[0], context.DeadlineExceeded) || len(l.heard) < 5 {
			t.Errorf("got %v after %d attempts", ends, len(l.heard))
		}
	})
}

func TestAddress(t *testing.T) {
	for _, address := range []string{"", "shop.example.com", "ftp://shop.example.com", "http://", "http://ada:x@shop.example.com", "http://a/?b", "http://a/#b", "http://a b"} {
		if _, err := client.New(address, client.Settings{}); err == nil {
			t.Errorf("%q is taken", address)
		}
	}
	l := &line{answers: []answer{{status: http.StatusOK, body: "text"}}}
	c, err := client.New("https://shop.example.com/routecard/", client.Settings{HTTP: &http.Client{Transport: l}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.GetMetrics(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	if body, err := io.ReadAll(text); err != nil || !bytes.Equal(body, []byte("text")) || l.heard[0].URL.String() != "https://shop.example.com/routecard/metrics" {
		t.Errorf("asked for %s", l.heard[0].URL)
	}
}
