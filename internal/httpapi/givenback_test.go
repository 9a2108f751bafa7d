package httpapi

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/tail"
)

// left returns how much memory the service has left.
func (s *servedShop) left() int64 {
	s.face.memory.mu.Lock()
	defer s.face.memory.mu.Unlock()
	return s.face.memory.left
}

// settles waits until no memory is taken.
func (s *servedShop) settles(t *testing.T, limit int64) {
	t.Helper()
	for until := time.Now().Add(time.Minute); s.left() != limit; <-time.After(time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%d bytes of %d are left when all is answered", s.left(), limit)
		}
	}
}

// leave sets the memory that is left, of the limit, once nothing is taken.
func (s *servedShop) leave(t *testing.T, limit, left int64) {
	t.Helper()
	s.settles(t, limit)
	s.face.memory.mu.Lock()
	defer s.face.memory.mu.Unlock()
	s.face.memory.left = left
}

// makeHeavyTrail creates records and audit entries with long texts, and returns their job.
func (s *servedShop) makeHeavyTrail(t *testing.T) (job string) {
	t.Helper()
	job = createdID(t, s.must(t, http.StatusCreated, http.MethodPost, "/api/jobs", `{"name":"Valve","goalQuantity":1}`))
	steps := strings.Repeat(`{"name":"`+strings.Repeat("n", 400)+`"},`, 499) + `{"name":"Pack"}`
	path := createdID(t, s.must(t, http.StatusCreated, http.MethodPost, "/api/paths",
		`{"jobId":"`+job+`","name":"Route","goalQuantity":1,"steps":[`+steps+`]}`))
	for i := range 6 {
		s.must(t, http.StatusOK, http.MethodPut, "/api/paths/"+path, `{"steps":[`+strings.ReplaceAll(steps, "nn", string(rune('a'+i)))+`]}`)
	}
	s.must(t, http.StatusCreated, http.MethodPost, "/api/serials", `{"jobId":"`+job+`","pathId":"`+path+`","quantity":1}`)
	for i := range 4 {
		s.must(t, http.StatusOK, http.MethodPost, "/api/notes", fmt.Sprintf(`{"jobId":%q,"pathId":%q,"stepId":"s","serialIds":["SN-00001"],`+
			`"text":"%d%s","userId":"ann"}`, job, path, i, strings.Repeat("t", 9000)))
	}
	s.must(t, http.StatusCreated, http.MethodPost, "/api/templates", `{"name":"Valve","steps":[`+steps+`]}`)
	return job
}

// TestAnswersAreInTheBudget requests long responses with and without memory for them.
func TestAnswersAreInTheBudget(t *testing.T) {
	t.Parallel()
	const enough = 64 << 20
	workshop := openShop(t, func(c *Config) { c.Memory = enough })
	job := workshop.makeHeavyTrail(t)
	answers := []string{
		"/api/audit", "/api/audit?limit=5", "/api/audit/search?action=path_updated", "/api/audit/job/" + job,
		"/api/templates", "/api/notes/serial/SN-00001", "/api/jobs/" + job,
	}
	for _, target := range answers {
		workshop.must(t, http.StatusOK, http.MethodGet, target, "")
		workshop.must(t, http.StatusOK, http.MethodGet, target, "", [2]string{"Accept-Encoding", "gzip"})
		workshop.settles(t, enough)
	}
	const nearlyNothing = 10
	workshop.leave(t, enough, nearlyNothing)
	t.Run("spent", func(t *testing.T) {
		for _, target := range answers {
			t.Run(target, func(t *testing.T) {
				t.Parallel()
				got, err := workshop.send(t.Context(), http.MethodGet, target, "")
				if err != nil || got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") != "1" ||
					!strings.Contains(got.body, `"message":"The service is busy"`) {
					t.Errorf("with the memory spent: %d %.200s, %v", got.status, got.body, err)
				}
			})
		}
	})
	workshop.settles(t, nearlyNothing)
}

