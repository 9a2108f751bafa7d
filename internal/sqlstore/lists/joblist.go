package lists

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/workorder"
	"github.com/routecard/routecard/views"
)

type jobLists struct{ *db.Core }

// JobsMatching finds the jobs that match a filter, by the index of the filtered column.
func (t jobLists) JobsMatching(filter views.JobFilter, before string) iter.Seq2[shop.Job, error] {
	c := statement.AllJobs()
	narrowJobs(&c, filter, `id`)
	return statement.ListJobs(t.Core, c, before)
}

// JobsAmong omits jobs that cannot be read, as JobsMatching does.
func (t jobLists) JobsAmong(ids []string, filter views.JobFilter) ([]shop.Job, error) {
	jobs := []shop.Job{}
	for chunk := range db.Chunks(ids) {
		placeholders, args := db.InList(1, chunk)
		c := db.Conditions{Args: args}
		c.Add(`id IN (` + placeholders + `)`)
		narrowJobs(&c, filter, `id`)
		found, err := db.All(t, db.Lenient(statement.ScanJobs()), `SELECT `+statement.JobColumns+` FROM job`+c.Where(), c.Args...)
		if err != nil {
			return nil, err
		}
		for _, row := range found {
			switch {
			case row.Wrong == nil:
				jobs = append(jobs, row.Record)
			case t.LeftOut != nil:
				t.LeftOut(row.Wrong)
			default:
				return nil, row.Wrong
			}
		}
	}
	return jobs, nil
}

func (t jobLists) JobsWithGTIN(gtin string, limit int) ([]string, error) {
	c := db.Conditions{}
	c.Add(`id IN (`+jobsWithGTIN+`)`, gtinArguments(gtin)...)
	c.Args = append(c.Args, limit)
	return db.All(t, db.Scalar[string], `SELECT id FROM job`+c.Where()+fmt.Sprintf(` ORDER BY id DESC LIMIT $%d`, len(c.Args)), c.Args...)
}

func (t jobLists) GTINsOfJobs(jobIDs []string) (map[string]string, error) {
	gtins := map[string]string{}
	for chunk := range db.Chunks(slices.Compact(slices.Sorted(slices.Values(jobIDs)))) {
		placeholders, args := db.InList(1, chunk)
		if _, err := db.All(t, func(r db.Rows) (none struct{}, err error) {
			var id, gtin string
			err = r.Scan(&id, &gtin)
			gtins[id] = gtin
			return none, err
		}, `SELECT id, `+gtin14+` FROM job WHERE id IN (`+placeholders+`) AND gtin <> ''`, args...); err != nil {
			return nil, err
		}
	}
	return gtins, nil
}

// closedJobs finds the closed jobs by their index. With the condition <> alone, SQLite would read the whole index.
const closedJobs = `SELECT id FROM job WHERE closed_at <> 0 AND closed_at > 0`

// narrowJobs adds the conditions of a filter to a column with the identifiers of jobs.
func narrowJobs(c *db.Conditions, filter views.JobFilter, column string) {
	for _, by := range []struct{ column, value string }{{"customer", filter.Customer}, {"order_number", filter.OrderNumber}} {
		if by.value != "" {
			c.Add(column+` IN (SELECT id FROM job WHERE lower(`+by.column+`) = ? AND `+by.column+` <> '')`, db.Lowered(by.value))
		}
	}
	if filter.PartNumber != "" {
		part := db.Lowered(filter.PartNumber)
		c.Add(column+` IN (SELECT id FROM job WHERE lower(own_part_number) = ? AND own_part_number <> ''
			UNION ALL SELECT id FROM job WHERE lower(part_number) = ? AND part_number <> '' AND own_part_number = '')`, part, part)
	}
	if filter.GTIN != "" {
		c.Add(column+` IN (`+jobsWithGTIN+`)`, gtinArguments(filter.GTIN)...)
	}
	if filter.DueBefore != "" {
		c.Add(column+` IN (SELECT id FROM job WHERE due_date <> '' AND due_date < ?)`, filter.DueBefore)
	}
	if filter.DueAfter != "" {
		c.Add(column+` IN (SELECT id FROM job WHERE due_date <> '' AND due_date > ?)`, filter.DueAfter)
	}
	switch filter.Closed {
	case "true":
		c.Add(column + ` IN (` + closedJobs + `)`)
	case "false":
		c.Add(column + ` NOT IN (` + closedJobs + `)`)
	}
}

// GTINs are compared with 14 digits. If a job has no GTIN and its part number is a valid GTIN, the part number counts as its GTIN.
const (
	gtin14      = `substr('00000000000000' || gtin, length(gtin) + 1)`
	withoutGTIN = ` AND gtin = ''`
	spelledGTIN = ` IN (?, ?, ?, ?)`
	// jobsWithGTIN selects the jobs that have a GTIN: the arguments are those of gtinArguments.
	jobsWithGTIN = `SELECT id FROM job WHERE ` + gtin14 + ` = ? AND gtin <> ''
		UNION ALL SELECT id FROM job WHERE lower(own_part_number)` + spelledGTIN + ` AND own_part_number <> ''` + withoutGTIN + `
		UNION ALL SELECT id FROM job WHERE lower(part_number)` + spelledGTIN + ` AND part_number <> '' AND own_part_number = ''` +
		withoutGTIN
)

func gtinArguments(gtin string) []any {
	args := []any{gtin}
	for range 2 {
		for _, spelled := range workorder.GTINSpellings(gtin) {
			args = append(args, spelled)
		}
	}
	return args
}

func (t jobLists) JobsOfPaths(pathIDs []string) ([]shop.Job, error) {
	jobs := []shop.Job{}
	for chunk := range db.Chunks(pathIDs) {
		placeholders, args := db.InList(1, chunk)
		some, err := db.All(t, statement.ScanJobs(), `SELECT `+statement.JobColumns+` FROM job WHERE id IN
			(SELECT job_id FROM path WHERE id IN (`+placeholders+`))`, args...)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, some...)
	}
	slices.SortFunc(jobs, func(a, b shop.Job) int { return cmp.Compare(b.ID, a.ID) })
	return slices.CompactFunc(jobs, func(a, b shop.Job) bool { return a.ID == b.ID }), nil
}
