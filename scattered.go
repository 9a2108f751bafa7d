package routecard

import (
	"cmp"
	"context"
	"maps"
	"slices"
)

// takeListed looks up the serials that a request lists, in the order of their numbers: rows lie in that order, so that
// a long list in no order touches each page of the database once, and two lists never wait for each other. As long as
// no serial is refused, the cards are handed over, a thousand at a time, each once however often it is listed. Of those
// that are refused the first of the list decides.
func takeListed(
	ctx context.Context, tx Tx, listed []string, missing string, refuse func(RouteCard) error, take func([]RouteCard) error,
) error {
	first := firstOf(listed)
	refusedAt, refusal := len(listed), error(nil)
	for chunk := range slices.Chunk(inKeyOrder(slices.Collect(maps.Keys(first))), chunkSize) {
		if err := ctx.Err(); err != nil {
			return err // nobody waits for it any more
		}
		chunk = slices.DeleteFunc(chunk, func(id string) bool { return first[id] > refusedAt })
		found, err := tx.RouteCards(chunk)
		if err != nil {
			return err
		}
		cards := make([]RouteCard, 0, len(chunk))
		for _, id := range chunk {
			card, exists := found[id]
			var refused error = notFound(missing, id)
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

// firstOf returns where in a list each of its items comes first.
func firstOf(listed []string) map[string]int {
	first := make(map[string]int, len(listed))
	for i, id := range slices.Backward(listed) {
		first[id] = i
	}
	return first
}

// inKeyOrder sorts identifiers of serials by their numbers, in place. What is no such identifier comes first.
func inKeyOrder(serialIDs []string) []string {
	type key struct {
		number int64
		id     string
	}
	keys := make([]key, len(serialIDs))
	for i, id := range serialIDs {
		keys[i].id = id
		keys[i].number, _ = ParseSerialID(id)
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.id, b.id))
	})
	for i := range keys {
		serialIDs[i] = keys[i].id
	}
	return serialIDs
}
