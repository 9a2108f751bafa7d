package views

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// ListQuery selects a part of a list, and its order. The zero ListQuery selects the first page.
type ListQuery struct {
	Limit int    `query:"limit"` // 1 to ListPageLimit
	After string `query:"after"` // ListPage.Next of the page before; "" for the first page
	// UpdatedSince narrows to rows that changed at this time or later, or up to Lookback before it; 0 does not narrow.
	UpdatedSince ident.Timestamp `query:"updatedSince"`
	Sort         string          `query:"sort"` // one of the list's Orders; "" for the default, or the order of changes with UpdatedSince
}

// ListPageLimit is the maximum number of rows on a page of a list.
const ListPageLimit = 1000

// Lookback is how far before the time in UpdatedSince changes are included. A change has the time at which it was made but is visible only
// after its commit, and the clocks of instances may differ. So a client that requests the changes since the newest time that it has seen
// misses nothing that was committed within this time, and gets the last changes again.
const Lookback = shop.Lookback

// ListPage is a page of a list, with records of any kind. Next is the value of After for the next page.
type ListPage = shop.Page[any]

// ListWindow asks a database for one page of a list.
type ListWindow struct {
	Order ListOrder
	Owner any // the owner of the list; nil for a list of all records
	// Since is the earliest time of a change; 0 for all.
	Since ident.Timestamp
	// Narrowed is the filter of the records, without the cursor: a shop.HoldQuery, JobFilter, shop.MeasurementQuery or
	// shop.NonconformanceQuery for a list of such records; nil for all.
	Narrowed any
	// After is the position after which the page begins; nil for the first page.
	After *ListPosition
	Limit int
}

// ListPosition is the position of a row in an order: the value that it is ordered by, and its place among rows with the same value. Each is
// a string or an int64, as the column is.
type ListPosition struct{ By, Place any }

// ListedRow is a row of a list. The record is nil if it cannot be read.
type ListedRow struct {
	ListPosition
	Changed ident.Timestamp // 0 for an audit entry
	Record  any
}

// DatedRow is a row of a page of a list whose records do not have the time of their change.
type DatedRow struct {
	Record    any
	UpdatedAt ident.Timestamp // time of the last change to the values in the row
}

// MarshalJSON appends updatedAt to the fields of the record.
func (r DatedRow) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // as in a whole list
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

// Lister is the database access of pages of lists.
type Lister interface {
	// ListRows returns the rows of a window, at most Limit. more reports that it stopped early because their texts were long.
	ListRows(list *List, window ListWindow) (rows []ListedRow, more bool, err error)
}

// notCursor refuses the value of a parameter that is not a cursor of the list.
func notCursor(parameter string) error { return refusal.RefuseField(refusal.NotCursor, parameter) }

// checkLimit validates the number of rows of a page.
func checkLimit(limit int) error {
	switch {
	case limit < 1:
		return refusal.RefuseField(refusal.NotAboveZero, "limit")
	case limit > ListPageLimit:
		return refusal.RefuseField(refusal.NumberTooLarge, "limit", ListPageLimit)
	}
	return nil
}

// cursor is a position as a client sees it: the list and order that it belongs to, and the two values. It is not signed: a client that
// invents a cursor gets a page that begins elsewhere.
type cursor struct {
	For   string `json:"f"`
	By    any    `json:"b,omitempty"`
	Place any    `json:"p"`
}

// asked identifies a list in an order, so that its cursors are not accepted for another list or order.
func asked(list ListName, of, sort string, since ident.Timestamp, filter string) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %d %q", list, of, sort, since, filter))
	return base64.RawURLEncoding.EncodeToString(digest[:9])
}

// text encodes the cursor for a client. Numbers are encoded as texts, so that they are not rounded.
func (c cursor) text() string {
	for _, value := range []*any{&c.By, &c.Place} {
		if number, ok := (*value).(int64); ok {
			*value = strconv.FormatInt(number, 10)
		}
	}
	text, _ := json.Marshal(c) //nolint:errchkjson // texts
	return base64.RawURLEncoding.EncodeToString(text)
}

// readCursor decodes a cursor that text returned for the same list and order. A refusal identifies the parameter.
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

