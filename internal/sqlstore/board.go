package sqlstore

import "github.com/routecard/routecard/shop/ident"

func (t *transaction) SerialsStanding(pathID string, position, limit int) ([]string, error) {
	return all(t, func(r rows) (string, error) {
		number, err := scalar[int64](r)
		return ident.SerialID(number), err
	}, `SELECT number FROM serial WHERE path_id = $1 AND status = 'in_progress' AND position = $2
		ORDER BY number LIMIT $3`, pathID, position, limit)
}
