package account

import (
	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop/ident"
)

type challenges struct{ *db.Core }

const challengeColumns = `hash, purpose, bound_to, data, created_at`

func (t challenges) Challenge(hash string) (access.Challenge, error) {
	return db.One(t, func(r db.Rows) (c access.Challenge, err error) {
		err = r.Scan(&c.Hash, &c.Purpose, &c.BoundTo, &c.Data, &c.CreatedAt)
		return c, err
	}, `SELECT `+challengeColumns+` FROM access_challenge WHERE hash = $1`, hash)
}

func (t challenges) InsertChallenge(c access.Challenge) error {
	return db.Run(t, `INSERT INTO access_challenge (`+challengeColumns+`) VALUES ($1, $2, $3, $4, $5)`,
		c.Hash, c.Purpose, c.BoundTo, c.Data, int64(c.CreatedAt))
}

func (t challenges) DeleteChallenge(hash string) error {
	return db.ExpectOne(t, `DELETE FROM access_challenge WHERE hash = $1`, hash)
}

func (t challenges) DeleteChallengesBefore(created ident.Timestamp) error {
	return db.Run(t, `DELETE FROM access_challenge WHERE created_at < $1`, int64(created))
}
