//go:build linux && amd64

package faulttest

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/process"
)

// diskShop is a shop on a watched disk, with the responses of its service.
type diskShop struct {
	*testing.T
	disk    *disk
	server  *process.Server
	client  *http.Client
	jobID   string
	pathID  string
	serials []*diskSerial
	jobs    []string     // acknowledged jobs
	writes  atomic.Int64 // the number of writes that were sent
	unsure  atomic.Int64 // the number of writes with an unknown outcome
}

// diskSerial is a client's knowledge of one serial. The serial is at the position of the last response, or further on by changes that got
// no response.
type diskSerial struct {
	id               string
	answered, unsure int
}

const (
	diskSteps   = 300
	diskSerials = 8
)

func openDiskShop(t *testing.T) *diskShop {
	t.Helper()
	s := &diskShop{T: t, disk: newDisk(t), client: &http.Client{Timeout: time.Minute}}
	s.start()
	return s
}

func (s *diskShop) start() {
	s.Helper()
	server, err := s.disk.serve()
	if err != nil {
		if strings.Contains(err.Error(), "seccomp: ") {
			process.Missing(s.T, "seccomp", "a kernel that lets a program watch another's calls")
		}
		s.Fatal(err)
	}
	s.server = server
}

// post sends a write under a key of its own; into may be nil. It is safe for concurrent use.
func (s *diskShop) post(path, body string, into any) (status int, text string) {
	s.Helper()
	s.writes.Add(1)
	request, err := http.NewRequestWithContext(s.Context(), http.MethodPost, s.server.URL+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", rand.Text())
	response, err := s.client.Do(request)
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if strings.Contains(string(answer), "may or may not have been made") {
		s.unsure.Add(1)
		if !strings.Contains(string(answer), "Repeat the request with the same Idempotency-Key.") {
			s.Errorf("nobody knows, and nobody says what to do: %s", answer)
		}
	}
	switch {
	case err != nil:
		return 0, err.Error()
	case response.StatusCode == http.StatusServiceUnavailable && response.Header.Get("Retry-After") == "":
		s.Errorf("503 without Retry-After: %s", answer)
	case response.StatusCode >= http.StatusBadRequest && response.StatusCode != http.StatusServiceUnavailable:
		s.Errorf("%s %s: %d %s", path, body, response.StatusCode, answer)
	case response.StatusCode < http.StatusBadRequest && into != nil:
		if err := json.Unmarshal(answer, into); err != nil {
			s.Error(err)
		}
	}
	return response.StatusCode, string(answer)
}

func (s *diskShop) get(path string, into any) (status int, text string) {
	s.Helper()
	response, err := s.client.Get(s.server.URL + path)
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err.Error()
	}
	if into != nil && response.StatusCode == http.StatusOK {
		if err := json.Unmarshal(answer, into); err != nil {
			s.Error(err)
		}
	}
	return response.StatusCode, string(answer)
}

// stock makes a job, a path and serials.
func (s *diskShop) stock() {
	s.Helper()
	var made struct{ ID string }
	if status, text := s.post("/api/jobs", `{"name":"Disk","goalQuantity":9}`, &made); status != http.StatusCreated {
		s.Fatal(text)
	}
	s.jobID = made.ID
	s.jobs = append(s.jobs, made.ID)
	steps := strings.TrimSuffix(strings.Repeat(`{"name":"step"},`, diskSteps), ",")
	body := fmt.Sprintf(`{"jobId":%q,"name":"Path","goalQuantity":9,"steps":[%s]}`, s.jobID, steps)
	if status, text := s.post("/api/paths", body, &made); status != http.StatusCreated {
		s.Fatal(text)
	}
	s.pathID = made.ID
	s.makeSerials()
}

func (s *diskShop) makeSerials() {
	s.Helper()
	var list []struct{ ID string }
	body := fmt.Sprintf(`{"jobId":%q,"pathId":%q,"quantity":%d}`, s.jobID, s.pathID, diskSerials)
	if status, text := s.post("/api/serials", body, &list); status != http.StatusCreated {
		s.Fatal(text)
	}
	for _, made := range list {
		s.serials = append(s.serials, &diskSerial{id: made.ID})
	}
}

