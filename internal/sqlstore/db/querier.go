package db

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// Querier runs SQL inside one transaction on one connection. Both engines run the same texts, with $1, $2, ... as placeholders for the
// arguments.
type Querier interface {
	Query(sql string, args ...any) (Rows, error)
	Exec(sql string, args ...any) (affected int64, err error)
}

// ErrEnded is the error of a statement after the end of its transaction.
var ErrEnded = errors.New("the transaction has ended")

// Rows is a result being read. Close may be called more than once.
type Rows interface {
	Next() bool
	Scan(destinations ...any) error
	Err() error
	Close() error
}

// Statement is one of several statements that do not depend on each other's results.
type Statement struct {
	SQL  string
	Args []any
	Row  func(Rows) error // called for every row of the result; nil ignores the rows
}

// Named passes the prefix of the identifiers of serials to a scan.
func Named[T any](prefix ident.Prefix, scan func(ident.Prefix, Rows) (T, error)) func(Rows) (T, error) {
	return func(r Rows) (T, error) { return scan(prefix, r) }
}

// Into returns a function that appends rows to a list.
func Into[T any](list *[]T, scan func(Rows) (T, error)) func(Rows) error {
	return func(r Rows) error {
		record, err := scan(r)
		if err == nil {
			*list = append(*list, record)
		}
		return err
	}
}

// Pipelined runs statements in their order. A querier that talks to a server sends them all at once.
func Pipelined(q Querier, statements ...Statement) error {
	if len(statements) == 0 {
		return nil
	}
	if batching, ok := q.(interface{ Pipelined([]Statement) error }); ok {
		return batching.Pipelined(statements)
	}
	for _, statement := range statements {
		read := func(r Rows) (struct{}, error) {
			if statement.Row == nil {
				return struct{}{}, nil
			}
			return struct{}{}, statement.Row(r)
		}
		if _, err := All(q, read, statement.SQL, statement.Args...); err != nil {
			return err
		}
	}
	return nil
}

// All reads a whole result. The slice is empty rather than nil.
func All[T any](q Querier, scan func(Rows) (T, error), sql string, args ...any) ([]T, error) {
	records, _, err := upTo(math.MaxInt, q, scan, sql, args...)
	return records, err
}

// Page reads a result to its end, or up to the page size if its texts are long.
func Page[T any](q Querier, scan func(Rows) (T, error), sql string, args ...any) (records []T, cut bool, err error) {
	return upTo(PageWeight, q, scan, sql, args...)
}

// upTo reads at least one row, and stops once the texts exceed weight bytes. cut reports that it stopped for that reason, so that more rows
// may follow.
func upTo[T any](weight int, q Querier, scan func(Rows) (T, error), sql string, args ...any) (records []T, cut bool, err error) {
	result, err := q.Query(sql, args...)
	if err != nil {
		return nil, false, fmt.Errorf("query %s: %w", FirstLine(sql), err)
	}
	defer result.Close()
	weighing := Weigh[T](q, result)
	records = []T{}
	for !cut && result.Next() {
		record, err := scan(weighing)
		if err == nil {
			err = weighing.Take(false)
		}
		if err != nil {
			return nil, false, fmt.Errorf("scan %s: %w", FirstLine(sql), unreadable(sql, len(records)+1, err))
		}
		records = append(records, record)
		cut = weighing.Texts > weight
	}
	if err := result.Err(); err != nil {
		return nil, false, fmt.Errorf("read %s: %w", FirstLine(sql), err)
	}
	if err := weighing.Take(true); err != nil {
		return nil, false, err
	}
	return records, cut, result.Close()
}

// One reads the only row of a result; it returns ErrNoRecord if there is none.
func One[T any](q Querier, scan func(Rows) (T, error), sql string, args ...any) (T, error) {
	var zero T
	result, err := q.Query(sql, args...)
	if err != nil {
		return zero, fmt.Errorf("query %s: %w", FirstLine(sql), err)
	}
	defer result.Close()
	if !result.Next() {
		if err := result.Err(); err != nil {
			return zero, fmt.Errorf("read %s: %w", FirstLine(sql), err)
		}
		return zero, shop.ErrNoRecord
	}
	weighing := Weigh[T](q, result)
	record, err := scan(weighing)
	if err == nil {
		err = weighing.Take(true)
	}
	if err != nil {
		return zero, fmt.Errorf("scan %s: %w", FirstLine(sql), unreadable(sql, 1, err))
	}
	return record, result.Close()
}

// Scalar scans a row of one column.
func Scalar[T any](r Rows) (value T, err error) {
	err = r.Scan(&value)
	return value, err
}

// Run executes a statement.
func Run(q Querier, sql string, args ...any) error {
	_, err := Affecting(q, sql, args...)
	return err
}

