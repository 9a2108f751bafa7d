package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/routecard/routecard/api"
	"github.com/routecard/routecard/internal/handbook"
	"github.com/routecard/routecard/internal/patience"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// logbook is a log that tests can read.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logbook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// lines returns the log lines with this message.
func (l *logbook) lines(t *testing.T, message string) (found []map[string]any) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range bytes.Lines(l.text.Bytes()) {
		var entry map[string]any
		if err := json.Unmarshal(line, &entry); err != nil {
			t.Fatal(err)
		}
		if entry["msg"] == message {
			found = append(found, entry)
		}
	}
	return found
}

func logTo(log *logbook) func(*Config) {
	return func(config *Config) { config.Logger = slog.New(slog.NewJSONHandler(log, nil)) }
}

// faultyStore is a real store whose lists of jobs fail.
type faultyStore struct {
	sqlstore.Store

	jobs func(whole iter.Seq2[shop.Job, error]) iter.Seq2[shop.Job, error]
}

func (s *faultyStore) View(ctx context.Context, read func(shop.Reader) error, options ...shop.ViewOption) error {
	return s.Store.View(ctx, func(tx shop.Reader) error { return read(&faultyTx{tx, s.jobs}) }, options...)
}

type faultyTx struct {
	shop.Reader

	jobs func(whole iter.Seq2[shop.Job, error]) iter.Seq2[shop.Job, error]
}

func (tx *faultyTx) Jobs() iter.Seq2[shop.Job, error] { return tx.jobs(tx.Reader.Jobs()) }

// openFaultyShop starts the service on a store whose list of jobs is replaced by jobs.
func openFaultyShop(t *testing.T, log *logbook, jobs func(iter.Seq2[shop.Job, error]) iter.Seq2[shop.Job, error]) *servedShop {
	t.Helper()
	store, database := openStore(t)
	server := httptest.NewServer(newFace(&faultyStore{store, jobs}, logTo(log)))
	t.Cleanup(server.Close)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	return &servedShop{Server: server, store: store, database: database}
}

const errorBody = `{"statusCode":500,"message":"Internal Server Error"}`

func TestPanicIsAnsweredAndLogged(t *testing.T) {
	t.Parallel()
	var log logbook
	workshop := openFaultyShop(t, &log, func(iter.Seq2[shop.Job, error]) iter.Seq2[shop.Job, error] {
		panic("a secret defect")
	})
	got := workshop.must(t, http.StatusInternalServerError, http.MethodGet, "/api/jobs", "")
	if plain(got.body) != errorBody {
		t.Errorf("the answer is %s", got.body)
	}
	lines := log.lines(t, "panic")
	if len(lines) != 1 || lines[0]["panic"] != "a secret defect" || lines[0]["request"] != got.header.Get("X-Request-ID") {
		t.Fatalf("the log has %v", lines)
	}
	if stack := fmt.Sprint(lines[0]["stack"]); !strings.Contains(stack, "answerWhole") {
		t.Errorf("the stack does not lead to the defect:\n%s", stack)
	}
	if got := workshop.must(t, http.StatusOK, http.MethodGet, "/api/serials", ""); got.body != "[]" {
		t.Errorf("afterwards: %s", got.body)
	}
}

func TestUnknownErrorStaysInside(t *testing.T) {
	t.Parallel()
	var log logbook
	workshop := openFaultyShop(t, &log, func(iter.Seq2[shop.Job, error]) iter.Seq2[shop.Job, error] {
		return func(yield func(shop.Job, error) bool) {
			yield(shop.Job{}, errors.New("disk /dev/sda is on fire"))
		}
	})
	got := workshop.must(t, http.StatusInternalServerError, http.MethodGet, "/api/jobs", "")
	if plain(got.body) != errorBody {
		t.Errorf("the answer is %s", got.body)
	}
	if got.header.Get("ETag") != "" {
		t.Errorf("an error has the name of a list: %v", got.header)
	}
	lines := log.lines(t, "request failed")
	if len(lines) != 1 || lines[0]["level"] != "ERROR" || !strings.Contains(fmt.Sprint(lines[0]["error"]), "on fire") {
		t.Errorf("the log has %v", lines)
	}
}

// longJobs returns a list that fills several pieces of a response, and calls then at the end.
func longJobs(then func() error) iter.Seq2[shop.Job, error] {
	return func(yield func(shop.Job, error) bool) {
		for i := range 2000 {
			if !yield(shop.Job{ID: fmt.Sprintf("job_%026d", i), Name: "Valve body"}, nil) {
				return
			}
		}
		if err := then(); err != nil {
			yield(shop.Job{}, err)
		}
	}
}

