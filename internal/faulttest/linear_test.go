package faulttest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/jackc/pgx/v5"

	"github.com/routecard/routecard/internal/pgtest"
)

// action is one call on a serial.
type action struct {
	serial string
	kind   string // read, search, advance, advance-to, scrap or force-complete
	target int    // of advance-to
	user   string
}

// reaction is the response to an action.
type reaction struct {
	outcome outcome
	message string // of a refusal
	index   int
	status  string
	passed  int // the number of steps that an advance-to skipped
}

// cardOf is the model of a serial.
type cardOf struct {
	position int
	status   string
}

func (c cardOf) index() int {
	if c.status == "completed" {
		return -1
	}
	return c.position
}

// rules returns the model of a serial on a flexible path whose steps are all required and none of which is a gate: the response to each
// call and the next state of the serial.
func rules(c cardOf, a action, steps int) (cardOf, reaction) {
	refuse := func(scrapped, completed string) (cardOf, reaction) {
		message := map[string]string{"scrapped": scrapped, "completed": completed}[c.status]
		return c, reaction{outcome: refused, message: message}
	}
	after, passed, closed := c, 0, c.status != "in_progress"
	switch a.kind {
	case "read", "search":
	case "advance":
		if closed {
			return refuse("Cannot advance a scrapped serial", "Serial number is already completed")
		}
		after.position++
	case "advance-to":
		if closed {
			return refuse("Cannot advance a scrapped serial", "Cannot advance a completed serial")
		}
		if a.target <= c.position {
			return c, reaction{outcome: refused, message: "Cannot advance to a step at or before the current position"}
		}
		passed = a.target - c.position - 1
		after.position = a.target
	case "scrap":
		if closed {
			return refuse("Serial is already scrapped", "Cannot scrap a completed serial")
		}
		after.status = "scrapped"
	case "force-complete":
		if closed {
			return refuse("Cannot force-complete a scrapped serial", "Serial is already completed")
		}
		after.status = "completed"
	}
	if after.position == steps {
		after.status = "completed"
	}
	return after, reaction{outcome: done, index: after.index(), status: after.status, passed: passed}
}

func model(steps int) porcupine.Model {
	story := porcupine.NondeterministicModel{
		Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
			serials := map[string][]porcupine.Operation{}
			for _, operation := range history {
				serial := operation.Input.(action).serial
				serials[serial] = append(serials[serial], operation)
			}
			parts := make([][]porcupine.Operation, 0, len(serials))
			for _, part := range serials {
				parts = append(parts, part)
			}
			return parts
		},
		Init: func() []any { return []any{cardOf{status: "in_progress"}} },
		Step: func(state, input, output any) []any {
			before := state.(cardOf)
			a, told := input.(action), output.(reaction)
			after, want := rules(before, a, steps)
			switch {
			case told.outcome == somehow: // the call may or may not have taken effect
				return []any{before, after}
			case told.outcome == refused && strings.Contains(told.message, "Nothing was changed"):
				return []any{before}
			case told == want:
				return []any{after}
			}
			return nil
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v -> %+v", input, output) },
	}
	return story.ToModel()
}

