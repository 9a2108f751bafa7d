package shop

import (
	"context"
	"time"

	"github.com/routecard/routecard/shop/refusal"
)

// errWrongClock refuses what would be stored with a time that cannot be.
var errWrongClock = refusal.Refuse(refusal.WrongClock)

// The years that a clock may show. What is stored sorts by time, and for good.
const (
	earliestYear = 1970
	latestYear   = 2200
)

// plausible reports whether a clock may be right.
func plausible(now time.Time) bool {
	year := now.UTC().Year()
	return year >= earliestYear && year <= latestYear
}

// punctual is a store that changes nothing while the clock is wrong: the times and identifiers of a change come from it.
// It asks every time, so that the service goes on by itself when the clock is right again.
type punctual struct {
	Store
	clock Clock
}

func (s punctual) Update(ctx context.Context, change func(Tx) error, options ...UpdateOption) error {
	if !plausible(s.clock()) {
		return errWrongClock
	}
	return s.Store.Update(ctx, change, options...)
}

func (s punctual) ChangeCard(ctx context.Context, serialID string, change func(RouteCard) (CardChange, error)) error {
	if !plausible(s.clock()) {
		return errWrongClock
	}
	return s.Store.ChangeCard(ctx, serialID, change)
}

// Ready returns an error while the clock is wrong: every change would be refused.
func (s punctual) Ready(ctx context.Context) error {
	if !plausible(s.clock()) {
		return errWrongClock
	}
	return s.Store.Ready(ctx)
}

// Pause waits, or returns the context's error when that ends first. It is handed in, like the Clock.
type Pause func(ctx context.Context, wait time.Duration) error
