package standby

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

// Position identifies a state of the database. Every change whose data a response may show adds to the audit trail, or to one of two
// counters. The transactions that add to the trail become visible one after the other, in the order of their entries, and so do those that
// add to a counter. So a state has at least the changes of another one if none of its numbers is lower.
type Position struct {
	Sequence int64 // the number of the newest audit entry
	Untold   int64 // the counter of changes to lists without an entry
	Beside   int64 // the counter of other changes without an entry
	Timeline int64 // the timeline of the primary that wrote the mark
	Mark     string
}

// Covers reports whether a state has every change of another one. States under different marks cannot be compared: after a failover,
// different changes may have the same numbers.
func (p Position) Covers(other Position) bool {
	return p.Timeline == other.Timeline && p.Mark == other.Mark &&
		p.Sequence >= other.Sequence && p.Untold >= other.Untold && p.Beside >= other.Beside
}

// with returns a position that covers exactly those states that cover both.
func (p Position) with(other Position) Position {
	if p.Timeline != other.Timeline || p.Mark != other.Mark {
		return other
	}
	p.Sequence, p.Untold, p.Beside = max(p.Sequence, other.Sequence), max(p.Untold, other.Untold), max(p.Beside, other.Beside)
	return p
}

// selectPosition reads a Position, and whether the server is a standby.
const selectPosition = `SELECT COALESCE((SELECT MAX(sequence) FROM audit), 0),
	COALESCE(SUM(value) FILTER (WHERE name = 'untold'), 0)::bigint, COALESCE(SUM(value) FILTER (WHERE name = 'beside'), 0)::bigint,
	COALESCE(SUM(value) FILTER (WHERE name = 'timeline'), 0)::bigint, COALESCE(MAX(filler) FILTER (WHERE name = 'timeline'), ''),
	pg_is_in_recovery() FROM counter WHERE name IN ('untold', 'beside', 'timeline')`

// Querier is a connection.
type Querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// PositionOf reads the state that the next statement on a connection would see, and whether the server is a standby.
func PositionOf(ctx context.Context, conn Querier) (at Position, recovering bool, err error) {
	return scanPosition(conn.QueryRow(ctx, selectPosition))
}

func scanPosition(row pgx.Row) (at Position, recovering bool, err error) {
	err = row.Scan(&at.Sequence, &at.Untold, &at.Beside, &at.Timeline, &at.Mark, &recovering)
	return at, recovering, err
}

// ErrUnmarked is the error of a Primary whose timeline has no mark yet, or is unknown.
var ErrUnmarked = errors.New("the timeline of the primary has no mark")

// WriteMark is the statement that marks the timeline of the primary. Standbys that show the mark have followed the primary since it was
// written. So a server of another shop, or of a primary that was replaced, never shows the current mark.
const WriteMark = `INSERT INTO counter (name, value, filler) VALUES ('timeline', $1, $2)
	ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value, filler = EXCLUDED.filler`

// Primary is the server that accepts writes.
type Primary interface {
	// Position returns the state that a read on the primary would see, or ErrUnmarked.
	Position(ctx context.Context) (Position, error)
	// Mark gives the timeline of the primary a new mark.
	Mark(ctx context.Context) error
}
