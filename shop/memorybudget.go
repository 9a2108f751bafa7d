package shop

import (
	"context"
	"sync/atomic"
)

// Holding is what one request holds of the memory that all requests share. It is safe for concurrent use.
type Holding interface {
	// Hold takes more bytes. While others have them it waits briefly, and then returns what the caller is told.
	Hold(bytes int) error
	// Owe takes more bytes whoever has them: for what is there already, such as the answer to a change that was committed.
	// Others wait for it.
	Owe(bytes int)
	// Release says that bytes are not held any more. They stay with the request, which may need as much again.
	Release(bytes int)
}

type holdingKey struct{}

// WithHolding marks a context with the memory of its request. A View under it holds what it reads: until the request ends,
// or, under Browsing, until it reads on.
func WithHolding(ctx context.Context, holding Holding) context.Context {
	return context.WithValue(ctx, holdingKey{}, holding)
}

// HoldingOf returns the memory of the request that a context belongs to; for every other context one without an end.
func HoldingOf(ctx context.Context) Holding {
	if holding, ok := ctx.Value(holdingKey{}).(Holding); ok {
		return holding
	}
	return endless{}
}

type endless struct{}

func (endless) Hold(int) error { return nil }
func (endless) Owe(int)        {}
func (endless) Release(int)    {}

// Passing marks a context under which a View holds what it reads until done is called: for a part of a long answer.
func Passing(ctx context.Context) (part context.Context, done func()) {
	passed := &passing{Holding: HoldingOf(ctx)}
	return WithHolding(ctx, passed), func() { passed.Holding.Release(int(passed.held.Load())) }
}

type passing struct {
	Holding
	held atomic.Int64
}

func (p *passing) Hold(bytes int) error {
	err := p.Holding.Hold(bytes)
	if err == nil {
		p.held.Add(int64(bytes))
	}
	return err
}

func (p *passing) Owe(bytes int) {
	p.held.Add(int64(bytes))
	p.Holding.Owe(bytes)
}

func (p *passing) Release(bytes int) {
	p.held.Add(-int64(bytes))
	p.Holding.Release(bytes)
}
