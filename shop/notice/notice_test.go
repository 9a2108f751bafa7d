package notice

import (
	"slices"
	"testing"
	"time"

	"github.com/routecard/routecard/shop/ident"
)

func TestQuiet(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct {
		from, to, at string
		want         bool
	}{
		{"", "", "2026-01-31T23:00:00Z", false},
		{"20:00", "06:00", "2026-01-31T18:59:59Z", false}, {"20:00", "06:00", "2026-01-31T19:00:00Z", true}, // 20:00 in Berlin
		{"20:00", "06:00", "2026-02-01T04:59:59Z", true}, {"20:00", "06:00", "2026-02-01T05:00:00Z", false},
		{"12:00", "13:00", "2026-01-31T10:59:59Z", false}, {"12:00", "13:00", "2026-01-31T11:00:00Z", true},
		{"12:00", "13:00", "2026-01-31T11:59:59Z", true}, {"12:00", "13:00", "2026-01-31T12:00:00Z", false},
		{"20:00", "06:00", "2026-07-01T03:59:59Z", true}, {"20:00", "06:00", "2026-07-01T04:00:00Z", false}, // summer time
	} {
		at, err := time.Parse(time.RFC3339, one.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := (Settings{QuietFrom: one.from, QuietTo: one.to}).Quiet(ident.TimestampOf(at), berlin); got != one.want {
			t.Errorf("from %s to %s, %s is quiet: %t", one.from, one.to, one.at, got)
		}
	}
}

func TestMessage(t *testing.T) {
	t.Parallel()
	start := ident.TimestampOf(time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC))
	after := func(wait time.Duration) ident.Timestamp { return ident.TimestampOf(start.Time().Add(wait)) }
	m := Message{CreatedAt: start, DueAt: start, State: Waiting}
	if !m.Due(start, false) || m.Due(start-1, false) || !m.Open() {
		t.Error("a new message is not due")
	}
	leased := m.Leased(start)
	if leased.Open() || leased.Due(after(LeaseTime)-1, false) || !leased.Due(after(LeaseTime), false) || !leased.Due(start, true) {
		t.Error("a lease does not last as long as it should")
	}
	failed := leased.Tried(false, "later", start)
	if failed.Open() || failed.Due(after(5*time.Second)-1, false) || !failed.Due(after(5*time.Second), false) || failed.Attempts != 1 {
		t.Errorf("%+v", failed)
	}
	if last := failed.Tried(false, "later", after(giveUpAfter)); last.State != GivenUp || last.DoneAt != after(giveUpAfter) || last.Due(after(1000*time.Hour), true) {
		t.Errorf("%+v", last)
	}
	if done := failed.Tried(true, "ok", after(time.Hour)); done.State != Delivered || done.DoneAt != after(time.Hour) || done.Attempts != 1 || done.Due(after(time.Hour), true) {
		t.Errorf("%+v", done)
	}
}

// Settings that an earlier release stored have no row for a newer kind.
func TestCompleted(t *testing.T) {
	t.Parallel()
	stored := Settings{Rows: []Row{{Kind: UnitsHeld, Hook: "https://example.com"}, {Kind: "unknown"}}}
	got := stored.Completed()
	kinds := []Kind{}
	for _, row := range got.Rows {
		kinds = append(kinds, row.Kind)
	}
	if !slices.Equal(kinds, Kinds()) || got.Rows[len(kinds)-1].Hook != "https://example.com" {
		t.Errorf("%+v", got)
	}
}
