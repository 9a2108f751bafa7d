package sqlstore

import (
	"cmp"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

func (t *transaction) JobsOfPaths(pathIDs []string) ([]shop.Job, error) {
	jobs := []shop.Job{}
	for chunk := range chunks(pathIDs) {
		placeholders, args := inList(1, chunk)
		some, err := all(t, scanJobs(), `SELECT `+jobColumns+` FROM job WHERE id IN
			(SELECT job_id FROM path WHERE id IN (`+placeholders+`))`, args...)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, some...)
	}
	slices.SortFunc(jobs, func(a, b shop.Job) int { return cmp.Compare(b.ID, a.ID) })
	return slices.CompactFunc(jobs, func(a, b shop.Job) bool { return a.ID == b.ID }), nil
}

func (t *transaction) ClosedByQuarter(since ident.Timestamp) ([]views.ClosedCount, error) {
	const quarter = 15 * 60 * 1000
	return all(t, func(r rows) (c views.ClosedCount, err error) {
		err = r.Scan(&c.Quarter, &c.Status, &c.Reason, &c.Count)
		return c, err
	}, `SELECT updated_at / $2, status, scrap_reason, COUNT(*) FROM serial
		WHERE status <> 'in_progress' AND updated_at >= $1 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`, int64(since), quarter)
}

func (t *transaction) StandingLongest(limit int) ([]views.Standstill, error) {
	return all(t, func(r rows) (s views.Standstill, err error) {
		err = r.Scan(&s.Number, &s.Since)
		return s, err
	}, `SELECT number, updated_at FROM serial WHERE status = 'in_progress' ORDER BY updated_at, number LIMIT $1`, limit)
}

func (t *transaction) StandingStill(numbers []int64) ([]views.StandingSerial, error) {
	if len(numbers) == 0 {
		return []views.StandingSerial{}, nil
	}
	placeholders, args := inList(1, numbers)
	// The status is compared here and not in SQL: with a condition on it, SQLite would read all serials in progress.
	found, err := all(t, func(r rows) (s views.StandingSerial, err error) {
		err = r.Scan(&s.Number, &s.PathID, &s.Position, &s.Status, &s.ScrapReason, &s.Forced, &s.CreatedAt, &s.Since)
		return s, err
	}, `SELECT number, path_id, position, status, scrap_reason, force_completed_by <> '', created_at, updated_at
		FROM serial WHERE number IN (`+placeholders+`)`, args...)
	return slices.DeleteFunc(found, func(s views.StandingSerial) bool { return s.Status != card.InProgress }), err
}
