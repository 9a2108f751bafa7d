package routecard_test

import (
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
