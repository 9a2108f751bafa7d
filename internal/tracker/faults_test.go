package tracker

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/tracker/jiratest"
)

// faulty returns a Jira that responds to the first requests with these handlers, one after the other. For nil it responds normally.
func faulty(kind int, answers ...http.HandlerFunc) *jiratest.Jira {
	jira := jiratest.Shop(kind)
	var asked atomic.Int64
	jira.Before = func(w http.ResponseWriter, r *http.Request) bool {
		i := int(asked.Add(1)) - 1
		if i >= len(answers) || answers[i] == nil {
			return false
		}
		answers[i](w, r)
		return true
	}
	return jira
}

func answering(status int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
	}
}

func saying(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

// hanging responds only after the client has disconnected.
func hanging(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// reset cuts the connection in the middle of a response's header.
func reset(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_, _ = io.WriteString(conn, "HTTP/1.1 200")
		_ = conn.Close()
	}
}

// cut cuts the connection in the middle of a response's body.
func cut(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, `{"key": "SHOP-118", `)
	panic(http.ErrAbortHandler)
}

// flood returns 100 MB of a valid document.
func flood(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, `{"key": "SHOP-118", "fields": {"summary": "`)
	piece := []byte(strings.Repeat("x", 1<<20))
	for range 100 {
		if _, err := w.Write(piece); err != nil {
			return
		}
	}
	_, _ = io.WriteString(w, `"}}`)
}

func TestFaultsOfReading(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		answers []http.HandlerFunc
		want    string // "" if the operation finally succeeds
		asked   int
	}{
		{"one 500", []http.HandlerFunc{answering(500), nil}, "", 2},
		{"500 and 503", []http.HandlerFunc{answering(500), answering(503), nil}, "", 3},
		{"always 500", []http.HandlerFunc{answering(500), answering(500), answering(500)}, "500", 3},
		{"429", []http.HandlerFunc{answering(429, "Retry-After", "3"), nil}, "", 2},
		{"429 for an hour", []http.HandlerFunc{answering(429, "Retry-After", "3600")}, "429", 1},
		{"404", []http.HandlerFunc{answering(404)}, "404", 1},
		{"403", []http.HandlerFunc{answering(403)}, "403", 1},
		{"reset once", []http.HandlerFunc{reset, nil}, "", 2},
		{"reset always", []http.HandlerFunc{reset, reset, reset}, "unreachable", 3},
		{"cut off", []http.HandlerFunc{cut, cut, cut}, "unreachable", 3},
		{"no JSON", []http.HandlerFunc{saying("<html>Log in</html>")}, "invalid response", 1},
		{"broken JSON", []http.HandlerFunc{saying(`{"key": "SHOP-1`)}, "invalid response", 1},
		{"another shape", []http.HandlerFunc{saying(`[1, 2]`)}, "invalid response", 1},
		{"nothing", []http.HandlerFunc{saying("")}, "invalid response", 1},
		{"no key", []http.HandlerFunc{saying(`{"fields": null}`)}, "invalid response", 1},
		{"100 MB", []http.HandlerFunc{flood}, "invalid response", 1},
		{"deep", []http.HandlerFunc{saying(`{"key": "SHOP-1", "fields": {"summary": ` + strings.Repeat("[", 1<<20))}, "invalid response", 1},
		{"elsewhere", []http.HandlerFunc{answering(302, "Location", "https://example.com/login")}, "302", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := open(t, faulty(jiratest.Cloud, c.answers...), nil)
			ticket, err := b.ours.Ticket(t.Context(), "SHOP-118")
			switch {
			case c.want == "" && (err != nil || ticket.Summary == ""):
				t.Errorf("%+v, %v", ticket, err)
			case c.want != "" && status(t, err) != c.want:
				t.Errorf("status %q, want %q", status(t, err), c.want)
			}
			if asked := len(b.Asked()); asked != c.asked {
				t.Errorf("Jira was asked %d times, want %d", asked, c.asked)
			}
			if len(b.pauses()) != c.asked-1 {
				t.Errorf("pauses: %v", b.pauses())
			}
		})
	}
}

