package sqlstore

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/routecard/routecard/shop"
)

// cardGroupLimit is how many card changes share one commit at most. Groups are small: while one commits, those of other
// instances wait for their turn.
const cardGroupLimit = 64

// cardGroup commits card changes in groups. Rules are functions of a card, so a group takes two round trips: one begins
// and loads and locks all cards, then the rules run here, and one writes what they say and commits. Paths that are not
// known yet, and cards with exceptions or overrides, cost one more. Cards that this instance has changed before are expected
// to be as it left them, and cost one less; see expectedCards.
type cardGroup struct {
	*requests
	store    *Postgres
	expected *expectedCards
}

func newCardGroup(store *Postgres) *cardGroup {
	g := &cardGroup{requests: newRequests(cardGroupLimit), store: store, expected: newExpectedCards()}
	go g.run(g.commit)
	return g
}

// commit commits a group. When the database cannot take it, each caller gets a transaction of its own.
func (g *cardGroup) commit(group []*request) {
	started := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), groupTimeout)
	defer cancel()
	err := g.store.again(ctx, func() error { return g.attempt(ctx, group, false) })
	if keyTaken(err) { // it knows the keys now, and leaves out those who have nothing left to do
		err = g.store.again(ctx, func() error { return g.attempt(ctx, group, false) })
	}
	switch {
	case err == nil:
		g.store.options.Committed(len(group), time.Since(started))
	case len(group) == 1 || sqlState(err) == "" || errors.Is(err, errUnknown) || errors.Is(err, errInTheWay):
		for _, r := range group { // also those that were refused: what they saw did not come to be
			r.err = err
		}
	default:
		for _, r := range group {
			g.commit([]*request{r})
		}
	}
}

// attempt runs a group in one transaction. What it returns is a failure of the database, which all members share; what
// the rules say is left in the requests. A group does not wait for a serial that another transaction has: that member
// gets errLocked. Only when patient, it waits.
func (g *cardGroup) attempt(ctx context.Context, group []*request, patient bool) error {
	conn, err := g.store.acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if !patient {
		if done, err := g.attemptExpected(ctx, conn, group); done || err != nil {
			return err
		}
	}
	s := &session{ctx: ctx, conn: conn, begin: beginUpdate}
	defer s.rollback()
	tx := &transaction{querier: s, routes: g.store.routes}

	numbers := make([]int64, 0, len(group))
	for _, r := range group {
		numbers = append(numbers, r.serial)
	}
	slices.Sort(numbers) // the order in which everybody locks serials
	numbers = slices.Compact(numbers)
	condition, args := `= ANY ($1)`, []any{numbers}
	if len(numbers) == 1 { // the server has half the work with a single value
		condition, args = `= $1`, []any{numbers[0]}
	}
	locking := `SELECT number FROM serial WHERE number ` + condition + ` ORDER BY number` + lockRows
	if !patient {
		locking += ` SKIP LOCKED`
	}
	var locked []int64
	var found []cardRow
	statements := []statement{
		{locking, args, into(&locked, scalar[int64])},
		// A statement of its own: it sees what was committed by whoever had the lock before.
		{selectCards + condition, args, into(&found, scanCard)},
	}
	var used []onceKey
	if keys := keysOf(group); len(keys) > 0 {
		statements = append(statements, keysStatement(keys, &used))
	}
	if err := s.pipelined(statements); err != nil {
		return err
	}
	taken := make(map[onceKey]bool, len(used))
	for _, key := range used {
		taken[key] = true
	}
	cards, err := tx.completeCards(found, nil)
	if err != nil {
		return err
	}
	changes := newCardChanges()
	for _, row := range found {
		changes.revisions[row.card.Serial.PathID] = row.revision
	}
	for _, r := range group {
		r.err, r.panicked = nil, nil
		id := shop.SerialID(r.serial)
		card, exists := cards[id]
		switch _, mine := slices.BinarySearch(locked, r.serial); {
		case r.ctx.Err() != nil:
			r.err = r.ctx.Err()
		case !exists:
			r.err = shop.ErrNoRecord
		case !mine: // it is tried by itself, elsewhere
			r.err = errLocked
			if !patient { // whoever is patient is not in the goroutine that has the cards
				g.expected.forget(r.serial)
			}
		case r.remember != nil && taken[keyOf(r.remember)]:
			r.err = shop.ErrRemembered
		default:
			cards[id] = r.decide(card, changes)
		}
	}
	if changes.count == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), groupTimeout)
	defer cancel()
	err = s.commit(ctx, changes.statements())
	if err == nil && !patient {
		committedOver(conn)
		for _, row := range found {
			if _, mine := slices.BinarySearch(locked, row.number); mine {
				g.expected.keep(row.number, cards[shop.SerialID(row.number)], row.revision)
			}
		}
	}
	return err
}

