package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

// expecting is a store whose expected cards do not expire on a slow machine. It counts round trips and statements, and has another instance
// on the same database.
type expecting struct {
	*Postgres
	t                 *testing.T
	other             *Postgres
	address           string
	trips, statements *atomic.Int64
}

func newExpecting(t *testing.T, serials int64) *expecting {
	t.Helper()
	e := &expecting{t: t, address: pgtest.Database(t)}
	e.Postgres, e.trips, e.statements = openCounted(t, e.address)
	e.fresh = time.Hour
	e.other = openPostgres(t, e.address)
	stock(t, e, serials)
	return e
}

// outcome is the cost of one change.
type outcome struct {
	trips, statements int64
	seen              []card.Card // the cards on which the rule ran
}

func (e *expecting) change(serialID string, rule func(card.Card) (card.Change, error)) (o outcome, err error) {
	e.t.Helper()
	trips, statements := e.trips.Load(), e.statements.Load()
	err = e.ChangeCard(e.t.Context(), serialID, func(card card.Card) (card.Change, error) {
		o.seen = append(o.seen, card)
		return rule(card)
	})
	o.trips, o.statements = e.trips.Load()-trips, e.statements.Load()-statements
	return o, err
}

func (e *expecting) must(serialID string, rule func(card.Card) (card.Change, error)) outcome {
	e.t.Helper()
	o, err := e.change(serialID, rule)
	must(e.t, err)
	return o
}

// trail returns the number of entries in the trail, and fails if a sequence number is missing.
func (e *expecting) trail() int64 {
	e.t.Helper()
	var count, last int64
	must(e.t, e.pool.QueryRow(e.t.Context(), `SELECT COUNT(*), COALESCE(MAX(sequence), 0) FROM audit`).Scan(&count, &last))
	if count != last {
		e.t.Errorf("the trail has %d entries, the last of which is %d", count, last)
	}
	return count
}

func TestPostgresExpectedCardTakesOneRoundTrip(t *testing.T) {
	t.Parallel()
	e := newExpecting(t, 8)
	for range 2 { // the second run prepares the statements
		e.must("SN-00001", forward)
	}
	// These are: begin, the lock; the serial, the turn, the rest of the card and the audit entry, commit.
	if o := e.must("SN-00001", forward); o.trips != 1 || o.statements != 6 || len(o.seen) != 1 {
		t.Errorf("an advance took %d round trips, %d statements, and was decided %d times", o.trips, o.statements, len(o.seen))
	}

	group := func(numbers ...int64) []*request {
		var members []*request
		for _, number := range numbers {
			members = append(members, &request{ctx: t.Context(), serial: number, card: forward, done: make(chan struct{})})
		}
		return members
	}
	for range 3 {
		trips, statements := e.trips.Load(), e.statements.Load()
		members := group(2, 3, 4, 3, 5)
		must(t, e.groups[0].attempt(t.Context(), members, false))
		for _, r := range members {
			must(t, r.err)
		}
		trips, statements = e.trips.Load()-trips, e.statements.Load()-statements
		if e.trail() == 3+3*5 && (trips != 1 || statements != 5) { // the third time
			t.Errorf("a group took %d round trips and %d statements", trips, statements)
		}
	}
	if e.trail() != 3+3*5 {
		t.Errorf("the trail has %d entries", e.trail())
	}
	if card, err := readCard(t.Context(), e.other, "SN-00003"); err != nil || card.Serial.Position != 6 {
		t.Errorf("a serial that was in the group twice, three times, stands at %d (%v)", card.Serial.Position, err)
	}
	// If the serial is unknown or the rule refuses, the card is read from the server.
	refuse := func(card.Card) (card.Change, error) {
		return card.Change{}, errors.New("no")
	}
	if o, err := e.change("SN-00001", refuse); err == nil || len(o.seen) != 2 {
		t.Errorf("a refusal was decided %d times: %v", len(o.seen), err)
	}
	if o := e.must("SN-00008", forward); o.trips > 3 {
		t.Errorf("a serial that was not known took %d round trips", o.trips)
	}
}

func readCard(ctx context.Context, store *Postgres, serialID string) (card card.Card, err error) {
	err = store.View(ctx, func(tx shop.Reader) (err error) {
		card, err = tx.RouteCard(serialID)
		return err
	})
	return card, err
}

