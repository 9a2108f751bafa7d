package routecard_test

import (
	"context"
	"testing"
	"time"

	"github.com/routecard/routecard"
)

// waitingStore is a store where somebody has to wait for serials, as for whoever changes them just then.
type waitingStore struct {
	routecard.Store
	waited func()
}

type waitingTx struct {
	routecard.Tx
	waited func()
}

func (s waitingStore) Update(ctx context.Context, change func(routecard.Tx) error) error {
	return s.Store.Update(ctx, func(tx routecard.Tx) error { return change(waitingTx{tx, s.waited}) })
}

func (tx waitingTx) RouteCards(ids []string) (map[string]routecard.RouteCard, error) {
	tx.waited()
	return tx.Tx.RouteCards(ids)
}

func (tx waitingTx) HoldSerials(ids []string) error {
	tx.waited()
	return tx.Tx.HoldSerials(ids)
}

// What a batch changes is dated after what it had to wait for.
func TestBatchIsDatedWhenItsTurnComes(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	id := s.aSerial(t)
	for _, policy := range []string{"none", "each"} {
		now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
		var waited time.Time
		store := waitingStore{s.store, func() {
			now = now.Add(time.Hour)
			if waited.IsZero() {
				waited = now
			}
		}}
		clock := func() time.Time { return now }
		service := routecard.New(store, clock, routecard.NewIdentifiers(clock))
		_, err := service.BatchAdvance(t.Context(), routecard.BatchAdvanceInput{
			BatchInput: routecard.BatchInput{
				Selection: routecard.SelectionInput{SerialIDs: routecard.GivenTexts(id)}, OnRefusal: given(policy),
			},
			AdvanceSerialInput: routecard.AdvanceSerialInput{UserID: given("ann")},
		})
		if err != nil {
			t.Fatal(err)
		}
		detail, err := s.Serial(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if got := detail.Serial.UpdatedAt.Time(); got.Before(waited) {
			t.Errorf("%s: dated %s, but its turn came at %s", policy, got, waited)
		}
	}
}

// aSerial makes one serial on a path of three steps.
func (s *shop) aSerial(t *testing.T) string {
	t.Helper()
	job := must(s.CreateJob(t.Context(), routecard.CreateJobInput{Name: given("Bracket"), GoalQuantity: number(1)}))
	steps := make([]routecard.Input[routecard.StepInput], 3)
	for i := range steps {
		steps[i] = routecard.Given(routecard.StepInput{Name: given("Turn")})
	}
	path := must(s.CreatePath(t.Context(), routecard.CreatePathInput{
		JobID: given(job.ID), Name: given("Main"), GoalQuantity: number(1), Steps: routecard.Given(steps),
	}))
	batch := must(s.CreateSerials(t.Context(), routecard.CreateSerialsInput{
		JobID: given(job.ID), PathID: given(path.ID), Quantity: number(1), UserID: given("ann"),
	}))
	return routecard.SerialID(batch.First)
}