// decide runs a member's rule on a card, and collects what it changes. It returns the card as it is then.
func (r *request) decide(card shop.RouteCard, changes *cardChanges) shop.RouteCard {
	var change shop.CardChange
	r.panicked, r.err = guard(func() (err error) {
		change, err = r.card(card)
		return err
	})
	r.remember = change.Remember
	switch {
	case r.fell():
	case !changes.remember(change.Remember): // another one of the group has the key: it is done first
		r.err = errLocked
	default:
		changes.add(r.serial, card.Serial.PathID, &change)
		return card.Apply(change)
	}
	return card
}

// cardChanges collects what the members of a group change, to be written as sets.
type cardChanges struct {
	count      int
	serials    map[int64]*shop.Serial // the last state of each that moved
	rewritten  bool                   // whether one of them lost what it was closed with, or is in another pass
	exceptions map[exceptionKey]shop.StepException
	lifted     map[exceptionKey]bool
	reversed   []string
	held       []shop.Hold
	released   []shop.Hold
	audit      []shop.AuditEntry
	remembered map[onceKey]shop.Remembered
	revisions  map[string]string // of the paths of the group's cards, as they were loaded
	decidedBy  map[string]string // of the paths that a change was decided by
}

type exceptionKey struct {
	number int64
	stepID string
}

func newCardChanges() *cardChanges {
	return &cardChanges{
		serials: map[int64]*shop.Serial{}, exceptions: map[exceptionKey]shop.StepException{},
		revisions: map[string]string{}, decidedBy: map[string]string{}, remembered: map[onceKey]shop.Remembered{},
		lifted: map[exceptionKey]bool{},
	}
}

// remember takes a key, if there is one, and says whether it could: a key is written once.
func (c *cardChanges) remember(done *shop.Remembered) bool {
	if done == nil {
		return true
	}
	if _, taken := c.remembered[keyOf(done)]; taken {
		return false
	}
	c.remembered[keyOf(done)] = *done
	return true
}

func (c *cardChanges) add(number int64, pathID string, change *shop.CardChange) {
	c.count++
	c.decidedBy[pathID] = c.revisions[pathID]
	if change.Moved {
		c.serials[number] = &change.Serial
		c.rewritten = c.rewritten || change.Rewritten
	}
	for _, stepID := range change.Lifted {
		key := exceptionKey{number, stepID}
		delete(c.exceptions, key)
		c.lifted[key] = true
	}
	for _, exception := range change.Exceptions {
		key := exceptionKey{number, exception.StepID}
		delete(c.lifted, key)
		c.exceptions[key] = exception
	}
	for _, override := range change.Reversed {
		c.reversed = append(c.reversed, override.ID)
	}
	c.held = append(c.held, change.Held...)
	c.released = append(c.released, change.Released...)
	c.audit = append(c.audit, change.Audit...)
}

// statements write the changes and what they tell. The turn is taken as late as can be.
func (c *cardChanges) statements() []statement {
	statements := append(c.writing(), turn(c.decidedBy)...)
	if len(c.audit) == 0 {
		return append(statements, statement{sql: countUntold})
	}
	return append(statements, auditStatements(c.audit)...)
}

// writing writes the changes but for what they tell.
func (c *cardChanges) writing() []statement {
	var statements []statement
	if len(c.serials) > 0 {
		statements = append(statements, c.moved())
	}
	if len(c.exceptions) > 0 {
		statements = append(statements, c.recorded())
	}
	if len(c.lifted) > 0 {
		statements = append(statements, lift(slices.Collect(maps.Keys(c.lifted))))
	}
	statements = append(statements, holdStatements(c.held, c.released)...)
	if len(c.reversed) > 0 {
		statements = append(statements, statement{
			sql: `UPDATE step_override SET active = false WHERE id = ANY ($1)`, args: []any{c.reversed},
		})
	}
	if len(c.remembered) > 0 {
		statements = append(statements, rememberStatement(slices.Collect(maps.Values(c.remembered))))
	}
	return statements
}

