package sqlstore

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// cardGroupLimit is the maximum number of card changes that share one commit. Groups are small, because the groups of other instances wait
// during a commit.
const cardGroupLimit = 64

// cardGroup commits card changes in groups. A rule needs only its card, so a group takes two round trips: the first begins the transaction,
// locks all serials and loads their cards. Then the rules run in this process, and the second round trip writes the changes and commits.
// Paths that are not cached, and cards with exceptions or overrides, need a third round trip. Cards that this instance has changed before
// are expected to be unchanged, which saves the first round trip; see expectedCards.
type cardGroup struct {
	*requests
	store    *Postgres
	expected *expectedCards
}

func newCardGroup(store *Postgres) *cardGroup {
	g := &cardGroup{requests: newRequests(cardGroupLimit), store: store, expected: newExpectedCards()}
	g.linger = func(took time.Duration) time.Duration { return took / 2 }
	go g.run(g.commit)
	return g
}

// commit commits a group. If the database refuses the group, each caller gets a separate transaction.
func (g *cardGroup) commit(group []*request) {
	started := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), groupTimeout)
	defer cancel()
	err := g.store.again(ctx, func() error { return g.attempt(ctx, group, false) })
	if keyTaken(err) { // the next attempt finds the keys and omits the members whose operation was done before
		err = g.store.again(ctx, func() error { return g.attempt(ctx, group, false) })
	}
	switch {
	case err == nil:
		g.store.options.Committed(len(group), time.Since(started))
	case len(group) == 1 || sqlState(err) == "" || errors.Is(err, errUnknown) || errors.Is(err, errInTheWay):
		for _, r := range group { // even refused requests: their rules may have seen uncommitted changes
			r.err = err
		}
	default:
		for _, r := range group {
			g.commit([]*request{r})
		}
	}
}

// attempt runs a group in one transaction. It returns failures of the database, which all members share. It stores refusals of rules in the
// requests. If patient is false, it skips serials that another transaction has locked and sets errLocked for their requests.
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
	s := &postgresTransaction{ctx: ctx, conn: conn, begin: beginUpdate}
	defer s.rollback()
	at := &db.Core{Querier: s, Prefix: g.store.prefix, PathCache: g.store.pathCache}

	numbers := make([]int64, 0, len(group))
	for _, r := range group {
		numbers = append(numbers, r.serial)
	}
	slices.Sort(numbers) // all transactions lock serials in this order
	numbers = slices.Compact(numbers)
	condition, args := `= ANY ($1)`, []any{numbers}
	if len(numbers) == 1 { // a single value takes the server half the time
		condition, args = `= $1`, []any{numbers[0]}
	}
	locking := `SELECT number FROM serial WHERE number ` + condition + ` ORDER BY number` + lockRows
	if !patient {
		locking += ` SKIP LOCKED`
	}
	var locked []int64
	var found []statement.CardRow
	statements := []db.Statement{
		{SQL: locking, Args: args, Row: db.Into(&locked, db.Scalar[int64])},
		// This is a separate statement from the one that locks, so that it sees the commit of the transaction that had the lock before.
		{SQL: statement.SelectCards + condition, Args: args, Row: db.Into(&found, db.Named(at.Prefix, statement.ScanCard))},
	}
	var used []onceKey
	if keys := keysOf(group); len(keys) > 0 {
		statements = append(statements, keysStatement(keys, &used))
	}
	if err := s.Pipelined(statements); err != nil {
		return err
	}
	taken := make(map[onceKey]bool, len(used))
	for _, key := range used {
		taken[key] = true
	}
	cards, err := statement.CompleteCards(at, found, nil)
	if err != nil {
		return err
	}
	changes := newCardChanges(at.Prefix)
	for _, row := range found {
		changes.revisions[row.Card.Serial.PathID] = row.Revision
	}
	for _, r := range group {
		r.err, r.panicked = nil, nil
		id := at.Prefix.SerialID(r.serial)
		card, exists := cards[id]
		switch _, mine := slices.BinarySearch(locked, r.serial); {
		case r.ctx.Err() != nil:
			r.err = r.ctx.Err()
		case !exists:
			r.err = shop.ErrNoRecord
		case !mine: // ChangeCard tries it in a separate transaction
			r.err = errLocked
			if !patient { // a patient attempt runs in another goroutine than the one that uses the expected cards
				g.expected.forget(r.serial)
			}
		case changes.arrivedBefore[r.serial]: // the ordinal of the unit is known only after the commit of this group
			r.err = errLocked
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
			if _, mine := slices.BinarySearch(locked, row.Number); mine {
				g.expected.keep(row.Number, cards[at.Prefix.SerialID(row.Number)], row.Revision)
			}
		}
	}
	return err
}

