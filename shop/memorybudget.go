package shop

import (
	"context"
	"sync/atomic"
)

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
