package shop_test

import (
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// Undoing many changes needs the same permissions as undoing each: changes of other users need "decide". Without a reason nothing is
// undone.
func TestUndoManyNeedsWhatUndoNeeds(t *testing.T) {
	t.Parallel()
	as := func(login string, permissions ...shop.Permission) shop.Caller {
		return shop.Caller{Login: login, Permissions: permissions}
	}
	l := newLine(t, "strict", "preferred", "preferred")
	shoptest.Must(l.AdvanceSerial(shop.WithCaller(t.Context(), as("ann", shop.Work)), l.serial, shop.AdvanceSerialInput{}))
	entries := shoptest.Collect(l.AuditOfSerial(t.Context(), l.serial))
	in := shop.UndoManyInput{
		Changes: []shop.UnitChange{{SerialID: l.serial, EntryID: entries[len(entries)-1].ID}}, Reason: shoptest.Given("wrong crate"),
	}
	for _, c := range []struct {
		by     shop.Caller
		dryRun bool
		want   [3]int // numbers of units changed, changed before, and refused
	}{
		{as("bob", shop.Work), false, [3]int{0, 0, 1}},
		{as("ann", shop.Work), true, [3]int{1, 0, 0}},
		{as("ann", shop.Work), false, [3]int{1, 0, 0}},
		{as("ann", shop.Work), false, [3]int{0, 1, 0}},
	} {
		in.DryRun = c.dryRun
		result := shoptest.Must(l.UndoMany(shop.WithCaller(t.Context(), c.by), in))
		if got := [3]int{len(result.Changed), len(result.Before), len(result.Refused)}; got != c.want {
			t.Errorf("%s, dry %v: %v, want %v", c.by.Login, c.dryRun, got, c.want)
		}
	}
	in.Reason = input.TextInput{}
	if _, err := l.UndoMany(shop.WithCaller(t.Context(), as("ann", shop.Work)), in); shoptest.Refused(err) == nil {
		t.Errorf("without a reason: %v", err)
	}
}
