package statement

import (
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
)

type tickets struct{ *db.Core }

func (t tickets) JobOfTicket(key string) (string, error) {
	if err := t.LockAbsent(key); err != nil {
		return "", err
	}
	return db.One(t, db.Scalar[string], `SELECT id FROM job
		WHERE lower(ticket_key) = $1 AND ticket_key = $2 AND ticket_key <> '' ORDER BY id LIMIT 1`, db.Lowered(key), key)
}

func (t tickets) JobOfIssue(issue string) (string, error) {
	return db.One(t, db.Scalar[string], `SELECT job_id FROM ticket_link WHERE issue = $1 AND issue <> ''`, issue)
}

func (t tickets) InsertTicketLink(key, issue, jobID string) error {
	n, err := db.Affecting(t, `INSERT INTO ticket_link (ticket_key, issue, job_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
		key, issue, jobID)
	if err == nil && n == 0 {
		err = shop.ErrDuplicate
	}
	return err
}
