package access

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/shop"
)

// crowdOf are callers that wait in a queue, for tests.
type crowdOf struct {
	queue   *queue
	mu      sync.Mutex
	served  []line // in order
	refused map[line]int
	all     sync.WaitGroup
}

// come starts callers that wait in a line. Each caller holds its place until hold is closed.
func (c *crowdOf) come(ctx context.Context, l line, times int, hold <-chan struct{}) {
	for range times {
		c.all.Go(func() {
			leave, err := c.queue.enter(ctx, l, false)
			c.mu.Lock()
			if err != nil {
				c.refused[l]++
			} else {
				c.served = append(c.served, l)
			}
			c.mu.Unlock()
			if err == nil {
				<-hold
				leave()
			}
		})
		synctest.Wait()
	}
}

// docs/access.md, "Wrong attempts": Callers that fill the queue from addresses leave room for stations and for people in a session, and no
// caller waits forever.
func TestQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &crowdOf{queue: newQueue(1), refused: map[line]int{}}
		ctx, cancel := context.WithCancel(t.Context())
		hold := make(chan struct{})
		c.come(ctx, "address:192.0.2.1", 1, hold) // which takes the only place
		for i := range 3 {
			c.come(ctx, line(fmt.Sprintf("address:192.0.2.%d", i)), 20, hold)
		}
		if waiting, addresses := c.queue.waiting(); waiting != queueElse || addresses != queueElse {
			t.Errorf("%d wait, %d of them from addresses", waiting, addresses)
		}
		for i := range 3 { // the caller of the latest address has displaced a caller of another address
			if n := len(c.queue.lines[line(fmt.Sprintf("address:192.0.2.%d", i))]); n < queueElse/3 {
				t.Errorf("%d wait from address %d", n, i)
			}
		}
		c.come(ctx, "station:lathe", 20, hold)
		c.come(ctx, "user:1@session", 20, hold)
		for _, l := range []line{"station:lathe", "user:1@session"} {
			if c.refused[l] != 20-queueEach {
				t.Errorf("of 20 in %s %d are refused", l, c.refused[l])
			}
		}
		c.come(ctx, "address:198.51.100.1", 1, hold)
		if c.refused["address:198.51.100.1"] != 0 {
			t.Error("a caller alone finds no room while others have long lines")
		}
		cancel()
		close(hold)
		c.all.Wait()
		if c.queue.free != 1 || len(c.queue.lines)+len(c.queue.turns)+len(c.queue.running) != 0 {
			t.Errorf("%+v", c.queue)
		}
	})
}

// Lines take turns: a caller alone in its line waits for one caller of each other line at most, however many callers those lines have.
func TestQueueTakesTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &crowdOf{queue: newQueue(1), refused: map[line]int{}}
		hold := make(chan struct{})
		c.come(t.Context(), "address:192.0.2.1", 18, hold)
		c.come(t.Context(), "address:192.0.2.2", 18, hold)
		c.come(t.Context(), "address:192.0.2.3", 1, hold)
		close(hold)
		c.all.Wait()
		for i, l := range c.served {
			if l == "address:192.0.2.3" {
				if i > 3 {
					t.Errorf("it was served as number %d: %v", i+1, c.served)
				}
				return
			}
		}
		t.Errorf("it was not served: %v", c.refused)
	})
}

// A line with too many wrong attempts has one caller at a time.
func TestQueueOfACrowdedLine(t *testing.T) {
	t.Parallel()
	q := newQueue(4)
	leave, err := q.enter(t.Context(), "address:192.0.2.1", true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := q.enter(t.Context(), "address:192.0.2.1", true); err == nil {
		t.Error("a second one has a place")
	}
	if other, err := q.enter(t.Context(), "address:192.0.2.2", true); err != nil {
		t.Error(err)
	} else {
		other()
	}
	leave()
	if leave, err = q.enter(t.Context(), "address:192.0.2.1", true); err != nil {
		t.Error(err)
	} else {
		leave()
	}
}

// In every order of calls, places are neither lost nor assigned twice, and no caller waits while a place is free.
func TestQueueLosesNoPlace(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		places := rapid.IntRange(1, 3).Draw(r, "places")
		q := newQueue(places)
		waiters := map[line][]*waiter{}
		var held []line
		for range rapid.IntRange(1, 200).Draw(r, "steps") {
			l := line(rapid.SampledFrom([]string{"address:a", "address:b", "address:c", "station:s", "setup"}).Draw(r, "line"))
			switch rapid.IntRange(0, 3).Draw(r, "act") {
			case 0, 1:
				if w, err := q.join(l, false); err == nil && w == nil {
					held = append(held, l)
				} else if err == nil {
					waiters[l] = append(waiters[l], w)
				}
			case 2:
				if len(held) > 0 {
					q.release(held[0])
					held = held[1:]
				}
			case 3: // the first one of a line gives up
				for i, w := range waiters[l] {
					if len(w.called) == 0 {
						q.remove(l, w)
						waiters[l] = append(waiters[l][:i:i], waiters[l][i+1:]...)
						break
					}
				}
			}
			for l, all := range waiters {
				kept := all[:0]
				for _, w := range all {
					select {
					case err := <-w.called:
						if err == nil {
							held = append(held, l)
						}
					default:
						kept = append(kept, w)
					}
				}
				waiters[l] = kept
			}
			all, addresses := q.waiting()
			if len(held)+q.free != places || q.free > 0 && all > 0 || all > queueMost+1 || addresses > queueElse {
				r.Fatalf("%d of %d places are held, %d free; %d wait, %d of them from addresses", len(held), places, q.free, all, addresses)
			}
		}
	})
}

// TestNewSecretsWaitInTheLineOfTheirSession: people who replace their own secret again and again take no room from other callers.
func TestNewSecretsWaitInTheLineOfTheirSession(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &Service{hasher: newHasher([]byte("pepper"), Cost{MemoryKiB: 8, Passes: 1, Lanes: 1}, 1)}
		leave, err := s.hasher.queue.enter(t.Context(), "station:lathe", false) // which takes the only place
		if err != nil {
			t.Fatal(err)
		}
		user := shop.User{ID: "user_1", Login: "anna"}
		ctx := withIdentity(t.Context(), &Identity{User: user, Session: Session{ID: "sess_1"}})
		var all sync.WaitGroup
		for range 2 * queueMost {
			all.Go(func() { _, _ = s.hash(ctx, owner{user.ID, Password}, "five birds on a wire") })
		}
		synctest.Wait()
		c := &crowdOf{queue: s.hasher.queue, refused: map[line]int{}}
		open := make(chan struct{})
		close(open)
		c.come(t.Context(), "address:192.0.2.1", 1, open)
		if waiting, _ := s.hasher.queue.waiting(); c.refused["address:192.0.2.1"] != 0 || waiting > queueEach+1 {
			t.Errorf("%d wait, and of those who sign in %v are refused", waiting, c.refused)
		}
		leave()
		all.Wait()
		c.all.Wait()
	})
}