// Affecting executes a statement and returns how many rows it changed.
func Affecting(q Querier, sql string, args ...any) (int64, error) {
	n, err := q.Exec(sql, args...)
	if err != nil {
		return 0, fmt.Errorf("execute %s: %w", FirstLine(sql), err)
	}
	return n, nil
}

// ExpectOne executes a statement and returns ErrNoRecord when it changed no row.
func ExpectOne(q Querier, sql string, args ...any) error {
	n, err := Affecting(q, sql, args...)
	if err == nil && n == 0 {
		err = shop.ErrNoRecord
	}
	return err
}

// FirstLine returns the beginning of a statement, for messages.
func FirstLine(sql string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(sql), "\n")
	return line[:min(len(line), 80)]
}

const (
	// PageSize is the maximum number of rows that a list reads at a time.
	PageSize = 1000
	// PageWeight is the number of bytes of text after which a page ends early. One row can be as long as the body of a
	// request, and a page stays in memory for as long as a slow client reads it.
	PageWeight = 256 << 10
)

// Pages yields a long list page by page. It neither reads the whole list into memory nor leaves a result open while the caller processes a
// row. next reads up to limit rows that come after last, the last row of the previous page. For the first page, last is the zero T. next
// reports in cut whether it stopped before the limit although more rows may follow.
func Pages[T any](next func(last T, first bool, limit int) (page []T, cut bool, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var last, zero T
		limit := PageSize
		for first := true; ; first = false {
			page, cut, err := next(last, first, limit)
			if err != nil {
				yield(zero, err)
				return
			}
			for _, record := range page {
				if !yield(record, nil) {
					return
				}
			}
			switch {
			case cut:
				limit = len(page) // the next page is no longer than this one
			case len(page) < limit:
				return
			default:
				limit = min(2*limit, PageSize)
			}
			last = page[len(page)-1]
		}
	}
}

// BeforeAll sorts after every identifier. A list that shows the newest first begins there.
const BeforeAll = "~"

// ListSizes are the lengths of IN lists. There are only a few lengths, so that a few statements serve all lists.
var ListSizes = [...]int{1, 4, 16, 64, 256, 1000}

// InList returns the placeholders for values, numbered from first, and the values as arguments. The list is filled up to one of ListSizes
// by repeating its last value. It must have 1 to 1000 values.
func InList[T any](first int, values []T) (placeholders string, args []any) {
	size := len(values)
	for _, s := range ListSizes {
		if s >= size {
			size = s
			break
		}
	}
	args = make([]any, size)
	for i := range args {
		args[i] = values[min(i, len(values)-1)]
	}
	return PlaceholderList(first, size), args
}

// PlaceholderList returns placeholders for count arguments, numbered from first.
func PlaceholderList(first, count int) string {
	return string(appendPlaceholders(make([]byte, 0, 6*count), first, count))
}

func appendPlaceholders(list []byte, first, count int) []byte {
	for i := range count {
		if i > 0 {
			list = append(list, ", "...)
		}
		list = strconv.AppendInt(append(list, '$'), int64(first+i), 10)
	}
	return list
}

// InsertLimit is the maximum number of arguments of one statement. Both engines allow more. On SQLite so many arguments are slow without
// unnumbered.
const InsertLimit = 16_000

// InsertAll inserts rows of the same width with as few statements as the engines allow: at most one statement for each thousand rows.
func InsertAll(q Querier, insert string, width int, args []any, after string) error {
	for _, statement := range Inserts(insert, width, args, after) {
		if err := Run(q, statement.SQL, statement.Args...); err != nil {
			return err
		}
	}
	return nil
}

// Inserts returns the statements of InsertAll.
func Inserts(insert string, width int, args []any, after string) []Statement {
	var statements []Statement
	perStatement := InsertLimit / width
	for len(args) > 0 {
		count := min(len(args)/width, perStatement)
		text := make([]byte, 0, len(insert)+count*(7*width+4)+len(after))
		text = append(text, insert...)
		for i := range count {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(appendPlaceholders(append(text, " ("...), 1+i*width, width), ')')
		}
		text = append(text, after...)
		statements = append(statements, Statement{SQL: string(text), Args: args[:count*width]})
		args = args[count*width:]
	}
	return statements
}

// Chunks splits a list into pieces that fit one IN list.
func Chunks[T any](values []T) iter.Seq[[]T] {
	return slices.Chunk(values, ListSizes[len(ListSizes)-1])
}

// PastAll sorts after every character that a name can have.
const PastAll = "\U0010FFFF"

// BranchLimit is the maximum number of ranges in one search statement. The statement scans an index once for each range.
const BranchLimit = 50

// Widened adds columns before and after the columns of a scan.
type Widened struct {
	Rows
	Before, Behind []any
}

// Scan scans a row with the additional columns.
func (w Widened) Scan(destinations ...any) error {
	return w.Rows.Scan(slices.Concat(w.Before, destinations, w.Behind)...)
}
