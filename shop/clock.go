package shop

import (
	"context"
	"time"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// errWrongClock refuses what would be stored with a time that cannot be.
var errWrongClock = refusal.Refuse(refusal.WrongClock)

// punctual is a store that changes nothing while the clock is wrong: the times and identifiers of a change come from it.
// It asks every time, so that the service goes on by itself when the clock is right again.
type punctual struct {
	Store
	clock ident.Clock
}

func (s punctual) Update(ctx context.Context, change func(Tx) error, options ...UpdateOption) error {
	if !ident.Plausible(s.clock()) {
		return errWrongClock
	}
	return s.Store.Update(ctx, change, options...)
}

func (s punctual) ChangeCard(ctx context.Context, serialID string, change func(card.Card) (card.Change, error)) error {
	if !ident.Plausible(s.clock()) {
		return errWrongClock
	}
	return s.Store.ChangeCard(ctx, serialID, change)
}

// Ready returns an error while the clock is wrong: every change would be refused.
func (s punctual) Ready(ctx context.Context) error {
	if !ident.Plausible(s.clock()) {
		return errWrongClock
	}
	return s.Store.Ready(ctx)
}

// Pause waits, or returns the context's error when that ends first. It is handed in, like the Clock.
type Pause func(ctx context.Context, wait time.Duration) error