// TestListCutOff checks that no client takes half a list for a whole one, whether it reads it compressed or not.
func TestListCutOff(t *testing.T) {
	t.Parallel()
	for _, encoding := range []string{"gzip", "identity"} {
		for name, then := range map[string]func() error{
			"error": func() error { return errors.New("the disk went away") },
			"panic": func() error { panic("a defect") },
		} {
			t.Run(encoding+" "+name, func(t *testing.T) {
				t.Parallel()
				var log logbook
				workshop := openFaultyShop(t, &log, func(iter.Seq2[shop.Job, error]) iter.Seq2[shop.Job, error] {
					return longJobs(then)
				})
				request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, workshop.URL+"/api/jobs", http.NoBody)
				if err != nil {
					t.Fatal(err)
				}
				request.Header.Set("Accept-Encoding", encoding) // because the test sets the header, the client does not decode the response
				response, err := workshop.Client().Do(request)
				if err != nil {
					t.Fatal(err)
				}
				defer response.Body.Close()
				if used := response.Header.Get("Content-Encoding"); (used == "gzip") != (encoding == "gzip") {
					t.Errorf("Content-Encoding is %q", used)
				}
				text, err := io.ReadAll(response.Body)
				if err == nil {
					t.Errorf("the client took %d bytes for the whole list", len(text))
				}
				workshop.Close()
				if name == "error" {
					if lines := log.lines(t, "answer cut off"); len(lines) != 1 || lines[0]["level"] != "ERROR" {
						t.Errorf("the log has %v", lines)
					}
				}
			})
		}
	}
}

// TestClientGoesAway lets a client hang up in the middle of a list: the list ends, and no error is logged.
func TestClientGoesAway(t *testing.T) {
	t.Parallel()
	var log logbook
	ended := make(chan struct{})
	workshop := openFaultyShop(t, &log, func(iter.Seq2[shop.Job, error]) iter.Seq2[shop.Job, error] {
		return func(yield func(shop.Job, error) bool) {
			defer close(ended)
			for yield(shop.Job{ID: "job_x", Name: strings.Repeat("x", 1000)}, nil) {
				continue
			}
		}
	})
	ctx, hangUp := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, workshop.URL+"/api/jobs", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := workshop.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.ReadFull(response.Body, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	hangUp()
	<-ended
	workshop.Close()
	if lines := log.lines(t, "answer cut off"); len(lines) != 1 || lines[0]["level"] != "INFO" {
		t.Errorf("the log has %v", lines)
	}
}

// TestSlowClientIsCutOff sends a list to a client that reads nothing, on a fake clock.
func TestSlowClientIsCutOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		face := &Server{config: Config{Logger: slog.New(slog.DiscardHandler), Metrics: NewMetrics()}}
		began := time.Now()
		var ended atomic.Bool
		handler := face.observe(face.recoverPanic(face.plain(func(w http.ResponseWriter, r *http.Request) error {
			defer ended.Store(true)
			return writeList(&call{w: w, r: r}, http.StatusOK, formOf(views.PlainArray), views.Found{Rows: views.RowsOf(longJobs(func() error { return nil }))})
		})))
		served := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
		connections := make(chan net.Conn, 1)
		connections <- server
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			_ = served.Serve(&pipeListener{connections: connections, closed: make(chan struct{})})
		}()
		if _, err := io.WriteString(client, "GET / HTTP/1.1\r\nHost: shop\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if ended.Load() {
			t.Fatal("nobody waited for the client")
		}
		<-time.After(patience.Piece) // on the bubble's clock: it costs no time
		synctest.Wait()
		if !ended.Load() {
			t.Fatalf("the client is still waited for after %s", time.Since(began))
		}
		if _, err := bufio.NewReader(client).ReadString(']'); err == nil {
			t.Error("the slow client got the end of the list")
		}
		if err := served.Close(); err != nil {
			t.Error(err)
		}
		<-stopped
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
}

