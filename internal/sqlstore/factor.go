package sqlstore

import (
	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop/ident"
)

// SecondFactorRoles keeps the name of the list, which may be empty.
func (t *transaction) SecondFactorRoles() ([]string, error) {
	if err := t.lockName("second factor roles"); err != nil {
		return nil, err
	}
	return all(t, scalar[string], `SELECT role FROM second_factor_role ORDER BY role`)
}

func (t *transaction) PutSecondFactorRoles(roles []string) error {
	if err := run(t, `DELETE FROM second_factor_role`); err != nil {
		return err
	}
	for _, role := range roles {
		if err := run(t, `INSERT INTO second_factor_role (role) VALUES ($1)`, role); err != nil {
			return err
		}
	}
	return nil
}

const passkeyColumns = `id, user_id, credential_id, name, credential, sign_count, created_at, last_used_at` //nolint:gosec // columns

func scanPasskey(r rows) (p access.Passkey, err error) {
	err = r.Scan(&p.ID, &p.UserID, &p.CredentialID, &p.Name, &p.Credential, &p.SignCount, &p.CreatedAt, &p.LastUsedAt)
	return p, err
}

func (t *transaction) PasskeyByCredential(credentialID string) (access.Passkey, error) {
	return one(t, scanPasskey, `SELECT `+passkeyColumns+` FROM passkey WHERE credential_id = $1`, credentialID)
}

func (t *transaction) PasskeysOfUser(userID string) ([]access.Passkey, error) {
	return all(t, scanPasskey, `SELECT `+passkeyColumns+` FROM passkey WHERE user_id = $1 ORDER BY id`, userID)
}

func (t *transaction) InsertPasskey(p access.Passkey) error {
	return run(t, `INSERT INTO passkey (`+passkeyColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		p.ID, p.UserID, p.CredentialID, p.Name, p.Credential, p.SignCount, int64(p.CreatedAt), int64(p.LastUsedAt))
}

func (t *transaction) UsePasskey(p access.Passkey) error {
	return expectOne(t, `UPDATE passkey SET credential = $2, sign_count = $3, last_used_at = $4
		WHERE id = $1 AND (sign_count < $3 OR sign_count = 0 AND $3 = 0)`, p.ID, p.Credential, p.SignCount, int64(p.LastUsedAt))
}

func (t *transaction) DeletePasskey(userID, id string) error {
	return expectOne(t, `DELETE FROM passkey WHERE user_id = $1 AND id = $2`, userID, id)
}

func (t *transaction) DeletePasskeysOfUser(userID string) error {
	return run(t, `DELETE FROM passkey WHERE user_id = $1`, userID)
}

const oneTimeCodeColumns = `user_id, secret, created_at, confirmed_at, last_step`

func (t *transaction) OneTimeCode(userID string) (access.OneTimeCode, error) {
	return one(t, func(r rows) (c access.OneTimeCode, err error) {
		err = r.Scan(&c.UserID, &c.Secret, &c.CreatedAt, &c.ConfirmedAt, &c.LastStep)
		return c, err
	}, `SELECT `+oneTimeCodeColumns+` FROM one_time_code WHERE user_id = $1`+t.lock, userID)
}

func (t *transaction) PutOneTimeCode(c access.OneTimeCode) error {
	return run(t, `INSERT INTO one_time_code (`+oneTimeCodeColumns+`) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at,
		confirmed_at = excluded.confirmed_at, last_step = excluded.last_step`,
		c.UserID, c.Secret, int64(c.CreatedAt), int64(c.ConfirmedAt), c.LastStep)
}

func (t *transaction) UseOneTimeCode(c access.OneTimeCode) error {
	return expectOne(t, `UPDATE one_time_code SET confirmed_at = $3, last_step = $4
		WHERE user_id = $1 AND secret = $2 AND last_step < $4`, c.UserID, c.Secret, int64(c.ConfirmedAt), c.LastStep)
}

func (t *transaction) DeleteOneTimeCode(userID string) error {
	return run(t, `DELETE FROM one_time_code WHERE user_id = $1`, userID)
}

func (t *transaction) CountRecoveryCodes(userID string) (int64, error) {
	return one(t, scalar[int64], `SELECT COUNT(*) FROM recovery_code WHERE user_id = $1 AND used_at = 0`, userID)
}

func (t *transaction) PutRecoveryCodes(userID string, hashes []string, at ident.Timestamp) error {
	if err := t.DeleteRecoveryCodes(userID); err != nil {
		return err
	}
	for _, hash := range hashes {
		if err := run(t, `INSERT INTO recovery_code (user_id, hash, created_at, used_at) VALUES ($1, $2, $3, 0)`,
			userID, hash, int64(at)); err != nil {
			return err
		}
	}
	return nil
}

func (t *transaction) UseRecoveryCode(userID, hash string, at ident.Timestamp) error {
	return expectOne(t, `UPDATE recovery_code SET used_at = $3 WHERE user_id = $1 AND hash = $2 AND used_at = 0`,
		userID, hash, int64(at))
}

func (t *transaction) DeleteRecoveryCodes(userID string) error {
	return run(t, `DELETE FROM recovery_code WHERE user_id = $1`, userID)
}

const challengeColumns = `hash, purpose, bound_to, data, created_at`

func (t *transaction) Challenge(hash string) (access.Challenge, error) {
	return one(t, func(r rows) (c access.Challenge, err error) {
		err = r.Scan(&c.Hash, &c.Purpose, &c.BoundTo, &c.Data, &c.CreatedAt)
		return c, err
	}, `SELECT `+challengeColumns+` FROM access_challenge WHERE hash = $1`, hash)
}

func (t *transaction) InsertChallenge(c access.Challenge) error {
	return run(t, `INSERT INTO access_challenge (`+challengeColumns+`) VALUES ($1, $2, $3, $4, $5)`,
		c.Hash, c.Purpose, c.BoundTo, c.Data, int64(c.CreatedAt))
}

func (t *transaction) DeleteChallenge(hash string) error {
	return expectOne(t, `DELETE FROM access_challenge WHERE hash = $1`, hash)
}

func (t *transaction) DeleteChallengesBefore(created ident.Timestamp) error {
	return run(t, `DELETE FROM access_challenge WHERE created_at < $1`, int64(created))
}

func (t *transaction) SetSessionSecond(id, second string) error {
	return expectOne(t, `UPDATE access_session SET second = $2 WHERE id = $1`, id, second)
}
