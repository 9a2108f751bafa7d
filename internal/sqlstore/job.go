package sqlstore

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unsafe"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

const (
	jobStored = `id, name, goal_quantity, ticket_key, ticket_summary, part_number, priority, epic_link, labels,
	created_at, updated_at, own_part_number, part_revision, customer, order_number, description, due_date, own_priority,
	closed_at, closed_by, close_reason, gtin`
	jobColumns = jobStored + externalOf + string(shop.RecordJob) + `' AND x.record_id = job.id` + externalEnd
)

// jobRow is a job as it is read. What a job is for is the same in many jobs that follow one another, most often nothing, and is kept once
// for them: in memory a list of jobs is then a third as long. A job with labels has a purpose of its own.
type jobRow struct {
	id, name         string
	goal             int64
	created, updated ident.Timestamp
	external         string
	purpose          *jobPurpose
}

type jobPurpose struct {
	shop.OrderFields
	shop.TicketFields
	shop.JobClosing
}

const purposeSize = int(unsafe.Sizeof(jobPurpose{}))

// job is the zero job of the zero row, which comes with the error of a list that fails.
func (r jobRow) job() shop.Job {
	if r.purpose == nil {
		return shop.Job{}
	}
	return shop.Job{
		ID: r.id, Name: r.name, GoalQuantity: r.goal, OrderFields: r.purpose.OrderFields, TicketFields: r.purpose.TicketFields,
		ExternalID: r.external, CreatedAt: r.created, UpdatedAt: r.updated, JobClosing: r.purpose.JobClosing,
	}
}

// scanJobRows reads every row of a result into the same place. Then a row costs only a copy of the texts that differ from
// the row before.
func scanJobRows() func(rows) (jobRow, error) {
	var row jobRow
	var is jobPurpose
	var labels string
	var priority int64
	into := []any{
		&row.id, &row.name, &row.goal, &is.TicketKey, &is.TicketSummary, &is.TicketPart, &is.TicketPriority, &is.EpicLink,
		&labels, (*int64)(&row.created), (*int64)(&row.updated),
		&is.PartNumber, &is.PartRevision, &is.Customer, &is.OrderNumber, &is.Description, &is.DueDate, &priority,
		(*int64)(&is.ClosedAt), &is.ClosedBy, &is.CloseReason, &is.GTIN, &row.external,
	}
	return func(r rows) (jobRow, error) {
		is.Labels = nil
		err := r.Scan(into...)
		is.Priority = shop.PriorityOf(priority)
		if err == nil && labels != "" {
			if wrong := json.Unmarshal([]byte(labels), &is.Labels); wrong != nil {
				err = &shop.UnreadableError{Table: "job", ID: row.id, Err: wrong}
			}
		}
		if row.purpose == nil || *row.purpose != is {
			row.purpose = new(is)
			if weighing, ok := r.(*weighed); ok {
				weighing.records += purposeSize
			}
		}
		return row, err
	}
}

func scanJobs() func(rows) (shop.Job, error) {
	scan := scanJobRows()
	return func(r rows) (shop.Job, error) {
		row, err := scan(r)
		return row.job(), err
	}
}

