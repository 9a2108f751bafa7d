package sqlstore

import (
	"context"
	"reflect"

	"github.com/routecard/routecard/shop"
)

// memory is what a View has taken of its request's budget for results that its caller may still have.
type memory struct {
	budget shop.MemoryBudget // nil where nothing is counted
	// browsing is set where a result is forgotten when the next one is read. Until then something was looked up for its
	// rows and their answer was written, so that it counts twice.
	browsing bool
	last     int // taken for the last result
}

func memoryOf(ctx context.Context, browse bool) memory {
	return memory{budget: shop.MemoryBudgetOf(ctx), browsing: browse}
}

// countedBy returns the memory for which the results of a querier count, nil for none.
func countedBy(q querier) *memory {
	if t, ok := q.(*transaction); ok && t.memory.budget != nil {
		return &t.memory
	}
	return nil
}

// countedAtOnce is how many bytes of a result are read before they are counted.
const countedAtOnce = 32 << 10

// weighed counts the bytes of a result. It counts those texts that are scanned into a plain string, as all texts are
// that may be long.
type weighed struct {
	rows
	texts   int
	records int // bytes beside the texts
	size    int // of one record
	memory  *memory
	counted int
}

// weigh begins to count a result.
func weigh[T any](q querier, result rows) *weighed {
	w := &weighed{rows: result, memory: countedBy(q)}
	if w.memory == nil {
		return w
	}
	w.size = 2 * int(reflect.TypeFor[T]().Size()) // a list that grows has as much in reserve
	if w.memory.browsing {
		w.memory.budget.Release(w.memory.last)
		w.memory.last = 0
	}
	return w
}

func (w *weighed) Scan(destinations ...any) error {
	err := w.rows.Scan(destinations...)
	for _, destination := range destinations {
		if text, ok := destination.(*string); ok {
			w.texts += len(*text)
		}
	}
	w.records += w.size
	return err
}

// take takes memory for what was read since the last time, when that is much or the result has ended.
func (w *weighed) take(ended bool) error {
	if w.memory == nil {
		return nil
	}
	more := w.texts + w.records
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
