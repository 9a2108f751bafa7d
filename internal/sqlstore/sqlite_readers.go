package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop/refusal"
)

// sqliteReaders are the connections that Views on SQLite use. Each has its own page cache and prepared statements, so only a few stay open.
// Most reads are short: when all of these connections are in use, waiting for one takes less time than opening another. Only if the wait is
// long does a View get an extra connection, which is closed after the View.
type sqliteReaders struct {
	connect func() (*sqliteConnection, error)
	kept    chan struct{} // has an element for each kept connection in use
	more    chan struct{} // has an element for each extra connection in use
	closing chan struct{} // closed when no new View may begin
	wait    time.Duration // maximum wait for a kept connection before a View gets an extra one

	borrowed atomic.Int64 // number of times that a connection was borrowed

	mu    sync.Mutex
	spare []*sqliteConnection // the connection that was put back last is taken first, because its cache is warm
}

const (
	keptReaders = 16
	moreReaders = 112
	// readers is the maximum number of Views that run at once. Further Views wait.
	readers  = keptReaders + moreReaders
	keptWait = 500 * time.Millisecond
	// listCache is the maximum size of the page cache of a connection after it has read a part of a list, in bytes as SQLite counts them.
	// In memory the pages take nearly twice that. The pages of a long list are unlikely to be read again soon.
	listCache = 2 << 20
)

func newSQLiteReaders(connect func() (*sqliteConnection, error), closing chan struct{}) *sqliteReaders {
	return &sqliteReaders{
		connect: connect,
		kept:    make(chan struct{}, keptReaders),
		more:    make(chan struct{}, moreReaders),
		closing: closing,
		wait:    keptWait,
	}
}

// borrow returns a connection for a View, which must put it back. It waits while all of them are in use.
func (r *sqliteReaders) borrow(ctx context.Context) (*sqliteConnection, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.borrowed.Add(1)
	select { // while the store is being closed, the connections here are for close
	case <-r.closing:
		return nil, errClosed
	default:
	}
	places, err := r.place(ctx)
	if err != nil {
		return nil, err
	}
	if conn := r.takeSpare(places); conn != nil {
		return conn, nil
	}
	conn, err := r.connect()
	if err != nil {
		<-places
		return nil, err
	}
	conn.place = places
	if err := conn.set("query_only = 1", fmt.Sprintf("cache_size = -%d", readerCache)); err != nil {
		r.putBack(conn, false)
		return nil, err
	}
	return conn, nil
}

// place occupies a place for a connection. It returns r.kept or r.more, whichever has the place.
func (r *sqliteReaders) place(ctx context.Context) (chan struct{}, error) {
	select {
	case r.kept <- struct{}{}:
		return r.kept, nil
	default:
	}
	more, last, patience := chan struct{}(nil), false, time.NewTimer(r.wait)
	defer patience.Stop()
	for {
		select {
		case r.kept <- struct{}{}:
			return r.kept, nil
		case more <- struct{}{}:
			return more, nil
		case <-patience.C:
			if last {
				return nil, refusal.ErrBusy
			}
			more, last = r.more, true
			patience.Reset(db.PlaceWait - r.wait)
		case <-r.closing:
			return nil, errClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// lent reports whether any connection is in use.
func (r *sqliteReaders) lent() bool { return len(r.kept)+len(r.more) > 0 }

func (r *sqliteReaders) takeSpare(place chan struct{}) *sqliteConnection {
	if place != r.kept {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	last := len(r.spare) - 1
	if last < 0 {
		return nil
	}
	conn := r.spare[last]
	r.spare = r.spare[:last]
	return conn
}

// putBack returns a connection and frees its place. It closes a connection that is not sound.
func (r *sqliteReaders) putBack(conn *sqliteConnection, sound bool) {
	place := conn.place
	if sound && place == r.kept {
		r.mu.Lock()
		r.spare = append(r.spare, conn)
		r.mu.Unlock()
	} else {
		_ = conn.close()
	}
	<-place
}

// close waits for running Views and closes the connections. r.closing must be closed first.
func (r *sqliteReaders) close() error {
	for range keptReaders {
		r.kept <- struct{}{}
	}
	for range moreReaders {
		r.more <- struct{}{}
	}
	var errs []error
	for _, conn := range r.spare {
		errs = append(errs, conn.close())
	}
	return errors.Join(errs...)
}
