package views

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// SerialListQuery selects a part of the list of all units. Empty fields do not narrow.
type SerialListQuery struct {
	Limit int    `query:"limit"` // 1 to ListPageLimit
	After string `query:"after"` // ListPage.Next of the page before; "" for the first page
	// UpdatedSince narrows the list as ListQuery.UpdatedSince does.
	UpdatedSince ident.Timestamp   `query:"updatedSince"`
	Sort         string            `query:"sort"` // createdAt, or updatedAt if UpdatedSince is set; "" stands for the same
	JobID        string            `query:"jobId"`
	PathID       string            `query:"pathId"`
	Status       card.SerialStatus `query:"status"` // in the stored form, or with a hyphen
}

// SerialRow is a row of a page of the list of units.
type SerialRow struct {
	shop.SerialListItem
	SerialState
}

// SerialState holds the fields of a unit that only pages of the list of units and exports have.
type SerialState struct {
	Held        bool            `json:"held"`                 // whether the unit has an open hold
	CompletedAt ident.Timestamp `json:"completedAt,omitzero"` // 0 unless completed
	// UpdatedAt is the time of the last change to any value in the row except ExternalID, whose changes have no recorded time.
	UpdatedAt  ident.Timestamp `json:"updatedAt"`
	PartNumber string          `json:"partNumber,omitempty"` // part number of its job; "" for none
	ExternalID string          `json:"externalId,omitempty"` // "" for none
}

// MarshalJSON writes the fields of the contract's SerialListItem, followed by the fields that only pages have.
func (r SerialRow) MarshalJSON() ([]byte, error) {
	item, err := r.SerialListItem.MarshalJSON()
	if err != nil {
		return nil, err
	}
	more, err := json.Marshal(r.SerialState)
	return append(append(item[:len(item)-1], ','), more[1:]...), err
}

// ListedUnit is a unit as a page of the list of units reads it.
type ListedUnit struct {
	shop.ListedSerial
	MovedAt ident.Timestamp // equal to Serial.UpdatedAt
	HeldAt  ident.Timestamp // when a hold was last placed or released; 0 for never
	Held    bool            // whether the unit has an open hold
	// NumberedAt is when the unit's own number was last set; 0 for never.
	NumberedAt ident.Timestamp
	ExternalID string // "" for none
}

// UnitLister is the database access of pages of the list of units.
type UnitLister interface {
	// UnitsWithin returns at most limit units by number: the units of a path, or of every path if pathID is "".
	UnitsWithin(pathID string, within ident.NumberRange, limit int) ([]ListedUnit, error)
	// UnitsNumbered returns the units with the given numbers, at most ListPageLimit, by number.
	UnitsNumbered(numbers []int64) ([]ListedUnit, error)
}

// serialEffort is the maximum number of units that a page of the list reads to find matches.
const serialEffort = 5000

// serialList reads a page of the list of all units, oldest first. If the query requests the changes since a time, serialList reads the
// units that changed, in the order in which the trail records the changes. A page reads a bounded part of the units or the trail: it may
// have fewer rows than the limit, even none, although more rows follow. A client that follows Next reads every unit once; a unit that
// changed since the time may come again, in its later state.
func serialList(ctx context.Context, v *Views, _ *List, _ string, query SerialListQuery) (page ListPage, err error) {
	if err := checkLimit(query.Limit); err != nil {
		return page, err
	}
	statuses := []card.SerialStatus{card.InProgress, card.Completed, card.Scrapped}
	query.Status = card.SerialStatus(strings.ReplaceAll(string(query.Status), "-", "_"))
	if query.Status != "" && !slices.Contains(statuses, query.Status) {
		return page, input.NotOneOf("status", statuses)
	}
	sort := "createdAt"
	if query.UpdatedSince != 0 {
		sort = "updatedAt"
	}
	if query.Sort != "" && query.Sort != sort {
		return page, input.NotOneOf("sort", []string{sort})
	}
	filter := query.JobID + "\n" + query.PathID + "\n" + string(query.Status)
	purpose := asked(ListSerials, "", sort, query.UpdatedSince, filter)
	entry, number, err := readPlace("after", query.After, purpose)
	if err != nil {
		return page, err
	}
	err = v.store.Look(ctx, func(tx Reader) error {
		reading := serialReading{tx: tx, query: query, routes: map[string]*listedRoute{}, rows: []any{}}
		next := reading.all
		if query.UpdatedSince != 0 {
			next = reading.changed
		}
		at, more, err := next(entry, number)
		page = ListPage{Items: reading.rows}
		if more {
			page.Next = cursor{For: purpose, By: at.By, Place: at.Place}.text()
		}
		return err
	})
	return page, err
}

// serialReading is a page being read.
type serialReading struct {
	tx     Reader
	query  SerialListQuery
	only   func(*ListedUnit) bool // reports whether to show a unit; nil shows all
	routes map[string]*listedRoute
	rows   []any
}

// listedRoute is the part of a path and its job that a row shows.
type listedRoute struct {
	path card.Path
	job  shop.Job
}

// all reads units by number, starting after a given number.
func (r *serialReading) all(_, behind int64) (at ListPosition, more bool, err error) {
	paths := []string{r.query.PathID}
	if r.query.JobID != "" {
		if paths, err = r.pathsOf(r.query.JobID); err != nil {
			return at, false, err
		}
	}
	for looked := 0; looked < serialEffort; {
		units, err := r.within(paths, behind, math.MaxInt64, ListPageLimit)
		if err != nil {
			return at, false, err
		}
		for i := range units {
			if len(r.rows) == r.query.Limit {
				return ListPosition{By: int64(0), Place: behind}, true, nil
			}
			if err := r.take(&units[i]); err != nil {
				return at, false, err
			}
			behind = units[i].Number
		}
		if len(units) < ListPageLimit {
			return at, false, nil
		}
		looked += len(units)
	}
	return ListPosition{By: int64(0), Place: behind}, true, nil
}

