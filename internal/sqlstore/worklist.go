package sqlstore

import "github.com/routecard/routecard"

// The paths at whose steps serials wait: all of them, and those of the operator in $1.
const (
	allWithWork      = `SELECT path_id FROM serial WHERE status = 'in_progress'`
	operatorWithWork = `SELECT path_id FROM step WHERE assigned_to = $1 AND assigned_to <> ''`
)

func (t *transaction) RoutesWithWork(operatorID string) ([]routecard.Route, error) {
	within, args := allWithWork, []any{}
	if operatorID != "" {
		within, args = operatorWithWork, []any{operatorID}
	}
	routes, err := all(t, func(r rows) (route routecard.Route, err error) {
		p := &route.Path
		err = r.Scan(&p.ID, &p.JobID, &p.Name, &route.JobName)
		return route, err
	}, `SELECT p.id, p.job_id, p.name, j.name FROM path p JOIN job j ON j.id = p.job_id
		WHERE p.id IN (`+within+`) ORDER BY p.id`, args...)
	if err != nil {
		return nil, err
	}
	steps, err := all(t, scanStep, `SELECT `+stepColumns+` FROM step
		WHERE path_id IN (`+within+`) ORDER BY path_id, step_index`, args...)
	if err != nil {
		return nil, err
	}
	for i := range routes {
		path := &routes[i].Path
		for len(steps) > 0 && steps[0].pathID == path.ID {
			path.Steps = append(path.Steps, steps[0].step)
			steps = steps[1:]
		}
	}
	return routes, nil
}

func (t *transaction) WaitingSerials(operatorID string) ([]routecard.WaitingSerial, error) {
	statement, args := `SELECT path_id, position, number FROM serial WHERE status = 'in_progress'
		ORDER BY path_id, position, number`, []any{}
	if operatorID != "" {
		args = append(args, operatorID)
		statement = `SELECT s.path_id, s.position, s.number FROM step t
			JOIN serial s ON s.status = 'in_progress' AND s.path_id = t.path_id AND s.position = t.step_index
			WHERE t.assigned_to = $1 AND t.assigned_to <> '' ORDER BY s.path_id, s.position, s.number`
	}
	return all(t, func(r rows) (w routecard.WaitingSerial, err error) {
		err = r.Scan(&w.PathID, &w.Position, &w.Number)
		return w, err
	}, statement, args...)
}

func (t *transaction) WaitingAt(pathID string, position int) ([]int64, error) {
	return all(t, scalar[int64], `SELECT number FROM serial
		WHERE status = 'in_progress' AND path_id = $1 AND position = $2 ORDER BY number`, pathID, position)
}

func (t *transaction) CountWaitingAt(pathID string, position int) (int64, error) {
	return one(t, scalar[int64], `SELECT COUNT(*) FROM serial
		WHERE status = 'in_progress' AND path_id = $1 AND position = $2`, pathID, position)
}

func (t *transaction) FirstStanding() ([]routecard.FirstStanding, error) {
	return all(t, func(r rows) (f routecard.FirstStanding, err error) {
		err = r.Scan(&f.PathID, &f.Position, &f.Count, &f.Number)
		return f, err
	}, `SELECT path_id, position, COUNT(*), MIN(number) FROM serial WHERE status = 'in_progress'
		GROUP BY path_id, position ORDER BY path_id, position`)
}
