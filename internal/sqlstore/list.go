package sqlstore

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// listedFrom says how the records of a kind are read for a list: their columns, where those are, and what scans them.
type listedFrom struct {
	columns, from string
	scan          func() func(rows) (any, error)
}

// anyOf makes a scan of some type one of any.
func anyOf[T any](scan func(rows) (T, error)) func() func(rows) (any, error) {
	return func() func(rows) (any, error) { return func(r rows) (any, error) { return scan(r) } }
}

// listedFromOf returns how the records of a list are read.
func listedFromOf(list *views.List) listedFrom {
	if list.Name == views.ListNotesOfSerial {
		return listedFrom{noteColumns, `note_serial s JOIN note n ON n.id = s.note_id`, anyOf(scanNote)}
	}
	entry := listedFrom{libraryColumns, `library_entry`, anyOf(scanLibraryEntry)}
	from, known := map[ident.RecordKind]listedFrom{ //nolint:exhaustive // the other kinds have no list
		shop.RecordJob:            {jobColumns, `job`, func() func(rows) (any, error) { return anyOf(scanJobs())() }},
		shop.RecordCertificate:    {certificateColumns, `certificate`, anyOf(scanCertificate)},
		shop.RecordBOM:            {bomColumns, `bom`, anyOf(scanBOM)},
		shop.RecordBOMVersion:     {bomVersionColumns, `bom_version`, anyOf(scanBOMVersion)},
		shop.RecordTemplate:       {templateColumns, `template`, anyOf(scanTemplate)},
		shop.RecordUser:           {userColumns, `shop_user`, anyOf(scanUser)},
		shop.RecordProcess:        entry,
		shop.RecordLocation:       entry,
		shop.RecordAttachment:     {attachmentColumns, `attachment`, anyOf(scanAttachment)},
		shop.RecordOverride:       {overrideColumns, `step_override`, anyOf(scanOverride)},
		shop.RecordHold:           {holdColumns, `hold`, anyOf(scanHold)},
		shop.RecordNote:           {noteColumns, `note n`, anyOf(scanNote)},
		shop.RecordNonconformance: {reportColumns, `nonconformance`, anyOf(scanReport)},
		shop.RecordFileLink:       {fileLinkColumns, fileLinkTables, anyOf(scanFileLink)},
		shop.RecordCalibration:    {calibrationColumns, `calibration`, anyOf(scanCalibration)},
		shop.RecordInstrument:     {instrumentColumns, `instrument`, anyOf(scanInstrument)},
		shop.RecordMeasurement:    {measurementRead, `measurement`, anyOf(scanMeasurement)},
		shop.RecordBaseline:       {baselineColumns, `baseline`, anyOf(scanBaseline)},
		shop.RecordEntry:          {`sequence, ` + auditNames, `audit`, scanListedEntries},
	}[list.Of]
	if !known {
		panic(fmt.Sprintf("nobody says how %s are listed", list.Of)) // the table of lists is written by hand
	}
	return from
}

func scanListedEntries() func(rows) (any, error) {
	scan := scanEntries()
	return func(r rows) (any, error) {
		row, err := scan(r)
		return row.entry, err
	}
}

// widened reads columns before and behind those that a scan asks for.
type widened struct {
	rows
	before, behind []any
}

func (w widened) Scan(destinations ...any) error {
	return w.rows.Scan(slices.Concat(w.before, destinations, w.behind)...)
}

// valueOf is what a destination of destinationOf points to.
func valueOf(destination any) any {
	switch destination := destination.(type) {
	case *int64:
		return *destination
	case *string:
		return *destination
	}
	return nil
}

// listColumns says where a list finds what its definition speaks of: columns, or expressions.
type listColumns struct {
	owner   string // the record whose list it is
	only    string // a condition that every row of the list meets
	place   string // "" for id
	changed string // when what a row shows was last changed; "" where the trail says that
}

// laterOf is the later of two times, of which the second is 0 until it has come.
func laterOf(first, second string) string {
	return "CASE WHEN " + second + " > " + first + " THEN " + second + " ELSE " + first + " END"
}

