package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/migrations"
)

// CopyOptions are the settings of Copy.
type CopyOptions struct {
	Options
	// Progress is called regularly with the number of copied rows of a table and the total number of its rows. It may be nil.
	Progress func(table string, rows, of int64)
}

// CopiedTable is the verified result of copying one table.
type CopiedTable struct {
	Name   string
	Rows   int64
	Digest string // hash of all columns of all rows in the order of the key, the same for every engine
}

// copyMark is the name of a counter that a target database has until the copy is complete.
const copyMark = "copying"

// unfinished refuses a database with an incomplete copy.
func unfinished(name string, marks int64) error {
	if marks > 0 {
		return fmt.Errorf("%s is the target of a copy that has not finished; let it finish, or run routecard copy again", name)
	}
	return nil
}

// refuseUnfinished returns an error if a database that is to be used has an incomplete copy.
func refuseUnfinished(ctx context.Context, db *sql.DB, name string) error {
	var marks int64
	if err := db.QueryRowContext(ctx, `SELECT COUNT(*) FROM counter WHERE name = '`+copyMark+`'`).Scan(&marks); err != nil {
		return fmt.Errorf("open %s: %w", name, err)
	}
	return unfinished(name, marks)
}

// copyEnd is the source or the target of a copy, with tables of this program's version. All writes belong to one transaction that commits
// at the end. All reads see one snapshot.
type copyEnd interface {
	Describe() string
	// Columns returns the names of a table's columns and whether they are boolean.
	Columns(ctx context.Context, table string) (map[string]bool, error)
	Number(ctx context.Context, query string) (int64, error)
	Rows(ctx context.Context, query string) iter.Seq2[[]any, error]
	Insert(ctx context.Context, table string, columns []string, rows iter.Seq2[[]any, error]) error
	Execute(ctx context.Context, statement string) error
	Begin(ctx context.Context) error // begins the one transaction
	Commit(ctx context.Context) error
	Close() error
}

