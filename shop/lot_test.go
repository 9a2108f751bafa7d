package shop_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Several callers book one lot at once. Each booking starts from the quantity that the booking before it left, and no quantity goes below
// 0.
func TestBookingsOfALotFollowEachOther(t *testing.T) {
	t.Parallel()
	b, ctx := shoptest.Open(t), t.Context()
	made := shoptest.Must(b.CreateLot(ctx, shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{Material: input.Given("Bar")}, Quantity: input.Given[input.Written]("10.0"),
		Unit: input.Given("m"), UserID: input.Given("ann"),
	}))
	var callers sync.WaitGroup
	for caller := range uint64(2) {
		callers.Go(func() {
			random := rand.New(rand.NewPCG(1, caller))
			for range 40 {
				if err := bookSomething(ctx, b, made.ID, random); err != nil {
					t.Error(err)
				}
			}
		})
	}
	callers.Wait()
	last, booked := made.Remaining, 0
	for entry := range b.AuditEntries(ctx, shop.NoLimit, 0) {
		var told struct {
			LotID         string
			Before, After *struct{ Remaining input.Decimal }
		}
		if json.Unmarshal(entry.Metadata, &told) != nil || told.LotID != made.ID || told.Before == nil {
			continue
		}
		if booked++; booked == 1 { // newest first
			last = told.After.Remaining
			if now := shoptest.Must(b.Service.Lot(ctx, made.ID)); now.Remaining != last {
				t.Errorf("%s remains, and the last booking left %s", now.Remaining, last)
			}
		}
		if told.After.Remaining != last || last.Sign() < 0 {
			t.Errorf("%s left %s, and the next booking began with %s", entry.ID, told.After.Remaining, last)
		}
		last = told.Before.Remaining
	}
	if last != made.Remaining || booked < 20 {
		t.Errorf("%d bookings began with %s", booked, last)
	}
}

// bookSomething books a random amount, and accepts that too little remains.
func bookSomething(ctx context.Context, b *shoptest.Shop, id string, random *rand.Rand) (err error) {
	amount, by := input.Given(input.Written(fmt.Sprintf("%d.%d", random.IntN(4), 1+random.IntN(9)))), input.Given("ann")
	switch random.IntN(6) {
	case 0:
		_, err = b.ReceiveLot(ctx, id, shop.ReceiveLotInput{Quantity: amount, UserID: by})
	case 1:
		_, err = b.AdjustLot(ctx, id, shop.AdjustLotInput{Remaining: amount, Reason: input.Given("counted"), UserID: by})
	case 2:
		_, err = b.HoldLot(ctx, id, shop.HoldLotInput{Reason: input.Given("soft"), UserID: by})
	default:
		_, err = b.SplitLot(ctx, id, shop.SplitLotInput{Quantity: amount, UserID: by})
	}
	if refused, ok := errors.AsType[*refusal.Error](err); ok && refused.Reason == shop.LotShort {
		return nil
	}
	return err
}

func TestSumsOfDecimals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ a, b, sum, difference input.Decimal }{
		{"12.500", "0.5", "13.000", "12.000"},
		{"0.1", "0.2", "0.3", "-0.1"},
		{"1e2", "0.05", "100.05", "99.95"},
		{"7", "7", "14", "0"},
		{"999999999999999999", "1", "", "999999999999999998"},
	} {
		sum, exact := test.a.Plus(test.b)
		difference, _ := test.a.Minus(test.b)
		if exact != (test.sum != "") || exact && sum != test.sum || difference != test.difference {
			t.Errorf("%s and %s: %s (%t) and %s", test.a, test.b, sum, exact, difference)
		}
	}
}

// The day of expiry ends in the time zone of the shop.
func TestLotExpiresAfterItsDay(t *testing.T) {
	t.Parallel()
	lot := shop.Lot{LotBalance: shop.LotBalance{ExpiresOn: "2026-01-31"}}
	if lot.At("2026-01-31").Expired || !lot.At("2026-02-01").Expired {
		t.Error("a lot expires on another day")
	}
}
