package sqlstore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
)

// NewestIdentifier asks each table whose identifiers have an index for its last one.
func (t *transaction) NewestIdentifier() (string, error) {
	selects := make([]string, 0, len(tables)+1)
	for _, table := range tables {
		if table.indexed {
			selects = append(selects, fmt.Sprintf(`SELECT COALESCE(MAX(id), '') FROM %s`, table.name))
		}
	}
	selects = append(selects, `SELECT COALESCE(MAX(id), '') FROM library_entry WHERE id < 'm'`) // lloc_ before plib_
	newest, err := all(t, scalar[string], strings.Join(selects, " UNION ALL "))
	if err != nil {
		return "", err
	}
	for i := range newest {
		newest[i] = newest[i][strings.LastIndexByte(newest[i], '_')+1:]
	}
	return slices.Max(newest), nil
}

// NumbersTaken reads the counters.
func (t *transaction) NumbersTaken() (taken shop.NumbersTaken, err error) {
	_, err = all(t, func(r rows) (none struct{}, err error) {
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
		}
		return none, nil
	}, `SELECT name, value FROM counter WHERE name IN ('serial', 'nonconformance')`)
	return taken, err
}

func (t *transaction) UnhashedEntries() (int64, error) {
	return one(t, scalar[int64], `SELECT value FROM counter WHERE name = 'unhashed'`)
}
