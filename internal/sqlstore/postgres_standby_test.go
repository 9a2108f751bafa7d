package sqlstore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/jackc/pgx/v5"

	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/lists"
	"github.com/routecard/routecard/internal/sqlstore/standby"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// openReading opens a store that reads from standbys.
func openReading(t testing.TB, address string, standbys ...*pgtest.Cluster) *Postgres {
	t.Helper()
	pool := Pool{waits: time.Minute}
	for _, one := range standbys {
		pool.Standbys = append(pool.Standbys, one.Address("postgres"))
	}
	store, err := OpenPostgres(t.Context(), address, pool, Options{})
	must(t, err)
	t.Cleanup(func() { must(t, store.Close()) })
	return store
}

// follower starts a standby that reads can use, and whose replay a test can pause.
func follower(t testing.TB, primary *pgtest.Cluster, settings ...string) *pgtest.Cluster {
	t.Helper()
	return primary.Standby(t, append([]string{"hot_standby = on", "synchronous_standby_names = ''"}, settings...)...)
}

func pauseReplay(t testing.TB, standby *pgtest.Cluster, paused bool) {
	t.Helper()
	if paused {
		must(t, execPostgres(t, standby.Address("postgres"), `SELECT pg_wal_replay_pause()`))
		eventually(t, "the replay is paused", func() bool {
			return readText(t, standby.Address("postgres"), `SELECT pg_get_wal_replay_pause_state()`) == "paused"
		})
		return
	}
	must(t, execPostgres(t, standby.Address("postgres"), `SELECT pg_wal_replay_resume()`))
}

// readText runs a statement on a connection of its own, and returns the text that it selects.
func readText(t testing.TB, address, statement string) (text string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	must(t, err)
	defer conn.Close(t.Context())
	must(t, conn.QueryRow(t.Context(), statement).Scan(&text))
	return text
}

// writes commits one audit entry by a user.
func writes(t testing.TB, store *Postgres, user string) {
	t.Helper()
	must(t, store.Update(t.Context(), func(tx shop.Tx) error {
		return tx.AppendAudit(trail.Entry{Action: shop.ActionNoteCreated, UserID: user})
	}))
}

// served is a read: the folder of the server that served it, and the user of the newest entry that it saw.
type served struct{ folder, user string }

// look reads as a request that may be served by a standby.
func look(t testing.TB, store *Postgres, options ...shop.ViewOption) (read served) {
	t.Helper()
	must(t, store.read(shop.FromStandbys(t.Context()), func(tx *lists.Reader) (err error) {
		read.folder, read.user, err = observe(tx)
		return err
	}, options...))
	return read
}

func observe(tx *lists.Reader) (folder, user string, err error) {
	folder, err = db.One(tx, db.Scalar[string], `SELECT current_setting('data_directory')`)
	if err != nil {
		return "", "", err
	}
	user, err = db.One(tx, db.Scalar[string], `SELECT COALESCE((SELECT user_id FROM audit ORDER BY sequence DESC LIMIT 1), '')`)
	return folder, user, err
}

func of(cluster *pgtest.Cluster, user string) served { return served{cluster.Folder() + "/data", user} }

// usesStandby waits until reads are served by a standby.
func usesStandby(t testing.TB, store *Postgres, standby *pgtest.Cluster, user string) {
	t.Helper()
	eventually(t, "reads are served by the standby", func() bool { return look(t, store) == of(standby, user) })
}

func expectReason(t testing.TB, store *Postgres, want standby.Reason) {
	t.Helper()
	eventually(t, "the standby is left out: "+string(want), func() bool {
		all, _ := store.Standbys()
		return all[0].Reason == want
	})
}

