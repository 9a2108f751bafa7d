package views

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// AuditQuery narrows a search for audit entries. Empty fields do not narrow.
type AuditQuery struct {
	Action   trail.Action    `query:"action"` // ActionSerialCompleted also finds completions by Advance to Step; see shop.ActionTold
	UserID   string          `query:"userId"`
	SerialID string          `query:"serialId"`
	JobID    string          `query:"jobId"`
	From     ident.Timestamp `query:"from"`   // at this time or later; 0 for no limit
	Until    ident.Timestamp `query:"until"`  // before this time; 0 for no limit
	Before   string          `query:"before"` // the identifier of an entry: only entries committed before it
	Limit    int64           `query:"limit"`  // NoLimit for all
	// History also finds the entry that records the creation of SerialID. That entry covers many serials, so it does not have the
	// identifier of any.
	History bool `query:"-"`
}

// auditWindow is the number of entries that one statement reads when no index helps.
const auditWindow = 20_000

// auditEffort is the maximum number of entries that AuditPage reads.
const auditEffort = 200_000

// auditWeight is the size of metadata in bytes from which AuditPage adds no further entry.
const auditWeight = 2 << 20

// SearchAudit yields the matching entries, newest first, in the order of commit.
func (v *Views) SearchAudit(ctx context.Context, query AuditQuery) iter.Seq2[trail.Entry, error] {
	return shop.Stream(ctx, v.store.Look, func(tx Reader) iter.Seq2[trail.Entry, error] {
		return func(yield func(trail.Entry, error) bool) {
			if _, err := searchAudit(tx, query, math.MaxInt64, yield); err != nil {
				yield(trail.Entry{}, err)
			}
		}
	})
}

// findAudit reads the entries that a search finds, and the cursor of the next page if more entries may follow. With a limit above
// input.SearchLimit, the entries are sent while they are read, without a cursor.
func findAudit(ctx context.Context, v *Views, _ *List, _ string, query AuditQuery) (Found, error) {
	listed := v.SearchAudit(ctx, query)
	if query.Limit > input.SearchLimit {
		return Found{Rows: RowsOf(listed)}, nil
	}
	entries, memory := []trail.Entry{}, shop.MemoryBudgetOf(ctx)
	for entry, err := range listed {
		if err == nil {
			err = memory.Take(len(entry.Metadata))
		}
		if err != nil {
			return Found{}, err
		}
		entries = append(entries, entry)
	}
	found := Found{Rows: RowsIn(entries, nil)}
	if count := len(entries); count > 0 && int64(count) == query.Limit {
		found.Next = entries[count-1].ID
	}
	return found, nil
}

// AuditPage is one page of a search of the trail.
type AuditPage struct {
	Entries []trail.Entry
	Next    string // the value of Before for the next page; "" for the last page
}

// AuditPage returns the entries of SearchAudit, a page at a time. It reads a bounded part of the trail, and stops early when the entries
// are long: a page may have fewer entries than the limit, even none, although more entries follow.
func (v *Views) AuditPage(ctx context.Context, query AuditQuery) (AuditPage, error) {
	var page AuditPage
	err := v.store.Look(ctx, func(tx Reader) error {
		page = AuditPage{Entries: []trail.Entry{}}
		weight := 0
		end, err := searchAudit(tx, query, auditEffort, func(entry trail.Entry, _ error) bool {
			page.Entries = append(page.Entries, entry)
			weight += len(entry.Metadata)
			return weight < auditWeight
		})
		if end > 1 {
			page.Next = ident.AuditID(end)
		}
		return err
	})
	return page, err
}

// searchAudit reads the trail backwards in windows and returns the sequence number that it reached.
func searchAudit(tx Reader, query AuditQuery, effort int64, yield func(trail.Entry, error) bool) (end int64, err error) {
	before := int64(math.MaxInt64)
	if query.Action != "" {
		if err := shop.CheckAction(query.Action, "action"); err != nil {
			return 0, err
		}
	}
	if query.Before != "" {
		sequence, ok := ident.AuditSequence(query.Before)
		if !ok {
			return 0, refusal.RefuseField(refusal.NotEntryID, "before")
		}
		before = sequence
	}
	newest, err := tx.LastAuditSequence()
	if err != nil {
		return 0, err
	}
	before = min(before, newest+1)
	first := before
	left := query.Limit
	indexed := query.SerialID != "" || query.JobID != ""
	const pageLimit = 1000
	for spent := int64(0); before > 1 && left > 0 && spent < effort; {
		after := int64(0)
		if !indexed {
			after = max(0, before-auditWindow-1)
		}
		limit := min(left, pageLimit)
		found, cut, err := tx.SearchAudit(query, after, before, limit)
		if err != nil {
			return 0, err
		}
		for _, entry := range found {
			if !yield(entry, nil) {
				end, _ = ident.AuditSequence(entry.ID)
				return end, nil
			}
		}
		left -= int64(len(found))
		next := after + 1
		if cut || int64(len(found)) == limit {
			next, _ = ident.AuditSequence(found[len(found)-1].ID)
		}
		spent += before - next
		before = next
	}
	if before > 1 || left < 1 || !query.History || query.SerialID == "" {
		return before, nil
	}
	// All entries of the serial itself have been read; its creation, which was committed before them, comes last.
	entry, known, err := query.creation(tx, first)
	if err == nil && known {
		yield(entry, nil)
	}
	return before, err
}

