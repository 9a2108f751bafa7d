package sqlstore

import (
	"errors"
	"slices"
	"testing"

	"github.com/routecard/routecard/shop"
)

// TestFoldAhead checks that the file is synced and the log folded until little work is left for the time when the writer stops.
func TestFoldAhead(t *testing.T) {
	failure := errors.New("no disk")
	for _, test := range []struct {
		name        string
		gains       []int64 // of the log, in each round
		syncFails   int     // the round in which the sync fails, or 0
		foldFails   int
		rounds      int
		frames      int64
		wantFailure bool
	}{
		{name: "nobody writes", gains: []int64{0}, rounds: 1, frames: 5000},
		{name: "less each time", gains: []int64{2000, 700, 255, 9}, rounds: 3, frames: 7955},
		{name: "a disk that never gets there", gains: []int64{900, 900, 900, 900, 900, 900, 900, 900}, rounds: 6, frames: 10_400},
		{name: "a sync fails", gains: []int64{2000, 700}, syncFails: 2, rounds: 1, frames: 7000, wantFailure: true},
		{name: "a fold fails", gains: []int64{2000, 700, 20}, foldFails: 2, rounds: 2, wantFailure: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			syncs, folds, frames := 0, 0, int64(5000)
			state, err := foldAhead(logState{frames: frames}, func() error {
				if syncs++; syncs == test.syncFails {
					return failure
				}
				return nil
			}, func() (logState, error) {
				if syncs != folds+1 {
					t.Errorf("%d syncs before fold %d", syncs, folds+1)
				}
				frames += test.gains[folds]
				if folds++; folds == test.foldFails {
					return logState{}, failure
				}
				return logState{frames: frames}, nil
			})
			if failed := errors.Is(err, failure); failed != test.wantFailure || folds != test.rounds || state.frames != test.frames {
				t.Errorf("%d rounds, %d frames, %v; want %d rounds, %d frames", folds, state.frames, err, test.rounds, test.frames)
			}
		})
	}
}

// TestRest checks that caches are released once after two seconds with hardly any work, and not otherwise.
func TestRest(t *testing.T) {
	var r rest
	done, given := int64(1000), []bool{} // the work before the first two seconds counts
	for _, work := range []int64{0, 0, restWork, restWork + 1, 50_000, 3, 0} {
		for tick := range restTicks {
			if tick == 0 {
				done += work
			}
			resting := r.tick(done)
			if tick == restTicks-1 {
				given = append(given, resting)
			} else if resting {
				t.Errorf("caches are given back at look %d", tick)
			}
		}
	}
	if want := []bool{false, true, true, false, false, true, true}; !slices.Equal(given, want) {
		t.Errorf("given back: %v, want %v", given, want)
	}
}

// TestCachesAreGivenBackInAPause fills the cache of a reader and then does nothing for a while.
func TestCachesAreGivenBackInAPause(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, shopFile(t), Options{})
	stock(t, store, 20_000)
	var conn *sqliteConnection
	eventually(t, "the cache is filled", func() bool { // stores of other tests may release the caches of the process
		must(t, store.View(t.Context(), func(tx shop.Reader) error {
			for _, err := range tx.Serials(0) {
				if err != nil {
					return err
				}
			}
			return nil
		}))
		var err error
		conn, err = store.readers.borrow(t.Context())
		must(t, err)
		defer store.readers.putBack(conn, true)
		return conn.conn.CacheUsed() > 500_000
	})
	eventually(t, "the cache is given back", func() bool { return conn.conn.CacheUsed() < 100_000 })
}

// TestListsGiveTheirCacheBack reads a long list. Afterwards no connection has more of its pages cached than listCache.
func TestListsGiveTheirCacheBack(t *testing.T) {
	store := openSQLite(t, shopFile(t), Options{})
	stock(t, store, 100_000)
	count := 0
	must(t, store.View(t.Context(), func(tx shop.Reader) error {
		for _, err := range tx.Serials(0) {
			if err != nil {
				return err
			}
			count++
			if store.readers.mu.Lock(); len(store.readers.spare) != 1 {
				t.Fatalf("%d connections were put back", len(store.readers.spare))
			}
			used := store.readers.spare[0].conn.CacheUsed()
			store.readers.mu.Unlock()
			if used > listCache {
				t.Fatalf("%d bytes are cached after %d rows", used, count)
			}
		}
		return nil
	}, shop.Browse))
	if count != 100_000 {
		t.Errorf("%d serials", count)
	}
}
