package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// crowd sends requests at once, one goroutine each, and returns the responses in the order of the requests.
func (s *servedShop) crowd(t *testing.T, requests ...[3]string) []answered {
	t.Helper()
	answers := make([]answered, len(requests))
	start := make(chan struct{})
	var group sync.WaitGroup
	for i, request := range requests {
		group.Go(func() {
			<-start
			answer, err := s.send(t.Context(), request[0], request[1], request[2])
			if err != nil {
				t.Errorf("%s %s: %v", request[0], request[1], err)
			}
			answers[i] = answer
		})
	}
	close(start)
	group.Wait()
	return answers
}

func tally(answers []answered) map[string]int {
	statuses := map[string]int{}
	for _, answer := range answers {
		key := strconv.Itoa(answer.status)
		if answer.status >= http.StatusBadRequest {
			var failure struct {
				Message string `json:"message"`
			}
			if err := json.Unmarshal([]byte(answer.body), &failure); err != nil {
				failure.Message = answer.body
			}
			key += " " + failure.Message
		}
		statuses[key]++
	}
	return statuses
}

func repeat(count int, request [3]string) [][3]string {
	return slices.Repeat([][3]string{request}, count)
}

// createdID returns the id in a response.
func createdID(t *testing.T, answer answered) string {
	t.Helper()
	var created struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal([]byte(answer.body), &created); err != nil || created.ID == "" {
		t.Fatalf("no id in %s: %v", answer.body, err)
	}
	return created.ID
}

type pathAnswer struct {
	ID    string `json:"id"`
	Steps []struct {
		ID string `json:"id"`
	} `json:"steps"`
}

// startPath creates a job that has one flexible path with this number of steps and serials.
func (s *servedShop) startPath(t *testing.T, steps, serials int) pathAnswer {
	t.Helper()
	job := createdID(t, s.must(t, http.StatusCreated, http.MethodPost, "/api/jobs", `{"name":"Valve body","goalQuantity":1}`))
	list := strings.TrimSuffix(strings.Repeat(`{"name":"step"},`, steps), ",")
	answer := s.must(t, http.StatusCreated, http.MethodPost, "/api/paths",
		fmt.Sprintf(`{"jobId":%q,"name":"p","goalQuantity":1,"advancementMode":"flexible","steps":[%s]}`, job, list))
	var path pathAnswer
	if err := json.Unmarshal([]byte(answer.body), &path); err != nil {
		t.Fatal(err)
	}
	s.must(t, http.StatusCreated, http.MethodPost, "/api/serials", fmt.Sprintf(`{"jobId":%q,"pathId":%q,"quantity":%d}`, job, path.ID, serials))
	return path
}

type auditAnswer struct {
	Action     string `json:"action"`
	StepID     string `json:"stepId"`
	FromStepID string `json:"fromStepId"`
	ToStepID   string `json:"toStepId"`
}

// history returns the audit entries of a serial, oldest first.
func (s *servedShop) history(t *testing.T, serial string) (entries []auditAnswer) {
	t.Helper()
	answer := s.must(t, http.StatusOK, http.MethodGet, "/api/audit/serial/"+serial, "")
	if err := json.Unmarshal([]byte(answer.body), &entries); err != nil {
		t.Fatal(err)
	}
	return entries
}

// checkWalk checks that a serial's history is one walk from step to step: each entry begins at the step where the one before ended.
func checkWalk(t *testing.T, path pathAnswer, entries []auditAnswer) {
	t.Helper()
	at := path.Steps[0].ID
	for i, entry := range entries {
		if entry.FromStepID != at {
			t.Fatalf("entry %d begins at %s, the one before ended at %s", i, entry.FromStepID, at)
		}
		at = entry.ToStepID
	}
	if at != "" {
		t.Errorf("the walk ends at %s", at)
	}
}

