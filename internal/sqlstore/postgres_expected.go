package sqlstore

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop/card"
)

// expectedCards are cards as this instance last committed them. Other instances change serials too, so each card is only a guess. A group
// decides by guesses, and the server compares them with all parts of a card, after locking the serials and in the transaction that commits.
// If a guess was wrong, the group is decided again. A correct guess saves the round trip that reads. The cards belong to the goroutine of
// one group.
//
// Only cards that consist of a row of serial and a path are stored: the serial is in progress, no step was bypassed or overridden, no hold
// is open, and nothing is measured on its path.
// overridden, no hold is open, and nothing is measured on its path.
type expectedCards struct {
	cards map[int64]expectedCard
	pause int // number of groups that read their cards before the next guess
	doubt int // the pause after the last wrong guess
}

type expectedCard struct {
	card     card.Card
	revision string // the revision of the path
}

const (
	// expectedLimit is the most cards stored. Each takes half a kilobyte, without the paths, which cards share.
	expectedLimit = 16_384
	// doubtLimit is the longest pause, in groups. If several instances change the same serials in turn, most guesses are wrong.
	doubtLimit = 1000
	// expectedFresh is the time after the last commit over a connection during which a group may be sent over it together with its commit.
	// Later the connection may have been lost while idle, which only reading discovers: the outcome of a commit sent over a lost connection
	// is unknown.
	expectedFresh = time.Second
)

func newExpectedCards() *expectedCards { return &expectedCards{cards: map[int64]expectedCard{}} }

// of returns the expected cards of a group. It returns nil if one of them is unknown, if the context of a member has ended, or if a member
// was tried before under a key.
func (e *expectedCards) of(group []*request) map[int64]expectedCard {
	if len(e.cards) == 0 {
		return nil
	}
	cards := make(map[int64]expectedCard, len(group))
	for _, r := range group {
		expected, ok := e.cards[r.serial]
		if !ok || r.remember != nil || r.ctx.Err() != nil {
			return nil
		}
		cards[r.serial] = expected
	}
	if e.pause > 0 {
		e.pause--
		return nil
	}
	return cards
}

func (e *expectedCards) right() { e.doubt /= 2 }

func (e *expectedCards) forget(number int64) { delete(e.cards, number) }

func (e *expectedCards) wrong(cards map[int64]expectedCard) {
	e.doubt = min(2*e.doubt+1, doubtLimit)
	e.pause = e.doubt
	for number := range cards {
		e.forget(number)
	}
}

// keep stores a card as it was committed, or drops it if it has parts that the server does not compare.
func (e *expectedCards) keep(number int64, unit card.Card, revision string) {
	if revision == "" || unit.Serial.Status != card.InProgress || unit.Serial.Scrap != nil || unit.Serial.Completion != nil ||
		len(unit.Exceptions)+len(unit.Overrides)+len(unit.Holds)+len(unit.Path.Characteristics) > 0 {
		e.forget(number)
		return
	}
	if _, known := e.cards[number]; !known && len(e.cards) >= expectedLimit {
		for other := range e.cards { // any one
			e.forget(other)
			break
		}
	}
	e.cards[number] = expectedCard{unit, revision}
}

// attemptExpected decides a group by its expected cards and commits it in one round trip. It returns false and changes nothing if a card is
// unknown, if a guess was wrong, or if a rule refuses, because a refusal must rest on the committed card.
func (g *cardGroup) attemptExpected(ctx context.Context, conn *pgxpool.Conn, group []*request) (bool, error) {
	if !committedLately(conn, g.store.fresh) {
		return false, nil
	}
	expected := g.expected.of(group)
	if expected == nil {
		return false, nil
	}
	changes := newCardChanges()
	cards := make(map[int64]card.Card, len(expected))
	for number, e := range expected {
		cards[number] = e.card
		pathID := e.card.Serial.PathID
		if revision, known := changes.revisions[pathID]; known && revision != e.revision {
			return false, nil
		}
		changes.revisions[pathID] = e.revision
	}
	for _, r := range group {
		cards[r.serial] = r.decide(cards[r.serial], changes)
		if r.fell() {
			return false, nil
		}
	}
	if len(changes.audit) == 0 {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), groupTimeout)
	defer cancel()
	s := &postgresTransaction{ctx: ctx, conn: conn, begin: beginUpdate}
	defer s.rollback()
	switch err := s.commit(ctx, changes.expecting(expected)); {
	case retryable(err):
		g.expected.wrong(expected)
		return false, nil
	case err != nil:
		return true, err
	}
	for number, card := range cards {
		g.expected.keep(number, card, expected[number].revision)
	}
	g.expected.right()
	committedOver(conn)
	return true, nil
}

