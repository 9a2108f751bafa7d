package sqlstore

import (
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

const holdColumns = `id, serial_number, reason, nonconformance_id, placed_by, placed_at, released_by, released_at, release_reason`

const selectHolds = `SELECT ` + holdColumns + ` FROM hold`

func scanHold(r rows) (h card.Hold, err error) {
	var number int64
	err = r.Scan(&h.ID, &number, &h.Reason, &h.NonconformanceID, &h.PlacedBy, &h.PlacedAt, &h.ReleasedBy, &h.ReleasedAt,
		&h.ReleaseReason)
	h.SerialID = ident.SerialID(number)
	return h, err
}

// holdStatements write the holds that a change places and releases. One may be placed and released by the same group.
func holdStatements(placed, released []card.Hold) []statement {
	const width = 9
	args := make([]any, 0, width*len(placed))
	for _, h := range placed {
		number, _ := ident.ParseSerialID(h.SerialID)
		args = append(args, h.ID, number, h.Reason, h.NonconformanceID, h.PlacedBy, int64(h.PlacedAt), h.ReleasedBy,
			int64(h.ReleasedAt), h.ReleaseReason)
	}
	statements := inserts(`INSERT INTO hold (`+holdColumns+`) VALUES`, width, args, "")
	type release struct {
		by     string
		at     ident.Timestamp
		reason string
	}
	alike := map[release][]string{} // an operation that releases many gives them one reason
	var order []release
	for _, h := range released {
		key := release{h.ReleasedBy, h.ReleasedAt, h.ReleaseReason}
		if _, known := alike[key]; !known {
			order = append(order, key)
		}
		alike[key] = append(alike[key], h.ID)
	}
	for _, key := range order {
		for chunk := range chunks(alike[key]) {
			placeholders, ids := inList(4, chunk)
			statements = append(statements, statement{
				sql: `UPDATE hold SET released_by = $1, released_at = $2, release_reason = $3
					WHERE id IN (` + placeholders + `)`,
				args: append([]any{key.by, int64(key.at), key.reason}, ids...),
			})
		}
	}
	return statements
}

func (t *transaction) writeHolds(placed, released []card.Hold) error {
	for _, statement := range holdStatements(placed, released) {
		if err := run(t, statement.sql, statement.args...); err != nil {
			return err
		}
	}
	return nil
}

func (t *transaction) Hold(id string) (card.Hold, error) {
	return one(t, scanHold, selectHolds+` WHERE id = $1`, id)
}

func (t *transaction) HoldsOfSerial(serialID string) ([]card.Hold, error) {
	number, _ := ident.ParseSerialID(serialID)
	return all(t, scanHold, selectHolds+` WHERE serial_number = $1 ORDER BY id`, number)
}

func (t *transaction) Holds(open bool, before string, limit int) ([]card.Hold, error) {
	if before == "" {
		before = beforeAll
	}
	// Two statements: SQLite uses a partial index only when its condition is written in the statement, not bound.
	where := ` WHERE id < $1 ORDER BY id DESC LIMIT $2`
	if open {
		where = ` WHERE released_at = 0 AND id < $1 ORDER BY id DESC LIMIT $2`
	}
	return all(t, scanHold, selectHolds+where, before, limit)
}

func (t *transaction) OpenHolds(serialIDs []string) ([]card.Hold, error) {
	return t.holdsOf(serialIDs, `released_at = 0`)
}

func (t *transaction) ReleasedHolds(reportID string, serialIDs []string) ([]card.Hold, error) {
	return t.holdsOf(serialIDs, `released_at <> 0 AND nonconformance_id = $1`, reportID)
}

// holdsOf returns the holds of serials that meet a condition, which may have arguments.
func (t *transaction) holdsOf(serialIDs []string, condition string, bound ...any) ([]card.Hold, error) {
	holds := []card.Hold{}
	numbers := make([]int64, 0, len(serialIDs))
	for _, id := range serialIDs {
		if number, ok := ident.ParseSerialID(id); ok {
			numbers = append(numbers, number)
		}
	}
	for chunk := range chunks(numbers) {
		placeholders, args := inList(len(bound)+1, chunk)
		found, err := all(t, scanHold, selectHolds+` WHERE `+condition+` AND serial_number IN (`+placeholders+`) ORDER BY id`,
			slices.Concat(bound, args)...)
		if err != nil {
			return nil, err
		}
		holds = append(holds, found...)
	}
	return holds, nil
}

func (t *transaction) HeldBatches(limit int) ([]views.HeldBatch, error) {
	// CROSS JOIN makes SQLite begin with the open holds, which are few.
	return all(t, func(r rows) (b views.HeldBatch, err error) {
		var first int64
		err = r.Scan(&b.Reason, &b.NonconformanceID, &b.Units, &b.Since, &first)
		b.First = ident.SerialID(first)
		return b, err
	}, `SELECT h.reason, h.nonconformance_id, COUNT(DISTINCT h.serial_number), MIN(h.placed_at), MIN(h.serial_number)
		FROM hold h CROSS JOIN serial s
		WHERE h.released_at = 0 AND h.serial_number > 0 AND s.number = h.serial_number AND s.status <> 'scrapped'
		GROUP BY 1, 2 ORDER BY 4, 1, 2 LIMIT $1`, limit)
}
