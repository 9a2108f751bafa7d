package httpapi

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/tail"
)

// stall begins a request, and never sends the last byte of its body.
func (g *guarded) stall(target, body string, header ...[2]string) net.Conn {
	g.t.Helper()
	connection, err := (&net.Dialer{}).DialContext(g.t.Context(), "tcp", strings.TrimPrefix(g.URL, "http://"))
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { connection.Close() })
	text := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n", target, len(body)+1)
	for _, field := range header {
		text += field[0] + ": " + field[1] + "\r\n"
	}
	if _, err := connection.Write([]byte(text + "\r\n" + body)); err != nil {
		g.t.Error(err)
	}
	return connection
}

// docs/running.md, "Limits": stalled uploads take memory from the limit of their sender, and not from other users.
func TestStalledUploadsTakeTheirOwnMemory(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	face := g.Config.Handler.(*Server)
	face.memory = newMemory(96 << 20)
	face.memory.divide()
	g.person("anna", "planner")
	g.person("otto", "planner")
	token := func(login string) [2]string { return g.token(login, g.signIn(login, goodPassword), `["read", "plan"]`) }
	anna, otto := token("anna"), token("otto")
	begun := `{"name": "` + strings.Repeat("x", 1<<20-100)
	busy := make(chan int, 40)
	for range 40 {
		connection := g.stall("/api/jobs", begun, anna)
		go func() {
			if answer, err := http.ReadResponse(bufio.NewReader(connection), nil); err == nil {
				answer.Body.Close()
				busy <- answer.StatusCode
			}
		}()
	}
	if status := <-busy; status != http.StatusServiceUnavailable {
		t.Errorf("one upload too many is answered %d", status)
	}
	g.ask(400, "POST", "/api/jobs", begun+`"}`, otto) // the service reads a name of a million characters, and refuses it
	for tries := 0; ; tries++ {                       // refused uploads gave back their memory
		answer, err := g.send(t.Context(), http.MethodPost, "/api/jobs", begun+`"}`, anna)
		if err != nil {
			t.Fatal(err)
		}
		if answer.status == http.StatusServiceUnavailable {
			break
		}
		if tries == 100 {
			t.Fatalf("with %d uploads that stand still another one is answered %d", 40+tries, answer.status)
		}
		g.stall("/api/jobs", begun, anna)
	}
}

// docs/running.md, "Limits": a refusal of a caller who has not signed in does not wait for the upload.
func TestNobodysUploads(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	for target, want := range map[string]int{"/api/jobs": 401, "/api/sign-in": 413, "/api/setup": 413} {
		connection := g.stall(target, `{"login": "`+strings.Repeat("x", 1<<19))
		answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: %s", target, answer.Status)
		}
	}
	g.refused(413, "Request body is too large", "POST", "/api/sign-in", `{"login": "`+strings.Repeat("x", 16<<10)+`"}`)
	g.refused(401, wrongSecret, "POST", "/api/sign-in", attempt("x", "y")+strings.Repeat(" ", 15<<10))
}

// docs/running.md, "Limits": an account has a limited number of streams, which does not affect others. Without sign-in there is no limit.
func TestStreamsOfOneAccount(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	face := g.Config.Handler.(*Server)
	face.config.Tail = tail.New(slog.New(slog.DiscardHandler))
	g.person("anna", "viewer")
	anna := g.signIn("anna", goodPassword)
	open := func(identity [2]string) (status int, end func()) {
		ctx, cancel := context.WithCancel(t.Context())
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, g.URL+"/api/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set(identity[0], identity[1])
		answer, err := g.Client().Do(request) //nolint:bodyclose // end closes it
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, func() { answer.Body.Close(); cancel() }
	}
	var ends []func()
	defer func() {
		for _, end := range ends {
			end()
		}
	}()
	for range streamLimit {
		status, end := open(anna)
		ends = append(ends, end)
		if status != http.StatusOK {
			t.Fatalf("a stream is answered %d", status)
		}
	}
	got := g.refused(429, "Too many streams are open", "GET", "/api/events", "", anna)
	if got.header.Get("Retry-After") != "10" {
		t.Error(got.header)
	}
	status, end := open(g.admin)
	ends = append(ends, end)
	if status != http.StatusOK {
		t.Errorf("somebody else is answered %d", status)
	}
	ends[0]()
	for again := http.StatusTooManyRequests; again == http.StatusTooManyRequests; { // until the service notices the closed stream
		again, end = open(anna)
		ends = append(ends, end)
	}
}

// docs/running.md, "Limits": with TLS of its own, the service instructs browsers to use https from then on.
func TestStrictTransport(t *testing.T) {
	t.Parallel()
	s := openShop(t, nil)
	plain := s.must(t, 200, "GET", "/healthz", "")
	encrypted := httptest.NewTLSServer(s.face)
	t.Cleanup(encrypted.Close)
	secure := (&servedShop{Server: encrypted}).must(t, 200, "GET", "/healthz", "")
	if plain.header.Get("Strict-Transport-Security") != "" || secure.header.Get("Strict-Transport-Security") != "max-age=31536000" {
		t.Errorf("%v %v", plain.header, secure.header)
	}
}