// Reads that may be served by a standby are, and no others are. Failures of the standby are invisible: the primary serves the read.
func TestReadsFromStandby(t *testing.T) {
	t.Parallel()
	primary := pgtest.New(t)
	second := follower(t, primary, "max_standby_streaming_delay = 0")
	one := openReading(t, primary.Address("postgres"), second)
	other := openReading(t, primary.Address("postgres"), second)
	stock(t, one, 3)
	writes(t, one, "ann")
	usesStandby(t, one, second, "ann")
	usesStandby(t, other, second, "ann")

	t.Run("only declared reads", func(t *testing.T) {
		eventually(t, "pages are served by the standby", func() bool { return look(t, one, shop.Browse) == of(second, "ann") })
		must(t, one.read(t.Context(), func(tx *lists.Reader) error {
			if folder, _, err := observe(tx); err != nil || folder != primary.Folder()+"/data" {
				t.Errorf("a read that is not declared is served by %s: %v", folder, err)
			}
			return nil
		}))
		must(t, one.Update(shop.FromStandbys(t.Context()), func(tx shop.Tx) error {
			return tx.UpdateJob(shop.Job{ID: "job_1", Name: "J", GoalQuantity: 1})
		}))
	})
	t.Run("a write is read through the other instance", func(t *testing.T) {
		for i := range 20 {
			user := fmt.Sprintf("bob%d", i)
			writes(t, one, user)
			if read := look(t, other); read.user != user {
				t.Errorf("read %+v, want %s", read, user)
			}
		}
	})
	t.Run("a paused replay", func(t *testing.T) {
		usesStandby(t, other, second, "bob19")
		pauseReplay(t, second, true)
		writes(t, one, "cat")
		for range 3 {
			if read := look(t, other); read != of(primary, "cat") {
				t.Errorf("read %+v", read)
			}
			if read := look(t, one, shop.Browse); read.user != "cat" {
				t.Errorf("read %+v", read)
			}
		}
		expectReason(t, other, standby.Lagging)
		if all, onPrimary := other.Standbys(); all[0].Lag <= 0 || onPrimary == 0 {
			t.Errorf("the state is %+v, and the primary served %d", all, onPrimary)
		}
		pauseReplay(t, second, false)
		usesStandby(t, other, second, "cat")
	})
	t.Run("a change without an entry", func(t *testing.T) {
		pauseReplay(t, second, true)
		must(t, one.Update(t.Context(), func(tx shop.Tx) error {
			return tx.UpdateJob(shop.Job{ID: "job_1", Name: "Renamed", GoalQuantity: 1})
		}))
		must(t, other.View(shop.FromStandbys(t.Context()), func(tx shop.Reader) error {
			job, err := tx.Job("job_1")
			if job.Name != "Renamed" {
				t.Errorf("read %q", job.Name)
			}
			return err
		}))
		pauseReplay(t, second, false)
	})
	t.Run("a conflict with the recovery", func(t *testing.T) { conflicts(t, one, primary, second) })
	t.Run("a standby that hangs", func(t *testing.T) { hangs(t, one, primary, second) })
	t.Run("a standby that is gone", func(t *testing.T) {
		usesStandby(t, one, second, "cat")
		second.Stop(t, "immediate")
		for range 5 {
			if read := look(t, one); read != of(primary, "cat") {
				t.Errorf("read %+v", read)
			}
		}
		expectReason(t, one, standby.Unreachable)
		second.Start(t)
		usesStandby(t, one, second, "cat")
	})
	t.Run("a standby that was promoted", func(t *testing.T) {
		second.Promote(t)
		must(t, execPostgres(t, second.Address("postgres"), `SET routecard.tables = '9999';
			UPDATE counter SET value = value + 1 WHERE name = 'beside'`))
		for range 5 {
			if read := look(t, one); read != of(primary, "cat") {
				t.Errorf("read %+v", read)
			}
		}
		expectReason(t, one, standby.TakesWrites)
	})
}

// conflicts cancels a read on the standby, because the recovery needs a lock that the read has. The read succeeds.
func conflicts(t *testing.T, store *Postgres, primary, second *pgtest.Cluster) {
	t.Helper()
	usesStandby(t, store, second, "cat")
	var folders []string
	must(t, store.read(shop.FromStandbys(t.Context()), func(tx *lists.Reader) error {
		folder, _, err := observe(tx)
		if err != nil {
			return err
		}
		folders = append(folders, folder)
		if len(folders) == 1 {
			must(t, execPostgres(t, primary.Address("postgres"), `BEGIN; LOCK TABLE audit IN ACCESS EXCLUSIVE MODE;
				SELECT pg_current_xact_id(); COMMIT`))
			eventually(t, "the recovery cancels the read", func() bool {
				return readText(t, second.Address("postgres"),
					`SELECT confl_lock::text FROM pg_stat_database_conflicts WHERE datname = 'postgres'`) != "0"
			})
		}
		_, _, err = observe(tx)
		return err
	}))
	if !slices.Equal(folders, []string{second.Folder() + "/data", primary.Folder() + "/data"}) {
		t.Errorf("the read ran on %v", folders)
	}
}

// hangs lets the standby hang during a read and during the next ones. All succeed.
func hangs(t *testing.T, store *Postgres, primary, second *pgtest.Cluster) {
	t.Helper()
	usesStandby(t, store, second, "cat")
	goOn := func() {}
	var folders []string
	must(t, store.read(shop.FromStandbys(t.Context()), func(tx *lists.Reader) error {
		folder, _, err := observe(tx)
		if err != nil {
			return err
		}
		folders = append(folders, folder)
		if len(folders) == 1 {
			goOn = second.Hang(t)
		}
		_, _, err = observe(tx)
		return err
	}))
	if !slices.Equal(folders, []string{second.Folder() + "/data", primary.Folder() + "/data"}) {
		t.Errorf("the read ran on %v", folders)
	}
	for range 3 {
		if read := look(t, store); read != of(primary, "cat") {
			t.Errorf("read %+v", read)
		}
	}
	expectReason(t, store, standby.Unreachable)
	goOn()
	usesStandby(t, store, second, "cat")
}

