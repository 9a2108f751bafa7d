package routecard_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard"
)

// Entries with much metadata do not pile up: neither in a page of the trail, nor in what a stream reads at a time. No
// entry is lost by that, and none is told twice.
func TestLongEntriesDoNotPileUp(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	metadata := []byte(`{"text":"` + strings.Repeat("x", 1<<20) + `"}`)
	const heavy, most = 12, 5 // five come to more than what is read at a time
	must(0, s.store.Update(t.Context(), func(tx routecard.Tx) error {
		for range heavy {
			if err := tx.AppendAudit(routecard.AuditEntry{Action: routecard.ActionPathUpdated, UserID: "ann", Metadata: metadata}); err != nil {
				return err
			}
		}
		return nil
	}))
	next, left := "", int64(heavy)
	for left > 0 {
		page := must(s.AuditPage(t.Context(), routecard.AuditQuery{Before: next, Limit: 100}))
		if len(page.Entries) == 0 || len(page.Entries) > most {
			t.Fatalf("a page of %d entries of 1 MiB", len(page.Entries))
		}
		for i := range page.Entries {
			if want := routecard.AuditID(left); page.Entries[i].ID != want {
				t.Fatalf("entry %s, want %s", page.Entries[i].ID, want)
			}
			left--
		}
		next = page.Next
	}
	if next != "" {
		t.Errorf("there is more before %s", next)
	}
	if found := collect(s.SearchAudit(t.Context(), routecard.AuditQuery{Limit: routecard.NoLimit})); len(found) != heavy {
		t.Errorf("a search finds %d entries of %d", len(found), heavy)
	}
	for after := int64(0); after < heavy; {
		found := must(s.AuditAfter(t.Context(), after, 200))
		if len(found) == 0 || len(found) > most {
			t.Fatalf("%d entries of 1 MiB at once", len(found))
		}
		for i := range found {
			if after++; found[i].ID != routecard.AuditID(after) {
				t.Fatalf("entry %s, want %s", found[i].ID, routecard.AuditID(after))
			}
		}
	}
}

// The history of a unit ends with its creation where it is read from the newest entry on, however it is cut into pages;
// nothing is lost by that or told twice. The other conditions hold for the creation as for every entry.
func TestHistoryOfAUnitHasItsCreation(t *testing.T) {
	t.Parallel()
	l := newLine(t, "flexible", "preferred", "preferred", "preferred", "preferred")
	ctx := t.Context()
	create := func(quantity float64) string {
		l.tick()
		return routecard.SerialID(must(l.CreateSerials(ctx, routecard.CreateSerialsInput{
			JobID: given(l.path.JobID), PathID: given(l.path.ID), Quantity: number(quantity), CertID: given(l.cert), UserID: given("ann"),
		})).First)
	}
	before, unit, after := create(3), create(3), create(2)
	for _, id := range []string{before, unit, after, unit, unit} {
		l.tick()
		must(l.AdvanceSerial(ctx, id, routecard.AdvanceSerialInput{UserID: given("bob")}))
	}
	untouched := unit[:len(unit)-1] + string(unit[len(unit)-1]+1)
	must(l.AdvanceSerial(ctx, untouched, routecard.AdvanceSerialInput{UserID: given("bob")}))

	ids := func(entries []routecard.AuditEntry) (ids []string) {
		for _, entry := range entries {
			ids = append(ids, entry.ID)
		}
		return ids
	}
	trail := slices.Clone(must(l.Card(ctx, unit)).Trail)
	if len(trail) != 5 || trail[0].Action != routecard.ActionSerialCreated {
		t.Fatalf("the card has %d entries, the first of %s", len(trail), trail[0].Action)
	}
	created := trail[0]
	slices.Reverse(trail)
	query := routecard.AuditQuery{SerialID: unit, History: true, Limit: routecard.NoLimit}
	if found := ids(collect(l.SearchAudit(ctx, query))); !slices.Equal(found, ids(trail)) {
		t.Errorf("a search finds %v, want %v", found, ids(trail))
	}
	for limit := int64(1); limit <= 7; limit++ {
		var found []routecard.AuditEntry
		query, pages := query, 0
		for query.Limit = limit; ; pages++ {
			page := must(l.AuditPage(ctx, query))
			if found = append(found, page.Entries...); int64(len(page.Entries)) > limit || pages > 10 {
				t.Fatalf("page %d of %d has %d entries", pages, limit, len(page.Entries))
			}
			if query.Before = page.Next; page.Next == "" {
				break
			}
		}
		if !slices.Equal(ids(found), ids(trail)) {
			t.Errorf("by %d: %v, want %v", limit, ids(found), ids(trail))
		}
	}

	for name, test := range map[string]struct {
		change func(*routecard.AuditQuery)
		want   bool
	}{
		"its action":       {func(q *routecard.AuditQuery) { q.Action = routecard.ActionSerialCreated }, true},
		"another action":   {func(q *routecard.AuditQuery) { q.Action = routecard.ActionSerialAdvanced }, false},
		"its user":         {func(q *routecard.AuditQuery) { q.UserID = "ann" }, true},
		"another user":     {func(q *routecard.AuditQuery) { q.UserID = "bob" }, false},
		"its job":          {func(q *routecard.AuditQuery) { q.JobID = l.path.JobID }, true},
		"another job":      {func(q *routecard.AuditQuery) { q.JobID = "job_9" }, false},
		"from then":        {func(q *routecard.AuditQuery) { q.From = created.Timestamp }, true},
		"from later":       {func(q *routecard.AuditQuery) { q.From = created.Timestamp + 1 }, false},
		"until later":      {func(q *routecard.AuditQuery) { q.Until = created.Timestamp + 1 }, true},
		"until then":       {func(q *routecard.AuditQuery) { q.Until = created.Timestamp }, false},
		"before itself":    {func(q *routecard.AuditQuery) { q.Before = created.ID }, false},
		"no history":       {func(q *routecard.AuditQuery) { q.History = false }, false},
		"an unknown unit":  {func(q *routecard.AuditQuery) { q.SerialID = "SN-99999" }, false},
		"no unit":          {func(q *routecard.AuditQuery) { q.SerialID = "banana" }, false},
		"a whole job":      {func(q *routecard.AuditQuery) { q.SerialID, q.JobID = "", l.path.JobID }, true},
		"its last sibling": {func(q *routecard.AuditQuery) { q.SerialID = untouched }, true},
	} {
		query := query
		test.change(&query)
		times := 0
		for _, entry := range collect(l.SearchAudit(ctx, query)) {
			if entry.ID == created.ID {
				times++
			}
		}
		if (times == 1) != test.want || times > 1 {
			t.Errorf("%s: the creation is found %d times, want it: %t", name, times, test.want)
		}
	}
}
