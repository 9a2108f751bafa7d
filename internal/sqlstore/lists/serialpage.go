package lists

import (
	"slices"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

type unitLister struct{ *db.Core }

const selectUnits = `SELECT s.number, s.path_id, s.position, s.status, s.scrap_reason, s.force_completed_by <> '', s.created_at,
		s.own_number, s.updated_at, COALESCE((SELECT MAX(CASE WHEN h.released_at > h.placed_at THEN h.released_at ELSE h.placed_at END)
			FROM hold h WHERE h.serial_number = s.number), 0),
		EXISTS (SELECT 1 FROM hold h WHERE h.serial_number = s.number AND h.released_at = 0),
		COALESCE((SELECT MAX(o.given_at) FROM own_number o WHERE o.serial_number = s.number), 0), ` + db.ExternalOfSerial + `
	FROM serial s WHERE `

func scanListedUnit(r db.Rows) (u views.ListedUnit, err error) {
	more := []any{&u.MovedAt, &u.HeldAt, &u.Held, &u.NumberedAt, &u.ExternalID}
	u.ListedSerial, err = statement.ScanListed(db.Widened{Rows: r, Behind: more})
	return u, err
}

func (t unitLister) UnitsWithin(pathID string, within ident.NumberRange, limit int) ([]views.ListedUnit, error) {
	if pathID != "" {
		return db.All(t, scanListedUnit, selectUnits+`s.path_id = $1 AND s.number BETWEEN $2 AND $3 ORDER BY s.number LIMIT $4`,
			pathID, within.First, within.Last, limit)
	}
	return db.All(t, scanListedUnit, selectUnits+`s.number BETWEEN $1 AND $2 ORDER BY s.number LIMIT $3`, within.First, within.Last, limit)
}

func (t unitLister) UnitsNumbered(numbers []int64) ([]views.ListedUnit, error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	placeholders, args := db.InList(1, slices.Sorted(slices.Values(numbers)))
	return db.All(t, scanListedUnit, selectUnits+`s.number IN (`+placeholders+`) ORDER BY s.number`, args...)
}
