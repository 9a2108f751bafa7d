package db

import (
	"context"
	"reflect"

	"github.com/routecard/routecard/shop"
)

// Memory is what a View has taken of its request's budget for results that its caller may still have.
type Memory struct {
	budget shop.MemoryBudget // nil where nothing is counted
	// browsing is set where a result is forgotten when the next one is read. Until then something was looked up for its
	// rows and their answer was written, so that it counts twice.
	browsing bool
	last     int // taken for the last result
}

// MemoryOf returns the memory of a View: what it takes counts for the budget of its request.
func MemoryOf(ctx context.Context, browse bool) Memory {
	return Memory{budget: shop.MemoryBudgetOf(ctx), browsing: browse}
}

// countedBy returns the memory for which the results of a querier count, nil for none.
func countedBy(q Querier) *Memory {
	if t, ok := q.(interface{ Counted() *Memory }); ok {
		return t.Counted()
	}
	return nil
}

// countedAtOnce is how many bytes of a result are read before they are counted.
const countedAtOnce = 32 << 10

// Weighed counts the bytes of a result. It counts those texts that are scanned into a plain string, as all texts are
// that may be long.
type Weighed struct {
	Rows
	Texts   int
	Records int // bytes beside the texts
	Size    int // of one record
	memory  *Memory
	counted int
}

// Weigh begins to count a result.
func Weigh[T any](q Querier, result Rows) *Weighed {
	w := &Weighed{Rows: result, memory: countedBy(q)}
	if w.memory == nil {
		return w
	}
	w.Size = 2 * int(reflect.TypeFor[T]().Size()) // a list that grows has as much in reserve
	if w.memory.browsing {
		w.memory.budget.Release(w.memory.last)
		w.memory.last = 0
	}
	return w
}

// Scan scans a row and counts it.
func (w *Weighed) Scan(destinations ...any) error {
	err := w.Rows.Scan(destinations...)
	for _, destination := range destinations {
		if text, ok := destination.(*string); ok {
			w.Texts += len(*text)
		}
	}
	w.Records += w.Size
	return err
}

// Take takes memory for what was read since the last time, when that is much or the result has ended.
func (w *Weighed) Take(ended bool) error {
	if w.memory == nil {
		return nil
	}
	more := w.Texts + w.Records
	if w.memory.browsing {
		more *= 2
	}
	more -= w.counted
	if more == 0 || more < countedAtOnce && !ended {
		return nil
	}
	if err := w.memory.budget.Take(more); err != nil {
		return err
	}
	w.counted += more
	if w.memory.browsing {
		w.memory.last += more
	}
	return nil
}
