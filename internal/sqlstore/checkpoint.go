package sqlstore

import (
	"errors"
	"log/slog"
	"time"

	"github.com/routecard/routecard/internal/sqlstore/db"
)

// checkpointer folds the write-ahead log back into the file, beside the commits rather than inside them. It also has the caches of all
// connections given back in a pause.
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
	// foldEvery is how often the checkpointer looks at the log.
	foldEvery = 250 * time.Millisecond
	// foldFrames is the length of the log, in pages of 4 KiB, from which the writer stops for the moment it takes to
	// fold the rest, so that the log starts again from its beginning.
	foldFrames = 4096
	// restFrames is how many pages the log may gain while it is folded and the file synced, for the rest to be folded while the
	// writer stops. roundsAhead is how often that is tried, on a disk that never gets there.
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
	said := "" // the last trouble that was logged, so that it is not logged again four times a second
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
		if err == nil { // then the mark that the fold wrote to the file is known at once
			err = c.writer.lock.intact()
		}
		// SQLite syncs the file when it has folded the whole log, with what was added meanwhile. The mark that this
		// wrote to the file is read before turns, because right after that a commit may put another mark into the log.
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

// rest finds out when hardly anything was done for a while.
type rest struct {
	ticks int
	done  int64 // when it was judged last
}

const (
	// restTicks is after how many looks, two seconds, the work since is judged.
	restTicks = 8
	// restWork is how many reads, and beginnings and ends of commits, there may be meanwhile: what the service does for itself, and a
	// page or two.
	restWork = 16
)

// tick is told with every look how much work was ever begun, and reports whether it is time to give caches back.
func (r *rest) tick(done int64) bool {
	r.ticks++
	if r.ticks < restTicks {
		return false
	}
	resting := done-r.done <= restWork
	r.ticks, r.done = 0, done
	return resting
}

// foldAhead syncs the file and folds what the log gained meanwhile, until that is little: then the writer, which stops while the rest is
// folded and synced, stops for a moment only. A round takes about as long as what it writes, so each has less to do than the one before.
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

// sync waits until the disk has what was folded into the file so far. SQLite syncs the file by an opening of its own, which reports a
// failure once more.
func (c *checkpointer) sync() error { return foldAgainAfter(c.conn, c.writer.lock.sync()) }

func (c *checkpointer) fold() (logState, error) { return foldIntact(c.writer.lock, c.conn) }

type logState struct{ busy, frames, folded int64 }

func (s logState) complete() bool { return s.busy == 0 && s.frames == s.folded }

// foldIntact folds what can be folded now into a file that was not replaced.
func foldIntact(lock *fileLock, conn *sqliteConnection) (logState, error) {
	if err := lock.intact(); err != nil {
		return logState{}, err
	}
	return checkpoint(conn)
}

// checkpoint folds what can be folded now.
func checkpoint(conn *sqliteConnection) (logState, error) {
	state, err := db.One(conn, func(r db.Rows) (state logState, err error) {
		err = r.Scan(&state.busy, &state.frames, &state.folded)
		return state, err
	}, `PRAGMA wal_checkpoint(PASSIVE)`)
	return state, foldAgainAfter(conn, err)
}

// foldAgainAfter returns the error of a fold or of a sync. After one, the next fold folds all of the log again: what was written before a
// sync that failed may be lost.
func foldAgainAfter(conn *sqliteConnection, err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(err, conn.conn.FoldAgain())
}
