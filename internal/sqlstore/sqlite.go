package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the driver, for the migrations
	sqlitelib "modernc.org/sqlite/lib"

	"github.com/routecard/routecard/internal/sqlite"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/lists"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// Sizes of page caches in KiB. SQLite limits only their sum (see Conn.ReleaseCaches). The writer has the larger cache, because it will soon
// change the same pages again. Readers share the cache of the operating system.
const (
	writerCache = 16 << 10
	readerCache = 1 << 10
)

// SQLite is a store in one file. Many callers can read at the same time. One goroutine writes for all waiting callers, with one commit.
type SQLite struct {
	options      Options
	prefix       ident.Prefix
	lock         *fileLock
	db           *sql.DB // for the migrations
	dsn          string
	pathCache    *db.PathCache
	cards        *cardCache
	identities   *identityCache
	opened       string // identifies this opening of the file
	readers      *sqliteReaders
	writer       *groupCommitter
	checkpointer *checkpointer
	probe        probe
	closing      chan struct{} // closed when Close begins
	trouble      trouble
	viewLimit    time.Duration
	close        func() error
}

var _ Store = (*SQLite)(nil)

// OpenSQLite opens the database in a file, creates it if it does not exist, and migrates its tables. Only one process can have a file open;
// see ErrInUse.
func OpenSQLite(ctx context.Context, file string, options Options) (store *SQLite, err error) {
	options.fill()
	if err := inspect(file); err != nil {
		return nil, err
	}
	lock, err := lockFile(file)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, lock.release())
		}
	}()
	if err := Writable(file); err != nil {
		return nil, err
	}
	database, err := sql.Open("sqlite", sqliteDSN(file))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", file, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, database.Close())
		}
	}()
	switch err := prepareSQLite(ctx, database, file); {
	case sqliteCode(err) == sqlitelib.SQLITE_FULL:
		return nil, fmt.Errorf("open %s: there is no space left on its disk: free some, then start again", file)
	case err != nil:
		return nil, err
	}
	if err := refuseUnfinished(ctx, database, file); err != nil {
		return nil, err
	}
	s := &SQLite{
		options: options, lock: lock, db: database, dsn: sqliteDSN(file) + "&mode=rw", pathCache: db.NewPathCache(),
		opened: statement.NewRevision(), probe: newProbe(), trouble: trouble{logger: options.Logger}, closing: make(chan struct{}),
		viewLimit: viewLimit,
	}
	s.readers = newSQLiteReaders(s.connectAgain, s.closing)
	s.close = sync.OnceValue(s.shutDown)
	s.cards, s.identities = newCardCache(s.pathCache, cardCacheLimit), newIdentityCache(identityCacheLimit)
	write, err := s.connect()
	if err != nil {
		return nil, err
	}
	fold, err := s.connect()
	if err != nil {
		return nil, errors.Join(err, write.close())
	}
	if err := write.set(fmt.Sprintf("cache_size = -%d", writerCache)); err != nil {
		return nil, errors.Join(err, write.close(), fold.close())
	}
	if _, err := db.One(write, db.Scalar[int64], `SELECT COUNT(*) FROM sqlite_schema`); err != nil { // this query opens the log
		return nil, errors.Join(err, write.close(), fold.close())
	}
	if err := s.choosePrefix(write, file); err != nil {
		return nil, errors.Join(err, write.close(), fold.close())
	}
	if err := s.cards.find(write); err != nil {
		return nil, errors.Join(err, write.close(), fold.close())
	}
	states := newListStates()
	write.conn.OnChange(func(change *sqlite.Change) {
		states.change(change)
		s.cards.change(change)
		s.identities.change(change)
	})
	if err := lock.watch(write); err != nil {
		return nil, errors.Join(err, write.close(), fold.close())
	}
	s.writer = newGroupCommitter(write, s.prefix, s.pathCache, s.cards, s.identities, states, lock, options)
	s.checkpointer = newCheckpointer(fold, s.writer, s.readers, options.Logger)
	return s, nil
}

// sqliteDSN returns an address with the same settings for every connection. A commit is on disk when it returns. Commits never fold the log
// back; only the checkpointer does. None of the settings changes the file, because the file may turn out not to be Routecard's.
func sqliteDSN(file string) string {
	if absolute, err := filepath.Abs(file); err == nil {
		file = absolute // ":memory:" and a leading "//" have a special meaning in SQLite
	}
	pragmas := url.Values{"_pragma": {
		fmt.Sprintf("busy_timeout(%d)", lockWait.Milliseconds()), "synchronous(FULL)", "foreign_keys(1)",
		"wal_autocheckpoint(0)", "temp_store(MEMORY)", "recursive_triggers(1)",
		fmt.Sprintf("journal_size_limit(%d)", logLimit),
	}}
	return "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + pragmas.Encode()
}

// logLimit is the size to which the log file is cut when its next write starts from the beginning. A long read may have made the file
// larger for a while.
const logLimit = 64 << 20

