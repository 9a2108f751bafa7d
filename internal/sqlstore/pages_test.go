package sqlstore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/workorder"
)

// TestPagesPerAdvance counts the pages that advances of random serials write to the log, in groups of 64. Folding the log back writes at
// most as many again. The test fails if a change adds a page, or a fraction of a page on average. docs/performance.md explains each page.
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
	workshop := newTracedShop(t)
	for range 4 {
		workshop.makeSerials(workshop.makePath(workshop.makeJob(), 8), serials/4, "")
	}
	random := rand.New(rand.NewPCG(1, 2))
	asked := 0
	return workshop.pagesPerChange(func() func() error {
		asked++
		id := workshop.Service.SerialPrefix().SerialID(1 + random.Int64N(int64(serials)))
		advance := func(ctx context.Context) error {
			return ran(workshop.AdvanceSerial(ctx, id, shop.AdvanceSerialInput{UserID: input.Given("ann")}))
		}
		if key == nil {
			return func() error { return advance(context.Background()) }
		}
		once := card.Once{Key: key(asked, random)}
		return func() error { return workshop.Once(context.Background(), once, advance) }
	})
}

// TestPagesPerJob counts the pages that new jobs write to the log, in groups of 64: two for the job, two for its entry, and those of the
// indexes. An empty field of a job is in no index.
func TestPagesPerJob(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		job  func(random *rand.Rand) shop.CreateJobInput
		most float64
	}{
		{"a name alone", func(*rand.Rand) shop.CreateJobInput { return shop.CreateJobInput{} }, 0.42},
		{"a ticket", func(*rand.Rand) shop.CreateJobInput {
			return shop.CreateJobInput{TicketKey: input.Given("SHOP-417"), TicketPriority: input.Given("High")}
		}, 0.53},
		{"all that the search finds it by", func(random *rand.Rand) shop.CreateJobInput {
			some := func(name string) input.TextInput { return input.Given(fmt.Sprintf("%s %03d", name, random.IntN(1000))) }
			return shop.CreateJobInput{TicketKey: some("SHOP"), TicketPart: some("VB"), OrderInput: workorder.OrderInput{
				PartNumber: some("VB"), Customer: some("Customer"), OrderNumber: some("PO"),
			}}
		}, 1.8},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			workshop := newTracedShop(t)
			random := rand.New(rand.NewPCG(1, 2))
			pages := workshop.pagesPerChange(func() func() error {
				in := test.job(random)
				in.Name, in.GoalQuantity = input.Given("Bearing housing"), input.Given(250.0)
				return func() error { return ran(workshop.CreateJob(context.Background(), in)) }
			})
			if pages > test.most || pages < 0.05 {
				t.Errorf("a job writes %.3f pages, want at most %.3f", pages, test.most)
			}
		})
	}
}

// pagesPerChange counts the pages that a change writes to the log, in groups of 64. Each call of drawn returns another change.
func (s *tracedShop) pagesPerChange(drawn func() func() error) float64 {
	s.t.Helper()
	const callers, groups = 64, 24
	group := func() {
		release := s.occupyWriter()
		errs := make(chan error, callers)
		for range callers {
			change := drawn()
			go func() { errs <- change() }()
		}
		for patience := time.Now().Add(time.Minute); len(s.store.writer.coming) < callers && time.Now().Before(patience); {
			runtime.Gosched()
		}
		release()
		for range callers {
			must(s.t, <-errs)
		}
	}
	conn := connection(s.t, s.store)
	var frames int64
	// During a read the log does not start again from its beginning, so its length counts all writes.
	must(s.t, s.store.View(s.t.Context(), func(tx shop.Reader) error {
		if _, err := tx.LastAuditSequence(); err != nil {
			return err
		}
		for range groups / 3 { // until every table and index that it writes to has rows
			group()
		}
		before := logLength(s.t, conn)
		for range groups {
			group()
		}
		frames = logLength(s.t, conn) - before
		return nil
	}))
	return float64(frames) / (callers * groups)
}

// logLength folds the log and returns its number of pages.
func logLength(t testing.TB, conn *sqliteConnection) int64 {
	t.Helper()
	for {
		state, err := checkpoint(conn)
		must(t, err)
		if state.frames >= 0 { // unknown while the checkpointer folds
			return state.frames
		}
	}
}
