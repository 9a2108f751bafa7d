package sqlstore

import (
	"context"
	"reflect"

	"github.com/routecard/routecard/shop"
)

// held is what a View has read and its caller may still have.
type held struct {
	by shop.Holding // nil where nobody counts
	// browsing is set where a result is forgotten when the next one is read. Until then something was looked up for its
	// rows and their answer was written, so that it counts twice.
	browsing bool
	last     int // of the last result
}

func holding(ctx context.Context) held {
	return held{by: shop.HoldingOf(ctx), browsing: shop.IsBrowsing(ctx)}
}

// heldBy is where the results of a querier count.
func heldBy(q querier) *held {
	if t, ok := q.(*transaction); ok && t.held.by != nil {
		return &t.held
	}
	return nil
}

// heldAtOnce is how much of a result is read before it is counted.
const heldAtOnce = 32 << 10

// weighed counts the bytes of the plain texts that are scanned. Those that may be long are.
type weighed struct {
	rows
	texts   int
	records int // bytes beside the texts
	size    int // of one record
	held    *held
	counted int
}

// weigh begins to count a result.
func weigh[T any](q querier, result rows) *weighed {
	w := &weighed{rows: result, held: heldBy(q)}
	if w.held == nil {
		return w
	}
	w.size = 2 * int(reflect.TypeFor[T]().Size()) // a list that grows has as much in reserve
	if w.held.browsing {
		w.held.by.Release(w.held.last)
		w.held.last = 0
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

// hold counts what was read, when it is more than a little or the result has ended.
func (w *weighed) hold(ended bool) error {
	if w.held == nil {
		return nil
	}
	more := w.texts + w.records
	if w.held.browsing {
		more *= 2
	}
	more -= w.counted
	if more == 0 || more < heldAtOnce && !ended {
		return nil
	}
	if err := w.held.by.Hold(more); err != nil {
		return err
	}
	w.counted += more
	if w.held.browsing {
		w.held.last += more
	}
	return nil
}
