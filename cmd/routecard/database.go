package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/sqlstore"
)

// poolSettings are the flags for this process's connections to a PostgreSQL server.
type poolSettings struct {
	PoolConnections  int           `help:"PostgreSQL: maximum number of connections of this process." default:"16"`
	PoolCommitGroups int           `help:"PostgreSQL: maximum number of group commits in progress at the same time." default:"1"`
	PoolIdleTime     time.Duration `help:"PostgreSQL: close connections that have been idle for this long." default:"5m"`
	PoolLifetime     time.Duration `help:"PostgreSQL: replace connections that are older than this." default:"1h"`
}

func (s poolSettings) pool() (sqlstore.Pool, error) {
	switch {
	case s.PoolCommitGroups < 1:
		return sqlstore.Pool{}, errors.New("--pool-commit-groups must be greater than 0")
	case s.PoolConnections < s.PoolCommitGroups+3:
		return sqlstore.Pool{}, errors.New("--pool-connections must be at least 3 more than --pool-commit-groups")
	case s.PoolIdleTime <= 0:
		return sqlstore.Pool{}, errors.New("--pool-idle-time must be greater than 0")
	case s.PoolLifetime <= 0:
		return sqlstore.Pool{}, errors.New("--pool-lifetime must be greater than 0")
	}
	return sqlstore.Pool{
		Connections: s.PoolConnections, CommitGroups: s.PoolCommitGroups, IdleTime: s.PoolIdleTime, Lifetime: s.PoolLifetime,
	}, nil
}

// checkDatabase validates the address of a database, and the pool settings, without opening it.
func checkDatabase(database string, pool poolSettings) error {
	if sqlstore.IsPostgres(database) {
		_, err := pool.pool()
		return err
	}
	if database == "" || strings.HasPrefix(database, ":memory:") {
		return errors.New("--database must name a file")
	}
	if anotherAddress.MatchString(database) {
		return fmt.Errorf("--database must be a file, or begin with postgres://, not %q", withoutSecrets(database))
	}
	switch info, err := os.Stat(database); {
	case errors.Is(err, fs.ErrNotExist) && !strings.HasSuffix(database, string(filepath.Separator)):
		return backup.Interrupted(database) // an empty database must not take the place of the one that is being restored
	case err != nil:
		return fmt.Errorf("--database: %w", err)
	case info.IsDir():
		return fmt.Errorf("--database %s is a folder: name a file", database)
	}
	return nil
}

// anotherAddress matches a setting that is the address of a server and not the name of a file: mysql://..., host=db1 dbname=shop, and
// mistyped addresses such as POSTGRES://..., postgres:/u:password@host and user:password@host.
var anotherAddress = regexp.MustCompile(`^\s*[A-Za-z][A-Za-z0-9+.-]*://|^\s*(?:host|hostaddr|port|user|password|dbname|service)\s*=` +
	`|^\s*(?i:postgres|postgresql):/|^[^/\\]*[^:/@\s]:[^/\\].*@`)

// checkStandbys validates the addresses of standbys, without connecting.
func checkStandbys(database string, standbys []string) error {
	if len(standbys) > 0 && !sqlstore.IsPostgres(database) {
		return errors.New("--read-database needs PostgreSQL: a file has no standbys")
	}
	if err := sqlstore.CheckStandbys(standbys); err != nil {
		return fmt.Errorf("--read-database: %w", err)
	}
	return nil
}

// openStore opens the database at an address. Reads may use the standbys.
func openStore(
	ctx context.Context, database string, pool poolSettings, options sqlstore.Options, standbys ...string,
) (sqlstore.Store, error) {
	if err := checkDatabase(database, pool); err != nil {
		return nil, err
	}
	if !sqlstore.IsPostgres(database) {
		return sqlstore.OpenSQLite(ctx, database, options)
	}
	settings, err := pool.pool()
	if err != nil {
		return nil, err
	}
	settings.Standbys = standbys
	return sqlstore.OpenPostgres(ctx, database, settings, options)
}
