package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/tracker"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// repeated is a successful change that will be sent again.
type repeated struct {
	place, key, method, target, body string
	header                           [][2]string
	answer                           answered
}

// covered collects the patterns of the routes that were repeated. It is safe for concurrent use.
type covered struct {
	mu       sync.Mutex
	patterns map[string]bool
}

func (c *covered) add(pattern string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.patterns[pattern] = true
}

// TestEveryChangeIsDoneOnce runs scenarios of the case files and sends every change twice under one key: immediately, and again at the end
// of the scenario, when the records have changed. Every route that changes something must be among them. It runs the fewest scenarios that
// cover every route, and all of them with ROUTECARD_TORTURE=1.
func TestEveryChangeIsDoneOnce(t *testing.T) {
	t.Parallel()
	covered, document := &covered{patterns: map[string]bool{}}, loadDocument(t)
	t.Run("cases", func(t *testing.T) {
		scenarios := readScenarios(t)
		if os.Getenv("ROUTECARD_TORTURE") == "" {
			scenarios = fewest(scenarios)
		}
		for _, scenario := range scenarios {
			t.Run(scenario.name, func(t *testing.T) {
				t.Parallel()
				workshop, _ := openFilingShop(t, nil)
				play := &play{shop: workshop, door: workshop.backDoor(t), variables: map[string]string{}}
				play.repeats = &repeater{play: play, covered: covered}
				for _, row := range scenario.rows {
					if t.Failed() {
						return
					}
					play.row(t, row)
				}
				if !strings.HasPrefix(scenario.name, "damaged/") { // the scenario ends without a database
					play.repeats.all(t)
				}
			})
		}
		t.Run("with a tracker", func(t *testing.T) {
			t.Parallel()
			repeatTracker(t, covered)
		})
	})
	// These cannot succeed with --auth off and without a folder for backups: TestBackups and TestSignatureSettings repeat them.
	elsewhere := []string{"POST /api/backups", "PUT /api/settings/signatures"}
	for _, route := range routes() {
		if route.keyed() && !covered.patterns[route.pattern] && !slices.Contains(elsewhere, route.pattern) {
			t.Errorf("no case file has a successful %s: a route that changes something has to be repeatable", route.pattern)
		}
		method, path, _ := strings.Cut(strings.ReplaceAll(route.pattern, "...}", "}"), " ")
		parameters := document.Paths.Value(path).GetOperation(method).Parameters
		if described := parameters.GetByInAndName("header", onceHeader) != nil; described != route.keyed() {
			t.Errorf("the document says that %s has a key: %v", route.pattern, described)
		}
	}
}

// changeOf returns the operation of a row. A PUT that creates its record is another change than one that updates it.
func changeOf(row *row) string {
	if row.method == http.MethodPut && row.status == http.StatusCreated {
		return operationOf(row) + " creates"
	}
	return operationOf(row)
}

// fewest picks scenarios, short ones first, until every route that changes something succeeds in one of them.
func fewest(scenarios []scenario) (picked []scenario) {
	met := map[string]bool{}
	changed := make([][]string, len(scenarios)) // the routes that change something in each
	for i, scenario := range scenarios {
		for j := range scenario.rows {
			row := &scenario.rows[j]
			if row.sql == "" && row.method != http.MethodGet && row.status < http.StatusBadRequest && repeatable(row) {
				changed[i] = append(changed[i], changeOf(row))
			}
		}
	}
	for {
		best, worth := -1, 0.0
		for i, scenario := range scenarios {
			news := map[string]bool{}
			for _, operation := range changed[i] {
				if !met[operation] {
					news[operation] = true
				}
			}
			if w := float64(len(news)) / float64(len(scenario.rows)); w > worth {
				best, worth = i, w
			}
		}
		if best < 0 {
			return picked
		}
		picked = append(picked, scenarios[best])
		for i := range scenarios[best].rows {
			if row := &scenarios[best].rows[i]; row.sql == "" && row.status < http.StatusBadRequest {
				met[changeOf(row)] = true
			}
		}
	}
}

// repeater sends the changes of a play again.
type repeater struct {
	*play
	covered *covered
	sent    []repeated
}

// key returns the header for the next change.
func (r *repeater) key() [2]string {
	return [2]string{onceHeader, fmt.Sprintf(`"repeat-%d"`, len(r.sent))}
}

