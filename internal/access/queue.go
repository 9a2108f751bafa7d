package access

import (
	"context"
	"sync"
	"time"

	"github.com/routecard/routecard/shop"
)

// How many may wait for a hash. One takes a twentieth of a second, so that nobody waits much longer than a few seconds.
const (
	queueMost = 64
	queueEach = 16            // from one place
	queueElse = queueMost / 2 // from all addresses together: stations and sessions always find room
)

// queueRetry is when somebody may come again who found the queue full.
const queueRetry = 5 * time.Second

// queue is who waits for a place to make a hash. The zero queue is empty.
type queue struct {
	mu      sync.Mutex
	waiting int
	places  map[string]int
	strange int // from addresses
}

// line is where in the queue somebody waits: together with others from the same place. The zero line is for those who
// were let in before.
type line string

// queue is the line of an attempt: of the account when it has a session, or of the place.
func (s subject) queue(from Visitor) line {
	if s.name == accountPrefix(s.userID)+sessionPlace {
		return line(s.name)
	}
	return line(placeOf(from))
}

func (l line) strange() bool { return len(l) > len("address:") && l[:len("address:")] == "address:" }

// join waits in the queue, unless it is too long. Whoever joined has to leave it.
func (q *queue) join(l line) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waiting >= queueMost || l != "" && q.places[string(l)] >= queueEach || l.strange() && q.strange >= queueElse {
		return tooManyAtOnce()
	}
	if q.places == nil {
		q.places = make(map[string]int)
	}
	q.waiting++
	q.places[string(l)]++
	if l.strange() {
		q.strange++
	}
	return nil
}

func (q *queue) leave(l line) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting--
	q.places[string(l)]--
	if q.places[string(l)] == 0 {
		delete(q.places, string(l))
	}
	if l.strange() {
		q.strange--
	}
}

// enter waits for a place to make a hash; the caller has to leave it. When too many wait already it refuses at once.
func (h *hasher) enter(ctx context.Context, l line) error {
	select {
	case h.places <- struct{}{}:
		return nil
	default:
	}
	if err := h.queue.join(l); err != nil {
		return err
	}
	defer h.queue.leave(l)
	select {
	case h.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *hasher) leave() { <-h.places }

// tooManyAtOnce refuses while too many wait for their secret to be judged.
func tooManyAtOnce() error {
	return &RefusalError{Refusal: shop.Refuse(reasonQueue), RetryAfter: queueRetry}
}
