package shop

import (
	"context"
	"errors"
	"iter"
	"sync/atomic"
	"time"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Service is the business: every operation of the interface is one method on it. It is safe for concurrent use.
//
// Methods return an *Error for what the caller did wrong, with the contract's message; any other error is internal.
// A method that returned without error has its change on disk, together with its audit entries; one that returned an
// error changed nothing.
type Service struct {
	store Store
	clock ident.Clock
	ids   ident.Identifiers

	counter counter
	running runningKeys
	begun   atomic.Int64 // operations that change something

	undoWindow time.Duration
	zone       *time.Location // of the shop
	signing    *Signing       // nil where nothing is signed
}

// Option is something that a Service can do without.
type Option func(*Service)

// New makes a Service on a store. The caller keeps the store and closes it.
func New(store Store, clock ident.Clock, ids ident.Identifiers, options ...Option) *Service {
	s := &Service{
		clock: clock, ids: ids, counter: counter{clock: clock},
		undoWindow: defaultUndoWindow, zone: time.UTC,
	}
	for _, option := range options {
		option(s)
	}
	if s.signing != nil {
		store = signing{store, *s.signing, clock, ids}
	}
	s.store = punctual{matching{attributing{store}}, clock}
	return s
}

// Store is the store that the service was made on, behind the guards that every change passes: the clock, the caller's name,
// signatures. It is for packages that have operations of their own on the shop's records.
func (s *Service) Store() Store { return s.store }

// Now is the time of the service's clock.
func (s *Service) Now() ident.Timestamp { return ident.TimestampOf(s.clock()) }

// NewID makes an identifier that begins with a prefix.
func (s *Service) NewID(prefix string) string { return prefix + s.ids.Next() }

// Version names the state of all jobs or of all units, so that a reader can ask whether any of them changed since.
func (s *Service) Version(ctx context.Context, of ident.RecordKind) (string, error) {
	return s.store.Version(ctx, of)
}

// ChunkSize is how many serials a large operation handles with one set of statements.
const ChunkSize = 1000

// cardRule judges one serial's card and says what changes: a function of values, which an operation on one serial and
// the same operation on many have in common.
type cardRule func(card card.Card, now ident.Timestamp) (card.Change, error)

// changeCard runs a rule on one serial's route card and commits what it returns. The rule runs inside the transaction, on
// what is true there; missing is what the operation calls a serial that does not exist. result points to what the operation
// returns, which the rule sets, and is nil when that is nothing; see update.
func (s *Service) changeCard(ctx context.Context, id string, missing refusal.RecordName, result any, rule cardRule) error {
	s.begun.Add(1)
	run := onceRunOf(ctx)
	var once card.Once
	if run != nil {
		once = run.next()
		if run.replay != nil {
			return s.replay(ctx, run, once, result)
		}
		ctx = context.WithValue(ctx, keyKey{}, once)
	}
	err := s.store.ChangeCard(ctx, id, func(unit card.Card) (card.Change, error) {
		if err := card.CheckCard(unit); err != nil {
			return card.Change{}, err
		}
		change, err := rule(unit, s.Now())
		if err == nil && run != nil {
			change.Remember, err = s.receipt(once, result)
		}
		return change, err
	})
	err = OrNotFound(err, missing, id)
	if run != nil {
		err = s.recall(ctx, run, once, result, err)
	}
	return err
}

// changeSerial is changeCard for the operations that return the serial.
func (s *Service) changeSerial(ctx context.Context, id string, missing refusal.RecordName, rule cardRule) (card.Serial, error) {
	var serial card.Serial
	err := s.changeCard(ctx, id, missing, &serial, func(card card.Card, now ident.Timestamp) (card.Change, error) {
		change, err := rule(card, now)
		serial = change.Serial
		return change, err
	})
	return serial, err
}

// Page is one page of a list.
type Page[T any] struct {
	Items []T
	Next  string // what a query has to say for the next page; "" when there is none
}

// Stream yields rows, each once. It reads them in pages with a View that browses, so that a caller who is slow keeps
// nobody waiting; a row is as it was when its page was read. The last thing yielded may be an error.
func Stream[T, R any](
	ctx context.Context, view func(context.Context, func(R) error, ...ViewOption) error, rows func(R) iter.Seq2[T, error],
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		errStopped := errors.New("the caller has seen enough")
		err := view(ctx, func(tx R) error {
			for row, err := range rows(tx) {
				if err != nil {
					return err
				}
				if !yield(row, nil) {
					return errStopped
				}
			}
			return nil
		}, Browse)
		if err != nil && !errors.Is(err, errStopped) {
			var zero T
			yield(zero, err)
		}
	}
}

// failed yields nothing but an error.
func failed[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		yield(zero, err)
	}
}

// WithTimeZone sets the time zone of the shop, which decides when a day ends. Without it that is UTC.
func WithTimeZone(zone *time.Location) Option {
	return func(s *Service) { s.zone = zone }
}

// Zone is the time zone of the shop.
func (s *Service) Zone() *time.Location { return s.zone }

// Today is the day in the time zone of the shop, as due dates are written.
func (s *Service) Today() string { return s.Now().Time().In(s.zone).Format(input.DateLayout) }

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
