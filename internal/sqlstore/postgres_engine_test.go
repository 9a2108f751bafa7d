package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pressly/goose/v3"

	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// counted counts round trips. A round trip is a read from the server that follows a write.
type counted struct {
	net.Conn
	trips   *atomic.Int64
	written atomic.Bool
}

func (c *counted) Write(b []byte) (int, error) {
	c.written.Store(true)
	return c.Conn.Write(b)
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.written.Swap(false) {
		c.trips.Add(1)
	}
	return n, err
}

// traced counts statements, including those that begin and end transactions.
type traced struct{ statements atomic.Int64 }

func (c *traced) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.statements.Add(1)
	return ctx
}

func (*traced) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (*traced) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (c *traced) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {
	c.statements.Add(1)
}

func (*traced) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

func openCounted(t testing.TB, address string) (store *Postgres, trips, statements *atomic.Int64) {
	t.Helper()
	pool := Pool{CommitGroups: 1}
	pool.fill()
	config, err := poolConfig(address, pool)
	must(t, err)
	trips = &atomic.Int64{}
	tracer := &traced{}
	config.ConnConfig.Tracer = tracer
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &counted{Conn: conn, trips: trips}, nil
	}
	options := Options{}
	options.fill()
	store, err = openPool(t.Context(), config, "test", pool, options)
	must(t, err)
	t.Cleanup(func() { must(t, store.Close()) })
	return store, trips, &tracer.statements
}

func advance(unit card.Card) (card.Change, error) {
	unit.Serial.Position++
	return card.Change{
		Serial: unit.Serial, Moved: true,
		Audit: []trail.Entry{{Action: card.ActionSerialAdvanced, UserID: "u", SerialID: unit.Serial.ID}},
	}, nil
}

func TestPostgresAnAdvanceTakesAtMostThreeRoundTrips(t *testing.T) {
	t.Parallel()
	store, trips, statements := openCounted(t, shopDatabase(t))
	stock(t, store, 3)
	must(t, store.ChangeCard(t.Context(), "SN-00001", advance)) // prepares the statements, once per connection
	bypass := func(unit card.Card) (card.Change, error) {
		change, err := advance(unit)
		change.Exceptions = []card.StepException{{StepID: "step_b", Status: card.StepDeferred, UpdatedAt: 1}}
		return change, err
	}
	for range 2 { // the second run prepares the statement that reads exceptions
		must(t, store.ChangeCard(t.Context(), "SN-00002", bypass))
	}
	store.fresh = -1 // so that cards are read from the server; for expected cards see TestPostgresExpectedCardTakesOneRoundTrip
	for _, step := range []struct {
		name   string
		serial string
		forget bool
		rule   func(card.Card) (card.Change, error)
		want   int64
		ran    int64
	}{
		// These are: begin, the lock, the card; the serial, the turn, the path, the audit entry, commit.
		{"a plain serial", "SN-00003", false, advance, 2, 8},
		{"on a path that this instance does not know", "SN-00003", true, advance, 3, 9},
		{"with exceptions, on a path that this instance does not know", "SN-00002", true, bypass, 3, 11},
	} {
		if step.forget {
			store.pathCache = db.NewPathCache()
		}
		before, ran := trips.Load(), statements.Load()
		must(t, store.ChangeCard(t.Context(), step.serial, step.rule))
		if took := trips.Load() - before; took != step.want {
			t.Errorf("%s: %d round trips, want %d", step.name, took, step.want)
		}
		if ran = statements.Load() - ran; ran != step.ran {
			t.Errorf("%s: %d statements, want %d", step.name, ran, step.ran)
		}
	}
}

// An instance that waited for the lock of a serial must not see the new row of the serial without the override that was added in the same
// transaction.
func TestPostgresWaitedForSerialIsReadWhole(t *testing.T) {
	t.Parallel()
	address := shopDatabase(t)
	first, second := openPostgres(t, address), openPostgres(t, address)
	stock(t, first, 1)
	override := card.Override{ID: "snso_1", SerialID: "SN-00001", StepID: "step_b", Active: true, CreatedBy: "u"}
	results := make(chan error, 2)
	must(t, first.Update(t.Context(), func(tx shop.Tx) error {
		if _, err := tx.RouteCard("SN-00001"); err != nil {
			return err
		}
		wants := func(card card.Card) error {
			if len(card.Overrides) != 1 {
				return errors.New("the override is missing")
			}
			return nil
		}
		go func() {
			results <- second.Update(t.Context(), func(tx shop.Tx) error {
				card, err := tx.RouteCard("SN-00001")
				return errors.Join(err, wants(card))
			})
		}()
		go func() {
			results <- second.ChangeCard(t.Context(), "SN-00001", func(card card.Card) (card.Change, error) {
				change, err := advance(card)
				return change, errors.Join(err, wants(card))
			})
		}()
		waitForLock(t, address, 2)
		return tx.InsertOverrides([]card.Override{override})
	}))
	must(t, errors.Join(<-results, <-results))
}