// write makes one change and returns the status.
func (s *diskShop) write() int {
	s.Helper()
	writes := int(s.writes.Load())
	serial := s.serials[writes%len(s.serials)]
	if writes%4 == 0 || serial.answered+serial.unsure >= diskSteps-1 {
		var made struct{ ID string }
		status, _ := s.post("/api/jobs", fmt.Sprintf(`{"name":"Job %d","goalQuantity":1}`, writes), &made)
		if status == http.StatusCreated {
			s.jobs = append(s.jobs, made.ID)
		}
		return status
	}
	status, _ := s.post("/api/serials/"+serial.id+"/advance", `{}`, nil)
	if status == http.StatusOK {
		serial.answered++
	} else {
		serial.unsure++
	}
	return status
}

// check checks that the database has every acknowledged change.
func (s *diskShop) check() {
	s.Helper()
	for _, serial := range s.serials {
		var is struct {
			CurrentStepIndex int
			Status           string
		}
		if status, text := s.get("/api/serials/"+serial.id, &is); status != http.StatusOK {
			s.Errorf("%s: %s", serial.id, text)
			continue
		}
		if is.CurrentStepIndex < serial.answered || is.CurrentStepIndex > serial.answered+serial.unsure {
			s.Errorf("%s stands at %d, answered was %d, and %d more were not", serial.id, is.CurrentStepIndex, serial.answered, serial.unsure)
		}
		serial.answered, serial.unsure = is.CurrentStepIndex, 0
	}
	for _, id := range s.jobs {
		if status, text := s.get("/api/jobs/"+id, nil); status != http.StatusOK {
			s.Errorf("job %s was answered: %s", id, text)
		}
	}
	s.serials = nil // the next serials start at the first step
	s.makeSerials()
	s.jobs = s.jobs[max(0, len(s.jobs)-20):]
}

// await waits until a condition is true.
func (s *diskShop) await(what string, isTrue func() bool) {
	s.Helper()
	(&sharedShop{T: s.T}).eventually(what, 20*time.Second, isTrue)
}

func onLog(what doing) func(event) bool {
	return func(e event) bool { return e.doing == what && strings.HasSuffix(e.name, ".db-wal") }
}

func onDatabase(what doing) func(event) bool {
	return func(e event) bool { return e.doing == what && strings.HasSuffix(e.name, ".db") }
}

// onLogOfAnother applies to a sync of the log by a checkpoint, in the middle of another descriptor's writes to the log.
func onLogOfAnother(e event) bool {
	return onLog(syncing)(e) && e.file != nil && slices.ContainsFunc(e.file.pending, func(written event) bool { return written.by != e.by })
}

func anyWrite(e event) bool { return e.doing == writing }

// diskFaults are the ways in which a disk fails. With a fault of the log, changes fail. With a fault of the database file, only checkpoints
// fail: the log cannot be copied into the file.
var diskFaults = []struct {
	name  string
	fault fault
	fails bool
}{
	{"a full disk", fault{about: anyWrite, errno: syscall.ENOSPC}, true},
	{"a disk that fills up in the middle of a write", fault{about: anyWrite, errno: syscall.ENOSPC, short: true}, true},
	{"a log that cannot be written", fault{about: onLog(writing), errno: syscall.EIO, short: true}, true},
	{"a log that cannot be synced", fault{about: onLog(syncing), errno: syscall.EIO}, true},
	{"a log that could not be synced once", fault{about: onLog(syncing), errno: syscall.EIO, once: true}, false},
	{"a log that a fold could not sync in the middle of a commit", fault{about: onLogOfAnother, errno: syscall.EIO, once: true}, false},
	{"a log that could not be written once", fault{about: onLog(writing), errno: syscall.EIO, once: true, short: true}, false},
	{"a database that cannot be written", fault{about: onDatabase(writing), errno: syscall.EIO, short: true}, false},
	{"a database that cannot be synced", fault{about: onDatabase(syncing), errno: syscall.EIO}, false},
}

