package sqlstore

import (
	"fmt"
	"slices"
	"strings"
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
