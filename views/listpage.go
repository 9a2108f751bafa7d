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
)

// ListQuery says which part of a list to read, and in which order. The zero ListQuery is for its first page.
type ListQuery struct {
	Limit int    `query:"limit"` // 1 to ListPageLimit
	After string `query:"after"` // ListPage.Next of the page before; "" for the first page
	// UpdatedSince narrows to what was changed at this time or later, and up to Lookback before it; 0 does not narrow.
	UpdatedSince shop.Timestamp `query:"updatedSince"`
	Sort         string         `query:"sort"` // one of the list's Orders; "" for its own, or that of the changes
}

// ListPageLimit is how many rows a page of a list may have.
const ListPageLimit = 1000

// Lookback is how far before the time in UpdatedSince changes are looked for. A change has the time at which it was made and is seen
// from its commit on, and the clocks of instances may differ. So whoever asks what was changed since the newest time that it has
// seen misses nothing that was committed within this time, and gets the last changes once more.
const Lookback = 5 * shop.ClockSkew

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
	Since shop.Timestamp
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
	Changed shop.Timestamp // 0 for an entry of the trail
	Record  any
}

// DatedRow is a row of a page of a list whose records do not say when they were changed.
type DatedRow struct {
	Record    any
	UpdatedAt shop.Timestamp // when what the row shows was last changed
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

// notCursor refuses a text behind which no page of the list begins.
func notCursor() error { return shop.RefuseField(shop.NotCursor, "after") }

// checkLimit judges how many rows a page is to have.
func checkLimit(limit int) error {
	switch {
	case limit < 1:
		return shop.RefuseField(shop.NotAboveZero, "limit")
	case limit > ListPageLimit:
		return shop.RefuseField(shop.NumberTooLarge, "limit", ListPageLimit)
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
func asked(list ListName, of, sort string, since shop.Timestamp, filter string) string {
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

// readCursor reads what text returned for the same list in the same order.
func readCursor(text, purpose string, by, place Column) (*ListPosition, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	var c struct {
		For   string `json:"f"`
		By    string `json:"b"`
		Place string `json:"p"`
	}
	if err != nil || json.Unmarshal(raw, &c) != nil || c.For != purpose {
		return nil, notCursor()
	}
	position := &ListPosition{By: c.By, Place: c.Place}
	if by.Numbers {
		if position.By, err = strconv.ParseInt(c.By, 10, 64); err != nil {
			return nil, notCursor()
		}
	}
	if place.Numbers {
		if position.Place, err = strconv.ParseInt(c.Place, 10, 64); err != nil {
			return nil, notCursor()
		}
	}
	return position, nil
}

// EntryCursor is what After of ListAudit has to be for a page behind an entry, newest first.
func EntryCursor(sequence int64) string {
	return cursor{For: asked(ListAudit, "", "-createdAt", 0, ""), By: "", Place: sequence}.text()
}

// owner is what the column Owner has for a record, nil for a list of everything there is.
func (l *List) owner(of string) any {
	if l.OfUnit {
		number, _ := shop.ParseSerialID(of)
		return number
	}
	if l.Owner == "" {
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

// List answers a page of a list; of is the identifier of the record whose list it is, "" for the list of everything there is. Whoever
// follows Next reads every row that is there all the while, and stays as it is, exactly once. A page may have fewer rows than it may
// have, when they are long, and still be followed by another one.
func (v *Views) List(ctx context.Context, name ListName, of string, query ListQuery) (page ListPage, err error) {
	if err := checkLimit(query.Limit); err != nil {
		return page, err
	}
	list := listNamed(name)
	window := ListWindow{Limit: query.Limit}
	if window.Order, err = list.order(query); err != nil {
		return page, err
	}
	since := max(1, query.UpdatedSince-Lookback)
	if query.UpdatedSince != 0 && !list.ofEntries() {
		window.Since = since
	}
	window.Owner = list.owner(of)
	purpose := asked(name, of, window.Order.Name, query.UpdatedSince, "")
	if query.After != "" {
		if window.Behind, err = readCursor(query.After, purpose, window.Order.By, list.Place); err != nil {
			return page, err
		}
	}
	err = v.store.Look(ctx, func(tx Reader) error {
		page = ListPage{Rows: []any{}}
		if list.found != nil {
			if err := list.found(tx, of); err != nil {
				return err
			}
		}
		if query.UpdatedSince != 0 && query.After == "" && list.ofEntries() {
			before, err := entryBefore(tx, since)
			if err != nil {
				return err
			}
			window.Behind = &ListPosition{Place: before}
		}
		window.Limit = query.Limit + 1 // one more tells whether there is a next page
		rows, more, err := tx.ListRows(list, window)
		if err != nil {
			return err
		}
		if len(rows) > query.Limit {
			rows, more = rows[:query.Limit], true
		}
		for _, row := range rows {
			if row.Record != nil {
				page.Rows = append(page.Rows, list.shown(row))
			}
		}
		if more {
			last := rows[len(rows)-1]
			page.Next = cursor{For: purpose, By: last.By, Place: last.Place}.text()
		}
		return nil
	})
	return page, err
}
