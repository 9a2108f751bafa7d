package lists

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

type lister struct{ *db.Core }

// valueOf returns the value that a destination of destinationOf points to.
func valueOf(destination any) any {
	switch destination := destination.(type) {
	case *int64:
		return *destination
	case *string:
		return *destination
	}
	return nil
}

// listColumns maps the definition of a list to columns or SQL expressions.
type listColumns struct {
	owner   string // column with the record that the list belongs to
	only    string // a condition that every row of the list meets
	place   string // column with the identifier; "" for id
	changed string // time of the last change to a row; "" if only the trail records it
}

// laterOf returns an expression for the later of two times. The second time is 0 if the event has not happened.
func laterOf(first, second string) string {
	return "CASE WHEN " + second + " > " + first + " THEN " + second + " ELSE " + first + " END"
}

// noteChanged returns an expression for the last time at which a note was written, voided or posted as a comment.
func noteChanged() string { return laterOf(laterOf("n.created_at", "n.voided_at"), "n.pushed_at") }

// columnsOfLists has the columns of every list except those of files.
var columnsOfLists = map[views.ListName]listColumns{ //nolint:exhaustive // the list of units is read differently
	views.ListJobs:                     {changed: "updated_at"},
	views.ListCertificates:             {changed: "changed_at"},
	views.ListBOMs:                     {changed: "updated_at"},
	views.ListTemplates:                {changed: "updated_at"},
	views.ListUsers:                    {only: "active", changed: "changed_at"},
	views.ListProcesses:                {only: "library = 'process'", changed: "created_at"},
	views.ListLocations:                {only: "library = 'location'", changed: "created_at"},
	views.ListAttachmentsOfSerial:      {owner: "serial_number", changed: laterOf("attached_at", "voided_at")},
	views.ListAttachmentsOfCertificate: {owner: "certificate_id", changed: laterOf("attached_at", "voided_at")},
	views.ListOverrides:                {owner: "serial_number", changed: laterOf("created_at", "reversed_at")},
	views.ListHoldsOfSerial:            {owner: "serial_number", changed: laterOf("placed_at", "released_at")},
	views.ListNotesOfSerial:            {owner: "s.serial_id", place: "s.note_id", changed: noteChanged()},
	views.ListNotesOfStep:              {owner: "n.step_id", place: "n.id", changed: noteChanged()},
	views.ListBOMVersions:              {owner: "bom_id", place: "version_number", changed: "created_at"},
	views.ListCalibrations:             {owner: "instrument_id", changed: "calibrated_at"},
	views.ListBaselines:                {owner: "characteristic_id", changed: "frozen_at"},
	views.ListHolds:                    {changed: laterOf("placed_at", "released_at")},
	views.ListMeasurements:             {changed: laterOf("measured_at", "voided_at")},
	views.ListInstruments:              {changed: "updated_at"},
	views.ListLots:                     {changed: "updated_at"},
	views.ListShipments:                {place: "number", changed: "updated_at"},
	views.ListFirstArticles:            {place: "number", changed: "updated_at"},
	views.ListLinesOfShipment:          {owner: "l.shipment_id", place: "l.serial_number"},
	views.ListConformances:             {place: "number", changed: "conformance.updated_at"},
	views.ListUnitsOfConformance:       {owner: "c.id", place: "u.serial_number"},
	views.ListReports:                  {place: "number"},
	views.ListAudit:                    {place: "sequence"},
	views.ListAuditOfSerial:            {owner: "serial_number", only: "serial_number <> 0", place: "sequence"},
	views.ListAuditOfJob:               {owner: "job_id", only: "job_id <> ''", place: "sequence"},
}

func columnsOf(list *views.List) listColumns {
	if list.Of == shop.RecordFileLink {
		return listColumns{
			owner: "l.on_id", only: "l.on_kind = '" + string(list.On) + "'", place: "l.id",
			changed: laterOf("l.attached_at", "l.voided_at"),
		}
	}
	columns, known := columnsOfLists[list.Name]
	if !known {
		panic(fmt.Sprintf("nothing says which columns the list %s has", list.Name)) // names are constants
	}
	columns.place = cmp.Or(columns.place, "id")
	return columns
}

// orderColumn is a column or expression by which a list is ordered.
type orderColumn struct {
	name    string
	numbers bool
}

// computed reports whether c is an expression.
func (c orderColumn) computed() bool { return strings.Contains(c.name, " ") }

func destinationOf(c orderColumn) any {
	if c.numbers {
		return new(int64)
	}
	return new(string)
}

// outside returns a value that sorts before every value of a column, or one that sorts after every value.
func outside(c orderColumn, behind bool) any {
	switch {
	case c.numbers && behind:
		return int64(math.MaxInt64)
	case c.numbers:
		return int64(math.MinInt64)
	case behind:
		return strings.Repeat("\U0010FFFF", input.NameLimit+1) // names and identifiers are shorter
	}
	return ""
}

