package shop_test

import (
	"slices"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// TestWrongClock sets the clock to an impossible time, and corrects it.
func TestWrongClock(t *testing.T) {
	t.Parallel()
	right := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	now := right
	clock := func() time.Time { return now }
	store := enginetest.New(t).Open(t)
	service := shop.New(store, clock, ident.NewIdentifiers(clock))
	create := func() (shop.Job, error) {
		return service.CreateJob(t.Context(), shop.CreateJobInput{
			Name: input.Given("Bracket"), GoalQuantity: input.Given(1.0),
		})
	}
	var ids []string
	for _, wrong := range []time.Time{
		time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2201, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(20_000, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		now = wrong
		if _, err := create(); err == nil || err.Error() != "The clock of this machine is wrong" {
			t.Errorf("at %v: %v", wrong, err)
		}
		now = right
		job, err := create()
		if err != nil {
			t.Fatalf("after %v: %v", wrong, err)
		}
		ids = append(ids, job.ID)
	}
	// Identifiers still increase when the clock goes back, also after a restart.
	now = right.Add(-30 * 24 * time.Hour)
	job, err := create()
	if err != nil {
		t.Fatal(err)
	}
	ids = append(ids, job.ID)
	newest, err := shop.NewestIdentifier(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	service = shop.New(store, clock, ident.NewIdentifiersAfter(newest, clock))
	for range 3 {
		if job, err = create(); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, job.ID)
	}
	if !slices.IsSorted(ids) || len(slices.Compact(ids)) != 8 {
		t.Errorf("identifiers are not in the order they were made: %v", ids)
	}
}
