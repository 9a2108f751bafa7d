package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/migrations"
)

// CopyInto copies a database file into another file, which must not exist or must be empty. The copy is a consistent snapshot, and a
// service that has the database open can go on writing. The caller makes the copy durable.
func CopyInto(ctx context.Context, file, to string) (err error) {
	if err := inspect(file); err != nil {
		return err
	}
	absolute, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	query := url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(10000)", "temp_store(FILE)"}}
	if !inUse(file) {
		query.Set("immutable", "1")
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: absolute}).EscapedPath()+"?"+query.Encode())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, `VACUUM INTO ?`, to); err != nil {
		return fmt.Errorf("copy %s: %w", file, err)
	}
	return markCopy(ctx, to)
}

// markCopy gives a copy its own mark (see fileMark). A process that has the database open then notices when the copy is written over it.
func markCopy(ctx context.Context, file string) (err error) {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?mode=rw")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, fmt.Sprintf(`PRAGMA user_version = %d`, newMark())); err != nil {
		return fmt.Errorf("mark %s: %w", file, err)
	}
	return nil
}

// Inspect checks the pages and the foreign keys of a database file that no process has open, and returns the number of rows of each table.
func Inspect(ctx context.Context, file string) (rowsOf map[string]int64, err error) {
	db, err := sql.Open("sqlite", readingDSN(file, true))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var verdict string
	if err := db.QueryRowContext(ctx, `SELECT group_concat(integrity_check, '; ') FROM pragma_integrity_check`).Scan(&verdict); err != nil {
		return nil, fmt.Errorf("check %s: %w", file, err)
	}
	if verdict != "ok" {
		return nil, fmt.Errorf("%s is damaged: %s", file, strings.ReplaceAll(verdict, "\n", "; "))
	}
	var dangling int64
	if err := db.QueryRowContext(ctx, `SELECT COUNT(*) FROM pragma_foreign_key_check`).Scan(&dangling); err != nil {
		return nil, fmt.Errorf("check %s: %w", file, err)
	}
	if dangling > 0 {
		return nil, fmt.Errorf("%s has %d rows that refer to rows that are not there", file, dangling)
	}
	rowsOf = map[string]int64{}
	for _, table := range migrations.Tables {
		var count int64
		if err := db.QueryRowContext(ctx, `SELECT COUNT(*) FROM `+table.Name).Scan(&count); err != nil {
			return nil, fmt.Errorf("check %s: %w", file, err)
		}
		rowsOf[table.Name] = count
	}
	return rowsOf, nil
}

// LastSerial returns the last serial number that a database file has assigned.
func LastSerial(ctx context.Context, file string) (number int64, err error) {
	db, err := sql.Open("sqlite", readingDSN(file, true))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.QueryRowContext(ctx, `SELECT value FROM counter WHERE name = 'serial'`).Scan(&number)
	return number, err
}