// pathsOf returns the identifiers of the paths of a job, or of the one path in the query.
func (r *serialReading) pathsOf(jobID string) (ids []string, err error) {
	paths, err := r.tx.PathsOfJobs([]string{jobID})
	for _, path := range paths {
		if r.query.PathID == "" || r.query.PathID == path.PathID {
			ids = append(ids, path.PathID)
		}
	}
	return ids, err
}

// within reads the units of the given paths with numbers above behind and at most last, by number.
func (r *serialReading) within(paths []string, behind, last int64, limit int) (units []ListedUnit, err error) {
	for _, path := range paths {
		found, err := r.tx.UnitsWithin(path, ident.NumberRange{First: behind + 1, Last: last}, limit)
		if err != nil {
			return nil, err
		}
		units = append(units, found...)
	}
	if len(paths) > 1 {
		slices.SortFunc(units, func(a, b ListedUnit) int { return cmp.Compare(a.Number, b.Number) })
	}
	return units[:min(len(units), limit)], nil
}

// take adds a row for a unit unless the query leaves it out.
func (r *serialReading) take(unit *ListedUnit) error {
	row, shown, err := r.row(unit)
	if shown {
		r.rows = append(r.rows, row)
	}
	return err
}

// row returns the row of a unit. shown is false if the query leaves it out.
func (r *serialReading) row(unit *ListedUnit) (row SerialRow, shown bool, err error) {
	if r.only != nil && !r.only(unit) {
		return row, false, nil
	}
	route, err := r.route(unit.PathID)
	if err != nil {
		return row, false, err
	}
	if r.query.Status != "" && unit.Status != r.query.Status || r.query.PathID != "" && unit.PathID != r.query.PathID ||
		r.query.JobID != "" && route.path.JobID != r.query.JobID {
		return row, false, nil
	}
	row = SerialRow{unit.Item(r.tx.SerialPrefix(), &shop.Route{Path: route.path, JobName: route.job.Name}), SerialState{
		Held: unit.Held, PartNumber: route.job.PartNumber, ExternalID: unit.ExternalID,
		UpdatedAt: max(unit.MovedAt, unit.HeldAt, unit.NumberedAt, route.path.UpdatedAt, route.job.UpdatedAt),
	}}
	if unit.Status == card.Completed {
		row.CompletedAt = unit.MovedAt
	}
	return row, true, nil
}

// routesKept is the maximum number of paths that a reading caches.
const routesKept = 1000

// route reads a path with its job. Fields stay empty if the records do not exist.
func (r *serialReading) route(pathID string) (*listedRoute, error) {
	route := r.routes[pathID]
	if route != nil {
		return route, nil
	}
	route = &listedRoute{}
	path, err := r.tx.Path(pathID)
	if err == nil {
		route.path = path
		route.job, err = r.tx.Job(path.JobID)
	}
	if err != nil && !errors.Is(err, shop.ErrNoRecord) {
		return nil, err
	}
	if len(r.routes) == routesKept {
		clear(r.routes)
	}
	r.routes[pathID] = route
	return route, nil
}

// changed reads the units that the trail records after a position; see changes.
func (r *serialReading) changed(entry, number int64) (at ListPosition, more bool, err error) {
	read := changes[int64]{tx: r.tx, since: r.query.UpdatedSince, limit: r.query.Limit, told: r.told}
	found, at, more, err := read.behind(entry, number)
	if err != nil {
		return at, false, err
	}
	numbers := make([]int64, len(found))
	for i := range found {
		numbers[i] = found[i].what
	}
	return at, more, r.takeNumbered(numbers)
}

// takeNumbered adds rows for the units with the given numbers.
func (r *serialReading) takeNumbered(numbers []int64) error {
	if len(numbers) == 0 {
		return nil
	}
	units, err := r.tx.UnitsNumbered(numbers)
	for i := range units {
		if err == nil {
			err = r.take(&units[i])
		}
	}
	return err
}

// This function returns the numbers, above behind, of the units whose rows show a change in an entry, at most limit.
func (r *serialReading) told(entry *trail.Entry, behind int64, limit int) ([]telling[int64], error) {
	var paths []string
	last := int64(math.MaxInt64)
	switch {
	case entry.SerialID != "":
		number, _ := r.tx.SerialPrefix().ParseSerialID(entry.SerialID)
		if number <= behind {
			return nil, nil
		}
		return []telling[int64]{{what: number, place: number}}, nil
	case entry.Action == card.ActionSerialCreated:
		paths = []string{entry.PathID}
		if made, told := replay.SerialsMade(entry); told {
			behind, last = max(behind, made.First-1), made.Last
		}
	case entry.Action == shop.ActionJobChanged:
		counted, err := r.tx.PathsOfJobs([]string{entry.JobID})
		if err != nil {
			return nil, err
		}
		for _, path := range counted {
			paths = append(paths, path.PathID)
		}
	case slices.Contains(shop.ActionsOf(shop.RecordPath), entry.Action), slices.Contains(shop.ActionsOf(shop.RecordStep), entry.Action):
		paths = []string{entry.PathID}
	}
	units, err := r.within(paths, behind, last, limit)
	tellings := make([]telling[int64], len(units))
	for i := range units {
		tellings[i] = telling[int64]{what: units[i].Number, place: units[i].Number}
	}
	return tellings, err
}
