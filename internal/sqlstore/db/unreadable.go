package db

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"

	"github.com/routecard/routecard/shop"
)

// Listed is a row of a list. If the row cannot be read, the record has its identifier and little else.
type Listed[T any] struct {
	Record T
	Wrong  *shop.UnreadableError
}

// Lenient scans rows for a list that goes on after a row that cannot be read.
func Lenient[T any](scan func(Rows) (T, error)) func(Rows) (Listed[T], error) {
	return func(r Rows) (Listed[T], error) {
		record, err := scan(r)
		if wrong, ok := errors.AsType[*shop.UnreadableError](err); ok {
			return Listed[T]{record, wrong}, nil
		}
		return Listed[T]{Record: record}, err
	}
}

// Readable yields the records of a list. A View omits and logs records that cannot be read. Other transactions yield such a record with an
// UnreadableError and then continue with the list.
func Readable[T any](t *Core, list iter.Seq2[Listed[T], error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for row, err := range list {
			if err == nil && row.Wrong != nil {
				if t.LeftOut != nil {
					t.LeftOut(row.Wrong)
					continue
				}
				err = row.Wrong
			}
			if !yield(row.Record, err) {
				return
			}
		}
	}
}

// LeavingOut returns a function that logs the records that a View omits.
func LeavingOut(ctx context.Context, logger *slog.Logger) func(*shop.UnreadableError) {
	return func(wrong *shop.UnreadableError) {
		logger.ErrorContext(ctx, "a record cannot be read and is left out of a list",
			"table", wrong.Table, "id", wrong.ID, "error", wrong.Err)
	}
}

// unreadable adds the number of the row, counted from 1, to the error of a scan, unless the error already identifies the record.
func unreadable(sql string, row int, err error) error {
	if _, told := errors.AsType[*shop.UnreadableError](err); told {
		return err
	}
	words := strings.Fields(sql)
	for i, word := range words[:max(0, len(words)-1)] {
		if strings.EqualFold(word, "FROM") {
			return &shop.UnreadableError{Table: strings.Trim(words[i+1], "(),"), ID: fmt.Sprintf("(row %d of a result)", row), Err: err}
		}
	}
	return err
}
