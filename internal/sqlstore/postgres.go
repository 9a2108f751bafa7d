package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/lists"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
	"github.com/routecard/routecard/internal/sqlstore/standby"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// Pool has the settings for the connections to a PostgreSQL server. Zero values select the defaults.
type Pool struct {
	Connections  int
	CommitGroups int           // number of groups of card changes that may be committed at the same time; 1
	IdleTime     time.Duration // time after which an unused connection is closed; 5 minutes
	Lifetime     time.Duration // age at which a connection is closed once it is not in use; 1 hour
	Standbys     []string      // addresses of servers for Views that may read from a standby; each has as many connections
	StandbyWait  time.Duration // how long a View waits for a standby; standby.Patience

	waits time.Duration // for tests on slow machines: all other time limits of a request
}

func (p *Pool) fill() {
	if p.Connections == 0 {
		p.Connections = 16
	}
	if p.CommitGroups == 0 {
		p.CommitGroups = 1
	}
	if p.IdleTime == 0 {
		p.IdleTime = 5 * time.Minute
	}
	if p.Lifetime == 0 {
		p.Lifetime = time.Hour
	}
	if p.StandbyWait == 0 {
		p.StandbyWait = standby.Patience
	}
}

// besidesViews is the number of connections that remain for others than Views: one for each commit group, one for Get Serial, one for an
// Update, and one to ask for the position of the primary.
func (p *Pool) besidesViews() int {
	if len(p.Standbys) > 0 {
		return p.CommitGroups + 3
	}
	return p.CommitGroups + 2
}

// Timeouts of the store. When one of them expires, the store reports that the database is not available.
const (
	dialTimeout   = 2 * time.Second
	probeTimeout  = 1500 * time.Millisecond
	groupTimeout  = 10 * time.Second // for one commit of card changes, including all waiting
	patience      = 10 * time.Second // for repeating a transaction that conflicted with others; tests may set a shorter time
	commitTimeout = 30 * time.Second // for the commit of an Update, with its audit entries
)

// Postgres is a store in a PostgreSQL database that several processes may share.
type Postgres struct {
	options   Options
	prefix    ident.Prefix
	pool      *pgxpool.Pool
	pathCache *db.PathCache
	views     chan struct{} // has a place for each running View, so that connections remain for Updates
	groups    []*cardGroup  // the number of a serial selects the group that changes it
	details   *detailGroup
	positions *positionGroup   // nil without standbys
	standbys  *standby.Servers // nil without standbys
	probe     probe
	trouble   trouble
	patient   time.Duration
	wait      time.Duration   // the maximum wait for a connection
	probing   time.Duration   // the time limit of Ready
	fresh     time.Duration   // see expectedFresh
	closing   context.Context // ends when Close begins
	close     func() error
}

var _ Store = (*Postgres)(nil)

// OpenPostgres opens a database and migrates its tables. If several processes open it at the same time, one migrates the tables and the
// others wait.
func OpenPostgres(ctx context.Context, address string, pool Pool, options Options) (*Postgres, error) {
	options.fill()
	pool.fill()
	config, err := poolConfig(address, pool)
	if err != nil {
		return nil, fmt.Errorf("the address of the database is not valid: %w", err)
	}
	new(timelines).watch(config)
	return openPool(ctx, config, Redacted(address), pool, options)
}