// decide runs the rule of a member on a card, collects the change, and returns the changed card.
func (r *request) decide(unit card.Card, changes *cardChanges) card.Card {
	var change card.Change
	r.panicked, r.err = guard(func() (err error) {
		change, err = r.card(unit)
		return err
	})
	r.remember = change.Remember
	switch {
	case r.fell():
	case !changes.remember(change.Remember): // an earlier member of the group has the same key
		r.err = errLocked
	default:
		changes.add(r.serial, unit.Serial.PathID, &change)
		return unit.Apply(change)
	}
	return unit
}

// cardChanges collects the changes of the members of a group. They are written together, one statement for each kind of row.
type cardChanges struct {
	prefix     ident.Prefix
	count      int
	serials    map[int64]*card.Serial // the last state of each serial that moved
	rewritten  bool                   // whether one of them was closed or reopened, or has a different pass number
	exceptions map[exceptionKey]card.StepException
	lifted     map[exceptionKey]bool
	reversed   []string // ids of reversed overrides; reversedAt has the times
	reversedAt []int64
	held       []card.Hold
	released   []card.Hold
	audit      []trail.Entry
	remembered map[onceKey]card.Remembered
	revisions  map[string]string // revisions of the paths of the group's cards when they were loaded
	decidedBy  map[string]string // revisions of the paths that changes are based on

	arrived       statement.Arrivals
	arrivedBefore map[int64]bool // the units that one of the changes counts at a step
}

type exceptionKey struct {
	number int64
	stepID string
}

func newCardChanges(prefix ident.Prefix) *cardChanges {
	return &cardChanges{
		prefix:  prefix,
		serials: map[int64]*card.Serial{}, exceptions: map[exceptionKey]card.StepException{},
		revisions: map[string]string{}, decidedBy: map[string]string{}, remembered: map[onceKey]card.Remembered{},
		lifted: map[exceptionKey]bool{}, arrived: statement.Arrivals{}, arrivedBefore: map[int64]bool{},
	}
}

// remember adds a key, if there is one. It returns false if the key was added before, because a key is written only once.
func (c *cardChanges) remember(done *card.Remembered) bool {
	if done == nil {
		return true
	}
	if _, taken := c.remembered[keyOf(done)]; taken {
		return false
	}
	c.remembered[keyOf(done)] = *done
	return true
}

func (c *cardChanges) add(number int64, pathID string, change *card.Change) {
	c.count++
	c.decidedBy[pathID] = c.revisions[pathID]
	if change.Moved {
		c.serials[number] = &change.Serial
		c.rewritten = c.rewritten || change.Rewritten || change.Serial.Scrap != nil || change.Serial.Completion != nil
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
		c.reversed, c.reversedAt = append(c.reversed, override.ID), append(c.reversedAt, int64(override.ReversedAt))
	}
	c.arrived.Add(number, change)
	if len(change.Arrived) > 0 {
		c.arrivedBefore[number] = true
	}
	c.held = append(c.held, change.Held...)
	c.released = append(c.released, change.Released...)
	c.audit = append(c.audit, change.Audit...)
}