// waitForLock waits until the given number of sessions wait for a lock.
func waitForLock(t testing.TB, address string, sessions int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	must(t, err)
	defer conn.Close(t.Context())
	eventually(t, "somebody waits for a lock", func() bool {
		var waiting int
		must(t, conn.QueryRow(t.Context(), `SELECT COUNT(*) FROM pg_stat_activity
			WHERE wait_event_type = 'Lock' AND datname = current_database()`).Scan(&waiting))
		return waiting >= sessions
	})
}

func TestPostgresGroupDoesNotWaitForALockedSerial(t *testing.T) {
	t.Parallel()
	address := shopDatabase(t)
	store := openPostgres(t, address)
	stock(t, store, 4)
	blocked := make(chan error, 1)
	must(t, store.Update(t.Context(), func(tx shop.Tx) error {
		if _, err := tx.RouteCard("SN-00002"); err != nil {
			return err
		}
		go func() { blocked <- store.ChangeCard(t.Context(), "SN-00002", advance) }()
		waitForLock(t, address, 1)
		for range 3 { // a serial of the same group
			if err := store.ChangeCard(t.Context(), "SN-00004", advance); err != nil {
				return err
			}
		}
		select {
		case err := <-blocked:
			return fmt.Errorf("the change did not wait: %w", err)
		default:
			return nil
		}
	}))
	must(t, <-blocked)
}

// The rule runs again on the new path if another transaction changes the path before the card change is committed.
func TestPostgresCardChangeIsDecidedAgainWhenItsPathChanged(t *testing.T) {
	t.Parallel()
	address := shopDatabase(t)
	store, other := openPostgres(t, address), openPostgres(t, address)
	stock(t, store, 1)
	var seen []card.AdvancementMode
	must(t, store.ChangeCard(t.Context(), "SN-00001", func(unit card.Card) (card.Change, error) {
		seen = append(seen, unit.Path.AdvancementMode)
		if len(seen) == 1 {
			if err := other.Update(t.Context(), func(tx shop.Tx) error {
				before, err := tx.Path("path_1")
				after := before
				after.AdvancementMode = card.Flexible
				return errors.Join(err, tx.UpdatePath(before, after))
			}); err != nil {
				return card.Change{}, err
			}
		}
		return advance(unit)
	}))
	if want := []card.AdvancementMode{card.Strict, card.Flexible}; !slices.Equal(seen, want) {
		t.Errorf("the rule saw %v, want %v", seen, want)
	}
}