func (t *transaction) InsertJob(job shop.Job) error {
	labels := ""
	if job.Labels != nil {
		encoded, err := json.Marshal(*job.Labels)
		if err != nil {
			return err
		}
		labels = string(encoded)
	}
	return run(t, `INSERT INTO job (`+jobStored+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
			$12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`,
		job.ID, job.Name, job.GoalQuantity, job.TicketKey, job.TicketSummary, job.TicketPart, job.TicketPriority,
		job.EpicLink, labels, int64(job.CreatedAt), int64(job.UpdatedAt), job.PartNumber, job.PartRevision, job.Customer,
		job.OrderNumber, job.Description, job.DueDate, job.Priority.Number(), int64(job.ClosedAt), job.ClosedBy, job.CloseReason,
		job.GTIN)
}

func (t *transaction) UpdateJob(job shop.Job) error {
	return expectOne(t, `UPDATE job SET name = $2, goal_quantity = $3, updated_at = $4, own_part_number = $5,
			part_revision = $6, customer = $7, order_number = $8, description = $9, due_date = $10, own_priority = $11,
			closed_at = $12, closed_by = $13, close_reason = $14, gtin = $15 WHERE id = $1`,
		job.ID, job.Name, job.GoalQuantity, int64(job.UpdatedAt), job.PartNumber, job.PartRevision, job.Customer,
		job.OrderNumber, job.Description, job.DueDate, job.Priority.Number(), int64(job.ClosedAt), job.ClosedBy, job.CloseReason,
		job.GTIN)
}

// LockUnitsOfJob gives the paths new revisions. A transaction that makes units has locked its path, and one that changes units has
// locked them and compares the revision.
func (t *transaction) LockUnitsOfJob(id string) error {
	paths, err := all(t, scalar[string], `SELECT id FROM path WHERE job_id = $1 ORDER BY id`+t.lock, id)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := run(t, `UPDATE path SET revision = $2 WHERE id = $1`, path, newRevision()); err != nil {
			return err
		}
		if err := t.lockUnits(path); err != nil {
			return err
		}
	}
	return nil
}

func (t *transaction) Job(id string) (shop.Job, error) {
	return one(t, scanJobs(), `SELECT `+jobColumns+` FROM job WHERE id = $1`+t.lock, id)
}

func (t *transaction) Jobs() iter.Seq2[shop.Job, error] { return t.JobsMatching(views.JobFilter{}, "") }

// JobsMatching finds what a filter leaves by the index of what it is about.
func (t *transaction) JobsMatching(filter views.JobFilter, before string) iter.Seq2[shop.Job, error] {
	if before == "" {
		before = beforeAll
	}
	c := conditions{args: []any{before, 0}}
	narrowJobs(&c, filter, `id`)
	narrowed := strings.Join(append([]string{`id < $1`}, c.parts...), " AND ")
	found := readable(t, pages(func(last listed[jobRow], first bool, limit int) ([]listed[jobRow], bool, error) {
		args := append([]any{last.record.id, limit}, c.args[2:]...)
		if first {
			args[0] = before
		}
		return page(t, lenient(scanJobRows()), `SELECT `+jobColumns+` FROM job WHERE `+narrowed+` ORDER BY id DESC LIMIT $2`, args...)
	}))
	return func(yield func(shop.Job, error) bool) {
		for row, err := range found {
			if !yield(row.job(), err) {
				return
			}
		}
	}
}

// JobsAmong leaves out what cannot be read as JobsMatching does.
func (t *transaction) JobsAmong(ids []string, filter views.JobFilter) ([]shop.Job, error) {
	jobs := []shop.Job{}
	for chunk := range chunks(ids) {
		placeholders, args := inList(1, chunk)
		c := conditions{args: args}
		c.add(`id IN (` + placeholders + `)`)
		narrowJobs(&c, filter, `id`)
		found, err := all(t, lenient(scanJobs()), `SELECT `+jobColumns+` FROM job`+c.where(), c.args...)
		if err != nil {
			return nil, err
		}
		for _, row := range found {
			switch {
			case row.wrong == nil:
				jobs = append(jobs, row.record)
			case t.leftOut != nil:
				t.leftOut(row.wrong)
			default:
				return nil, row.wrong
			}
		}
	}
	return jobs, nil
}

// closedJobs finds the closed jobs by their index: <> alone would read all of it.
const closedJobs = `SELECT id FROM job WHERE closed_at <> 0 AND closed_at > 0`

// narrowJobs adds the conditions of a filter on a column that has the identifier of a job.
func narrowJobs(c *conditions, filter views.JobFilter, column string) {
	for _, by := range []struct{ column, value string }{{"customer", filter.Customer}, {"order_number", filter.OrderNumber}} {
		if by.value != "" {
			c.add(column+` IN (SELECT id FROM job WHERE lower(`+by.column+`) = ? AND `+by.column+` <> '')`, lowered(by.value))
		}
	}
	if filter.PartNumber != "" {
		part := lowered(filter.PartNumber)
		c.add(column+` IN (SELECT id FROM job WHERE lower(own_part_number) = ? AND own_part_number <> ''
			UNION ALL SELECT id FROM job WHERE lower(part_number) = ? AND part_number <> '' AND own_part_number = '')`, part, part)
	}
	if filter.GTIN != "" {
		c.add(column+` IN (`+jobsWithGTIN+`)`, gtinArguments(filter.GTIN)...)
	}
	if filter.DueBefore != "" {
		c.add(column+` IN (SELECT id FROM job WHERE due_date <> '' AND due_date < ?)`, filter.DueBefore)
	}
	if filter.DueAfter != "" {
		c.add(column+` IN (SELECT id FROM job WHERE due_date <> '' AND due_date > ?)`, filter.DueAfter)
	}
	switch filter.Closed {
	case "true":
		c.add(column + ` IN (` + closedJobs + `)`)
	case "false":
		c.add(column + ` NOT IN (` + closedJobs + `)`)
	}
}

// GTINs are compared with 14 digits. A job without one has its part number as its GTIN, where that is a GTIN.
const (
	gtin14      = `substr('00000000000000' || gtin, length(gtin) + 1)`
	withoutGTIN = ` AND gtin = ''`
	spelledGTIN = ` IN (?, ?, ?, ?)`
	// jobsWithGTIN selects the jobs that have a GTIN: the arguments are those of gtinArguments.
	jobsWithGTIN = `SELECT id FROM job WHERE ` + gtin14 + ` = ? AND gtin <> ''
		UNION ALL SELECT id FROM job WHERE lower(own_part_number)` + spelledGTIN + ` AND own_part_number <> ''` + withoutGTIN + `
		UNION ALL SELECT id FROM job WHERE lower(part_number)` + spelledGTIN + ` AND part_number <> ''
			AND own_part_number = ''` + withoutGTIN
)

func gtinArguments(gtin string) []any {
	args := []any{gtin}
	for range 2 {
		for _, spelled := range shop.GTINSpellings(gtin) {
			args = append(args, spelled)
		}
	}
	return args
}

func (t *transaction) JobsWithGTIN(gtin string, limit int) ([]string, error) {
	c := conditions{}
	c.add(`id IN (`+jobsWithGTIN+`)`, gtinArguments(gtin)...)
	c.args = append(c.args, limit)
	return all(t, scalar[string], `SELECT id FROM job`+c.where()+fmt.Sprintf(` ORDER BY id DESC LIMIT $%d`, len(c.args)), c.args...)
}

func (t *transaction) GTINsOfJobs(jobIDs []string) (map[string]string, error) {
	gtins := map[string]string{}
	for chunk := range chunks(slices.Compact(slices.Sorted(slices.Values(jobIDs)))) {
		placeholders, args := inList(1, chunk)
		if _, err := all(t, func(r rows) (none struct{}, err error) {
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
