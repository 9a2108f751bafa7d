package sqlstore

import (
	"iter"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

const (
	userStored  = `id, name, department, active, created_at, login, roles, salt, kind`
	userColumns = userStored + externalOf + string(shop.RecordUser) + `' AND x.record_id = shop_user.id` + externalEnd
)

func scanUser(r rows) (u shop.User, err error) {
	var roles string
	err = r.Scan(&u.ID, &u.Name, &u.Department, &u.Active, &u.CreatedAt, &u.Login, &roles, &u.Salt, &u.Kind, &u.ExternalID)
	if roles != "" {
		u.Roles = strings.Fields(roles)
	}
	return u, err
}

func (t *transaction) InsertUser(u shop.User) error {
	return run(t, `INSERT INTO shop_user (`+userStored+`, changed_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $5)`,
		u.ID, u.Name, u.Department, u.Active, int64(u.CreatedAt), u.Login, strings.Join(u.Roles, " "), u.Salt, string(u.Kind))
}

func (t *transaction) UpdateUser(u shop.User, at ident.Timestamp) error {
	return expectOne(t, `UPDATE shop_user
		SET name = $2, department = $3, active = $4, login = $5, roles = $6, salt = $7, kind = $8, changed_at = $9 WHERE id = $1`,
		u.ID, u.Name, u.Department, u.Active, u.Login, strings.Join(u.Roles, " "), u.Salt, string(u.Kind), int64(at))
}

func (t *transaction) User(id string) (shop.User, error) {
	return one(t, scanUser, `SELECT `+userColumns+` FROM shop_user WHERE id = $1`+t.lock, id)
}

// LockAdministrators locks a name: who is an administrator may follow from rows that are not there yet.
func (t *transaction) LockAdministrators() error { return t.lockName("administrators") }

func (t *transaction) Users() iter.Seq2[shop.User, error] {
	return pages(func(last shop.User, _ bool, limit int) ([]shop.User, bool, error) {
		return page(t, scanUser, `SELECT `+userColumns+` FROM shop_user
			WHERE (name, id) > ($1, $2) ORDER BY name, id LIMIT $3`, last.Name, last.ID, limit)
	})
}
