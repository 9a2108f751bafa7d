package main

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A stream of events, which has no end, does not delay the stop: it sends the time after which clients reconnect, and ends. So no request
// is cut off, and the stop counts as a clean one.
func TestStopEndsStreams(t *testing.T) {
	t.Parallel()
	p := serveFile(t)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL+"/api/events", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	reader := bufio.NewReader(answer.Body)
	if line, err := reader.ReadString('\n'); err != nil || line != "retry: 1000\n" {
		t.Fatalf("%q, %v", line, err)
	}
	began := time.Now()
	if err := p.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(reader)
	if err != nil || !strings.HasSuffix(string(rest), "\nretry: 1000\n\n") {
		t.Errorf("the stream ends with %q, %v", rest, err)
	}
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took >= stopTimeout || strings.Contains(p.Stderr.String(), "cut off") {
		t.Errorf("it stopped in %v\n%s", took, p.Stderr.String())
	}
}