// readPlace reads the cursor of a page in the order of the trail: an entry, and a place within the next entry.
func readPlace(parameter, text, purpose string) (entry, place int64, err error) {
	if text == "" {
		return beginning, 0, nil
	}
	at, err := readCursor(parameter, text, purpose, true, true)
	if err != nil {
		return 0, 0, err
	}
	entry, _ = at.By.(int64)
	place, _ = at.Place.(int64)
	return entry, place, nil
}

// EntryCursor returns the value of After of ListAudit for a page after an entry, newest first.
func EntryCursor(sequence int64) string {
	return cursor{For: asked(ListAudit, "", "-createdAt", 0, ""), By: "", Place: sequence}.text()
}

// owner returns the key of the list's owner in a store; nil for a list of all records.
func (l *List) owner(tx Reader, of string) any {
	if l.OfUnit {
		number, _ := tx.SerialPrefix().ParseSerialID(of)
		return number
	}
	if !l.Owned {
		return nil
	}
	return of
}

// shown returns a row as the page shows it.
func (l *List) shown(row ListedRow) any {
	if l.Dated || l.Undated || l.ofEntries() {
		return row.Record
	}
	return DatedRow{row.Record, row.Changed}
}

// readList reads a page of a list. A client that follows Next reads exactly once every row that exists all the while and does not change. A
// page of long rows may have fewer rows than the limit although more rows follow.
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

// readPage reads a page in its own transaction.
func (v *Views) readPage(ctx context.Context, reading *listReading) (page ListPage, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		page, err = reading.page(tx)
		return err
	})
	return page, err
}

// listReading is a page of a list to be read.
type listReading struct {
	list    *List
	of      string
	query   ListQuery
	window  ListWindow
	since   ident.Timestamp
	purpose string
	// shown returns a record as the page shows it, nil to leave it out. If shown is nil, the page shows all records as the list does.
	shown func(record any) any
}

// newListReading validates a query whose cursor is in a parameter. narrowed is the filter of the list, if any.
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
	r.purpose = asked(list.Name, of, r.window.Order.Name, query.UpdatedSince, filter)
	if query.After != "" {
		r.window.After, err = readCursor(parameter, query.After, r.purpose, r.window.Order.By.Numbers(), list.Numbered)
	}
	return r, err
}

// page reads the page. It can be called again when a transaction is repeated.
func (r *listReading) page(tx Reader) (page ListPage, err error) {
	window := r.window
	window.Owner = r.list.owner(tx, r.of)
	if r.list.found != nil {
		if err := r.list.found(tx, r.of); err != nil {
			return page, err
		}
	}
	if r.query.UpdatedSince != 0 && r.query.After == "" && r.list.ofEntries() {
		before, err := shop.EntryBefore(tx, r.since)
		if err != nil {
			return page, err
		}
		window.After = &ListPosition{Place: before}
	}
	return r.rows(window, func(window ListWindow) ([]ListedRow, bool, error) { return tx.ListRows(r.list, window) })
}

// rows takes a page out of the rows of windows.
func (r *listReading) rows(window ListWindow, within func(ListWindow) ([]ListedRow, bool, error)) (page ListPage, err error) {
	page.Items = []any{}
	for {
		window.Limit = r.query.Limit - len(page.Items) + 1 // one more row shows whether there is a next page
		rows, cut, err := within(window)
		if err != nil {
			return page, err
		}
		for i := range rows {
			if len(page.Items) == r.query.Limit {
				page.Next = r.cursor(*window.After)
				return page, nil
			}
			if shown := r.row(&rows[i]); shown != nil {
				page.Items = append(page.Items, shown)
			}
			window.After = &rows[i].ListPosition
		}
		if cut {
			page.Next = r.cursor(*window.After)
		}
		if cut || len(rows) < window.Limit {
			return page, nil
		}
	}
}

// row returns a row as the page shows it, nil to leave it out.
func (r *listReading) row(row *ListedRow) any {
	if row.Record == nil {
		return nil
	}
	if r.shown != nil {
		return r.shown(row.Record)
	}
	return r.list.shown(*row)
}

// cursor returns the value of After for the page after a row.
func (r *listReading) cursor(at ListPosition) string {
	return cursor{For: r.purpose, By: at.By, Place: at.Place}.text()
}
