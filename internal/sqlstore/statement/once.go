package statement

import (
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// Keys has the statements for results that are stored under idempotency keys.
type Keys struct{ *db.Core }

// A key is written in the transaction of its operation, after all locks and before the turn at the audit trail. Several keys are written in
// the order of their names. All transactions follow this order, so that no deadlock occurs.

// RememberedColumns are the columns of a stored result.
const RememberedColumns = `caller, once_key, fingerprint, result, made_at`

// Remember refuses a key that is already stored. If two callers in a group have the same key, the first one gets it.
func (t Keys) Remember(done card.Remembered) error {
	n, err := db.Affecting(t, `INSERT INTO remembered (`+RememberedColumns+`) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (caller, once_key) DO NOTHING`, done.Caller, done.Key, done.Fingerprint, done.Result, int64(done.At))
	if err == nil && n == 0 {
		err = shop.ErrRemembered
	}
	return err
}

func scanRemembered(r db.Rows) (done card.Remembered, err error) {
	err = r.Scan(&done.Caller, &done.Key, &done.Fingerprint, &done.Result, &done.At)
	return done, err
}

func (t Keys) Remembered(caller, key string) (card.Remembered, error) {
	return db.One(t, scanRemembered, `SELECT `+RememberedColumns+` FROM remembered WHERE caller = $1 AND once_key = $2`,
		caller, key)
}

func (t Keys) Forget(before ident.Timestamp, limit int) (int64, error) {
	return db.Affecting(t, `DELETE FROM remembered WHERE (caller, once_key) IN (
		SELECT caller, once_key FROM remembered WHERE made_at < $1 ORDER BY made_at LIMIT $2)`, int64(before), limit)
}
