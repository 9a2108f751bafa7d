package lists

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

type searcher struct{ *db.Core }

// calling describes a kind of record that people search by name: the key of its table, and the columns with names, which its shop.Record
// declares.
type calling struct {
	shop.Record
	key    string
	report bool // whether the key is the number of a report
}

// callingOf returns the calling of a kind of record. The kind must declare names.
func callingOf(kind ident.RecordKind) (calling, error) {
	for _, record := range shop.Records() {
		if record.Kind != kind || len(record.Called) == 0 {
			continue
		}
		at := slices.IndexFunc(migrations.Tables, func(t migrations.Table) bool { return t.Name == record.Table })
		return calling{record, migrations.Tables[at].Key, kind == shop.RecordNonconformance}, nil
	}
	return calling{}, fmt.Errorf("the search does not find a %s", kind)
}

func (c calling) find(q db.Querier, condition string, args ...any) ([]views.Called, error) {
	detailed := c.Detailed
	if detailed == "" {
		detailed = "''"
	}
	statement := fmt.Sprintf(`SELECT %s, %s, %s FROM %s WHERE %s`, c.key, strings.Join(c.Called, ", "), detailed, c.Table, condition)
	return db.All(q, c.scan, statement, args...)
}

func (c calling) scan(r db.Rows) (called views.Called, err error) {
	called.Names = make([]string, len(c.Called))
	var number int64
	into := []any{&called.ID}
	if c.report {
		into[0] = &number
	}
	for i := range called.Names {
		into = append(into, &called.Names[i])
	}
	err = r.Scan(append(into, &called.Details)...)
	if c.report {
		called.ID = shop.NonconformanceID(number)
	}
	return called, err
}

func (t searcher) CalledExactly(kind ident.RecordKind, id string) (views.Called, error) {
	c, err := callingOf(kind)
	if err != nil {
		return views.Called{}, err
	}
	key := any(id)
	if c.report {
		number, ok := shop.ParseNonconformanceID(strings.ToUpper(id))
		if !ok {
			return views.Called{}, shop.ErrNoRecord
		}
		key = number
	}
	found, err := c.find(t, c.key+` = $1`, key)
	if err == nil && len(found) == 0 {
		err = shop.ErrNoRecord
	}
	if err != nil {
		return views.Called{}, err
	}
	return found[0], nil
}

// CalledFrom scans the index of each name. Such an index may omit empty names. Both engines ignore the case only of the letters A to Z.
func (t searcher) CalledFrom(kind ident.RecordKind, beginning string, limit int) ([]views.Called, error) {
	c, err := callingOf(kind)
	if err != nil {
		return nil, err
	}
	beginning = db.Lowered(beginning)
	found := []views.Called{}
	for _, name := range c.Called {
		begins := fmt.Sprintf(`lower(%[1]s) >= $1 AND lower(%[1]s) < $2 AND %[1]s <> ''
			ORDER BY lower(%[1]s), %[2]s DESC LIMIT $3`, name, c.key)
		some, err := c.find(t, begins, beginning, beginning+db.PastAll, limit)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	return found, nil
}

func (t searcher) CalledLately(kind ident.RecordKind, limit int) ([]views.Called, error) {
	c, err := callingOf(kind)
	if err != nil {
		return nil, err
	}
	before := any(db.BeforeAll)
	if c.report {
		before = int64(math.MaxInt64)
	}
	return c.find(t, fmt.Sprintf(`%[1]s < $1 ORDER BY %[1]s DESC LIMIT $2`, c.key), before, limit)
}
