package account

import (
	"strings"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop/ident"
)

type stations struct{ *db.Core }

const stationColumns = `hash, id, name, created_by, created_at, revoked_at, places, one_scan`

// stationRead are the columns of a station with the language that was chosen there.
const stationRead = stationColumns + `, COALESCE((SELECT tag FROM page_language WHERE chosen_by = station.id), '')`

func scanStation(r db.Rows) (s access.Station, err error) {
	var places string
	if err := r.Scan(&s.Hash, &s.ID, &s.Name, &s.CreatedBy, &s.CreatedAt, &s.RevokedAt, &places, &s.OneScan, &s.Language); err != nil {
		return s, err
	}
	if places != "" {
		s.Places = strings.Split(places, "\n")
	}
	return s, nil
}

func (t stations) StationByHash(hash string) (access.Station, error) {
	return db.One(t, scanStation, `SELECT `+stationRead+` FROM station WHERE hash = $1`, hash)
}

func (t stations) Stations() ([]access.Station, error) {
	return db.All(t, scanStation, `SELECT `+stationRead+` FROM station ORDER BY id`)
}

func (t stations) InsertStation(s access.Station) error {
	return db.Run(t, `INSERT INTO station (`+stationColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		s.Hash, s.ID, s.Name, s.CreatedBy, int64(s.CreatedAt), int64(s.RevokedAt), strings.Join(s.Places, "\n"), s.OneScan)
}

func (t stations) RevokeStation(id string, at ident.Timestamp) error {
	return db.ExpectOne(t, `UPDATE station SET revoked_at = $2 WHERE id = $1 AND revoked_at = 0`, id, int64(at))
}