// again repeats a change that was just made. A refused change is run again, and is refused with the same response.
func (r *repeater) again(t *testing.T, change repeated) {
	t.Helper()
	change.key = r.key()[1]
	if change.answer.status < http.StatusBadRequest {
		request, err := http.NewRequestWithContext(t.Context(), change.method, change.target, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.URL = segmentedURL(request.URL)
		_, pattern := r.shop.face.mux.Handler(request)
		pattern = unsegmented(pattern)
		r.covered.add(pattern)
		r.sent = append(r.sent, change)
	}
	r.repeat(t, change)
}

// all repeats every successful change, after all later changes.
func (r *repeater) all(t *testing.T) {
	t.Helper()
	r.repeat(t, r.sent...)
}

// repeat repeats changes, which must not alter the database.
func (r *repeater) repeat(t *testing.T, changes ...repeated) {
	t.Helper()
	before := contents(t, r.door)
	for _, change := range changes {
		header := append([][2]string{{onceHeader, change.key}}, change.header...)
		got, err := r.shop.send(t.Context(), change.method, change.target, change.body, header...)
		if err != nil {
			t.Fatalf("%s: %v", change.place, err)
		}
		if got.status != change.answer.status || got.body != change.answer.body {
			t.Errorf("%s: %s %s answered %d\n%s\nand when it was repeated %d\n%s", change.place, change.method, change.target,
				change.answer.status, change.answer.body, got.status, got.body)
		}
		want := ""
		if change.answer.status < http.StatusBadRequest {
			want = "true"
		}
		if first, second := change.answer.header.Get(replayedHeader), got.header.Get(replayedHeader); first != "" || second != want {
			t.Errorf("%s: %s is %q in the first answer and %q in the second, want none and %q",
				change.place, replayedHeader, first, second, want)
		}
	}
	if after := contents(t, r.door); after != before {
		t.Errorf("repeating %v changed\n%s\ninto\n%s", changes, before, after)
	}
}

// repeatTracker repeats the operations that need an issue tracker. At the end the tracker is down.
func repeatTracker(t *testing.T, covered *covered) {
	t.Helper()
	tickets := &fakeTracker{}
	store, database := openStore(t)
	clock := clockwork()
	service := shop.New(store, clock, ident.NewIdentifiers(clock))
	link := tracker.NewLink(service, tickets, func(ctx context.Context, _ time.Duration) error { return ctx.Err() })
	workshop := serve(t, newFace(store, func(config *Config) { config.Service, config.Tracker = service, link }), store, database)
	r := &repeater{play: &play{shop: workshop, door: workshop.backDoor(t)}, covered: covered}
	for i, change := range []struct{ target, body string }{
		{"/api/tracker/link", `{"ticketKey": "SHOP-1"}`},
		{"/api/tracker/comment", `{"jobId": "$job"}`},
		{"/api/notes", `{"jobId": "$job", "pathId": "p", "stepId": "s", "serialIds": ["SN-00001"], "text": "n", "userId": "ann"}`},
		{"/api/tracker/comment", `{"jobId": "$job", "noteId": "$note"}`},
	} {
		body := change.body
		for name, ids := range map[string][]string{
			"$job": column(t, r.door, `SELECT id FROM job`), "$note": column(t, r.door, `SELECT id FROM note`),
		} {
			if len(ids) > 0 {
				body = strings.ReplaceAll(body, name, ids[0])
			}
		}
		answer := workshop.must(t, http.StatusOK, http.MethodPost, change.target, body, r.key())
		r.again(t, repeated{
			place: fmt.Sprint("change ", i), method: http.MethodPost, target: change.target, body: body,
			answer: answer,
		})
	}
	if tickets.comments != 2 {
		t.Errorf("the ticket has %d comments, want 2", tickets.comments)
	}
	tickets.away = true
	r.all(t)
}

// fakeTracker is an issue tracker that has every ticket.
type fakeTracker struct {
	away     bool
	comments int
}

func (f *fakeTracker) fail() error {
	if f.away {
		return &tracker.APIError{Status: tracker.TrackerUnreachable}
	}
	return nil
}

func (f *fakeTracker) Ticket(_ context.Context, key string) (tracker.Ticket, error) {
	return tracker.Ticket{Key: key, Summary: "Valve body"}, f.fail()
}

func (f *fakeTracker) Tickets(context.Context) ([]tracker.Ticket, error) { return nil, f.fail() }

func (f *fakeTracker) AddComment(context.Context, string, string, string) (string, error) {
	f.comments++
	return fmt.Sprint(f.comments), f.fail()
}

func (f *fakeTracker) FindComment(context.Context, string, string) (string, error) {
	return "", f.fail()
}
