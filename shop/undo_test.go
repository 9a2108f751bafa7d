package shop_test

import (
	"context"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// TestUndoNeedsADecision checks who may undo a change: for a limited time the user who made it, and always users who may decide.
func TestUndoNeedsADecision(t *testing.T) {
	t.Parallel()
	const refusal = "This needs the permission decide"
	as := func(login string, permissions ...shop.Permission) context.Context {
		return shop.WithCaller(t.Context(), shop.Caller{Login: login, Permissions: permissions})
	}
	for _, c := range []struct {
		name  string
		doer  context.Context
		named string // the user recorded for the change, if the caller acts for another user
		by    context.Context
		later time.Duration
		want  string
	}{
		{"one's own, at once", as("ann", shop.Work), "", as("ann", shop.Work), 0, ""},
		{"one's own, at the end of the window", as("ann", shop.Work), "", as("ann", shop.Work), 15 * time.Minute, ""},
		{"one's own, too late", as("ann", shop.Work), "", as("ann", shop.Work), 15*time.Minute + time.Millisecond, refusal},
		{"another's", as("ann", shop.Work), "", as("bob", shop.Work), 0, refusal},
		{"another's, with a decision", as("ann", shop.Work), "", as("eve", shop.Work, shop.Decide), 0, ""},
		{"late, with a decision", as("ann", shop.Work), "", as("ann", shop.Work, shop.Decide), time.Hour, ""},
		{"one's own that a machine reported", as("robot", shop.Work, shop.ActFor), "ann", as("ann", shop.Work), 0, ""},
		{"what one reported for another", as("robot", shop.Work, shop.ActFor), "ann", as("robot", shop.Work), 0, ""},
		{"nobody signs in", t.Context(), "ann", t.Context(), time.Hour, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := newLine(t, "strict", "preferred", "preferred")
			var user input.TextInput
			if c.named != "" {
				user = shoptest.Given(c.named)
			}
			shoptest.Must(l.AdvanceSerial(c.doer, l.serial, shop.AdvanceSerialInput{UserID: user}))
			entries := shoptest.Collect(l.AuditOfSerial(t.Context(), l.serial))
			l.Clock.Add(c.later.Milliseconds())
			in := shop.UndoInput{EntryID: shoptest.Given(entries[len(entries)-1].ID), Reason: shoptest.Given("wrong unit")}
			if caller := shop.CallerOf(c.by); !caller.Known() {
				in.UserID = shoptest.Given("bob")
			}
			_, err := l.Undo(c.by, l.serial, in)
			got := ""
			if refusal := shoptest.Refused(err); refusal != nil {
				got = refusal.Message
			}
			if got != c.want {
				t.Errorf("the answer is %q, want %q", got, c.want)
			}
		})
	}
}

// TestUndoWindowIsASetting sets the window to zero.
func TestUndoWindowIsASetting(t *testing.T) {
	t.Parallel()
	l := newLine(t, "strict", "preferred", "preferred")
	clock := func() time.Time { return time.UnixMilli(l.Clock.Load()) }
	service := shop.New(l.Store, clock, ident.NewIdentifiers(clock), shop.WithUndoWindow(0))
	ann := shop.WithCaller(t.Context(), shop.Caller{Login: "ann", Permissions: []shop.Permission{shop.Work}})
	shoptest.Must(service.AdvanceSerial(ann, l.serial, shop.AdvanceSerialInput{}))
	l.Tick()
	entries := shoptest.Collect(service.AuditOfSerial(t.Context(), l.serial))
	_, err := service.Undo(ann, l.serial, shop.UndoInput{EntryID: shoptest.Given(entries[len(entries)-1].ID), Reason: shoptest.Given("r")})
	if refused := shoptest.Refused(err); refused == nil || refused.Kind != refusal.Forbidden {
		t.Errorf("an undo after the window answers %v", err)
	}
}

// TestUndoOfADamagedCard changes a row directly in the database: undo does not worsen data that contradicts the trail.
func TestUndoOfADamagedCard(t *testing.T) {
	t.Parallel()
	l := newLine(t, "strict", "preferred", "preferred", "preferred")
	shoptest.Must(l.AdvanceSerial(t.Context(), l.serial, shop.AdvanceSerialInput{UserID: shoptest.Given("ann")}))
	entry := shoptest.Collect(l.AuditOfSerial(t.Context(), l.serial))[0].ID
	if err := l.Store.ChangeCard(t.Context(), l.serial, func(unit card.Card) (card.Change, error) {
		unit.Serial.Position = 2
		return card.Change{Serial: unit.Serial, Moved: true}, nil
	}); err != nil {
		t.Fatal(err)
	}
	_, err := l.Undo(t.Context(), l.serial, shop.UndoInput{EntryID: shoptest.Given(entry), Reason: shoptest.Given("r"), UserID: shoptest.Given("ann")})
	if err == nil {
		t.Error("the change was taken back")
	}
	if card := shoptest.Must(l.Card(t.Context(), l.serial)).Card; card.Serial.Position != 2 {
		t.Errorf("the serial stands at %d", card.Serial.Position)
	}
}
