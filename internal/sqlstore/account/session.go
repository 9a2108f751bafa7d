package account

import (
	"strings"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

type sessions struct{ *db.Core }

const sessionColumns = `hash, id, user_id, station_id, method, address, created_at, seen_at, second, provider_session, confirmed_at`

func scanSession(r db.Rows) (s access.Session, err error) {
	err = r.Scan(&s.Hash, &s.ID, &s.UserID, &s.StationID, &s.Method, &s.Address, &s.CreatedAt, &s.SeenAt, &s.Second,
		&s.ProviderSession, &s.ConfirmedAt)
	return s, err
}

func (t sessions) SessionOf(hash string) (access.Session, error) {
	return db.One(t, scanSession, `SELECT `+sessionColumns+` FROM access_session WHERE hash = $1`, hash)
}

func (t sessions) SessionsOfUser(userID string) ([]access.Session, error) {
	return db.All(t, scanSession, `SELECT `+sessionColumns+` FROM access_session WHERE user_id = $1 ORDER BY id`, userID)
}

func (t sessions) InsertSession(s access.Session) error {
	return db.Run(t, `INSERT INTO access_session (`+sessionColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		s.Hash, s.ID, s.UserID, s.StationID, s.Method, s.Address, int64(s.CreatedAt), int64(s.SeenAt), s.Second, s.ProviderSession,
		int64(s.ConfirmedAt))
}

func (t sessions) ConfirmSession(hash string, at ident.Timestamp) error {
	return db.ExpectOne(t, `UPDATE access_session SET confirmed_at = $2 WHERE hash = $1`, hash, int64(at))
}

func (t sessions) SessionsOfProvider(providerSession string) ([]access.Session, error) {
	return db.All(t, scanSession, `SELECT `+sessionColumns+` FROM access_session WHERE provider_session = $1`, providerSession)
}

func (t sessions) DeleteSessionsOfMethod(userID, method string) error {
	return db.Run(t, `DELETE FROM access_session WHERE user_id = $1 AND method = $2`, userID, method)
}

func (t sessions) TouchSession(hash string, at ident.Timestamp) error {
	return db.Run(t, `UPDATE access_session SET seen_at = $2 WHERE hash = $1 AND seen_at < $2`, hash, int64(at))
}

func (t sessions) DeleteSession(userID, id string) error {
	return db.ExpectOne(t, `DELETE FROM access_session WHERE user_id = $1 AND id = $2`, userID, id)
}

func (t sessions) DeleteSessionsOfUser(userID, except string) error {
	return db.Run(t, `DELETE FROM access_session WHERE user_id = $1 AND id <> $2`, userID, except)
}

func (t sessions) DeleteSessionsBefore(created ident.Timestamp) error {
	return db.Run(t, `DELETE FROM access_session WHERE created_at < $1`, int64(created))
}

func (t sessions) SetSessionSecond(id, second string) error {
	return db.ExpectOne(t, `UPDATE access_session SET second = $2 WHERE id = $1`, id, second)
}

// SessionByHash finds a session and its user with one statement, which needs no transaction.
func SessionByHash(q db.Querier, hash string) (session access.Session, user shop.User, err error) {
	_, err = db.One(q, func(r db.Rows) (struct{}, error) {
		var roles, needs string
		err := r.Scan(&session.ID, &session.UserID, &session.StationID, &session.Method, &session.Address, &session.CreatedAt,
			&session.SeenAt, &session.ConfirmedAt, &session.MustChange, &session.StationHash, &session.Language, &session.Second,
			&user.ID, &user.Name, &user.Department, &user.Active, &user.CreatedAt, &user.Login, &roles, &user.Kind,
			&session.OwnerSeenAt, &session.HasSecond, &needs)
		session.Hash, user.Roles = hash, strings.Fields(roles)
		if needs != "" {
			session.NeedsSecond = strings.Fields(needs)
		}
		return struct{}{}, err
	}, `SELECT s.id, s.user_id, s.station_id, s.method, s.address, s.created_at, s.seen_at, s.confirmed_at,
		COALESCE((SELECT MIN(k.kind) FROM user_secret k WHERE k.user_id = s.user_id AND k.must_change AND k.kind <> 'badge'), ''),
		COALESCE((SELECT w.hash FROM station w WHERE w.id = s.station_id AND w.revoked_at = 0), ''),
		COALESCE((SELECT l.tag FROM page_language l WHERE l.chosen_by = s.user_id),
			(SELECT l.tag FROM page_language l WHERE l.chosen_by = s.station_id), ''), s.second, `+
		ownerColumns+` FROM access_session s JOIN shop_user u ON u.id = s.user_id WHERE s.hash = $1`, hash)
	return session, user, err
}
