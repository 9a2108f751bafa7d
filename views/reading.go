package views

import (
	"context"
	"iter"
	"reflect"

	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/shop"
)

// Rows yields the rows of a list: records, pointers to records, or the cells of a table. A pointer may be reused for the next row. The last
// value yielded may be an error.
type Rows = iter.Seq2[any, error]

// RowsOf returns the rows of a list that is read while it is sent.
func RowsOf[T any](listed iter.Seq2[T, error]) Rows {
	return func(yield func(any, error) bool) {
		var row T // one variable for all rows
		for next, err := range listed {
			if row = next; !yield(&row, err) {
				return
			}
		}
	}
}

// RowsIn returns the rows of a list that has been read, or the error of reading it.
func RowsIn[T any](listed []T, err error) Rows {
	return func(yield func(any, error) bool) {
		if err != nil {
			yield(nil, err)
			return
		}
		for i := range listed {
			if !yield(&listed[i], nil) {
				return
			}
		}
	}
}

// Found is a list, or the part of it that a query selects.
type Found struct {
	Rows Rows
	Next string // cursor of the next page; "" for the last page
	Head string // a text before the rows
	Size int    // estimated bytes of the response; 0 if unknown
}

// FoundIn converts a page to Found, and passes the error of reading it.
func FoundIn[T any](page shop.Page[T], err error) (Found, error) {
	return Found{Rows: RowsIn(page.Items, nil), Next: page.Next}, err
}

// Reading declares how to read the part of a list that a query selects.
type Reading struct {
	// Query returns a new query with its defaults: a pointer to a struct whose tags are the names of the parameters.
	Query func() any
	Read  func(ctx context.Context, v *Views, list *List, of string, query any) (Found, error)
}

// Export declares how to read all rows that a query selects as a table.
type Export struct {
	Name    string // the name in addresses, and of the file
	Columns []string
	Reading
}

// ExportQuery is the query of an export: the search, and whether a text begins with a byte order mark, which Excel needs to read UTF-8.
type ExportQuery[Query any] struct {
	Search        Query
	ByteOrderMark bool `query:"bom"`
}

// Head returns the text before the rows.
func (q *ExportQuery[Query]) Head() string {
	if q.ByteOrderMark {
		return sheet.ByteOrderMark
	}
	return ""
}

// reading returns a Reading for one type of query; usual has the defaults of its parameters.
func reading[Query any](
	usual Query, read func(ctx context.Context, v *Views, list *List, of string, query Query) (Found, error),
) Reading {
	return Reading{func() any {
		query := usual
		return &query
	}, func(ctx context.Context, v *Views, list *List, of string, query any) (Found, error) {
		return read(ctx, v, list, of, *query.(*Query)) //nolint:errcheck,forcetypeassert // Query made it
	}}
}

// pagesOf returns a Reading of pages for one type of query.
func pagesOf[Query any](
	usual Query, read func(ctx context.Context, v *Views, list *List, of string, query Query) (ListPage, error),
) *Reading {
	return new(reading(usual, func(ctx context.Context, v *Views, list *List, of string, query Query) (Found, error) {
		return FoundIn(read(ctx, v, list, of, query))
	}))
}

// on returns the receiver of an operation of a list: the views, or the shop.
func on[S any](v *Views) S {
	if of, ok := any(v).(S); ok {
		return of
	}
	return any(v.shop).(S) //nolint:errcheck,forcetypeassert // the table of lists uses only these two types
}

// searchPages reads the pages of a search: with newest by default, and with ordered if the query requests an order or the changes since a
// time.
func searchPages[S, Query, T any](
	newest func(S, context.Context, Query) (shop.Page[T], error),
	ordered func(ctx context.Context, v *Views, list *List, of string, query Query, ordering Ordering) (ListPage, error),
) *Reading {
	return searchPagesOf(func(s S, ctx context.Context, _ string, query Query) (shop.Page[T], error) {
		return newest(s, ctx, query)
	}, ordered)
}

// searchPagesOf is searchPages for the list of a record.
func searchPagesOf[S, Query, T any](
	newest func(S, context.Context, string, Query) (shop.Page[T], error),
	ordered func(ctx context.Context, v *Views, list *List, of string, query Query, ordering Ordering) (ListPage, error),
) *Reading {
	type asked struct {
		Query    Query
		Ordering Ordering
	}
	return new(reading(asked{}, func(ctx context.Context, v *Views, list *List, of string, query asked) (Found, error) {
		if query.Ordering != (Ordering{}) {
			return FoundIn(ordered(ctx, v, list, of, query.Query, query.Ordering))
		}
		return FoundIn(newest(on[S](v), ctx, of, query.Query))
	}))
}

// all reads a whole list with an operation that yields its rows.
func all[T any](read func(*shop.Service, context.Context) iter.Seq2[T, error]) func(context.Context, *Views, string) Rows {
	return func(ctx context.Context, v *Views, _ string) Rows { return RowsOf(read(v.shop, ctx)) }
}

// allOf is all for the list of a record.
func allOf[T any](read func(*shop.Service, context.Context, string) iter.Seq2[T, error]) func(context.Context, *Views, string) Rows {
	return func(ctx context.Context, v *Views, of string) Rows { return RowsOf(read(v.shop, ctx, of)) }
}

// shortOf is allOf for an operation that returns the rows.
func shortOf[S, T any](read func(S, context.Context, string) ([]T, error)) func(context.Context, *Views, string) Rows {
	return func(ctx context.Context, v *Views, of string) Rows { return RowsIn(read(on[S](v), ctx, of)) }
}

// exporting declares an export of records as a table with the named columns: see columnsOf. It is read in short transactions, so a slow
// client does not block other callers, and each row shows the state when it was read.
func exporting[S, Query, T any](
	name string, records func(S, context.Context, Query) iter.Seq2[T, error], columnNames ...string,
) *Export {
	columns := columnsOf[T](columnNames...)
	export := &Export{Name: name, Columns: make([]string, len(columns))}
	for i, column := range columns {
		export.Columns[i] = column.name
	}
	export.Reading = reading(ExportQuery[Query]{},
		func(ctx context.Context, v *Views, _ *List, _ string, query ExportQuery[Query]) (Found, error) {
			return Found{Head: query.Head(), Rows: tableOf(columns, records(on[S](v), ctx, query.Search))}, nil
		})
	return export
}

// tableOf returns the rows of a table: slices of cells, one for each column.
func tableOf[T any](columns []column, records iter.Seq2[T, error]) Rows {
	return func(yield func(any, error) bool) {
		var record T
		row, fields := make([]sheet.Cell, len(columns)), reflect.ValueOf(&record).Elem()
		for next, err := range records {
			record = next
			for i := range columns {
				row[i] = columns[i].cell(fields.FieldByIndex(columns[i].at))
			}
			if !yield(&row, err) {
				return
			}
		}
	}
}