// TestBodiesAreInTheBudget sends bodies with and without memory for them. Without memory they are refused, and change nothing.
func TestBodiesAreInTheBudget(t *testing.T) {
	t.Parallel()
	const enough = 64 << 20
	workshop := openShop(t, func(c *Config) { c.Memory = enough })
	job := createdID(t, workshop.must(t, http.StatusCreated, http.MethodPost, "/api/jobs", `{"name":"Valve","goalQuantity":1}`))
	more := `,"x":"` + strings.Repeat("x", 100<<10) + `"}`
	bodies := []struct{ method, target, body string }{
		{http.MethodPost, "/api/jobs", `{"name":"Body","goalQuantity":1` + more},
		{http.MethodPut, "/api/jobs/" + job, `{"name":"Valve 2"` + more},
		{http.MethodPost, "/api/notes", `{"jobId":"j","pathId":"p","stepId":"s","serialIds":["SN-00001"],"text":"t","userId":"ann"` + more},
		{http.MethodPost, "/api/serials/batch-advance", `{"serialIds":[` + strings.Repeat(`"SN-00001",`, 9000) + `"SN-00001"],"userId":"ann"}`},
		{http.MethodPost, "/api/nonconformances", `{"title":"t","severity":"minor","userId":"ann"` + more},
	}
	before := workshop.must(t, http.StatusOK, http.MethodGet, "/api/audit", "").body
	const nearlyNothing = 10
	workshop.leave(t, enough, nearlyNothing)
	t.Run("spent", func(t *testing.T) {
		for _, b := range bodies {
			for _, header := range [][2]string{{"X-Nothing", "1"}, {"Idempotency-Key", b.method + b.target}} {
				t.Run(b.target, func(t *testing.T) {
					t.Parallel()
					got, err := workshop.send(t.Context(), b.method, b.target, b.body, header)
					if err != nil || got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") != "1" ||
						!strings.Contains(got.body, `"message":"The service is busy"`) {
						t.Errorf("with the memory spent: %d %.200s, %v", got.status, got.body, err)
					}
				})
			}
		}
	})
	workshop.leave(t, nearlyNothing, enough)
	if after := workshop.must(t, http.StatusOK, http.MethodGet, "/api/audit", "").body; after != before {
		t.Errorf("what was refused changed something: %s", after)
	}
	for _, b := range bodies { // a refused request stores nothing under its key
		got, err := workshop.send(t.Context(), b.method, b.target, b.body, [2]string{"Idempotency-Key", b.method + b.target})
		if err != nil || got.status >= http.StatusInternalServerError || got.header.Get("Idempotency-Replayed") != "" {
			t.Errorf("%s with memory: %d %.200s, %v", b.target, got.status, got.body, err)
		}
		workshop.settles(t, enough)
	}
}

// TestSlowReadersOfEventsHoldLittle opens streams at the beginning of a heavy trail and does not read them.
func TestSlowReadersOfEventsHoldLittle(t *testing.T) {
	t.Parallel()
	const limit, streams, buffers = 64 << 20, 20, 16 << 10
	var follower *tail.Tail
	workshop := openShop(t, func(c *Config) {
		c.Memory = limit
		follower = tail.New(c.Logger)
		c.Tail = follower
	})
	workshop.makeHeavyTrail(t)
	go follower.Run(t.Context(), workshop.store)
	server := httptest.NewUnstartedServer(workshop.face)
	server.Config.ConnState = func(connection net.Conn, state http.ConnState) {
		if state == http.StateNew { // otherwise the system's buffers would hold the whole trail
			if err := connection.(*net.TCPConn).SetWriteBuffer(buffers); err != nil {
				t.Error(err)
			}
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	for range streams {
		client, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		if err := client.(*net.TCPConn).SetReadBuffer(buffers); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(client, "GET /api/events?after=aud_0000000000000000 HTTP/1.1\r\nHost: shop\r\n\r\n")
		if line, err := bufio.NewReaderSize(client, 16).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
			t.Fatalf("%s %v", line, err)
		}
	}
	// Each stream holds the one or two entries that it is sending, and is blocked at one of the long ones.
	const least, most = 100 << 10, 4 << 20
	taken := int64(0)
	for until := time.Now().Add(time.Minute); taken < streams*least && time.Now().Before(until); taken = limit - workshop.left() {
		<-time.After(time.Millisecond)
	}
	if taken < streams*least || taken > streams*most {
		t.Errorf("%d streams have taken %d bytes", streams, taken)
	}
	workshop.must(t, http.StatusOK, http.MethodGet, "/api/audit", "")
	server.CloseClientConnections()
	workshop.settles(t, limit)
}
