// Package tail follows the audit trail of a store for those who stream it to clients.
package tail

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/routecard/routecard/shop"
)

// Tail follows the audit trail for readers of new commits, by this process or by another one on the same database. It is safe for
// concurrent use.
//
// Entries are not sent to readers. Readers are notified of new entries, and read them from the store from their own position. So a slow
// reader needs no memory and misses no entry.
type Tail struct {
	logger *slog.Logger
	wake   chan struct{}

	mu     sync.Mutex
	newest int64         // the newest known sequence number
	news   chan struct{} // closed when newest grows
	ended  chan struct{}
}

// Intervals of a Tail.
const (
	poll = 400 * time.Millisecond // the interval at which the tail looks for commits of other processes
	rest = 50 * time.Millisecond  // commits within this time cause one notification
)

// ErrEnded means that no more entries follow, because the service stops.
var ErrEnded = errors.New("the service stops")

// New makes a Tail. It does not follow the trail until Run is called.
func New(logger *slog.Logger) *Tail {
	return &Tail{logger: logger, wake: make(chan struct{}, 1), news: make(chan struct{}), ended: make(chan struct{})}
}

// Committed notifies the Tail of a possible commit. It never blocks.
func (t *Tail) Committed() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// Run follows the trail of a store until ctx ends, and then ends every reader. It must be called once.
func (t *Tail) Run(ctx context.Context, store shop.Store) {
	defer close(t.ended)
	look := time.NewTicker(poll)
	defer look.Stop()
	for {
		newest, err := lastSequence(ctx, store)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			t.logger.WarnContext(ctx, "cannot follow the audit trail; it will be tried again", "error", err)
		default:
			t.publish(newest)
		}
		select {
		case <-t.wake:
			select {
			case <-time.After(rest):
			case <-ctx.Done():
				return
			}
		case <-look.C:
		case <-ctx.Done():
			return
		}
	}
}

func lastSequence(ctx context.Context, store shop.Store) (newest int64, err error) {
	err = store.View(ctx, func(tx shop.Reader) error {
		newest, err = tx.LastAuditSequence()
		return err
	})
	return newest, err
}

func (t *Tail) publish(newest int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if newest > t.newest {
		t.newest = newest
		close(t.news)
		t.news = make(chan struct{})
	}
}

// Wait waits until the trail has an entry after this sequence number. It returns ErrEnded if the service stops, and the context's error if
// the context ends first.
func (t *Tail) Wait(ctx context.Context, after int64) error {
	for {
		t.mu.Lock()
		newest, news := t.newest, t.news
		t.mu.Unlock()
		if newest > after {
			return nil
		}
		select {
		case <-news:
		case <-t.ended:
			return ErrEnded
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
