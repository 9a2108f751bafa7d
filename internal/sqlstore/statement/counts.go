package statement

import (
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
)

type counts struct{ *db.Core }

func (t counts) CountStanding(pathIDs []string) ([]shop.PathStandingCount, error) {
	scan := func(r db.Rows) (c shop.PathStandingCount, err error) {
		err = r.Scan(&c.PathID, &c.Status, &c.Position, &c.Count)
		return c, err
	}
	const count, by = `SELECT path_id, status, position, COUNT(*) FROM serial`,
		` GROUP BY status, path_id, position ORDER BY status, path_id, position`
	if pathIDs == nil {
		return db.All(t, scan, count+by)
	}
	found := []shop.PathStandingCount{}
	for chunk := range db.Chunks(pathIDs) {
		placeholders, args := db.InList(1, chunk)
		some, err := db.All(t, scan, count+` WHERE `+anyStatus+` AND path_id IN (`+placeholders+`)`+by, args...)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	return found, nil
}

func (t counts) CountExceptions(pathID string) ([]shop.ExceptionCount, error) {
	return db.All(t, func(r db.Rows) (c shop.ExceptionCount, err error) {
		err = r.Scan(&c.StepID, &c.Status, &c.Count)
		return c, err
	}, `SELECT step_id, status, COUNT(*) FROM step_exception
		WHERE step_id IN (SELECT id FROM step WHERE path_id = $1) GROUP BY step_id, status`, pathID)
}

func (t counts) CountAhead(pathID string) ([]shop.ExceptionCount, error) {
	return db.All(t, func(r db.Rows) (c shop.ExceptionCount, err error) {
		err = r.Scan(&c.StepID, &c.Status, &c.Count)
		return c, err
	}, `SELECT e.step_id, e.status, COUNT(*) FROM serial s
		JOIN step_exception e ON e.serial_number = s.number
		JOIN step t ON t.id = e.step_id
		WHERE s.path_id = $1 AND s.reworks > 0 AND t.step_index >= s.position GROUP BY e.step_id, e.status`, pathID)
}

func (t counts) PathsOfJobs(jobIDs []string) ([]shop.PathOfJob, error) {
	found := []shop.PathOfJob{}
	for chunk := range db.Chunks(jobIDs) {
		placeholders, args := db.InList(1, chunk)
		some, err := db.All(t, func(r db.Rows) (p shop.PathOfJob, err error) {
			err = r.Scan(&p.PathID, &p.JobID)
			return p, err
		}, `SELECT id, job_id FROM path WHERE job_id IN (`+placeholders+`) ORDER BY job_id, id`, args...)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	return found, nil
}