// viewLimit is the maximum duration of a View. Until a View ends, the log cannot be folded beyond its snapshot.
const viewLimit = 30 * time.Second

// errViewTooLong is the error of a View that exceeds viewLimit.
var errViewTooLong = refusal.Refuse(refusal.DatabaseSlow)

// lockWait is the maximum time for which a statement waits when another program, such as a backup, has locked the file.
const lockWait = 10 * time.Second

// applicationID marks a file as Routecard's, so that a database of another program is recognized.
const applicationID = 0x52435244

func prepareSQLite(ctx context.Context, db *sql.DB, file string) error {
	var id, tables int
	err := db.QueryRowContext(ctx, `PRAGMA application_id`).Scan(&id)
	if err == nil {
		err = db.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_schema`).Scan(&tables)
	}
	switch code := sqliteCode(err); {
	case code == sqlitelib.SQLITE_NOTADB:
		return notDatabase(file)
	case err != nil:
		return fmt.Errorf("open %s: %w", file, openError(err, file))
	case id != applicationID && tables > 0:
		return foreignDatabase(file)
	case id != applicationID:
		if _, err := db.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d`, applicationID)); err != nil {
			return fmt.Errorf("create %s: %w", file, openError(err, file))
		}
	}
	var journal string // the setting is stored in the file, so it holds for every connection
	if err := db.QueryRowContext(ctx, `PRAGMA journal_mode = WAL`).Scan(&journal); err != nil {
		return fmt.Errorf("open %s: %w", file, openError(err, file))
	}
	if journal != "wal" {
		return fmt.Errorf("open %s: its file system does not allow a write-ahead log", file)
	}
	return migrations.Run(ctx, goose.DialectSQLite3, db, "sqlite", file)
}

// openError states in plain words why a file cannot be opened.
func openError(err error, file string) error {
	if sqliteCode(err) == sqlitelib.SQLITE_CANTOPEN {
		if _, statErr := os.Stat(filepath.Dir(file)); statErr != nil {
			return statErr
		}
		return errors.New("the file cannot be opened or created there")
	}
	return err
}

func sqliteCode(err error) int {
	if failure, ok := errors.AsType[interface {
		error
		Code() int
	}](err); ok {
		return failure.Code() & 0xff
	}
	return 0
}

// View runs read on a snapshot that is taken when it first reads.
func (s *SQLite) View(ctx context.Context, read func(shop.Reader) error, options ...shop.ViewOption) error {
	return s.read(ctx, func(t *lists.Reader) error { return read(t) }, options...)
}

// Look is View for views.
func (s *SQLite) Look(ctx context.Context, read func(views.Reader) error, options ...shop.ViewOption) error {
	return s.read(ctx, func(t *lists.Reader) error { return read(t) }, options...)
}

func (s *SQLite) read(ctx context.Context, read func(*lists.Reader) error, options ...shop.ViewOption) error {
	return s.refusal(s.view(ctx, read, slices.Contains(options, shop.Browse)))
}

func (s *SQLite) view(ctx context.Context, read func(*lists.Reader) error, browse bool) error {
	if browse {
		reading := &db.Browsing{Open: func() (db.Querier, func(), error) {
			conn, err := s.readers.borrow(ctx)
			if err != nil {
				return nil, nil, err
			}
			end := conn.conn.Within(ctx)
			return &cancellable{conn: conn, ctx: ctx}, func() {
				end()
				if conn.conn.CacheUsed() > listCache {
					conn.conn.ReleaseCaches()
				}
				s.readers.putBack(conn, true)
			}, nil
		}}
		defer func() { reading.Ended = true }()
		return read(s.reader(ctx, reading, browse))
	}
	conn, err := s.readers.borrow(ctx)
	if err != nil {
		return err
	}
	defer func() {
		s.readers.putBack(conn, conn.rollback() == nil) // a connection that cannot roll back is not used again
	}()
	if _, err := conn.Exec("BEGIN"); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	reading := &cancellable{conn: conn, ctx: ctx, until: time.Now().Add(s.viewLimit)}
	end := conn.conn.Within(ctx)
	defer func() { end(); reading.ended = true }()
	return read(s.reader(ctx, reading, browse))
}

// SerialPrefix returns the prefix of the identifiers of serials.
func (s *SQLite) SerialPrefix() ident.Prefix { return s.prefix }

// reader returns the transaction of a View.
func (s *SQLite) reader(ctx context.Context, q db.Querier, browse bool) *lists.Reader {
	return lists.New(db.Core{
		Querier: q, Prefix: s.prefix, PathCache: s.pathCache, Memory: db.MemoryOf(ctx, browse), Local: true,
		LeftOut: db.LeavingOut(ctx, s.options.Logger),
	})
}

