package migrations

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"
)

// triggerStatement finds the statements of migrations that create or drop triggers.
var triggerStatement = regexp.MustCompile(`(?im)^\s*(CREATE|DROP) (?:CONSTRAINT )?TRIGGER (?:IF (?:NOT )?EXISTS )?(\w+)`)

// checkTriggers refuses a database that lacks a trigger. Without the triggers, any program that opens the file could change a row of the
// audit trail without being noticed.
func checkTriggers(ctx context.Context, dialect goose.Dialect, db *sql.DB, folder, database string) error {
	wanted, err := triggersOf(folder)
	if err != nil {
		return err
	}
	query := `SELECT name FROM sqlite_schema WHERE type = 'trigger'`
	if dialect == goose.DialectPostgres {
		query = `SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')`
	}
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return fmt.Errorf("read the triggers of %s: %w", database, err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return fmt.Errorf("read the triggers of %s: %w", database, err)
		}
		wanted = slices.DeleteFunc(wanted, func(trigger string) bool { return strings.EqualFold(trigger, name) })
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read the triggers of %s: %w", database, err)
	}
	if len(wanted) > 0 {
		return fmt.Errorf("%s has lost what protects its audit trail (triggers that are missing or disabled: %s); "+
			"see docs/running.md", database, strings.Join(wanted, ", "))
	}
	return nil
}

// triggersOf returns the names of the triggers that exist after all migrations of an engine.
func triggersOf(folder string) (names []string, err error) {
	files, err := fs.Glob(Of(folder), "*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	for _, file := range files {
		text, err := fs.ReadFile(Of(folder), file)
		if err != nil {
			return nil, err
		}
		up, _, _ := strings.Cut(string(text), "-- +goose Down")
		for _, found := range triggerStatement.FindAllStringSubmatch(up, -1) {
			names = slices.DeleteFunc(names, func(name string) bool { return name == found[2] })
			if strings.EqualFold(found[1], "CREATE") {
				names = append(names, found[2])
			}
		}
	}
	return names, nil
}
