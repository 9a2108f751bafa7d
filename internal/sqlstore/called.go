package sqlstore

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// calling is a kind of record that people search by what it is called: the statement that reads it, and its key. Its columns are those
// that the noun declares.
type calling struct {
	shop.Record
	key    string
	report bool // whether the key is the number of a report
}

// callingOf returns what holds of a kind that declares what its records are called.
func callingOf(kind ident.RecordKind) (calling, error) {
	for _, record := range shop.Records() {
		if record.Kind != kind || len(record.Called) == 0 {
			continue
		}
		at := slices.IndexFunc(tables, func(t table) bool { return t.name == record.Table })
		return calling{record, tables[at].key, kind == shop.RecordNonconformance}, nil
	}
	return calling{}, fmt.Errorf("the search does not find a %s", kind)
}

func (c calling) find(t *transaction, condition string, args ...any) ([]views.Called, error) {
	detailed := c.Detailed
	if detailed == "" {
		detailed = "''"
	}
	statement := fmt.Sprintf(`SELECT %s, %s, %s FROM %s WHERE %s`, c.key, strings.Join(c.Called, ", "), detailed, c.Table, condition)
	return all(t, c.scan, statement, args...)
}

func (c calling) scan(r rows) (called views.Called, err error) {
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

func (t *transaction) CalledExactly(kind ident.RecordKind, id string) (views.Called, error) {
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

// CalledFrom walks the index of each name, which may leave out empty ones. Both engines lower the letters A to Z in it and no others.
func (t *transaction) CalledFrom(kind ident.RecordKind, beginning string, limit int) ([]views.Called, error) {
	c, err := callingOf(kind)
	if err != nil {
		return nil, err
	}
	beginning = lowered(beginning)
	found := []views.Called{}
	for _, name := range c.Called {
		begins := fmt.Sprintf(`lower(%[1]s) >= $1 AND lower(%[1]s) < $2 AND %[1]s <> ''
			ORDER BY lower(%[1]s), %[2]s DESC LIMIT $3`, name, c.key)
		some, err := c.find(t, begins, beginning, beginning+pastAll, limit)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	return found, nil
}

// lowered is a text as both engines lower it.
func lowered(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, text)
}

func (t *transaction) CalledLately(kind ident.RecordKind, limit int) ([]views.Called, error) {
	c, err := callingOf(kind)
	if err != nil {
		return nil, err
	}
	before := any(beforeAll)
	if c.report {
		before = int64(math.MaxInt64)
	}
	return c.find(t, fmt.Sprintf(`%[1]s < $1 ORDER BY %[1]s DESC LIMIT $2`, c.key), before, limit)
}

// pastAll comes behind every character that a name can have.
const pastAll = "\U0010FFFF"
