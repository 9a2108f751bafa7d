package views

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// ListQuery says which part of a list to read, and in which order. The zero ListQuery is for its first page.
type ListQuery struct {
	Limit int    `query:"limit"` // 1 to ListPageLimit
	After string `query:"after"` // ListPage.Next of the page before; "" for the first page
	// UpdatedSince narrows to what was changed at this time or later, and up to Lookback before it; 0 does not narrow.
	UpdatedSince ident.Timestamp `query:"updatedSince"`
	Sort         string          `query:"sort"` // one of the list's Orders; "" for its own, or that of the changes
}

// ListPageLimit is how many rows a page of a list may have.
const ListPageLimit = 1000

// Lookback is how far before the time in UpdatedSince changes are looked for. A change has the time at which it was made and is seen
// from its commit on, and the clocks of instances may differ. So whoever asks what was changed since the newest time that it has
// seen misses nothing that was committed within this time, and gets the last changes once more.
const Lookback = 5 * ident.ClockSkew

// ListPage is a page of a list.
type ListPage struct {
	Rows []any
	Next string // what After has to be for the next page; "" when there is none
}

// ListWindow is what a page of a list needs of a database.
type ListWindow struct {
	Order ListOrder
	Owner any // the record whose list it is; nil for the list of everything there is
	// Since is the earliest change; 0 for all.
	Since ident.Timestamp
	// Narrowed says which records to list, but for where a page begins: a shop.HoldQuery, JobFilter,
	// shop.MeasurementQuery or shop.NonconformanceQuery for a list of such; nil for all.
	Narrowed any
	// Behind is the row behind which the page begins; nil for the beginning.
	Behind *ListPosition
	Limit  int
}

// ListPosition is where a row stands in an order: the value that it is ordered by, and its place among those that are alike. Each
// is a string or an int64, as the column is.
type ListPosition struct{ By, Place any }

// ListedRow is a row of a list. The record is nil when it cannot be read.
type ListedRow struct {
	ListPosition
	Changed ident.Timestamp // 0 for an entry of the trail
	Record  any
}

// DatedRow is a row of a page of a list whose records do not say when they were changed.
type DatedRow struct {
	Record    any
	UpdatedAt ident.Timestamp // when what the row shows was last changed
}

// MarshalJSON writes the record with updatedAt behind its fields.
func (r DatedRow) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // as in a list that is answered whole
	if err := encoder.Encode(r.Record); err != nil {
		return nil, err
	}
	updated, err := json.Marshal(r.UpdatedAt)
	text.Truncate(text.Len() - len("}\n"))
	text.WriteString(`,"updatedAt":`)
	text.Write(updated)
	text.WriteByte('}')
	return text.Bytes(), err
}

// Lister is what pages of lists need of a database.
type Lister interface {
	// ListRows returns the rows of a window, at most Limit of them. more reports that it stopped before: their texts were long.
	ListRows(list *List, window ListWindow) (rows []ListedRow, more bool, err error)
}

// notCursor refuses a text behind which no page of the list begins, and which a parameter has.
func notCursor(parameter string) error { return refusal.RefuseField(refusal.NotCursor, parameter) }

// checkLimit judges how many rows a page is to have.
func checkLimit(limit int) error {
	switch {
	case limit < 1:
		return refusal.RefuseField(refusal.NotAboveZero, "limit")
	case limit > ListPageLimit:
		return refusal.RefuseField(refusal.NumberTooLarge, "limit", ListPageLimit)
	}
	return nil
}

// cursor is a position as a client sees it: what it was made for, and the two values. It proves nothing; whoever makes one up gets
// a page that begins elsewhere.
type cursor struct {
	For   string `json:"f"`
	By    any    `json:"b,omitempty"`
	Place any    `json:"p"`
}

// asked names a list in an order, so that a position in it is not taken for one in another.
func asked(list ListName, of, sort string, since ident.Timestamp, filter string) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %d %q", list, of, sort, since, filter))
	return base64.RawURLEncoding.EncodeToString(digest[:9])
}

// text is the cursor as a client gets it. Numbers are texts in it, so that none is rounded.
func (c cursor) text() string {
	for _, value := range []*any{&c.By, &c.Place} {
		if number, ok := (*value).(int64); ok {
			*value = strconv.FormatInt(number, 10)
		}
	}
	text, _ := json.Marshal(c) //nolint:errchkjson // texts
	return base64.RawURLEncoding.EncodeToString(text)
}

// readCursor reads what text returned for the same list in the same order. A refusal is about the parameter that has it.
func readCursor(parameter, text, purpose string, byNumbers, placeNumbers bool) (*ListPosition, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	var c struct {
		For   string `json:"f"`
		By    string `json:"b"`
		Place string `json:"p"`
	}
	if err != nil || json.Unmarshal(raw, &c) != nil || c.For != purpose {
		return nil, notCursor(parameter)
	}
	position := &ListPosition{By: c.By, Place: c.Place}
	if byNumbers {
		if position.By, err = strconv.ParseInt(c.By, 10, 64); err != nil {
			return nil, notCursor(parameter)
		}
	}
	if placeNumbers {
		if position.Place, err = strconv.ParseInt(c.Place, 10, 64); err != nil {
			return nil, notCursor(parameter)
		}
	}
	return position, nil
}

