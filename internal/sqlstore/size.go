package sqlstore

import (
	"context"
	"os"
)

// FileSizes returns how many bytes a database file and the log beside it have: 0 for what is not there, and for a PostgreSQL server.
func FileSizes(database string) (file, log int64) {
	if IsPostgres(database) {
		return 0, 0
	}
	sizeOf := func(name string) int64 {
		info, err := os.Stat(name)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	return sizeOf(target(database)), sizeOf(target(database) + "-wal")
}

// Sizes returns how many bytes the database has on disk, and the log beside it.
func (s *SQLite) Sizes(context.Context) (database, log int64, err error) {
	database, log = FileSizes(s.lock.name)
	return database, log, nil
}

// Sizes returns how many bytes the database has on disk. The log is the server's, which tells it to its administrators only: 0.
func (s *Postgres) Sizes(ctx context.Context) (database, log int64, err error) {
	err = s.pool.QueryRow(ctx, `SELECT pg_database_size(current_database())`).Scan(&database)
	return database, 0, err
}
