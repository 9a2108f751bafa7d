package shop_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// Entries with much metadata do not accumulate in memory, neither in a page of the trail nor in one read of a stream. Each entry is
// returned exactly once.
func TestLongEntriesDoNotPileUp(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	metadata := []byte(`{"text":"` + strings.Repeat("x", 1<<20) + `"}`)
	const heavy, most = 12, 5 // five exceed the size of one read
	shoptest.Must(0, s.Store.Update(t.Context(), func(tx shop.Tx) error {
		for range heavy {
			if err := tx.AppendAudit(trail.Entry{Action: card.ActionPathUpdated, UserID: "ann", Metadata: metadata}); err != nil {
				return err
			}
		}
		return nil
	}))
	next, left := "", int64(heavy)
	for left > 0 {
		page := shoptest.Must(s.AuditPage(t.Context(), views.AuditQuery{Before: next, Limit: 100}))
		if len(page.Entries) == 0 || len(page.Entries) > most {
			t.Fatalf("a page of %d entries of 1 MiB", len(page.Entries))
		}
		for i := range page.Entries {
			if want := ident.AuditID(left); page.Entries[i].ID != want {
				t.Fatalf("entry %s, want %s", page.Entries[i].ID, want)
			}
			left--
		}
		next = page.Next
	}
	if next != "" {
		t.Errorf("there is more before %s", next)
	}
	if found := shoptest.Collect(s.SearchAudit(t.Context(), views.AuditQuery{Limit: shop.NoLimit})); len(found) != heavy {
		t.Errorf("a search finds %d entries of %d", len(found), heavy)
	}
	for after := int64(0); after < heavy; {
		found := shoptest.Must(s.AuditAfter(t.Context(), after, 200))
		if len(found) == 0 || len(found) > most {
			t.Fatalf("%d entries of 1 MiB at once", len(found))
		}
		for i := range found {
			if after++; found[i].ID != ident.AuditID(after) {
				t.Fatalf("entry %s, want %s", found[i].ID, ident.AuditID(after))
			}
		}
	}
}

// Read from the newest entry on, the history of a unit ends with its creation, for any page size. Each entry is returned exactly once.
// Other filters apply to the creation as to every entry.
func TestHistoryOfAUnitHasItsCreation(t *testing.T) {
	t.Parallel()
	l := newLine(t, "flexible", "preferred", "preferred", "preferred", "preferred")
	ctx := t.Context()
	create := func(quantity float64) string {
		l.Tick()
		return ident.DefaultPrefix.SerialID(shoptest.Must(l.CreateSerials(ctx, shop.CreateSerialsInput{
			JobID: shoptest.Given(l.path.JobID), PathID: shoptest.Given(l.path.ID), Quantity: shoptest.Number(quantity), CertID: shoptest.Given(l.cert), UserID: shoptest.Given("ann"),
		})).First)
	}
	before, unit, after := create(3), create(3), create(2)
	for _, id := range []string{before, unit, after, unit, unit} {
		l.Tick()
		shoptest.Must(l.AdvanceSerial(ctx, id, shop.AdvanceSerialInput{UserID: shoptest.Given("bob")}))
	}
	untouched := unit[:len(unit)-1] + string(unit[len(unit)-1]+1)
	shoptest.Must(l.AdvanceSerial(ctx, untouched, shop.AdvanceSerialInput{UserID: shoptest.Given("bob")}))

	ids := func(entries []trail.Entry) (ids []string) {
		for _, entry := range entries {
			ids = append(ids, entry.ID)
		}
		return ids
	}
	entries := slices.Clone(shoptest.Must(l.Card(ctx, unit)).Trail)
	if len(entries) != 5 || entries[0].Action != card.ActionSerialCreated {
		t.Fatalf("the card has %d entries, the first of %s", len(entries), entries[0].Action)
	}
	created := entries[0]
	slices.Reverse(entries)
	query := views.AuditQuery{SerialID: unit, History: true, Limit: shop.NoLimit}
	if found := ids(shoptest.Collect(l.SearchAudit(ctx, query))); !slices.Equal(found, ids(entries)) {
		t.Errorf("a search finds %v, want %v", found, ids(entries))
	}
	for limit := int64(1); limit <= 7; limit++ {
		var found []trail.Entry
		query, pages := query, 0
		for query.Limit = limit; ; pages++ {
			page := shoptest.Must(l.AuditPage(ctx, query))
			if found = append(found, page.Entries...); int64(len(page.Entries)) > limit || pages > 10 {
				t.Fatalf("page %d of %d has %d entries", pages, limit, len(page.Entries))
			}
			if query.Before = page.Next; page.Next == "" {
				break
			}
		}
		if !slices.Equal(ids(found), ids(entries)) {
			t.Errorf("by %d: %v, want %v", limit, ids(found), ids(entries))
		}
	}

	for name, test := range map[string]struct {
		change func(*views.AuditQuery)
		want   bool
	}{
		"its action":       {func(q *views.AuditQuery) { q.Action = card.ActionSerialCreated }, true},
		"another action":   {func(q *views.AuditQuery) { q.Action = card.ActionSerialAdvanced }, false},
		"its user":         {func(q *views.AuditQuery) { q.UserID = "ann" }, true},
		"another user":     {func(q *views.AuditQuery) { q.UserID = "bob" }, false},
		"its job":          {func(q *views.AuditQuery) { q.JobID = l.path.JobID }, true},
		"another job":      {func(q *views.AuditQuery) { q.JobID = "job_9" }, false},
		"from then":        {func(q *views.AuditQuery) { q.From = created.Timestamp }, true},
		"from later":       {func(q *views.AuditQuery) { q.From = created.Timestamp + 1 }, false},
		"until later":      {func(q *views.AuditQuery) { q.Until = created.Timestamp + 1 }, true},
		"until then":       {func(q *views.AuditQuery) { q.Until = created.Timestamp }, false},
		"before itself":    {func(q *views.AuditQuery) { q.Before = created.ID }, false},
		"no history":       {func(q *views.AuditQuery) { q.History = false }, false},
		"an unknown unit":  {func(q *views.AuditQuery) { q.SerialID = "SN-99999" }, false},
		"no unit":          {func(q *views.AuditQuery) { q.SerialID = "banana" }, false},
		"a whole job":      {func(q *views.AuditQuery) { q.SerialID, q.JobID = "", l.path.JobID }, true},
		"its last sibling": {func(q *views.AuditQuery) { q.SerialID = untouched }, true},
	} {
		query := query
		test.change(&query)
		times := 0
		for _, entry := range shoptest.Collect(l.SearchAudit(ctx, query)) {
			if entry.ID == created.ID {
				times++
			}
		}
		if (times == 1) != test.want || times > 1 {
			t.Errorf("%s: the creation is found %d times, want it: %t", name, times, test.want)
		}
	}
}