// statements returns the statements that write the changes and their audit entries. The statements take the turn at the trail as late as
// possible.
func (c *cardChanges) statements() []db.Statement {
	statements := append(c.writing(), turn(c.decidedBy)...)
	if len(c.audit) == 0 {
		return append(statements, db.Statement{SQL: countBeside})
	}
	return append(statements, auditStatements(c.prefix, c.audit)...)
}

// writing returns the statements that write the changes without their audit entries.
func (c *cardChanges) writing() []db.Statement {
	var statements []db.Statement
	if len(c.serials) > 0 {
		statements = append(statements, c.moved())
	}
	return append(statements, c.writingBesidesMoves()...)
}

func (c *cardChanges) writingBesidesMoves() []db.Statement {
	var statements []db.Statement
	if len(c.exceptions) > 0 {
		statements = append(statements, c.recorded())
	}
	if len(c.lifted) > 0 {
		statements = append(statements, lift(slices.Collect(maps.Keys(c.lifted))))
	}
	statements = append(statements, statement.HoldStatements(c.prefix, c.held, c.released)...)
	if len(c.reversed) > 0 {
		statements = append(statements, db.Statement{
			SQL: `UPDATE step_override SET active = false, reversed_at = a.at FROM unnest($1::text[], $2::bigint[]) AS a (id, at)
				WHERE step_override.id = a.id`, Args: []any{c.reversed, c.reversedAt},
		})
	}
	if len(c.arrived) > 0 {
		statements = append(statements, db.Statement{
			SQL: `SELECT id FROM step WHERE id = ANY ($1) ORDER BY id` + lockRows, Args: []any{slices.Sorted(maps.Keys(c.arrived))},
		})
		statements = append(statements, c.arrived.Statements()...)
	}
	if len(c.remembered) > 0 {
		statements = append(statements, rememberStatement(slices.Collect(maps.Values(c.remembered))))
	}
	return statements
}

// moved writes the positions of serials. It writes more columns only if a serial was scrapped or force-completed, which is rare.
func (c *cardChanges) moved() db.Statement {
	numbers := slices.Sorted(maps.Keys(c.serials))
	n := len(numbers)
	positions, updated, scrappedAt, forcedAt := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	statuses, reworks := make([]string, n), make([]int64, n)
	reasons, explanations, steps, scrappedBy := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	forcedBy, forcedReasons := make([]string, n), make([]string, n)
	for i, number := range numbers {
		serial := c.serials[number]
		positions[i], statuses[i], updated[i] = int64(serial.Position), string(serial.Status), int64(serial.UpdatedAt)
		reworks[i] = int64(serial.Reworks)
		if scrap := serial.Scrap; scrap != nil {
			reasons[i], explanations[i], steps[i] = string(scrap.Reason), scrap.Explanation, scrap.StepID
			scrappedAt[i], scrappedBy[i] = int64(scrap.At), scrap.By
		}
		if force := serial.Completion; force != nil {
			forcedBy[i], forcedAt[i], forcedReasons[i] = force.By, int64(force.At), force.Reason
		}
	}
	if !c.rewritten && n == 1 {
		return db.Statement{SQL: statement.MoveSerial, Args: []any{numbers[0], positions[0], statuses[0], updated[0]}}
	}
	if !c.rewritten {
		return db.Statement{SQL: `UPDATE serial SET position = new.position, status = new.status, updated_at = new.updated_at
			FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) AS new (number, position, status, updated_at)
			WHERE serial.number = new.number`, Args: []any{numbers, positions, statuses, updated}}
	}
	return db.Statement{SQL: `UPDATE serial SET position = new.position, status = new.status, updated_at = new.updated_at,
			scrap_reason = new.scrap_reason, scrap_explanation = new.scrap_explanation, scrap_step_id = new.scrap_step_id,
			scrapped_at = new.scrapped_at, scrapped_by = new.scrapped_by, force_completed_by = new.force_completed_by,
			force_completed_at = new.force_completed_at, force_completed_reason = new.force_completed_reason,
			reworks = new.reworks
		FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::bigint[],
			$9::text[], $10::text[], $11::bigint[], $12::text[], $13::bigint[])
			AS new (number, position, status, updated_at, scrap_reason, scrap_explanation, scrap_step_id, scrapped_at,
			scrapped_by, force_completed_by, force_completed_at, force_completed_reason, reworks)
		WHERE serial.number = new.number`, Args: []any{
		numbers, positions, statuses, updated, reasons, explanations, steps, scrappedAt, scrappedBy, forcedBy, forcedAt,
		forcedReasons, reworks,
	}}
}

