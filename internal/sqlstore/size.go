package sqlstore

import (
	"context"
	"os"
)

// FileSizes returns the sizes in bytes of a database file and of its log. The size of a missing file is 0, and both are 0 for a PostgreSQL
// server.
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

// Sizes returns the sizes on disk, in bytes, of the database file and of its log.
func (s *SQLite) Sizes(context.Context) (database, log int64, err error) {
	database, log = FileSizes(s.lock.name)
	return database, log, nil
}

// Sizes returns the size of the database on disk, in bytes. The size of the log is 0, because the server reports it only to its
// administrators.
func (s *Postgres) Sizes(ctx context.Context) (database, log int64, err error) {
	err = s.pool.QueryRow(ctx, `SELECT pg_database_size(current_database())`).Scan(&database)
	return database, 0, err
}
