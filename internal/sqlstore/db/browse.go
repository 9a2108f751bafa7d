package db

import (
	"errors"
	"time"
)

// PlaceWait is the maximum time for which a reader waits when all connections are in use.
const PlaceWait = 5 * time.Second

// Browsing is a querier that uses a connection only while it reads a result.
type Browsing struct {
	Open  func() (conn Querier, done func(), err error)
	Stale func(err error) bool // reports whether a connection was lost while idle; nil if connections cannot be lost
	Ended bool
}

// Query runs a statement on its own connection.
func (b *Browsing) Query(text string, args ...any) (Rows, error) {
	if b.Ended {
		return nil, ErrEnded
	}
	result, err := b.begin(text, args)
	if err != nil && b.Stale != nil && b.Stale(err) {
		result, err = b.begin(text, args)
	}
	return result, err
}

func (b *Browsing) begin(text string, args []any) (Rows, error) {
	conn, done, err := b.Open()
	if err != nil {
		return nil, err
	}
	result, err := conn.Query(text, args...)
	if err != nil {
		done()
		return nil, err
	}
	// The first row is read here, because only reading shows that a connection was lost. The caller has not received any rows yet and can
	// start again.
	begun := &browsed{Rows: result, done: done}
	if begun.first = result.Next(); !begun.first {
		if err := result.Err(); err != nil {
			return nil, errors.Join(err, begun.Close())
		}
	}
	begun.ahead = true
	return begun, nil
}

// Exec refuses to write.
func (b *Browsing) Exec(string, ...any) (int64, error) {
	return 0, errors.New("who browses does not write")
}

// browsed is a result that gives its connection back when it is closed.
type browsed struct {
	Rows
	done   func()
	ahead  bool // whether Next was already called for the first row,
	first  bool // and what that call returned
	closed bool
}

func (r *browsed) Next() bool {
	if r.ahead {
		r.ahead = false
		return r.first
	}
	return r.Rows.Next()
}

func (r *browsed) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	defer r.done()
	return r.Rows.Close()
}