func openPool(ctx context.Context, config *pgxpool.Config, name string, pool Pool, options Options) (*Postgres, error) {
	if err := preparePostgres(ctx, config.ConnConfig.Copy(), name, options); err != nil {
		return nil, err
	}
	connections, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	var marks int64
	if err = connections.QueryRow(ctx, `SELECT COUNT(*) FROM counter WHERE name = '`+copyMark+`'`).Scan(&marks); err == nil {
		err = unfinished(name, marks)
	}
	if err != nil {
		connections.Close()
		return nil, err
	}
	closing, stop := context.WithCancel(context.Background())
	s := &Postgres{
		options: options, pool: connections, pathCache: db.NewPathCache(), probe: newProbe(), closing: closing,
		patient: cmp.Or(pool.waits, patience), wait: cmp.Or(pool.waits, db.PlaceWait), probing: cmp.Or(pool.waits, probeTimeout),
		fresh: expectedFresh, trouble: trouble{logger: options.Logger},
		views: make(chan struct{}, max(1, pool.Connections-pool.besidesViews())),
	}
	for range pool.CommitGroups {
		s.groups = append(s.groups, newCardGroup(s))
	}
	s.details = newDetailGroup(s)
	standbyErr := s.openStandbys(ctx, pool)
	s.close = sync.OnceValue(func() error {
		stop()
		for _, group := range s.groups {
			group.stop()
		}
		s.details.stop()
		if s.standbys != nil {
			s.standbys.Close()
			s.positions.stop()
		}
		s.pool.Close()
		return nil
	})
	if err = standbyErr; err == nil {
		err = s.choosePrefix(ctx, name)
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// poolConfig gives every connection the same settings, whatever the server's defaults are.
func poolConfig(address string, pool Pool) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	known, err := migrations.NewestOf("postgres")
	if err != nil {
		return nil, err
	}
	config.MaxConns = int32(min(pool.Connections, 10_000)) //nolint:gosec // bounded
	config.MaxConnIdleTime, config.MaxConnLifetime = pool.IdleTime, pool.Lifetime
	config.MaxConnLifetimeJitter = pool.Lifetime / 10
	// A connection may be lost while idle. The next transaction on it discovers this before it has done anything, and takes another
	// connection: see Postgres.again.
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false }
	connection := config.ConnConfig
	if connection.ConnectTimeout == 0 {
		connection.ConnectTimeout = dialTimeout
	}
	connection.DialFunc = (&net.Dialer{KeepAliveConfig: net.KeepAliveConfig{
		Enable: true, Idle: 5 * time.Second, Interval: time.Second, Count: 3,
	}}).DialContext
	if connection.ValidateConnect == nil { // refuses a standby, whether or not the address says so
		connection.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	connection.OnNotice = func(conn *pgconn.PgConn, notice *pgconn.Notice) {
		if notice.SeverityUnlocalized == "WARNING" {
			conn.CustomData()[warned] = notice.Message
		}
	}
	maps.Copy(connection.RuntimeParams, map[string]string{
		"application_name": "routecard",
		"lock_timeout":     "1s", // then the transaction is repeated until patience expires
		// The server must not cancel statements: one of them may be a commit, and a commit may succeed although it was cancelled.
		"statement_timeout": "0",
		// An instance that hangs or vanishes must not keep its locks.
		"idle_in_transaction_session_timeout": "65s",
		"tcp_keepalives_idle":                 "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3",
		// Every statement has an index. A plan that was made while a table was small must not read the whole table after it has grown.
		// Planning the same statement again, or compiling it, takes more time than it saves.
		"enable_seqscan": "off", "plan_cache_mode": "force_generic_plan", "jit": "off",
	})
	connection.AfterConnect = func(ctx context.Context, conn *pgconn.PgConn) error {
		// A change is on disk before its caller gets a response. The operator may choose a value that includes standbys. The triggers of
		// the migration proofs compare the version of the tables that this program knows.
		_, err := conn.Exec(ctx, fmt.Sprintf(`SELECT set_config('routecard.tables', '%d', false);
			SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`, known)).ReadAll()
		return err
	}
	return config, nil
}

// warned is the key under which a connection stores a warning of the server.
const warned = "routecard.warned"

// OldestPostgres is the oldest version of PostgreSQL that Postgres works with.
const OldestPostgres = 14

// migrationLock is the advisory lock of the process that migrates the tables.
const migrationLock = `(1380139588, 2)`

func preparePostgres(ctx context.Context, config *pgx.ConnConfig, name string, options Options) (err error) {
	config.RuntimeParams["lock_timeout"] = "0" // another instance may need a long time to migrate
	config.RuntimeParams["idle_in_transaction_session_timeout"] = "0"
	db := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("open %s: %w", name, connectFailure(err))
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err := checkServer(ctx, conn, name, options); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock`+migrationLock); err != nil {
		return fmt.Errorf("wait for the other instances of %s: %w", name, err)
	}
	defer func() {
		_, unlockErr := conn.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock`+migrationLock)
		err = errors.Join(err, unlockErr)
	}()
	if err := checkOwner(ctx, conn, name); err != nil {
		return err
	}
	return migrations.Run(ctx, goose.DialectPostgres, db, "postgres", name)
}

