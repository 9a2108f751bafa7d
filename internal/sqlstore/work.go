package sqlstore

import (
	"errors"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// What an Update does is weighed. A unit is about half a microsecond of the writer of SQLite on a small machine.
const (
	statementWork = 10
	argumentWork  = 5
	writtenWork   = 12 // for each row that a statement writes
	readWork      = 3  // for each row that a statement returns
)

// metered is the connection for one Update. It refuses the work beyond its limit.
type metered struct {
	querier
	most, done int64
	err        error // the refusal, once it was made
}

func (m *metered) spend(work int64) error {
	if m.done += work; m.done > m.most && m.err == nil {
		m.err = refusal.Refuse(shop.TooMuchAtOnce)
	}
	return m.err
}

func (m *metered) query(text string, args ...any) (rows, error) {
	if err := m.spend(statementWork + argumentWork*int64(len(args))); err != nil {
		return nil, err
	}
	result, err := m.querier.query(text, args...)
	if err != nil {
		return nil, err
	}
	return &meteredRows{result, m}, nil
}

func (m *metered) exec(text string, args ...any) (int64, error) {
	if err := m.spend(statementWork + argumentWork*int64(len(args))); err != nil {
		return 0, err
	}
	affected, err := m.querier.exec(text, args...)
	if err != nil {
		return affected, err
	}
	return affected, m.spend(writtenWork * affected)
}

func (m *metered) pipelined(statements []statement) error {
	statements = slices.Clone(statements)
	for i := range statements {
		if err := m.spend(statementWork + argumentWork*int64(len(statements[i].args))); err != nil {
			return err
		}
		if read := statements[i].row; read != nil {
			statements[i].row = func(r rows) error {
				if err := m.spend(readWork); err != nil {
					return err
				}
				return read(r)
			}
		}
	}
	return pipelined(m.querier, statements...)
}

// refusal returns the refusal, or else the error of the change.
func (m *metered) refusal(err error) error {
	if m.err != nil {
		return m.err
	}
	return err
}

type meteredRows struct {
	rows
	of *metered
}

func (r *meteredRows) Next() bool { return r.rows.Next() && r.of.spend(readWork) == nil }

func (r *meteredRows) Err() error {
	if err := r.rows.Err(); err != nil {
		return err
	}
	return r.of.err
}

// tooMuch reports whether a change was refused because of shop.WorkLimit.
func tooMuch(err error) bool {
	refusal, ok := errors.AsType[*refusal.Error](err)
	return ok && refusal.Reason == shop.TooMuchAtOnce
}

func (t *transaction) Work() int64 {
	if m, ok := t.querier.(*metered); ok {
		return m.done
	}
	return 0
}
