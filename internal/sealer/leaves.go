package sealer

import (
	"context"
	"encoding/json"
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/routecard/routecard"
	"github.com/routecard/routecard/ledger"
)

// leafMaker makes leaves of entries. What it returns is valid until the next call.
type leafMaker struct {
	maker ledger.LeafMaker
}

// leaf makes the leaf of an entry, of the same JSON that the interface answers. When the entry cannot be one, which only
// somebody who edits the database can bring about, it says why.
func (m *leafMaker) leaf(entry *routecard.AuditEntry) (leaf []byte, wrong string) {
	text, err := json.Marshal(entry)
	if err != nil {
		return nil, "its metadata is no JSON"
	}
	leaf, err = m.maker.Leaf(text)
	if err != nil {
		return nil, err.Error()
	}
	return leaf, ""
}

// indexOf is the index of the leaf of an entry; negative for what stands before the first entry, where nothing can be.
func indexOf(entry *routecard.AuditEntry) int64 {
	sequence, err := strconv.ParseInt(strings.TrimPrefix(entry.ID, "aud_"), 10, 64)
	if err != nil {
		return math.MinInt64
	}
	return sequence - 1
}

// pageSize is how many entries are read at a time.
const pageSize = 1000

// TrailReader is what entries are read from.
type TrailReader interface {
	AuditAfter(sequence int64, limit int) ([]routecard.AuditEntry, error)
}

// Entries yields the whole trail, as leaves, page by page.
func Entries(read func(after int64, limit int) ([]routecard.AuditEntry, error)) iter.Seq2[ledger.Entry, error] {
	return func(yield func(ledger.Entry, error) bool) {
		var maker leafMaker
		after := int64(math.MinInt64)
		for {
			entries, err := read(after, pageSize)
			if err != nil {
				yield(ledger.Entry{}, err)
				return
			}
			for i := range entries {
				entry := ledger.Entry{Index: indexOf(&entries[i])}
				entry.Leaf, entry.Wrong = maker.leaf(&entries[i])
				after = entry.Index + 1
				if !yield(entry, nil) {
					return
				}
			}
			if len(entries) == 0 {
				return
			}
		}
	}
}

// viewing reads pages of a trail that others add to, each on a snapshot of its own: what is there never changes.
func viewing(ctx context.Context, store routecard.Store) func(after int64, limit int) ([]routecard.AuditEntry, error) {
	return func(after int64, limit int) (entries []routecard.AuditEntry, err error) {
		err = store.View(ctx, func(tx routecard.Reader) error {
			entries, err = tx.AuditAfter(after, limit)
			return err
		})
		return entries, err
	}
}