// TestThreeInstancesAreLinearizable lets clients call all operations at the same time on a few serials, through three instances whose
// connections are cut now and then. One order of all calls must explain every response, and the trail must have exactly the entries of the
// successful ones.
func TestThreeInstancesAreLinearizable(t *testing.T) {
	const clients, serialCount, calls, steps = 9, 12, 80, 60
	s := newShop(t, pgtest.Database(t), steps)
	serials := s.makeSerials(serialCount)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	conn, err := pgx.Connect(t.Context(), s.database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	history := s.callAll(seed, clients, calls, serials, func(calls int) {
		if calls%200 != 0 {
			return
		}
		if _, err := conn.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE application_name = 'routecard' AND datname = current_database()`); err != nil {
			t.Error(err)
		}
	})
	s.explain(history)
}

// callAll lets clients call all operations on a few serials at the same time, through all instances, and returns their calls. It calls
// after, one call at a time, after each, with the number of calls so far.
func (s *sharedShop) callAll(seed uint64, clients, calls int, serials []string, after func(calls int)) (history []porcupine.Operation) {
	started := time.Now()
	var mu sync.Mutex
	var wait sync.WaitGroup
	for client := range clients {
		random := rand.New(rand.NewPCG(seed, uint64(client)))
		wait.Go(func() {
			for n := range calls {
				last := len(serials) - 1
				a := action{serial: serials[min(n*len(serials)/calls+random.IntN(2), last)], user: fmt.Sprintf("caller%d-%d", client, n)}
				switch choice := random.IntN(50); {
				case choice < 6:
					a.kind = "read"
				case choice < 12:
					a.kind = "search"
				case choice < 38:
					a.kind = "advance"
				case choice < 47:
					a.kind, a.target = "advance-to", 1+random.IntN(s.steps)
				case choice < 48:
					a.kind = "scrap"
				default:
					a.kind = "force-complete"
				}
				called := time.Since(started)
				told := s.act(s.instances[random.IntN(3)], a)
				returned := time.Since(started)
				if told.outcome == somehow {
					returned = time.Hour // the call may take effect at any later time
				}
				mu.Lock()
				history = append(history, porcupine.Operation{
					ClientId: client, Input: a, Call: called.Nanoseconds(), Output: told, Return: returned.Nanoseconds(),
				})
				after(len(history))
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return history
}

// explain finds one order of all calls that explains every response, and compares the calls with the trail.
func (s *sharedShop) explain(history []porcupine.Operation) {
	s.Helper()
	if result, _ := porcupine.CheckOperationsVerbose(model(s.steps), history, 2*time.Minute); result != porcupine.Ok {
		s.Errorf("the history of %d calls is %s", len(history), result)
		for _, operation := range history {
			s.Logf("%d %d %d %+v %+v", operation.ClientId, operation.Call, operation.Return, operation.Input, operation.Output)
		}
	}
	s.checkTrail(history)
}

// act carries out an action.
func (s *sharedShop) act(i *instance, a action) reaction {
	var answer struct {
		CurrentStepIndex int
		Status           string
		Serial           *struct {
			CurrentStepIndex int
			Status           string
		}
		Bypassed []struct{}
		Message  string
	}
	told := reaction{}
	switch a.kind {
	case "read":
		if err := s.get(i, "/api/serials/"+a.serial, &answer); err != nil {
			return reaction{outcome: refused, message: "Nothing was changed"} // without further information
		}
	case "search": // standbys serve it if there are any
		var found struct{ Items []json.RawMessage }
		if err := s.get(i, "/api/serials/search?q="+a.serial, &found); err != nil {
			return reaction{outcome: refused, message: "Nothing was changed"}
		}
		if len(found.Items) != 1 || json.Unmarshal(found.Items[0], &answer) != nil {
			return reaction{outcome: refused, message: fmt.Sprintf("found %s", found.Items)}
		}
		answer.Status = strings.ReplaceAll(answer.Status, "-", "_") // lists write it so
	default:
		body := map[string]any{"userId": a.user, "targetStepIndex": a.target, "reason": "damaged"}
		known, text := s.send(i, "/api/serials/"+a.serial+"/"+a.kind, body, &answer)
		if told.outcome = known; known != done {
			if _, rest, ok := strings.Cut(text, `"message":"`); ok && known == refused {
				told.message, _, _ = strings.Cut(rest, `"`) // no message of these operations has a quotation mark
			}
			return told
		}
	}
	told.index, told.status, told.passed = answer.CurrentStepIndex, answer.Status, len(answer.Bypassed)
	if answer.Serial != nil {
		told.index, told.status = answer.Serial.CurrentStepIndex, answer.Serial.Status
	}
	return told
}

// checkTrail compares the trail with the history: the trail has exactly the entries of each success, no entry of a refusal, and either all
// or no entries of a call with an unknown outcome.
func (s *sharedShop) checkTrail(history []porcupine.Operation) {
	s.Helper()
	entries := map[string]int{}
	var found []struct{ UserID string }
	if err := s.get(s.instances[0], "/api/audit", &found); err != nil {
		s.Fatal(err)
	}
	for _, entry := range found {
		entries[entry.UserID]++
	}
	unknown := 0
	for _, operation := range history {
		a, told := operation.Input.(action), operation.Output.(reaction)
		got, want := entries[a.user], 1+told.passed
		if a.kind == "read" || a.kind == "search" || told.outcome == refused {
			want = 0
		}
		if told.outcome == somehow { // the response with the number of skipped steps is missing
			unknown++
			continue
		}
		if got != want {
			s.Errorf("%+v, which was told %+v, has %d entries, want %d", a, told, got, want)
		}
	}
	s.Logf("%d calls, %d with an unknown outcome", len(history), unknown)
}
