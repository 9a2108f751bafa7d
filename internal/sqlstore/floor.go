package sqlstore

import "github.com/routecard/routecard"

func (t *transaction) StandingByPosition() ([]routecard.PositionCount, error) {
	return all(t, func(r rows) (c routecard.PositionCount, err error) {
		err = r.Scan(&c.PathID, &c.Position, &c.Count)
		return c, err
	}, `SELECT path_id, position, COUNT(*) FROM serial WHERE status = 'in_progress'
		GROUP BY path_id, position ORDER BY path_id, position`)
}

func (t *transaction) JobsInProgress() ([]string, error) {
	return all(t, scalar[string], `SELECT DISTINCT p.job_id FROM path p WHERE EXISTS
		(SELECT 1 FROM serial s WHERE s.path_id = p.id AND s.status = 'in_progress') ORDER BY 1 DESC`)
}

// ClosedByQuarter reads the time of completion from updated_at: nothing moves a closed serial any more.
func (t *transaction) ClosedByQuarter(since routecard.Timestamp) ([]routecard.ClosedCount, error) {
	const quarter = 15 * 60 * 1000
	return all(t, func(r rows) (c routecard.ClosedCount, err error) {
		err = r.Scan(&c.Quarter, &c.Status, &c.Reason, &c.Count)
		return c, err
	}, `SELECT updated_at / $2, status, scrap_reason, COUNT(*) FROM serial
		WHERE status <> 'in_progress' AND updated_at >= $1 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`, int64(since), quarter)
}

func (t *transaction) StandingLongest(limit int) ([]routecard.StandingSerial, error) {
	return all(t, func(r rows) (s routecard.StandingSerial, err error) {
		err = r.Scan(&s.Number, &s.PathID, &s.Position, &s.Status, &s.ScrapReason, &s.Forced, &s.CreatedAt, &s.Since)
		return s, err
	}, `SELECT number, path_id, position, status, scrap_reason, force_completed_by <> '', created_at, updated_at
		FROM serial WHERE status = 'in_progress' ORDER BY updated_at, number LIMIT $1`, limit)
}