// narrowList adds the conditions of a list's filter.
func narrowList(prefix ident.Prefix, c *db.Conditions, narrowed any) {
	switch query := narrowed.(type) {
	case shop.HoldQuery:
		if query.Open { // literal and not bound: SQLite finds a partial index by the text of the statement
			c.Add(`released_at = 0`)
		}
	case views.JobFilter:
		narrowJobs(c, query, `id`)
	case shop.MeasurementQuery:
		statement.NarrowMeasurements(prefix, c, query)
	case shop.LotQuery:
		statement.NarrowLots(c, query)
	case shop.ShipmentQuery:
		statement.NarrowShipments(prefix, c, query)
	case shop.ConformanceQuery:
		statement.NarrowConformances(prefix, c, query)
	case shop.FirstArticleQuery:
		statement.NarrowFirstArticles(prefix, c, query)
	case shop.NonconformanceQuery:
		statement.NarrowReports(prefix, c, query)
	}
}

func (t lister) ListRows(list *views.List, window views.ListWindow) ([]views.ListedRow, bool, error) {
	columns := columnsOf(list)
	by, place := orderColumn{}, orderColumn{columns.place, list.Numbered}
	switch window.Order.By {
	case views.ByPlace:
	case views.ByName:
		by.name = "name"
	case views.ByChange:
		by = orderColumn{columns.changed, true}
	}
	direction, beyond := "", ">"
	if window.Order.Descending {
		direction, beyond = " DESC", "<"
	}
	behind := window.After
	if behind == nil { // even the first page has a bound: without it a database would scan the whole index
		behind = &views.ListPosition{By: outside(by, window.Order.Descending), Place: outside(place, window.Order.Descending)}
		if window.Since != 0 { // set only in the order of changes
			behind.By = int64(window.Since)
		}
	}
	read := listRead{list: list, columns: columns, place: place, window: window, order: place.name + direction}
	switch {
	case by.name == "":
		return read.rows(t, place, place.name+` `+beyond+` ?`, behind.Place)
	case !by.computed():
		read.order = by.name + direction + `, ` + read.order
		return read.rows(t, by, `(`+by.name+`, `+place.name+`) `+beyond+` (?, ?)`, behind.By, behind.Place)
	}
	// SQLite does not use an index on an expression for a comparison of row values.
	alike, cut, err := read.rows(t, by, by.name+` = ? AND `+place.name+` `+beyond+` ?`, behind.By, behind.Place)
	if err != nil || cut || len(alike) == window.Limit {
		return alike, cut, err
	}
	read.window.Limit, read.order = window.Limit-len(alike), by.name+direction+`, `+read.order
	others, cut, err := read.rows(t, by, by.name+` `+beyond+` ?`, behind.By)
	return append(alike, others...), cut, err
}

// listRead reads a part of a window.
type listRead struct {
	list    *views.List
	columns listColumns
	place   orderColumn
	window  views.ListWindow
	order   string
}

// rows reads the rows of the window that meet a condition.
func (l *listRead) rows(t lister, by orderColumn, condition string, bound ...any) ([]views.ListedRow, bool, error) {
	list, window, from := l.list, &l.window, statement.SourceOf(l.list.Of)
	if list.Name == views.ListNotesOfSerial {
		from = statement.NotesOfSerials()
	}
	var c db.Conditions
	if list.Owned {
		c.Add(l.columns.owner+` = ?`, window.Owner)
	}
	if l.columns.only != "" && (window.Since == 0 || !list.Ended) {
		c.Add(l.columns.only)
	}
	narrowList(t.Prefix, &c, window.Narrowed)
	c.Add(condition, bound...)
	changed := cmp.Or(l.columns.changed, `0`)
	scan := from.Scan(t.Prefix)
	return db.Page(t, func(r db.Rows) (row views.ListedRow, err error) {
		at := []any{destinationOf(by), destinationOf(l.place), &row.Changed}
		row.Record, err = scan(db.Widened{Rows: r, Before: at})
		row.By, row.Place = valueOf(at[0]), valueOf(at[1])
		if wrong, ok := errors.AsType[*shop.UnreadableError](err); ok {
			row.Record, err = nil, nil
			if t.LeftOut != nil {
				t.LeftOut(wrong)
			}
		}
		return row, err
	}, fmt.Sprintf(`SELECT %s, %s, %s, %s FROM %s%s ORDER BY %s LIMIT $%d`,
		by.name, l.place.name, changed, from.Columns, from.From, c.Where(), l.order, len(c.Args)+1), append(c.Args, window.Limit)...)
}