// noteChanged is when a note was written, voided or posted as a comment, whichever was last.
func noteChanged() string { return laterOf(laterOf("n.created_at", "n.voided_at"), "n.pushed_at") }

// columnsOfLists has the columns of every list but those of files.
var columnsOfLists = map[views.ListName]listColumns{
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
	views.ListReports:                  {place: "number"},
	views.ListAudit:                    {place: "sequence"},
	views.ListAuditOfSerial:            {owner: "serial_number", only: "serial_number <> 0", place: "sequence"},
	views.ListAuditOfJob:               {owner: "job_id", only: "job_id <> ''", place: "sequence"},
}

func columnsOf(list *views.List) listColumns {
	if list.Of == shop.RecordFileLink {
		return listColumns{
			owner: "l.on_id", only: "l.on_kind = '" + string(list.On) + "'", place: "l.id", changed: laterOf("l.attached_at", "l.voided_at"),
		}
	}
	columns, known := columnsOfLists[list.Name]
	if !known {
		panic(fmt.Sprintf("nothing says which columns the list %s has", list.Name)) // the table is written by hand
	}
	columns.place = cmp.Or(columns.place, "id")
	return columns
}

// orderColumn is a column, or an expression, in whose order a list is read.
type orderColumn struct {
	name    string
	numbers bool
}

// computed reports whether it is an expression.
func (c orderColumn) computed() bool { return strings.Contains(c.name, " ") }

func destinationOf(c orderColumn) any {
	if c.numbers {
		return new(int64)
	}
	return new(string)
}

// outside is a value that sorts before every one that a column has, or behind them.
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

// narrowList adds the conditions of what narrows a list.
func narrowList(c *conditions, narrowed any) {
	switch query := narrowed.(type) {
	case shop.HoldQuery:
		if query.Open { // written, not bound: SQLite finds a partial index by the text of the statement
			c.add(`released_at = 0`)
		}
	case views.JobFilter:
		narrowJobs(c, query, `id`)
	case shop.MeasurementQuery:
		narrowMeasurements(c, query)
	case shop.NonconformanceQuery:
		narrowReports(c, query)
	}
}

func (t *transaction) ListRows(list *views.List, window views.ListWindow) ([]views.ListedRow, bool, error) {
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
	behind := window.Behind
	if behind == nil { // a bound even so: without one a database would walk through the whole index
		behind = &views.ListPosition{By: outside(by, window.Order.Descending), Place: outside(place, window.Order.Descending)}
		if window.Since != 0 { // which only the order of changes has
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
	// SQLite finds no index on an expression by a comparison of rows.
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
func (l *listRead) rows(t *transaction, by orderColumn, condition string, bound ...any) ([]views.ListedRow, bool, error) {
	list, window, from := l.list, &l.window, listedFromOf(l.list)
	var c conditions
	if list.Owned {
		c.add(l.columns.owner+` = ?`, window.Owner)
	}
	if l.columns.only != "" && (window.Since == 0 || !list.Ended) {
		c.add(l.columns.only)
	}
	narrowList(&c, window.Narrowed)
	c.add(condition, bound...)
	changed := cmp.Or(l.columns.changed, `0`)
	scan := from.scan()
	return page(t, func(r rows) (row views.ListedRow, err error) {
		at := []any{destinationOf(by), destinationOf(l.place), &row.Changed}
		row.Record, err = scan(widened{rows: r, before: at})
		row.By, row.Place = valueOf(at[0]), valueOf(at[1])
		if wrong, ok := errors.AsType[*shop.UnreadableError](err); ok {
			row.Record, err = nil, nil
			if t.leftOut != nil {
				t.leftOut(wrong)
			}
		}
		return row, err
	}, fmt.Sprintf(`SELECT %s, %s, %s, %s FROM %s%s ORDER BY %s LIMIT $%d`,
		by.name, l.place.name, changed, from.columns, from.from, c.where(), l.order, len(c.args)+1), append(c.args, window.Limit)...)
}
