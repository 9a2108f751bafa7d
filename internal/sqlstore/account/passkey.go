package account

import (
	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore/db"
)

type passkeys struct{ *db.Core }

const passkeyColumns = `id, user_id, credential_id, name, credential, sign_count, created_at, last_used_at` //nolint:gosec // columns

func scanPasskey(r db.Rows) (p access.Passkey, err error) {
	err = r.Scan(&p.ID, &p.UserID, &p.CredentialID, &p.Name, &p.Credential, &p.SignCount, &p.CreatedAt, &p.LastUsedAt)
	return p, err
}

func (t passkeys) PasskeyByCredential(credentialID string) (access.Passkey, error) {
	return db.One(t, scanPasskey, `SELECT `+passkeyColumns+` FROM passkey WHERE credential_id = $1`, credentialID)
}

func (t passkeys) PasskeysOfUser(userID string) ([]access.Passkey, error) {
	return db.All(t, scanPasskey, `SELECT `+passkeyColumns+` FROM passkey WHERE user_id = $1 ORDER BY id`, userID)
}

func (t passkeys) InsertPasskey(p access.Passkey) error {
	return db.Run(t, `INSERT INTO passkey (`+passkeyColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		p.ID, p.UserID, p.CredentialID, p.Name, p.Credential, p.SignCount, int64(p.CreatedAt), int64(p.LastUsedAt))
}

func (t passkeys) UsePasskey(p access.Passkey) error {
	return db.ExpectOne(t, `UPDATE passkey SET credential = $2, sign_count = $3, last_used_at = $4
		WHERE id = $1 AND (sign_count < $3 OR sign_count = 0 AND $3 = 0)`, p.ID, p.Credential, p.SignCount, int64(p.LastUsedAt))
}

func (t passkeys) DeletePasskey(userID, id string) error {
	return db.ExpectOne(t, `DELETE FROM passkey WHERE user_id = $1 AND id = $2`, userID, id)
}

func (t passkeys) DeletePasskeysOfUser(userID string) error {
	return db.Run(t, `DELETE FROM passkey WHERE user_id = $1`, userID)
}
