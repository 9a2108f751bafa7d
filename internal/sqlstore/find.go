package sqlstore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

// conditions gathers the parts of a WHERE clause and their arguments.
type conditions struct {
	parts []string
	args  []any
}

// add adds a condition. Each ? in it stands for the next argument.
func (c *conditions) add(condition string, args ...any) {
	for _, arg := range args {
		c.args = append(c.args, arg)
		condition = strings.Replace(condition, "?", fmt.Sprintf("$%d", len(c.args)), 1)
	}
	c.parts = append(c.parts, condition)
}

func (c *conditions) where() string {
	if len(c.parts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(c.parts, " AND ")
}

// containing is the LIKE pattern of texts that contain a text; \ escapes.
func containing(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(strings.ToLower(text)) + "%"
}

func (t *transaction) Places(filter views.PlaceFilter, limit int) ([]views.Place, error) {
	var c conditions
	byStep := filter.StepID != "" || filter.Step != ""
	query := `SELECT p.id, -1 FROM path p`
	if byStep {
		query = `SELECT p.id, s.step_index FROM step s JOIN path p ON p.id = s.path_id`
	}
	if filter.StepID != "" {
		c.add(`s.id = ?`, filter.StepID)
	}
	if filter.Step != "" {
		c.add(`s.name = ?`, filter.Step)
	}
	if filter.JobID != "" {
		c.add(`p.job_id = ?`, filter.JobID)
	}
	if filter.PathID != "" {
		c.add(`p.id = ?`, filter.PathID)
	}
	if filter.Name != "" {
		pattern := containing(filter.Name)
		c.add(`(LOWER(p.name) LIKE ? ESCAPE '\' OR EXISTS
			(SELECT 1 FROM job j WHERE j.id = p.job_id AND LOWER(j.name) LIKE ? ESCAPE '\'))`, pattern, pattern)
	}
	query += c.where() + fmt.Sprintf(` ORDER BY 1 DESC, 2 LIMIT $%d`, len(c.args)+1)
	return all(t, func(r rows) (place views.Place, err error) {
		err = r.Scan(&place.PathID, &place.Position)
		return place, err
	}, query, append(c.args, limit)...)
}

// branchLimit is how many ranges one search statement has at most. It walks an index for each of them.
const branchLimit = 50

// SearchSerials walks an index backwards for each place and each range of numbers and takes the newest of what it
// finds, so that a page costs the same however many serials there are.
func (t *transaction) SearchSerials(search views.SerialSearch) ([]shop.ListedSerial, error) {
	places, numbers := search.Places, search.Numbers
	if places == nil {
		places = []views.Place{{Position: views.AnyPosition}}
	}
	if numbers == nil {
		numbers = []shop.NumberRange{{First: 0, Last: search.Before}}
	}
	type branch struct {
		place   views.Place
		numbers shop.NumberRange
	}
	branches := []branch{}
	for _, place := range places {
		for _, within := range numbers {
			within.Last = min(within.Last, search.Before-1)
			if within.First <= within.Last {
				branches = append(branches, branch{place, within})
			}
		}
	}
	found := []shop.ListedSerial{}
	for chunk := range slices.Chunk(branches, branchLimit) {
		var c conditions
		var selects []string
		for i, b := range chunk {
			c.parts = nil
			if b.place.PathID != "" {
				c.add(`path_id = ?`, b.place.PathID)
			}
			if search.Status != "" {
				c.add(`status = ?`, string(search.Status))
			}
			if b.place.Position != views.AnyPosition {
				c.add(`position = ?`, b.place.Position)
			}
			c.add(`number BETWEEN ? AND ?`, b.numbers.First, b.numbers.Last)
			c.args = append(c.args, search.Limit)
			selects = append(selects, fmt.Sprintf(`SELECT number FROM (SELECT number FROM serial%s
				ORDER BY number DESC LIMIT $%d) b%d`, c.where(), len(c.args), i))
		}
		newest, err := all(t, scanListed, `SELECT number, path_id, position, status, scrap_reason, force_completed_by <> '',
			created_at FROM serial WHERE number IN (`+strings.Join(selects, " UNION ALL ")+fmt.Sprintf(`)
			ORDER BY number DESC LIMIT $%d`, len(c.args)+1), append(c.args, search.Limit)...)
		if err != nil {
			return nil, err
		}
		found = append(found, newest...)
	}
	slices.SortFunc(found, func(a, b shop.ListedSerial) int { return cmp.Compare(b.Number, a.Number) })
	return found[:min(len(found), search.Limit)], nil
}

func (t *transaction) StepNames(limit int) ([]string, error) {
	return all(t, scalar[string], `SELECT name FROM library_entry WHERE library = 'process'
		UNION SELECT name FROM step ORDER BY 1 LIMIT $1`, limit)
}