// A reader that pages through the trail while three instances write sees new entries only at the newest end, and no gaps.
func TestPostgresTrailGrowsOnlyAtItsEnd(t *testing.T) {
	t.Parallel()
	address := shopDatabase(t)
	stores := []*Postgres{openPostgres(t, address), openPostgres(t, address), openPostgres(t, address)}
	stock(t, stores[0], 12)
	const writes = 60
	var writers sync.WaitGroup
	for i := range 12 {
		writers.Go(func() {
			store := stores[i%3]
			for j := range writes {
				refused := errors.New("refused")
				var err error
				switch j % 3 {
				case 0:
					err = store.ChangeCard(t.Context(), store.prefix.SerialID(int64(1+i)), advance)
				case 1:
					err = store.Update(t.Context(), func(tx shop.Tx) error {
						return tx.AppendAudit(make([]trail.Entry, 2)...)
					})
				default: // takes sequence numbers and rolls back
					if err = store.Update(t.Context(), func(tx shop.Tx) error {
						if err := tx.AppendAudit(trail.Entry{}); err != nil {
							return err
						}
						for _, err := range tx.AuditEntries(1, 0) {
							if err != nil {
								return err
							}
						}
						return refused
					}); errors.Is(err, refused) {
						err = nil
					}
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for last, more := int64(0), true; more; {
		select {
		case <-done:
			more = false
		default:
		}
		var newest, expected int64
		must(t, stores[1].View(t.Context(), func(tx shop.Reader) error {
			for entry, err := range tx.AuditEntries(shop.NoLimit, 0) {
				if err != nil {
					return err
				}
				var sequence int64
				if _, err := fmt.Sscanf(strings.TrimPrefix(entry.ID, "aud_"), "%d", &sequence); err != nil {
					return err
				}
				if newest == 0 {
					newest, expected = sequence, sequence
				}
				if sequence != expected {
					return fmt.Errorf("entry %d where %d is expected", sequence, expected)
				}
				expected--
			}
			return nil
		}))
		if newest < last || expected != 0 {
			t.Fatalf("the trail went from %d entries to %d, and begins at %d", last, newest, expected+1)
		}
		last = newest
	}
}

// The tables of both engines have the same versions.
func TestMigrationsAreTheSameForBothEngines(t *testing.T) {
	t.Parallel()
	names := map[string][]string{}
	for _, engine := range []string{"sqlite", "postgres"} {
		entries, err := fs.ReadDir(migrations.Of(engine), ".")
		must(t, err)
		for _, entry := range entries {
			names[engine] = append(names[engine], entry.Name())
		}
	}
	if !slices.Equal(names["sqlite"], names["postgres"]) {
		t.Errorf("migrations differ: %v", names)
	}
}

func TestPostgresInstancesThatStartAtOnce(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			store, err := OpenPostgres(t.Context(), address, Pool{}, Options{})
			if err == nil {
				store.probing = time.Minute
				err = errors.Join(store.Ready(t.Context()), store.Close())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestPostgresRefusesDatabasesThatAreNotItsOwn(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ sql, want string }{
		"newer":           {`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)`, "is from a newer version of Routecard"},
		"another program": {`DROP TABLE goose_db_version`, "is a database of another program, not of Routecard"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := pgtest.Database(t)
			must(t, openPostgres(t, address).Close())
			must(t, execPostgres(t, address, test.sql))
			store, err := OpenPostgres(t.Context(), address, Pool{}, Options{})
			if err == nil {
				_ = store.Close()
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want %s", err, test.want)
			}
		})
	}
}

// Two Updates that lock rows in opposite orders both succeed: one of them runs again.
func TestPostgresADeadlockIsRetried(t *testing.T) {
	t.Parallel()
	store := openPostgres(t, shopDatabase(t))
	stock(t, store, 2)
	var both sync.WaitGroup
	both.Add(2)
	var wg sync.WaitGroup
	var runs atomic.Int64
	for _, order := range [][]string{{"SN-00001", "SN-00002"}, {"SN-00002", "SN-00001"}} {
		wg.Go(func() {
			first := true
			if err := store.Update(t.Context(), func(tx shop.Tx) error {
				runs.Add(1)
				if _, err := tx.RouteCard(order[0]); err != nil {
					return err
				}
				if first {
					first = false
					both.Done()
					both.Wait()
				}
				_, err := tx.RouteCard(order[1])
				return err
			}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if runs.Load() < 3 {
		t.Errorf("%d runs: nobody was in anybody's way", runs.Load())
	}
}

func TestPostgresTextThatCannotBeStoredIsInvalid(t *testing.T) {
	t.Parallel()
	store := openPostgres(t, shopDatabase(t))
	for _, text := range []string{"a\x00b", "\xff"} {
		err := insertJob(store, text)
		if refused, ok := errors.AsType[*refusal.Error](err); !ok || refused.Kind != refusal.Invalid {
			t.Errorf("%q: error is %v", text, err)
		}
	}
}

func TestPostgresVersionChangesWithEveryJobOfAnyInstance(t *testing.T) {
	t.Parallel()
	address := shopDatabase(t)
	store, other := openPostgres(t, address), openPostgres(t, address)
	seen := map[string]bool{}
	for i := range 5 {
		version, err := store.Version(t.Context(), shop.RecordJob)
		must(t, err)
		if seen[version] {
			t.Fatalf("version %s again after a commit", version)
		}
		seen[version] = true
		must(t, insertJob(other, fmt.Sprint("job_", i)))
	}
}

func TestRedacted(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"postgres://u:secret@h/d":            "postgres://u:xxxxx@h/d",
		"postgres://h/d?password=secret&a=b": "postgres://h/d?a=b&password=xxxxx",
		"postgres://u:se%cret@h/d":           "postgres://u:xxxxx@h/d",
		"postgres://u:se/c%r@et@h/d":         "postgres://u:xxxxx@h/d",
		"mysql://u:secret@h/d":               "mysql://u:xxxxx@h/d",
		"postgres://h/%d?password=secret&a":  "postgres://h/%d?password=xxxxx&a",
		"host=h password='se cret' user=u":   "host=h password=xxxxx user=u",
		"host=h password=secret&more user=u": "host=h password=xxxxx user=u",
		`host=h password='a\'secret' user=u`: "host=h password=xxxxx user=u",
		`host=h password=a\ secret user=u`:   "host=h password=xxxxx user=u",
		"host=h password='a secret":          "host=h password=xxxxx",
		"postgres://h/d?password=se%cret&a":  "postgres://h/d?password=xxxxx&a",
		"postgres://h/d?password=se;cret&a":  "postgres://h/d?password=xxxxx&a",
		"postgres://h/d?sslpassword=secret":  "postgres://h/d?sslpassword=xxxxx",
		"postgres://u:x@h/d?options=a@b":     "postgres://u:xxxxx@h/d?options=a@b",
		"postgres://h:5432/d":                "postgres://h:5432/d",
		"POSTGRES://u:secret@h/d":            "POSTGRES://u:xxxxx@h/d",
		" postgres://u:secret@h/d":           " postgres://u:xxxxx@h/d",
		"\tpostgres://u:se/c r@et@h/d":       "\tpostgres://u:xxxxx@h/d",
		"postgres:/u:secret@h/d":             "postgres:/u:xxxxx@h/d",
		"postgres///u:secret@h/d":            "postgres///u:xxxxx@h/d",
		"postgres:u:secret@h/d":              "postgres:xxxxx@h/d",
		"u:secret@h/d":                       "u:xxxxx@h/d",
		"shop.db":                            "shop.db",
	} {
		if got := Redacted(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

func TestHideCredentials(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"open postgres://u:secret@h/d: refused":          "open postgres://u:xxxxx@h/d: refused",
		`cannot read "POSTGRES:/u:secret@h": not a file`: `cannot read "POSTGRES:/u:xxxxx@h": not a file`,
		"two: a:b@h and c:d/e@h":                         "two: a:xxxxx@h and c:xxxxx@h",
		"at 10:15 mail me@example.com":                   "at 10:15 mail me@example.com",
		"http://127.0.0.1:8080/readyz":                   "http://127.0.0.1:8080/readyz",
	} {
		if got := HideCredentials(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Migrations keep a shop's data, from every version of the tables to the newest version.
func TestPostgresMigrationsKeepData(t *testing.T) {
	t.Parallel()
	files := migrations.Of("postgres")
	versions, err := fs.Glob(files, "*.sql")
	must(t, err)
	for i := range versions {
		address := pgtest.Database(t)
		db, err := sql.Open("pgx", address)
		must(t, err)
		provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithDisableGlobalRegistry(true))
		must(t, err)
		from := provider.ListSources()[i].Version
		db.SetMaxOpenConns(1) // the connection that is allowed to write
		_, err = db.ExecContext(t.Context(), `SET routecard.tables = '9999'`)
		must(t, err)
		_, err = provider.UpTo(t.Context(), from)
		must(t, err)
		must(t, db.Close())
		must(t, execPostgres(t, address, `SET routecard.tables = '9999';
			INSERT INTO job (id, name, goal_quantity, ticket_key, ticket_summary, part_number, priority, epic_link, labels, created_at, updated_at)
				VALUES ('job_1', 'J', 1, '', '', '', '', '', '', 1, 1);
			INSERT INTO path (id, job_id, name, goal_quantity, advancement_mode, revision, created_at, updated_at)
				VALUES ('path_1', 'job_1', 'P', 1, 'strict', 'r', 1, 1);
			INSERT INTO step VALUES ('step_1', 'path_1', 0, 'S', '', '', false, 'preferred');
			INSERT INTO serial (number, path_id, position, status, created_at, updated_at) VALUES (1, 'path_1', 0, 'in_progress', 1, 1);
			UPDATE counter SET value = 1 WHERE name = 'serial';
			INSERT INTO audit VALUES (1, 'x', 'u', 1, 1, '', 'job_1', 'path_1', '', '', '', 0, '')`))
		store := openPostgres(t, address)
		must(t, store.ChangeCard(t.Context(), "SN-00001", advance))
		expectPosition(t, store, "SN-00001", 1)
		must(t, store.View(t.Context(), func(tx shop.Reader) error {
			entries := 0
			for _, err := range tx.AuditOfSerial("SN-00001") {
				if err != nil {
					return err
				}
				entries++
			}
			if entries != 2 {
				t.Errorf("from version %d: %d audit entries, want 2", from, entries)
			}
			return nil
		}))
	}
}
