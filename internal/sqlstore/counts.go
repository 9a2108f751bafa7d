package sqlstore

import "github.com/routecard/routecard/shop"

func (t *transaction) CountStanding(pathIDs []string) ([]shop.PathStandingCount, error) {
	scan := func(r rows) (c shop.PathStandingCount, err error) {
		err = r.Scan(&c.PathID, &c.Status, &c.Position, &c.Count)
		return c, err
	}
	const count, by = `SELECT path_id, status, position, COUNT(*) FROM serial`,
		` GROUP BY status, path_id, position ORDER BY status, path_id, position`
	if pathIDs == nil {
		return all(t, scan, count+by)
	}
	found := []shop.PathStandingCount{}
	for chunk := range chunks(pathIDs) {
		placeholders, args := inList(1, chunk)
		some, err := all(t, scan, count+` WHERE `+anyStatus+` AND path_id IN (`+placeholders+`)`+by, args...)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	return found, nil
}

func (t *transaction) MovesBetween(after, until int64) ([]shop.Move, error) {
	return all(t, func(r rows) (m shop.Move, err error) {
		err = r.Scan(&m.PathID, &m.Action, &m.StepID, &m.FromStepID, &m.ToStepID, &m.Count, &m.Quantity)
		return m, err
	}, `SELECT path_id, action, step_id, from_step_id, to_step_id, COUNT(*), SUM(batch_quantity) FROM audit
		WHERE sequence > $1 AND sequence <= $2 AND path_id <> ''
		GROUP BY path_id, action, step_id, from_step_id, to_step_id ORDER BY path_id`, after, until)
}

func (t *transaction) CountExceptions(pathID string) ([]shop.ExceptionCount, error) {
	return all(t, func(r rows) (c shop.ExceptionCount, err error) {
		err = r.Scan(&c.StepID, &c.Status, &c.Count)
		return c, err
	}, `SELECT step_id, status, COUNT(*) FROM step_exception
		WHERE step_id IN (SELECT id FROM step WHERE path_id = $1) GROUP BY step_id, status`, pathID)
}

func (t *transaction) CountAhead(pathID string) ([]shop.ExceptionCount, error) {
	return all(t, func(r rows) (c shop.ExceptionCount, err error) {
		err = r.Scan(&c.StepID, &c.Status, &c.Count)
		return c, err
	}, `SELECT e.step_id, e.status, COUNT(*) FROM serial s
		JOIN step_exception e ON e.serial_number = s.number
		JOIN step t ON t.id = e.step_id
		WHERE s.path_id = $1 AND s.reworks > 0 AND t.step_index >= s.position GROUP BY e.step_id, e.status`, pathID)
}

func (t *transaction) PathsOfJobs(jobIDs []string) ([]shop.PathOfJob, error) {
	found := []shop.PathOfJob{}
	for chunk := range chunks(jobIDs) {
		placeholders, args := inList(1, chunk)
		some, err := all(t, func(r rows) (p shop.PathOfJob, err error) {
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
