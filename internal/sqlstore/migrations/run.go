package migrations

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/pressly/goose/v3"
)

// Run migrates the tables, and refuses a database whose tables are newer than this program.
func Run(ctx context.Context, dialect goose.Dialect, db *sql.DB, folder, database string) error {
	provider, err := goose.NewProvider(dialect, db, Of(folder), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	version, err := provider.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("read the version of %s: %w", database, err)
	}
	known, err := NewestOf(folder)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	if version > known {
		return tooOld(database, version, known)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("bring %s up to date: %w", database, err)
	}
	if err := checkWriter(ctx, db, database, known); err != nil {
		return err
	}
	return checkTriggers(ctx, dialect, db, folder, database)
}
