package sqlstore

import (
	"encoding/json"
	"iter"

	"github.com/routecard/routecard"
)

const jobColumns = `id, name, goal_quantity, ticket_key, ticket_summary, part_number, priority, epic_link, labels,
	created_at, updated_at`

func scanJob(r rows) (job routecard.Job, err error) {
	var labels string
	if err := r.Scan(&job.ID, &job.Name, &job.GoalQuantity, &job.TicketKey, &job.TicketSummary, &job.PartNumber,
		&job.Priority, &job.EpicLink, &labels, &job.CreatedAt, &job.UpdatedAt); err != nil {
		return job, err
	}
	if labels != "" {
		err = json.Unmarshal([]byte(labels), &job.Labels)
	}
	return job, err
}

func (t *transaction) InsertJob(job routecard.Job) error {
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

func (t *transaction) UpdateJob(job routecard.Job) error {
	return expectOne(t, `UPDATE job SET name = $2, goal_quantity = $3, updated_at = $4 WHERE id = $1`,
		job.ID, job.Name, job.GoalQuantity, int64(job.UpdatedAt))
}

func (t *transaction) Job(id string) (routecard.Job, error) {
	return one(t, scanJob, `SELECT `+jobColumns+` FROM job WHERE id = $1`+t.lock, id)
}

func (t *transaction) Jobs() iter.Seq2[routecard.Job, error] { return t.JobsBefore("") }

func (t *transaction) JobsBefore(id string) iter.Seq2[routecard.Job, error] {
	return pages(func(last routecard.Job, first bool, limit int) ([]routecard.Job, bool, error) {
		if first {
			if last.ID = id; id == "" {
				last.ID = beforeAll
			}
		}
		return page(t, scanJob, `SELECT `+jobColumns+` FROM job WHERE id < $1 ORDER BY id DESC LIMIT $2`, last.ID, limit)
	})
}
