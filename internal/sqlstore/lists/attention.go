package lists

import (
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/views"
)

type attention struct{ *db.Core }

func (t attention) HeldBatches(limit int) ([]views.HeldBatch, error) {
	// CROSS JOIN makes SQLite read the open holds first, because they are few.
	return db.All(t, func(r db.Rows) (b views.HeldBatch, err error) {
		var first int64
		err = r.Scan(&b.Reason, &b.NonconformanceID, &b.Units, &b.Since, &first)
		b.First = t.Prefix.SerialID(first)
		return b, err
	}, `SELECT h.reason, h.nonconformance_id, COUNT(DISTINCT h.serial_number), MIN(h.placed_at), MIN(h.serial_number)
		FROM hold h CROSS JOIN serial s
		WHERE h.released_at = 0 AND h.serial_number > 0 AND s.number = h.serial_number AND s.status <> 'scrapped'
		GROUP BY 1, 2 ORDER BY 4, 1, 2 LIMIT $1`, limit)
}
