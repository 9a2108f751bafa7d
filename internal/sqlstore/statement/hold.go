package statement

import (
	"slices"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

type holds struct{ *db.Core }

const holdColumns = `id, serial_number, reason, nonconformance_id, placed_by, placed_at, released_by, released_at, release_reason`

const selectHolds = `SELECT ` + holdColumns + ` FROM hold`

func scanHold(prefix ident.Prefix, r db.Rows) (h card.Hold, err error) {
	var number int64
	err = r.Scan(&h.ID, &number, &h.Reason, &h.NonconformanceID, &h.PlacedBy, &h.PlacedAt, &h.ReleasedBy, &h.ReleasedAt,
		&h.ReleaseReason)
	h.SerialID = prefix.SerialID(number)
	return h, err
}

// HoldStatements returns the statements that write the holds that a change places and releases. One group may place and release the same
// hold.
func HoldStatements(prefix ident.Prefix, placed, released []card.Hold) []db.Statement {
	const width = 9
	args := make([]any, 0, width*len(placed))
	for _, h := range placed {
		number, _ := prefix.ParseSerialID(h.SerialID)
		args = append(args, h.ID, number, h.Reason, h.NonconformanceID, h.PlacedBy, int64(h.PlacedAt), h.ReleasedBy,
			int64(h.ReleasedAt), h.ReleaseReason)
	}
	statements := db.Inserts(`INSERT INTO hold (`+holdColumns+`) VALUES`, width, args, "")
	type release struct {
		by     string
		at     ident.Timestamp
		reason string
	}
	alike := map[release][]string{} // an operation that releases many holds has one reason for all of them
	var order []release
	for _, h := range released {
		key := release{h.ReleasedBy, h.ReleasedAt, h.ReleaseReason}
		if _, known := alike[key]; !known {
			order = append(order, key)
		}
		alike[key] = append(alike[key], h.ID)
	}
	for _, key := range order {
		for chunk := range db.Chunks(alike[key]) {
			placeholders, ids := db.InList(4, chunk)
			statements = append(statements, db.Statement{
				SQL: `UPDATE hold SET released_by = $1, released_at = $2, release_reason = $3
					WHERE id IN (` + placeholders + `)`,
				Args: append([]any{key.by, int64(key.at), key.reason}, ids...),
			})
		}
	}
	return statements
}

func writeHolds(t *db.Core, placed, released []card.Hold) error {
	for _, statement := range HoldStatements(t.Prefix, placed, released) {
		if err := db.Run(t, statement.SQL, statement.Args...); err != nil {
			return err
		}
	}
	return nil
}

func (t holds) Hold(id string) (card.Hold, error) {
	return db.One(t, db.Named(t.Prefix, scanHold), selectHolds+` WHERE id = $1`, id)
}

func (t holds) HoldsOfSerial(serialID string) ([]card.Hold, error) {
	number, _ := t.Prefix.ParseSerialID(serialID)
	return db.All(t, db.Named(t.Prefix, scanHold), selectHolds+` WHERE serial_number = $1 ORDER BY id`, number)
}

func (t holds) Holds(open bool, before string, limit int) ([]card.Hold, error) {
	if before == "" {
		before = db.BeforeAll
	}
	// There are two statements, because SQLite uses a partial index only if the statement has its condition literally and not as an
	// argument.
	where := ` WHERE id < $1 ORDER BY id DESC LIMIT $2`
	if open {
		where = ` WHERE released_at = 0 AND id < $1 ORDER BY id DESC LIMIT $2`
	}
	return db.All(t, db.Named(t.Prefix, scanHold), selectHolds+where, before, limit)
}

func (t holds) OpenHolds(serialIDs []string) ([]card.Hold, error) {
	return t.holdsOf(serialIDs, `released_at = 0`)
}

func (t holds) ReleasedHolds(reportID string, serialIDs []string) ([]card.Hold, error) {
	return t.holdsOf(serialIDs, `released_at <> 0 AND nonconformance_id = $1`, reportID)
}

// holdsOf returns the holds of serials that meet a condition, which may have arguments.
func (t holds) holdsOf(serialIDs []string, condition string, bound ...any) ([]card.Hold, error) {
	holds := []card.Hold{}
	numbers := make([]int64, 0, len(serialIDs))
	for _, id := range serialIDs {
		if number, ok := t.Prefix.ParseSerialID(id); ok {
			numbers = append(numbers, number)
		}
	}
	for chunk := range db.Chunks(numbers) {
		placeholders, args := db.InList(len(bound)+1, chunk)
		found, err := db.All(t, db.Named(t.Prefix, scanHold),
			selectHolds+` WHERE `+condition+` AND serial_number IN (`+placeholders+`) ORDER BY id`,
			slices.Concat(bound, args)...)
		if err != nil {
			return nil, err
		}
		holds = append(holds, found...)
	}
	return holds, nil
}
