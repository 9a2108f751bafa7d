package views

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/replay"
)

// WholeList pages a list that is read whole because it is as short as its owner: one unit, one account.
type WholeList[T any] struct {
	Name ListName
	// NewestFirst is the order of the whole list; otherwise it is oldest first.
	NewestFirst bool
	// Place returns a value that is unique in the list and grows in the order of creation. at is the index of the row in the whole list.
	Place func(row T, at int) string
	// Changed returns the time of the last change to the values in a row. It is nil if the rows do not have it, or if a row may return to
	// an earlier state: then the list does not support changes since a time.
	Changed func(row T) ident.Timestamp
}

// orders returns the orders of the list, the default first.
func (l WholeList[T]) orders() []ListOrder {
	orders := oldestFirst()
	if l.NewestFirst {
		orders = newestFirst()
	}
	if l.Changed != nil {
		orders = changing(orders)
	}
	return orders
}

// Dated reports whether the rows have the time of their change.
func (l WholeList[T]) Dated() bool { return l.Changed != nil }

// Page returns a page of rows, which are all rows of a record's list in the order of the whole list. It gives the guarantees of
// readList. UpdatedSince requires a list whose rows are dated.
func (l WholeList[T]) Page(rows []T, of string, query ListQuery) (page ListPage, err error) {
	if err := checkLimit(query.Limit); err != nil {
		return page, err
	}
	reading, err := newListReading(&List{Name: l.Name, Owned: true, Undated: !l.Dated(), sorts: l.orders()}, of, "after", query)
	if err != nil {
		return page, err
	}
	return reading.rows(reading.window, func(window ListWindow) ([]ListedRow, bool, error) {
		return l.within(rows, window), false, nil
	})
}

// within returns the rows of a window.
func (l WholeList[T]) within(rows []T, window ListWindow) []ListedRow {
	compare := func(a, b ListPosition) int {
		compared := comparePlaces(a.Place, b.Place)
		if window.Order.By == ByChange {
			compared = cmp.Or(comparePlaces(a.By, b.By), compared)
		}
		if window.Order.Descending {
			return -compared
		}
		return compared
	}
	found := []ListedRow{}
	for i, record := range rows {
		at := i
		if l.NewestFirst {
			at = len(rows) - 1 - i
		}
		row := ListedRow{ListPosition: ListPosition{By: "", Place: l.Place(record, at)}, Record: record}
		if l.Dated() {
			row.Changed = l.Changed(record)
		}
		if window.Order.By == ByChange {
			row.By = int64(row.Changed)
		}
		if row.Changed >= window.Since && (window.After == nil || compare(row.ListPosition, *window.After) > 0) {
			found = append(found, row)
		}
	}
	slices.SortStableFunc(found, func(a, b ListedRow) int { return compare(a.ListPosition, b.ListPosition) })
	return found[:min(len(found), window.Limit)]
}

// comparePlaces compares the values by which rows are ordered: texts or numbers.
func comparePlaces(a, b any) int {
	if number, ok := a.(int64); ok {
		other, _ := b.(int64)
		return cmp.Compare(number, other)
	}
	text, _ := a.(string)
	other, _ := b.(string)
	return cmp.Compare(text, other)
}

// visitList returns the list of the visits of a unit. An undo removes visits, and restores the visit before them.
func visitList() WholeList[replay.Visit] {
	return WholeList[replay.Visit]{Name: ListVisits, Place: func(_ replay.Visit, at int) string { return fmt.Sprintf("%09d", at) }}
}

// signatureList returns the list of the signatures on a unit.
func signatureList() WholeList[shop.Signature] {
	return WholeList[shop.Signature]{
		Name: ListSignatures, Place: func(s shop.Signature, _ int) string { return s.ID },
		Changed: func(s shop.Signature) ident.Timestamp { return s.SignedAt },
	}
}

// measurementList returns the list of the readings of a unit, including voided ones.
func measurementList() WholeList[card.Measurement] {
	return WholeList[card.Measurement]{
		Name: ListMeasurementsOfSerial, Place: func(m card.Measurement, _ int) string { return m.ID },
		Changed: func(m card.Measurement) ident.Timestamp { return max(m.Entered(), m.VoidedAt) },
	}
}

// componentList is the list of the components of a unit, including removed and voided ones.
func componentList() WholeList[card.Component] {
	return WholeList[card.Component]{
		Name: ListComponents, Place: func(c card.Component, _ int) string { return c.ID },
		Changed: func(c card.Component) ident.Timestamp { return max(c.InstalledAt, c.RemovedAt, c.VoidedAt) },
	}
}
