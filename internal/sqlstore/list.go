package sqlstore

import (
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

func destinationOf(c views.Column) any {
	if c.Numbers {
		return new(int64)
	}
	return new(string)
}

// outside is a value that sorts before every one that a column has, or behind them.
func outside(c views.Column, behind bool) any {
	switch {
	case c.Numbers && behind:
		return int64(math.MaxInt64)
	case c.Numbers:
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
	by, place := window.Order.By, list.Place
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
	read := listRead{list: list, window: window, order: place.Name + direction}
	switch {
	case by.Name == "":
		return read.rows(t, place, place.Name+` `+beyond+` ?`, behind.Place)
	case !by.Computed:
		read.order = by.Name + direction + `, ` + read.order
		return read.rows(t, by, `(`+by.Name+`, `+place.Name+`) `+beyond+` (?, ?)`, behind.By, behind.Place)
	}
	// SQLite finds no index on an expression by a comparison of rows.
	alike, cut, err := read.rows(t, by, by.Name+` = ? AND `+place.Name+` `+beyond+` ?`, behind.By, behind.Place)
	if err != nil || cut || len(alike) == window.Limit {
		return alike, cut, err
	}
	read.window.Limit, read.order = window.Limit-len(alike), by.Name+direction+`, `+read.order
	others, cut, err := read.rows(t, by, by.Name+` `+beyond+` ?`, behind.By)
	return append(alike, others...), cut, err
}

// listRead reads a part of a window.
type listRead struct {
	list   *views.List
	window views.ListWindow
	order  string
}

// rows reads the rows of the window that meet a condition.
func (l *listRead) rows(t *transaction, by views.Column, condition string, bound ...any) ([]views.ListedRow, bool, error) {
	list, window, from := l.list, &l.window, listedFromOf(l.list)
	var c conditions
	if list.Owner != "" {
		c.add(list.Owner+` = ?`, window.Owner)
	}
	if list.Only != "" && (window.Since == 0 || !list.Ended) {
		c.add(list.Only)
	}
	narrowList(&c, window.Narrowed)
	c.add(condition, bound...)
	changed := `0`
	if list.Changed != "" {
		changed = list.Changed
	}
	scan := from.scan()
	return page(t, func(r rows) (row views.ListedRow, err error) {
		at := []any{destinationOf(by), destinationOf(list.Place), &row.Changed}
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
		by.Name, list.Place.Name, changed, from.columns, from.from, c.where(), l.order, len(c.args)+1), append(c.args, window.Limit)...)
}
