package sqlstore

import (
	"context"
	"os"
)

// FileSizes returns the sizes in bytes of a database file and of the log next to it: 0 for a missing file, and for a PostgreSQL server.
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

// Sizes returns the sizes in bytes of the database and of the log next to it on disk.
func (s *SQLite) Sizes(context.Context) (database, log int64, err error) {
	database, log = FileSizes(s.lock.name)
	return database, log, nil
}

// Sizes returns the size in bytes of the database on disk. The log is 0: the server reports its size only to its administrators.
func (s *Postgres) Sizes(ctx context.Context) (database, log int64, err error) {
	err = s.pool.QueryRow(ctx, `SELECT pg_database_size(current_database())`).Scan(&database)
	return database, 0, err
}
