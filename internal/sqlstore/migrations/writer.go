package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// A program may write to a database only if it knows at least the version of its tables that the counter writer states. A migration can
// raise this minimum. A program that knows only older versions refuses to open the database. On PostgreSQL, programs of two versions may be
// connected, so triggers compare the minimum with the connection's setting routecard.tables at every change; see the migration proofs of
// PostgreSQL.

// NewestOf returns the version of the tables that this program knows: the number of the newest migration of an engine.
func NewestOf(folder string) (newest int64, err error) {
	files, err := fs.Glob(Of(folder), "*.sql")
	for _, file := range files {
		number, _, _ := strings.Cut(file, "_")
		version, parseErr := strconv.ParseInt(number, 10, 64)
		newest, err = max(newest, version), errors.Join(err, parseErr)
	}
	return newest, err
}

// Newest returns the version of the tables that this program knows. It is the same for both engines.
func Newest() (int64, error) { return NewestOf("sqlite") }

// ErrTooOld reports that a newer program has migrated the database.
var ErrTooOld = errors.New("start the newer program; only a backup from before the upgrade leads back to this one")

// tooOld refuses a database with tables that are newer than this program knows.
func tooOld(database string, version, known int64) error {
	return fmt.Errorf("%s is from a newer version of Routecard (its tables have version %d, this program knows up to %d): %w",
		database, version, known, ErrTooOld)
}

// checkWriter refuses a database that only newer programs may write to. A database without tables, or from before the counter existed, has
// no minimum.
func checkWriter(ctx context.Context, db *sql.DB, database string, known int64) error {
	var least int64
	err := db.QueryRowContext(ctx, `SELECT value FROM counter WHERE name = 'writer'`).Scan(&least)
	if err == nil && least > known {
		return fmt.Errorf("%s may be written by newer versions of Routecard only (by those that know version %d of its tables, "+
			"this program knows up to %d): start the newer program", database, least, known)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// ErrOlder reports that a database with older tables cannot be read.
var ErrOlder = errors.New("use the program that it belongs to, or let the service bring it up to date")

// SameTables refuses a version of the tables other than this program's.
func SameTables(version int64, folder, name string) error {
	newest, err := NewestOf(folder)
	if err != nil {
		return err
	}
	if version > newest {
		return tooOld(name, version, newest)
	}
	if version != newest {
		return fmt.Errorf("the tables of %s have version %d and this program knows %d: %w", name, version, newest, ErrOlder)
	}
	return nil
}