// EntryCursor is what After of ListAudit has to be for a page behind an entry, newest first.
func EntryCursor(sequence int64) string {
	return cursor{For: asked(ListAudit, "", "-createdAt", 0, ""), By: "", Place: sequence}.text()
}

// owner is what a store knows a record by whose list it is, nil for a list of everything there is.
func (l *List) owner(of string) any {
	if l.OfUnit {
		number, _ := ident.ParseSerialID(of)
		return number
	}
	if !l.Owned {
		return nil
	}
	return of
}

// shown is a row as a page has it.
func (l *List) shown(row ListedRow) any {
	if l.Dated || l.ofEntries() {
		return row.Record
	}
	return DatedRow{row.Record, row.Changed}
}

// readList reads a page of a list. Whoever follows Next reads every row that is there all the while, and stays as it is, exactly once. A
// page may have fewer rows than it may have, when they are long, and still be followed by another one.
func readList(ctx context.Context, v *Views, list *List, of string, query ListQuery) (page ListPage, err error) {
	if err := checkLimit(query.Limit); err != nil {
		return page, err
	}
	return v.listPage(ctx, list, of, "after", query)
}

// listPage reads a page of a list; see newListReading.
func (v *Views) listPage(
	ctx context.Context, list *List, of, parameter string, query ListQuery, narrowed ...any,
) (page ListPage, err error) {
	reading, err := newListReading(list, of, parameter, query, narrowed...)
	if err != nil {
		return page, err
	}
	return v.readPage(ctx, &reading)
}

// readPage reads a page in a transaction of its own.
func (v *Views) readPage(ctx context.Context, reading *listReading) (page ListPage, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		page, err = reading.page(tx)
		return err
	})
	return page, err
}

// listReading is a page of a list that is to be read.
type listReading struct {
	list    *List
	of      string
	query   ListQuery
	window  ListWindow
	since   ident.Timestamp
	purpose string
	// shown is a record as the page has it, nil for one that it leaves out; nil shows all as the list does.
	shown func(record any) any
}

// newListReading judges a query, of which a parameter has the cursor. More than the owner may narrow the list: narrowed says to what.
func newListReading(list *List, of, parameter string, query ListQuery, narrowed ...any) (r listReading, err error) {
	r = listReading{list: list, of: of, query: query, since: max(1, query.UpdatedSince-Lookback)}
	if r.window.Order, err = list.order(query); err != nil {
		return r, err
	}
	if query.UpdatedSince != 0 && !list.ofEntries() {
		r.window.Since = r.since
	}
	filter := ""
	for _, only := range narrowed {
		r.window.Narrowed, filter = only, fmt.Sprintf("%+v", only)
	}
	r.window.Owner = list.owner(of)
	r.purpose = asked(list.Name, of, r.window.Order.Name, query.UpdatedSince, filter)
	if query.After != "" {
		r.window.Behind, err = readCursor(parameter, query.After, r.purpose, r.window.Order.By.Numbers(), list.Numbered)
	}
	return r, err
}

// page reads the page, the same one whenever it is called: a transaction may be run again.
func (r *listReading) page(tx Reader) (page ListPage, err error) {
	page.Rows = []any{}
	window := r.window
	if r.list.found != nil {
		if err := r.list.found(tx, r.of); err != nil {
			return page, err
		}
	}
	if r.query.UpdatedSince != 0 && r.query.After == "" && r.list.ofEntries() {
		before, err := entryBefore(tx, r.since)
		if err != nil {
			return page, err
		}
		window.Behind = &ListPosition{Place: before}
	}
	for {
		window.Limit = r.query.Limit - len(page.Rows) + 1 // one more tells whether there is a next page
		rows, cut, err := tx.ListRows(r.list, window)
		if err != nil {
			return page, err
		}
		for i := range rows {
			if len(page.Rows) == r.query.Limit {
				page.Next = r.cursor(*window.Behind)
				return page, nil
			}
			if shown := r.row(&rows[i]); shown != nil {
				page.Rows = append(page.Rows, shown)
			}
			window.Behind = &rows[i].ListPosition
		}
		if cut {
			page.Next = r.cursor(*window.Behind)
		}
		if cut || len(rows) < window.Limit {
			return page, nil
		}
	}
}

// row is a row as the page has it, nil for one that it leaves out.
func (r *listReading) row(row *ListedRow) any {
	if row.Record == nil {
		return nil
	}
	if r.shown != nil {
		return r.shown(row.Record)
	}
	return r.list.shown(*row)
}

// cursor is what After has to be for the page behind a row.
func (r *listReading) cursor(at ListPosition) string {
	return cursor{For: r.purpose, By: at.By, Place: at.Place}.text()
}