func checkServer(ctx context.Context, conn *sql.Conn, name string, options Options) error {
	options.fill()
	var version int
	var program string
	if err := conn.QueryRowContext(ctx, `SELECT version()`).Scan(&program); err != nil {
		return fmt.Errorf("open %s: %w", name, err)
	}
	if err := checkProgram(name, program); err != nil {
		return err
	}
	var encoding, fsync, checksums string
	if err := conn.QueryRowContext(ctx, `SELECT current_setting('server_version_num')::int,
		current_setting('server_encoding'), current_setting('fsync'), current_setting('data_checksums')`).
		Scan(&version, &encoding, &fsync, &checksums); err != nil {
		return fmt.Errorf("open %s: %w", name, err)
	}
	if version/10_000 < OldestPostgres {
		return fmt.Errorf("%s is on PostgreSQL %d; Routecard needs %d or later", name, version/10_000, OldestPostgres)
	}
	if encoding != "UTF8" {
		return fmt.Errorf("%s has the encoding %s; Routecard needs UTF8", name, encoding)
	}
	if fsync != "on" {
		options.Logger.WarnContext(ctx, "the database server runs with fsync = off: a power failure can destroy the database")
	}
	if checksums != "on" {
		options.Logger.WarnContext(ctx, "the database server runs without checksums of its pages: "+
			"what a disk changes goes unnoticed (see pg_checksums)")
	}
	return nil
}

// checkProgram refuses a server that uses PostgreSQL's protocol but is another program, according to the result of version().
func checkProgram(name, version string) error {
	if program, ok := strings.CutPrefix(version, "PostgreSQL "); ok {
		for _, other := range []string{"CockroachDB", "YugabyteDB", "-YB-", "Materialize", "Redshift", "Greenplum"} {
			if strings.Contains(program, other) {
				return fmt.Errorf("%s is on %s; Routecard needs PostgreSQL", name, strings.Trim(other, "-"))
			}
		}
		return nil
	}
	program, _, _ := strings.Cut(version, " ")
	return fmt.Errorf("%s is on %s; Routecard needs PostgreSQL", name, program)
}

// checkOwner refuses a database in which another program has tables with Routecard's names.
func checkOwner(ctx context.Context, conn *sql.Conn, name string) error {
	var ours, taken bool
	if err := conn.QueryRowContext(ctx, `SELECT to_regclass('goose_db_version') IS NOT NULL,
		to_regclass('job') IS NOT NULL OR to_regclass('serial') IS NOT NULL`).Scan(&ours, &taken); err != nil {
		return fmt.Errorf("open %s: %w", name, err)
	}
	if taken && !ours {
		return fmt.Errorf("%s is a database of another program, not of Routecard", name)
	}
	return nil
}

// lockRows ends a SELECT and locks the rows that a transaction bases a decision on. Other transactions may still add rows that refer to
// them.
const lockRows = " FOR NO KEY UPDATE"

// lockName locks a name by its hash, and thus also any name with the same hash.
const lockName = `SELECT pg_advisory_xact_lock(1380139590, hashtext($1))`

// View runs read on a snapshot that is taken when it first reads.
func (s *Postgres) View(ctx context.Context, read func(shop.Reader) error, options ...shop.ViewOption) error {
	return s.read(ctx, func(t *lists.Reader) error { return read(t) }, options...)
}

// Look is View for views.
func (s *Postgres) Look(ctx context.Context, read func(views.Reader) error, options ...shop.ViewOption) error {
	return s.read(ctx, func(t *lists.Reader) error { return read(t) }, options...)
}

