package sealer_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/routecard/routecard/internal/sealer"
)

// The continuous verification checks every tile soon after it is full, and everything once a day.
func TestWatch(t *testing.T) {
	t.Parallel()
	if newBench(t).database.Postgres() {
		return // a fake clock cannot advance while a database server responds; the verification is the same there
	}
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.append(300)
		added := make(chan struct{}, 1)
		s := b.start(func(c *sealer.Config) {
			c.Wait = func(ctx context.Context, _ int64) error { // without polling the database all day
				select {
				case <-added:
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		})
		added <- struct{}{}
		s.sealed(301)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { s.Watch(ctx); close(done) }()
		pass := func(d time.Duration) {
			b.clock.Add((d - 3*time.Second).Milliseconds())
			time.Sleep(3 * time.Second) //nolint:forbidigo // fake time: it takes no real time
			synctest.Wait()
		}
		pass(3 * time.Second)
		if status := s.Status(); status.Wrong() {
			t.Fatalf("after the start: %+v", status)
		}

		b.append(250)
		added <- struct{}{}
		s.sealed(551)
		b.tamper("UPDATE audit SET user_id = 'otto' WHERE sequence = 400") // in the second tile, which has just become full
		pass(3 * time.Second)
		if status := s.Status(); status.Failures != 1 || len(status.Findings) != 1 {
			t.Fatalf("a new tile: %+v", status)
		}
		b.tamper("UPDATE audit SET user_id = 'anna' WHERE sequence = 400", "UPDATE audit SET user_id = 'otto' WHERE sequence = 40")
		pass(23 * time.Hour)
		if status := s.Status(); status.Failures != 1 {
			t.Fatalf("a tile that was looked at is looked at again before the day is over: %+v", status)
		}
		pass(2 * time.Hour)
		status := s.Status()
		if status.Failures != 2 || len(status.Findings) == 0 || status.Findings[0].Entry != "aud_0000000000000040" {
			t.Fatalf("a day later: %+v", status)
		}
		stop()
		<-done
	})
}
