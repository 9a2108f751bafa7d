// Package pgtest provides tests with a PostgreSQL server: the server at the address in ROUTECARD_TEST_POSTGRES, or a server that it starts
// from the binaries on this machine in a temporary folder. Such a server is removed when the test process ends in any way.
//
// If there is neither, tests are skipped with a message; with postgres or all in ROUTECARD_REQUIRE they fail instead.
package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/routecard/routecard/internal/process"
)

type shared struct {
	cluster  *Cluster // nil if the server is not ours; stored because the server ends with this value
	prepared *prepared
	clerk    *clerk
}

// prepared is the database that others are copied from.
type prepared struct {
	once     sync.Once
	strategy string // an option of CREATE DATABASE
	err      error
}

const preparedName = "prepared"

// server is shared by all tests of a process.
var server = sync.OnceValues(func() (shared, error) {
	if address := os.Getenv("ROUTECARD_TEST_POSTGRES"); address != "" {
		return shared{prepared: &prepared{}, clerk: &clerk{address: address}}, nil
	}
	folder, err := os.MkdirTemp(inMemory(), "routecard-postgres-")
	if err != nil {
		return shared{}, err
	}
	cluster, err := create(context.Background(), folder, owner{})
	if err == nil {
		cluster.end = "remove"
		err = cluster.serve(context.Background(), neverCrashes...)
	}
	if err != nil {
		return shared{}, errors.Join(err, os.RemoveAll(folder))
	}
	return shared{cluster, &prepared{}, &clerk{address: cluster.Address("postgres")}}, nil
})

// inMemory returns a folder in memory with room for the server, if there is one, and otherwise "" for the folder of temporary files. In
// memory, creating and dropping a database of hundreds of files takes an eighth of the time.
func inMemory() string {
	const folder, room = "/dev/shm", 2 << 30
	var system syscall.Statfs_t
	if err := syscall.Statfs(folder, &system); err != nil || system.Bavail*uint64(system.Bsize) < room {
		return ""
	}
	return folder
}

// neverCrashes are the settings of a server that no test kills: its data need not survive a crash, and its databases are small and
// short-lived.
var neverCrashes = []string{ //nolint:gochecknoglobals // never changed
	"-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off", "-c", "autovacuum=off", "-c", "jit=off",
}

// Database makes an empty database for one test and returns its address.
func Database(t testing.TB) string {
	t.Helper()
	server, err := server()
	demand(t, err)
	return server.database(t, "")
}

// Prepared makes a database for one test, and returns its address. The database is a copy of an empty database on which prepare ran.
// prepare runs once for all tests of a process, so all of them must pass the same function. On a server that is not ours, where nothing may
// stay, the database is empty.
func Prepared(t testing.TB, prepare func(ctx context.Context, address string) error) string {
	t.Helper()
	server, err := server()
	demand(t, err)
	if server.cluster == nil {
		return server.database(t, "")
	}
	server.prepared.once.Do(func() {
		server.clerk.does(t, `CREATE DATABASE `+preparedName)
		ctx := context.WithoutCancel(t.Context())
		server.prepared.err = errors.Join(prepare(ctx, server.cluster.Address(preparedName)), server.chooseStrategy(ctx))
	})
	if server.prepared.err != nil {
		t.Fatalf("prepare a database: %v", server.prepared.err)
	}
	return server.database(t, " TEMPLATE "+preparedName+server.prepared.strategy)
}

// chooseStrategy makes the server copy databases as files if it supports that. With syncing off, this takes half as long.
func (s shared) chooseStrategy(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.clerk.address)
	if err != nil {
		return err
	}
	var version int
	err = conn.QueryRow(ctx, `SELECT current_setting('server_version_num')::int`).Scan(&version)
	if version >= 150000 {
		s.prepared.strategy = " STRATEGY FILE_COPY"
	}
	return errors.Join(err, conn.Close(ctx))
}

func (s shared) database(t testing.TB, options string) string {
	t.Helper()
	name := "test_" + strings.ToLower(rand.Text())
	s.clerk.does(t, `CREATE DATABASE `+name+options)
	t.Cleanup(func() { s.clerk.does(t, `DROP DATABASE `+name+` WITH (FORCE)`) })
	parsed, err := url.Parse(s.clerk.address)
	if err != nil {
		t.Fatalf("ROUTECARD_TEST_POSTGRES: %v", err)
	}
	parsed.Path = "/" + name
	return parsed.String()
}

// Needed skips a test that has no PostgreSQL, or fails it where PostgreSQL is required, without starting one.
func Needed(t testing.TB) {
	t.Helper()
	if os.Getenv("ROUTECARD_TEST_POSTGRES") == "" {
		demand(t, new(owner).find())
	}
}

// demand skips a test that has no PostgreSQL, or fails it where PostgreSQL is required.
func demand(t testing.TB, err error) {
	t.Helper()
	switch {
	case errors.Is(err, errNoBinaries):
		process.Missing(t, "postgres", "PostgreSQL: "+err.Error())
	case err != nil:
		t.Fatalf("needs PostgreSQL: %v", err)
	}
}

// clerk creates and drops databases on one connection, which it keeps open, because connecting takes longer than either. It is safe for
// concurrent use.
type clerk struct {
	address string

	mu   sync.Mutex
	conn *pgx.Conn // nil before the first statement
}

func (c *clerk) does(t testing.TB, statement string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil || c.conn.IsClosed() {
		conn, err := pgx.Connect(ctx, c.address)
		if err != nil {
			t.Fatalf("the test server: %v", err)
		}
		c.conn = conn
	}
	if _, err := c.conn.Exec(ctx, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
