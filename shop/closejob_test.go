package shop_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

func closing(reason string) shop.JobClosingInput {
	return shop.JobClosingInput{Reason: shoptest.Given(reason), UserID: shoptest.Given("lead")}
}

// restarts are the ways in which a completed or scrapped unit becomes in progress again.
var restarts = map[string]struct {
	done, again func(ctx context.Context, s *shop.Service, id string) error
}{
	"rework": {complete, func(ctx context.Context, s *shop.Service, id string) error {
		_, err := s.ReworkSerial(ctx, id, shop.ReworkSerialInput{
			TargetStepIndex: shoptest.Number(0), Reason: shoptest.Given("burr"), UserID: shoptest.Given("lead"),
		})
		return err
	}},
	"undo of a completion": {complete, undoLast},
	"undo of a scrap": {func(ctx context.Context, s *shop.Service, id string) error {
		_, err := s.ScrapSerial(ctx, id, shop.ScrapSerialInput{Reason: shoptest.Given("damaged"), UserID: shoptest.Given("lead")})
		return err
	}, undoLast},
	"undo of a force-completion": {func(ctx context.Context, s *shop.Service, id string) error {
		_, err := s.ForceComplete(ctx, id, shop.ForceCompleteInput{UserID: shoptest.Given("lead")})
		return err
	}, undoLast},
	"undo of many": {complete, func(ctx context.Context, s *shop.Service, id string) error {
		trail := shoptest.Collect(s.AuditOfSerial(ctx, id))
		result, err := s.UndoMany(ctx, shop.UndoManyInput{
			Changes: []shop.UnitChange{{SerialID: id, EntryID: trail[len(trail)-1].ID}},
			Reason:  shoptest.Given("wrong"), UserID: shoptest.Given("lead"),
		})
		if err == nil && len(result.Refused) > 0 {
			err = result.Refused[0].Err
		}
		return err
	}},
	"a disposition": {func(ctx context.Context, s *shop.Service, id string) error {
		if err := complete(ctx, s, id); err != nil {
			return err
		}
		_, err := s.OpenNonconformance(ctx, shop.OpenNonconformanceInput{
			Title: shoptest.Given("burr"), Severity: shoptest.Given("minor"),
			Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(id)}, UserID: shoptest.Given("lead"),
		})
		return err
	}, func(ctx context.Context, s *shop.Service, id string) error {
		_, err := s.DisposeNonconformance(ctx, "NCR-00001", shop.DispositionInput{
			SerialIDs: input.GivenTexts(id), Disposition: shoptest.Given("rework"), Reason: shoptest.Given("burr"),
			TargetStepIndex: shoptest.Number(0), UserID: shoptest.Given("lead"),
		})
		return err
	}},
}

func complete(ctx context.Context, s *shop.Service, id string) error {
	for range 2 {
		if _, err := s.AdvanceSerial(ctx, id, shop.AdvanceSerialInput{UserID: shoptest.Given("ann")}); err != nil {
			return err
		}
	}
	return nil
}

func undoLast(ctx context.Context, s *shop.Service, id string) error {
	trail := shoptest.Collect(s.AuditOfSerial(ctx, id))
	_, err := s.Undo(ctx, id, shop.UndoInput{
		EntryID: shoptest.Given(trail[len(trail)-1].ID), Reason: shoptest.Given("wrong"), UserID: shoptest.Given("lead"),
	})
	return err
}

