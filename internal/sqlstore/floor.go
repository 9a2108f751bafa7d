package sqlstore

import (
	"encoding/json"
	"iter"

	"github.com/routecard/routecard"
)

func scanUser(r rows) (u routecard.User, err error) {
	err = r.Scan(&u.ID, &u.Name, &u.Department, &u.Active, &u.CreatedAt)
	return u, err
}

func (t *transaction) InsertUser(u routecard.User) error {
	return run(t, `INSERT INTO shop_user (id, name, department, active, created_at) VALUES ($1, $2, $3, $4, $5)`,
		u.ID, u.Name, u.Department, u.Active, int64(u.CreatedAt))
}

func (t *transaction) UpdateUser(u routecard.User) error {
	return expectOne(t, `UPDATE shop_user SET name = $2, department = $3, active = $4 WHERE id = $1`,
		u.ID, u.Name, u.Department, u.Active)
}

func (t *transaction) User(id string) (routecard.User, error) {
	return one(t, scanUser, `SELECT id, name, department, active, created_at FROM shop_user WHERE id = $1`+t.lock, id)
}

func (t *transaction) Users() iter.Seq2[routecard.User, error] {
	return pages(func(last routecard.User, _ bool, limit int) ([]routecard.User, bool, error) {
		return page(t, scanUser, `SELECT id, name, department, active, created_at FROM shop_user
			WHERE (name, id) > ($1, $2) ORDER BY name, id LIMIT $3`, last.Name, last.ID, limit)
	})
}

func scanTemplate(r rows) (template routecard.Template, err error) {
	var steps string
	if err := r.Scan(&template.ID, &template.Name, &steps, &template.CreatedAt, &template.UpdatedAt); err != nil {
		return template, err
	}
	err = json.Unmarshal([]byte(steps), &template.Steps)
	return template, err
}

func (t *transaction) InsertTemplate(template routecard.Template) error {
	steps, err := json.Marshal(template.Steps)
	if err != nil {
		return err
	}
	return run(t, `INSERT INTO template (id, name, steps, created_at, updated_at) VALUES ($1, $2, $3, $4, $5)`,
		template.ID, template.Name, string(steps), int64(template.CreatedAt), int64(template.UpdatedAt))
}

func (t *transaction) UpdateTemplate(template routecard.Template) error {
	steps, err := json.Marshal(template.Steps)
	if err != nil {
		return err
	}
	return expectOne(t, `UPDATE template SET name = $2, steps = $3, updated_at = $4 WHERE id = $1`,
		template.ID, template.Name, string(steps), int64(template.UpdatedAt))
}

func (t *transaction) DeleteTemplate(id string) error {
	return expectOne(t, `DELETE FROM template WHERE id = $1`, id)
}

func (t *transaction) Template(id string) (routecard.Template, error) {
	return one(t, scanTemplate, `SELECT id, name, steps, created_at, updated_at FROM template WHERE id = $1`+t.lock, id)
}

func (t *transaction) Templates() iter.Seq2[routecard.Template, error] {
	return pages(func(last routecard.Template, first bool, limit int) ([]routecard.Template, bool, error) {
		if first {
			last.ID = beforeAll
		}
		return page(t, scanTemplate, `SELECT id, name, steps, created_at, updated_at FROM template
			WHERE id < $1 ORDER BY id DESC LIMIT $2`, last.ID, limit)
	})
}

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
