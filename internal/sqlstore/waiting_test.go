package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// A View waits five seconds for a free place. It then returns the error that the service is busy.
func TestWaitingToReadEnds(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]func(ctx context.Context) error{
		"SQLite": func(ctx context.Context) error { // all places are occupied
			return ran((&sqliteReaders{wait: keptWait}).borrow(ctx))
		},
		"PostgreSQL": func(ctx context.Context) error {
			_, _, err := (&Postgres{views: make(chan struct{})}).openView(ctx, beginView)
			return err
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			if err := wait(t.Context()); !errors.Is(err, refusal.ErrBusy) || time.Since(began) != 5*time.Second {
				t.Errorf("%s: after %v: %v", name, time.Since(began), err)
			}
			gone, leave := context.WithTimeout(t.Context(), time.Second)
			defer leave()
			if err := wait(gone); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: when the caller has gone: %v", name, err)
			}
		})
	}
	if status, told := httpstatus.Of(refusal.ErrBusy); status != 503 || told.Error() != "The service is busy" {
		t.Errorf("it answers %d %s", status, told)
	}
}

// Many simultaneous Views share a few connections. A View that waits in vain for one of these gets an extra connection, which is closed
// afterwards.
func TestFewConnectionsAreKept(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, filepath.Join(t.TempDir(), "shop.db"), Options{})
	must(t, insertJob(store, "job_1"))
	read := func(tx shop.Reader) error { return ran(tx.Job("job_1")) }
	store.readers.wait = time.Hour
	var all sync.WaitGroup
	for range 4 * keptReaders {
		all.Go(func() {
			if err := store.View(t.Context(), read); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if kept := len(store.readers.spare); kept > keptReaders {
		t.Errorf("%d connections are kept behind many who read", kept)
	}
	nested(t, store, keptReaders+5, func(tx shop.Tx) { must(t, ran(tx.Job("job_1"))) })
	if kept := len(store.readers.spare); kept != keptReaders {
		t.Errorf("%d connections are kept behind more who read at once", kept)
	}
}

// On PostgreSQL an Update also waits for a connection.
func TestPostgresWaitingToWriteEnds(t *testing.T) {
	t.Parallel()
	store, err := OpenPostgres(t.Context(), shopDatabase(t), Pool{Connections: 4, CommitGroups: 1}, Options{})
	must(t, err)
	defer store.Close()
	store.wait = 50 * time.Millisecond
	for conn, err := range func(yield func(interface{ Release() }, error) bool) {
		for yield(store.pool.Acquire(t.Context())) {
			continue
		}
	} {
		must(t, err)
		defer conn.Release()
		if store.pool.Stat().AcquiredConns() == store.pool.Config().MaxConns {
			break
		}
	}
	if err := insertJob(store, "job_1"); !errors.Is(err, refusal.ErrBusy) {
		t.Errorf("with all connections in use: %v", err)
	}
}

// forever is a statement that never ends by itself.
const forever = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n`

// A read ends when the caller's context ends. A View ends when it was open for too long.
func TestReadingEnds(t *testing.T) {
	t.Parallel()
	file := openSQLite(t, shopFile(t), Options{})
	server, err := OpenPostgres(t.Context(), shopDatabase(t), Pool{}, Options{})
	must(t, err)
	defer server.Close()
	read := func(tx shop.Reader) error {
		return ran(db.One(tx.(db.Querier), db.Scalar[int64], forever))
	}
	for name, store := range map[string]Store{"SQLite": file, "PostgreSQL": server} {
		for _, options := range [][]shop.ViewOption{nil, {shop.Browse}} {
			ctx, leave := context.WithTimeout(t.Context(), 50*time.Millisecond)
			if err := store.View(ctx, read, options...); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s, options %v: %v", name, options, err)
			}
			leave()
		}
		must(t, insertJob(store, "job_1"))
		must(t, store.View(t.Context(), func(tx shop.Reader) error { return ran(tx.Job("job_1")) }))
	}
	file.viewLimit = 10 * time.Millisecond
	err = file.View(t.Context(), func(tx shop.Reader) error {
		for {
			if _, err := tx.Job("job_1"); err != nil {
				return err
			}
		}
	})
	if !errors.Is(err, errViewTooLong) {
		t.Errorf("a View that reads without end: %v", err)
	}
	// A View that browses has no time limit, because it uses no connection between two statements.
	must(t, file.View(t.Context(), func(tx shop.Reader) error {
		for began := time.Now(); time.Since(began) < 2*file.viewLimit; {
			if _, err := tx.Job("job_1"); err != nil {
				return err
			}
		}
		return nil
	}, shop.Browse))
}

// During a read the log cannot be folded and grows. After the read, the file is cut again.
func TestLogShrinks(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shop.db")
	store := openSQLite(t, file, Options{})
	must(t, insertJob(store, "job_0"))
	size := func() int64 {
		info, err := os.Stat(file + "-wal")
		must(t, err)
		return info.Size()
	}
	n, name := 0, strings.Repeat("x", 1<<20)
	write := func(jobs int) {
		must(t, store.Update(t.Context(), func(tx shop.Tx) error {
			for range jobs {
				n++
				if err := tx.InsertJob(shop.Job{ID: fmt.Sprintf("job_%d", n), Name: name}); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	must(t, store.View(t.Context(), func(tx shop.Reader) error {
		if _, err := tx.Job("job_0"); err != nil {
			return err
		}
		for size() <= logLimit {
			write(16)
		}
		return nil
	}))
	eventually(t, "the log is as short as it should be", func() bool {
		write(1)
		return size() <= logLimit
	})
}

// If connections were lost while idle, a View that browses and the look-up of a token still succeed.
func TestPostgresBrowsingOnLostConnections(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	store := openPostgres(t, address)
	must(t, insertJob(store, "job_1"))
	for name, look := range map[string]func() error{
		"a record": func() error {
			return store.View(t.Context(), func(tx shop.Reader) error { return ran(tx.Job("job_1")) }, shop.Browse)
		},
		"a token": func() error {
			if _, _, err := store.TokenByHash(t.Context(), "hash"); !errors.Is(err, shop.ErrNoRecord) {
				return err
			}
			return nil
		},
	} {
		must(t, look()) // prepares the statement
		must(t, execPostgres(t, address, `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`))
		if err := look(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Two callers who call again immediately share a commit, although one of them first called during the commit of the other.
func TestGroupWaitsForCallersWhoReturn(t *testing.T) {
	t.Parallel()
	for range 20 {
		q := newRequests(4)
		q.linger = func(time.Duration) time.Duration { return time.Hour }
		sizes, commit := make(chan int), make(chan struct{})
		go q.run(func(group []*request) {
			sizes <- len(group)
			<-commit
		})
		call := func() { must(t, q.hand(&request{ctx: t.Context()})) }
		call()
		if size := <-sizes; size != 1 {
			t.Fatalf("the first group has %d callers", size)
		}
		call() // the other caller
		commit <- struct{}{}
		for range 1000 { // gives the other goroutine time to commit a group of one caller
			runtime.Gosched()
			select {
			case size := <-sizes:
				t.Fatalf("a group of %d callers did not wait", size)
			default:
			}
		}
		call()
		if size := <-sizes; size != 2 {
			t.Fatalf("the second group has %d callers", size)
		}
		commit <- struct{}{}
		q.stop()
	}
}

func TestGroupWaitsForNoCallerForLong(t *testing.T) {
	t.Parallel()
	q := newRequests(4)
	if group := q.await([]*request{{}}, 2, 0); len(group) != 1 {
		t.Errorf("the group has %d callers", len(group))
	}
	close(q.coming)
	if group := q.await([]*request{{}}, 2, time.Hour); len(group) != 1 {
		t.Errorf("the group of a closed store has %d callers", len(group))
	}
}
