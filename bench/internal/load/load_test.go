package load

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// answering returns a client whose server has sent these bytes and closed the connection.
func answering(t *testing.T, sent string) *Client {
	t.Helper()
	ours, theirs := net.Pipe()
	t.Cleanup(func() { _ = ours.Close() })
	go func() {
		defer theirs.Close()
		_, _ = io.WriteString(theirs, sent)
	}()
	return newClient(ours, "shop", "")
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, sent string
		status     int
		body       string
		fails      bool
	}{
		{"length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello", false},
		{"names of any case", "HTTP/1.1 404 Not Found\r\ncontent-length:2\r\n\r\n{}", 404, "{}", false},
		{"no body", "HTTP/1.1 304 Not Modified\r\nEtag: \"1\"\r\n\r\n", 304, "", false},
		{"chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA\r\n, everyone\r\n0\r\n\r\n", 200, "hello, everyone", false},
		{"chunk extension", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\n[]\r\n0\r\n\r\n", 200, "[]", false},
		{"trailer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\nSum: 1\r\n\r\n", 200, "[]", false},
		{"cut off", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", 200, "hel", true},
		{"cut off between chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n", 200, "[]", true},
		{"chunk of no size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 200, "", true},
		{"negative length", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", 200, "", true},
		{"no HTTP", "SSH-2.0-OpenSSH_9.2 Debian\r\n", 0, "", true},
		{"nothing", "", 0, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var body bytes.Buffer
			answer, err := answering(t, test.sent).read(time.Now(), &body)
			if (err != nil) != test.fails || answer.Status != test.status || body.String() != test.body ||
				answer.Bytes != int64(body.Len()) {
				t.Errorf("read %+v %q (%v), want %d %q, failing: %v", answer, body.String(), err, test.status, test.body, test.fails)
			}
		})
	}
}

// TestReadLeavesNothing reads responses of both kinds from one connection, one after the other.
func TestReadLeavesNothing(t *testing.T) {
	t.Parallel()
	one := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n"
	two := "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}"
	client := answering(t, one+two+one+two)
	for i, want := range []int{200, 201, 200, 201} {
		answer, err := client.read(time.Now(), io.Discard)
		if err != nil || answer.Status != want || answer.Bytes != 2 {
			t.Fatalf("answer %d: %+v (%v), want status %d and 2 bytes", i, answer, err, want)
		}
	}
}

func TestDo(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("route card ", 20_000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch r.Method + " " + r.URL.Path {
		case "POST /shop/echo":
			_, _ = w.Write(append([]byte(r.Header.Get("Content-Type")+" "), body...))
		case "GET /shop/long":
			_, _ = io.WriteString(w, long)
			_ = http.NewResponseController(w).Flush()
			_, _ = io.WriteString(w, "end")
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	client, err := Dial(server.URL + "/shop/")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, test := range []struct {
		request Request
		status  int
		body    string
	}{
		{Request{Method: "POST", Path: "/echo", Body: `{"a":1}`}, 200, `application/json {"a":1}`},
		{Request{Method: "GET", Path: "/long", Body: ""}, 200, long + "end"},
		{Request{Method: "GET", Path: "/other", Body: ""}, 404, "404 page not found\n"},
		{Request{Method: "POST", Path: "/echo", Body: ""}, 200, " "},
	} {
		var body bytes.Buffer
		answer, err := client.Do(test.request, &body)
		if err != nil || answer.Status != test.status || body.String() != test.body {
			t.Errorf("%v: %+v (%v), %d bytes", test.request, answer, err, body.Len())
		}
	}
}

func TestDialRefuses(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"", "127.0.0.1:80", "https://shop.example", "http://", "http://%zz"} {
		if _, err := Dial(base); err == nil {
			t.Errorf("Dial(%q) succeeded", base)
		}
	}
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	hundred := Result{}
	for i := range 100 {
		hundred.Latencies = append(hundred.Latencies, time.Duration(i+1))
	}
	one := Result{Latencies: []time.Duration{7}}
	for _, test := range []struct {
		of   *Result
		q    float64
		want time.Duration
	}{
		{&hundred, 0, 1},
		{&hundred, 0.5, 50},
		{&hundred, 0.99, 99},
		{&hundred, 0.999, 100},
		{&hundred, 1, 100},
		{&one, 0.5, 7},
		{&one, 0.999, 7},
		{&Result{}, 0.5, 0},
	} {
		if got := test.of.Quantile(test.q); got != test.want {
			t.Errorf("quantile %v of %d: %d, want %d", test.q, len(test.of.Latencies), got, test.want)
		}
	}
}

// TestDriveEnds shows the two other ends of a run: nothing left to send, and an unwanted response.
func TestDriveEnds(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/bad" {
			http.Error(w, "no such thing", http.StatusNotFound)
			return
		}
	}))
	defer server.Close()
	var left atomic.Int64
	left.Store(100)
	result, err := Drive(Plan{
		Base: server.URL, Callers: 4, During: time.Hour, Wanted: http.StatusOK,
		Next: func(int) (Request, bool) { return Request{Method: "GET", Path: "/"}, left.Add(-1) >= 0 },
	})
	if err != nil || result.Requests != 100 || len(result.Latencies) != 100 || result.PerSecond() <= 0 {
		t.Errorf("100 requests came to %d (%v)", result.Requests, err)
	}
	_, err = Drive(Plan{
		Base: server.URL, Callers: 2, During: time.Hour, Wanted: http.StatusOK,
		Next: func(int) (Request, bool) { return Request{Method: "GET", Path: "/bad"}, true },
	})
	if err == nil || !strings.Contains(err.Error(), "GET /bad: status 404, not 200: no such thing") {
		t.Errorf("an unwanted answer came to %v", err)
	}
}
