package shop_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// If the store fails in the middle of a batch of several parts, the batch is not stored as a success under its key. A repeat resumes it,
// and later repeats return the same result.
func TestBatchThatIsCutOffUnderAKey(t *testing.T) {
	t.Parallel()
	const quantity = 2500
	s := shoptest.Open(t)
	path, _ := s.Lot(t.Context(), quantity)
	advance := func(service *shop.Service, once card.Once, dryRun bool) (result shop.BatchResult, err error) {
		err = service.Once(t.Context(), once, func(ctx context.Context) (err error) {
			result, err = service.BatchAdvance(ctx, shop.BatchAdvanceInput{BatchInput: shop.BatchInput{
				Selection: everyOf(path, quantity), OnRefusal: shoptest.Given("each"), DryRun: input.Given(dryRun),
			}})
			return err
		})
		return result, err
	}
	once := card.Once{Key: "k", Fingerprint: "f"}
	_, err := advance(failingAfter(s, 1), once, false)
	failure, ok := errors.AsType[*refusal.Error](err)
	const want = "The batch was cut off: 1000 of 2500 serials had their turn. Repeat the request with the same Idempotency-Key."
	if !ok || failure.Kind != refusal.Uncertain || failure.Error() != want {
		t.Errorf("cut off, it says %v", err)
	}
	for range 2 {
		if diff := cmp.Diff(fmt.Sprintf("%d %[1]d\n", quantity), outcome(shoptest.Must(advance(s.Service, once, false)))); diff != "" {
			t.Error(diff)
		}
	}
	if standing := s.Standing(t.Context(), path); standing[1] != quantity {
		t.Errorf("standing %v", standing)
	}
	_, err = advance(s.Service, card.Once{Key: "k", Fingerprint: "another"}, true)
	if failure, ok := errors.AsType[*refusal.Error](err); !ok || failure.Kind != refusal.KeyReused {
		t.Errorf("a trial under the key of another request: %v", err)
	}
}