func (s *Postgres) read(ctx context.Context, read func(*lists.Reader) error, options ...shop.ViewOption) error {
	browse := slices.Contains(options, shop.Browse)
	if reads := shop.StandbyReadsOf(ctx); reads != nil && s.standbys != nil && !browse {
		if ran, err := s.readStandby(ctx, reads, read); ran {
			return err
		}
	}
	err := s.view(ctx, read, browse)
	if errors.Is(err, errStale) && !browse { // read has not received anything yet, so it can run again
		s.pool.Reset()
		err = s.view(ctx, read, browse)
	}
	if err == nil {
		s.trouble.over()
	}
	return s.refusal(ctx, err)
}

func (s *Postgres) view(ctx context.Context, read func(*lists.Reader) error, browse bool) error {
	if browse {
		reads, failed := shop.StandbyReadsOf(ctx), false
		reading := &db.Browsing{
			Open: func() (db.Querier, func(), error) {
				if reads != nil && s.standbys != nil && !failed {
					if page, done, err := s.pageOnStandby(ctx, reads); page != nil || err != nil {
						return page, done, err
					}
				}
				failed = false
				return s.openView(ctx, "")
			},
			Stale: func(err error) bool {
				if failed = errors.Is(err, errStandby); failed {
					return true
				}
				if !errors.Is(err, errStale) {
					return false
				}
				s.pool.Reset()
				return true
			},
		}
		defer func() { reading.Ended = true }()
		return read(s.reader(ctx, reading, browse))
	}
	view, done, err := s.openView(ctx, beginView)
	if err != nil {
		return err
	}
	defer done()
	return read(s.reader(ctx, view, browse))
}

// SerialPrefix returns the prefix of the identifiers of serials.
func (s *Postgres) SerialPrefix() ident.Prefix { return s.prefix }

// reader returns the transaction of a View.
func (s *Postgres) reader(ctx context.Context, q db.Querier, browse bool) *lists.Reader {
	return lists.New(db.Core{
		Querier: q, Prefix: s.prefix, PathCache: s.pathCache, Memory: db.MemoryOf(ctx, browse),
		LeftOut: db.LeavingOut(ctx, s.trouble.logger),
	})
}

// beginView begins a transaction in which all statements see the snapshot of the first one.
const beginView = `BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY`

// openView waits for a place and starts to read.
func (s *Postgres) openView(ctx context.Context, begin string) (view db.Querier, done func(), err error) {
	patience := time.NewTimer(db.PlaceWait)
	defer patience.Stop()
	select {
	case s.views <- struct{}{}:
	case <-patience.C:
		return nil, nil, refusal.ErrBusy
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	conn, err := s.acquire(ctx)
	if err != nil {
		<-s.views
		return nil, nil, err
	}
	reading := &postgresTransaction{ctx: ctx, conn: conn, begin: begin}
	return reading, func() {
		reading.rollback()
		conn.Release()
		<-s.views
	}, nil
}

// Update runs change in a transaction that locks the rows it looks up, and repeats it after a conflict with another transaction.
func (s *Postgres) Update(ctx context.Context, change func(shop.Tx) error, options ...shop.UpdateOption) error {
	return s.write(ctx, func(tx statement.Update) error { return change(tx) }, options...)
}

func (s *Postgres) write(ctx context.Context, change func(statement.Update) error, options ...shop.UpdateOption) error {
	started := time.Now()
	err := s.again(ctx, func() error {
		conn, err := s.acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		pgTx := &postgresTransaction{ctx: ctx, conn: conn, begin: beginUpdate, key: keyLock(ctx)}
		defer pgTx.rollback()
		weighing := &db.Metered{Querier: pgTx, Most: shop.PostgresWork * s.options.WorkLimit}
		defer func() { s.options.Worked(weighing.Done) }()
		tx := &postgresUpdate{aside: slices.Contains(options, shop.Aside), decidedBy: map[string]string{}}
		at := db.Core{
			Querier: weighing, Prefix: s.prefix, PathCache: s.pathCache, Lock: lockRows, NameLock: lockName, Revisions: map[string]string{},
		}
		if tx.aside {
			at.Querier = pgTx
		}
		tx.Over(at)
		if err := weighing.Refusal(change(tx)); err != nil {
			return err
		}
		return tx.commit(pgTx)
	})
	if err == nil {
		s.options.Committed(1, time.Since(started))
	}
	return s.refusal(ctx, s.orKey(ctx, err))
}

// ChangeCard runs change in the next group, or in a separate transaction if another transaction has locked the serial.
func (s *Postgres) ChangeCard(ctx context.Context, serialID string, change func(card.Card) (card.Change, error)) error {
	number, ok := s.prefix.ParseSerialID(serialID)
	if !ok {
		return shop.ErrNoRecord
	}
	started := time.Now()
	r := &request{ctx: ctx, serial: number, card: change}
	group := s.groups[number%int64(len(s.groups))]
	err := group.do(r)
	if errors.Is(err, errLocked) {
		alone := []*request{r}
		if err = s.again(ctx, func() error { return group.attempt(ctx, alone, true) }); err == nil {
			err = r.err
		}
		if r.panicked != nil {
			panic(r.panicked)
		}
		if err == nil {
			s.options.Committed(1, time.Since(started))
		}
	}
	return s.refusal(ctx, s.orKey(ctx, err))
}

// Ready writes and reads a row, at most once a second, and returns within two seconds.
func (s *Postgres) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.probing)
	defer cancel()
	return s.probe.run(ctx, s.trouble.there.Load(), func(ctx context.Context) error {
		return s.write(ctx, func(tx statement.Update) error {
			if u, ok := tx.(*postgresUpdate); ok {
				u.probes = true
			}
			return probing(tx)
		}, shop.Aside)
	})
}

