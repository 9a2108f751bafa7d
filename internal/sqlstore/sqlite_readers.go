package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/routecard/routecard/shop"
)

// sqliteReaders are the connections that Views on SQLite use. Each has a page cache and prepared statements of its own, so a
// few are kept. Most reads are short: when all of those are in use, it is sooner to wait for one than to open another. Only
// behind reads that take long does a View get a connection more, which is closed behind it.
type sqliteReaders struct {
	connect func() (*sqliteConnection, error)
	kept    chan struct{} // a place for each connection in use that is kept
	more    chan struct{} // and for each that is not
	closing chan struct{} // closed when nobody may begin to read any more
	wait    time.Duration // for a connection that is kept, before a View gets another one

	mu    sync.Mutex
	spare []*sqliteConnection // the last one put back is taken first: its cache is warm
}

const (
	keptReaders = 16
	moreReaders = 112
	// readers is how many Views run at once; more wait.
	readers  = keptReaders + moreReaders
	keptWait = 500 * time.Millisecond
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

// borrow takes a connection for a View, which has to put it back; it waits when all of them are in use.
func (r *sqliteReaders) borrow(ctx context.Context) (*sqliteConnection, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select { // while the store is being closed, connections may be there for close to take
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

// place takes a place, and returns which: r.kept or r.more.
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
				return nil, shop.ErrBusy
			}
			more, last = r.more, true
			patience.Reset(placeWait - r.wait)
		case <-r.closing:
			return nil, errClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

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

// putBack gives up a connection and its place. One that is not sound is not used again.
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

// close waits for the Views under way, and closes the connections. Nobody may be able to begin any more.
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
