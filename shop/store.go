package shop

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// Store is the database. It is safe for concurrent use. The test suite in package internal/storetest defines what a store must guarantee.
type Store interface {
	// View runs read on a consistent snapshot, taken at its first statement. The Reader refuses writes, and must not be used after read
	// returns.
	View(ctx context.Context, read func(Reader) error, options ...ViewOption) error

	// Update runs change in one transaction. If it returns nil, the changes are durable. If it returns an error, nothing has changed. If
	// change panics, nothing has changed either, and the panic reaches the caller. A failed statement fails the Update, even if change
	// continues. Updates behave as if they ran one after the other. change may run more than once; it must not keep anything from earlier
	// runs.
	Update(ctx context.Context, change func(Tx) error, options ...UpdateOption) error

	// ChangeCard loads the route card of one serial, passes it to change, and commits the returned change, with the same guarantees as
	// Update. It exists because nearly all changes in a shop are of this kind: change reads nothing else, so a store may load and write
	// the cards of many callers together. It returns ErrNoRecord if the serial does not exist. change may run more than once and must not
	// block.
	ChangeCard(ctx context.Context, serialID string, change func(card.Card) (card.Change, error)) error

	// SerialDetail returns a snapshot with the response of Get Serial, or ErrNoRecord if the serial does not exist. It exists because
	// nearly all reads are of this kind: a store may cache the response while it is current. The caller must not change the returned
	// value.
	SerialDetail(ctx context.Context, serialID string) (SerialDetail, error)

	// Version identifies the state of the list of all records of a kind, RecordJob or RecordSerial. It differs from every earlier version
	// once anything has changed that a row shows, including the names of a unit's job, path and step. It may also differ without such a
	// change. Refused changes, reads, changes with Aside and changes of other kinds do not change it while the store is open. Data that
	// is read afterwards is at least as new as the state that the version identifies. Every change of a unit must add an entry about the
	// unit.
	Version(ctx context.Context, of ident.RecordKind) (string, error)

	Prefixed

	// Ready returns why the store cannot process reads and writes at the moment, or nil.
	Ready(ctx context.Context) error

	// Close waits for running operations and releases the store. From then on all other methods return an error. It may be called more
	// than once.
	Close() error
}

// Prefixed is a store or a transaction that knows the prefix of the serials of its database. The prefix never changes.
type Prefixed interface {
	SerialPrefix() ident.Prefix
}

// Reader is the transaction of a View: Tx plus the reads of the views, which are declared in the files of the views. Operations that change
// something do not use the reads of the views.
type Reader interface {
	Tx
	CountReader
	IdentifierReader
	NumberReader
}

// ViewOption changes how a View runs.
type ViewOption int

// Browse is for a View without a snapshot: each statement sees what is committed when it runs, and the View occupies nothing between
// statements. Long lists are read in this way, page by page: a slow client would otherwise occupy a connection that other requests wait
// for, and prevent the store from discarding replaced data.
const Browse ViewOption = 1

// StandbyReads are the Views of one request that a store may read from a standby: a server that follows the primary. Each View sees at
// least what was committed when the first of them began, and what an earlier one of the request saw. It is safe for concurrent use.
type StandbyReads struct {
	mu   sync.Mutex
	seen any
}

// Seen calls next with the newest state that a View of the request has seen, nil for none, and stores the state that next returns.
func (r *StandbyReads) Seen(next func(seen any) any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = next(r.seen)
}

type standbyReadsKey struct{}

// FromStandbys returns a context whose Views may be read from a standby. It is for requests that only read and on whose result the service
// decides nothing. Only the tables of routes use it. The function of such a View may run twice, if the standby fails: it must not keep
// anything from the first run.
func FromStandbys(ctx context.Context) context.Context {
	return context.WithValue(ctx, standbyReadsKey{}, &StandbyReads{})
}

// StandbyReadsOf returns the StandbyReads of a context, or nil if its Views must be read from the primary.
func StandbyReadsOf(ctx context.Context) *StandbyReads {
	reads, _ := ctx.Value(standbyReadsKey{}).(*StandbyReads)
	return reads
}

// UpdateOption changes how an Update runs.
type UpdateOption int

// Values of UpdateOption.
const (
	// Aside is for an Update that adds nothing to the trail and only writes data that no response shows, such as a probe or the time at
	// which a session was last used. The store's Version does not change.
	Aside UpdateOption = iota + 1
	// Alone is for an Update that may write for long: it is committed separately, after the updates that wait.
	Alone
)

// ErrNoRecord is the error of a Store if the requested record does not exist.
var ErrNoRecord = errors.New("no such record")

// ErrDuplicate is the error of a Store if a record with the same unique name exists.
var ErrDuplicate = errors.New("duplicate record")

// OrNotFound replaces a store's ErrNoRecord by the contract's 404 message, and returns every other error unchanged.
func OrNotFound(err error, name refusal.RecordName, id string) error {
	if errors.Is(err, ErrNoRecord) {
		return name.NotFound(id)
	}
	return err
}

