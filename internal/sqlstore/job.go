package sqlstore

import (
	"encoding/json"
	"iter"

	"github.com/routecard/routecard/shop"
)

const jobColumns = `id, name, goal_quantity, ticket_key, ticket_summary, part_number, priority, epic_link, labels,
	created_at, updated_at`

// scanJobs reads every row of a result into the same place. Then a row costs only a copy of the texts that differ from
// the row before.
func scanJobs() func(rows) (shop.Job, error) {
	var job shop.Job
	var labels string
	into := []any{
		&job.ID, &job.Name, &job.GoalQuantity, &job.TicketKey, &job.TicketSummary, &job.PartNumber, &job.Priority, &job.EpicLink,
		&labels, (*int64)(&job.CreatedAt), (*int64)(&job.UpdatedAt),
	}
	return func(r rows) (shop.Job, error) {
		job.Labels = nil
		err := r.Scan(into...)
		if err == nil && labels != "" {
			if wrong := json.Unmarshal([]byte(labels), &job.Labels); wrong != nil {
				err = &shop.UnreadableError{Table: "job", ID: job.ID, Err: wrong}
			}
		}
		return job, err
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
	return run(t, `INSERT INTO job (`+jobColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		job.ID, job.Name, job.GoalQuantity, job.TicketKey, job.TicketSummary, job.PartNumber, job.Priority,
		job.EpicLink, labels, int64(job.CreatedAt), int64(job.UpdatedAt))
}

func (t *transaction) UpdateJob(job shop.Job) error {
	return expectOne(t, `UPDATE job SET name = $2, goal_quantity = $3, updated_at = $4 WHERE id = $1`,
		job.ID, job.Name, job.GoalQuantity, int64(job.UpdatedAt))
}

func (t *transaction) Job(id string) (shop.Job, error) {
	return one(t, scanJobs(), `SELECT `+jobColumns+` FROM job WHERE id = $1`+t.lock, id)
}

func (t *transaction) Jobs() iter.Seq2[shop.Job, error] { return t.JobsBefore("") }

func (t *transaction) JobsBefore(id string) iter.Seq2[shop.Job, error] {
	return readable(t, pages(func(last listed[shop.Job], first bool, limit int) ([]listed[shop.Job], bool, error) {
		if first {
			if last.record.ID = id; id == "" {
				last.record.ID = beforeAll
			}
		}
		return page(t, lenient(scanJobs()), `SELECT `+jobColumns+` FROM job WHERE id < $1 ORDER BY id DESC LIMIT $2`, last.record.ID, limit)
	}))
}