// After a failover, a standby may still follow the primary that was replaced, and have other changes under the same numbers.
func TestStandbyOfReplacedPrimaryIsLeftOut(t *testing.T) {
	t.Parallel()
	primary := pgtest.New(t)
	next := follower(t, primary)
	behind := follower(t, primary)
	store := openReading(t, pgtest.Addresses("postgres", next, primary), behind)
	writes(t, store, "ann")
	usesStandby(t, store, behind, "ann")
	next.Stop(t, "fast") // with what has happened so far
	writes(t, store, "lost")
	usesStandby(t, store, behind, "lost")
	primary.Stop(t, "immediate")
	next.Start(t)
	next.Promote(t)
	writes(t, store, "bob") // has the number of the lost entry
	if theirs := readText(t, behind.Address("postgres"), `SELECT user_id FROM audit ORDER BY sequence DESC LIMIT 1`); theirs != "lost" {
		t.Fatalf("the newest entry of the standby is by %s", theirs)
	}
	for range 5 {
		if read := look(t, store); read != of(next, "bob") {
			t.Errorf("read %+v", read)
		}
	}
	expectReason(t, store, standby.Apart)
	again := openReading(t, next.Address("postgres"), behind)
	expectReason(t, again, standby.Apart)
	if read := look(t, again); read != of(next, "bob") {
		t.Errorf("read %+v", read)
	}
}

// A standby of another shop has other changes under the same numbers.
func TestStandbyOfAnotherShopIsLeftOut(t *testing.T) {
	t.Parallel()
	ours, others := pgtest.New(t), pgtest.New(t)
	theirs := follower(t, others)
	they := openReading(t, others.Address("postgres"), theirs)
	writes(t, they, "them")
	usesStandby(t, they, theirs, "them")
	store := openReading(t, ours.Address("postgres"), theirs)
	writes(t, store, "us")
	expectReason(t, store, standby.Apart)
	if read := look(t, store); read != of(ours, "us") {
		t.Errorf("read %+v", read)
	}
}

// A standby may show a commit that the primary does not show yet, because the commit waits for another standby. A read that showed it could
// be followed by a read on the primary that does not.
func TestStandbyAheadIsLeftOut(t *testing.T) {
	t.Parallel()
	primary := pgtest.New(t)
	second := follower(t, primary)
	store := openReading(t, primary.Address("postgres"), second)
	writes(t, store, "ann")
	usesStandby(t, store, second, "ann")
	primary.Configure(t, "synchronous_standby_names = 'ANY 1 (away)'")
	primary.Reload(t)
	const waiting = `SELECT COUNT(*)::text FROM pg_stat_activity WHERE wait_event = 'SyncRep'`
	const newest = `SELECT user_id FROM audit ORDER BY sequence DESC LIMIT 1`
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := 0; readText(t, primary.Address("postgres"), waiting) == "0"; i++ { // until the server has read its settings
			writing.Go(func() { writes(t, store, fmt.Sprintf("bob%d", i)) })
		}
	})
	eventually(t, "the standby shows a commit that waits", func() bool {
		shown := readText(t, second.Address("postgres"), newest)
		return readText(t, primary.Address("postgres"), waiting) != "0" && shown != readText(t, primary.Address("postgres"), newest)
	})
	shown := readText(t, primary.Address("postgres"), newest)
	for range 5 {
		if read := look(t, store); read != of(primary, shown) {
			t.Errorf("read %+v, want %s", read, shown)
		}
	}
	expectReason(t, store, standby.Ahead)
	primary.Configure(t, "synchronous_standby_names = ''")
	primary.Reload(t)
	writing.Wait()
	usesStandby(t, store, second, readText(t, primary.Address("postgres"), newest))
}

