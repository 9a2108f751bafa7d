package standby

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Reason is why a server is left out; "" if reads use it.
type Reason string

// The reasons.
const (
	Unchecked   Reason = "it was not checked yet"
	Unreachable Reason = "it does not respond"
	Lagging     Reason = "it lags"
	Ahead       Reason = "it shows changes that the primary does not show yet"
	Apart       Reason = "it does not follow the primary"
	TakesWrites Reason = "it accepts writes"
)

// server is one server from which reads are served while it follows the primary.
type server struct {
	name   string
	pool   *pgxpool.Pool
	logger *slog.Logger
	reads  atomic.Int64
	places chan struct{} // has a place for each running read, so that a connection remains for checks

	mu      sync.Mutex
	reason  Reason
	current time.Time       // when it was last up to date
	alive   context.Context // ends when the server does not respond to a check: running reads then end
	end     context.CancelFunc
}

func newServer(name string, pool *pgxpool.Pool, logger *slog.Logger) *server {
	s := &server{name: name, pool: pool, logger: logger, reason: Unchecked, current: time.Now()}
	s.places = make(chan struct{}, max(1, pool.Config().MaxConns-1))
	s.alive, s.end = context.WithCancel(context.Background())
	return s
}

// use puts the server back into use, or leaves it out for a reason. cause may be nil.
func (s *server) use(reason Reason, cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if reason == "" {
		s.current = time.Now()
	}
	if s.reason == reason {
		return
	}
	was := s.reason
	s.reason = reason
	switch {
	case reason == TakesWrites:
		s.logger.Info("this server accepts writes: reads use the standbys", "server", s.name)
	case reason != "":
		s.logger.Warn("a standby is left out", "server", s.name, "reason", string(reason), "error", cause)
	case was != Unchecked:
		s.logger.Info("a standby is used again", "server", s.name)
	}
}

// enter takes a place for a read, unless all are taken.
func (s *server) enter() bool {
	select {
	case s.places <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s *server) usable() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reason == ""
}

// hung ends the reads that run on a server that does not respond.
func (s *server) hung() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
	s.alive, s.end = context.WithCancel(context.Background())
}

func (s *server) living() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.alive
}

// leftOutError is the error of begin with the reason why the server cannot serve a read.
type leftOutError struct {
	reason Reason
	cause  error
}

func (e *leftOutError) Error() string { return fmt.Sprintf("%s: %v", e.reason, e.cause) }
func (e *leftOutError) Unwrap() error { return e.cause }

// beginRead begins a transaction in which all statements see the snapshot of the first one.
const beginRead = `BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY`

// errPrimary means that the primary did not say its position, which says nothing about the standby.
var errPrimary = errors.New("ask the primary")

// begin begins a transaction whose snapshot covers a position, and that shows nothing that the primary does not show. It waits for such a
// snapshot until a time. ctx limits the communication with the server.
func (s *server) begin(ctx context.Context, at Position, primary Primary, until time.Time) (*pgxpool.Conn, Position, error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, Position{}, &leftOutError{Unreachable, err}
	}
	for pause := time.Millisecond; ; pause *= 2 {
		seen, reason, err := snapshot(ctx, conn, at, primary)
		if err == nil && reason == "" {
			return conn, seen, nil
		}
		_, rollbackErr := conn.Exec(ctx, `ROLLBACK`)
		wait := reason == Lagging || reason == Ahead
		if err != nil || rollbackErr != nil || !wait || time.Until(until) <= pause {
			conn.Release()
			if errors.Is(err, errPrimary) {
				return nil, seen, err
			}
			if reason == "" {
				reason = Unreachable
			}
			return nil, seen, &leftOutError{reason, errors.Join(err, rollbackErr)}
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
}

// snapshot begins a transaction, and compares its snapshot with a position and with the primary. Commits may become visible on a standby
// before they do on the primary, which may still wait for another standby. A read that showed them could be followed by one on the primary
// that does not.
func snapshot(ctx context.Context, conn *pgxpool.Conn, at Position, primary Primary) (seen Position, reason Reason, err error) {
	batch := &pgx.Batch{}
	batch.Queue(beginRead)
	batch.Queue(selectPosition)
	results := conn.SendBatch(ctx, batch)
	_, err = results.Exec()
	var recovering bool
	if err == nil {
		seen, recovering, err = scanPosition(results.QueryRow())
	}
	if err := errors.Join(err, results.Close()); err != nil {
		return seen, "", err
	}
	switch {
	case !recovering:
		return seen, TakesWrites, nil
	case seen == at:
		return seen, "", nil
	case seen.Timeline != at.Timeline || seen.Mark != at.Mark:
		return seen, Apart, nil
	case !seen.Covers(at):
		return seen, Lagging, nil
	}
	now, err := primary.Position(ctx)
	if err != nil {
		return seen, "", fmt.Errorf("%w: %w", errPrimary, err)
	}
	if !now.Covers(seen) {
		return seen, Ahead, nil
	}
	return seen, "", nil
}
