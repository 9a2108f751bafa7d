package account

import (
	"strings"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

type tokens struct{ *db.Core }

//nolint:gosec // names of columns
const tokenColumns = `hash, id, user_id, name, permissions, created_by, created_at, expires_at, revoked_at, last_used_at`

func scanToken(r db.Rows) (k access.Token, err error) {
	var permissions string
	err = r.Scan(&k.Hash, &k.ID, &k.UserID, &k.Name, &permissions, &k.CreatedBy, &k.CreatedAt, &k.ExpiresAt, &k.RevokedAt, &k.LastUsedAt)
	k.Permissions = permissionList(permissions)
	return k, err
}

func (t tokens) TokensOfUser(userID string) ([]access.Token, error) {
	return db.All(t, scanToken, `SELECT `+tokenColumns+` FROM access_token WHERE user_id = $1 ORDER BY id`, userID)
}

func (t tokens) InsertToken(k access.Token) error {
	return db.Run(t, `INSERT INTO access_token (`+tokenColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		k.Hash, k.ID, k.UserID, k.Name, permissionText(k.Permissions), k.CreatedBy, int64(k.CreatedAt), int64(k.ExpiresAt),
		int64(k.RevokedAt), int64(k.LastUsedAt))
}

func (t tokens) RevokeToken(userID, id string, at ident.Timestamp) error {
	return db.ExpectOne(t, `UPDATE access_token SET revoked_at = $3 WHERE user_id = $1 AND id = $2 AND revoked_at = 0`,
		userID, id, int64(at))
}

func (t tokens) TouchToken(hash string, at ident.Timestamp) error {
	return db.Run(t, `UPDATE access_token SET last_used_at = $2 WHERE hash = $1 AND last_used_at < $2`, hash, int64(at))
}

// ownerColumns are the columns of the owner of a token or a session.
const ownerColumns = `u.id, u.name, u.department, u.active, u.created_at, u.login, u.roles, u.kind,
			COALESCE((SELECT MAX(i.seen_at) FROM user_identity i WHERE i.user_id = u.id), 0),
			EXISTS (SELECT 1 FROM passkey p WHERE p.user_id = u.id)
				OR EXISTS (SELECT 1 FROM one_time_code c WHERE c.user_id = u.id AND c.confirmed_at > 0),
			COALESCE((SELECT string_agg(role, ' ') FROM second_factor_role), '')`

// TokenByHash finds a token and its user with one statement, which needs no transaction.
func TokenByHash(q db.Querier, hash string) (token access.Token, user shop.User, err error) {
	_, err = db.One(q, func(r db.Rows) (struct{}, error) {
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
	return token, user, err
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
