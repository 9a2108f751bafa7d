package sqlstore

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// groupLimit is the maximum number of callers that share one commit.
const groupLimit = 256

// groupCommitter owns the connection that writes. Its one goroutine takes the requests of all waiting callers, runs their changes one after
// the other inside one transaction, commits once, and then returns the results.
type groupCommitter struct {
	lock *fileLock
	*requests
	conn       *sqliteConnection
	prefix     ident.Prefix
	pathCache  *db.PathCache
	kept       *cardCache
	identities *identityCache
	options    Options
	states     listStates
	turns      atomic.Int64    // number of beginnings and ends of commits: odd while a commit runs
	fold       chan chan error // requests of the checkpointer to fold the log between two commits
}

func newGroupCommitter(conn *sqliteConnection, prefix ident.Prefix, routes *db.PathCache, kept *cardCache, identities *identityCache,
	states listStates, lock *fileLock, options Options,
) *groupCommitter {
	g := &groupCommitter{
		requests: newRequests(groupLimit), conn: conn, prefix: prefix, pathCache: routes, kept: kept, identities: identities,
		states: states, lock: lock, options: options, fold: make(chan chan error),
	}
	go g.run()
	return g
}

func (g *groupCommitter) run() {
	defer close(g.finished)
	group := make([]*request, 0, groupLimit)
	for {
		group = group[:0]
		select {
		case r, ok := <-g.coming:
			if !ok {
				return
			}
			group = append(group, r)
		case answer := <-g.fold:
			answer <- g.foldAll()
			continue
		}
		group = g.gather(group)
		short, long := apart(group)
		g.commit(short)
		answer(short)
		for _, r := range long {
			g.commit([]*request{r})
			answer([]*request{r})
		}
	}
}

// foldAll folds the log between two commits.
func (g *groupCommitter) foldAll() error {
	state, err := foldIntact(g.lock, g.conn)
	if err == nil && state.complete() {
		g.lock.mark.through(g.lock.mark.folded())
	}
	return err
}

// apart separates the Updates with the option Alone from the others.
func apart(group []*request) (short, long []*request) {
	for i, r := range group {
		if slices.Contains(r.options, shop.Alone) {
			long = append(long, r)
			group[i] = nil
		}
	}
	if len(long) == 0 {
		return group, nil
	}
	return slices.DeleteFunc(group, func(r *request) bool { return r == nil }), long
}

// commit runs a group in one transaction. If a change fails after it has changed rows, the group runs once more with a savepoint for each
// change. If a statement breaks the transaction, each caller gets a separate transaction, so that a change that the database cannot make
// does not fail the others. If the transaction cannot begin or commit, no single change is the cause and all callers get the error. This
// includes callers whose change was refused, because the refusal may rest on changes that were not committed.
func (g *groupCommitter) commit(group []*request) {
	err := g.transact(group, false)
	if err != nil && !errors.Is(err, errBegin) && !errors.Is(err, errCommit) {
		if rest := slices.DeleteFunc(slices.Clone(group), func(r *request) bool { return db.TooMuch(r.err) }); len(rest) < len(group) {
			g.commit(rest) // a change that was refused for too much work is not run again
			return
		}
	}
	if errors.Is(err, errFellLate) {
		err = g.transact(group, true)
	}
	if err == nil {
		return
	}
	if len(group) == 1 || errors.Is(err, errBegin) || errors.Is(err, errCommit) {
		for _, r := range group {
			r.err = err
		}
		return
	}
	for _, r := range group {
		g.commit([]*request{r})
	}
}

var (
	// errBegin and errCommit mark failures that all members of the group share.
	errBegin  = errors.New("begin failed")
	errCommit = errors.New("commit failed")
	// errFellLate ends the transaction of a group if a change failed after it had changed rows.
	errFellLate = errors.New("a change has to be taken back")
)

