package sqlstore

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/shop"
)

// querier runs SQL inside one transaction on one connection. Both engines run the same texts, with $1, $2, ... for the
// arguments.
type querier interface {
	query(sql string, args ...any) (rows, error)
	exec(sql string, args ...any) (affected int64, err error)
}

// rows is a result being read. Close may be called more than once.
type rows interface {
	Next() bool
	Scan(destinations ...any) error
	Err() error
	Close() error
}

// statement is one of several statements that do not need each other's results.
type statement struct {
	sql  string
	args []any
	row  func(rows) error // called for every row of the result; nil to ignore them
}

// into returns a function that appends rows to a list.
func into[T any](list *[]T, scan func(rows) (T, error)) func(rows) error {
	return func(r rows) error {
		record, err := scan(r)
		if err == nil {
			*list = append(*list, record)
		}
		return err
	}
}

// pipelined runs statements in their order. A querier that talks to a server sends them all at once.
func pipelined(q querier, statements ...statement) error {
	if len(statements) == 0 {
		return nil
	}
	if batching, ok := q.(interface{ pipelined([]statement) error }); ok {
		return batching.pipelined(statements)
	}
	for _, statement := range statements {
		read := func(r rows) (struct{}, error) {
			if statement.row == nil {
				return struct{}{}, nil
			}
			return struct{}{}, statement.row(r)
		}
		if _, err := all(q, read, statement.sql, statement.args...); err != nil {
			return err
		}
	}
	return nil
}

// all reads a whole result. The slice is empty rather than nil.
func all[T any](q querier, scan func(rows) (T, error), sql string, args ...any) ([]T, error) {
	records, _, err := upTo(math.MaxInt, q, scan, sql, args...)
	return records, err
}

// page reads a result until it ends, or is cut because its texts are too long to be read at once.
func page[T any](q querier, scan func(rows) (T, error), sql string, args ...any) (records []T, cut bool, err error) {
	return upTo(pageWeight, q, scan, sql, args...)
}

// upTo reads at least one row, and stops when the texts have more than weight bytes. cut reports that it stopped and
// that there may be more rows.
func upTo[T any](weight int, q querier, scan func(rows) (T, error), sql string, args ...any) (records []T, cut bool, err error) {
	result, err := q.query(sql, args...)
	if err != nil {
		return nil, false, fmt.Errorf("query %s: %w", firstLine(sql), err)
	}
	defer result.Close()
	weighing := weigh[T](q, result)
	records = []T{}
	for !cut && result.Next() {
		record, err := scan(weighing)
		if err == nil {
			err = weighing.take(false)
		}
		if err != nil {
			return nil, false, fmt.Errorf("scan %s: %w", firstLine(sql), unreadable(sql, len(records)+1, err))
		}
		records = append(records, record)
		cut = weighing.texts > weight
	}
	if err := result.Err(); err != nil {
		return nil, false, fmt.Errorf("read %s: %w", firstLine(sql), err)
	}
	if err := weighing.take(true); err != nil {
		return nil, false, err
	}
	return records, cut, result.Close()
}

// one reads the only row of a result; ErrNoRecord when there is none.
func one[T any](q querier, scan func(rows) (T, error), sql string, args ...any) (T, error) {
	var zero T
	result, err := q.query(sql, args...)
	if err != nil {
		return zero, fmt.Errorf("query %s: %w", firstLine(sql), err)
	}
	defer result.Close()
	if !result.Next() {
		if err := result.Err(); err != nil {
			return zero, fmt.Errorf("read %s: %w", firstLine(sql), err)
		}
		return zero, shop.ErrNoRecord
	}
	weighing := weigh[T](q, result)
	record, err := scan(weighing)
	if err == nil {
		err = weighing.take(true)
	}
	if err != nil {
		return zero, fmt.Errorf("scan %s: %w", firstLine(sql), unreadable(sql, 1, err))
	}
	return record, result.Close()
}

// scalar scans a row of one column.
func scalar[T any](r rows) (value T, err error) {
	err = r.Scan(&value)
	return value, err
}

// run executes a statement.
func run(q querier, sql string, args ...any) error {
	_, err := affecting(q, sql, args...)
	return err
}

// affecting executes a statement and returns how many rows it changed.
func affecting(q querier, sql string, args ...any) (int64, error) {
	n, err := q.exec(sql, args...)
	if err != nil {
		return 0, fmt.Errorf("execute %s: %w", firstLine(sql), err)
	}
	return n, nil
}

// expectOne executes a statement and returns ErrNoRecord when it changed no row.
func expectOne(q querier, sql string, args ...any) error {
	n, err := affecting(q, sql, args...)
	if err == nil && n == 0 {
		err = shop.ErrNoRecord
	}
	return err
}

func firstLine(sql string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(sql), "\n")
	return line[:min(len(line), 80)]
}

const (
	// pageSize is how many rows a list reads at a time.
	pageSize = 1000
	// pageWeight is the number of bytes of text after which a page ends early. One row can be as long as the body of a
	// request, and a page stays in memory for as long as a slow client reads it.
	pageWeight = 256 << 10
)

// pages yields a long list. It neither reads the whole list into memory nor leaves a result open while the caller looks
// at a row. next reads up to limit rows behind last, the last row of the page before, and reports whether it stopped
// before the limit although there may be more. For the first page last is the zero T.
func pages[T any](next func(last T, first bool, limit int) (page []T, cut bool, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var last, zero T
		limit := pageSize
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
				limit = min(2*limit, pageSize)
			}
			last = page[len(page)-1]
		}
	}
}

// beforeAll sorts behind every identifier. A list that runs newest first begins there.
const beforeAll = "~"

// listSizes are the lengths of IN lists. They are few, so that few statements serve lists of every length.
var listSizes = [...]int{1, 4, 16, 64, 256, 1000}

// inList returns the placeholders for values, numbered from first, and the values as arguments. The list is filled up
// to one of listSizes by repeating its last value. It must have 1 to 1000 values.
func inList[T any](first int, values []T) (placeholders string, args []any) {
	size := len(values)
	for _, s := range listSizes {
		if s >= size {
			size = s
			break
		}
	}
	args = make([]any, size)
	for i := range args {
		args[i] = values[min(i, len(values)-1)]
	}
	return placeholderList(first, size), args
}

func placeholderList(first, count int) string {
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

// insertLimit is how many arguments one statement may have on both engines, with room to spare. So many are slow on
// SQLite without unnumbered.
const insertLimit = 16_000

// insertAll inserts rows of the same width with as few statements as the engines allow: at most one for a thousand.
func insertAll(q querier, insert string, width int, args []any, after string) error {
	for _, statement := range inserts(insert, width, args, after) {
		if err := run(q, statement.sql, statement.args...); err != nil {
			return err
		}
	}
	return nil
}

// inserts returns the statements of insertAll.
func inserts(insert string, width int, args []any, after string) []statement {
	var statements []statement
	perStatement := insertLimit / width
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
		statements = append(statements, statement{sql: string(text), args: args[:count*width]})
		args = args[count*width:]
	}
	return statements
}

// chunks splits a list into pieces that fit one IN list.
func chunks[T any](values []T) iter.Seq[[]T] {
	return slices.Chunk(values, listSizes[len(listSizes)-1])
}
