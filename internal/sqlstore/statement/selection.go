package statement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

type selections struct{ *db.Core }

func (t selections) SerialsWhere(filter shop.SerialFilter, limit int) ([]int64, error) {
	var c db.Conditions
	from := `serial s`
	if filter.StepID != "" {
		from = `step t JOIN serial s ON s.path_id = t.path_id AND s.position = t.step_index`
		c.Add(`t.id = ?`, filter.StepID)
		c.Add(`s.status = 'in_progress'`)
	}
	if filter.PathID != "" {
		c.Add(`s.path_id = ?`, filter.PathID)
	}
	if filter.JobID != "" {
		c.Add(`s.path_id IN (SELECT id FROM path WHERE job_id = ?)`, filter.JobID)
	}
	switch {
	case filter.Status != "":
		c.Add(`s.status = ?`, string(filter.Status))
	case filter.StepID == "":
		c.Add(`s.` + anyStatus)
	}
	c.Args = append(c.Args, limit)
	// The limit comes before the order, so that a filter that matches millions of units costs no more than the limit allows.
	return db.All(t, db.Scalar[int64], fmt.Sprintf(`SELECT number FROM (SELECT s.number AS number FROM %s%s LIMIT $%d) chosen
		ORDER BY number`, from, c.Where(), len(c.Args)), c.Args...)
}

func (t selections) SerialsWithin(ranges []ident.NumberRange, limit int) ([]int64, error) {
	found := []int64{}
	for chunk := range slices.Chunk(ranges, db.BranchLimit) {
		if len(found) >= limit {
			break
		}
		// The list is filled up with empty ranges, so that a few statements serve lists of every length.
		size := db.ListSizes[slices.IndexFunc(db.ListSizes[:], func(size int) bool { return size >= len(chunk) })]
		var c db.Conditions
		for i := range size {
			within := ident.NumberRange{First: 1, Last: 0}
			if i < len(chunk) {
				within = chunk[i]
			}
			c.Add(`SELECT number FROM serial WHERE number BETWEEN ? AND ?`, within.First, within.Last)
		}
		numbers, err := db.All(t, db.Scalar[int64], strings.Join(c.Parts, " UNION ALL ")+
			fmt.Sprintf(` ORDER BY 1 LIMIT $%d`, len(c.Args)+1), append(c.Args, limit-len(found))...)
		if err != nil {
			return nil, err
		}
		found = append(found, numbers...)
	}
	return found, nil
}
