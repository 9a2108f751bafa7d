package shop

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// Store keeps everything. It is safe for concurrent use; package internal/storetest says, as a test suite, what a
// store has to promise.
type Store interface {
	// View runs read on one consistent snapshot, taken when it first reads. The Reader refuses to write, and must not
	// be used after read returns.
	View(ctx context.Context, read func(Reader) error, options ...ViewOption) error

	// Update runs change in one transaction. When it returns nil the changes are durable; when it returns an error
	// nothing of them remains, nor when change panics, which its caller sees. A statement that fails fails the Update,
	// also when change carries on. Updates behave as if they ran one after the other.
	// change may run more than once and must not keep anything from a run that was not the last.
	Update(ctx context.Context, change func(Tx) error, options ...UpdateOption) error

	// ChangeCard loads the route card of one serial, hands it to change, and commits what it returns, with the same
	// promises as Update. It exists because it is nearly everything a shop does all day: change reads nothing else,
	// so a store may load and write the cards of many callers together.
	// It returns ErrNoRecord when there is no such serial. change may run more than once and must not block.
	ChangeCard(ctx context.Context, serialID string, change func(card.Card) (card.Change, error)) error

	// SerialDetail reads what Get Serial answers, as of one moment; ErrNoRecord when there is no such serial. It exists
	// because it is nearly everything that is asked all day: a store may keep the answer for as long as it is true. What
	// it returns must not be changed.
	SerialDetail(ctx context.Context, serialID string) (SerialDetail, error)

	// Version identifies the state of the list of all records of a kind, RecordJob or RecordSerial: it differs from every earlier
	// one once anything changed that a row shows, including the names of the job, path and step of a unit. Refused changes, reads,
	// changes made aside and changes of other kinds leave it as it is, as long as the store is open. It may also differ
	// without such a change. What is read afterwards is at least as new as the state it identifies. A change of a unit must come
	// with an entry about the unit.
	Version(ctx context.Context, of ident.RecordKind) (string, error)

	// Ready reports why the store cannot answer reads and writes just now, or nil.
	Ready(ctx context.Context) error

	// Close waits for what is under way and releases the store; from then on everything else returns an error. It may
	// be called more than once.
	Close() error
}

// Reader is a View's transaction: beside the nouns it has what the views need, each declared in the file of its view. No
// operation that changes something uses those.
type Reader interface {
	Tx
	CountReader
	IdentifierReader
	NumberReader
}

// ViewOption says in what a View differs from the others.
type ViewOption int

// Browse is for a View without a snapshot: each statement sees what is committed when it runs, and between two statements
// the View occupies nothing. A long list is read so, page by page. Its client may be slow, and would otherwise occupy a
// connection that others wait for, and keep the store from forgetting what has been replaced since.
const Browse ViewOption = 1

// UpdateOption says in what an Update differs from the others.
type UpdateOption int

// The ways in which an Update can differ.
const (
	// Aside is for an Update that adds nothing to the trail and writes only what no answer shows, such as a probe or when a
	// session was last used. The store's Version stays as it is.
	Aside UpdateOption = iota + 1
	// Alone is for an Update that may write for longer than the others that wait: it is committed by itself, behind them.
	Alone
)

// ErrNoRecord is what a Store answers when a record it was asked for does not exist.
var ErrNoRecord = errors.New("no such record")

// ErrDuplicate is what a Store answers when a record with the same unique name exists already.
var ErrDuplicate = errors.New("duplicate record")

// OrNotFound turns a store's ErrNoRecord into the contract's 404 message and passes every other error on.
func OrNotFound(err error, name refusal.RecordName, id string) error {
	if errors.Is(err, ErrNoRecord) {
		return name.NotFound(id)
	}
	return err
}

// IdentifierReader knows the identifiers that were made.
type IdentifierReader interface {
	// NewestIdentifier returns the sortable part of the newest identifier of any record; "" when there is none.
	NewestIdentifier() (string, error)
}

// NumberReader finds the last numbers that were given out.
type NumberReader interface {
	NumbersTaken() (NumbersTaken, error)
	// UnhashedEntries is how many entries of the trail are from before entries told the hashes of contents.
	UnhashedEntries() (int64, error)
}

// NumbersTaken are the last numbers that were given out of each kind of record that is numbered; 0 when none was.
type NumbersTaken struct{ Serials, Nonconformances int64 }

// NewestIdentifier is where NewIdentifiersAfter has to go on.
func NewestIdentifier(ctx context.Context, store Store) (newest string, err error) {
	err = store.View(ctx, func(tx Reader) error {
		newest, err = tx.NewestIdentifier()
		return err
	})
	return newest, err
}

// WorkLimit is how much work one transaction does at most on SQLite, where one writes at a time, so that no request keeps others from
// writing for long. A change beyond it is refused as a whole. internal/sqlstore/db/work.go has the weights; docs/running.md, "What fits
// into one transaction", has examples.
const WorkLimit = 3_200_000

// PostgresWork is how many times as much one transaction may do on PostgreSQL, where others write beside it.
const PostgresWork = 4

// WorkStore says how much of WorkLimit a transaction has used.
type WorkStore interface {
	// Work returns the work since the transaction began. It is 0 where work is not limited.
	Work() int64
}

// TooMuchAtOnce is why a change is refused that goes beyond WorkLimit.
var TooMuchAtOnce = refusal.NewReason(refusal.Invalid, "too_much_at_once",
	"This is too much for one transaction, during which others cannot write. Nothing was changed. "+
		"Divide it into several requests, or send it with onRefusal each where the operation has that")

// UnreadableError says that what a database has of one record cannot be read, because somebody has edited it.
type UnreadableError struct {
	Table string
	ID    string
	Err   error
}

func (e *UnreadableError) Error() string {
	return fmt.Sprintf("%s %s cannot be read: %v", e.Table, e.ID, e.Err)
}

func (e *UnreadableError) Unwrap() error { return e.Err }

// MemoryBudget is what one request may use of the memory that all requests share. It is safe for concurrent use.
type MemoryBudget interface {
	// Take takes bytes from the shared memory. When too few are left it waits briefly for other requests to end, and then
	// returns the error that the caller of the request is told.
	Take(bytes int) error
	// TakeNow takes bytes although too few may be left, and other requests wait for them. It is for what is in memory
	// already, such as the answer to a change that was committed.
	TakeNow(bytes int)
	// Release says that bytes are no longer in use. They stay with the request, which may need as many again.
	Release(bytes int)
}

// The budget stays in the context: it belongs to the whole request, and everything that reads or renders for the request
// takes from it.
type memoryBudgetKey struct{}

// WithMemoryBudget returns a context with the memory budget of its request. A View under it takes the memory of what it
// reads from the budget, and returns it at the request's end; with Browse, at the next page of rows.
func WithMemoryBudget(ctx context.Context, budget MemoryBudget) context.Context {
	return context.WithValue(ctx, memoryBudgetKey{}, budget)
}

// MemoryBudgetOf returns the memory budget of the request that a context belongs to, and an unlimited one for every other
// context.
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

// Passing returns a context for one part of a long answer. done releases what was taken under it.
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