// Version identifies the last audit entry of a job, and the last change of a job or path that has no such entry. For units it also
// identifies the last entry of a unit, or of a change that may move units: every change of a unit has such an entry. It includes the
// identifiers of the transactions that wrote these entries, because after a restore other transactions use the same numbers again.
func (s *Postgres) Version(ctx context.Context, of ident.RecordKind) (string, error) {
	names, units := ``, ``
	switch of { //nolint:exhaustive // no other list is read whole
	case shop.RecordJob:
	case shop.RecordSerial: // a row shows the names of its job, path and step
		names, units = `, u.sequence, u.at, u.xmin`, ` LEFT JOIN (SELECT sequence, at, xmin FROM audit
			WHERE serial_number <> 0 OR action IN (`+movingActions()+`) ORDER BY sequence DESC LIMIT 1) u ON TRUE`
	default:
		return "", fmt.Errorf("there is no list of all records of the kind %s", of)
	}
	var version string
	err := s.read(ctx, func(t *lists.Reader) (err error) {
		version, err = db.One(t, db.Scalar[string], `SELECT CONCAT_WS('-', c.value, c.xmin, a.sequence, a.at, a.xmin`+names+`)
			FROM counter c
			LEFT JOIN (SELECT sequence, at, xmin FROM audit WHERE action = 'job_created' OR action = 'job_changed'
				ORDER BY sequence DESC LIMIT 1) a ON TRUE`+units+`
			WHERE c.name = 'untold'`)
		return err
	})
	return version, err
}

// movingActions lists the actions that may change the positions of units.
func movingActions() string {
	var quoted []string
	for _, action := range shop.AuditActions() {
		if shop.MovesUnits(action) {
			quoted = append(quoted, `'`+string(action)+`'`)
		}
	}
	return strings.Join(quoted, ", ")
}

// Close waits for running calls and closes the connections. Later calls wait for the first.
func (s *Postgres) Close() error { return s.close() }

func (s *Postgres) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	if s.closing.Err() != nil {
		return nil, errClosed
	}
	waiting, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	conn, err := s.pool.Acquire(waiting)
	switch {
	case err == nil:
		return conn, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case s.closing.Err() != nil:
		return nil, errClosed
	case waiting.Err() != nil && s.pool.Stat().AcquiredConns() == s.pool.Config().MaxConns:
		return nil, refusal.ErrBusy
	}
	return nil, fmt.Errorf("%w: %w", errUnreachable, err)
}
