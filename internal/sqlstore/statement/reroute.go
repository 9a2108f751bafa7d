package statement

import (
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop/replay"
)

type reroutes struct{ *db.Core }

// left is a condition for the units that have left their last step. Every other unit is at the step of its position.
const left = `(status = 'completed' AND force_completed_by = '')`

// lockUnits locks the units of a path, in the order in which all transactions lock serials.
func lockUnits(t *db.Core, pathID string) error {
	if t.Lock == "" {
		return nil
	}
	return db.Run(t, `SELECT COUNT(*) FROM (SELECT number FROM serial WHERE path_id = $1 ORDER BY number`+t.Lock+`) AS held`, pathID)
}

func (t reroutes) UnitPlaces(pathID string) ([]replay.UnitPlace, error) {
	if err := lockUnits(t.Core, pathID); err != nil {
		return nil, err
	}
	return db.All(t, func(r db.Rows) (at replay.UnitPlace, err error) {
		err = r.Scan(&at.Done, &at.Position, &at.Count)
		return at, err
	}, `SELECT `+left+` AS done, position, COUNT(*) FROM serial WHERE `+anyStatus+` AND path_id = $1
		GROUP BY done, position ORDER BY done, position`, pathID)
}

func (t reroutes) Reroute(change replay.Rerouting) error {
	for _, move := range change.Moves {
		condition := `NOT ` + left
		if move.Done {
			condition = left
		}
		if err := db.Run(t, `UPDATE serial SET position = position + $1 WHERE `+anyStatus+` AND path_id = $2
			AND position BETWEEN $3 AND $4 AND `+condition, move.By, change.PathID, move.First, move.Last); err != nil {
			return err
		}
	}
	for _, step := range change.Passed {
		if err := db.Run(t, `INSERT INTO step_exception (serial_number, step_id, status, updated_at)
			SELECT number, CAST($1 AS text), CASE status WHEN 'in_progress' THEN CAST($2 AS text) ELSE 'skipped' END, CAST($3 AS bigint)
			FROM serial WHERE `+anyStatus+` AND path_id = $4 AND position > $5`,
			step.StepID, string(step.Status), int64(change.At), change.PathID, step.Place); err != nil {
			return err
		}
	}
	return t.rerouteReports(change)
}

// rerouteReports changes, in reports, the steps at which units of the path were found to be wrong. Two steps may be swapped, so a new
// position is first written as a negative number.
func (t reroutes) rerouteReports(change replay.Rerouting) error {
	if len(change.Places) == 0 {
		return nil
	}
	const ofPath = `serial_number IN (SELECT number FROM serial WHERE ` + anyStatus + ` AND path_id = $1)`
	found, err := db.All(t, db.Scalar[int], `SELECT DISTINCT found_at FROM nonconforming_unit WHERE `+ofPath+` ORDER BY found_at`,
		change.PathID)
	if err != nil {
		return err
	}
	moved := false
	for _, place := range found {
		if place >= len(change.Places) || change.Places[place] == place {
			continue
		}
		moved = true
		if err := db.Run(t, `UPDATE nonconforming_unit SET found_at = $2 WHERE `+ofPath+` AND found_at = $3`,
			change.PathID, -1-change.Places[place], place); err != nil {
			return err
		}
	}
	if !moved {
		return nil
	}
	return db.Run(t, `UPDATE nonconforming_unit SET found_at = -1 - found_at WHERE `+ofPath+` AND found_at < 0`, change.PathID)
}
