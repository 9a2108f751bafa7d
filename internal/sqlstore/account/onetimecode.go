package account

import (
	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop/ident"
)

type oneTimeCodes struct{ *db.Core }

const oneTimeCodeColumns = `user_id, secret, created_at, confirmed_at, last_step`

func (t oneTimeCodes) OneTimeCode(userID string) (access.OneTimeCode, error) {
	return db.One(t, func(r db.Rows) (c access.OneTimeCode, err error) {
		err = r.Scan(&c.UserID, &c.Secret, &c.CreatedAt, &c.ConfirmedAt, &c.LastStep)
		return c, err
	}, `SELECT `+oneTimeCodeColumns+` FROM one_time_code WHERE user_id = $1`+t.Lock, userID)
}

func (t oneTimeCodes) PutOneTimeCode(c access.OneTimeCode) error {
	return db.Run(t, `INSERT INTO one_time_code (`+oneTimeCodeColumns+`) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at,
		confirmed_at = excluded.confirmed_at, last_step = excluded.last_step`,
		c.UserID, c.Secret, int64(c.CreatedAt), int64(c.ConfirmedAt), c.LastStep)
}

func (t oneTimeCodes) UseOneTimeCode(c access.OneTimeCode) error {
	return db.ExpectOne(t, `UPDATE one_time_code SET confirmed_at = $3, last_step = $4
		WHERE user_id = $1 AND secret = $2 AND last_step < $4`, c.UserID, c.Secret, int64(c.ConfirmedAt), c.LastStep)
}

func (t oneTimeCodes) DeleteOneTimeCode(userID string) error {
	return db.Run(t, `DELETE FROM one_time_code WHERE user_id = $1`, userID)
}

func (t oneTimeCodes) CountRecoveryCodes(userID string) (int64, error) {
	return db.One(t, db.Scalar[int64], `SELECT COUNT(*) FROM recovery_code WHERE user_id = $1 AND used_at = 0`, userID)
}

func (t oneTimeCodes) PutRecoveryCodes(userID string, hashes []string, at ident.Timestamp) error {
	if err := t.DeleteRecoveryCodes(userID); err != nil {
		return err
	}
	for _, hash := range hashes {
		if err := db.Run(t, `INSERT INTO recovery_code (user_id, hash, created_at, used_at) VALUES ($1, $2, $3, 0)`,
			userID, hash, int64(at)); err != nil {
			return err
		}
	}
	return nil
}

func (t oneTimeCodes) UseRecoveryCode(userID, hash string, at ident.Timestamp) error {
	return db.ExpectOne(t, `UPDATE recovery_code SET used_at = $3 WHERE user_id = $1 AND hash = $2 AND used_at = 0`,
		userID, hash, int64(at))
}

func (t oneTimeCodes) DeleteRecoveryCodes(userID string) error {
	return db.Run(t, `DELETE FROM recovery_code WHERE user_id = $1`, userID)
}
