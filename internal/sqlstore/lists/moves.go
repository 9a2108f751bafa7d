package lists

import (
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
)

type moves struct{ *db.Core }

func (t moves) MovesBetween(after, until int64) ([]shop.Move, error) {
	return db.All(t, func(r db.Rows) (m shop.Move, err error) {
		err = r.Scan(&m.PathID, &m.Action, &m.StepID, &m.FromStepID, &m.ToStepID, &m.Count, &m.Quantity)
		return m, err
	}, `SELECT path_id, action, step_id, from_step_id, to_step_id, COUNT(*), SUM(batch_quantity) FROM audit
		WHERE sequence > $1 AND sequence <= $2 AND path_id <> ''
		GROUP BY path_id, action, step_id, from_step_id, to_step_id ORDER BY path_id`, after, until)
}
