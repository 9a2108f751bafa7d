package lists

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

type finder struct{ *db.Core }

func (t finder) Places(filter views.PlaceFilter, limit int) ([]views.Place, error) {
	var c db.Conditions
	byStep := filter.StepID != "" || filter.Step != ""
	query := `SELECT p.id, -1 FROM path p`
	if byStep {
		query = `SELECT p.id, s.step_index FROM step s JOIN path p ON p.id = s.path_id`
	}
	if filter.StepID != "" {
		c.Add(`s.id = ?`, filter.StepID)
	}
	if filter.Step != "" {
		c.Add(`s.name = ?`, filter.Step)
	}
	if filter.JobID != "" {
		c.Add(`p.job_id = ?`, filter.JobID)
	}
	if filter.PathID != "" {
		c.Add(`p.id = ?`, filter.PathID)
	}
	if filter.Name != "" {
		pattern := db.Containing(filter.Name)
		c.Add(`(LOWER(p.name) LIKE ? ESCAPE '\' OR EXISTS
			(SELECT 1 FROM job j WHERE j.id = p.job_id AND LOWER(j.name) LIKE ? ESCAPE '\'))`, pattern, pattern)
	}
	narrowJobs(&c, filter.Job, `p.job_id`)
	query += c.Where() + fmt.Sprintf(` ORDER BY 1 DESC, 2 LIMIT $%d`, len(c.Args)+1)
	return db.All(t, func(r db.Rows) (place views.Place, err error) {
		err = r.Scan(&place.PathID, &place.Position)
		return place, err
	}, query, append(c.Args, limit)...)
}

// SearchSerials scans an index for each place and each range of numbers and returns the newest, or the oldest, of the results. The cost of
// a page therefore does not depend on the number of serials.
func (t finder) SearchSerials(search views.SerialSearch) ([]shop.ListedSerial, error) {
	places, numbers := search.Places, search.Numbers
	if places == nil {
		places = []views.Place{{Position: views.AnyPosition}}
	}
	if numbers == nil {
		numbers = []ident.NumberRange{{First: 0, Last: search.Before}}
	}
	direction := "DESC"
	if search.Oldest {
		direction = "ASC"
	}
	type branch struct {
		place   views.Place
		numbers ident.NumberRange
	}
	branches := []branch{}
	for _, place := range places {
		for _, within := range numbers {
			within.Last = min(within.Last, search.Before-1)
			within.First = max(within.First, search.After+1)
			if within.First <= within.Last {
				branches = append(branches, branch{place, within})
			}
		}
	}
	found := []shop.ListedSerial{}
	for chunk := range slices.Chunk(branches, db.BranchLimit) {
		var c db.Conditions
		var selects []string
		for _, b := range chunk {
			c.Parts = nil
			narrow(&c, search, b.place)
			c.Add(numberOrder(search)+` BETWEEN ? AND ?`, b.numbers.First, b.numbers.Last)
			c.Args = append(c.Args, search.Limit)
			selects = append(selects, fmt.Sprintf(`SELECT number FROM (%s%s
				ORDER BY %s %s LIMIT $%d) numbers`, selected(search, `s.number`), c.Where(), numberOrder(search), direction, len(c.Args)))
		}
		newest, err := db.All(t, statement.ScanListed, `SELECT number, path_id, position, status, scrap_reason, force_completed_by <> '',
			created_at, own_number FROM serial WHERE number IN (`+strings.Join(selects, " UNION ALL ")+fmt.Sprintf(`)
			ORDER BY number %s LIMIT $%d`, direction, len(c.Args)+1), append(c.Args, search.Limit)...)
		if err != nil {
			return nil, err
		}
		found = append(found, newest...)
	}
	slices.SortFunc(found, func(a, b shop.ListedSerial) int {
		if search.Oldest {
			a, b = b, a
		}
		return cmp.Compare(b.Number, a.Number)
	})
	return found[:min(len(found), search.Limit)], nil
}

func (t finder) StepNames(limit int) ([]string, error) {
	return db.All(t, db.Scalar[string], `SELECT name FROM library_entry WHERE library = 'process'
		UNION SELECT name FROM step ORDER BY 1 LIMIT $1`, limit)
}

