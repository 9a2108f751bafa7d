package shop

import (
	"context"
	"errors"

	"github.com/routecard/routecard/shop/card"
)

// Within is the service with a transaction in the place of its store: operations on it are parts of that transaction. An operation that
// was refused may have written something already, so whoever hears a refusal has to take the whole transaction back. They get a
// context of apart.
func (s *Service) Within(tx Tx) *Service {
	inner := &Service{
		store: joined{tx: tx}, clock: s.clock, ids: s.ids, undoWindow: s.undoWindow, zone: s.zone, signing: s.signing,
	}
	inner.counter.clock = s.clock
	return inner
}

// Apart is a context for operations within a transaction. They do not see the key of the request, which belongs to the whole.
func Apart(ctx context.Context) context.Context {
	return context.WithValue(ctx, onceRunKey{}, (*onceRun)(nil))
}

// joined is a store whose changes are parts of one transaction.
type joined struct {
	Store // nil: nothing else is asked of it

	tx Tx
}

var errNoView = errors.New("an operation within a transaction asked for a View")

func (j joined) Update(_ context.Context, change func(Tx) error, _ ...UpdateOption) error {
	return change(j.tx)
}

func (j joined) ChangeCard(_ context.Context, serialID string, change func(card.Card) (card.Change, error)) error {
	return changeCardIn(j.tx, serialID, change)
}

func (j joined) View(context.Context, func(Reader) error, ...ViewOption) error { return errNoView }
