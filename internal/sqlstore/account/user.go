package account

import (
	"errors"
	"iter"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

type users struct{ *db.Core }

// UserColumns are the columns of a user, for ScanUser.
const (
	userStored  = `id, name, department, active, created_at, login, roles, salt, kind`
	UserColumns = userStored + db.ExternalOf + string(shop.RecordUser) + `' AND x.record_id = shop_user.id` + db.ExternalEnd
)

// ScanUser scans a row with UserColumns.
func ScanUser(r db.Rows) (u shop.User, err error) {
	var roles string
	err = r.Scan(&u.ID, &u.Name, &u.Department, &u.Active, &u.CreatedAt, &u.Login, &roles, &u.Salt, &u.Kind, &u.ExternalID)
	if roles != "" {
		u.Roles = strings.Fields(roles)
	}
	return u, err
}

func (t users) InsertUser(u shop.User) error {
	return db.Run(t, `INSERT INTO shop_user (`+userStored+`, changed_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $5)`,
		u.ID, u.Name, u.Department, u.Active, int64(u.CreatedAt), u.Login, strings.Join(u.Roles, " "), u.Salt, string(u.Kind))
}

func (t users) UpdateUser(u shop.User, at ident.Timestamp) error {
	return db.ExpectOne(t, `UPDATE shop_user
		SET name = $2, department = $3, active = $4, login = $5, roles = $6, salt = $7, kind = $8, changed_at = $9 WHERE id = $1`,
		u.ID, u.Name, u.Department, u.Active, u.Login, strings.Join(u.Roles, " "), u.Salt, string(u.Kind), int64(at))
}

func (t users) User(id string) (shop.User, error) {
	return db.One(t, ScanUser, `SELECT `+UserColumns+` FROM shop_user WHERE id = $1`+t.Lock, id)
}

// Language returns the language that a user or a station chose.
func (t users) Language(of string) (string, error) {
	tag, err := db.One(t, db.Scalar[string], `SELECT tag FROM page_language WHERE chosen_by = $1`, of)
	if errors.Is(err, shop.ErrNoRecord) {
		return "", nil
	}
	return tag, err
}

func (t users) PutLanguage(of, tag string) error {
	if tag == "" {
		return db.Run(t, `DELETE FROM page_language WHERE chosen_by = $1`, of)
	}
	return db.Run(t, `INSERT INTO page_language (chosen_by, tag) VALUES ($1, $2)
		ON CONFLICT (chosen_by) DO UPDATE SET tag = excluded.tag`, of, tag)
}

// LockAdministrators takes a named lock, because the set of administrators may depend on rows that do not exist yet.
func (t users) LockAdministrators() error { return t.LockAbsent("administrators") }

func (t users) Users() iter.Seq2[shop.User, error] {
	return db.Pages(func(last shop.User, _ bool, limit int) ([]shop.User, bool, error) {
		return db.Page(t, ScanUser, `SELECT `+UserColumns+` FROM shop_user
			WHERE (name, id) > ($1, $2) ORDER BY name, id LIMIT $3`, last.Name, last.ID, limit)
	})
}

func (t users) UserByLogin(login string) (shop.User, error) {
	return db.One(t, ScanUser, `SELECT `+UserColumns+` FROM shop_user WHERE login = $1 AND login <> ''`+t.Lock, login)
}

func (t users) LockName(name string) error { return t.LockAbsent("access:" + name) }

// EndAccess revokes the tokens of a user and deletes the user's sessions.
func (t users) EndAccess(userID string, at ident.Timestamp) error {
	if err := db.Run(t, `UPDATE access_token SET revoked_at = $2 WHERE user_id = $1 AND revoked_at = 0`, userID, int64(at)); err != nil {
		return err
	}
	return sessions(t).DeleteSessionsOfUser(userID, "")
}

// EndCredentials deletes all sessions and signature tickets, revokes all tokens, and requires every secret to be changed. It returns the
// number of sessions, tokens and secrets.
func (t users) EndCredentials(at ident.Timestamp) (sessions, tokens, secrets int64, err error) {
	if sessions, err = db.Affecting(t, `DELETE FROM access_session`); err != nil {
		return sessions, tokens, secrets, err
	}
	if tokens, err = db.Affecting(t, `UPDATE access_token SET revoked_at = $1 WHERE revoked_at = 0`, int64(at)); err != nil {
		return sessions, tokens, secrets, err
	}
	if err := db.Run(t, `DELETE FROM signature_ticket`); err != nil {
		return sessions, tokens, secrets, err
	}
	secrets, err = db.Affecting(t, `UPDATE user_secret SET must_change = $1`, true)
	return sessions, tokens, secrets, err
}

// ActiveLogins finds the logins of active users with one statement, which needs no transaction.
func ActiveLogins(q db.Querier) (map[string]bool, error) {
	found, err := db.All(q, db.Scalar[string], `SELECT login FROM shop_user WHERE login <> '' AND active`)
	logins := make(map[string]bool, len(found))
	for _, login := range found {
		logins[login] = true
	}
	return logins, err
}