// No operation puts a unit of a closed job in progress; all of them can once the job is reopened.
func TestClosedJobsAreNotRestarted(t *testing.T) {
	t.Parallel()
	for name, restart := range restarts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, s := t.Context(), shoptest.Open(t)
			path := s.Route(t, card.Strict, "Saw", "Mill")
			unit := s.Units(t, path, 1)[0]
			job := shoptest.Must(s.Service.Job(ctx, path.JobID)).Job
			shoptest.Must(0, restart.done(ctx, s.Service, unit))
			shoptest.Must(s.CloseJob(ctx, job.ID, closing("canceled")))
			want := fmt.Sprintf("Job %s is closed: reopen it first", job.Name)
			if refused := shoptest.Refused(restart.again(ctx, s.Service, unit)); refused == nil || !strings.HasPrefix(refused.Message, want) {
				t.Errorf("in a closed job: %v", refused)
			}
			shoptest.Must(s.ReopenJob(ctx, job.ID, closing("ordered again")))
			shoptest.Must(0, restart.again(ctx, s.Service, unit))
			if found := shoptest.RecordsFound(t, s.Store); len(found) > 0 {
				t.Errorf("records do not follow from the trail: %q", found)
			}
		})
	}
}

// The refusal to close a job says how many units are in progress, at which steps, and how many of them are on hold.
func TestJobsWithUnitsInProgressStayOpen(t *testing.T) {
	t.Parallel()
	ctx, s := t.Context(), shoptest.Open(t)
	path := s.Route(t, card.Strict, "Saw", "Mill", "Wash", "Pack", "Ship")
	units := s.Units(t, path, 6)
	job := shoptest.Must(s.Service.Job(ctx, path.JobID))
	for i, steps := range []int{0, 0, 1, 2, 3, 4} {
		for range steps {
			shoptest.Must(s.AdvanceSerial(ctx, units[i], shop.AdvanceSerialInput{UserID: shoptest.Given("ann")}))
		}
	}
	shoptest.Must(s.HoldSerial(ctx, units[0], shop.HoldSerialInput{Reason: shoptest.Given("crack"), UserID: shoptest.Given("ann")}))
	_, err := s.CloseJob(ctx, job.ID, closing("canceled"))
	want := fmt.Sprintf("Job %s cannot be closed while units are in progress: 6 in all, 2 at Saw (%[2]s), 1 at Mill (%[2]s), "+
		"1 at Wash (%[2]s), others at 2 more", job.Name, path.Name)
	if refused := shoptest.Refused(err); refused == nil || refused.Message != want {
		t.Errorf("got %v, want %q", refused, want)
	}
	for _, unit := range units {
		shoptest.Must(s.ScrapSerial(ctx, unit, shop.ScrapSerialInput{Reason: shoptest.Given("damaged"), UserID: shoptest.Given("ann")}))
	}
	closed := shoptest.Must(s.CloseJob(ctx, job.ID, closing("canceled")))
	if !closed.Closed() || closed.ClosedBy != "lead" || closed.CloseReason != "canceled" {
		t.Errorf("closed: %+v", closed.JobClosing)
	}
}

// If a job is closed while units are created, one of the two is refused: no closed job has a unit in progress.
func TestNoUnitsAreMadeWhileAJobIsClosed(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	first := s.Service
	s.Another()
	const jobs = 12
	var group sync.WaitGroup
	for range jobs {
		path := s.Route(t, card.Strict, "Saw", "Mill")
		unit := s.Units(t, path, 1)[0]
		shoptest.Must(0, complete(t.Context(), s.Service, unit))
		group.Go(func() { _, _ = first.CloseJob(t.Context(), path.JobID, closing("canceled")) })
		group.Go(func() {
			_, _ = s.CreateSerials(t.Context(), shop.CreateSerialsInput{
				JobID: shoptest.Given(path.JobID), PathID: shoptest.Given(path.ID), Quantity: shoptest.Number(1), UserID: shoptest.Given("ann"),
			})
		})
		group.Go(func() { _ = restarts["rework"].again(t.Context(), s.Service, unit) })
	}
	group.Wait()
	for _, job := range shoptest.Collect(s.Jobs(t.Context())) {
		detail := shoptest.Must(s.Service.Job(t.Context(), job.ID))
		if detail.Closed() && detail.Progress.InProgressSerials > 0 {
			t.Errorf("%s is closed and has %d units in progress", job.ID, detail.Progress.InProgressSerials)
		}
	}
	if found := shoptest.RecordsFound(t, s.Store); len(found) > 0 {
		t.Errorf("records do not follow from the trail: %q", found)
	}
}
