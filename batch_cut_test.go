package routecard_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard"
)

// A batch of several parts that the store fails in the middle of is no success under a key: it is repeated, goes on where it
// was, and from then on always answers the same.
func TestBatchThatIsCutOffUnderAKey(t *testing.T) {
	t.Parallel()
	const quantity = 2500
	s := openShop(t)
	path, _ := s.lot(t.Context(), quantity)
	advance := func(service *routecard.Service, once routecard.Once, dryRun bool) (result routecard.BatchResult, err error) {
		err = service.Once(t.Context(), once, func(ctx context.Context) (err error) {
			result, err = service.BatchAdvance(ctx, routecard.BatchAdvanceInput{BatchInput: routecard.BatchInput{
				Selection: everyOf(path, quantity), OnRefusal: given("each"), DryRun: routecard.Given(dryRun),
			}})
			return err
		})
		return result, err
	}
	once := routecard.Once{Key: "k", Fingerprint: "f"}
	_, err := advance(s.failingAfter(1), once, false)
	failure, ok := errors.AsType[*routecard.Error](err)
	const want = "The batch was cut off: 1000 of 2500 serials had their turn. Repeat the request with the same Idempotency-Key."
	if !ok || failure.Code != routecard.Uncertain || failure.Message != want {
		t.Errorf("cut off, it says %v", err)
	}
	for range 2 {
		if diff := cmp.Diff(fmt.Sprintf("%d %[1]d\n", quantity), outcome(must(advance(s.Service, once, false)))); diff != "" {
			t.Error(diff)
		}
	}
	if standing := s.standing(t.Context(), path); standing[1] != quantity {
		t.Errorf("standing %v", standing)
	}
	_, err = advance(s.Service, routecard.Once{Key: "k", Fingerprint: "another"}, true)
	if failure, ok := errors.AsType[*routecard.Error](err); !ok || failure.Code != routecard.KeyReused {
		t.Errorf("a trial under the key of another request: %v", err)
	}
}