// Another instance may change any part of a card that this instance expects to be unchanged.
func TestPostgresUnexpectedCardIsDecidedAgain(t *testing.T) {
	t.Parallel()
	e := newExpecting(t, 64)
	update := func(serialID string, change func(shop.Tx, card.Card) error) error {
		return e.other.Update(t.Context(), func(tx shop.Tx) error {
			card, err := tx.RouteCard(serialID)
			if err != nil {
				return err
			}
			return change(tx, card)
		})
	}
	changed := func(change func(*card.Change)) func(shop.Tx, card.Card) error {
		return func(tx shop.Tx, unit card.Card) error {
			c := card.Change{Serial: unit.Serial}
			change(&c)
			return tx.ChangeCards([]card.Change{c})
		}
	}
	number := int64(0)
	var pathName string
	for _, test := range []struct {
		name   string
		change func(shop.Tx, card.Card) error
		column string
		sees   func(card.Card) bool
	}{
		{name: "the position", column: "position = 7", sees: func(c card.Card) bool { return c.Serial.Position == 7 }},
		{name: "the status", column: "status = 'completed'", sees: func(c card.Card) bool { return c.Serial.Status == card.Completed }},
		{name: "how often it was sent back", column: "reworks = 3", sees: func(c card.Card) bool { return c.Serial.Reworks == 3 }},
		{name: "the moment", column: "updated_at = 77", sees: func(c card.Card) bool { return c.Serial.UpdatedAt == 77 }},
		{name: "when it was made", column: "created_at = 77", sees: func(c card.Card) bool { return c.Serial.CreatedAt == 77 }},
		{name: "a reason", column: "scrap_reason = 'other'", sees: func(c card.Card) bool { return c.Serial.Scrap != nil }},
		{name: "a name", column: "force_completed_by = 'ann'", sees: func(c card.Card) bool { return c.Serial.Completion != nil }},
		{name: "a hold", change: changed(func(c *card.Change) {
			c.Held = []card.Hold{{ID: "hold_" + c.Serial.ID, SerialID: c.Serial.ID, Reason: "r", PlacedBy: "u", PlacedAt: 1}}
		}), sees: func(c card.Card) bool { return len(c.Holds) == 1 }},
		{name: "a bypassed step", change: changed(func(c *card.Change) {
			c.Exceptions = []card.StepException{{StepID: "step_b", Status: card.StepDeferred, UpdatedAt: 1}}
		}), sees: func(c card.Card) bool { return len(c.Exceptions) == 1 }},
		{name: "an override", change: func(tx shop.Tx, unit card.Card) error {
			return tx.InsertOverrides([]card.Override{{
				ID: "snso_" + unit.Serial.ID, SerialID: unit.Serial.ID, StepID: "step_b", Active: true, CreatedBy: "u",
			}})
		}, sees: func(c card.Card) bool { return len(c.Overrides) == 1 }},
		{name: "the path", change: func(tx shop.Tx, card card.Card) error {
			after := card.Path
			pathName, after.Name = after.Name, after.Name+"'"
			return tx.UpdatePath(card.Path, after)
		}, sees: func(c card.Card) bool { return c.Path.Name != pathName }},
	} {
		for _, members := range []int{1, 2} {
			number += 2
			t.Run(fmt.Sprintf("%s of %d", test.name, members), func(t *testing.T) {
				id, neighbour := e.prefix.SerialID(number), e.prefix.SerialID(number-1)
				e.must(id, forward)
				e.must(neighbour, forward)
				if test.column != "" {
					must(t, execPostgres(t, e.address, fmt.Sprintf(`UPDATE serial SET %s WHERE number = %d`, test.column, number)))
				} else {
					must(t, update(id, test.change))
				}
				e.groups[0].expected.pause, e.groups[0].expected.doubt = 0, 0
				var seen []bool
				group := []*request{{ctx: t.Context(), serial: number, card: func(card card.Card) (card.Change, error) {
					seen = append(seen, test.sees(card))
					return forward(card)
				}}}
				if members == 2 {
					group = append(group, &request{ctx: t.Context(), serial: number - 1, card: forward})
				}
				before := e.trail()
				must(t, e.groups[0].attempt(t.Context(), group, false))
				for _, r := range group {
					must(t, r.err)
				}
				if !slices.Equal(seen, []bool{false, true}) {
					t.Errorf("the rule saw the change: %v", seen)
				}
				if after := e.trail(); after != before+int64(members) {
					t.Errorf("%d members added %d entries", members, after-before)
				}
			})
		}
	}
}

