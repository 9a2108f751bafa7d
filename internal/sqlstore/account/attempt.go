package account

import (
	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop/ident"
)

type attempts struct{ *db.Core }

func (t attempts) CountAttempts(subject string, since ident.Timestamp) (access.Attempts, error) {
	return db.One(t, scanAttempts, `SELECT COUNT(*), COALESCE(MIN(at), 0), COALESCE(MAX(at), 0) FROM sign_in_attempt
		WHERE subject = $1 AND at > $2`, subject, int64(since))
}

func (t attempts) AttemptsUnder(prefix string, since ident.Timestamp) ([]access.Attempts, error) {
	return db.All(t, scanAttempts, `SELECT COUNT(*), MIN(at), MAX(at) FROM sign_in_attempt
		WHERE subject >= $1 AND subject < $2 AND at > $3 GROUP BY subject`, prefix, prefix+db.BeforeAll, int64(since))
}

func scanAttempts(r db.Rows) (found access.Attempts, err error) {
	return found, r.Scan(&found.Count, &found.Oldest, &found.Newest)
}

func (t attempts) InsertAttempt(subject, id string, at ident.Timestamp) error {
	return db.Run(t, `INSERT INTO sign_in_attempt (subject, id, at) VALUES ($1, $2, $3)`, subject, id, int64(at))
}

func (t attempts) DeleteAttempt(subject, id string) error {
	return db.Run(t, `DELETE FROM sign_in_attempt WHERE subject = $1 AND id = $2`, subject, id)
}

func (t attempts) DeleteAttemptsOf(subject string) error {
	return db.Run(t, `DELETE FROM sign_in_attempt WHERE subject = $1`, subject)
}

func (t attempts) DeleteAttemptsUnder(prefix string) error {
	return db.Run(t, `DELETE FROM sign_in_attempt WHERE subject >= $1 AND subject < $2`, prefix, prefix+db.BeforeAll)
}

func (t attempts) DeleteAttemptsBefore(at ident.Timestamp) error {
	return db.Run(t, `DELETE FROM sign_in_attempt WHERE at < $1`, int64(at))
}