// TestAdvancesOfOneSerial lets many clients advance one serial at once: as many succeed as there are steps.
func TestAdvancesOfOneSerial(t *testing.T) {
	t.Parallel()
	const steps, clients = 20, 50
	workshop := openShop(t, nil)
	path := workshop.startPath(t, steps, 1)
	answers := workshop.crowd(t, repeat(clients, [3]string{http.MethodPost, "/api/serials/SN-00001/advance", `{"userId":"ann"}`})...)
	want := map[string]int{"200": steps, "400 Serial number is already completed": clients - steps}
	if got := tally(answers); !maps.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	positions := map[int]int{}
	for _, answer := range answers {
		if answer.status == http.StatusOK {
			var serial struct {
				CurrentStepIndex int `json:"currentStepIndex"`
			}
			if err := json.Unmarshal([]byte(answer.body), &serial); err != nil {
				t.Fatal(err)
			}
			positions[serial.CurrentStepIndex]++
		}
	}
	for i := range steps {
		if at := (i+1)%steps - (i+1)/steps; positions[at] != 1 {
			t.Errorf("position %d was answered %d times", at, positions[at])
		}
	}
	entries := workshop.history(t, "SN-00001")
	if len(entries) != steps {
		t.Fatalf("%d entries for %d successes", len(entries), steps)
	}
	checkWalk(t, path, entries)
}

// TestAdvancesOfManySerials lets several clients advance every serial at once.
func TestAdvancesOfManySerials(t *testing.T) {
	t.Parallel()
	const steps, serials, clients = 3, 20, 5
	workshop := openShop(t, nil)
	path := workshop.startPath(t, steps, serials)
	requests := make([][3]string, 0, serials*clients)
	for range clients {
		for i := range serials {
			requests = append(requests, [3]string{http.MethodPost, fmt.Sprintf("/api/serials/SN-%05d/advance", i+1), ""})
		}
	}
	want := map[string]int{"200": steps * serials, "400 Serial number is already completed": (clients - steps) * serials}
	if got := tally(workshop.crowd(t, requests...)); !maps.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range serials {
		checkWalk(t, path, workshop.history(t, fmt.Sprintf("SN-%05d", i+1)))
	}
}

// TestDoubleScan sends the same target several times at once: one request succeeds, and the others are refused because the unit has moved.
func TestDoubleScan(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	path := workshop.startPath(t, 5, 1)
	scan := [3]string{http.MethodPost, "/api/serials/SN-00001/advance-to", `{"targetStepIndex":3,"userId":"ann"}`}
	want := map[string]int{"200": 1, "400 Cannot advance to a step at or before the current position": 9}
	if got := tally(workshop.crowd(t, repeat(10, scan)...)); !maps.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	entries := workshop.history(t, "SN-00001")
	actions := make([]string, len(entries))
	for i, entry := range entries {
		actions[i] = entry.Action + " " + entry.FromStepID + entry.StepID
	}
	expected := []string{
		"serial_advanced " + path.Steps[0].ID, "step_deferred " + path.Steps[1].ID, "step_deferred " + path.Steps[2].ID,
	}
	if !slices.Equal(actions, expected) {
		t.Errorf("the trail is %v", actions)
	}
}