// recorded writes the statuses of bypassed steps.
func (c *cardChanges) recorded() db.Statement {
	var numbers, updated []int64
	var steps, statuses []string
	for key, exception := range c.exceptions {
		numbers, updated = append(numbers, key.number), append(updated, int64(exception.UpdatedAt))
		steps, statuses = append(steps, key.stepID), append(statuses, string(exception.Status))
	}
	return db.Statement{SQL: `INSERT INTO step_exception (serial_number, step_id, status, updated_at)
		SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[])
		ON CONFLICT (serial_number, step_id) DO UPDATE SET status = excluded.status, updated_at = excluded.updated_at`,
		Args: []any{numbers, steps, statuses, updated}}
}

// lift deletes the recorded statuses of steps.
func lift(keys []exceptionKey) db.Statement {
	numbers, steps := make([]int64, len(keys)), make([]string, len(keys))
	for i, key := range keys {
		numbers[i], steps[i] = key.number, key.stepID
	}
	return db.Statement{SQL: `DELETE FROM step_exception USING unnest($1::bigint[], $2::text[]) AS gone (number, step_id)
		WHERE serial_number = gone.number AND step_exception.step_id = gone.step_id`, Args: []any{numbers, steps}}
}

// takeTurn must come before the audit entries of a transaction, and only the entries and the commit may follow it. Between takeTurn and the
// commit only one transaction runs at a time, so that the order of the sequence is the order of the commits.
const takeTurn = `SELECT pg_advisory_xact_lock(1380139588, 1)`

// unchangedPaths makes a transaction fail if a path on which it is based has changed. Transactions that change paths take turns too, so a
// path that is unchanged at this point stays unchanged until the commit. The function, which is slow, is called only to report a change.
const unchangedPaths = `SELECT take_turn($1, $2) WHERE EXISTS (SELECT 1 FROM unnest($1::text[], $2::text[])` + unequalPaths + `)`

// unequalPaths follows lists of paths and of their revisions, and leaves those that have changed.
const unequalPaths = ` AS known (id, revision) LEFT JOIN path ON path.id = known.id WHERE path.revision IS DISTINCT FROM known.revision`

// turn returns the statements that take the turn of a transaction and then compare the revisions of the paths on which it is based. These
// are two statements, because the second must see everything that was committed before the first got its turn.
func turn(decidedBy map[string]string) []db.Statement {
	statements := []db.Statement{{SQL: takeTurn}}
	if len(decidedBy) == 0 {
		return statements
	}
	paths, revisions := pathLists(decidedBy)
	return append(statements, db.Statement{SQL: unchangedPaths, Args: []any{paths, revisions}})
}

func pathLists(decidedBy map[string]string) (paths, revisions []string) {
	paths = slices.Sorted(maps.Keys(decidedBy))
	revisions = make([]string, len(paths))
	for i, path := range paths {
		revisions[i] = decidedBy[path]
	}
	return paths, revisions
}

// auditChunk is the number of audit entries that one statement adds.
const auditChunk = 5000

// auditStatements returns the statements that add entries to the trail, in this order.
func auditStatements(prefix ident.Prefix, entries []trail.Entry) []db.Statement {
	if len(entries) == 1 {
		return []db.Statement{{SQL: insertNextAudit, Args: statement.AuditArgs(prefix, entries)}}
	}
	var statements []db.Statement
	for chunk := range slices.Chunk(entries, auditChunk) {
		statements = append(statements, db.Statement{SQL: insertAuditArrays, Args: auditArrayArgs(prefix, chunk)})
	}
	return statements
}
