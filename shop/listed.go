package shop

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// takeListed looks up the serials that a request lists, many of them in the order of their numbers: rows lie in that
// order, so that a long list in no order touches each page of the database once. As long as no serial is refused, the
// cards are handed over, a thousand at a time, each once however often it is listed. Of those that are refused the first
// of the list decides.
func takeListed(
	ctx context.Context, tx CardStore, listed []string, missing refusal.RecordName, refuse func(card.Card) error,
	take func([]card.Card) error,
) error {
	first := placesIn(listed)
	refusedAt, refusal := len(listed), error(nil)
	for chunk := range slices.Chunk(inKeyOrder(first), ChunkSize) {
		if err := ctx.Err(); err != nil {
			return err // nobody waits for it any more
		}
		chunk = slices.DeleteFunc(chunk, func(id string) bool { return first[id] > refusedAt })
		found, err := tx.RouteCards(chunk)
		if err != nil {
			return err
		}
		cards := make([]card.Card, 0, len(chunk))
		for _, id := range chunk {
			card, exists := found[id]
			var refused error = missing.NotFound(id)
			if exists {
				refused = refuse(card)
			}
			if refused != nil && first[id] < refusedAt {
				refusedAt, refusal = first[id], refused
			}
			cards = append(cards, card)
		}
		if refusal != nil {
			continue
		}
		if err := take(cards); err != nil {
			return err
		}
	}
	return refusal
}

// aloneIf returns the option Alone for an operation on many serials, and none for an operation on few.
func aloneIf(serials int) []UpdateOption {
	if serials > ChunkSize {
		return []UpdateOption{Alone}
	}
	return nil
}

// listedWeight is how many bytes an operation on many serials has of each: its card, what becomes of it, and the answer.
const listedWeight = 600

// takeMemoryFor takes the memory for an operation on so many serials. An operation calls it before it changes anything,
// since afterwards it could not report that there is too little.
func takeMemoryFor(ctx context.Context, serials int) error {
	return MemoryBudgetOf(ctx).Take(listedWeight * min(serials, selectionLimit))
}

// takeMemory takes the memory for an operation on the serials of a selection, which lists them or says how many it expects.
func (in SelectionInput) takeMemory(ctx context.Context) error {
	expected := int(min(max(in.ExpectedCount.Value, 0), selectionLimit))
	return takeMemoryFor(ctx, max(expected, len(in.SerialIDs.Value)))
}

// placesIn returns where in a list each of its items comes first.
func placesIn(listed []string) map[string]int {
	first := make(map[string]int, len(listed))
	for i, id := range slices.Backward(listed) {
		first[id] = i
	}
	return first
}

// inKeyOrder returns listed serials, each once: those of a long list sorted by their numbers, behind texts that are
// not the identifier of a serial; those of a short list in its order.
func inKeyOrder(first map[string]int) []string {
	serialIDs := slices.Collect(maps.Keys(first))
	if len(serialIDs) <= ChunkSize {
		slices.SortFunc(serialIDs, func(a, b string) int { return cmp.Compare(first[a], first[b]) })
		return serialIDs
	}
	type key struct {
		number int64
		id     string
	}
	keys := make([]key, len(serialIDs))
	for i, id := range serialIDs {
		keys[i].id = id
		keys[i].number, _ = ident.ParseSerialID(id)
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.id, b.id))
	})
	for i := range keys {
		serialIDs[i] = keys[i].id
	}
	return serialIDs
}
