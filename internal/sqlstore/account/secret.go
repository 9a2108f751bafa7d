package account

import (
	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore/db"
)

type secrets struct{ *db.Core }

const secretColumns = `user_id, kind, hash, must_change, changed_at, set_by` //nolint:gosec // names of columns

func scanSecret(r db.Rows) (s access.Secret, err error) {
	err = r.Scan(&s.UserID, &s.Kind, &s.Hash, &s.MustChange, &s.ChangedAt, &s.SetBy)
	return s, err
}

func (t secrets) Secret(userID string, kind access.SecretKind) (access.Secret, error) {
	return db.One(t, scanSecret, `SELECT `+secretColumns+` FROM user_secret WHERE user_id = $1 AND kind = $2`+t.Lock, userID, string(kind))
}

func (t secrets) SecretsOfUser(userID string) ([]access.Secret, error) {
	return db.All(t, scanSecret, `SELECT `+secretColumns+` FROM user_secret WHERE user_id = $1`, userID)
}

func (t secrets) BadgeByHash(hash string) (access.Secret, error) {
	return db.One(t, scanSecret, `SELECT `+secretColumns+` FROM user_secret WHERE hash = $1 AND kind = 'badge'`, hash)
}

func (t secrets) PutSecret(s access.Secret) error {
	return db.Run(t, `INSERT INTO user_secret (`+secretColumns+`) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (user_id, kind) DO UPDATE SET hash = excluded.hash, must_change = excluded.must_change,
		changed_at = excluded.changed_at, set_by = excluded.set_by`,
		s.UserID, string(s.Kind), s.Hash, s.MustChange, int64(s.ChangedAt), s.SetBy)
}

func (t secrets) UnconfirmedUsers() ([]string, error) {
	return db.All(t, db.Scalar[string], `SELECT user_id FROM user_secret WHERE set_by <> ''
		UNION SELECT user_id FROM user_identity WHERE set_by <> '' ORDER BY user_id`)
}