// committedKey is the key under which a connection stores the time of the last group committed over it.
const committedKey = "routecard committed"

func committedOver(conn *pgxpool.Conn) { conn.Conn().PgConn().CustomData()[committedKey] = time.Now() }

func committedLately(conn *pgxpool.Conn, fresh time.Duration) bool {
	at, ok := conn.Conn().PgConn().CustomData()[committedKey].(time.Time)
	return ok && time.Since(at) < fresh
}

// expecting returns the statements of changes that were decided by guesses.
func (c *cardChanges) expecting(cards map[int64]expectedCard) []db.Statement {
	statements := append([]db.Statement{asExpected(cards)}, c.writing()...)
	statements = append(statements, db.Statement{SQL: takeTurn}, c.nothingElse(cards))
	return append(statements, auditStatements(c.audit)...)
}

// rowIs compares a row of serial, found by its number, with the expected one. The columns that it leaves out are empty whenever the reason
// and the name are. No index can serve the comparison, so the server always uses that of the number.
const rowIs = `scrap_reason = '' AND force_completed_by = ''
	AND (path_id, position, status, reworks, created_at, updated_at, own_number) IS NOT DISTINCT FROM `

// asExpected locks serials, and fails if one is not as expected or is locked by another transaction.
func asExpected(cards map[int64]expectedCard) db.Statement {
	numbers := slices.Sorted(maps.Keys(cards))
	if len(numbers) == 1 {
		serial := cards[numbers[0]].card.Serial
		return db.Statement{SQL: `SELECT decide_again() WHERE NOT EXISTS (
			SELECT 1 FROM serial WHERE number = $1 AND ` + rowIs + `($2, $3, $4, $5, $6, $7, $8)` + lockRows + ` NOWAIT)`,
			Args: []any{
				numbers[0], serial.PathID, serial.Position, string(serial.Status), serial.Reworks,
				int64(serial.CreatedAt), int64(serial.UpdatedAt), serial.SerialNumber,
			}}
	}
	n := len(numbers)
	paths, statuses, owned := make([]string, n), make([]string, n), make([]string, n)
	positions, reworks, created, updated := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	for i, number := range numbers {
		serial := cards[number].card.Serial
		paths[i], statuses[i], owned[i] = serial.PathID, string(serial.Status), serial.SerialNumber
		positions[i], reworks[i] = int64(serial.Position), int64(serial.Reworks)
		created[i], updated[i] = int64(serial.CreatedAt), int64(serial.UpdatedAt)
	}
	return db.Statement{SQL: `SELECT decide_again() WHERE cardinality($1::bigint[]) <> (SELECT COUNT(*) FROM (
		SELECT 1 FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[])
			AS expected (number, path, place, state, passes, made, moved, own) JOIN serial USING (number)
			WHERE ` + rowIs + `(path, place, state, passes, made, moved, own) ORDER BY number` + lockRows + ` OF serial NOWAIT) AS held)`,
		Args: []any{numbers, paths, positions, statuses, reworks, created, updated, owned}}
}

// nothingElse fails a transaction if a path has changed since the decision, or if the card of a serial has more than its row. It runs in
// this transaction's turn, when the serials are locked; every transaction that adds to a card locks its serial.
func (c *cardChanges) nothingElse(cards map[int64]expectedCard) db.Statement {
	numbers := slices.Sorted(maps.Keys(cards))
	paths, revisions := pathLists(c.decidedBy)
	if len(numbers) == 1 && len(paths) == 1 {
		return db.Statement{SQL: `SELECT decide_again() WHERE (SELECT revision FROM path WHERE id = $1) IS DISTINCT FROM $2
			OR EXISTS (SELECT 1 FROM step_exception WHERE serial_number = $3)
			OR EXISTS (SELECT 1 FROM step_override WHERE serial_number = $3 AND active)
			OR EXISTS (SELECT 1 FROM hold WHERE serial_number = $3 AND released_at = 0)`,
			Args: []any{paths[0], revisions[0], numbers[0]}}
	}
	return db.Statement{SQL: `SELECT decide_again() WHERE EXISTS (SELECT 1 FROM ` + changedPaths + `)
		OR EXISTS (SELECT 1 FROM step_exception WHERE serial_number = ANY ($3))
		OR EXISTS (SELECT 1 FROM step_override WHERE serial_number = ANY ($3) AND active)
		OR EXISTS (SELECT 1 FROM hold WHERE serial_number = ANY ($3) AND released_at = 0)`,
		Args: []any{paths, revisions, numbers}}
}
