package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/process"
)

const (
	crashRounds  = 24
	crashClients = 12 // at the same time
	crashSerials = 4  // of each client, each round
	// A round ends after a random number of responses up to this one: counted in responses and not in time, so that slow machines are in the
	// middle of the work too.
	crashAnswers = 600
)

// TestCrash kills the program in the middle of its work, again and again, on one database, and compares the database after the next start
// with the responses to its clients. Each write has exactly one audit entry, so the trail of a serial shows which writes took place: the
// acknowledged ones, and at most the one that was in flight.
func TestCrash(t *testing.T) {
	file := filepath.Join(t.TempDir(), "routecard.db")
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	var all []*record
	var certificate, job, path struct{ ID string }
	for round := range crashRounds {
		p := process.Serve(t, "--database", file, "--log-level", "warn")
		workshop := newCrashShop(t, p.URL)
		if round == 0 {
			workshop.must(http.MethodPost, "/api/jobs", `{"name":"Crash","goalQuantity":1000}`, &job)
			workshop.must(http.MethodPost, "/api/certs", `{"type":"material","name":"3.1"}`, &certificate)
		}
		workshop.must(http.MethodPost, "/api/paths", `{"jobId":"`+job.ID+`","name":"Path","goalQuantity":9,"advancementMode":"flexible",
			"steps":[{"name":"a"},{"name":"b","optional":true},{"name":"c"},{"name":"d"},{"name":"e"},{"name":"f"},{"name":"g"},{"name":"h"}]}`, &path)
		for _, r := range all { // records of earlier rounds must still exist after each further crash
			workshop.compare(r)
		}
		all = all[max(0, len(all)-crashClients*crashSerials):]
		workshop.left.Store(1 + random.Int64N(crashAnswers))
		workshop.enough = make(chan struct{})
		var clients sync.WaitGroup
		records := make([][]*record, crashClients)
		for i := range crashClients {
			choice := rand.New(rand.NewPCG(seed, uint64(round*crashClients+i+1)))
			clients.Go(func() { records[i] = workshop.work(choice, job.ID, path.ID, certificate.ID) })
		}
		<-workshop.enough
		p.Kill()
		clients.Wait()
		for _, mine := range records {
			all = append(all, mine...)
		}
		if text := p.Stderr.String(); strings.Contains(text, "level=ERROR") {
			t.Errorf("round %d: %s", round, text)
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	p := process.Serve(t, "--database", file)
	workshop := newCrashShop(t, p.URL)
	for _, r := range all {
		workshop.compare(r)
	}
	p.Kill()
	checkFile(t, file)
}

// checkFile checks the whole database after the last crash: the file is sound, and the positions, statuses, attachments and exceptions of
// all serials match their audit entries.
func checkFile(t *testing.T, file string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const count = `SELECT COUNT(*) FROM `
	for query, want := range map[string]string{
		`PRAGMA integrity_check`:           "ok",
		count + `pragma_foreign_key_check`: "0",
		count + `audit WHERE sequence NOT BETWEEN 1 AND (SELECT COUNT(*) FROM audit)`:                       "0",
		`SELECT COALESCE(SUM(batch_quantity), 0) - (` + count + `serial) FROM audit`:                        "0",
		`SELECT (` + count + `attachment) - (` + count + `audit WHERE action = 'cert_attached')`:            "0",
		`SELECT (` + count + `note) - (` + count + `audit WHERE action = 'note_created')`:                   "0",
		`SELECT (` + count + `step_override) - (` + count + `audit WHERE action = 'step_override_created')`: "0",
		// Every step forward has an entry, and so has every step that was skipped on the way.
		count + `serial s WHERE position <> (` + count + `audit a WHERE a.serial_number = s.number AND a.serial_number <> 0
			AND a.action IN ('serial_advanced', 'serial_completed', 'step_skipped', 'step_deferred'))`: "0",
		count + `serial s WHERE (status <> 'in_progress') <> (` + count + `audit a WHERE a.serial_number = s.number AND a.serial_number <> 0
			AND (a.action IN ('serial_completed', 'serial_scrapped', 'serial_force_completed')
				OR a.action = 'serial_advanced' AND a.to_step_id = ''))`: "0",
		count + `step_exception e WHERE NOT EXISTS (SELECT 1 FROM audit a WHERE a.serial_number = e.serial_number AND a.serial_number <> 0
			AND a.step_id = e.step_id AND a.action = CASE e.status WHEN 'skipped' THEN 'step_skipped'
				WHEN 'deferred' THEN 'step_deferred' WHEN 'waived' THEN 'step_waived' ELSE 'deferred_step_completed' END)`: "0",
	} { // serial_number <> 0 lets SQLite use the index of the entries about serials
		var got string
		if err := db.QueryRowContext(t.Context(), query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", query, got, err, want)
		}
	}
	var entries, serials int
	if err := db.QueryRowContext(t.Context(), `SELECT (SELECT COUNT(*) FROM audit), (SELECT COUNT(*) FROM serial)`).Scan(&entries, &serials); err != nil {
		t.Error(err)
	}
	t.Logf("%d serials and %d audit entries survived %d crashes", serials, entries, crashRounds+1)
	if entries < 20*crashRounds {
		t.Errorf("only %d audit entries: the crashes came before the work", entries)
	}
}

// record is one client's knowledge of one serial.
type record struct {
	serial   string
	answered []string // the actions in the audit entries of the acknowledged writes, in order
	inFlight []string // the actions of the unacknowledged write, if there was one
	index    int      // as last returned
	status   string
	unsure   bool // whether a write is in flight
}

// crashShop is a running service, and the number of responses until its crash.
type crashShop struct {
	t      *testing.T
	url    string
	client *http.Client
	left   atomic.Int64
	enough chan struct{} // closed when the service is to be killed
}

func newCrashShop(t *testing.T, url string) *crashShop {
	transport := &http.Transport{MaxIdleConnsPerHost: crashClients}
	t.Cleanup(transport.CloseIdleConnections)
	return &crashShop{t: t, url: url, client: &http.Client{Transport: transport}}
}

// send sends one write. It reports whether there was a response; anything but success is a failure of the test.
func (s *crashShop) send(method, path, body string, into any) bool {
	request, err := http.NewRequestWithContext(context.Background(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Error(err)
		return false
	}
	answer, err := s.client.Do(request)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return false
	}
	if answer.StatusCode >= http.StatusBadRequest {
		s.t.Errorf("%s %s %s: %d %s", method, path, body, answer.StatusCode, text)
		return false
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			s.t.Errorf("%s %s: %v in %s", method, path, err, text)
			return false
		}
	}
	if s.enough != nil && s.left.Add(-1) == 0 {
		close(s.enough)
	}
	return true
}

func (s *crashShop) must(method, path, body string, into any) {
	s.t.Helper()
	if !s.send(method, path, body, into) {
		s.t.Fatalf("%s %s: no answer", method, path)
	}
}

// work simulates one client: it creates serials and changes them one after the other until the service stops responding.
func (s *crashShop) work(choice *rand.Rand, jobID, pathID, certificateID string) []*record {
	var records []*record
	for {
		var made []struct{ ID string }
		if !s.send(http.MethodPost, "/api/serials", fmt.Sprintf(`{"jobId":%q,"pathId":%q,"quantity":%d}`, jobID, pathID, crashSerials), &made) {
			return records
		}
		for _, serial := range made {
			records = append(records, &record{serial: serial.ID, status: "in_progress"})
		}
		for range 6 * crashSerials {
			r := records[len(records)-1-choice.IntN(crashSerials)]
			if r.status == "in_progress" && !s.step(choice, r, jobID, pathID, certificateID) {
				return records
			}
		}
	}
}

// step makes one random change of a serial. A write is noted before it is sent and confirmed by its response.
func (s *crashShop) step(choice *rand.Rand, r *record, jobID, pathID, certificateID string) bool {
	var answer struct {
		CurrentStepIndex *int
		Status           string
		Serial           struct {
			CurrentStepIndex *int
			Status           string
		}
	}
	method, path, body := http.MethodPost, "/api/serials/"+r.serial, `{"userId":"crash"}`
	switch n := choice.IntN(20); {
	case n < 12:
		path, r.inFlight = path+"/advance", []string{"serial_advanced"}
		if r.index == 7 {
			r.inFlight[0] = "serial_completed"
		}
	case n < 15 && r.index < 6:
		path, body = path+"/advance-to", fmt.Sprintf(`{"userId":"crash","targetStepIndex":%d}`, r.index+2)
		r.inFlight = []string{"serial_advanced", "step_deferred"}
		if r.index == 0 {
			r.inFlight[1] = "step_skipped"
		}
	case n < 17:
		path, body = "/api/notes", fmt.Sprintf(`{"jobId":%q,"pathId":%q,"stepId":"step","serialIds":[%q],"text":"note","userId":"crash"}`, jobID, pathID, r.serial)
		r.inFlight = []string{"note"}
	case n == 17:
		path, body, r.inFlight = path+"/scrap", `{"userId":"crash","reason":"damaged"}`, []string{"serial_scrapped"}
	case n == 18:
		path, r.inFlight = path+"/force-complete", []string{"serial_force_completed"}
	default:
		path, body = path+"/attach-cert", fmt.Sprintf(`{"userId":"crash","certId":%q}`, certificateID)
		r.inFlight = []string{fmt.Sprintf("cert_attached at %d", r.index)}
		if slices.Contains(r.answered, r.inFlight[0]) {
			r.inFlight = nil // the serial is already at that step: the write adds no entry
		}
	}
	r.unsure = true
	if !s.send(method, path, body, &answer) {
		return false
	}
	r.answered, r.inFlight, r.unsure = append(r.answered, r.inFlight...), nil, false
	if answer.Serial.CurrentStepIndex != nil {
		answer.CurrentStepIndex, answer.Status = answer.Serial.CurrentStepIndex, answer.Serial.Status
	}
	if answer.CurrentStepIndex != nil {
		r.index, r.status = *answer.CurrentStepIndex, answer.Status
	}
	return true
}

// compare compares the service's record of a serial with the client's.
func (s *crashShop) compare(r *record) {
	s.t.Helper()
	var serial struct {
		CurrentStepIndex int
		Status           string
	}
	var entries []struct{ Action, FromStepID string }
	var attachments, notes []struct{ ID string }
	for path, into := range map[string]any{
		"/api/serials/" + r.serial:                       &serial,
		"/api/audit/serial/" + r.serial:                  &entries,
		"/api/serials/" + r.serial + "/cert-attachments": &attachments,
		"/api/notes/serial/" + r.serial:                  &notes,
	} {
		if err := getJSON(s.t.Context(), s.client, s.url+path, into); err != nil {
			s.t.Fatal(err)
		}
	}
	found := tally(nil)
	for _, entry := range entries {
		found[entry.Action]++
	}
	if len(notes) > 0 {
		found["note"] = len(notes) // their entries do not refer to a serial
	}
	if len(attachments) != found["cert_attached"] {
		s.t.Errorf("%s has %d attachments and %d entries of them", r.serial, len(attachments), found["cert_attached"])
	}
	kept, extra := tally(r.answered), tally(append(r.answered[:len(r.answered):len(r.answered)], r.inFlight...))
	switch {
	case fmt.Sprint(found) == fmt.Sprint(kept):
		if serial.CurrentStepIndex != r.index || serial.Status != r.status {
			s.t.Errorf("%s is %s at %d, answered was %s at %d", r.serial, serial.Status, serial.CurrentStepIndex, r.status, r.index)
		}
	case r.unsure && fmt.Sprint(found) == fmt.Sprint(extra):
		// The unacknowledged write took place completely, so later rounds must find it too.
		r.answered, r.index, r.status = append(r.answered, r.inFlight...), serial.CurrentStepIndex, serial.Status
	default:
		s.t.Errorf("%s has the entries %v, answered were %v, in flight was %v", r.serial, found, kept, r.inFlight)
	}
	r.unsure, r.inFlight = false, nil
}

// tally counts each action, regardless of its step.
func tally(actions []string) map[string]int {
	counts := map[string]int{}
	for _, action := range actions {
		action, _, _ = strings.Cut(action, " ")
		counts[action]++
	}
	return counts
}

func getJSON(ctx context.Context, client *http.Client, url string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s %s", url, answer.Status, text)
	}
	return json.NewDecoder(bytes.NewReader(text)).Decode(into)
}