// pipeListener accepts connections that already exist.
type pipeListener struct {
	connections chan net.Conn
	closed      chan struct{}
	once        sync.Once
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.connections:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

func TestRequestID(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	for given, kept := range map[string]bool{
		"": false, "a": true, "4f1c-77/é": false, "abc def": false, "tab\there": false, "ok:~!": true,
		strings.Repeat("x", 128): true, strings.Repeat("x", 129): false,
	} {
		got := workshop.must(t, http.StatusOK, http.MethodGet, "/api/jobs", "", [2]string{"X-Request-ID", given}).header.Get("X-Request-ID")
		if kept && got != given {
			t.Errorf("%q became %q", given, got)
		}
		if !kept && (got == given || len(got) < 16) {
			t.Errorf("%q was answered with %q", given, got)
		}
	}
	one := workshop.must(t, http.StatusNotFound, http.MethodGet, "/api/nothing", "").header.Get("X-Request-ID")
	two := workshop.must(t, http.StatusNotFound, http.MethodGet, "/api/nothing", "").header.Get("X-Request-ID")
	if one == two {
		t.Errorf("two requests have the id %s", one)
	}
}

func TestAccessLogAndMetrics(t *testing.T) {
	t.Parallel()
	var log logbook
	workshop := openShop(t, logTo(&log))
	answer := workshop.must(t, http.StatusNotFound, http.MethodGet, "/api/jobs/job_none?token=secret", "")
	workshop.must(t, http.StatusOK, http.MethodPost, "/api/library/processes", `{"name":"Milling"}`)
	workshop.must(t, http.StatusNotFound, http.MethodGet, "/no/such/page", "")
	metrics := workshop.must(t, http.StatusOK, http.MethodGet, "/metrics", "").body
	for _, want := range []string{
		`routecard_http_request_duration_seconds_count{route="GET /api/jobs/{id}",status="404"} 1`,
		`routecard_http_request_duration_seconds_count{route="POST /api/library/processes",status="200"} 1`,
		`routecard_http_request_duration_seconds_count{route="unmatched",status="404"} 1`,
		`routecard_http_connections`, `routecard_commit_group_size_count`, `go_goroutines`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("/metrics has no %s", want)
		}
	}
	workshop.Close() // a request is logged when it ends, which may be after its response was read
	lines := log.lines(t, "request")
	if len(lines) != 4 {
		t.Fatalf("%d requests were logged, want 4: %v", len(lines), lines)
	}
	line := lines[0]
	if line["method"] != "GET" || line["route"] != "GET /api/jobs/{id}" || line["status"] != 404.0 ||
		line["bytes"] != float64(len(answer.body)) || line["request"] != answer.header.Get("X-Request-ID") || line["duration_ms"] == nil {
		t.Errorf("the line is %v", line)
	}
	if line["path"] != "/api/jobs/job_none" || line["client"] != "127.0.0.1" {
		t.Errorf("the line does not say who asked for what: %v", line)
	}
	if strings.Contains(fmt.Sprint(lines), "secret") {
		t.Errorf("a query string is in the log: %v", lines)
	}
}

func TestCrossOrigin(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	document := loadDocument(t)
	tests := map[string]struct {
		header [2]string
		status int
	}{
		"another site":   {[2]string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		"a sibling":      {[2]string{"Sec-Fetch-Site", "same-site"}, http.StatusForbidden},
		"foreign origin": {[2]string{"Origin", "https://evil.example"}, http.StatusForbidden},
		"same origin":    {[2]string{"Sec-Fetch-Site", "same-origin"}, http.StatusOK},
		"own origin":     {[2]string{"Origin", workshop.URL}, http.StatusOK},
		"typed in":       {[2]string{"Sec-Fetch-Site", "none"}, http.StatusOK},
		"no browser":     {[2]string{"Accept", "*/*"}, http.StatusOK},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			body := `{"name":"` + name + `"}`
			got := workshop.must(t, test.status, http.MethodPost, "/api/library/processes", body, test.header)
			if test.status == http.StatusForbidden && plain(got.body) != `{"statusCode":403,"message":"Cross-origin request refused"}` {
				t.Errorf("the answer is %s", got.body)
			}
			if err := document.check(t.Context(), &exchange{
				method: http.MethodPost, target: "/api/library/processes", body: body, answer: got,
			}); err != nil {
				t.Error(err)
			}
			workshop.must(t, http.StatusOK, http.MethodGet, "/api/jobs", "", test.header) // reading changes nothing
		})
	}
	names := workshop.must(t, http.StatusOK, http.MethodGet, "/api/library/processes", "").body
	if strings.Contains(names, "site") || strings.Contains(names, "foreign") {
		t.Errorf("a refused request had its effect: %s", names)
	}
}