// connectAgain opens another connection. It fails if that connection may have opened a different file than the others.
func (s *SQLite) connectAgain() (*sqliteConnection, error) {
	if err := s.lock.intact(); err != nil {
		return nil, err
	}
	conn, err := s.connect()
	if err != nil {
		return nil, err
	}
	if err := s.lock.intact(); err != nil {
		return nil, errors.Join(err, conn.close())
	}
	return conn, nil
}

// Update runs change inside the next commit.
func (s *SQLite) Update(ctx context.Context, change func(shop.Tx) error, options ...shop.UpdateOption) error {
	return s.write(ctx, func(tx statement.Update) error { return change(tx) }, options...)
}

func (s *SQLite) write(ctx context.Context, change func(statement.Update) error, options ...shop.UpdateOption) error {
	return s.written(s.writer.do(&request{ctx: ctx, update: change, options: options}))
}

// ChangeCard runs change inside the next commit.
func (s *SQLite) ChangeCard(ctx context.Context, serialID string, change func(card.Card) (card.Change, error)) error {
	number, ok := s.prefix.ParseSerialID(serialID)
	if !ok {
		return shop.ErrNoRecord
	}
	return s.written(s.writer.do(&request{ctx: ctx, serial: number, card: change}))
}

// Ready writes and reads a row. It does this at most once a second, or immediately if a write has failed.
func (s *SQLite) Ready(ctx context.Context) error {
	err := s.probe.run(ctx, s.trouble.there.Load(), s.tryWriting)
	if err == nil {
		s.trouble.over()
	}
	return sqliteRefusal(err)
}

// Version counts the changes since the file was opened. No other process can write to the file.
func (s *SQLite) Version(_ context.Context, of ident.RecordKind) (string, error) {
	state, err := s.writer.states.name(of)
	return s.opened + "-" + state, err
}

// tryWriting waits for the disk only until its caller's context ends, because the outcome is not needed afterwards.
func (s *SQLite) tryWriting(ctx context.Context) error {
	r := &request{
		ctx: ctx, options: []shop.UpdateOption{shop.Aside},
		update: func(tx statement.Update) error { return probing(tx) },
	}
	if err := s.writer.hand(r); err != nil {
		return err
	}
	select {
	case <-r.done:
		if r.panicked != nil {
			return fmt.Errorf("the probe panicked: %v", r.panicked)
		}
		return r.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close waits for running changes and Views, folds the log back into the file and releases the file. Later calls wait for the first call
// and return its result.
func (s *SQLite) Close() error { return s.close() }

func (s *SQLite) shutDown() error {
	close(s.closing)
	s.checkpointer.stop()
	s.writer.stop()
	errs := []error{s.readers.close()}
	errs = append(errs, s.checkpointer.conn.close(), s.db.Close())
	if s.lock.intact() != nil { // the path may now have the log of another database, which must not be removed
		errs = append(errs, s.writer.conn.conn.KeepLog())
	}
	wrong := s.lock.mark.wrong()
	if wrong { // the log does not belong to the contents of the file
		s.writer.conn.conn.LeaveLog()
	}
	errs = append(errs, s.writer.conn.close())
	if wrong {
		if aside, err := s.lock.putLogAside(); err != nil {
			s.options.Logger.Error("the log of the database that was written over could not be put aside: remove it before the next start",
				"error", err)
			errs = append(errs, err)
		} else {
			s.options.Logger.Warn("the log of the database that was written over is kept under another name", "file", aside)
		}
	}
	return errors.Join(append(errs, s.lock.release())...)
}

// cancellable is the connection for one View, or for one statement of a View that browses. When its context ends, it interrupts the running
// statement and runs no further ones.
type cancellable struct {
	conn  *sqliteConnection
	ctx   context.Context //nolint:containedctx // it lives as long as the View
	until time.Time       // no statement begins after this time; zero for no limit
	ended bool
}

func (c *cancellable) check() error {
	if c.ended {
		return db.ErrEnded
	}
	if !c.until.IsZero() && time.Now().After(c.until) {
		return errViewTooLong
	}
	return context.Cause(c.ctx)
}

// If the context has ended, the result is the cause of its end, and otherwise the error of the connection.
func (c *cancellable) told(err error) error {
	if cause := context.Cause(c.ctx); err != nil && cause != nil {
		return cause
	}
	return err
}

func (c *cancellable) Query(text string, args ...any) (db.Rows, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	result, err := c.conn.result(text, args...)
	if err != nil {
		return nil, err
	}
	return &cancellableRows{sqliteRows: result, of: c}, nil
}

func (c *cancellable) Exec(text string, args ...any) (int64, error) {
	if err := c.check(); err != nil {
		return 0, err
	}
	return c.conn.Exec(text, args...)
}

// cancellableRows is a result. If the end of the context interrupted it, its error is the cause of that end.
type cancellableRows struct {
	*sqliteRows
	of *cancellable
}

func (r *cancellableRows) Err() error { return r.of.told(r.sqliteRows.Err()) }