// TestFaultyDisk makes the calls with which the program writes its files fail, from the nth on. Writes fail entirely or after half of the
// data. After a failed sync, the disk has only the data of earlier syncs. While writes fail, the service reports it and is not ready. When
// the fault ends, the service recovers by itself, and after a restart the database has every acknowledged change.
//
// With ROUTECARD_TORTURE every call fails in turn.
func TestFaultyDisk(t *testing.T) {
	t.Parallel()
	places := []int{1, 5}
	if os.Getenv("ROUTECARD_TORTURE") != "" {
		places = nil
		for n := range 60 {
			places = append(places, n+1)
		}
	}
	s := openDiskShop(t)
	s.stock()
	count := 0
	for _, row := range diskFaults {
		for i, nth := range places {
			if few := row.fault.about(event{doing: syncing, name: "shop.db-wal"}) || !row.fails; few && i >= min(len(places)/2, 12) {
				break
			}
			fault := row.fault
			fault.nth = nth
			if status, text := s.get("/readyz", nil); status != http.StatusOK { // the service caches its last response for a moment
				t.Error(text)
			}
			s.disk.set(&fault)
			s.meet(row.name, row.fails)
			hit := s.disk.set(nil)
			if hit > 0 {
				count++
			}
			s.await(row.name+" is over, and the service writes again", func() bool {
				return s.write() < http.StatusBadRequest
			})
			s.await(row.name+" is over, and the service is ready again", func() bool {
				status, _ := s.get("/readyz", nil)
				return status == http.StatusOK
			})
			s.server.Kill()
			s.start()
			s.check()
			if t.Failed() {
				t.Fatalf("after %s, from the call %d on (%d failed)", row.name, nth, hit)
			}
		}
	}
	t.Logf("%d faults were met", count)
	if s.unsure.Load() == 0 {
		t.Error("nobody was told that it is not known whether a write was made")
	}
	if err := s.server.Stop(); err != nil {
		t.Error(err)
	}
	(&instance{t: t, database: s.disk.folder + "/shop.db"}).verify()
}

// busy creates jobs in addition to the other writes until stop is called, so that a commit is nearly always under way.
func (s *diskShop) busy(callers int) (stop func()) {
	var ended atomic.Bool
	var wait sync.WaitGroup
	for range callers {
		wait.Go(func() {
			for !ended.Load() {
				response, err := s.client.Post(s.server.URL+"/api/jobs", "application/json", strings.NewReader(`{"name":"J","goalQuantity":1}`))
				if err == nil {
					_, _ = io.Copy(io.Discard, response.Body)
					response.Body.Close()
				}
			}
		})
	}
	return func() {
		ended.Store(true)
		wait.Wait()
	}
}

// meet writes until the fault has happened, and checks the reports of the service.
func (s *diskShop) meet(what string, fails bool) {
	s.Helper()
	pause := time.NewTicker(2 * time.Millisecond) // a checkpoint runs four times a second, even without writes
	defer pause.Stop()
	if !fails {
		defer s.busy(4)()
	}
	for deadline := time.Now().Add(20 * time.Second); ; <-pause.C {
		switch status := s.write(); {
		case fails && status >= http.StatusBadRequest:
			if status, text := s.get("/readyz", nil); status != http.StatusServiceUnavailable {
				s.Errorf("%s: readyz answers %d %s", what, status, text)
			}
			if status, text := s.get("/api/serials/"+s.serials[0].id, nil); status != http.StatusOK {
				s.Errorf("%s: a reader hears %d %s", what, status, text)
			}
			return
		case !fails && s.disk.failed() > 0:
			return
		case time.Now().After(deadline):
			s.Errorf("%s was never met", what)
			return
		}
	}
}
