package sqlstore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/routecard/routecard/shop"
)

// TestPagesPerAdvance counts the pages that advances write to the log, in groups of 64 on random serials. Folding the
// log back writes at most as many again. It fails when a change adds a page, or a part of one on average;
// docs/performance.md says what each page is for.
func TestPagesPerAdvance(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		serials int
		key     func(n int, random *rand.Rand) string
		most    float64
	}{
		{"2,000 serials", 2000, nil, 1.35},
		{"20,000 serials", 20_000, nil, 2.55},
		{"20,000 serials, random keys", 20_000, func(_ int, random *rand.Rand) string {
			return fmt.Sprintf("%016x-%016x", random.Uint64(), random.Uint64())
		}, 2.95},
		{"20,000 serials, keys that begin with the time", 20_000, func(n int, random *rand.Rand) string {
			return fmt.Sprintf("%016x-%016x", n, random.Uint64())
		}, 2.8},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if pages := pagesPerAdvance(t, test.serials, test.key); pages > test.most || pages < 1 {
				t.Errorf("an advance writes %.2f pages, want at most %.2f", pages, test.most)
			}
		})
	}
}

func pagesPerAdvance(t *testing.T, serials int, key func(n int, random *rand.Rand) string) float64 {
	t.Helper()
	const callers, groups = 64, 24
	workshop := newTracedShop(t)
	for range 4 {
		workshop.makeSerials(workshop.makePath(workshop.makeJob(), 8), serials/4, "")
	}
	random := rand.New(rand.NewPCG(1, 2))
	asked := 0
	group := func() {
		release := workshop.occupyWriter()
		errs := make(chan error, callers)
		for range callers {
			asked++
			id, run := shop.SerialID(1+random.Int64N(int64(serials))), func(ctx context.Context, id string) error {
				return ran(workshop.AdvanceSerial(ctx, id, shop.AdvanceSerialInput{UserID: shop.Given("ann")}))
			}
			once := shop.Once{}
			if key != nil {
				once.Key = key(asked, random)
			}
			go func() {
				if key == nil {
					errs <- run(context.Background(), id)
					return
				}
				errs <- workshop.Once(context.Background(), once, func(ctx context.Context) error { return run(ctx, id) })
			}()
		}
		for patience := time.Now().Add(time.Minute); len(workshop.store.writer.coming) < callers && time.Now().Before(patience); {
			runtime.Gosched()
		}
		release()
		for range callers {
			must(t, <-errs)
		}
	}
	conn := connection(t, workshop.store)
	var frames int64
	// During a read the log does not begin again from its start, so its length counts what is written.
	must(t, workshop.store.View(t.Context(), func(tx shop.Reader) error {
		if _, err := tx.RouteCard("SN-00001"); err != nil {
			return err
		}
		for range groups / 3 { // until every table and index that it writes to has rows
			group()
		}
		before := logLength(t, conn)
		for range groups {
			group()
		}
		frames = logLength(t, conn) - before
		return nil
	}))
	return float64(frames) / (callers * groups)
}

// logLength folds the log and returns how many pages it has.
func logLength(t testing.TB, conn *sqliteConnection) int64 {
	t.Helper()
	for {
		state, err := checkpoint(conn)
		must(t, err)
		if state.frames >= 0 { // not known while the checkpointer folds
			return state.frames
		}
	}
}
