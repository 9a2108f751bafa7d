package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/lists"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
	"github.com/routecard/routecard/shop"
)

// errOpened reports that a process opened a file while it was being read on the assumption that no process has it open.
var errOpened = errors.New("the file was opened meanwhile")

// ReadOnly runs read on one snapshot of a database and does not change the database. A service may have it open.
func ReadOnly(ctx context.Context, database string, read func(shop.Reader) error) error {
	return ReadAltered(ctx, database, func(tx shop.Reader, wrong error) error {
		if wrong != nil {
			return wrong
		}
		return read(tx)
	})
}

// ReadAltered is ReadOnly for databases that someone may have altered. If the stored prefix of serials cannot be used, wrong says why, and
// the reader has the prefix that the trail states.
func ReadAltered(ctx context.Context, database string, read func(tx shop.Reader, wrong error) error) error {
	if IsPostgres(database) {
		return readPostgres(ctx, database, read)
	}
	err := readSQLite(ctx, database, !inUse(database), read)
	if errors.Is(err, errOpened) {
		err = readSQLite(ctx, database, false, read)
	}
	return err
}

// inUse reports whether a process has the file open or has left data in its log.
func inUse(file string) bool {
	for _, side := range []string{"-shm", "-wal"} {
		if _, err := os.Stat(target(file) + side); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// readSQLite reads a file. atRest makes SQLite assume that no process changes the file. Without it SQLite would create files next to the
// database that belong to the user who reads, and these files could prevent the service from opening the database.
func readSQLite(ctx context.Context, file string, atRest bool, read func(tx shop.Reader, wrong error) error) (err error) {
	if _, err := os.Stat(file); err != nil {
		return err
	}
	if err := inspect(file); err != nil {
		return err
	}
	database, err := sql.Open("sqlite", readingDSN(file, atRest))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	s := &SQLite{db: database, dsn: readingDSN(file, atRest)}
	s.options.fill()
	conn, err := s.connect()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.close()) }()
	if _, err := conn.Exec("BEGIN"); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	defer conn.conn.Within(ctx)()
	reading := &cancellable{conn: conn, ctx: ctx}
	if err := knownTables(reading, "sqlite", file); err != nil {
		return err
	}
	prefix, wrong, err := prefixToRead(reading, file)
	if err != nil {
		return err
	}
	err = read(lists.New(db.Core{Querier: reading, Prefix: prefix, PathCache: db.NewPathCache(), Partial: true}), wrong)
	if atRest && inUse(file) {
		return errOpened
	}
	return err
}

func readingDSN(file string, atRest bool) string {
	if absolute, err := filepath.Abs(file); err == nil {
		file = absolute
	}
	query := url.Values{"mode": {"ro"}, "_pragma": {"query_only(1)", "busy_timeout(10000)", "temp_store(MEMORY)"}}
	if atRest {
		query.Set("immutable", "1")
	}
	return "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + query.Encode()
}

// knownTables refuses a database whose tables have another version than this program's.
func knownTables(q db.Querier, folder, name string) error {
	version, err := db.One(q, db.Scalar[int64], `SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version`)
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", name, err)
	}
	return migrations.SameTables(version, folder, name)
}

func readPostgres(ctx context.Context, address string, read func(tx shop.Reader, wrong error) error) error {
	return onReadingConnection(ctx, address, func(conn *pgxpool.Conn) error {
		view := &postgresTransaction{ctx: ctx, conn: conn, begin: beginView}
		defer view.rollback()
		if err := knownTables(view, "postgres", Redacted(address)); err != nil {
			return err
		}
		prefix, wrong, err := prefixToRead(view, Redacted(address))
		if err != nil {
			return err
		}
		return read(lists.New(db.Core{Querier: view, Prefix: prefix, PathCache: db.NewPathCache(), Partial: true}), wrong)
	})
}

// onReadingConnection runs use on a connection to a PostgreSQL server. The server may be a standby, unless target_session_attrs in the
// address excludes that.
func onReadingConnection(ctx context.Context, address string, use func(*pgxpool.Conn) error) error {
	pool := Pool{Connections: 1}
	pool.fill()
	config, err := poolConfig(address, pool)
	if err != nil {
		return fmt.Errorf("the address of the database is not valid: %w", err)
	}
	asked, err := pgconn.ParseConfig(address)
	if err != nil {
		return fmt.Errorf("the address of the database is not valid: %w", err)
	}
	config.ConnConfig.ValidateConnect = asked.ValidateConnect // a standby can be read, unless the address asks for another server
	config.ConnConfig.RuntimeParams["application_name"] = "routecard verify"
	connections, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("open %s: %w", Redacted(address), err)
	}
	defer connections.Close()
	conn, err := connections.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("open %s: %w", Redacted(address), err)
	}
	defer conn.Release()
	return use(conn)
}