// Whatever two instances write and read while the replay of two standbys pauses, one order of all calls explains every response: no caller
// reads less than what any caller wrote or read before.
func TestReadsFromStandbysAreLinearizable(t *testing.T) {
	t.Parallel()
	const clients, calls = 6, 60
	primary := pgtest.New(t)
	standbys := []*pgtest.Cluster{follower(t, primary), follower(t, primary)}
	stores := []*Postgres{
		openReading(t, primary.Address("postgres"), standbys...), openReading(t, primary.Address("postgres"), standbys[1], standbys[0]),
	}
	stock(t, stores[0], 1)
	usesStandby(t, stores[0], standbys[0], "")
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	pausing, stop := context.WithCancel(t.Context())
	var paused, wait sync.WaitGroup
	for i, one := range standbys {
		paused.Go(func() { pauseNowAndThen(t, pausing, one, rand.New(rand.NewPCG(seed, uint64(100+i)))) }) //nolint:gosec // a small number
	}
	started := time.Now()
	histories := make([][]porcupine.Operation, clients)
	for client := range clients {
		random := rand.New(rand.NewPCG(seed, uint64(client))) //nolint:gosec // a small number
		wait.Go(func() {
			for range calls {
				store, writes := stores[random.IntN(2)], random.IntN(3) == 0
				called := time.Since(started)
				count, err := step(t.Context(), store, writes, random)
				if err != nil {
					t.Errorf("writes %v: %v", writes, err)
					return
				}
				histories[client] = append(histories[client], porcupine.Operation{
					ClientId: client, Input: writes, Call: called.Nanoseconds(), Output: count, Return: time.Since(started).Nanoseconds(),
				})
			}
		})
	}
	wait.Wait()
	stop()
	paused.Wait()
	story := porcupine.Model{
		Init: func() any { return int64(0) },
		Step: func(state, input, output any) (bool, any) {
			if input.(bool) {
				return true, state.(int64) + 1
			}
			return output == state, state
		},
	}
	if result := porcupine.CheckOperationsTimeout(story, slices.Concat(histories...), time.Minute); result != porcupine.Ok {
		t.Errorf("the history is %s", result)
		for _, history := range histories {
			t.Logf("%+v", history)
		}
	}
	for _, store := range stores {
		all, onPrimary := store.Standbys()
		if all[0].Reads+all[1].Reads == 0 {
			t.Error("no read was served by a standby")
		}
		t.Logf("%+v, on the primary %d", all, onPrimary)
	}
}

// step raises the goal of a job, with or without an entry, or reads it in one of the ways in which requests read.
func step(ctx context.Context, store *Postgres, writes bool, random *rand.Rand) (count int64, err error) {
	if writes {
		told := random.IntN(2) == 0
		return 0, store.Update(ctx, func(tx shop.Tx) error {
			job, err := tx.Job("job_1")
			if err != nil {
				return err
			}
			job.GoalQuantity++
			if err := tx.UpdateJob(job); err != nil || !told {
				return err
			}
			return tx.AppendAudit(trail.Entry{Action: shop.ActionJobChanged, UserID: "ann", JobID: "job_1"})
		})
	}
	var options []shop.ViewOption
	if random.IntN(2) == 0 {
		options = append(options, shop.Browse)
	}
	if random.IntN(4) > 0 {
		ctx = shop.FromStandbys(ctx)
	}
	for range 1 + random.IntN(2) { // a request may read more than once
		last := count
		if err := store.View(ctx, func(tx shop.Reader) error {
			job, err := tx.Job("job_1")
			count = job.GoalQuantity - 1
			return err
		}, options...); err != nil {
			return 0, err
		}
		if count < last {
			return 0, fmt.Errorf("a request read %d after %d", count, last)
		}
	}
	return count, nil
}

// pauseNowAndThen pauses the replay of a standby for times that are drawn, until a context ends.
func pauseNowAndThen(t *testing.T, ctx context.Context, one *pgtest.Cluster, random *rand.Rand) { //nolint:revive // of the test
	conn, err := pgx.Connect(t.Context(), one.Address("postgres"))
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close(t.Context())
	for paused := true; ; paused = !paused {
		statement := `SELECT pg_wal_replay_resume()`
		if paused {
			statement = `SELECT pg_wal_replay_pause()`
		}
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Error(err)
			return
		}
		timer := time.NewTimer(time.Duration(random.IntN(60)) * time.Millisecond)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}

// Addresses of standbys are validated without connecting.
func TestStandbyAddresses(t *testing.T) {
	t.Parallel()
	must(t, CheckStandbys([]string{"postgres://a@db1/x", "postgres://a@db2/x", "postgres:///x?host=/run/postgresql"}))
	for wrong, says := range map[string]string{
		"shop.db":                       "begins with postgres://",
		"postgres://a:secret@db1,db2/x": "has several hosts",
		"postgres://a@db1:1/x postgres://a@db1:1/y": "db1:1 is there twice",
		"postgres://a@db1/x?sslmode=wrong":          "is not valid",
		"postgres://a@db1/x db2/x":                  "begins with postgres://",
	} {
		err := CheckStandbys(strings.Fields(wrong))
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %s", wrong, err, says)
		}
	}
	if _, err := OpenPostgres(t.Context(), pgtest.Database(t), Pool{Standbys: []string{"x"}}, Options{}); err == nil {
		t.Error("an address that is not valid was accepted")
	}
	if all, _ := new(Postgres).Standbys(); all != nil {
		t.Error("standbys without any")
	}
}
