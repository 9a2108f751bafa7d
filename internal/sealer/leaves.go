package sealer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// leafMaker makes leaves of entries. A returned leaf is valid until the next call.
type leafMaker struct {
	maker ledger.LeafMaker
	text  []byte
}

// leaf makes the leaf of an entry, from the JSON of the interface. If the entry cannot be a leaf, which only an edit of the database can
// cause, it returns the reason.
func (m *leafMaker) leaf(entry *trail.Entry) (leaf []byte, wrong string) {
	if m.plain(entry) {
		return m.text, ""
	}
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

// plain writes the leaf of an entry whose texts need no escapes, as in nearly all entries. It is four times as fast as writing and reading
// JSON. It returns false if the entry needs the slower method. The members of a leaf are sorted.
func (m *leafMaker) plain(entry *trail.Entry) bool {
	m.text = append(m.text[:0], '{')
	ok := m.member("action", string(entry.Action), true) && m.member("actor", entry.Actor, false)
	if entry.BatchQuantity != 0 {
		if entry.BatchQuantity < 0 || entry.BatchQuantity > 1<<53 {
			return false
		}
		m.text = append(m.text, `,"batchQuantity":`...)
		m.text = strconv.AppendInt(m.text, entry.BatchQuantity, 10)
	}
	ok = ok && m.member("certId", entry.CertID, false) && m.member("fromStepId", entry.FromStepID, false) &&
		m.member("id", entry.ID, true) && m.member("jobId", entry.JobID, false) &&
		m.member("means", entry.Means, false)
	if len(entry.Metadata) > 0 {
		canonical, err := ledger.Canonical(entry.Metadata)
		if err != nil {
			return false
		}
		digest := sha256.Sum256(canonical)
		m.text = append(m.text, `,"metadataSha256":"`...)
		m.text = append(hex.AppendEncode(m.text, digest[:]), '"')
	}
	ok = ok && m.member("pathId", entry.PathID, false) && m.member("serialId", entry.SerialID, false) &&
		m.member("stepId", entry.StepID, false)
	m.text = append(m.text, `,"timestamp":"`...)
	var err error
	m.text, err = entry.Timestamp.AppendText(m.text)
	m.text = append(m.text, '"')
	ok = ok && err == nil && m.member("toStepId", entry.ToStepID, false) && m.member("userId", entry.UserID, true)
	m.text = append(m.text, '}')
	return ok && len(m.text) <= longestPlain
}

// longestPlain is less than the maximum length of a leaf.
const longestPlain = 1 << 12

// member writes a member whose text needs no escapes, unless it is empty and may be absent.
func (m *leafMaker) member(name, text string, always bool) bool {
	if text == "" && !always {
		return true
	}
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	if len(m.text) > 1 {
		m.text = append(m.text, ',')
	}
	m.text = append(append(append(m.text, '"'), name...), `":"`...)
	m.text = append(append(m.text, text...), '"')
	return true
}

// indexOf returns the index of the leaf of an entry; negative for a row before the first entry, which only an edit of the database can add.
func indexOf(entry *trail.Entry) int64 {
	sequence, err := strconv.ParseInt(strings.TrimPrefix(entry.ID, "aud_"), 10, 64)
	if err != nil {
		return math.MinInt64
	}
	return sequence - 1
}

// pageSize is the number of entries that are read at a time.
const pageSize = 1000

// TrailReader reads entries.
type TrailReader interface {
	AuditAfter(sequence int64, limit int) ([]trail.Entry, error)
}

// Entries yields the whole trail, as leaves, page by page.
func Entries(read func(after int64, limit int) ([]trail.Entry, error)) iter.Seq2[ledger.Entry, error] {
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

// viewing reads pages of a trail that others add to, each on a snapshot of its own: existing entries never change.
func viewing(ctx context.Context, store shop.Store) func(after int64, limit int) ([]trail.Entry, error) {
	return func(after int64, limit int) (entries []trail.Entry, err error) {
		err = store.View(ctx, func(tx shop.Reader) error {
			entries, err = tx.AuditAfter(after, limit)
			return err
		})
		return entries, err
	}
}
