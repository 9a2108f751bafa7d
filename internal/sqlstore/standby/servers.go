// Package standby chooses the server for reads of a PostgreSQL store: a standby that is up to date, or the primary.
//
// A read must not show less than any response before it, by any instance. So each request asks the primary once for its Position, in one
// short statement that requests share, and reads from a standby whose snapshot covers that position. The snapshot must not show more than
// the primary either, because the next read may be on the primary: see snapshot. Both together make reads linearizable.
package standby

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/routecard/routecard/shop"
)

// Times of Servers.
const (
	Patience = 50 * time.Millisecond // how long a read waits for a standby
	interval = time.Second           // between two checks of all servers
	response = 2 * time.Second       // how long a check waits for a server
)

// Servers are the servers besides the primary from which a store may read. It is safe for concurrent use.
type Servers struct {
	primary   Primary
	patience  time.Duration
	all       []*server
	turn      atomic.Uint64
	onPrimary atomic.Int64
	marked    bool // this process has marked the timeline; only the checks use it
	stop      context.CancelFunc
	stopped   chan struct{}
}

// Open begins to check servers, whose names are those of pools. They need not be reachable. patience is how long a read waits for a
// standby.
func Open(names []string, pools []*pgxpool.Pool, primary Primary, patience time.Duration, logger *slog.Logger) *Servers {
	ctx, stop := context.WithCancel(context.Background())
	s := &Servers{primary: primary, patience: patience, stop: stop, stopped: make(chan struct{})}
	for i, name := range names {
		s.all = append(s.all, newServer(name, pools[i], logger))
	}
	go s.run(ctx)
	return s
}

// Close ends the checks and closes the connections. It waits for running reads. The primary must still respond.
func (s *Servers) Close() {
	s.stop()
	<-s.stopped
	for _, one := range s.all {
		one.pool.Close()
		one.end()
	}
}

// Reading is a transaction on a standby.
type Reading struct {
	Conn *pgxpool.Conn
	// Context ends with the context of the read, and when the server does not respond.
	Context context.Context
	server  *server
	cancel  func()
}

// End releases the connection. The transaction must have ended.
func (r *Reading) End() {
	r.Conn.Release()
	r.cancel()
}

// Failed leaves out a server whose connection was lost. Other failures concern one read only, such as conflicts with the recovery.
func (r *Reading) Failed(err error) {
	if r.Conn.Conn().IsClosed() {
		r.server.use(Unreachable, err)
	}
}

// Begin begins a read of a request on a standby. It returns nil if the primary must serve the read.
func (s *Servers) Begin(ctx context.Context, reads *shop.StandbyReads) (*Reading, error) {
	if !s.anyUsable() {
		s.OnPrimary(reads)
		return nil, nil //nolint:nilnil // none
	}
	at, err := s.floor(ctx, reads)
	if errors.Is(err, ErrUnmarked) {
		s.OnPrimary(reads)
		return nil, nil //nolint:nilnil // none
	}
	if err != nil {
		return nil, err
	}
	until := time.Now().Add(s.patience)
	within, cancel := context.WithTimeout(ctx, 2*s.patience) // so that a server that lags is not taken for one that hangs
	defer cancel()
	first := int(s.turn.Add(1) % uint64(len(s.all))) //nolint:gosec // an index
	for i := range s.all {
		one := s.all[(first+i)%len(s.all)]
		if !one.usable() || !one.enter() {
			continue
		}
		conn, seen, err := one.begin(within, at, s.primary, until)
		if err == nil {
			raise(reads, seen)
			one.reads.Add(1)
			return one.reading(ctx, conn), nil
		}
		<-one.places
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if failed, ok := errors.AsType[*leftOutError](err); ok && failed.reason != Apart { // of Apart, the checks decide
			one.use(failed.reason, failed.cause)
		}
	}
	s.OnPrimary(reads)
	return nil, nil //nolint:nilnil // none
}

func (s *server) reading(ctx context.Context, conn *pgxpool.Conn) *Reading {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.living(), cancel)
	return &Reading{Conn: conn, Context: ctx, server: s, cancel: func() {
		stop()
		cancel()
		<-s.places
	}}
}

// OnPrimary counts a read on the primary. The next read of the request on a standby must not show less, so the primary is asked again.
func (s *Servers) OnPrimary(reads *shop.StandbyReads) {
	s.onPrimary.Add(1)
	reads.Seen(func(any) any { return nil })
}

func (s *Servers) anyUsable() bool {
	for _, one := range s.all {
		if one.usable() {
			return true
		}
	}
	return false
}

// floor returns the position that a read of a request must cover.
func (s *Servers) floor(ctx context.Context, reads *shop.StandbyReads) (at Position, err error) {
	known := false
	reads.Seen(func(seen any) any {
		at, known = seen.(Position)
		return seen
	})
	if known {
		return at, nil
	}
	if at, err = s.primary.Position(ctx); err == nil {
		raise(reads, at)
	}
	return at, err
}

func raise(reads *shop.StandbyReads, at Position) {
	reads.Seen(func(seen any) any {
		if before, ok := seen.(Position); ok {
			return before.with(at)
		}
		return at
	})
}

// run checks all servers again and again.
func (s *Servers) run(ctx context.Context) {
	defer close(s.stopped)
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		s.check(ctx)
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// check compares all servers with the primary. While the primary cannot be asked, the servers stay as they are: no read uses them.
func (s *Servers) check(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, response)
	defer cancel()
	at, err := s.primary.Position(ctx)
	if errors.Is(err, ErrUnmarked) || err == nil && !s.marked {
		if err = s.primary.Mark(ctx); err == nil {
			s.marked = true
			at, err = s.primary.Position(ctx)
		}
	}
	if err != nil {
		return
	}
	var all sync.WaitGroup
	for _, one := range s.all {
		all.Go(func() { one.check(ctx, at, s.primary, s.patience) })
	}
	all.Wait()
}

func (s *server) check(ctx context.Context, at Position, primary Primary, patience time.Duration) {
	conn, _, err := s.begin(ctx, at, primary, time.Now().Add(patience))
	if err == nil {
		if _, err = conn.Exec(ctx, `ROLLBACK`); err != nil {
			err = &leftOutError{Unreachable, err}
		}
		conn.Release()
	}
	failed, ok := errors.AsType[*leftOutError](err)
	switch {
	case err == nil:
		s.use("", nil)
	case !ok, errors.Is(ctx.Err(), context.Canceled): // the primary does not respond, or the store closes
	default:
		s.use(failed.reason, failed.cause)
		if failed.reason == Unreachable {
			s.hung()
		}
	}
}

// Status describes a server.
type Status struct {
	Server string
	Reason Reason        // why it is left out; "" if it is used
	Reads  int64         // the number of reads that it served
	Lag    time.Duration // the time since it was last up to date; 0 if it is used
}

// Status returns the state of all servers, and the number of reads that the primary served in their place.
func (s *Servers) Status() (all []Status, onPrimary int64) {
	for _, one := range s.all {
		one.mu.Lock()
		status := Status{Server: one.name, Reason: one.reason, Reads: one.reads.Load()}
		if one.reason != "" {
			status.Lag = time.Since(one.current)
		}
		one.mu.Unlock()
		all = append(all, status)
	}
	return all, s.onPrimary.Load()
}