// If a field has the wrong type, only that field is missing.
func TestOddFields(t *testing.T) {
	t.Parallel()
	odd := `{"key": "SHOP-1", "fields": {"summary": {"a": [1]}, "status": 5, "priority": true, "labels": "x",
		"customfield_10101": [], "customfield_10102": "1e400", "customfield_10014": {"key": 5}}}`
	b := open(t, faulty(jiratest.Cloud, saying(odd)), nil)
	ticket, err := b.ours.Ticket(t.Context(), "SHOP-1")
	if err != nil || ticket.Key != "SHOP-1" || ticket.Quantity != 0 || ticket.Labels != nil {
		t.Errorf("%+v, %v", ticket, err)
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"7": 7 * time.Second, "0": 0, "": 0, "-1": 0, "soon": 0, "99999999999": 0,
		now.Add(5 * time.Second).Format(http.TimeFormat):  5 * time.Second,
		now.Add(-5 * time.Second).Format(http.TimeFormat): 0,
	} {
		if got := retryAfter(value, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
	b := open(t, faulty(jiratest.Cloud, answering(429, "Retry-After", "7"), answering(500), nil), nil)
	if _, err := b.ours.Ticket(t.Context(), "SHOP-118"); err != nil {
		t.Fatal(err)
	}
	if got := b.pauses(); len(got) != 2 || got[0] != 7*time.Second || got[1] < firstWait || got[1] > 3*firstWait {
		t.Errorf("pauses %v", got)
	}
}

// A call does not wait for a pause that is longer than its remaining time.
func TestRetryIsBoundedByTheCaller(t *testing.T) {
	t.Parallel()
	b := open(t, faulty(jiratest.Cloud, answering(503, "Retry-After", "10")), func(o *Options) { o.Patience = 5 * time.Second })
	if _, err := b.ours.Ticket(t.Context(), "SHOP-118"); status(t, err) != "503" || len(b.pauses()) != 0 {
		t.Errorf("%v, pauses %v", err, b.pauses())
	}
}

func TestSlowJiraTimesOut(t *testing.T) {
	t.Parallel()
	b := open(t, faulty(jiratest.Cloud, slices.Repeat([]http.HandlerFunc{hanging}, 2)...), func(o *Options) { o.Timeout = time.Second })
	if _, err := b.ours.Ticket(t.Context(), "SHOP-118"); status(t, err) != "timeout" {
		t.Error(err)
	}
	_, err := b.ours.AddComment(t.Context(), "SHOP-118", "text", "marker")
	failure, _ := errors.AsType[*APIError](err)
	if failure == nil || failure.Status != "timeout" || !failure.Maybe || !failure.Pending {
		t.Errorf("%+v", failure)
	}
	if asked := len(b.Asked()); asked != 2 {
		t.Errorf("%d requests", asked)
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	b := open(t, jiratest.Shop(jiratest.Cloud), nil)
	b.Server.Close()
	_, err := b.ours.AddComment(t.Context(), "SHOP-118", "text", "marker")
	failure, _ := errors.AsType[*APIError](err)
	if failure == nil || failure.Status != "unreachable" || failure.Maybe || failure.Pending {
		t.Errorf("%+v: nothing was sent, so nothing can come of it", failure)
	}
}

func TestCallerWhoLeaves(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	jira := faulty(jiratest.Cloud, func(w http.ResponseWriter, r *http.Request) {
		leave()
		hanging(w, r)
	})
	b := open(t, jira, nil)
	if _, err := b.ours.Ticket(ctx, "SHOP-118"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if strings.Contains(b.log.String(), "failed") {
		t.Error("that is no failure of the tracker")
	}
}

// Credentials are sent only to the configured host, over at most a few redirects, and a POST follows no redirect.
func TestRedirects(t *testing.T) {
	t.Parallel()
	var elsewhere atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	t.Cleanup(other.Close)
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"another host": {answering(307, "Location", other.URL), "307"},
		"another port": {answering(302, "Location", "http://127.0.0.1:1/"), "302"},
		"a script":     {answering(302, "Location", "javascript:alert(1)"), "302"},
		"same host":    {answering(302, "Location", "/rest/api/3/issue/SHOP-117"), ""},
		"no place":     {answering(302), "302"},
	} {
		b := open(t, faulty(jiratest.Cloud, c.answer), nil)
		ticket, err := b.ours.Ticket(t.Context(), "SHOP-118")
		if c.want == "" {
			if err != nil || ticket.Key != "SHOP-117" {
				t.Errorf("%s: %+v, %v", name, ticket, err)
			}
		} else if got := status(t, err); got != c.want && got != "unreachable" {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	b := open(t, faulty(jiratest.Cloud, answering(307, "Location", "/rest/api/3/issue/SHOP-117/comment")), nil)
	if _, err := b.ours.AddComment(t.Context(), "SHOP-118", "text", "marker"); status(t, err) != "307" {
		t.Error(err)
	}
	loop := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.String(), http.StatusFound) }
	b = open(t, faulty(jiratest.Cloud, slices.Repeat([]http.HandlerFunc{loop}, 8)...), nil)
	if _, err := b.ours.Ticket(t.Context(), "SHOP-118"); status(t, err) != "302" {
		t.Error(err)
	}
	if elsewhere.Load() != 0 {
		t.Error("another host was asked")
	}
}

// If Jira added the comment but reported an error, the next attempt finds the comment.
func TestAddCommentLooksBeforeItTriesAgain(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]http.HandlerFunc{"502": answering(502), "500": answering(500), "reset": reset, "cut": cut} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachKind(t, func(t *testing.T, kind int) {
				jira := jiratest.Shop(kind)
				var posted atomic.Int64
				jira.Before = func(w http.ResponseWriter, r *http.Request) bool {
					if r.Method != http.MethodPost || posted.Add(1) > 1 {
						return false
					}
					recorder := httptest.NewRecorder()
					inner := *r
					jira.Before, recorder.Body = nil, nil
					jira.ServeHTTP(recorder, &inner) // adds the comment
					fault(w, r)
					return true
				}
				b := open(t, jira, nil)
				id, err := b.ours.AddComment(t.Context(), "SHOP-118", "text", "marker")
				if comments := b.Comments("SHOP-118"); err != nil || len(comments) != 1 || comments[0].ID != id {
					t.Errorf("%q, %v, %v", id, err, comments)
				}
			})
		})
	}
	b := open(t, faulty(jiratest.Cloud, answering(429, "Retry-After", "1"), nil), nil)
	if _, err := b.ours.AddComment(t.Context(), "SHOP-118", "text", "marker"); err != nil {
		t.Error(err)
	}
	post := "POST /rest/api/3/issue/SHOP-118/comment"
	if asked := b.Asked(); !slices.Equal(asked, []string{post, post}) {
		t.Errorf("a 429 did nothing, so there is nothing to look for: %q", asked)
	}
}

