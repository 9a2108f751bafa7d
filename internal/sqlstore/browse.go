package sqlstore

import (
	"errors"
	"time"
)

// placeWait is how long a reader waits for a connection that others use.
const placeWait = 5 * time.Second

// browsing is a querier that uses a connection only while it reads a result.
type browsing struct {
	open  func() (conn querier, done func(), err error)
	stale func(err error) bool // reports that a connection was lost while it was idle; nil where none can be lost
	ended bool
}

func (b *browsing) query(text string, args ...any) (rows, error) {
	if b.ended {
		return nil, errEnded
	}
	result, err := b.begin(text, args)
	if err != nil && b.stale != nil && b.stale(err) {
		result, err = b.begin(text, args)
	}
	return result, err
}

func (b *browsing) begin(text string, args []any) (rows, error) {
	conn, done, err := b.open()
	if err != nil {
		return nil, err
	}
	result, err := conn.query(text, args...)
	if err != nil {
		done()
		return nil, err
	}
	// The first row is read here. A lost connection shows itself only now, and the caller can still begin again because
	// it has seen nothing.
	begun := &browsed{rows: result, done: done}
	if begun.first = result.Next(); !begun.first {
		if err := result.Err(); err != nil {
			return nil, errors.Join(err, begun.Close())
		}
	}
	begun.ahead = true
	return begun, nil
}

func (b *browsing) exec(string, ...any) (int64, error) {
	return 0, errors.New("who browses does not write")
}

// browsed is a result that gives its connection back when it is closed.
type browsed struct {
	rows
	done   func()
	ahead  bool // whether begin has called Next for the first row already,
	first  bool // and what Next returned
	closed bool
}

func (r *browsed) Next() bool {
	if r.ahead {
		r.ahead = false
		return r.first
	}
	return r.rows.Next()
}

func (r *browsed) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	defer r.done()
	return r.rows.Close()
}
