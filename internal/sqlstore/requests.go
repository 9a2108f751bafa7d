package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/routecard/routecard/internal/sqlstore/standby"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

// request is the request of one caller: an update, a change of one serial's card, the details of a serial, or the position of the primary.
type request struct {
	ctx      context.Context
	update   func(statement.Update) error
	options  []shop.UpdateOption // the options of the update
	serial   int64
	card     func(card.Card) (card.Change, error)
	remember *card.Remembered // of the last run of card
	detail   *detailed
	position standby.Position
	err      error
	panicked any
	done     chan struct{}
}

// fell reports whether the caller's function returned an error or panicked.
func (r *request) fell() bool { return r.err != nil || r.panicked != nil }

// requests passes the requests of many callers to one goroutine, which serves them in groups.
type requests struct {
	coming chan *request
	limit  int // maximum number of callers in one group
	// linger returns how long a group waits for callers who have just received a result, from the time that the last group took. It is nil
	// if groups do not wait.
	linger   func(took time.Duration) time.Duration
	mu       sync.RWMutex // locked for reading while a caller submits a request
	closed   bool
	finished chan struct{}
}

func newRequests(limit int) *requests {
	return &requests{coming: make(chan *request, limit), limit: limit, finished: make(chan struct{})}
}

var errClosed = errors.New("the store is closed")

// do submits a request and waits for its outcome. Once the request is submitted, do waits even if the context ends, because otherwise the
// caller would not learn of a change that was made.
func (q *requests) do(r *request) error {
	if err := q.hand(r); err != nil {
		return err
	}
	<-r.done
	if r.panicked != nil {
		panic(r.panicked)
	}
	return r.err
}

// hand submits a request, or gives up if its context ends before the request is accepted.
func (q *requests) hand(r *request) error {
	r.done = make(chan struct{})
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.closed {
		return errClosed
	}
	select {
	case q.coming <- r:
		return nil
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
}

// stop refuses new requests and waits until the submitted requests are done.
func (q *requests) stop() {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.coming)
	}
	q.mu.Unlock()
	<-q.finished
}

// run serves groups until it is stopped.
func (q *requests) run(serve func(group []*request)) {
	defer close(q.finished)
	group := make([]*request, 0, q.limit)
	var callers int
	var took time.Duration
	for r := range q.coming {
		group = q.gather(append(group[:0], r))
		if q.linger != nil && len(group) < callers {
			group = q.await(group, callers, q.linger(took))
		}
		began := time.Now()
		serve(group)
		took, callers = time.Since(began), len(group)+len(q.coming)
		answer(group)
	}
}

// await adds requests to a group until it has as many callers as the last group and those who waited for it, or until the time is over.
// Without this, callers who call again immediately form two halves, each of which waits for the other's commit.
func (q *requests) await(group []*request, callers int, patience time.Duration) []*request {
	over := time.NewTimer(patience)
	defer over.Stop()
	for len(group) < min(callers, q.limit) {
		select {
		case r, ok := <-q.coming:
			if !ok {
				return group
			}
			group = append(group, r)
		case <-over.C:
			return group
		}
	}
	return group
}

// gather adds the waiting requests to a group.
func (q *requests) gather(group []*request) []*request {
	// Callers that have just received a result will soon make their next request. Letting them run first fills the group.
	runtime.Gosched()
	for len(group) < q.limit {
		select {
		case r, ok := <-q.coming:
			if !ok {
				return group
			}
			group = append(group, r)
		default:
			return group
		}
	}
	return group
}

func answer(group []*request) {
	for _, r := range group {
		close(r.done)
	}
}

// guard runs a caller's function on another goroutine. It returns the value of a panic, so that the caller's goroutine can panic with it
// again.
func guard(fn func() error) (panicked any, err error) {
	defer func() {
		if p := recover(); p != nil {
			panicked = fmt.Sprintf("%v\n%s", p, stack())
		}
	}()
	return nil, fn()
}

func stack() []byte {
	buffer := make([]byte, 16<<10)
	return buffer[:runtime.Stack(buffer, false)]
}
