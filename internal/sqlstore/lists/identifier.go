package lists

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
	"github.com/routecard/routecard/shop"
)

type identifiers struct{ *db.Core }

// NewestIdentifier reads the last identifier of each table that has an index of them.
func (t identifiers) NewestIdentifier() (string, error) {
	selects := make([]string, 0, len(migrations.Tables)+1)
	for _, table := range migrations.Tables {
		if table.Indexed {
			selects = append(selects, fmt.Sprintf(`SELECT COALESCE(MAX(id), '') FROM %s`, table.Name))
		}
	}
	selects = append(selects, `SELECT COALESCE(MAX(id), '') FROM library_entry WHERE id < 'm'`) // lloc_ sorts before plib_
	newest, err := db.All(t, db.Scalar[string], strings.Join(selects, " UNION ALL "))
	if err != nil {
		return "", err
	}
	for i := range newest {
		newest[i] = newest[i][strings.LastIndexByte(newest[i], '_')+1:]
	}
	return slices.Max(newest), nil
}

// NumbersTaken reads the counters.
func (t identifiers) NumbersTaken() (taken shop.NumbersTaken, err error) {
	_, err = db.All(t, func(r db.Rows) (none struct{}, err error) {
		var name string
		var value int64
		if err := r.Scan(&name, &value); err != nil {
			return none, err
		}
		switch name {
		case "serial":
			taken.Serials = value
		case "nonconformance":
			taken.Nonconformances = value
		case "shipment":
			taken.Shipments = value
		case "conformance":
			taken.Conformances = value
		case "first_article":
			taken.FirstArticles = value
		}
		return none, nil
	}, `SELECT name, value FROM counter WHERE name IN ('serial', 'nonconformance', 'shipment', 'conformance', 'first_article')`)
	return taken, err
}

func (t identifiers) UnhashedEntries() (int64, error) {
	return db.One(t, db.Scalar[int64], `SELECT value FROM counter WHERE name = 'unhashed'`)
}
