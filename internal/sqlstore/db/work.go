package db

import (
	"errors"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// The work of an Update is measured in units. The writer of SQLite takes roughly half a microsecond for one unit on a small machine.
const (
	statementWork = 10
	ArgumentWork  = 5
	WrittenWork   = 12 // for each row that a statement writes
	readWork      = 3  // for each row that a statement returns
)

// Metered is the connection for one Update. It refuses work that exceeds its limit.
type Metered struct {
	Querier
	Most, Done int64
	err        error // the refusal, once the limit was exceeded
}

// Spend adds work. It returns the refusal once the limit is exceeded.
func (m *Metered) Spend(work int64) error {
	if m.Done += work; m.Done > m.Most && m.err == nil {
		m.err = refusal.Refuse(shop.TooMuchAtOnce)
	}
	return m.err
}

// Query runs a statement and counts its work, including the rows that it returns.
func (m *Metered) Query(text string, args ...any) (Rows, error) {
	if err := m.Spend(statementWork + ArgumentWork*int64(len(args))); err != nil {
		return nil, err
	}
	result, err := m.Querier.Query(text, args...)
	if err != nil {
		return nil, err
	}
	return &meteredRows{result, m}, nil
}

// Exec runs a statement and counts its work, including the rows that it writes.
func (m *Metered) Exec(text string, args ...any) (int64, error) {
	if err := m.Spend(statementWork + ArgumentWork*int64(len(args))); err != nil {
		return 0, err
	}
	affected, err := m.Querier.Exec(text, args...)
	if err != nil {
		return affected, err
	}
	return affected, m.Spend(WrittenWork * affected)
}

// Pipelined runs statements and counts their work.
func (m *Metered) Pipelined(statements []Statement) error {
	statements = slices.Clone(statements)
	for i := range statements {
		if err := m.Spend(statementWork + ArgumentWork*int64(len(statements[i].Args))); err != nil {
			return err
		}
		if read := statements[i].Row; read != nil {
			statements[i].Row = func(r Rows) error {
				if err := m.Spend(readWork); err != nil {
					return err
				}
				return read(r)
			}
		}
	}
	return Pipelined(m.Querier, statements...)
}

// Refusal returns the refusal, if there was one, and otherwise the error of the change.
func (m *Metered) Refusal(err error) error {
	if m.err != nil {
		return m.err
	}
	return err
}

type meteredRows struct {
	Rows
	of *Metered
}

func (r *meteredRows) Next() bool { return r.Rows.Next() && r.of.Spend(readWork) == nil }

func (r *meteredRows) Err() error {
	if err := r.Rows.Err(); err != nil {
		return err
	}
	return r.of.err
}

// TooMuch reports whether a change was refused because of shop.WorkLimit.
func TooMuch(err error) bool {
	refusal, ok := errors.AsType[*refusal.Error](err)
	return ok && refusal.Reason == shop.TooMuchAtOnce
}
