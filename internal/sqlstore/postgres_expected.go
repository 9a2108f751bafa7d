package sqlstore

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop/card"
)

// expectedCards stores cards as this instance last committed them. Other instances change serials too, so each card is only a guess. The
// rules of a group run on the guesses. In the transaction that commits, the server locks the serials and compares each guess with all parts
// of the card. If a guess was wrong, the rules of the group run again. A correct guess saves the round trip that reads the card. Only the
// goroutine of one group uses the cards.
//
// Only cards that consist of a row of serial and a path are stored: the serial is in progress, no step was bypassed or overridden, no hold
// is open, it keeps no bill, it is not away, and nothing is measured or required on its path.
type expectedCards struct {
	cards map[int64]expectedCard
	pause int // number of groups that still read their cards before the next guess
	doubt int // pause that followed the last wrong guess
}

type expectedCard struct {
	card     card.Card
	revision string // the revision of the path
}

const (
	// expectedLimit is the maximum number of cards stored. Each takes half a kilobyte, without its path, which several cards share.
	expectedLimit = 16_384
	// doubtLimit is the longest pause, in groups. If several instances change the same serials in turn, most guesses are wrong.
	doubtLimit = 1000
	// expectedFresh is the time since the last commit on a connection during which a group and its commit may be sent together on that
	// connection. After that time the connection may have been lost while idle, which only a read reveals: the outcome of a commit sent on
	// a lost connection is unknown.
	expectedFresh = time.Second
)

func newExpectedCards() *expectedCards { return &expectedCards{cards: map[int64]expectedCard{}} }

// of returns the expected cards of a group. It returns nil if one of them is unknown, if the context of a member has ended, or if the
// operation of a member was tried before under its key.
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

// keep stores a card as it was committed. It drops a card with parts that the server does not compare.
func (e *expectedCards) keep(number int64, unit card.Card, revision string) {
	if revision == "" || unit.Serial.Status != card.InProgress || unit.Serial.Scrap != nil || unit.Serial.Completion != nil ||
		len(unit.Exceptions)+len(unit.Overrides)+len(unit.Holds)+len(unit.Path.Characteristics)+len(unit.Path.Requirements) > 0 ||
		unit.Serial.BOM.BOMID != "" || unit.Away.ShipmentID != "" {
		e.forget(number)
		return
	}
	if _, known := e.cards[number]; !known && len(e.cards) >= expectedLimit {
		for other := range e.cards { // any card
			e.forget(other)
			break
		}
	}
	e.cards[number] = expectedCard{unit, revision}
}

// attemptExpected runs the rules of a group on the expected cards and commits the group in one round trip. It returns false and changes
// nothing if a card is unknown, if a guess was wrong, or if a rule refuses, because a refusal must rest on the committed card.
func (g *cardGroup) attemptExpected(ctx context.Context, conn *pgxpool.Conn, group []*request) (bool, error) {
	if !committedLately(conn, g.store.fresh) {
		return false, nil
	}
	expected := g.expected.of(group)
	if expected == nil {
		return false, nil
	}
	changes := newCardChanges(g.store.SerialPrefix())
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

// expecting returns the statements for changes that are based on guesses. The audit entries are added by the statement that checks the rest
// of the cards: on the server most of the time of a statement goes to its beginning and its end.
func (c *cardChanges) expecting(cards map[int64]expectedCard) []db.Statement {
	statements := append(c.asExpected(cards), c.writingBesidesMoves()...)
	return append(statements, db.Statement{SQL: takeTurn}, c.auditUnlessChanged(cards))
}

// rowIs compares a row of serial, which is found by its number, with the expected row. The columns that it omits are empty whenever the
// scrap reason and the name are empty. No index can serve the comparison, so the server always uses the index of the number.
const rowIs = `scrap_reason = '' AND force_completed_by = '' AND bom_id = ''
	AND (path_id, position, status, reworks, created_at, updated_at, own_number) IS NOT DISTINCT FROM `

// asExpected locks serials and writes their positions. It fails if one of them differs from the expected card or is locked by another
// transaction.
func (c *cardChanges) asExpected(cards map[int64]expectedCard) []db.Statement {
	numbers := slices.Sorted(maps.Keys(cards))
	if len(numbers) == 1 { // two plain statements take the server less time than one that does both
		serial := cards[numbers[0]].card.Serial
		locking := db.Statement{SQL: `SELECT decide_again() WHERE NOT EXISTS (
			SELECT 1 FROM serial WHERE number = $1 AND ` + rowIs + `($2, $3, $4, $5, $6, $7, $8)` + lockRows + ` NOWAIT)`,
			Args: []any{
				numbers[0], serial.PathID, serial.Position, string(serial.Status), serial.Reworks,
				int64(serial.CreatedAt), int64(serial.UpdatedAt), serial.SerialNumber,
			}}
		if len(c.serials) == 0 {
			return []db.Statement{locking}
		}
		return []db.Statement{locking, c.moved()}
	}
	n := len(numbers)
	paths, statuses, owned := make([]string, n), make([]string, n), make([]string, n)
	positions, reworks, created, updated := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	newPositions, newStatuses, newUpdated := make([]int64, n), make([]string, n), make([]int64, n)
	for i, number := range numbers {
		serial := cards[number].card.Serial
		paths[i], statuses[i], owned[i] = serial.PathID, string(serial.Status), serial.SerialNumber
		positions[i], reworks[i] = int64(serial.Position), int64(serial.Reworks)
		created[i], updated[i] = int64(serial.CreatedAt), int64(serial.UpdatedAt)
		if moved, ok := c.serials[number]; ok {
			serial = *moved
		}
		newPositions[i], newStatuses[i], newUpdated[i] = int64(serial.Position), string(serial.Status), int64(serial.UpdatedAt)
	}
	writing := db.Statement{SQL: `WITH held AS MATERIALIZED (SELECT number, new_place, new_state, new_moved
			FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[],
				$9::bigint[], $10::text[], $11::bigint[])
				AS expected (number, path, place, state, passes, made, moved, own, new_place, new_state, new_moved)
			JOIN serial USING (number) WHERE ` + rowIs + `(path, place, state, passes, made, moved, own)
			ORDER BY number` + lockRows + ` OF serial NOWAIT
		), written AS (UPDATE serial SET position = new_place, status = new_state, updated_at = new_moved
			FROM held WHERE serial.number = held.number RETURNING 1
		) SELECT decide_again() WHERE cardinality($1::bigint[]) <> (SELECT COUNT(*) FROM written)`,
		Args: []any{
			numbers, paths, positions, statuses, reworks, created, updated, owned, newPositions, newStatuses, newUpdated,
		}}
	if c.rewritten {
		return []db.Statement{writing, c.moved()}
	}
	return []db.Statement{writing}
}

// auditUnlessChanged returns the statement that adds the entries; see insertExpectedAudit.
func (c *cardChanges) auditUnlessChanged(cards map[int64]expectedCard) db.Statement {
	numbers := slices.Sorted(maps.Keys(cards))
	paths, revisions := pathLists(c.decidedBy)
	if len(numbers) == 1 && len(c.audit) == 1 {
		return db.Statement{
			SQL: insertExpectedAudit, Args: append(statement.AuditArgs(c.prefix, c.audit), paths[0], revisions[0], numbers[0]),
		}
	}
	return db.Statement{SQL: insertExpectedAudits, Args: append(auditArrayArgs(c.prefix, c.audit), paths, revisions, numbers)}
}
