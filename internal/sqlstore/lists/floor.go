package lists

import (
	"slices"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

type floor struct{ *db.Core }

func (t floor) ClosedByQuarter(since ident.Timestamp) ([]views.ClosedCount, error) {
	const quarter = 15 * 60 * 1000
	return db.All(t, func(r db.Rows) (c views.ClosedCount, err error) {
		err = r.Scan(&c.Quarter, &c.Status, &c.Reason, &c.Count)
		return c, err
	}, `SELECT updated_at / $2, status, scrap_reason, COUNT(*) FROM serial
		WHERE status <> 'in_progress' AND updated_at >= $1 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`, int64(since), quarter)
}

func (t floor) StandingLongest(limit int) ([]views.Standstill, error) {
	return db.All(t, func(r db.Rows) (s views.Standstill, err error) {
		err = r.Scan(&s.Number, &s.Since)
		return s, err
	}, `SELECT number, updated_at FROM serial WHERE status = 'in_progress' ORDER BY updated_at, number LIMIT $1`, limit)
}

func (t floor) StandingStill(numbers []int64) ([]views.StandingSerial, error) {
	if len(numbers) == 0 {
		return []views.StandingSerial{}, nil
	}
	placeholders, args := db.InList(1, numbers)
	// The status is compared here and not in SQL. With a condition on it in the statement, SQLite would read all serials in progress.
	found, err := db.All(t, func(r db.Rows) (s views.StandingSerial, err error) {
		err = r.Scan(&s.Number, &s.PathID, &s.Position, &s.Status, &s.ScrapReason, &s.Forced, &s.CreatedAt, &s.Since)
		return s, err
	}, `SELECT number, path_id, position, status, scrap_reason, force_completed_by <> '', created_at, updated_at
		FROM serial WHERE number IN (`+placeholders+`)`, args...)
	return slices.DeleteFunc(found, func(s views.StandingSerial) bool { return s.Status != card.InProgress }), err
}
