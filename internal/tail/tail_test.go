package tail_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/tail"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// follow opens a database and follows its trail until the test ends or stop is called.
func follow(t *testing.T) (store *sqlstore.SQLite, follower *tail.Tail, stop context.CancelFunc) {
	t.Helper()
	store, err := sqlstore.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "shop.db"), sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	follower = tail.New(slog.New(slog.DiscardHandler))
	following, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		follower.Run(following, store)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store, follower, stop
}

func tell(t *testing.T, store *sqlstore.SQLite) {
	t.Helper()
	if err := store.Update(t.Context(), func(tx shop.Tx) error {
		return tx.AppendAudit(trail.Entry{Action: shop.ActionNoteCreated, UserID: "ann"})
	}); err != nil {
		t.Fatal(err)
	}
}

// A waiting reader gets every entry, both of commits that this process announced and of those of other processes.
func TestWait(t *testing.T) {
	t.Parallel()
	store, follower, _ := follow(t)
	for sequence := range int64(4) {
		waits := make(chan error, 2)
		for range cap(waits) {
			go func() { waits <- follower.Wait(t.Context(), sequence) }()
		}
		select {
		case err := <-waits:
			t.Fatalf("waiting behind entry %d ended before there was another: %v", sequence, err)
		default:
		}
		tell(t, store)
		if sequence%2 == 0 { // other commits are found by polling, like those of another process
			follower.Committed()
		}
		for range cap(waits) {
			if err := <-waits; err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := follower.Wait(t.Context(), 3); err != nil {
		t.Errorf("waiting for what is there: %v", err)
	}
}

func TestWaitEnds(t *testing.T) {
	t.Parallel()
	_, follower, stop := follow(t)
	gone, leave := context.WithCancel(t.Context())
	leave()
	if err := follower.Wait(gone, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("a reader who left hears %v", err)
	}
	stop()
	if err := follower.Wait(t.Context(), 0); !errors.Is(err, tail.ErrEnded) {
		t.Errorf("a reader of a service that stops hears %v", err)
	}
}

// Failed reads are repeated, and new entries are announced once a read succeeds.
func TestRunGoesOnAfterAFailure(t *testing.T) {
	t.Parallel()
	const failures = 3
	store, _, _ := follow(t)
	failing := &fails{Store: store, left: failures}
	follower := tail.New(slog.New(slog.DiscardHandler))
	following, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		follower.Run(following, failing)
	}()
	defer func() {
		stop()
		<-ended
	}()
	tell(t, store)
	for range failures {
		follower.Committed()
	}
	if err := follower.Wait(t.Context(), 0); err != nil {
		t.Error(err)
	}
}

// fails is a store that cannot be read the first few times.
type fails struct {
	shop.Store
	left int
}

func (f *fails) View(ctx context.Context, read func(shop.Reader) error, options ...shop.ViewOption) error {
	if f.left > 0 {
		f.left--
		return errors.New("disk I/O error")
	}
	return f.Store.View(ctx, read, options...)
}
