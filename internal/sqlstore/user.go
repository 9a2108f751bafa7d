package sqlstore

import (
	"iter"

	"github.com/routecard/routecard"
)

func scanUser(r rows) (u routecard.User, err error) {
	err = r.Scan(&u.ID, &u.Name, &u.Department, &u.Active, &u.CreatedAt)
	return u, err
}

func (t *transaction) InsertUser(u routecard.User) error {
	return run(t, `INSERT INTO shop_user (id, name, department, active, created_at) VALUES ($1, $2, $3, $4, $5)`,
		u.ID, u.Name, u.Department, u.Active, int64(u.CreatedAt))
}

func (t *transaction) UpdateUser(u routecard.User) error {
	return expectOne(t, `UPDATE shop_user SET name = $2, department = $3, active = $4 WHERE id = $1`,
		u.ID, u.Name, u.Department, u.Active)
}

func (t *transaction) User(id string) (routecard.User, error) {
	return one(t, scanUser, `SELECT id, name, department, active, created_at FROM shop_user WHERE id = $1`+t.lock, id)
}

func (t *transaction) Users() iter.Seq2[routecard.User, error] {
	return pages(func(last routecard.User, _ bool, limit int) ([]routecard.User, bool, error) {
		return page(t, scanUser, `SELECT id, name, department, active, created_at FROM shop_user
			WHERE (name, id) > ($1, $2) ORDER BY name, id LIMIT $3`, last.Name, last.ID, limit)
	})
}
