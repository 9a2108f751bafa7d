package views_test

import (
	"context"
	"iter"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// TestSlowReadersKeepNobodyWaiting starts more lists than there are connections, and leaves them unfinished.
func TestSlowReadersKeepNobodyWaiting(t *testing.T) {
	t.Parallel()
	clock := time.Now
	service := shop.New(enginetest.New(t).Open(t), clock, ident.NewIdentifiers(clock))
	text, one := input.Given("x"), input.Given(1.0)
	job, err := service.CreateJob(t.Context(), shop.CreateJobInput{Name: text, GoalQuantity: one})
	if err != nil {
		t.Fatal(err)
	}
	path, err := service.CreatePath(t.Context(), shop.CreatePathInput{
		JobID: input.Given(job.ID), Name: text, GoalQuantity: one,
		Steps: input.Given([]input.Input[shop.StepInput]{input.Given(shop.StepInput{Name: text})}),
	})
	if err != nil {
		t.Fatal(err)
	}
	const serials = 2500
	create := func() error {
		_, err := service.CreateSerials(t.Context(), shop.CreateSerialsInput{
			JobID: input.Given(job.ID), PathID: input.Given(path.ID), Quantity: input.Given(float64(serials)),
		})
		return err
	}
	if err := create(); err != nil {
		t.Fatal(err)
	}
	const readers = 200
	next := make([]func() (shop.SerialListItem, error, bool), readers)
	for i := range next {
		var stop func()
		next[i], stop = iter.Pull2(service.Serials(t.Context()))
		defer stop()
		if _, err, ok := next[i](); err != nil || !ok {
			t.Fatalf("reader %d: %v", i, err)
		}
	}
	quick, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	if _, err := service.Job(quick, job.ID); err != nil {
		t.Errorf("with %d slow readers a job cannot be read: %v", readers, err)
	}
	if err := create(); err != nil {
		t.Error(err)
	}
	seen := map[string]bool{}
	for item, err, ok := next[0](); ok; item, err, ok = next[0]() {
		if err != nil {
			t.Fatal(err)
		}
		if seen[item.ID] {
			t.Fatalf("%s is in the list twice", item.ID)
		}
		seen[item.ID] = true
	}
	if len(seen) < serials-1 {
		t.Errorf("the list had %d serials after the first", len(seen))
	}
}
