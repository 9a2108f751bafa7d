package main

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// TestLargeBodiesAtOnce sends eight bodies of 16 MiB at the same time, and measures the peak memory.
func TestLargeBodiesAtOnce(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("the system does not tell how much memory a process has")
	}
	s := serveFile(t, "--memory-limit", strconv.Itoa(leastMemory))
	list := `{"serialIds":[` + strings.Repeat("1,", 8_300_000) + "1]}"
	text := `{"serialIds":["SN-00001"],"text":"t","jobId":"j","pathId":"p","stepId":"s","userId":"u","x":"` + strings.Repeat("x", 16_000_000) + `"}`
	keys := `{"a":1` + strings.Repeat(`,"b":1`, 2_600_000) + `}`
	var all sync.WaitGroup
	for i := range 8 {
		body := []string{list, text, keys, text}[i%4]
		all.Go(func() {
			response, err := http.Post(s.URL+"/api/notes", "application/json", strings.NewReader(body)) //nolint:noctx // it ends
			if err != nil {
				return // the service refused the request and cut it off while the client still wrote
			}
			response.Body.Close()
			if response.StatusCode >= 500 && response.StatusCode != http.StatusServiceUnavailable {
				t.Errorf("answered %s", response.Status)
			}
		})
	}
	all.Wait()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.PID()))
	if err != nil {
		t.Fatal(err)
	}
	most, err := strconv.Atoi(regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindStringSubmatch(string(status))[1])
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d MiB at most", most>>10)
	if most > 512<<10 {
		t.Errorf("the service had %d MiB at most", most>>10)
	}
	if got := s.ask(t, http.MethodGet, "/readyz", ""); !strings.HasPrefix(got, "200 ") {
		t.Errorf("readyz answers %s", got)
	}
}

// The runtime has the same memory limit as requests.
func TestRuntimeIsToldTheLimit(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	for asked, least := range map[int64]int64{700 << 20: 700 << 20, 0: leastMemory} {
		limit := (&serveCommand{MemoryLimit: asked}).limitMemory()
		if told := debug.SetMemoryLimit(-1); told != limit || limit < least || asked > 0 && limit != asked {
			t.Errorf("with %d asked for, requests have %d and the runtime was told %d", asked, limit, told)
		}
	}
	if machine := machineMemory(); machine > 4*leastMemory {
		if limit := (&serveCommand{}).limitMemory(); limit != machine/4 {
			t.Errorf("of a machine with %d bytes it takes %d", machine, limit)
		}
	}
}
