package access

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
)

// D8: Whoever fills the queue from elsewhere leaves room for stations and for people in a session, and nobody waits
// without an end.
func TestQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHasher(nil, Cost{}, 1)
		ctx, cancel := context.WithCancel(t.Context())
		if err := h.enter(ctx, "address:192.0.2.1"); err != nil { // who takes the only place, and keeps it
			t.Fatal(err)
		}
		var waiting sync.WaitGroup
		come := func(times int, from string) (turnedAway int) {
			var mu sync.Mutex
			for range times {
				waiting.Go(func() {
					if err := h.enter(ctx, line(from)); !errors.Is(err, context.Canceled) {
						mu.Lock()
						turnedAway++
						mu.Unlock()
					}
				})
			}
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			return turnedAway
		}
		for i, want := range []int{4, 4, 20} {
			if got := come(20, fmt.Sprintf("address:192.0.2.%d", i)); got != want {
				t.Errorf("of 20 from address %d %d are turned away, want %d", i, got, want)
			}
		}
		if got := come(20, "station:lathe"); got != 4 {
			t.Errorf("of 20 at a station %d are turned away", got)
		}
		if got := come(20, "user:1@session"); got != 4 {
			t.Errorf("of 20 in a session %d are turned away", got)
		}
		if got := come(1, ""); got != 1 {
			t.Error("a full queue takes one more")
		}
		cancel()
		waiting.Wait()
		if h.queue.waiting != 0 || len(h.queue.places) != 0 || h.queue.strange != 0 {
			t.Errorf("%+v", &h.queue)
		}
		h.leave()
		if err := h.enter(t.Context(), "address:192.0.2.1"); err != nil {
			t.Error(err)
		}
	})
}
