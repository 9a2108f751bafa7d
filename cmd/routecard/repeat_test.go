package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/process"
)

// TestCrashRepeated kills the program again and again, while clients repeat each write under its key until they get a response. Each write
// is done once, however often it was sent.
func TestCrashRepeated(t *testing.T) {
	t.Parallel()
	const rounds, clients, answers = 8, 8, 150
	file := filepath.Join(t.TempDir(), "routecard.db")
	var url atomic.Value
	url.Store("")
	start := func() *process.Server {
		p := process.Serve(t, "--database", file, "--log-level", "warn")
		url.Store(p.URL)
		return p
	}
	p := start()
	workshop := newCrashShop(t, p.URL)
	var job, path struct{ ID string }
	var serials []struct{ ID string }
	workshop.must(http.MethodPost, "/api/jobs", `{"name":"Crash","goalQuantity":1000}`, &job)
	steps := strings.Repeat(`{"name":"s"},`, 900) + `{"name":"s"}`
	workshop.must(http.MethodPost, "/api/paths", `{"jobId":"`+job.ID+`","name":"Path","goalQuantity":9,"steps":[`+steps+`]}`, &path)
	workshop.must(http.MethodPost, "/api/serials", fmt.Sprintf(`{"jobId":%q,"pathId":%q,"quantity":%d}`, job.ID, path.ID, clients), &serials)

	var answered, repeated atomic.Int64
	stop := make(chan struct{})
	var working sync.WaitGroup
	done := make([]int, clients) // acknowledged writes
	for i := range clients {
		working.Go(func() {
			pause := time.NewTicker(2 * time.Millisecond)
			defer pause.Stop()
			for {
				select {
				case <-stop:
					return
				default:
				}
				key := fmt.Sprintf("client%d-%d", i, done[i])
				for !repeatUnder(t, workshop.client, url.Load().(string), serials[i].ID, key) {
					repeated.Add(1)
					<-pause.C
				}
				done[i]++
				answered.Add(1)
			}
		})
	}
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for round := range rounds {
		for want := int64(answers * (round + 1)); answered.Load() < want && !t.Failed(); {
			<-ticker.C
		}
		url.Store("") // another program may get the port meanwhile
		p.Kill()
		p = start()
	}
	close(stop)
	working.Wait()
	workshop.url = p.URL
	for i, serial := range serials {
		var entries []struct{ UserID string }
		if err := getJSON(t.Context(), workshop.client, p.URL+"/api/audit/serial/"+serial.ID, &entries); err != nil {
			t.Fatal(err)
		}
		if len(entries) != done[i] {
			t.Errorf("%s has %d entries, and %d writes were answered", serial.ID, len(entries), done[i])
		}
		for n, entry := range entries {
			if want := fmt.Sprintf("client%d-%d", i, n); entry.UserID != want {
				t.Errorf("entry %d of %s is by %s, want %s", n, serial.ID, entry.UserID, want)
				break
			}
		}
	}
	t.Logf("%d writes done once each; %d times repeated over %d crashes", answered.Load(), repeated.Load(), rounds)
	if repeated.Load() == 0 {
		t.Error("nothing was repeated: the crashes came beside the work")
	}
}

// repeatUnder advances a serial under a key and reports whether it got a successful response.
func repeatUnder(t *testing.T, client *http.Client, url, serial, key string) bool {
	if url == "" {
		return false
	}
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url+"/api/serials/"+serial+"/advance",
		strings.NewReader(`{"userId":"`+key+`"}`))
	if err != nil {
		t.Error(err)
		return true
	}
	request.Header.Set("Idempotency-Key", key)
	answer, err := client.Do(request)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		t.Errorf("%s: %d %s", key, answer.StatusCode, text)
		return true
	}
	return err == nil
}