func (g *groupCommitter) transact(group []*request, savepoints bool) (err error) {
	if len(group) == 0 {
		return nil
	}
	for _, r := range group {
		r.err, r.panicked = nil, nil // the request may have run before
	}
	started := time.Now()
	if err := g.lock.intact(); err != nil {
		return fmt.Errorf("%w: %w", errBegin, err)
	}
	if _, err := g.conn.Exec("BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("%w: %w", errBegin, err)
	}
	defer g.kept.end()
	defer g.identities.end()
	defer g.states.end()
	defer func() {
		if err != nil {
			_ = g.conn.rollback() // the transaction may have ended already
		}
	}()
	tx := &db.Core{Querier: g.conn, Prefix: g.prefix, PathCache: g.pathCache, Revisions: map[string]string{}}
	cards := newGroupedCards(tx, g.kept)
	for i, r := range group {
		if r.err = r.ctx.Err(); r.err != nil {
			continue
		}
		if r.card != nil {
			err = cards.change(r, group[i:])
		} else if err = cards.end(); err == nil {
			err = g.update(r, len(group) == 1, savepoints)
		}
		if err != nil {
			return err
		}
	}
	if err := cards.write(); err != nil {
		return err
	}
	if len(group) == 1 && group[0].fell() {
		_ = g.conn.rollback() // the transaction may have ended already
		return nil
	}
	mark, due := g.lock.mark.due()
	if due {
		if err := g.conn.mark(mark); err != nil {
			return fmt.Errorf("mark the file: %w", err)
		}
	}
	g.turns.Add(1)
	_, err = g.conn.Exec("COMMIT")
	g.turns.Add(1)
	if err != nil {
		return fmt.Errorf("%w: %w", errCommit, err)
	}
	if due {
		g.lock.mark.committed(mark)
	}
	if err := g.lock.intact(); err != nil { // the commit is lost with the replaced file
		return fmt.Errorf("%w: %w", errCommit, err)
	}
	cards.committed()
	if slices.ContainsFunc(group, func(r *request) bool { return !r.fell() && !slices.Contains(r.options, shop.Aside) }) {
		g.states.committed()
	}
	g.options.Committed(len(group), time.Since(started))
	return nil
}

// update runs a change. Nearly all refused changes are refused before they change a row. So the first transaction of a group has no
// savepoints, because for each savepoint SQLite copies every page that the change modifies. A change that is alone in its transaction never
// has a savepoint. It needs none, and for a long change a savepoint would be too expensive: until it ends, SQLite stores the former
// contents of each page for every statement that changed the page.
func (g *groupCommitter) update(r *request, alone, savepoint bool) error {
	if alone || !savepoint {
		before := g.conn.conn.Changes()
		err := g.change(r)
		switch {
		case alone || !r.fell():
			return nil
		case err != nil: // SQLite may have rolled back the transaction
			return err
		case g.conn.conn.Changes() != before:
			return errFellLate
		}
		return nil
	}
	if _, err := g.conn.Exec("SAVEPOINT one"); err != nil {
		return fmt.Errorf("savepoint: %w", err)
	}
	_ = g.change(r) // the outcome may be a failed statement
	if r.fell() {
		if _, err := g.conn.Exec("ROLLBACK TO one"); err != nil {
			return fmt.Errorf("take a change back: %w", errors.Join(err, r.err))
		}
	}
	if _, err := g.conn.Exec("RELEASE one"); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	return nil
}

// change runs the caller's function, stores its outcome in the request, and returns the failure of a statement.
func (g *groupCommitter) change(r *request) error {
	changing := &failFast{conn: g.conn}
	at := db.Core{Querier: changing, Prefix: g.prefix, PathCache: g.pathCache}
	refused := func(err error) error { return err }
	if !slices.Contains(r.options, shop.Aside) {
		weighing := &db.Metered{Querier: changing, Most: g.options.WorkLimit}
		at.Querier, refused = weighing, weighing.Refusal
		defer func() { g.options.Worked(weighing.Done) }()
	}
	tx := statement.New(at)
	r.panicked, r.err = guard(func() error { return r.update(tx) })
	r.err = refused(r.err)
	failed := changing.end()
	if r.err == nil {
		r.err = failed
	}
	return failed
}

// failFast is the connection for one Update. After a failed statement it runs no other: SQLite may have rolled back the whole transaction
// with that statement, and later statements would be committed separately.
type failFast struct {
	conn *sqliteConnection
	err  error
}

// end refuses further statements and returns the error of the statement that failed. The Update thus fails even if the change ignored the
// error.
func (f *failFast) end() error {
	err := f.err
	f.err = db.ErrEnded
	return err
}

func (f *failFast) Query(text string, args ...any) (db.Rows, error) {
	if f.err != nil {
		return nil, f.err
	}
	result, err := f.conn.Query(text, args...)
	if err != nil {
		f.err = err
		return nil, err
	}
	return &failFastRows{result, f}, nil
}

func (f *failFast) Exec(text string, args ...any) (int64, error) {
	if f.err != nil {
		return 0, f.err
	}
	affected, err := f.conn.Exec(text, args...)
	f.err = err
	return affected, err
}

type failFastRows struct {
	db.Rows
	of *failFast
}

func (r *failFastRows) Next() bool {
	more := r.Rows.Next()
	if !more {
		_ = r.Err()
	}
	return more
}

func (r *failFastRows) Err() error {
	err := r.Rows.Err()
	if err != nil {
		r.of.err = err
	}
	return err
}