// TestOneName lets many clients create the same name in the library: one succeeds.
func TestOneName(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	want := map[string]int{"200": 1, "400 Process name already exists": 19}
	if got := tally(workshop.crowd(t, repeat(20, [3]string{http.MethodPost, "/api/library/processes", `{"name":"Milling"}`})...)); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	id := createdID(t, answered{body: strings.Trim(workshop.must(t, http.StatusOK, http.MethodGet, "/api/library/processes", "").body, "[]")})
	want = map[string]int{"200": 1, "404 ProcessLibraryEntry not found: " + id: 9}
	if got := tally(workshop.crowd(t, repeat(10, [3]string{http.MethodDelete, "/api/library/processes/" + id, ""})...)); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestOverrideRaces creates and reverses overrides of one step at once. The trail must be a possible order: creations and reversals
// alternate, and their number is that of the successful requests.
func TestOverrideRaces(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	path := workshop.startPath(t, 3, 1)
	step := path.Steps[1].ID
	create := [3]string{
		http.MethodPost, "/api/serials/SN-00001/overrides",
		fmt.Sprintf(`{"serialIds":["SN-00001"],"stepId":%q,"reason":"r","userId":"ann"}`, step),
	}
	reverse := [3]string{http.MethodDelete, "/api/serials/SN-00001/overrides/" + step, `{"userId":"ann"}`}
	requests := make([][3]string, 0, 2*20)
	for range 20 {
		requests = append(requests, create, reverse)
	}
	created, reversed := 0, 0
	for i, answer := range workshop.crowd(t, requests...) {
		switch {
		case i%2 == 0 && answer.status != http.StatusOK:
			t.Errorf("create: %s", answer.body)
		case i%2 == 0 && answer.body != "[]":
			created++
		case i%2 == 1 && answer.status == http.StatusOK:
			reversed++
		case i%2 == 1 && !strings.Contains(answer.body, "No active override found for this step"):
			t.Errorf("reverse: %s", answer.body)
		}
	}
	entries := workshop.history(t, "SN-00001")
	for i, entry := range entries {
		if want := []string{"step_override_created", "step_override_reversed"}[i%2]; entry.Action != want {
			t.Fatalf("entry %d is %s, want %s", i, entry.Action, want)
		}
	}
	if len(entries) != created+reversed || created-reversed < 0 || created-reversed > 1 {
		t.Errorf("%d created, %d reversed, %d entries", created, reversed, len(entries))
	}
	overrides := workshop.must(t, http.StatusOK, http.MethodGet, "/api/serials/SN-00001/overrides", "").body
	if active := strings.Count(overrides, `"active":true`); active != created-reversed || strings.Count(overrides, `"id"`) != created {
		t.Errorf("%d created, %d reversed: %s", created, reversed, overrides)
	}
}

// TestTerminalRaces lets clients end one serial in three ways at once: one succeeds, and the trail has the same one.
func TestTerminalRaces(t *testing.T) {
	t.Parallel()
	const serials = 10
	workshop := openShop(t, nil)
	workshop.startPath(t, 2, serials)
	requests := make([][3]string, 0, 3*serials)
	for i := range serials {
		serial := fmt.Sprintf("/api/serials/SN-%05d/", i+1)
		requests = append(requests,
			[3]string{http.MethodPost, serial + "scrap", `{"reason":"damaged","userId":"ann"}`},
			[3]string{http.MethodPost, serial + "force-complete", `{"userId":"ann"}`},
			[3]string{http.MethodPost, serial + "advance-to", `{"targetStepIndex":2,"userId":"ann"}`})
	}
	answers := workshop.crowd(t, requests...)
	for i := range serials {
		won := 0
		for _, answer := range answers[3*i : 3*i+3] {
			if answer.status == http.StatusOK {
				won++
			}
		}
		ends := 0
		for _, entry := range workshop.history(t, fmt.Sprintf("SN-%05d", i+1)) {
			if entry.Action != "step_deferred" {
				ends++
			}
		}
		if won != 1 || ends != 1 {
			t.Errorf("serial %d was ended %d times and the trail says %d: %v", i+1, won, ends, tally(answers[3*i:3*i+3]))
		}
	}
}

// TestBatchesAtOnce creates serials from many clients: no number is used twice.
func TestBatchesAtOnce(t *testing.T) {
	t.Parallel()
	const clients, quantity = 10, 7
	workshop := openShop(t, nil)
	path := workshop.startPath(t, 1, 1)
	var serial struct {
		JobID string `json:"jobId"`
	}
	if err := json.Unmarshal([]byte(workshop.must(t, http.StatusOK, http.MethodGet, "/api/serials/SN-00001", "").body), &serial); err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"jobId":%q,"pathId":%q,"quantity":%d}`, serial.JobID, path.ID, quantity)
	seen := map[string]bool{}
	for _, answer := range workshop.crowd(t, repeat(clients, [3]string{http.MethodPost, "/api/serials", body})...) {
		var batch []struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal([]byte(answer.body), &batch); err != nil || len(batch) != quantity {
			t.Fatalf("%v: %s", err, answer.body)
		}
		for _, made := range batch {
			if seen[made.ID] {
				t.Errorf("%s was given twice", made.ID)
			}
			seen[made.ID] = true
		}
	}
	if len(seen) != clients*quantity {
		t.Errorf("%d numbers were given", len(seen))
	}
}
