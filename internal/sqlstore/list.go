package sqlstore

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
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
	from, known := map[shop.RecordKind]listedFrom{ //nolint:exhaustive // the other kinds have no list
		shop.RecordJob:         {jobColumns, `job`, func() func(rows) (any, error) { return anyOf(scanJobs())() }},
		shop.RecordCertificate: {certificateColumns, `certificate`, anyOf(scanCertificate)},
		shop.RecordBOM:         {bomColumns, `bom`, anyOf(scanBOM)},
		shop.RecordBOMVersion:  {bomVersionColumns, `bom_version`, anyOf(scanBOMVersion)},
		shop.RecordTemplate:    {templateColumns, `template`, anyOf(scanTemplate)},
		shop.RecordUser:        {userColumns, `shop_user`, anyOf(scanUser)},
		shop.RecordProcess:     entry,
		shop.RecordLocation:    entry,
		shop.RecordAttachment:  {attachmentColumns, `attachment`, anyOf(scanAttachment)},
		shop.RecordOverride:    {overrideColumns, `step_override`, anyOf(scanOverride)},
		shop.RecordHold:        {holdColumns, `hold`, anyOf(scanHold)},
		shop.RecordNote:        {noteColumns, `note n`, anyOf(scanNote)},
		shop.RecordFileLink:    {fileLinkColumns, fileLinkTables, anyOf(scanFileLink)},
		shop.RecordCalibration: {calibrationColumns, `calibration`, anyOf(scanCalibration)},
		shop.RecordBaseline:    {baselineColumns, `baseline`, anyOf(scanBaseline)},
		shop.RecordEntry:       {`sequence, ` + auditNames, `audit`, scanListedEntries},
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
		return strings.Repeat("\U0010FFFF", shop.NameLimit+1) // names and identifiers are shorter
	}
	return ""
}

func (t *transaction) ListRows(list *views.List, window views.ListWindow) ([]views.ListedRow, bool, error) {
	from, by, place := listedFromOf(list), window.Order.By, list.Place
	direction, beyond := "", ">"
	if window.Order.Descending {
		direction, beyond = " DESC", "<"
	}
	var c conditions
	if list.Owner != "" {
		c.add(list.Owner+` = ?`, window.Owner)
	}
	if list.Only != "" && (window.Since == 0 || !list.Ended) {
		c.add(list.Only)
	}
	behind := window.Behind
	if behind == nil { // a bound even so: without one a database would walk through the whole index
		behind = &views.ListPosition{By: outside(by, window.Order.Descending), Place: outside(place, window.Order.Descending)}
		if window.Since != 0 { // which only the order of changes has
			behind.By = int64(window.Since)
		}
	}
	changed := `0`
	if list.Changed != "" {
		changed = list.Changed
	}
	order := place.Name + direction
	if by.Name == "" {
		by = place
		c.add(place.Name+` `+beyond+` ?`, behind.Place)
	} else {
		order = by.Name + direction + `, ` + order
		c.add(`(`+by.Name+`, `+place.Name+`) `+beyond+` (?, ?)`, behind.By, behind.Place)
	}
	scan := from.scan()
	found, cut, err := page(t, func(r rows) (row views.ListedRow, err error) {
		at := []any{destinationOf(by), destinationOf(place), &row.Changed}
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
		by.Name, place.Name, changed, from.columns, from.from, c.where(), order, len(c.args)+1), append(c.args, window.Limit)...)
	return found, cut, err
}