// selected returns the start of a SELECT for the serials of a search. Units on hold are found by the open holds, which are few: CROSS JOIN
// makes SQLite read the holds first.
func selected(search views.SerialSearch, columns string) string {
	if search.Hold == views.OnHold {
		return `SELECT DISTINCT ` + columns + ` FROM hold h CROSS JOIN serial s`
	}
	return `SELECT ` + columns + ` FROM serial s`
}

// numberOrder returns the expression by which the numbers of a search are compared and ordered. Units closed in a period are found by the
// index of their time and then sorted. The sum s.number + 0 prevents the database from scanning all serials in the order of their numbers
// instead. Units on hold are found by the holds in any case.
func numberOrder(search views.SerialSearch) string {
	if search.Closed != (views.Span{}) && search.Hold != views.OnHold {
		return `s.number + 0`
	}
	return `s.number`
}

// narrow adds the conditions of a search for one place, without those for ranges of numbers. Conditions of partial indexes are written as
// literal values, because SQLite does not find a partial index by bound arguments.
func narrow(c *db.Conditions, search views.SerialSearch, place views.Place) {
	switch search.Hold {
	case views.OnHold:
		c.Add(`h.released_at = 0 AND h.serial_number > 0 AND s.number = h.serial_number AND s.status <> 'scrapped'`)
		if search.HeldFor != "" {
			c.Add(`h.reason = ?`, search.HeldFor)
		}
		if search.HeldBy == views.NoReport {
			c.Add(`h.nonconformance_id = ''`)
		} else if search.HeldBy != "" {
			c.Add(`h.nonconformance_id = ?`, search.HeldBy)
		}
	case views.NotOnHold:
		c.Add(`s.status = 'in_progress' AND NOT EXISTS
			(SELECT 1 FROM hold h WHERE h.serial_number = s.number AND h.released_at = 0)`)
	}
	closed := search.Closed != (views.Span{})
	if closed {
		c.Add(`s.status <> 'in_progress' AND s.updated_at >= ?`, int64(search.Closed.From))
		if search.Closed.Until != 0 {
			c.Add(`s.updated_at < ?`, int64(search.Closed.Until))
		}
	}
	if search.Within != (ident.NumberRange{}) {
		c.Add(numberOrder(search)+` BETWEEN ? AND ?`, search.Within.First, search.Within.Last)
	}
	if search.OwnNumber != "" {
		c.Add(`s.number IN (SELECT o.serial_number FROM own_number o WHERE lower(o.number) = ?)`, db.Lowered(search.OwnNumber))
	}
	if search.Reason != "" {
		c.Add(`s.scrap_reason = ?`, string(search.Reason))
	}
	switch {
	case search.Status == "":
	case closed: // without the concatenation SQLite would scan all serials of the status
		c.Add(`s.status || '' = ?`, string(search.Status))
	default:
		c.Add(`s.status = ?`, string(search.Status))
	}
	if place.PathID != "" {
		c.Add(`s.path_id = ?`, place.PathID)
	}
	if place.Position != views.AnyPosition {
		c.Add(`s.position = ?`, place.Position)
	}
}

// CountUnits counts place by place, because a search may have more places than one statement takes.
func (t finder) CountUnits(search views.SerialSearch) ([]shop.StandingCount, error) {
	places := search.Places
	if places == nil {
		places = []views.Place{{Position: views.AnyPosition}}
	}
	counted := make(map[card.SerialStatus]int64)
	for _, place := range places {
		var c db.Conditions
		narrow(&c, search, place)
		// Without the concatenation with '' SQLite would scan all serials in the order of an index by status, to count them in groups.
		if _, err := db.All(t, func(r db.Rows) (none struct{}, err error) {
			var status card.SerialStatus
			var count int64
			err = r.Scan(&status, &count)
			counted[status] += count
			return none, err
		}, `SELECT status || '', COUNT(*) FROM (`+selected(search, `s.number, s.status`)+c.Where()+`) numbers
			GROUP BY 1`, c.Args...); err != nil {
			return nil, err
		}
	}
	counts := make([]shop.StandingCount, 0, len(counted))
	for status, count := range counted {
		counts = append(counts, shop.StandingCount{Status: status, Count: count})
	}
	slices.SortFunc(counts, func(a, b shop.StandingCount) int { return cmp.Compare(a.Status, b.Status) })
	return counts, nil
}