func TestCircuit(t *testing.T) {
	t.Parallel()
	now := atomic.Int64{}
	clock := func() time.Time { return time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC).Add(time.Duration(now.Load())) }
	broken := atomic.Bool{}
	broken.Store(true)
	jira := jiratest.Shop(jiratest.Cloud)
	jira.Before = func(w http.ResponseWriter, _ *http.Request) bool {
		if broken.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return broken.Load()
	}
	b := open(t, jira, func(o *Options) { o.Clock = clock })
	ask := func(want string) {
		t.Helper()
		if _, err := b.ours.Ticket(t.Context(), "SHOP-118"); want == "" && err != nil || want != "" && status(t, err) != want {
			t.Fatalf("%v, want %q", err, want)
		}
	}
	const open = "The issue tracker is unavailable"
	for range circuitLimit {
		if got := b.ours.Degraded(); got != "" {
			t.Errorf("degraded too early: %q", got)
		}
		ask("503")
	}
	asked := len(b.Asked())
	for range 10 {
		ask("unavailable")
	}
	if got := b.ours.Degraded(); got != open || len(b.Asked()) != asked {
		t.Errorf("degraded: %q; asked %d times more", got, len(b.Asked())-asked)
	}
	now.Add(int64(circuitPause))
	ask("503") // one caller tries
	ask("unavailable")
	now.Add(int64(circuitPause))
	broken.Store(false)
	if got := b.ours.Degraded(); got != open {
		t.Errorf("degraded: %q", got)
	}
	ask("")
	ask("")
	if got := b.ours.Degraded(); got != "" {
		t.Errorf("degraded: %q", got)
	}
	for range 2 * circuitLimit { // responses, though not successes
		if _, err := b.ours.Ticket(t.Context(), "SHOP-999"); status(t, err) != "404" {
			t.Error(err)
		}
	}
	if got := b.ours.Degraded(); got != "" {
		t.Errorf("degraded: %q", got)
	}
}

