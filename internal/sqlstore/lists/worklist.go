package lists

import (
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/workorder"
	"github.com/routecard/routecard/views"
)

type workLists struct{ *db.Core }

// routesIn returns paths with their steps. The list of their identifiers may be a query.
func (t workLists) routesIn(list string, args ...any) ([]shop.Route, error) {
	routes, err := db.All(t, func(r db.Rows) (route shop.Route, err error) {
		p, o, priority := &route.Path, &route.Order, int64(0)
		err = r.Scan(&p.ID, &p.JobID, &p.Name, &p.GoalQuantity, &p.DueDate, &route.JobName, &o.PartNumber, &o.PartRevision, &o.Customer,
			&o.OrderNumber, &o.DueDate, &priority, &route.Ticket.TicketPart, &route.Ticket.TicketPriority, &route.Closed)
		o.Priority = workorder.PriorityOf(priority)
		return route, err
	}, `SELECT p.id, p.job_id, p.name, p.goal_quantity, p.due_date, j.name, j.own_part_number, j.part_revision, j.customer,
			j.order_number, j.due_date, j.own_priority, j.part_number, j.priority, j.closed_at <> 0
		FROM path p JOIN job j ON j.id = p.job_id
		WHERE p.id IN (`+list+`) ORDER BY p.id`, args...)
	if err != nil {
		return nil, err
	}
	steps, err := db.All(t, statement.ScanStep, `SELECT `+statement.StepColumns+` FROM step
		WHERE path_id IN (`+list+`) ORDER BY path_id, step_index`, args...)
	if err != nil {
		return nil, err
	}
	for i := range routes {
		path := &routes[i].Path
		for len(steps) > 0 && steps[0].PathID == path.ID {
			path.Steps = append(path.Steps, steps[0].Step)
			steps = steps[1:]
		}
	}
	return routes, nil
}

func (t workLists) Routes(pathIDs []string) ([]shop.Route, error) {
	routes := []shop.Route{}
	for chunk := range db.Chunks(pathIDs) {
		placeholders, args := db.InList(1, chunk)
		some, err := t.routesIn(placeholders, args...)
		if err != nil {
			return nil, err
		}
		routes = append(routes, some...)
	}
	return routes, nil
}

func (t workLists) RoutesOfOperator(operatorID string) ([]shop.Route, error) {
	return t.routesIn(`SELECT path_id FROM step WHERE assigned_to = $1 AND assigned_to <> ''`, operatorID)
}

// branches joins one SELECT for each place. The placeholders ? in the statement stand for the index of the place, its path and its
// position.
func branches(places []views.Place, statement string, c *db.Conditions) string {
	c.Parts = nil
	for i, place := range places {
		c.Add(statement, i, place.PathID, place.Position)
	}
	return strings.Join(c.Parts, " UNION ALL ")
}

func (t workLists) Waiting(places []views.Place, after int64, limit int) ([]views.WaitingSerial, error) {
	if !t.Local {
		return t.waiting(places, after, limit)
	}
	found := []views.WaitingSerial{}
	for i := range places {
		if len(found) == limit {
			break
		}
		some, err := t.waiting(places[i:i+1], after, limit-len(found))
		if err != nil {
			return nil, err
		}
		for _, w := range some {
			found = append(found, views.WaitingSerial{Place: i, Number: w.Number})
		}
		after = 0 // applies to the first place only
	}
	return found, nil
}

// waiting reads the units at all places with one statement.
func (t workLists) waiting(places []views.Place, after int64, limit int) ([]views.WaitingSerial, error) {
	found := []views.WaitingSerial{}
	if len(places) == 0 {
		return found, nil
	}
	c := db.Conditions{Args: []any{after, limit}}
	first := branches(places[:1], `SELECT CAST(? AS bigint) AS place, number FROM serial
		WHERE status = 'in_progress' AND path_id = ? AND position = ? AND number > $1`, &c)
	if rest := branches(places[1:], `SELECT CAST(? AS bigint) + 1, number FROM serial
		WHERE status = 'in_progress' AND path_id = ? AND position = ?`, &c); rest != "" {
		first += " UNION ALL " + rest
	}
	order := ` ORDER BY 1, 2 LIMIT $2`
	if len(places) == 1 {
		order = ` ORDER BY number LIMIT $2` // the order of the index, because a single place may have millions of units
	}
	return db.All(t, scanWaiting(), first+order, c.Args...)
}

// scanWaiting reuses one variable for all rows.
func scanWaiting() func(db.Rows) (views.WaitingSerial, error) {
	var place, number int64
	into := []any{&place, &number}
	return func(r db.Rows) (views.WaitingSerial, error) {
		err := r.Scan(into...)
		return views.WaitingSerial{Place: int(place), Number: number}, err
	}
}

func (t workLists) OldestWaiting(places []views.Place) (map[views.Place]int64, error) {
	oldest := make(map[views.Place]int64, len(places))
	for chunk := range slices.Chunk(places, db.BranchLimit) {
		var c db.Conditions
		found, err := db.All(t, scanWaiting(), branches(chunk, `SELECT CAST(? AS bigint), COALESCE(MIN(number), 0) FROM serial
			WHERE status = 'in_progress' AND path_id = ? AND position = ?
			AND NOT EXISTS (SELECT 1 FROM hold WHERE released_at = 0 AND serial_number = serial.number)`, &c), c.Args...)
		if err != nil {
			return nil, err
		}
		for _, w := range found {
			if w.Number != 0 {
				oldest[chunk[w.Place]] = w.Number
			}
		}
	}
	return oldest, nil
}

func (t workLists) HeldWaiting() ([]views.HeldCount, error) {
	// CROSS JOIN makes SQLite read the open holds first, which are few, and not all serials in progress.
	return db.All(t, func(r db.Rows) (held views.HeldCount, err error) {
		err = r.Scan(&held.JobID, &held.PathID, &held.Position, &held.Count)
		return held, err
	}, `SELECT p.job_id, s.path_id, s.position, COUNT(DISTINCT s.number)
		FROM hold h CROSS JOIN serial s CROSS JOIN path p
		WHERE h.released_at = 0 AND h.serial_number > 0 AND s.number = h.serial_number AND s.status = 'in_progress'
		AND p.id = s.path_id
		GROUP BY 1, 2, 3 ORDER BY 2, 3`)
}
