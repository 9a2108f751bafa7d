package routecard_test

import (
	"context"
	"testing"
	"time"

	"github.com/routecard/routecard"
)

// TestUndoNeedsADecision goes through who may take a change back: whoever did it for a while, and whoever decides.
func TestUndoNeedsADecision(t *testing.T) {
	t.Parallel()
	const refusal = "This needs the permission decide"
	as := func(login string, permissions ...routecard.Permission) context.Context {
		return routecard.WithCaller(t.Context(), routecard.Caller{Login: login, Permissions: permissions})
	}
	for _, c := range []struct {
		name  string
		doer  context.Context
		named string // whose name the change has, when somebody acts for others
		by    context.Context
		later time.Duration
		want  string
	}{
		{"one's own, at once", as("ann", routecard.Work), "", as("ann", routecard.Work), 0, ""},
		{"one's own, at the end of the window", as("ann", routecard.Work), "", as("ann", routecard.Work), 15 * time.Minute, ""},
		{"one's own, too late", as("ann", routecard.Work), "", as("ann", routecard.Work), 15*time.Minute + time.Millisecond, refusal},
		{"another's", as("ann", routecard.Work), "", as("bob", routecard.Work), 0, refusal},
		{"another's, with a decision", as("ann", routecard.Work), "", as("eve", routecard.Work, routecard.Decide), 0, ""},
		{"late, with a decision", as("ann", routecard.Work), "", as("ann", routecard.Work, routecard.Decide), time.Hour, ""},
		{"one's own that a machine reported", as("robot", routecard.Work, routecard.ActFor), "ann", as("ann", routecard.Work), 0, ""},
		{"what one reported for another", as("robot", routecard.Work, routecard.ActFor), "ann", as("robot", routecard.Work), 0, ""},
		{"nobody signs in", t.Context(), "ann", t.Context(), time.Hour, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := newLine(t, "strict", "preferred", "preferred")
			var user routecard.TextInput
			if c.named != "" {
				user = given(c.named)
			}
			must(l.AdvanceSerial(c.doer, l.serial, routecard.AdvanceSerialInput{UserID: user}))
			entries := collect(l.AuditOfSerial(t.Context(), l.serial))
			l.clock.Add(c.later.Milliseconds())
			in := routecard.UndoInput{EntryID: given(entries[len(entries)-1].ID), Reason: given("wrong unit")}
			if caller := routecard.CallerOf(c.by); !caller.Known() {
				in.UserID = given("bob")
			}
			_, err := l.Undo(c.by, l.serial, in)
			got := ""
			if refusal := refused(err); refusal != nil {
				got = refusal.Message
			}
			if got != c.want {
				t.Errorf("the answer is %q, want %q", got, c.want)
			}
		})
	}
}

// TestUndoWindowIsASetting shortens the window to nothing.
func TestUndoWindowIsASetting(t *testing.T) {
	t.Parallel()
	l := newLine(t, "strict", "preferred", "preferred")
	clock := func() time.Time { return time.UnixMilli(l.clock.Load()) }
	service := routecard.New(l.store, clock, routecard.NewIdentifiers(clock), routecard.WithUndoWindow(0))
	ann := routecard.WithCaller(t.Context(), routecard.Caller{Login: "ann", Permissions: []routecard.Permission{routecard.Work}})
	must(service.AdvanceSerial(ann, l.serial, routecard.AdvanceSerialInput{}))
	l.tick()
	entries := collect(service.AuditOfSerial(t.Context(), l.serial))
	_, err := service.Undo(ann, l.serial, routecard.UndoInput{EntryID: given(entries[len(entries)-1].ID), Reason: given("r")})
	if refusal := refused(err); refusal == nil || refusal.Code != routecard.Forbidden {
		t.Errorf("an undo after the window answers %v", err)
	}
}

// TestUndoOfADamagedCard changes a row behind the service's back: what does not follow from the trail is not made worse.
func TestUndoOfADamagedCard(t *testing.T) {
	t.Parallel()
	l := newLine(t, "strict", "preferred", "preferred", "preferred")
	must(l.AdvanceSerial(t.Context(), l.serial, routecard.AdvanceSerialInput{UserID: given("ann")}))
	entry := collect(l.AuditOfSerial(t.Context(), l.serial))[0].ID
	if err := l.store.ChangeCard(t.Context(), l.serial, func(card routecard.RouteCard) (routecard.CardChange, error) {
		card.Serial.Position = 2
		return routecard.CardChange{Serial: card.Serial, Moved: true}, nil
	}); err != nil {
		t.Fatal(err)
	}
	_, err := l.Undo(t.Context(), l.serial, routecard.UndoInput{EntryID: given(entry), Reason: given("r"), UserID: given("ann")})
	if err == nil {
		t.Error("the change was taken back")
	}
	if card := must(l.Card(t.Context(), l.serial)).Card; card.Serial.Position != 2 {
		t.Errorf("the serial stands at %d", card.Serial.Position)
	}
}
