package sqlstore

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/routecard/routecard/internal/pgtest"
)

// A primary may go on after a standby was promoted. A store that has seen the new primary never uses the old one again.
func TestReplacedPrimaryIsNotUsed(t *testing.T) {
	t.Parallel()
	primary := pgtest.New(t)
	standby := primary.Standby(t, "hot_standby = on")
	store := openPostgres(t, pgtest.Addresses("postgres", standby, primary))
	servers := func(connections int) (found map[string]int) {
		found = map[string]int{}
		var held []*pgxpool.Conn
		for range connections {
			conn, err := store.pool.Acquire(t.Context())
			must(t, err)
			defer conn.Release()
			held = append(held, conn)
		}
		for _, conn := range held {
			var folder string
			must(t, conn.QueryRow(t.Context(), `SHOW data_directory`).Scan(&folder))
			found[folder]++
		}
		return found
	}
	for address, isStandby := range map[string]bool{pgtest.Addresses("postgres", standby, primary): false, standby.Address("postgres"): true} {
		must(t, onReadingConnection(t.Context(), address, func(conn *pgxpool.Conn) error {
			var recovering bool
			err := conn.QueryRow(t.Context(), `SELECT pg_is_in_recovery()`).Scan(&recovering)
			if recovering != isStandby {
				t.Errorf("a command that reads %s reads a standby: %v", address, recovering)
			}
			return err
		}))
	}
	before := servers(3)
	standby.Promote(t)
	if during := servers(4); len(during) != 2 {
		t.Fatalf("before %v, then %v: the new connection should be to the new primary", before, during)
	}
	for folder, connections := range servers(6) {
		if before[folder] > 0 {
			t.Errorf("%d of 6 connections are to the old primary", connections)
		}
	}
	standby.Stop(t, "immediate")
	store.pool.Reset() // the connections to the new primary are lost
	if conn, err := store.acquire(t.Context()); !errors.Is(err, errUnreachable) {
		t.Errorf("acquired a connection to the old primary: %v", err)
		conn.Release()
	}
}

// A server that accepts connections and does not respond is reported as unreachable.
func TestHangingServerIsUnreachable(t *testing.T) {
	t.Parallel()
	store := openPostgres(t, pgtest.Database(t))
	err := store.refusal(t.Context(), errors.Join(errors.New("read"), context.DeadlineExceeded))
	if !strings.Contains(err.Error(), "The database cannot be reached just now") {
		t.Errorf("%v", err)
	}
}