// One caller tries for all. A caller who disconnected does not count as a try. Old trouble is no longer reported.
func TestCircuitTrial(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	var c circuit
	for range circuitLimit {
		c.failed(now, "timeout")
	}
	later := now.Add(circuitPause)
	if allowed, trial := c.allow(later); !allowed || !trial {
		t.Error("nobody may try")
	}
	if allowed, _ := c.allow(later); allowed {
		t.Error("two try")
	}
	c.unknown(true)
	if allowed, trial := c.allow(later); !allowed || !trial {
		t.Error("nobody may try after the first one left")
	}
	if c.trouble(now.Add(memory)) == "" || c.trouble(now.Add(memory+1)) != "" {
		t.Error("a trouble is told for ten minutes")
	}
}

// The token is not in any log, even if Jira sends it back.
func TestTokenIsNotLogged(t *testing.T) {
	t.Parallel()
	echo := func(w http.ResponseWriter, r *http.Request) {
		_, token, _ := r.BasicAuth()
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"errorMessages": ["who is `+token+` and `+r.Header.Get("Authorization")+`"]}`)
	}
	b := open(t, faulty(jiratest.Cloud, echo, answering(302, "Location", "http://example-token@127.0.0.1:1/")), nil)
	for range 2 {
		if _, err := b.ours.Ticket(t.Context(), "SHOP-118"); err == nil || strings.Contains(err.Error(), "example-token") {
			t.Error(err)
		}
	}
	log := b.log.String()
	if !strings.Contains(log, "who is") || strings.Contains(log, "example-token") ||
		strings.Contains(log, "bGVhZEBleGFtcGxlLmNvbTpleGFtcGxlLXRva2Vu") {
		t.Error(log)
	}
}

// A Jira that hangs delays only a limited number of callers; later callers wait no longer than their own time limit.
func TestSlots(t *testing.T) {
	t.Parallel()
	busy := make(chan struct{}, slots)
	jira := jiratest.Shop(jiratest.Cloud)
	jira.Before = func(w http.ResponseWriter, r *http.Request) bool {
		busy <- struct{}{}
		hanging(w, r)
		return true
	}
	b := open(t, jira, nil)
	ctx, leave := context.WithCancel(t.Context())
	done := make(chan error, slots)
	for range slots {
		go func() {
			_, err := b.ours.Ticket(ctx, "SHOP-118")
			done <- err
		}()
	}
	for range slots {
		<-busy
	}
	short, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if _, err := b.ours.Ticket(short, "SHOP-118"); status(t, err) != "timeout" {
		t.Error(err)
	}
	leave()
	for range slots {
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}