// IdentifierReader reads the identifiers in use.
type IdentifierReader interface {
	// NewestIdentifier returns the sortable part of the newest identifier of any record; "" if there are none.
	NewestIdentifier() (string, error)
}

// NumberReader reads the highest numbers in use.
type NumberReader interface {
	NumbersTaken() (NumbersTaken, error)
	// UnhashedEntries returns the number of audit entries from before entries recorded the hashes of contents.
	UnhashedEntries() (int64, error)
}

// NumbersTaken has the last assigned number of each kind of numbered record; 0 if none was assigned.
type NumbersTaken struct{ Serials, Nonconformances, Shipments, Conformances, FirstArticles int64 }

// NewestIdentifier returns the identifier after which NewIdentifiersAfter must continue.
func NewestIdentifier(ctx context.Context, store Store) (newest string, err error) {
	err = store.View(ctx, func(tx Reader) error {
		newest, err = tx.NewestIdentifier()
		return err
	})
	return newest, err
}

// WorkLimit is the maximum work of one transaction on SQLite, where only one transaction writes at a time, so that no request delays
// other writes for long. A change that exceeds it is refused as a whole. internal/sqlstore/db/work.go has the weights; docs/running.md,
// "What fits into one transaction", has examples.
const WorkLimit = 3_200_000

// PostgresWork is the factor by which WorkLimit is higher on PostgreSQL, where several transactions write at the same time.
const PostgresWork = 4

// WorkStore measures how much of WorkLimit a transaction has used.
type WorkStore interface {
	// Work returns the work since the transaction began. It is 0 if work is not limited.
	Work() int64
}

// TooMuchAtOnce is the reason to refuse a change that exceeds WorkLimit.
var TooMuchAtOnce = refusal.NewReason(refusal.Invalid, "too_much_at_once",
	"This is too much for one transaction, during which others cannot write. Nothing was changed. "+
		"Divide it into several requests, or send it with onRefusal each where the operation has that")

// UnreadableError reports that a record in the database cannot be read, because the database has been edited directly.
type UnreadableError struct {
	Table string
	ID    string
	Err   error
}

func (e *UnreadableError) Error() string {
	return fmt.Sprintf("%s %s cannot be read: %v", e.Table, e.ID, e.Err)
}

func (e *UnreadableError) Unwrap() error { return e.Err }

// MemoryBudget is one request's share of the memory that all requests use. It is safe for concurrent use.
type MemoryBudget interface {
	// Take reserves bytes of the shared memory. If too few are left, it waits briefly for other requests to end, and then returns the
	// error for the caller of the request.
	Take(bytes int) error
	// TakeNow reserves bytes even if too few are left; other requests then wait for memory. It is for data that is in memory already,
	// such as the response of a committed change.
	TakeNow(bytes int)
	// Release declares bytes as unused. The request keeps them, since it may need as many again.
	Release(bytes int)
}

// The key of the budget in the context. The budget covers the whole request: everything that reads or renders for the request reserves
// memory from it.
type memoryBudgetKey struct{}

// WithMemoryBudget returns a context with the memory budget of its request. A View reserves memory from the budget for the data that it
// reads. It returns the memory at the end of the request; with Browse, at the next page of rows.
func WithMemoryBudget(ctx context.Context, budget MemoryBudget) context.Context {
	return context.WithValue(ctx, memoryBudgetKey{}, budget)
}

// MemoryBudgetOf returns the memory budget of the context's request, or an unlimited budget if there is none.
func MemoryBudgetOf(ctx context.Context) MemoryBudget {
	if budget, ok := ctx.Value(memoryBudgetKey{}).(MemoryBudget); ok {
		return budget
	}
	return unlimited{}
}

type unlimited struct{}

func (unlimited) Take(int) error { return nil }
func (unlimited) TakeNow(int)    {}
func (unlimited) Release(int)    {}

// Passing returns a context for one part of a long response. done releases the memory that the part reserved.
func Passing(ctx context.Context) (part context.Context, done func()) {
	passed := &passing{MemoryBudget: MemoryBudgetOf(ctx)}
	return WithMemoryBudget(ctx, passed), func() { passed.MemoryBudget.Release(int(passed.taken.Load())) }
}

type passing struct {
	MemoryBudget
	taken atomic.Int64
}

func (p *passing) Take(bytes int) error {
	err := p.MemoryBudget.Take(bytes)
	if err == nil {
		p.taken.Add(int64(bytes))
	}
	return err
}

func (p *passing) TakeNow(bytes int) {
	p.taken.Add(int64(bytes))
	p.MemoryBudget.TakeNow(bytes)
}

func (p *passing) Release(bytes int) {
	p.taken.Add(-int64(bytes))
	p.MemoryBudget.Release(bytes)
}
