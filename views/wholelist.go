package views

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// WholeList says how a list is cut into pages that is read whole, since it is as short as what it is about: one unit, one account.
type WholeList[T any] struct {
	Name ListName
	// NewestFirst is the order in which the list is answered whole; otherwise it is oldest first.
	NewestFirst bool
	// Place tells the rows apart and grows as they are made. at is where the row stands in the whole list.
	Place func(row T, at int) string
	// Changed is when what a row shows was last changed. It is nil where the rows do not know, or where a row may become what it was:
	// then nobody can ask what was changed since a time.
	Changed func(row T) ident.Timestamp
}

// placed is a row with what it is ordered by.
type placed[T any] struct {
	row     T
	place   string
	changed ident.Timestamp
}

// orders are the orders of the list, its own first.
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

// Dated reports whether the rows know when they were changed.
func (l WholeList[T]) Dated() bool { return l.Changed != nil }

// Page cuts a page out of the rows of the list of a record, which are in the order in which the list is answered whole. It promises
// what Views.List does. UpdatedSince is for a list whose rows are dated.
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

// placed are the rows in an order.
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

// behind reports whether a row comes behind a position in an order.
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

// visitList is the list of the visits of a unit. A change that is taken back takes visits away, and leaves the one before as it was.
func visitList() WholeList[shop.Visit] {
	return WholeList[shop.Visit]{Name: ListVisits, Place: func(_ shop.Visit, at int) string { return fmt.Sprintf("%09d", at) }}
}

// signatureList is the list of the signatures about a unit.
func signatureList() WholeList[shop.Signature] {
	return WholeList[shop.Signature]{
		Name: ListSignatures, Place: func(s shop.Signature, _ int) string { return s.ID },
		Changed: func(s shop.Signature) ident.Timestamp { return s.SignedAt },
	}
}

// measurementList is the list of the readings of a unit, also those that were voided.
func measurementList() WholeList[card.Measurement] {
	return WholeList[card.Measurement]{
		Name: ListMeasurementsOfSerial, Place: func(m card.Measurement, _ int) string { return m.ID },
		Changed: func(m card.Measurement) ident.Timestamp { return max(m.Entered(), m.VoidedAt) },
	}
}
