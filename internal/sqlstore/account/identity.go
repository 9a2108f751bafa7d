package account

import (
	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop/ident"
)

type identities struct{ *db.Core }

func (t identities) UserOfIdentity(issuer, subject string) (string, error) {
	return db.One(t, db.Scalar[string], `SELECT user_id FROM user_identity WHERE issuer = $1 AND subject = $2`, issuer, subject)
}

func (t identities) InsertIdentity(userID string, identity access.ForeignIdentity) error {
	return db.Run(t, `INSERT INTO user_identity (issuer, subject, user_id, created_at, seen_at, set_by) VALUES ($1, $2, $3, $4, $4, $5)`,
		identity.Issuer, identity.Subject, userID, int64(identity.SeenAt), identity.SetBy)
}

func (t identities) ConfirmIdentities(userID string) error {
	return db.Run(t, `UPDATE user_identity SET set_by = '' WHERE user_id = $1 AND set_by <> ''`, userID)
}

func (t identities) IdentitiesOfUser(userID string) ([]access.ForeignIdentity, error) {
	return db.All(t, func(r db.Rows) (identity access.ForeignIdentity, err error) {
		err = r.Scan(&identity.Issuer, &identity.Subject, &identity.SeenAt, &identity.SetBy)
		return identity, err
	}, `SELECT issuer, subject, seen_at, set_by FROM user_identity WHERE user_id = $1 ORDER BY issuer, subject`, userID)
}

func (t identities) SeeIdentity(issuer, subject string, at ident.Timestamp) error {
	return db.ExpectOne(t, `UPDATE user_identity SET seen_at = $3 WHERE issuer = $1 AND subject = $2`, issuer, subject, int64(at))
}

func (t identities) DeleteIdentity(issuer, subject string) error {
	return db.ExpectOne(t, `DELETE FROM user_identity WHERE issuer = $1 AND subject = $2`, issuer, subject)
}
