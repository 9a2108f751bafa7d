package lists

import (
	"github.com/routecard/routecard/internal/sqlstore/db"
)

type board struct{ *db.Core }

func (t board) SerialsStanding(pathID string, position, limit int) ([]string, error) {
	return db.All(t, func(r db.Rows) (string, error) {
		number, err := db.Scalar[int64](r)
		return t.Prefix.SerialID(number), err
	}, `SELECT number FROM serial WHERE path_id = $1 AND status = 'in_progress' AND position = $2
		ORDER BY number LIMIT $3`, pathID, position, limit)
}
