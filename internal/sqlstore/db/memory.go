package db

import (
	"context"
	"reflect"

	"github.com/routecard/routecard/shop"
)

// Memory counts the bytes, out of its request's budget, of results that the caller of a View may still hold.
type Memory struct {
	budget shop.MemoryBudget // nil if results are not counted
	// browsing is set if the next read replaces the previous result. Until then the caller has also read other data for its rows and
	// written the response, so each result counts twice.
	browsing bool
	last     int // size of the last result
}

// MemoryOf returns the memory of a View, which counts against the budget of its request.
func MemoryOf(ctx context.Context, browse bool) Memory {
	return Memory{budget: shop.MemoryBudgetOf(ctx), browsing: browse}
}

// countedBy returns the Memory against which the results of a querier count, or nil if they are not counted.
func countedBy(q Querier) *Memory {
	if t, ok := q.(interface{ Counted() *Memory }); ok {
		return t.Counted()
	}
	return nil
}

// countedAtOnce is the number of bytes of a result after which they are counted.
const countedAtOnce = 32 << 10

// Weighed counts the bytes of a result. It counts the texts that are scanned into a plain string. These include every text that may be
// long.
type Weighed struct {
	Rows
	Texts   int
	Records int // bytes of the records, without the texts
	Size    int // the size of one record
	memory  *Memory
	counted int
}

// Weigh starts counting a result.
func Weigh[T any](q Querier, result Rows) *Weighed {
	w := &Weighed{Rows: result, memory: countedBy(q)}
	if w.memory == nil {
		return w
	}
	w.Size = 2 * int(reflect.TypeFor[T]().Size()) // a growing slice may have as much capacity again in reserve
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

// Take reserves memory for what was read since the last call, if that is a large amount or the result has ended.
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
