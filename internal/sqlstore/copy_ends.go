package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
)

// sqliteEnd is a file as the source or target of a copy, with the lock on it.
type sqliteEnd struct {
	file string
	lock *fileLock
	db   *sql.DB
	conn *sql.Conn
}

func openSQLiteEnd(ctx context.Context, file string) (end *sqliteEnd, err error) {
	if err := inspect(file); err != nil {
		return nil, err
	}
	lock, err := lockFile(file)
	if err != nil {
		return nil, err
	}
	e := &sqliteEnd{file: file, lock: lock}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	if e.db, err = sql.Open("sqlite", sqliteDSN(file)); err != nil {
		return nil, err
	}
	if err := prepareSQLite(ctx, e.db, file); err != nil {
		return nil, err
	}
	if e.conn, err = e.db.Conn(ctx); err != nil {
		return nil, err
	}
	return e, nil
}

func (e *sqliteEnd) Describe() string { return e.file }

func (e *sqliteEnd) Columns(ctx context.Context, table string) (map[string]bool, error) {
	columns := map[string]bool{}
	for row, err := range e.Rows(ctx, `SELECT name FROM pragma_table_info('`+table+`')`) {
		if err != nil {
			return nil, err
		}
		columns[fmt.Sprint(row[0])] = false // SQLite has no booleans
	}
	return columns, nil
}

func (e *sqliteEnd) Number(ctx context.Context, query string) (number int64, err error) {
	err = e.conn.QueryRowContext(ctx, query).Scan(&number)
	return number, err
}

func (e *sqliteEnd) Rows(ctx context.Context, query string) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		result, err := e.conn.QueryContext(ctx, query)
		if err != nil {
			yield(nil, err)
			return
		}
		defer result.Close()
		columns, err := result.Columns()
		if err != nil {
			yield(nil, err)
			return
		}
		for result.Next() {
			row, places := make([]any, len(columns)), make([]any, len(columns))
			for i := range row {
				places[i] = &row[i]
			}
			if err := result.Scan(places...); !yield(row, err) || err != nil {
				return
			}
		}
		if err := result.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// insertTogether is the number of rows that one statement inserts.
const insertTogether = 50

func (e *sqliteEnd) Insert(ctx context.Context, table string, columns []string, rows iter.Seq2[[]any, error]) error {
	head := `INSERT INTO ` + table + ` (` + strings.Join(columns, ", ") + `) VALUES`
	full, err := e.conn.PrepareContext(ctx, head+rowPlaceholders(insertTogether, len(columns)))
	if err != nil {
		return err
	}
	defer full.Close()
	args := make([]any, 0, insertTogether*len(columns))
	for row, err := range rows {
		if err != nil {
			return err
		}
		if args = append(args, row...); len(args) == cap(args) {
			if _, err := full.ExecContext(ctx, args...); err != nil {
				return err
			}
			args = args[:0]
		}
	}
	if len(args) == 0 {
		return nil
	}
	_, err = e.conn.ExecContext(ctx, head+rowPlaceholders(len(args)/len(columns), len(columns)), args...)
	return err
}

func rowPlaceholders(rows, width int) string {
	var b strings.Builder
	for i := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " (%s)", db.PlaceholderList(1+i*width, width))
	}
	return b.String()
}

func (e *sqliteEnd) Execute(ctx context.Context, statement string) error {
	_, err := e.conn.ExecContext(ctx, statement)
	return err
}

func (e *sqliteEnd) Begin(ctx context.Context) error  { return e.Execute(ctx, `BEGIN`) }
func (e *sqliteEnd) Commit(ctx context.Context) error { return e.Execute(ctx, `COMMIT`) }

// Close rolls back uncommitted changes.
func (e *sqliteEnd) Close() error {
	var errs []error
	if e.conn != nil {
		_, _ = e.conn.ExecContext(context.Background(), `ROLLBACK`) // the transaction may have ended already
		_, err := e.conn.ExecContext(context.Background(), `PRAGMA wal_checkpoint(TRUNCATE)`)
		errs = append(errs, err, e.conn.Close())
	}
	if e.db != nil {
		errs = append(errs, e.db.Close())
	}
	return errors.Join(append(errs, e.lock.release())...)
}

// postgresEnd is a PostgreSQL database as the source or target of a copy.
type postgresEnd struct {
	name string
	conn *pgx.Conn
}

