package statement

import (
	"encoding/json"
	"iter"
	"unsafe"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/workorder"
)

type jobs struct{ *db.Core }

// JobColumns are the columns of a job, for ScanJobs.
const (
	jobStored = `id, name, goal_quantity, ticket_key, ticket_summary, part_number, priority, epic_link, labels,
	created_at, updated_at, own_part_number, part_revision, customer, order_number, description, due_date, own_priority,
	closed_at, closed_by, close_reason, gtin, drawing_number, drawing_revision, order_line, customer_address, language`
	JobColumns = jobStored + db.ExternalOf + string(shop.RecordJob) + `' AND x.record_id = job.id` + db.ExternalEnd
)

// jobRow is a job as it is read. Many consecutive jobs have the same purpose (order and ticket), which is mostly empty. They share one copy
// of it, which reduces the memory of a list of jobs to a third. A job with labels has its own copy.
type jobRow struct {
	id, name         string
	goal             int64
	created, updated ident.Timestamp
	external         string
	purpose          *jobPurpose
}

type jobPurpose struct {
	workorder.OrderFields
	shop.TicketFields
	shop.JobClosing
}

// PurposeSize is the size of a purpose in memory, in bytes.
const PurposeSize = int(unsafe.Sizeof(jobPurpose{}))

// job returns the job of a row. For the zero row, which accompanies the error of a failed list, it returns the zero job.
func (r jobRow) job() shop.Job {
	if r.purpose == nil {
		return shop.Job{}
	}
	return shop.Job{
		ID: r.id, Name: r.name, GoalQuantity: r.goal, OrderFields: r.purpose.OrderFields, TicketFields: r.purpose.TicketFields,
		ExternalID: r.external, CreatedAt: r.created, UpdatedAt: r.updated, JobClosing: r.purpose.JobClosing,
	}
}

// scanJobRows reads every row of a result into the same variables. A row then costs only a copy of the texts that differ from the previous
// row.
func scanJobRows() func(db.Rows) (jobRow, error) {
	var row jobRow
	var is jobPurpose
	var labels string
	var priority int64
	into := []any{
		&row.id, &row.name, &row.goal, &is.TicketKey, &is.TicketSummary, &is.TicketPart, &is.TicketPriority, &is.EpicLink,
		&labels, (*int64)(&row.created), (*int64)(&row.updated),
		&is.PartNumber, &is.PartRevision, &is.Customer, &is.OrderNumber, &is.Description, &is.DueDate, &priority,
		(*int64)(&is.ClosedAt), &is.ClosedBy, &is.CloseReason, &is.GTIN,
		&is.DrawingNumber, &is.DrawingRevision, &is.OrderLine, &is.CustomerAddress, &is.Language, &row.external,
	}
	return func(r db.Rows) (jobRow, error) {
		is.Labels = nil
		err := r.Scan(into...)
		is.Priority = workorder.PriorityOf(priority)
		if err == nil && labels != "" {
			if wrong := json.Unmarshal([]byte(labels), &is.Labels); wrong != nil {
				err = &shop.UnreadableError{Table: "job", ID: row.id, Err: wrong}
			}
		}
		if row.purpose == nil || *row.purpose != is {
			row.purpose = new(is)
			if weighing, ok := r.(*db.Weighed); ok {
				weighing.Records += PurposeSize
			}
		}
		return row, err
	}
}

// ScanJobs scans rows with JobColumns.
func ScanJobs() func(db.Rows) (shop.Job, error) {
	scan := scanJobRows()
	return func(r db.Rows) (shop.Job, error) {
		row, err := scan(r)
		return row.job(), err
	}
}

func (t jobs) InsertJob(job shop.Job) error {
	labels := ""
	if job.Labels != nil {
		encoded, err := json.Marshal(*job.Labels)
		if err != nil {
			return err
		}
		labels = string(encoded)
	}
	return db.Run(t, `INSERT INTO job (`+jobStored+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
			$12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27)`,
		job.ID, job.Name, job.GoalQuantity, job.TicketKey, job.TicketSummary, job.TicketPart, job.TicketPriority,
		job.EpicLink, labels, int64(job.CreatedAt), int64(job.UpdatedAt), job.PartNumber, job.PartRevision, job.Customer,
		job.OrderNumber, job.Description, job.DueDate, job.Priority.Number(), int64(job.ClosedAt), job.ClosedBy, job.CloseReason,
		job.GTIN, job.DrawingNumber, job.DrawingRevision, job.OrderLine, job.CustomerAddress, job.Language)
}

func (t jobs) UpdateJob(job shop.Job) error {
	return db.ExpectOne(t, `UPDATE job SET name = $2, goal_quantity = $3, updated_at = $4, own_part_number = $5,
			part_revision = $6, customer = $7, order_number = $8, description = $9, due_date = $10, own_priority = $11,
			closed_at = $12, closed_by = $13, close_reason = $14, gtin = $15, drawing_number = $16,
			drawing_revision = $17, order_line = $18, customer_address = $19, language = $20 WHERE id = $1`,
		job.ID, job.Name, job.GoalQuantity, int64(job.UpdatedAt), job.PartNumber, job.PartRevision, job.Customer,
		job.OrderNumber, job.Description, job.DueDate, job.Priority.Number(), int64(job.ClosedAt), job.ClosedBy, job.CloseReason,
		job.GTIN, job.DrawingNumber, job.DrawingRevision, job.OrderLine, job.CustomerAddress, job.Language)
}

// LockUnitsOfJob gives the paths new revisions. A transaction that creates units has locked their path. A transaction that changes units
// has locked the units and compares the revision.
func (t jobs) LockUnitsOfJob(id string) error {
	paths, err := db.All(t, db.Scalar[string], `SELECT id FROM path WHERE job_id = $1 ORDER BY id`+t.Lock, id)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := db.Run(t, `UPDATE path SET revision = $2 WHERE id = $1`, path, NewRevision()); err != nil {
			return err
		}
		if err := lockUnits(t.Core, path); err != nil {
			return err
		}
	}
	return nil
}

func (t jobs) Job(id string) (shop.Job, error) {
	return db.One(t, ScanJobs(), `SELECT `+JobColumns+` FROM job WHERE id = $1`+t.Lock, id)
}

func (t jobs) Jobs() iter.Seq2[shop.Job, error] { return ListJobs(t.Core, AllJobs(), "") }

// AllJobs returns the conditions for a list of all jobs. The first two arguments belong to ListJobs.
func AllJobs() db.Conditions {
	return db.Conditions{Parts: []string{`id < $1`}, Args: []any{db.BeforeAll, 0}}
}

// ListJobs lists the jobs that meet conditions, newest first. before is a job: the list has only older jobs, or all if it is empty.
func ListJobs(t *db.Core, c db.Conditions, before string) iter.Seq2[shop.Job, error] {
	if before == "" {
		before = db.BeforeAll
	}
	found := db.Readable(t, db.Pages(func(last db.Listed[jobRow], first bool, limit int) ([]db.Listed[jobRow], bool, error) {
		args := append([]any{last.Record.id, limit}, c.Args[2:]...)
		if first {
			args[0] = before
		}
		return db.Page(t, db.Lenient(scanJobRows()), `SELECT `+JobColumns+` FROM job`+c.Where()+` ORDER BY id DESC LIMIT $2`, args...)
	}))
	return func(yield func(shop.Job, error) bool) {
		for row, err := range found {
			if !yield(row.job(), err) {
				return
			}
		}
	}
}