// A serial that another transaction has locked delays no other serial of the group, although all cards are expected.
func TestPostgresLockedExpectedCardIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	e := newExpecting(t, 2)
	e.must("SN-00001", forward)
	e.must("SN-00002", forward)
	blocked := make(chan error, 1)
	must(t, e.other.Update(t.Context(), func(tx shop.Tx) error {
		if _, err := tx.RouteCard("SN-00002"); err != nil {
			return err
		}
		go func() { blocked <- e.ChangeCard(t.Context(), "SN-00002", forward) }()
		waitForLock(t, e.address, 1) // it is now tried in a separate transaction
		return e.ChangeCard(t.Context(), "SN-00001", forward)
	}))
	must(t, <-blocked)
	if e.trail() != 4 {
		t.Errorf("the trail has %d entries", e.trail())
	}
}

// The instance that used a key and any other instance find the key, whether or not cards are expected.
func TestPostgresExpectedCardIsChangedOnceUnderAKey(t *testing.T) {
	t.Parallel()
	e := newExpecting(t, 2)
	keyed := func(key string) func(card.Card) (card.Change, error) {
		return func(unit card.Card) (card.Change, error) {
			change, err := forward(unit)
			change.Remember = &card.Remembered{Once: card.Once{Key: key, Fingerprint: "f"}, Result: "{}", At: 1}
			return change, err
		}
	}
	e.must("SN-00001", forward)
	e.must("SN-00002", forward)
	if o := e.must("SN-00001", keyed("a")); len(o.seen) != 1 {
		t.Errorf("a change under a key was decided %d times", len(o.seen))
	}
	must(t, e.other.ChangeCard(t.Context(), "SN-00001", keyed("b")))
	for range 2 { // the first guess is wrong
		for _, serialID := range []string{"SN-00001", "SN-00002"} {
			for _, key := range []string{"a", "b"} {
				if _, err := e.change(serialID, keyed(key)); !errors.Is(err, shop.ErrRemembered) {
					t.Errorf("key %s on %s: %v", key, serialID, err)
				}
			}
		}
		e.must("SN-00001", forward)
		e.groups[0].expected.pause = 0
	}
	if e.trail() != 6 {
		t.Errorf("the trail has %d entries", e.trail())
	}
}

// While another instance changes the same serials, the pauses between guesses grow. Afterwards guessing resumes.
func TestPostgresWrongExpectationsAreGivenUp(t *testing.T) {
	t.Parallel()
	e := newExpecting(t, 1)
	e.must("SN-00001", forward)
	wrong := 0
	const rounds = 40
	for range rounds {
		must(t, e.other.ChangeCard(t.Context(), "SN-00001", forward))
		if o := e.must("SN-00001", forward); len(o.seen) == 2 {
			wrong++
		}
	}
	if wrong != 5 { // the first guess, and those after pauses of 1, 3, 7 and 15
		t.Errorf("%d of %d guesses were tried and wrong, want 5", wrong, rounds)
	}
	right := 0
	for range rounds {
		if o := e.must("SN-00001", forward); o.trips == 1 && len(o.seen) == 1 {
			right++
		}
	}
	if right == 0 {
		t.Error("nobody guesses any more")
	}
}

// A connection that was lost while idle is replaced. No caller gets the error that the outcome of its commit is unknown.
func TestPostgresExpectedCardOnALostConnection(t *testing.T) {
	t.Parallel()
	e := newExpecting(t, 1)
	e.must("SN-00001", forward)
	must(t, execPostgres(t, e.address, `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid()`))
	e.must("SN-00001", forward)
	// Once expected cards are no longer fresh, the read of a card discovers the loss.
	e.fresh = 0
	if o := e.must("SN-00001", forward); o.trips < 2 {
		t.Errorf("an advance after a while took %d round trips", o.trips)
	}
	if e.trail() != 3 {
		t.Errorf("the trail has %d entries", e.trail())
	}
}

func TestExpectedCardsAreBounded(t *testing.T) {
	t.Parallel()
	e := newExpectedCards()
	for number := range int64(expectedLimit + 10) {
		e.keep(number, card.Card{Serial: card.Serial{Status: card.InProgress}}, "r")
	}
	if len(e.cards) != expectedLimit {
		t.Errorf("%d cards are kept", len(e.cards))
	}
	for range 20 {
		e.wrong(nil)
	}
	if e.pause != doubtLimit {
		t.Errorf("the longest pause is %d", e.pause)
	}
}