func openPostgresEnd(ctx context.Context, address string, options Options, source bool) (end *postgresEnd, err error) {
	pool := Pool{}
	pool.fill()
	config, err := poolConfig(address, pool)
	if err != nil {
		return nil, fmt.Errorf("the address of the database is not valid: %w", err)
	}
	connection := config.ConnConfig
	connection.RuntimeParams["application_name"] = "routecard copy"
	connection.RuntimeParams["idle_in_transaction_session_timeout"] = "0" // reading from or writing to the other database may take long
	e := &postgresEnd{name: Redacted(address)}
	if source {
		if standby, err := openStandby(ctx, connection.Copy(), e.name); standby != nil || err != nil {
			return standby, err
		}
	}
	if err := preparePostgres(ctx, connection.Copy(), e.name, options); err != nil {
		return nil, err
	}
	if e.conn, err = pgx.ConnectConfig(ctx, connection); err != nil {
		return nil, fmt.Errorf("open %s: %w", e.name, err)
	}
	if err := e.alone(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// openStandby opens a source that refuses writes: a standby, or a server that is set to read-only. It returns nil if the server accepts
// writes. It does not migrate the tables, which must be of this program's version. Other instances may keep working, because the copy reads
// a snapshot.
func openStandby(ctx context.Context, connection *pgx.ConnConfig, name string) (*postgresEnd, error) {
	if conn, err := pgx.ConnectConfig(ctx, connection); err == nil { // given several servers, this finds the one that accepts writes
		return nil, conn.Close(ctx)
	}
	connection.ValidateConnect = nil
	conn, err := pgx.ConnectConfig(ctx, connection)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	e := &postgresEnd{name: name, conn: conn}
	version, err := e.Number(ctx, `SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version`)
	if err == nil {
		err = migrations.SameTables(version, "postgres", name)
	}
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// alone refuses a database that other instances use. It retries for a short time, because the server may still have the session of an
// instance that was just stopped or of an interrupted copy.
func (e *postgresEnd) alone(ctx context.Context) error {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for tries := 0; ; tries++ {
		others, err := e.Number(ctx, `SELECT COUNT(*) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name LIKE 'routecard%' AND pid <> pg_backend_pid()`)
		switch {
		case err != nil || others == 0:
			return err
		case tries == 30:
			return fmt.Errorf("%s is %w: stop its instances first", e.name, ErrInUse)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (e *postgresEnd) Describe() string { return e.name }

func (e *postgresEnd) Columns(ctx context.Context, table string) (map[string]bool, error) {
	columns := map[string]bool{}
	for row, err := range e.Rows(ctx, `SELECT CAST(attname AS text), atttypid = 'boolean'::regtype FROM pg_attribute
		WHERE attrelid = '`+table+`'::regclass AND attnum > 0 AND NOT attisdropped`) {
		if err != nil {
			return nil, err
		}
		columns[fmt.Sprint(row[0])], _ = row[1].(bool)
	}
	return columns, nil
}

func (e *postgresEnd) Number(ctx context.Context, query string) (number int64, err error) {
	err = e.conn.QueryRow(ctx, query).Scan(&number)
	return number, err
}

func (e *postgresEnd) Rows(ctx context.Context, query string) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		result, err := e.conn.Query(ctx, query)
		if err != nil {
			yield(nil, err)
			return
		}
		defer result.Close()
		for result.Next() {
			if row, err := result.Values(); !yield(row, err) || err != nil {
				return
			}
		}
		if err := result.Err(); err != nil {
			yield(nil, err)
		}
	}
}

func (e *postgresEnd) Insert(ctx context.Context, table string, columns []string, rows iter.Seq2[[]any, error]) error {
	next, stop := iter.Pull2(rows)
	defer stop()
	_, err := e.conn.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(func() ([]any, error) {
		row, err, more := next()
		if !more {
			return nil, nil
		}
		return row, err
	}))
	return err
}

func (e *postgresEnd) Execute(ctx context.Context, statement string) error {
	_, err := e.conn.Exec(ctx, statement)
	return err
}

func (e *postgresEnd) Begin(ctx context.Context) error {
	return e.Execute(ctx, `BEGIN ISOLATION LEVEL REPEATABLE READ`)
}

func (e *postgresEnd) Commit(ctx context.Context) error {
	delete(e.conn.PgConn().CustomData(), warned)
	if err := e.Execute(ctx, `COMMIT`); err != nil {
		return err
	}
	if warning, ok := e.conn.PgConn().CustomData()[warned]; ok {
		return fmt.Errorf("the server warned: %v", warning)
	}
	return e.Execute(ctx, `ANALYZE`)
}

// Close rolls back uncommitted changes.
func (e *postgresEnd) Close() error { return e.conn.Close(context.Background()) }