// creation returns the entry of the creation of the query's serial. known is false unless it matches and was committed before a sequence
// number.
func (q *AuditQuery) creation(tx Reader, before int64) (entry trail.Entry, known bool, err error) {
	card, err := tx.RouteCard(q.SerialID)
	if errors.Is(err, shop.ErrNoRecord) {
		return entry, false, nil
	}
	if err != nil {
		return entry, false, err
	}
	if entry, known, err = shop.Creation(tx, card.Serial); err != nil || !known {
		return entry, false, err
	}
	sequence, _ := ident.AuditSequence(entry.ID)
	matches := sequence < before && (q.Action == "" || q.Action == entry.Action) && (q.UserID == "" || q.UserID == entry.UserID) &&
		(q.JobID == "" || q.JobID == entry.JobID) && q.From <= entry.Timestamp && (q.Until == 0 || entry.Timestamp < q.Until)
	return entry, matches, nil
}

// AuditAfter returns the oldest entries above a sequence number, in the order of commit, at most limit. It returns fewer entries when their
// texts are long, but at least one entry if any exists.
func (v *Views) AuditAfter(ctx context.Context, sequence int64, limit int) ([]trail.Entry, error) {
	var entries []trail.Entry
	err := v.store.Look(ctx, func(tx Reader) (err error) {
		entries, err = tx.AuditAfter(sequence, limit)
		return err
	})
	return entries, err
}

// TakenBack returns, by the identifier of each given entry, the entry that undid it. Entries that were not undone are left out.
func (v *Views) TakenBack(ctx context.Context, entries []trail.Entry) (map[string]trail.Entry, error) {
	among, serials := map[string]bool{}, []string{}
	for _, entry := range entries {
		among[entry.ID] = true
		if entry.SerialID != "" {
			serials = append(serials, entry.SerialID)
		}
	}
	slices.Sort(serials)
	var takenBack map[string]trail.Entry
	err := v.store.Look(ctx, func(tx Reader) error {
		takenBack = map[string]trail.Entry{}
		undone, err := tx.UndoneOf(slices.Compact(serials))
		for _, entry := range undone {
			if id := replay.EntryUndoneBy(entry); among[id] {
				takenBack[id] = entry
			}
		}
		return err
	})
	return takenBack, err
}

// LastAuditSequence returns the sequence number of the newest audit entry, 0 for an empty trail.
func (v *Views) LastAuditSequence(ctx context.Context) (newest int64, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		newest, err = tx.LastAuditSequence()
		return err
	})
	return newest, err
}

// SequencesOfSerial returns the sequence numbers of the entries of a serial, oldest first, at most limit; none for an unknown serial.
func (v *Views) SequencesOfSerial(ctx context.Context, serialID string, limit int) (sequences []int64, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		sequences, err = tx.SequencesOfSerial(serialID, limit)
		return err
	})
	return sequences, err
}

// entriesAt returns the entries of a millisecond without a serial, in the order of commit. Times in the trail grow with its numbers, except
// for clock skew, so a binary search finds the place.
func entriesAt(tx Reader, at ident.Timestamp) (entries []trail.Entry, err error) {
	newest, err := tx.LastAuditSequence()
	if err != nil {
		return nil, err
	}
	after, high := int64(0), newest // the entries up to after are too early; the first entry that is late enough is above after
	for after < high {
		middle := after + (high-after)/2
		next, err := tx.AuditAfter(middle, 1)
		if err != nil {
			return nil, err
		}
		if len(next) == 0 || next[0].Timestamp >= at-ident.ClockSkew {
			high = middle
		} else {
			after = middle + 1
		}
	}
	for late := false; !late && after < newest; after += auditWindow {
		found, err := windowAt(tx, at, after)
		if err != nil {
			return nil, err
		}
		entries = append(entries, found...)
		next, err := tx.AuditAfter(after+auditWindow, 1)
		if err != nil {
			return nil, err
		}
		late = len(next) == 0 || next[0].Timestamp > at+ident.ClockSkew
	}
	return entries, nil
}

// windowAt returns the entries of a millisecond in one window of the trail.
func windowAt(tx Reader, at ident.Timestamp, after int64) (entries []trail.Entry, err error) {
	for before, cut := after+auditWindow+1, true; cut; {
		var found []trail.Entry
		if found, cut, err = tx.SearchAudit(AuditQuery{From: at, Until: at + 1}, after, before, auditWindow); err != nil {
			return nil, err
		}
		for _, entry := range found {
			before, _ = ident.AuditSequence(entry.ID)
			if entry.SerialID == "" {
				entries = append(entries, entry)
			}
		}
	}
	slices.Reverse(entries)
	return entries, nil
}

// TrailReader is the database access of searches of the audit trail.
type TrailReader interface {
	// SearchAudit returns the matching entries with sequence numbers between after and before, both excluded, newest first. It ignores the
	// query's own Before, Limit and History. The action serial_completed also finds the serial_advanced entries that record a completion.
	// It may return fewer entries than the limit when their texts are long: cut reports that more entries may follow.
	SearchAudit(query AuditQuery, after, before, limit int64) (entries []trail.Entry, cut bool, err error)
	// SequencesOfSerial returns the sequence numbers of a serial's entries, oldest first, at most limit.
	SequencesOfSerial(serialID string, limit int) ([]int64, error)
	// UndoneOf returns the change_undone entries of serials, in any order.
	UndoneOf(serialIDs []string) ([]trail.Entry, error)
}
