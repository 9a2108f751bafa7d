package faulttest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/verify"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
)

// atOnce makes calls at the same time, each through another one of the three instances. It returns the outcome of each.
func (s *sharedShop) atOnce(calls ...call) []outcome {
	outcomes := make([]outcome, len(calls))
	said := make([]string, len(calls))
	var wait sync.WaitGroup
	start := make(chan struct{})
	for i, c := range calls {
		wait.Go(func() {
			<-start
			outcomes[i], said[i] = s.send(s.instances[i%len(s.instances)], c.path, c.body, nil)
		})
	}
	close(start)
	wait.Wait()
	for i, told := range outcomes {
		if told == somehow || told == refused && !slices.ContainsFunc(calls[i].mayRefuse, func(reason string) bool {
			return strings.Contains(said[i], reason)
		}) {
			s.Errorf("%s: %s", calls[i].path, said[i])
		}
	}
	return outcomes
}

// call is a request, and the possible messages of its refusal.
type call struct {
	path      string
	body      map[string]any
	mayRefuse []string
}

// unit is the part of a serial that the tests read.
type unit struct {
	CurrentStepIndex int
	Status           string
	Holds            []struct{ ID, Reason string }
}

func (s *sharedShop) unit(id string) (u unit) {
	s.Helper()
	if err := s.get(s.instances[0], "/api/serials/"+id, &u); err != nil {
		s.Fatal(err)
	}
	return u
}

// trail returns the actions of a serial's audit entries, oldest first, with their identifiers.
func (s *sharedShop) trail(id string) (entries []struct{ ID, Action string }) {
	s.Helper()
	if err := s.get(s.instances[0], "/api/audit/serial/"+id, &entries); err != nil {
		s.Fatal(err)
	}
	return entries
}

// TestCorrectionsAtOnce corrects units through three instances while other callers work on them. In every order of the calls, no correction
// is lost, and no unit is in an impossible state.
func TestCorrectionsAtOnce(t *testing.T) {
	const rounds = 5
	s := newShop(t, pgtest.Database(t), 5)
	by := func(user string, pairs ...any) map[string]any {
		body := map[string]any{"userId": user, "reason": "crack"}
		for pair := range slices.Chunk(pairs, 2) {
			body[fmt.Sprint(pair[0])] = pair[1]
		}
		return body
	}
	for _, id := range s.makeSerials(rounds) { // undo against advance
		s.must("/api/serials/"+id+"/advance", by("ann"), nil)
		entry := s.trail(id)[0].ID
		ended := s.atOnce(
			call{"/api/serials/" + id + "/undo", by("ann", "entryId", entry), []string{"Only the last change can be undone", "Nothing to undo"}},
			call{"/api/serials/" + id + "/advance", by("bob"), nil},
			call{"/api/serials/" + id + "/undo", by("eve", "entryId", entry), []string{"Only the last change can be undone", "Nothing to undo"}},
		)
		undone := 0
		for _, i := range []int{0, 2} {
			if ended[i] == done {
				undone++
			}
		}
		if at, want := s.unit(id).CurrentStepIndex, 2-undone; undone > 1 || at != want {
			t.Errorf("%s stands at %d after %d undos, want %d", id, at, undone, want)
		}
		if told := s.trail(id); len(told) != 2+undone {
			t.Errorf("the trail tells of %s: %v", id, told)
		}
	}
	for _, id := range s.makeSerials(rounds) { // a hold and an advance at once
		ended := s.atOnce(
			call{"/api/serials/" + id + "/hold", by("ann"), nil},
			call{"/api/serials/" + id + "/advance", by("bob"), []string{"Serial is on hold: crack"}},
			call{"/api/serials/" + id + "/advance", by("eve"), []string{"Serial is on hold: crack"}},
		)
		moved := 0
		for _, told := range ended[1:] {
			if told == done {
				moved++
			}
		}
		is, told := s.unit(id), s.trail(id)
		if is.CurrentStepIndex != moved || len(is.Holds) != 1 || len(told) != moved+1 || told[moved].Action != "serial_held" {
			t.Errorf("%s moved %d times: %+v, %v", id, moved, is, told)
		}
	}
	s.disposeAtOnce(rounds, by)
	s.followsFromTrail()
}

// followsFromTrail compares the row of every serial with its entries.
func (s *sharedShop) followsFromTrail() {
	s.Helper()
	store, err := sqlstore.OpenPostgres(s.Context(), s.database, sqlstore.Pool{}, sqlstore.Options{})
	if err != nil {
		s.Fatal(err)
	}
	defer store.Close()
	if err := store.View(s.Context(), func(tx shop.Reader) error {
		checked, err := verify.CheckSerials(tx, ledger.Leaf, func(id string, fields []string, why error) {
			s.Errorf("%s does not follow from the trail: %v %v", id, fields, why)
		})
		if checked == 0 {
			s.Error("no serial was checked")
		}
		return err
	}); err != nil {
		s.Error(err)
	}
}

// disposeAtOnce runs three users at the same time: two decide about the same units in opposite order, and the third closes the report.
func (s *sharedShop) disposeAtOnce(rounds int, by func(user string, pairs ...any) map[string]any) {
	decided := []string{"already has a disposition", "Nonconformance is closed"}
	for range rounds {
		ids := s.makeSerials(12)
		var report struct{ ID string }
		s.must("/api/nonconformances", by("ann", "title", "Crack", "severity", "major", "serialIds", ids, "hold", true), &report)
		backwards := slices.Clone(ids)
		slices.Reverse(backwards)
		path := "/api/nonconformances/" + report.ID
		ended := s.atOnce(
			call{path + "/dispositions", by("eve", "serialIds", ids, "disposition", "scrap"), decided},
			call{path + "/dispositions", by("bob", "serialIds", backwards, "disposition", "use_as_is", "concession", "c"), decided},
			call{path + "/close", by("ann", "summary", "done"), []string{"has no disposition"}},
		)
		if ended[0] == ended[1] {
			s.Errorf("%s: both decisions ended %v", report.ID, ended)
		}
		disposition, status, holds := "scrap", "scrapped", 1
		if ended[1] == done {
			disposition, status, holds = "use_as_is", "in_progress", 0
		}
		var is struct {
			Status string
			Units  []struct{ SerialID, Disposition string }
		}
		if err := s.get(s.instances[1], path, &is); err != nil {
			s.Fatal(err)
		}
		if (is.Status == "closed") != (ended[2] == done) || len(is.Units) != len(ids) {
			s.Errorf("%s is %+v after %v", report.ID, is, ended)
		}
		for _, on := range is.Units {
			if u := s.unit(on.SerialID); on.Disposition != disposition || u.Status != status || len(u.Holds) != holds {
				s.Errorf("%s: %s has %s and is %+v", report.ID, on.SerialID, on.Disposition, u)
			}
		}
	}
}
