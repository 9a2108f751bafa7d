package faulttest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/process"
)

// instance is one process of the program. It may be killed and started again at another address.
type instance struct {
	t        *testing.T
	database string
	flags    []string     // in addition to those of every instance
	url      atomic.Value // string; "" while it does not run
	server   *process.Server
	most     int64 // the peak resident memory in bytes, when it was last read
}

// sharedShop is three instances on one database.
type sharedShop struct {
	*testing.T
	database  string
	instances []*instance
	client    *http.Client
	jobID     string
	pathID    string
	steps     int
}

// newShop starts three instances with some flags, and creates a path with a number of steps.
func newShop(t *testing.T, database string, steps int, flags ...string) *sharedShop {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	s := &sharedShop{T: t, database: database, client: &http.Client{Transport: transport, Timeout: 30 * time.Second}, steps: steps}
	var starting sync.WaitGroup
	for range 3 {
		i := &instance{t: t, database: database, flags: flags}
		s.instances = append(s.instances, i)
		starting.Go(i.start)
	}
	starting.Wait()
	if t.Failed() {
		t.FailNow()
	}
	var made struct{ ID string }
	s.must("/api/jobs", map[string]any{"name": "Faults", "goalQuantity": 1}, &made)
	s.jobID = made.ID
	list := make([]map[string]any, steps)
	for i := range list {
		list[i] = map[string]any{"name": fmt.Sprint("step ", i)}
	}
	s.must("/api/paths", map[string]any{
		"jobId": s.jobID, "name": "P", "goalQuantity": 1, "advancementMode": "flexible", "steps": list,
	}, &made)
	s.pathID = made.ID
	return s
}

func (i *instance) start() {
	flags := append([]string{"--database", i.database, "--log-level", "warn"}, i.flags...)
	server, err := process.Start(process.Command(context.Background(), process.Routecard(i.t), flags...))
	if err != nil {
		i.t.Error(err)
		return
	}
	i.server = server
	i.url.Store(server.URL)
	i.t.Cleanup(func() {
		server.Kill()
		if i.t.Failed() {
			i.t.Logf("log of an instance: %s", withoutSecurity(server.Stderr.String()))
		}
	})
}

// withoutSecurity removes the lines of the security log, which has a line for nearly every call and would hide the output of the test.
func withoutSecurity(log string) string {
	var rest strings.Builder
	for line := range strings.Lines(log) {
		if !strings.Contains(line, `"log":"security"`) {
			rest.WriteString(line)
		}
	}
	return rest.String()
}

// kill ends the process as a power failure would.
func (i *instance) kill() {
	i.url.Store("")
	i.server.Kill()
}

// stop asks the process to end, and waits for its end.
func (i *instance) stop() {
	i.t.Helper()
	i.url.Store("")
	if err := i.server.Stop(); err != nil {
		i.t.Errorf("the instance was asked to stop: %v\n%s", err, i.server.Stderr.String())
	}
}

// resident returns the peak resident memory of the process in bytes; 0 if the system does not report it.
func (i *instance) resident() int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", i.server.PID()))
	if err != nil {
		return 0
	}
	_, peak, _ := strings.Cut(string(text), "VmHWM:")
	var kilobytes int64
	_, _ = fmt.Sscan(peak, &kilobytes)
	i.most = kilobytes << 10
	return i.most
}

func (i *instance) address() string {
	url, _ := i.url.Load().(string)
	return url
}

// outcome is a client's knowledge of a write.
type outcome int

const (
	done    outcome = iota // acknowledged
	refused                // refused: nothing was changed
	somehow                // no response, or a response that says that the outcome is unknown
)

// send sends a write to an instance.
func (s *sharedShop) send(i *instance, path string, body, into any) (outcome, string) {
	return s.sendUnder("", i, path, body, into)
}

// sendUnder sends a write to an instance, under a key unless that is "".
func (s *sharedShop) sendUnder(key string, i *instance, path string, body, into any) (outcome, string) {
	url := i.address()
	if url == "" {
		return refused, "the instance does not run"
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		s.Error(err)
		return refused, err.Error()
	}
	request, err := http.NewRequest(http.MethodPost, url+path, bytes.NewReader(encoded))
	if err != nil {
		s.Error(err)
		return refused, err.Error()
	}
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	answer, err := s.client.Do(request)
	if err != nil {
		return somehow, err.Error()
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	switch {
	case err != nil:
		return somehow, err.Error()
	case answer.StatusCode == http.StatusServiceUnavailable:
		if answer.Header.Get("Retry-After") == "" {
			s.Errorf("503 without Retry-After: %s", text)
		}
		if bytes.Contains(text, []byte("Nothing was changed")) {
			return refused, string(text)
		}
		return somehow, string(text)
	case answer.StatusCode >= http.StatusInternalServerError:
		s.Errorf("%s: %d %s", path, answer.StatusCode, text)
		return somehow, string(text)
	case answer.StatusCode >= http.StatusBadRequest:
		return refused, string(text)
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			s.Errorf("%s: %v in %s", path, err, text)
		}
	}
	return done, string(text)
}

func (s *sharedShop) must(path string, body, into any) {
	s.Helper()
	if got, text := s.send(s.instances[0], path, body, into); got != done {
		s.Fatalf("%s: %s", path, text)
	}
}

func (s *sharedShop) get(i *instance, path string, into any) error {
	answer, err := s.client.Get(i.address() + path)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %d %s", path, answer.StatusCode, text)
	}
	if err == nil && into != nil {
		err = json.Unmarshal(text, into)
	}
	return err
}

// makeSerials makes serials and returns their identifiers.
func (s *sharedShop) makeSerials(quantity int) []string {
	s.Helper()
	var made []struct{ ID string }
	s.must("/api/serials", map[string]any{"jobId": s.jobID, "pathId": s.pathID, "quantity": quantity}, &made)
	ids := make([]string, len(made))
	for i := range made {
		ids[i] = made[i].ID
	}
	return ids
}

// eventually waits for a condition to become true, at most for within.
func (s *sharedShop) eventually(what string, within time.Duration, isTrue func() bool) {
	s.Helper()
	started := time.Now()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for !isTrue() {
		if time.Since(started) > within {
			s.Fatalf("in vain for %s: %s", within, what)
		}
		<-ticker.C
	}
}