// TestBodyOverTheLimit sends a body that is too long, with and without its length in the header.
func TestBodyOverTheLimit(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, func(config *Config) { config.MaxBody = 100 })
	for name, hide := range map[string]bool{"with Content-Length": false, "chunked": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for length, status := range map[int]int{100: http.StatusOK, 101: http.StatusRequestEntityTooLarge, 5 << 20: http.StatusRequestEntityTooLarge} {
				object := `{"name":"` + name + `"`
				var content io.Reader = strings.NewReader(object + strings.Repeat(" ", length-len(object)-1) + "}")
				if hide {
					content = io.MultiReader(content)
				}
				request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, workshop.URL+"/api/library/processes", content)
				if err != nil {
					t.Fatal(err)
				}
				response, err := workshop.Client().Do(request)
				if err != nil {
					t.Fatalf("%d bytes: %v", length, err)
				}
				text, err := io.ReadAll(response.Body)
				if err != nil {
					t.Error(err)
				}
				response.Body.Close()
				if response.StatusCode != status {
					t.Errorf("%d bytes: status %d, want %d: %s", length, response.StatusCode, status, text)
				}
			}
		})
	}
}

// TestClaimedLengthIsNotTrusted checks that a header alone does not make the service allocate memory.
func TestClaimedLengthIsNotTrusted(t *testing.T) {
	t.Parallel()
	text, err := readObject(strings.NewReader("{}"), largeBodyLimit)
	if err != nil || string(text) != "{}" {
		t.Fatalf("%q, %v", text, err)
	}
	if cap(text) > 1<<20 {
		t.Errorf("%d bytes were set aside for 2", cap(text))
	}
}

func TestHugeHeader(t *testing.T) {
	t.Parallel()
	store, _ := openStore(t)
	server := httptest.NewUnstartedServer(newFace(store, nil))
	server.Config.MaxHeaderBytes = 64 << 10
	server.Start()
	t.Cleanup(server.Close)
	workshop := &servedShop{Server: server, store: store}
	workshop.must(t, http.StatusRequestHeaderFieldsTooLarge, http.MethodGet, "/api/jobs", "", [2]string{"X-Long", strings.Repeat("x", 100<<10)})
	workshop.must(t, http.StatusOK, http.MethodGet, "/api/jobs", "", [2]string{"X-Long", strings.Repeat("x", 30<<10)})
}

func TestReadiness(t *testing.T) {
	t.Parallel()
	var log logbook
	var fault error
	workshop := openShop(t, func(config *Config) {
		logTo(&log)(config)
		config.Ready = func(context.Context) error { return fault }
	})
	document := loadDocument(t)
	check := func(status int, target, body string) {
		t.Helper()
		got := workshop.must(t, status, http.MethodGet, target, "")
		if got.body != body {
			t.Errorf("%s answers %s, want %s", target, got.body, body)
		}
		if err := document.check(t.Context(), &exchange{method: http.MethodGet, target: target, answer: got}); err != nil {
			t.Error(err)
		}
	}
	check(http.StatusOK, "/readyz", `{"status":"ready"}`)
	fault = errors.New("no space left on /dev/sda1")
	check(http.StatusServiceUnavailable, "/readyz", `{"statusCode":503,"message":"The database cannot be read or written","code":"database_not_ready"}`)
	check(http.StatusOK, "/healthz", `{"status":"ok"}`)
	fault = nil
	check(http.StatusOK, "/readyz", `{"status":"ready"}`)
	if lines := log.lines(t, "not ready"); len(lines) != 1 || !strings.Contains(fmt.Sprint(lines[0]["error"]), "no space") {
		t.Errorf("the log has %v", lines)
	}
}

// TestReadinessWithWrongClock requires that a service that refuses every change, because its clock is wrong, is not ready.
func TestReadinessWithWrongClock(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	workshop := openShop(t, func(config *Config) {
		clock := func() time.Time { return now }
		config.Service = shop.New(config.Service.Store(), clock, ident.NewIdentifiers(clock))
		config.Ready = config.Service.Store().Ready
	})
	document := loadDocument(t)
	const wrong = `{"statusCode":503,"message":"The clock of this machine is wrong","code":"wrong_clock"}`
	for _, test := range []struct {
		year, status int
		ready        string
	}{
		{1960, http.StatusServiceUnavailable, wrong}, {2026, http.StatusOK, `{"status":"ready"}`},
		{2300, http.StatusServiceUnavailable, wrong}, {2027, http.StatusOK, `{"status":"ready"}`},
	} {
		now = time.Date(test.year, 3, 2, 8, 0, 0, 0, time.UTC)
		got := workshop.must(t, test.status, http.MethodGet, "/readyz", "")
		if got.body != test.ready {
			t.Errorf("in %d /readyz responds %s, want %s", test.year, got.body, test.ready)
		}
		if err := document.check(t.Context(), &exchange{method: http.MethodGet, target: "/readyz", answer: got}); err != nil {
			t.Error(err)
		}
		change := http.StatusCreated
		if test.status != http.StatusOK {
			change = test.status
		}
		workshop.must(t, change, http.MethodPost, "/api/jobs", `{"name":"Valve","goalQuantity":1}`)
	}
}

