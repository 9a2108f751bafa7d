package shop_test

import (
	"context"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// waitingStore is a store that waits for serials, as if another request were changing them.
type waitingStore struct {
	sqlstore.Store
	waited func()
}

type waitingTx struct {
	shop.Tx
	waited func()
}

func (s waitingStore) Update(ctx context.Context, change func(shop.Tx) error, options ...shop.UpdateOption) error {
	return s.Store.Update(ctx, func(tx shop.Tx) error { return change(waitingTx{tx, s.waited}) }, options...)
}

func (tx waitingTx) RouteCards(ids []string) (map[string]card.Card, error) {
	tx.waited()
	return tx.Tx.RouteCards(ids)
}

func (tx waitingTx) LockSerials(ids []string) error {
	tx.waited()
	return tx.Tx.LockSerials(ids)
}

// The changes of a batch have the time after it waited for its turn.
func TestBatchIsDatedWhenItsTurnComes(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	id := s.ASerial(t)
	for _, policy := range []string{"none", "each"} {
		now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
		var waited time.Time
		store := waitingStore{s.Store, func() {
			now = now.Add(time.Hour)
			if waited.IsZero() {
				waited = now
			}
		}}
		clock := func() time.Time { return now }
		service := shop.New(store, clock, ident.NewIdentifiers(clock))
		_, err := service.BatchAdvance(t.Context(), shop.BatchAdvanceInput{
			BatchInput: shop.BatchInput{
				Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(id)}, OnRefusal: shoptest.Given(policy),
			},
			AdvanceSerialInput: shop.AdvanceSerialInput{UserID: shoptest.Given("ann")},
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
