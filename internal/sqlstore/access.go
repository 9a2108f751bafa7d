package sqlstore

import (
	"context"
	"strings"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

var (
	_ access.Store = (*SQLite)(nil)
	_ access.Store = (*Postgres)(nil)
)

// ViewAccess is View for package access.
func (s *SQLite) ViewAccess(ctx context.Context, read func(access.Reader) error) error {
	return s.read(ctx, func(t *transaction) error { return read(t) })
}

// UpdateAccess is Update for package access.
func (s *SQLite) UpdateAccess(ctx context.Context, change func(access.Tx) error, options ...shop.UpdateOption) error {
	return s.write(ctx, func(tx update) error { return change(tx) }, options...)
}

// TokenByHash takes one read, or none when the token is in the cache.
func (s *SQLite) TokenByHash(ctx context.Context, hash string) (access.Token, shop.User, error) {
	return keptIdentity(ctx, s, s.identities.tokens, hash, tokenByHash)
}

// SessionByHash takes one read, or none when the session is in the cache.
func (s *SQLite) SessionByHash(ctx context.Context, hash string) (access.Session, shop.User, error) {
	return keptIdentity(ctx, s, s.identities.sessions, hash, sessionByHash)
}

// ActiveLogins takes one read, or none when the logins are in the cache.
func (s *SQLite) ActiveLogins(ctx context.Context) (map[string]bool, error) {
	return keptLogins(ctx, s)
}

// ViewAccess is View for package access.
func (s *Postgres) ViewAccess(ctx context.Context, read func(access.Reader) error) error {
	return s.read(ctx, func(t *transaction) error { return read(t) })
}

// UpdateAccess is Update for package access.
func (s *Postgres) UpdateAccess(ctx context.Context, change func(access.Tx) error, options ...shop.UpdateOption) error {
	return s.write(ctx, func(tx update) error { return change(tx) }, options...)
}

// TokenByHash takes one read.
func (s *Postgres) TokenByHash(ctx context.Context, hash string) (access.Token, shop.User, error) {
	return tokenByHash(ctx, s, hash)
}

// SessionByHash takes one read.
func (s *Postgres) SessionByHash(ctx context.Context, hash string) (access.Session, shop.User, error) {
	return sessionByHash(ctx, s, hash)
}

// ActiveLogins takes one read.
func (s *Postgres) ActiveLogins(ctx context.Context) (map[string]bool, error) {
	return activeLogins(ctx, s)
}

type reader interface {
	read(ctx context.Context, read func(*transaction) error, options ...shop.ViewOption) error
}

// ownerColumns are the columns of the user to whom a token or a session belongs.
const ownerColumns = `u.id, u.name, u.department, u.active, u.created_at, u.login, u.roles, u.kind,
			COALESCE((SELECT MAX(i.seen_at) FROM user_identity i WHERE i.user_id = u.id), 0),
			EXISTS (SELECT 1 FROM passkey p WHERE p.user_id = u.id)
				OR EXISTS (SELECT 1 FROM one_time_code c WHERE c.user_id = u.id AND c.confirmed_at > 0),
			COALESCE((SELECT string_agg(role, ' ') FROM second_factor_role), '')`

// tokenByHash reads with one statement, which needs no transaction.
func tokenByHash(ctx context.Context, store reader, hash string) (token access.Token, user shop.User, err error) {
	err = store.read(ctx, func(t *transaction) error {
		_, err := one(t, func(r rows) (struct{}, error) {
			var permissions, roles, needs string
			err := r.Scan(&token.ID, &token.UserID, &permissions, &token.ExpiresAt, &token.RevokedAt, &token.LastUsedAt,
				&user.ID, &user.Name, &user.Department, &user.Active, &user.CreatedAt, &user.Login, &roles, &user.Kind,
				&token.OwnerSeenAt, &token.HasSecond, &needs)
			token.Permissions, user.Roles = permissionList(permissions), strings.Fields(roles)
			if needs != "" {
				token.NeedsSecond = strings.Fields(needs)
			}
			return struct{}{}, err
		}, `SELECT t.id, t.user_id, t.permissions, t.expires_at, t.revoked_at, t.last_used_at, `+ownerColumns+`
			FROM access_token t JOIN shop_user u ON u.id = t.user_id WHERE t.hash = $1`, hash)
		return err
	}, shop.Browse)
	return token, user, err
}

// sessionByHash reads with one statement, which needs no transaction.
func sessionByHash(ctx context.Context, store reader, hash string) (session access.Session, user shop.User, err error) {
	err = store.read(ctx, func(t *transaction) error {
		_, err := one(t, func(r rows) (struct{}, error) {
			var roles, needs string
			err := r.Scan(&session.ID, &session.UserID, &session.StationID, &session.Method, &session.Address, &session.CreatedAt,
				&session.SeenAt, &session.ConfirmedAt, &session.MustChange, &session.StationHash, &session.Second,
				&user.ID, &user.Name, &user.Department, &user.Active, &user.CreatedAt, &user.Login, &roles, &user.Kind,
				&session.OwnerSeenAt, &session.HasSecond, &needs)
			session.Hash, user.Roles = hash, strings.Fields(roles)
			if needs != "" {
				session.NeedsSecond = strings.Fields(needs)
			}
			return struct{}{}, err
		}, `SELECT s.id, s.user_id, s.station_id, s.method, s.address, s.created_at, s.seen_at, s.confirmed_at,
			COALESCE((SELECT MIN(k.kind) FROM user_secret k WHERE k.user_id = s.user_id AND k.must_change AND k.kind <> 'badge'), ''),
			COALESCE((SELECT w.hash FROM station w WHERE w.id = s.station_id AND w.revoked_at = 0), ''), s.second, `+
			ownerColumns+` FROM access_session s JOIN shop_user u ON u.id = s.user_id WHERE s.hash = $1`, hash)
		return err
	}, shop.Browse)
	return session, user, err
}

func permissionList(text string) []shop.Permission {
	words := strings.Fields(text)
	permissions := make([]shop.Permission, len(words))
	for i, word := range words {
		permissions[i] = shop.Permission(word)
	}
	return permissions
}

func permissionText(permissions []shop.Permission) string {
	words := make([]string, len(permissions))
	for i, permission := range permissions {
		words[i] = string(permission)
	}
	return strings.Join(words, " ")
}

func (t *transaction) LockName(name string) error { return t.lockName("access:" + name) }

func (t *transaction) UserByLogin(login string) (shop.User, error) {
	return one(t, scanUser, `SELECT `+userColumns+` FROM shop_user WHERE login = $1 AND login <> ''`+t.lock, login)
}

// activeLogins reads with one statement, which needs no transaction.
func activeLogins(ctx context.Context, store reader) (logins map[string]bool, err error) {
	err = store.read(ctx, func(t *transaction) error {
		found, err := all(t, scalar[string], `SELECT login FROM shop_user WHERE login <> '' AND active`)
		logins = make(map[string]bool, len(found))
		for _, login := range found {
			logins[login] = true
		}
		return err
	}, shop.Browse)
	return logins, err
}

const secretColumns = `user_id, kind, hash, must_change, changed_at, set_by` //nolint:gosec // names of columns

func scanSecret(r rows) (s access.Secret, err error) {
	err = r.Scan(&s.UserID, &s.Kind, &s.Hash, &s.MustChange, &s.ChangedAt, &s.SetBy)
	return s, err
}

func (t *transaction) Secret(userID string, kind access.SecretKind) (access.Secret, error) {
	return one(t, scanSecret, `SELECT `+secretColumns+` FROM user_secret WHERE user_id = $1 AND kind = $2`+t.lock, userID, string(kind))
}

func (t *transaction) SecretsOfUser(userID string) ([]access.Secret, error) {
	return all(t, scanSecret, `SELECT `+secretColumns+` FROM user_secret WHERE user_id = $1`, userID)
}

func (t *transaction) BadgeByHash(hash string) (access.Secret, error) {
	return one(t, scanSecret, `SELECT `+secretColumns+` FROM user_secret WHERE hash = $1 AND kind = 'badge'`, hash)
}

func (t *transaction) PutSecret(s access.Secret) error {
	return run(t, `INSERT INTO user_secret (`+secretColumns+`) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (user_id, kind) DO UPDATE SET hash = excluded.hash, must_change = excluded.must_change,
		changed_at = excluded.changed_at, set_by = excluded.set_by`,
		s.UserID, string(s.Kind), s.Hash, s.MustChange, int64(s.ChangedAt), s.SetBy)
}

func (t *transaction) UnconfirmedUsers() ([]string, error) {
	return all(t, scalar[string], `SELECT user_id FROM user_secret WHERE set_by <> ''
		UNION SELECT user_id FROM user_identity WHERE set_by <> '' ORDER BY user_id`)
}

func (t *transaction) UserOfIdentity(issuer, subject string) (string, error) {
	return one(t, scalar[string], `SELECT user_id FROM user_identity WHERE issuer = $1 AND subject = $2`, issuer, subject)
}

func (t *transaction) InsertIdentity(userID string, identity access.ForeignIdentity) error {
	return run(t, `INSERT INTO user_identity (issuer, subject, user_id, created_at, seen_at, set_by) VALUES ($1, $2, $3, $4, $4, $5)`,
		identity.Issuer, identity.Subject, userID, int64(identity.SeenAt), identity.SetBy)
}

func (t *transaction) ConfirmIdentities(userID string) error {
	return run(t, `UPDATE user_identity SET set_by = '' WHERE user_id = $1 AND set_by <> ''`, userID)
}

func (t *transaction) IdentitiesOfUser(userID string) ([]access.ForeignIdentity, error) {
	return all(t, func(r rows) (identity access.ForeignIdentity, err error) {
		err = r.Scan(&identity.Issuer, &identity.Subject, &identity.SeenAt, &identity.SetBy)
		return identity, err
	}, `SELECT issuer, subject, seen_at, set_by FROM user_identity WHERE user_id = $1 ORDER BY issuer, subject`, userID)
}

func (t *transaction) SeeIdentity(issuer, subject string, at ident.Timestamp) error {
	return expectOne(t, `UPDATE user_identity SET seen_at = $3 WHERE issuer = $1 AND subject = $2`, issuer, subject, int64(at))
}

func (t *transaction) DeleteIdentity(issuer, subject string) error {
	return expectOne(t, `DELETE FROM user_identity WHERE issuer = $1 AND subject = $2`, issuer, subject)
}

//nolint:gosec // names of columns
const tokenColumns = `hash, id, user_id, name, permissions, created_by, created_at, expires_at, revoked_at, last_used_at`

func scanToken(r rows) (k access.Token, err error) {
	var permissions string
	err = r.Scan(&k.Hash, &k.ID, &k.UserID, &k.Name, &permissions, &k.CreatedBy, &k.CreatedAt, &k.ExpiresAt, &k.RevokedAt, &k.LastUsedAt)
	k.Permissions = permissionList(permissions)
	return k, err
}

func (t *transaction) TokensOfUser(userID string) ([]access.Token, error) {
	return all(t, scanToken, `SELECT `+tokenColumns+` FROM access_token WHERE user_id = $1 ORDER BY id`, userID)
}

func (t *transaction) InsertToken(k access.Token) error {
	return run(t, `INSERT INTO access_token (`+tokenColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		k.Hash, k.ID, k.UserID, k.Name, permissionText(k.Permissions), k.CreatedBy, int64(k.CreatedAt), int64(k.ExpiresAt),
		int64(k.RevokedAt), int64(k.LastUsedAt))
}

func (t *transaction) RevokeToken(userID, id string, at ident.Timestamp) error {
	return expectOne(t, `UPDATE access_token SET revoked_at = $3 WHERE user_id = $1 AND id = $2 AND revoked_at = 0`,
		userID, id, int64(at))
}

func (t *transaction) TouchToken(hash string, at ident.Timestamp) error {
	return run(t, `UPDATE access_token SET last_used_at = $2 WHERE hash = $1 AND last_used_at < $2`, hash, int64(at))
}

const sessionColumns = `hash, id, user_id, station_id, method, address, created_at, seen_at, second, provider_session, confirmed_at`

func scanSession(r rows) (s access.Session, err error) {
	err = r.Scan(&s.Hash, &s.ID, &s.UserID, &s.StationID, &s.Method, &s.Address, &s.CreatedAt, &s.SeenAt, &s.Second,
		&s.ProviderSession, &s.ConfirmedAt)
	return s, err
}

func (t *transaction) SessionOf(hash string) (access.Session, error) {
	return one(t, scanSession, `SELECT `+sessionColumns+` FROM access_session WHERE hash = $1`, hash)
}

func (t *transaction) SessionsOfUser(userID string) ([]access.Session, error) {
	return all(t, scanSession, `SELECT `+sessionColumns+` FROM access_session WHERE user_id = $1 ORDER BY id`, userID)
}

func (t *transaction) InsertSession(s access.Session) error {
	return run(t, `INSERT INTO access_session (`+sessionColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		s.Hash, s.ID, s.UserID, s.StationID, s.Method, s.Address, int64(s.CreatedAt), int64(s.SeenAt), s.Second, s.ProviderSession,
		int64(s.ConfirmedAt))
}

func (t *transaction) ConfirmSession(hash string, at ident.Timestamp) error {
	return expectOne(t, `UPDATE access_session SET confirmed_at = $2 WHERE hash = $1`, hash, int64(at))
}

func (t *transaction) SessionsOfProvider(providerSession string) ([]access.Session, error) {
	return all(t, scanSession, `SELECT `+sessionColumns+` FROM access_session WHERE provider_session = $1`, providerSession)
}

func (t *transaction) DeleteSessionsOfMethod(userID, method string) error {
	return run(t, `DELETE FROM access_session WHERE user_id = $1 AND method = $2`, userID, method)
}

func (t *transaction) TouchSession(hash string, at ident.Timestamp) error {
	return run(t, `UPDATE access_session SET seen_at = $2 WHERE hash = $1 AND seen_at < $2`, hash, int64(at))
}

func (t *transaction) DeleteSession(userID, id string) error {
	return expectOne(t, `DELETE FROM access_session WHERE user_id = $1 AND id = $2`, userID, id)
}

func (t *transaction) DeleteSessionsOfUser(userID, except string) error {
	return run(t, `DELETE FROM access_session WHERE user_id = $1 AND id <> $2`, userID, except)
}

func (t *transaction) DeleteSessionsBefore(created ident.Timestamp) error {
	return run(t, `DELETE FROM access_session WHERE created_at < $1`, int64(created))
}

// EndAccess deletes everything that a user can sign in with.
func (t *transaction) EndAccess(userID string, at ident.Timestamp) error {
	if err := run(t, `UPDATE access_token SET revoked_at = $2 WHERE user_id = $1 AND revoked_at = 0`, userID, int64(at)); err != nil {
		return err
	}
	return t.DeleteSessionsOfUser(userID, "")
}

const stationColumns = `hash, id, name, created_by, created_at, revoked_at, places, one_scan`

func scanStation(r rows) (s access.Station, err error) {
	var places string
	if err := r.Scan(&s.Hash, &s.ID, &s.Name, &s.CreatedBy, &s.CreatedAt, &s.RevokedAt, &places, &s.OneScan); err != nil {
		return s, err
	}
	if places != "" {
		s.Places = strings.Split(places, "\n")
	}
	return s, nil
}

func (t *transaction) StationByHash(hash string) (access.Station, error) {
	return one(t, scanStation, `SELECT `+stationColumns+` FROM station WHERE hash = $1`, hash)
}

func (t *transaction) Stations() ([]access.Station, error) {
	return all(t, scanStation, `SELECT `+stationColumns+` FROM station ORDER BY id`)
}

func (t *transaction) InsertStation(s access.Station) error {
	return run(t, `INSERT INTO station (`+stationColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		s.Hash, s.ID, s.Name, s.CreatedBy, int64(s.CreatedAt), int64(s.RevokedAt), strings.Join(s.Places, "\n"), s.OneScan)
}

func (t *transaction) RevokeStation(id string, at ident.Timestamp) error {
	return expectOne(t, `UPDATE station SET revoked_at = $2 WHERE id = $1 AND revoked_at = 0`, id, int64(at))
}

func (t *transaction) CountAttempts(subject string, since ident.Timestamp) (access.Attempts, error) {
	return one(t, scanAttempts, `SELECT COUNT(*), COALESCE(MIN(at), 0), COALESCE(MAX(at), 0) FROM sign_in_attempt
		WHERE subject = $1 AND at > $2`, subject, int64(since))
}

func (t *transaction) AttemptsUnder(prefix string, since ident.Timestamp) ([]access.Attempts, error) {
	return all(t, scanAttempts, `SELECT COUNT(*), MIN(at), MAX(at) FROM sign_in_attempt
		WHERE subject >= $1 AND subject < $2 AND at > $3 GROUP BY subject`, prefix, prefix+beforeAll, int64(since))
}

func scanAttempts(r rows) (found access.Attempts, err error) {
	return found, r.Scan(&found.Count, &found.Oldest, &found.Newest)
}

func (t *transaction) InsertAttempt(subject, id string, at ident.Timestamp) error {
	return run(t, `INSERT INTO sign_in_attempt (subject, id, at) VALUES ($1, $2, $3)`, subject, id, int64(at))
}

func (t *transaction) DeleteAttempt(subject, id string) error {
	return run(t, `DELETE FROM sign_in_attempt WHERE subject = $1 AND id = $2`, subject, id)
}

func (t *transaction) DeleteAttemptsOf(subject string) error {
	return run(t, `DELETE FROM sign_in_attempt WHERE subject = $1`, subject)
}

func (t *transaction) DeleteAttemptsUnder(prefix string) error {
	return run(t, `DELETE FROM sign_in_attempt WHERE subject >= $1 AND subject < $2`, prefix, prefix+beforeAll)
}

func (t *transaction) DeleteAttemptsBefore(at ident.Timestamp) error {
	return run(t, `DELETE FROM sign_in_attempt WHERE at < $1`, int64(at))
}

func (t *transaction) Setting(name string) (value string, at ident.Timestamp, err error) {
	_, err = one(t, func(r rows) (struct{}, error) { return struct{}{}, r.Scan(&value, &at) },
		`SELECT value, at FROM access_setting WHERE name = $1`, name)
	return value, at, err
}

func (t *transaction) PutSetting(name, value string, at ident.Timestamp) error {
	return run(t, `INSERT INTO access_setting (name, value, at) VALUES ($1, $2, $3)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value, at = excluded.at`, name, value, int64(at))
}

func (t *transaction) DeleteSettings(prefix string) error {
	return run(t, `DELETE FROM access_setting WHERE name >= $1 AND name < $2`, prefix, prefix+beforeAll)
}

func (t *transaction) DeleteSettingsBefore(prefix string, at ident.Timestamp) error {
	return run(t, `DELETE FROM access_setting WHERE name >= $1 AND name < $2 AND at < $3`, prefix, prefix+beforeAll, int64(at))
}

// EndCredentials ends all sessions, revokes all tokens, and makes every secret one that has to be replaced. It returns how
// many there were of each.
func (t *transaction) EndCredentials(at ident.Timestamp) (sessions, tokens, secrets int64, err error) {
	if sessions, err = affecting(t, `DELETE FROM access_session`); err != nil {
		return sessions, tokens, secrets, err
	}
	if tokens, err = affecting(t, `UPDATE access_token SET revoked_at = $1 WHERE revoked_at = 0`, int64(at)); err != nil {
		return sessions, tokens, secrets, err
	}
	if err := run(t, `DELETE FROM signature_ticket`); err != nil {
		return sessions, tokens, secrets, err
	}
	secrets, err = affecting(t, `UPDATE user_secret SET must_change = $1`, true)
	return sessions, tokens, secrets, err
}