func TestReference(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	document, err := api.JSON()
	if err != nil {
		t.Fatal(err)
	}
	document30, err := api.JSON30()
	if err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]struct {
		kind string
		body []byte
	}{
		"/api/openapi.yaml":     {"application/yaml", api.YAML},
		"/api/openapi.json":     {jsonType, document},
		"/api/openapi-3.0.json": {jsonType, document30},
	} {
		got := workshop.must(t, http.StatusOK, http.MethodGet, target, "")
		if got.body != string(want.body) || got.header.Get("Content-Type") != want.kind {
			t.Errorf("%s answers %d bytes of %s", target, len(got.body), got.header.Get("Content-Type"))
		}
		workshop.must(t, http.StatusNotModified, http.MethodGet, target, "", [2]string{"If-None-Match", got.header.Get("ETag")})
	}
	page := workshop.must(t, http.StatusOK, http.MethodGet, "/docs", "")
	if kind := page.header.Get("Content-Type"); kind != "text/html; charset=utf-8" {
		t.Errorf("/docs is %s", kind)
	}
	if policy := page.header.Get("Content-Security-Policy"); policy != docsPolicy {
		t.Errorf("/docs has the policy %q", policy)
	}
	assets := 0
	for piece := range strings.SplitSeq(page.body, `"`) {
		if !strings.HasPrefix(piece, "/") {
			continue
		}
		assets++
		got := workshop.must(t, http.StatusOK, http.MethodGet, piece, "")
		if strings.HasPrefix(piece, "/docs/") && piece != handbook.Root && got.header.Get("Content-Security-Policy") != docsPolicy {
			t.Errorf("%s has no policy", piece)
		}
	}
	if assets < 3 {
		t.Errorf("/docs refers to only %d files of this service", assets)
	}
	for _, away := range []string{`src="http`, `href="http`, `src="//`} {
		if strings.Contains(page.body, away) {
			t.Errorf("/docs needs the internet: %s", away)
		}
	}
	for _, target := range []string{"/docs/none.js", "/docs/..%2Froutes.go", "/docs/%2e%2e/server.go"} {
		workshop.must(t, http.StatusNotFound, http.MethodGet, target, "")
	}
}

// TestUnchangedListIsNotSentAgain requests lists with the tag of the client's version: the tag changes whenever the list does. The tag of
// the list of units changes with every job, because units show names of jobs.
func TestUnchangedListIsNotSentAgain(t *testing.T) {
	t.Parallel()
	workshop, names := taggedShop(t)
	tags := map[string]string{}
	for _, target := range []string{"/api/jobs", "/api/serials"} {
		tag := workshop.must(t, http.StatusOK, http.MethodGet, target, "").header.Get("ETag")
		got := workshop.must(t, http.StatusNotModified, http.MethodGet, target, "", [2]string{"If-None-Match", `"x", ` + tag})
		if got.body != "" || got.header.Get("ETag") != tag {
			t.Errorf("%s: %v %s", target, got.header, got.body)
		}
		tags[target] = tag
	}
	for _, step := range []struct{ method, target, body, changes string }{
		{http.MethodPost, "/api/library/processes", `{"name": "Hone"}`, ""},
		{http.MethodPost, "/api/users", `{"name": "Zoe"}`, ""},
		{http.MethodPost, "/api/certs", `{"name": "Heat 1", "type": "material"}`, ""},
		{http.MethodPost, "/api/jobs", `{"name":"a","goalQuantity":1}`, "/api/jobs /api/serials"}, // units show names of jobs
		{http.MethodPut, "/api/jobs/$job", `{}`, "/api/jobs /api/serials"},
		{http.MethodPost, "/api/serials/$serial/advance", `{}`, "/api/serials"},
	} {
		got, err := workshop.send(t.Context(), step.method, names.Replace(step.target), step.body)
		if err != nil || got.status >= http.StatusMultipleChoices {
			t.Fatalf("%s: %v %d %s", step.target, err, got.status, got.body)
		}
		for target, tag := range tags {
			want := http.StatusNotModified
			if slices.Contains(strings.Fields(step.changes), target) {
				want = http.StatusOK
			}
			tags[target] = workshop.must(t, want, http.MethodGet, target, "", [2]string{"If-None-Match", tag}).header.Get("ETag")
		}
	}
}