// Copy copies a whole database into an empty one: identifiers, order, the sequence of the audit trail, counters. No other process may use
// either of them meanwhile, except when the source is a PostgreSQL standby or read-only. Copy reads the target again, compares it with the
// source, and only then commits. If Copy fails, the target stays empty. It can then not be opened, but Copy can be repeated.
func Copy(ctx context.Context, from, to string, options CopyOptions) (copied []CopiedTable, err error) {
	options.fill()
	if options.Progress == nil {
		options.Progress = func(string, int64, int64) {}
	}
	if _, err := os.Stat(from); err != nil && !IsPostgres(from) {
		return nil, fmt.Errorf("nothing to copy: %w", err) // without creating a file
	}
	source, err := openEnd(ctx, from, options.Options, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := openEnd(ctx, to, options.Options, false)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	if err := prepareCopy(ctx, source, target); err != nil {
		return nil, err
	}
	if err := errors.Join(source.Begin(ctx), target.Begin(ctx)); err != nil {
		return nil, err
	}
	for _, start := range []string{`DELETE FROM counter WHERE name <> '` + copyMark + `'`, `DELETE FROM serial_prefix`} {
		if err := target.Execute(ctx, start); err != nil {
			return nil, fmt.Errorf("write to %s: %w", target.Describe(), err)
		}
	}
	for _, table := range migrations.Tables {
		done, err := copyTable(ctx, source, target, table, options)
		if err != nil {
			return nil, fmt.Errorf("copy %s: %w", table.Name, err)
		}
		copied = append(copied, done)
	}
	if err := target.Execute(ctx, `DELETE FROM counter WHERE name = '`+copyMark+`'`); err != nil {
		return nil, fmt.Errorf("write to %s: %w", target.Describe(), err)
	}
	if err := target.Commit(ctx); err != nil {
		return nil, fmt.Errorf("write to %s: %w", target.Describe(), err)
	}
	return copied, nil
}

func openEnd(ctx context.Context, database string, options Options, source bool) (copyEnd, error) {
	if IsPostgres(database) {
		return openPostgresEnd(ctx, database, options, source)
	}
	return openSQLiteEnd(ctx, database)
}

// prepareCopy refuses a source with an incomplete copy, refuses a target that is not empty, and marks the target.
func prepareCopy(ctx context.Context, source, target copyEnd) error {
	const marks = `SELECT COUNT(*) FROM counter WHERE name = '` + copyMark + `'`
	marked, err := source.Number(ctx, marks)
	if err == nil {
		err = unfinished(source.Describe(), marked)
	}
	if err != nil {
		return err
	}
	for _, table := range migrations.Tables {
		if table.Name == "serial_prefix" { // an empty database that was started has no units yet
			continue
		}
		query := `SELECT CASE WHEN EXISTS (SELECT 1 FROM ` + table.Name + `) THEN 1 ELSE 0 END`
		if table.Name == "counter" { // this table has rows even in a new database
			query = `SELECT value FROM counter WHERE name = 'serial'`
		}
		used, err := target.Number(ctx, query)
		if err != nil {
			return fmt.Errorf("read %s: %w", target.Describe(), err)
		}
		if used != 0 {
			return fmt.Errorf("%s is not empty; a copy needs an empty target", target.Describe())
		}
	}
	if marked, err = target.Number(ctx, marks); err == nil && marked == 0 {
		err = target.Execute(ctx, `INSERT INTO counter (name, value) VALUES ('`+copyMark+`', 1)`)
	}
	return err
}

// copyTable copies one table, and reads it again from the target.
//
//nolint:gocognit // three passes one after the other, each with its errors
func copyTable(ctx context.Context, source, target copyEnd, table migrations.Table, options CopyOptions) (CopiedTable, error) {
	from, err := source.Columns(ctx, table.Name)
	if err != nil {
		return CopiedTable{}, err
	}
	to, err := target.Columns(ctx, table.Name)
	if err != nil {
		return CopiedTable{}, err
	}
	names := slices.Sorted(maps.Keys(from))
	if !slices.Equal(names, slices.Sorted(maps.Keys(to))) {
		return CopiedTable{}, errors.New("the columns are not the same on both sides")
	}
	rows := ` FROM ` + table.Name
	if table.Name == "counter" {
		rows += ` WHERE name <> '` + copyMark + `'`
	}
	of, err := source.Number(ctx, `SELECT COUNT(*)`+rows)
	if err != nil {
		return CopiedTable{}, err
	}
	query := `SELECT ` + strings.Join(names, ", ") + rows + ` ORDER BY ` + table.Key
	read, written := newDigest(), newDigest()
	counted := func(rows int64) {
		if rows%progressRows == 0 || rows == of {
			options.Progress(table.Name, rows, of)
		}
	}
	counted(0)
	if err := target.Insert(ctx, table.Name, names, asBooleans(read.through(source.Rows(ctx, query), counted), names, to)); err != nil {
		return CopiedTable{}, err
	}
	for _, err := range written.through(target.Rows(ctx, query), func(int64) {}) {
		if err != nil {
			return CopiedTable{}, err
		}
	}
	if read.rows != written.rows || read.String() != written.String() {
		return CopiedTable{}, fmt.Errorf("%d rows with digest %s were read, and %d rows with digest %s are in %s",
			read.rows, read, written.rows, written, target.Describe())
	}
	return CopiedTable{Name: table.Name, Rows: written.rows, Digest: written.String()}, nil
}

// asBooleans converts the numbers in boolean columns to booleans.
func asBooleans(rows iter.Seq2[[]any, error], names []string, boolean map[string]bool) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for row, err := range rows {
			for i := range row {
				if boolean[names[i]] {
					row[i] = row[i] != int64(0)
				}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// progressRows is the number of rows between calls of Progress.
const progressRows = 10_000

// digest is a running hash of rows. It hashes each text and each whole number with its kind, and each text with its length, so that
// different tables never produce the same input.
type digest struct {
	sum    hash.Hash
	buffer []byte
	rows   int64
}

func newDigest() *digest { return &digest{sum: sha256.New()} }

// add hashes a row, converting each value to a string or an int64.
func (d *digest) add(row []any) error {
	d.buffer = append(d.buffer[:0], 'r')
	for i, value := range row {
		switch v := value.(type) {
		case []byte:
			row[i] = string(v)
		case bool:
			row[i] = int64(0)
			if v {
				row[i] = int64(1)
			}
		}
		switch v := row[i].(type) {
		case string:
			d.buffer = append(binary.AppendUvarint(append(d.buffer, 't'), uint64(len(v))), v...)
		case int64:
			d.buffer = binary.AppendVarint(append(d.buffer, 'n'), v)
		default:
			return fmt.Errorf("a value of type %T", value)
		}
	}
	d.rows++
	_, err := d.sum.Write(d.buffer)
	return err
}

// through passes rows on and hashes them. It calls counted with the number of rows so far.
func (d *digest) through(rows iter.Seq2[[]any, error], counted func(int64)) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for row, err := range rows {
			if err == nil {
				err = d.add(row)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			counted(d.rows)
			if !yield(row, nil) {
				return
			}
		}
	}
}

func (d *digest) String() string { return fmt.Sprintf("%x", d.sum.Sum(nil)[:16]) }
