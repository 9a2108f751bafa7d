package access

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/routecard/routecard/shop/refusal"
)

// Limits of waiting for a hash. One hash takes about 50 ms, so that no caller waits much longer than a few seconds.
const (
	queueMost = 64
	queueEach = 16            // in one line
	queueElse = queueMost / 2 // in the lines of all addresses together, so that stations and sessions always find room
)

// queueRetry is the time after which a caller that found the queue full may try again.
const queueRetry = 5 * time.Second

// line identifies callers that wait together: those at one address, at one station, in the sessions of one account, or with a code
// for the first sign-in.
type line string

// setupLine is the line of callers with a code for the first sign-in.
const setupLine line = "setup"

// lineOf returns the line of a caller who sets a secret.
func lineOf(ctx context.Context) line {
	if identity := IdentityOf(ctx); identity != nil {
		return line(accountPrefix(identity.User.ID) + sessionPlace)
	}
	return setupLine
}

// queue returns the line of an attempt: the line of the account if the caller has a session, and the line of the place otherwise.
func (s subject) queue(from Visitor) line {
	if s.name == accountPrefix(s.userID)+sessionPlace {
		return line(s.name)
	}
	return line(placeOf(from))
}

func (l line) address() bool { return strings.HasPrefix(string(l), "address:") }

// queue assigns the places for hashes to waiting callers. Lines take turns, so that a long line delays each other line by only one hash. If
// the queue is full, a caller in a shorter line displaces the last caller of the longest line. It is safe for concurrent use.
type queue struct {
	mu      sync.Mutex
	free    int // free places; while there is one, no caller waits
	running map[line]int
	lines   map[line][]*waiter
	turns   []line // lines with waiters, in the order in which they are served
}

// waiter is a caller that waits. called receives nil when it has a place, or the refusal when it was displaced.
type waiter struct{ called chan error }

func newQueue(places int) *queue {
	return &queue{free: max(1, places), running: make(map[line]int), lines: make(map[line][]*waiter)}
}

// enter waits for a place and returns the function that releases it. single restricts the line to one caller, waiting or with a place.
// enter returns a refusal with RetryAfter if the queue is full, and the error of ctx if ctx ends first.
func (q *queue) enter(ctx context.Context, l line, single bool) (leave func(), err error) {
	w, err := q.join(l, single)
	if err != nil {
		return nil, err
	}
	leave = func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.release(l)
	}
	if w == nil {
		return leave, nil
	}
	select {
	case err := <-w.called:
		if err != nil {
			return nil, err
		}
		return leave, nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	select {
	case err := <-w.called: // called in the meantime
		if err == nil {
			q.release(l)
		}
	default:
		q.remove(l, w)
	}
	return nil, ctx.Err()
}

// join returns nil if the caller got a free place, and otherwise the waiter in the caller's line.
func (q *queue) join(l line, single bool) (*waiter, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if single && q.running[l]+len(q.lines[l]) > 0 || len(q.lines[l]) >= queueEach {
		return nil, tooManyAtOnce()
	}
	if q.free > 0 {
		q.free--
		q.running[l]++
		return nil, nil //nolint:nilnil // no waiter: the caller has a place
	}
	all, addresses := q.waiting()
	if all >= queueMost || l.address() && addresses >= queueElse {
		if !q.displace(len(q.lines[l]), all < queueMost) {
			return nil, tooManyAtOnce()
		}
	}
	w := &waiter{make(chan error, 1)}
	if len(q.lines[l]) == 0 {
		q.turns = append(q.turns, l)
	}
	q.lines[l] = append(q.lines[l], w)
	return w, nil
}

// waiting returns the number of all waiting callers, and of those in the lines of addresses.
func (q *queue) waiting() (all, addresses int) {
	for l, waiters := range q.lines {
		all += len(waiters)
		if l.address() {
			addresses += len(waiters)
		}
	}
	return all, addresses
}

// displace refuses the last caller of the longest line if that line has more than length+1 callers. It reports whether it refused one. With
// addresses, it considers only the lines of addresses.
func (q *queue) displace(length int, addresses bool) bool {
	var longest line
	most := 0
	for _, l := range q.turns { // in this order, so that the choice does not depend on the order of a map
		if n := len(q.lines[l]); n > most && (l.address() || !addresses) {
			longest, most = l, n
		}
	}
	if most <= length+1 {
		return false
	}
	last := q.lines[longest][most-1]
	q.remove(longest, last)
	last.called <- tooManyAtOnce()
	return true
}

// remove removes a waiter from its line.
func (q *queue) remove(l line, w *waiter) {
	q.lines[l] = slices.DeleteFunc(q.lines[l], func(other *waiter) bool { return other == w })
	if len(q.lines[l]) == 0 {
		delete(q.lines, l)
		q.turns = slices.DeleteFunc(q.turns, func(other line) bool { return other == l })
	}
}

// release gives the place of a caller in line l to the first caller of the line whose turn it is.
func (q *queue) release(l line) {
	q.running[l]--
	if q.running[l] == 0 {
		delete(q.running, l)
	}
	if len(q.turns) == 0 {
		q.free++
		return
	}
	next := q.turns[0]
	w := q.lines[next][0]
	q.remove(next, w)
	if len(q.lines[next]) > 0 { // its next turn comes after those of all other lines
		q.turns = append(q.turns[1:], next)
	}
	q.running[next]++
	w.called <- nil
}

// tooManyAtOnce refuses while too many callers wait for their secret to be compared.
func tooManyAtOnce() error {
	return &RefusalError{Refusal: refusal.Refuse(reasonQueue), RetryAfter: queueRetry}
}