// moved writes where serials stand. Scrapping and force-completing, which are rare, have more to write.
func (c *cardChanges) moved() statement {
	numbers := slices.Sorted(maps.Keys(c.serials))
	n := len(numbers)
	positions, updated, scrappedAt, forcedAt := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	statuses, reworks, closed := make([]string, n), make([]int64, n), c.rewritten
	reasons, explanations, steps, scrappedBy := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	forcedBy, forcedReasons := make([]string, n), make([]string, n)
	for i, number := range numbers {
		serial := c.serials[number]
		positions[i], statuses[i], updated[i] = int64(serial.Position), string(serial.Status), int64(serial.UpdatedAt)
		reworks[i] = int64(serial.Reworks)
		if scrap := serial.Scrap; scrap != nil {
			closed = true
			reasons[i], explanations[i], steps[i] = string(scrap.Reason), scrap.Explanation, scrap.StepID
			scrappedAt[i], scrappedBy[i] = int64(scrap.At), scrap.By
		}
		if force := serial.Completion; force != nil {
			closed = true
			forcedBy[i], forcedAt[i], forcedReasons[i] = force.By, int64(force.At), force.Reason
		}
	}
	if !closed && n == 1 {
		return statement{sql: moveSerial, args: []any{numbers[0], positions[0], statuses[0], updated[0]}}
	}
	if !closed {
		return statement{sql: `UPDATE serial SET position = new.position, status = new.status, updated_at = new.updated_at
			FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS new (number, position, status, updated_at)
			WHERE serial.number = new.number`, args: []any{numbers, positions, statuses, updated}}
	}
	return statement{sql: `UPDATE serial SET position = new.position, status = new.status, updated_at = new.updated_at,
			scrap_reason = new.scrap_reason, scrap_explanation = new.scrap_explanation, scrap_step_id = new.scrap_step_id,
			scrapped_at = new.scrapped_at, scrapped_by = new.scrapped_by, force_completed_by = new.force_completed_by,
			force_completed_at = new.force_completed_at, force_completed_reason = new.force_completed_reason,
			reworks = new.reworks
		FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::bigint[],
			$9::text[], $10::text[], $11::bigint[], $12::text[], $13::bigint[])
			AS new (number, position, status, updated_at, scrap_reason, scrap_explanation, scrap_step_id, scrapped_at,
			scrapped_by, force_completed_by, force_completed_at, force_completed_reason, reworks)
		WHERE serial.number = new.number`, args: []any{
		numbers, positions, statuses, updated, reasons, explanations, steps, scrappedAt, scrappedBy, forcedBy, forcedAt,
		forcedReasons, reworks,
	}}
}

// recorded writes what became of bypassed steps.
func (c *cardChanges) recorded() statement {
	var numbers, updated []int64
	var steps, statuses []string
	for key, exception := range c.exceptions {
		numbers, updated = append(numbers, key.number), append(updated, int64(exception.UpdatedAt))
		steps, statuses = append(steps, key.stepID), append(statuses, string(exception.Status))
	}
	return statement{sql: `INSERT INTO step_exception (serial_number, step_id, status, updated_at)
		SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[])
		ON CONFLICT (serial_number, step_id) DO UPDATE SET status = excluded.status, updated_at = excluded.updated_at`,
		args: []any{numbers, steps, statuses, updated}}
}

// lift takes the recorded statuses of steps away.
func lift(keys []exceptionKey) statement {
	numbers, steps := make([]int64, len(keys)), make([]string, len(keys))
	for i, key := range keys {
		numbers[i], steps[i] = key.number, key.stepID
	}
	return statement{sql: `DELETE FROM step_exception USING unnest($1::bigint[], $2::text[]) AS gone (number, step_id)
		WHERE serial_number = gone.number AND step_exception.step_id = gone.step_id`, args: []any{numbers, steps}}
}

// takeTurn must come before the audit entries of a transaction, and nothing but them and the commit behind it: from here on
// transactions go one after the other until they have committed, so that the order of sequence is the order of commit.
const takeTurn = `SELECT pg_advisory_xact_lock(1380139588, 1)`

// unchangedPaths fails a transaction of which one of the paths that it was decided by has changed meanwhile. Changes to paths
// commit in turn too, so what is found unchanged is unchanged until the commit. The function, which is slow, finds the same
// change and says so.
const unchangedPaths = `SELECT take_turn($1, $2) WHERE EXISTS (SELECT 1 FROM ` + changedPaths + `)`

const changedPaths = `unnest($1::text[], $2::text[]) AS known (id, revision) LEFT JOIN path ON path.id = known.id
	WHERE path.revision IS DISTINCT FROM known.revision`

// turn takes the turn of a transaction that was decided by these revisions of paths. These are two statements because the
// second has to see what was committed before the first one had the turn.
func turn(decidedBy map[string]string) []statement {
	statements := []statement{{sql: takeTurn}}
	if len(decidedBy) == 0 {
		return statements
	}
	paths, revisions := pathLists(decidedBy)
	return append(statements, statement{sql: unchangedPaths, args: []any{paths, revisions}})
}

func pathLists(decidedBy map[string]string) (paths, revisions []string) {
	paths = slices.Sorted(maps.Keys(decidedBy))
	revisions = make([]string, len(paths))
	for i, path := range paths {
		revisions[i] = decidedBy[path]
	}
	return paths, revisions
}

// auditChunk is how many audit entries one statement adds.
const auditChunk = 5000

// nextSequence goes on behind the last entry that was committed, so a transaction that failed leaves no gap.
const nextSequence = `COALESCE((SELECT MAX(sequence) FROM audit), 0) + `

// auditStatements add entries to the trail, in this order.
func auditStatements(entries []shop.AuditEntry) []statement {
	if len(entries) == 1 {
		return []statement{{sql: insertNextAudit, args: auditArgs(entries)}}
	}
	var statements []statement
	for chunk := range slices.Chunk(entries, auditChunk) {
		statements = append(statements, statement{sql: insertAuditArrays, args: auditArrayArgs(chunk)})
	}
	return statements
}
