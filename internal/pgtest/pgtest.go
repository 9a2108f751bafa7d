// Package pgtest gives tests a PostgreSQL server: the one that ROUTECARD_TEST_POSTGRES names, or one that is started
// from the binaries on this machine in a temporary folder and is gone when the test process ends, however it ends.
//
// Where there is neither, tests skip and say so; with postgres or all in ROUTECARD_REQUIRE they fail instead.
package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/routecard/routecard/internal/process"
)

type shared struct {
	address string
	cluster *Cluster // nil when it is not ours; kept, since it ends with this value
}

// server is the one that all tests of a process share.
var server = sync.OnceValues(func() (shared, error) {
	if address := os.Getenv("ROUTECARD_TEST_POSTGRES"); address != "" {
		return shared{address: address}, nil
	}
	folder, err := os.MkdirTemp("", "routecard-postgres-")
	if err != nil {
		return shared{}, err
	}
	cluster, err := create(context.Background(), folder, owner{})
	if err == nil {
		cluster.end = "remove"
		err = cluster.serve(context.Background())
	}
	if err != nil {
		return shared{}, errors.Join(err, os.RemoveAll(folder))
	}
	return shared{cluster.Address("postgres"), cluster}, nil
})

// Database makes a database for one test and returns its address.
func Database(t testing.TB) string {
	t.Helper()
	server, err := server()
	demand(t, err)
	name := "test_" + strings.ToLower(rand.Text())
	administer(t, server.address, `CREATE DATABASE `+name)
	t.Cleanup(func() { administer(t, server.address, `DROP DATABASE `+name+` WITH (FORCE)`) })
	parsed, err := url.Parse(server.address)
	if err != nil {
		t.Fatalf("ROUTECARD_TEST_POSTGRES: %v", err)
	}
	parsed.Path = "/" + name
	return parsed.String()
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

func administer(t testing.TB, address, statement string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatalf("the test server: %v", err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
