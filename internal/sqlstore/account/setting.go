package account

import (
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop/ident"
)

type settings struct{ *db.Core }

func (t settings) Setting(name string) (value string, at ident.Timestamp, err error) {
	_, err = db.One(t, func(r db.Rows) (struct{}, error) { return struct{}{}, r.Scan(&value, &at) },
		`SELECT value, at FROM access_setting WHERE name = $1`, name)
	return value, at, err
}

func (t settings) PutSetting(name, value string, at ident.Timestamp) error {
	return db.Run(t, `INSERT INTO access_setting (name, value, at) VALUES ($1, $2, $3)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value, at = excluded.at`, name, value, int64(at))
}

func (t settings) DeleteSettings(prefix string) error {
	return db.Run(t, `DELETE FROM access_setting WHERE name >= $1 AND name < $2`, prefix, prefix+db.BeforeAll)
}

func (t settings) DeleteSettingsBefore(prefix string, at ident.Timestamp) error {
	return db.Run(t, `DELETE FROM access_setting WHERE name >= $1 AND name < $2 AND at < $3`, prefix, prefix+db.BeforeAll, int64(at))
}
