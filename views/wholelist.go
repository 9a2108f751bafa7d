package views

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
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

// placed is a row with the values that it is ordered by.
type placed[T any] struct {
	row     T
	place   string
	changed ident.Timestamp
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

// Page returns a page of rows, which are all rows of a record's list in the order of the whole list. It gives the guarantees of Views.List.
// UpdatedSince requires a list whose rows are dated.
func (l WholeList[T]) Page(rows []T, of string, query ListQuery) (page ListPage, err error) {
	if err := checkLimit(query.Limit); err != nil {
		return page, err
	}
	list := List{Name: l.Name, sorts: l.orders()}
	order, err := list.order(query)
	if err != nil {
		return page, err
	}
	purpose := asked(l.Name, of, order.Name, query.UpdatedSince, "")
	var behind *ListPosition
	if query.After != "" {
		if behind, err = readCursor("after", query.After, purpose, order.By.Numbers(), list.Numbered); err != nil {
			return page, err
		}
	}
	left := l.placed(rows, order)
	left = slices.DeleteFunc(left, func(p placed[T]) bool {
		early := query.UpdatedSince != 0 && p.changed < query.UpdatedSince-Lookback
		return early || behind != nil && !p.behind(behind, order)
	})
	page.Rows = []any{}
	for i, p := range left {
		if i == query.Limit {
			last := left[i-1]
			at := cursor{For: purpose, By: "", Place: last.place}
			if order.By == ByChange {
				at.By = int64(last.changed)
			}
			page.Next = at.text()
			break
		}
		if l.Dated() {
			page.Rows = append(page.Rows, DatedRow{p.row, p.changed})
		} else {
			page.Rows = append(page.Rows, p.row)
		}
	}
	return page, nil
}

// The method returns the rows in an order.
func (l WholeList[T]) placed(rows []T, order ListOrder) []placed[T] {
	all := make([]placed[T], len(rows))
	for i, row := range rows {
		at := i
		if l.NewestFirst {
			at = len(rows) - 1 - i
		}
		all[i] = placed[T]{row: row, place: l.Place(row, at)}
		if l.Dated() {
			all[i].changed = l.Changed(row)
		}
	}
	slices.SortStableFunc(all, func(a, b placed[T]) int {
		compared := cmp.Compare(a.place, b.place)
		if order.By == ByChange {
			compared = cmp.Or(cmp.Compare(a.changed, b.changed), compared)
		}
		if order.Descending {
			return -compared
		}
		return compared
	})
	return all
}

// This method reports whether a row follows a position in an order.
func (p placed[T]) behind(position *ListPosition, order ListOrder) bool {
	place, _ := position.Place.(string)
	compared := cmp.Compare(p.place, place)
	if order.By == ByChange {
		changed, _ := position.By.(int64)
		compared = cmp.Or(cmp.Compare(p.changed, ident.Timestamp(changed)), compared)
	}
	if order.Descending {
		return compared < 0
	}
	return compared > 0
}

// visitList is the list of the visits of a unit. An undo removes visits, and restores the one before.
func visitList() WholeList[shop.Visit] {
	return WholeList[shop.Visit]{Name: ListVisits, Place: func(_ shop.Visit, at int) string { return fmt.Sprintf("%09d", at) }}
}

// signatureList is the list of the signatures on a unit.
func signatureList() WholeList[shop.Signature] {
	return WholeList[shop.Signature]{
		Name: ListSignatures, Place: func(s shop.Signature, _ int) string { return s.ID },
		Changed: func(s shop.Signature) ident.Timestamp { return s.SignedAt },
	}
}

// measurementList is the list of the readings of a unit, including voided ones.
func measurementList() WholeList[card.Measurement] {
	return WholeList[card.Measurement]{
		Name: ListMeasurementsOfSerial, Place: func(m card.Measurement, _ int) string { return m.ID },
		Changed: func(m card.Measurement) ident.Timestamp { return max(m.Entered(), m.VoidedAt) },
	}
}
