package sqlstore

import (
	"errors"
	"log/slog"
	"time"

	"github.com/routecard/routecard/internal/sqlstore/db"
)

// checkpointer folds the write-ahead log back into the file while commits continue. When the store has hardly any work, it also releases
// the caches of all connections.
type checkpointer struct {
	conn     *sqliteConnection
	writer   *groupCommitter
	readers  *sqliteReaders
	rest     rest
	logger   *slog.Logger
	quit     chan struct{}
	finished chan struct{}
}

const (
	// foldEvery is the interval at which the checkpointer checks the log.
	foldEvery = 250 * time.Millisecond
	// foldFrames is the length of the log, in pages of 4 KiB, at which the writer stops until the whole log is folded. The next commit then
	// overwrites the log from its beginning.
	foldFrames = 4096
	// The writer stops for the end of a fold only if the log grew by at most restFrames pages during the previous fold and sync of the
	// file. On a disk too slow for that, roundsAhead limits the number of attempts.
	restFrames  = 256
	roundsAhead = 6
)

func newCheckpointer(conn *sqliteConnection, writer *groupCommitter, readers *sqliteReaders, logger *slog.Logger) *checkpointer {
	c := &checkpointer{
		conn: conn, writer: writer, readers: readers, logger: logger, quit: make(chan struct{}), finished: make(chan struct{}),
	}
	go c.run()
	return c
}

func (c *checkpointer) stop() {
	close(c.quit)
	<-c.finished
}

func (c *checkpointer) run() {
	defer close(c.finished)
	ticker := time.NewTicker(foldEvery)
	defer ticker.Stop()
	folded := int64(0)
	said := "" // the last failure that was logged: it is not logged again at every tick
	complain := func(err error) {
		switch {
		case err == nil:
			said = ""
		case err.Error() != said:
			said = err.Error()
			c.logger.Warn("cannot fold the log back into the database file; it will be tried again", "error", err)
		}
	}
	for {
		select {
		case <-c.quit:
			return
		case <-ticker.C:
		}
		turns := c.writer.turns.Load()
		if c.rest.tick(turns+c.readers.borrowed.Load()) && !c.readers.lent() {
			c.conn.conn.ReleaseCaches()
		}
		state, err := c.fold()
		if err == nil { // then read the mark that the fold wrote to the file
			err = c.writer.lock.intact()
		}
		// When SQLite has folded the whole log, including later additions, it has synced the file. The mark that the fold wrote to the file
		// is read before turns, because a commit may write another mark to the log right after the fold.
		mark := c.writer.lock.mark.folded()
		if err == nil && state.complete() && turns%2 == 0 && turns == c.writer.turns.Load() {
			c.writer.lock.mark.through(mark)
		}
		complain(err)
		if err != nil {
			continue
		}
		if state.frames < foldFrames || state.frames == folded {
			continue
		}
		if state, err = foldAhead(state, c.sync, c.fold); err != nil {
			complain(err)
			continue
		}
		folded = state.frames
		answer := make(chan error, 1)
		select {
		case c.writer.fold <- answer:
			complain(<-answer)
		case <-c.quit:
			return
		}
	}
}

// rest detects pauses in which the store has hardly any work.
type rest struct {
	ticks int
	done  int64 // work at the last check
}

const (
	// restTicks is the number of ticks (two seconds) over which work is counted.
	restTicks = 8
	// restWork is the maximum work of a pause: the number of reads, and of beginnings and ends of commits. It allows for the service's own
	// work and one or two page views.
	restWork = 16
)

// tick is called at every tick with the total amount of work so far, and reports whether to release caches.
func (r *rest) tick(done int64) bool {
	r.ticks++
	if r.ticks < restTicks {
		return false
	}
	resting := done-r.done <= restWork
	r.ticks, r.done = 0, done
	return resting
}

// foldAhead repeatedly syncs the file and folds what was added to the log meanwhile, until little is left. The writer then stops only for a
// moment while the rest is folded and synced. The time of a round grows with the amount it writes, so each round has less to do than the
// previous one.
func foldAhead(state logState, sync func() error, fold func() (logState, error)) (logState, error) {
	for range roundsAhead {
		before := state.frames
		if err := sync(); err != nil {
			return state, err
		}
		var err error
		if state, err = fold(); err != nil || state.frames-before < restFrames {
			return state, err
		}
	}
	return state, nil
}

// sync waits until the folded pages are on disk. It uses another file descriptor than SQLite. If SQLite's own sync failed, this sync fails
// too.
func (c *checkpointer) sync() error { return foldAgainAfter(c.conn, c.writer.lock.sync()) }

func (c *checkpointer) fold() (logState, error) { return foldIntact(c.writer.lock, c.conn) }

type logState struct{ busy, frames, folded int64 }

func (s logState) complete() bool { return s.busy == 0 && s.frames == s.folded }

// foldIntact is checkpoint, unless the file was replaced.
func foldIntact(lock *fileLock, conn *sqliteConnection) (logState, error) {
	if err := lock.intact(); err != nil {
		return logState{}, err
	}
	return checkpoint(conn)
}

// checkpoint folds as much of the log as is possible now.
func checkpoint(conn *sqliteConnection) (logState, error) {
	state, err := db.One(conn, func(r db.Rows) (state logState, err error) {
		err = r.Scan(&state.busy, &state.frames, &state.folded)
		return state, err
	}, `PRAGMA wal_checkpoint(PASSIVE)`)
	return state, foldAgainAfter(conn, err)
}

// foldAgainAfter returns the error of a fold or sync. After an error it makes the next fold write the whole log again, because earlier
// writes may be lost after a failed sync.
func foldAgainAfter(conn *sqliteConnection, err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(err, conn.conn.FoldAgain())
}
