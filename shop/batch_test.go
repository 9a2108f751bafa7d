package shop_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// moved is an operation in its single and its batch form.
type moved struct {
	name   string
	single func(ctx context.Context, s *shoptest.Shop, id string) (any, error)
	many   func(ctx context.Context, s *shoptest.Shop, in shop.BatchInput) (shop.BatchResult, error)
}

// alone is single without the result.
func (m moved) alone(ctx context.Context, s *shoptest.Shop, id string) error {
	_, err := m.single(ctx, s, id)
	return err
}

func drawOperation(t *rapid.T) moved {
	expected := input.NumberInput{}
	if upTo(t, "expects?", 3) == 3 {
		expected = shoptest.Number(float64(upTo(t, "expected", 3)))
	}
	switch upTo(t, "operation", 3) {
	case 0:
		in := shop.AdvanceSerialInput{ExpectedStepIndex: expected, UserID: shoptest.Given("bob")}
		return moved{
			"advance",
			func(ctx context.Context, s *shoptest.Shop, id string) (any, error) {
				return s.AdvanceSerial(ctx, id, in)
			},
			func(ctx context.Context, s *shoptest.Shop, batch shop.BatchInput) (shop.BatchResult, error) {
				return s.BatchAdvance(ctx, shop.BatchAdvanceInput{BatchInput: batch, AdvanceSerialInput: in})
			},
		}
	case 1:
		in := shop.AdvanceToStepInput{
			TargetStepIndex: shoptest.Number(float64(upTo(t, "target", 6))), ExpectedStepIndex: expected, UserID: shoptest.Given("bob"),
		}
		return moved{
			"advance to",
			func(ctx context.Context, s *shoptest.Shop, id string) (any, error) {
				return s.AdvanceToStep(ctx, id, in)
			},
			func(ctx context.Context, s *shoptest.Shop, batch shop.BatchInput) (shop.BatchResult, error) {
				return s.BatchAdvanceTo(ctx, shop.BatchAdvanceToInput{BatchInput: batch, AdvanceToStepInput: in})
			},
		}
	case 2:
		in := shop.ScrapSerialInput{ExpectedStepIndex: expected, Reason: shoptest.Given("damaged"), Explanation: shoptest.Given("fell"), UserID: shoptest.Given("bob")}
		return moved{
			"scrap",
			func(ctx context.Context, s *shoptest.Shop, id string) (any, error) { return s.ScrapSerial(ctx, id, in) },
			func(ctx context.Context, s *shoptest.Shop, batch shop.BatchInput) (shop.BatchResult, error) {
				return s.BatchScrap(ctx, shop.BatchScrapInput{BatchInput: batch, ScrapSerialInput: in})
			},
		}
	default:
		in := shop.ForceCompleteInput{ExpectedStepIndex: expected, Reason: shoptest.Given("late"), UserID: shoptest.Given("bob")}
		return moved{
			"force-complete",
			func(ctx context.Context, s *shoptest.Shop, id string) (any, error) {
				return s.ForceComplete(ctx, id, in)
			},
			func(ctx context.Context, s *shoptest.Shop, batch shop.BatchInput) (shop.BatchResult, error) {
				return s.BatchForceComplete(ctx, shop.BatchForceCompleteInput{BatchInput: batch, ForceCompleteInput: in})
			},
		}
	}
}

// TestBatchIsTheSingleOperations: serials and their twins have the same history. A batch operation runs on the serials, and the single
// operation on each of the twins: the results are the same, and so is everything that can be read of them.
func TestBatchIsTheSingleOperations(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	rapid.Check(t, func(t *rapid.T) {
		ctx := t.Context()
		m := newMachine(t, s, map[string]int{})
		const pairs = 6
		batch := shoptest.Must(s.CreateSerials(ctx, shop.CreateSerialsInput{
			JobID: shoptest.Given(m.model.path.JobID), PathID: shoptest.Given(m.model.path.ID), Quantity: shoptest.Number(2 * pairs), UserID: shoptest.Given("ann"),
		}))
		var serials, twins []string
		for serial, err := range batch.All(s.Service.SerialPrefix()) {
			if shoptest.Must(serial, err); len(serials) < pairs {
				serials = append(serials, serial.ID)
			} else {
				twins = append(twins, serial.ID)
			}
		}
		for range upTo(t, "moves before", 12) {
			s.Tick()
			i, operation := upTo(t, "serial", pairs-1), drawOperation(t)
			_, _ = operation.alone(ctx, s, serials[i]), operation.alone(ctx, s, twins[i])
		}
		for i := range serials {
			same(t, "before the batch "+serials[i], s.Told(ctx, serials[i]), s.Told(ctx, twins[i]))
		}
		s.Tick()
		operation, policy := drawOperation(t), rapid.SampledFrom([]string{"none", "each"}).Draw(t, "onRefusal")
		order := rapid.Permutation(serials).Draw(t, "order")[:1+upTo(t, "selected", pairs-1)]
		in := shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(order...)}, OnRefusal: shoptest.Given(policy)}
		twin := func(id string) string { return twins[slices.Index(serials, id)] }
		before := map[string]string{}
		for _, id := range order {
			before[id] = s.Told(ctx, id)
		}
		dry := in
		dry.DryRun = input.Given(true)
		foreseen := shoptest.Must(operation.many(ctx, s, dry))
		for _, id := range order {
			same(t, "a dry run changed "+id, s.Told(ctx, id), before[id])
		}
		result, err := operation.many(ctx, s, in)
		if policy == "none" {
			checkNone(t, s, operation, order, twin, before, result, err, foreseen)
			return
		}
		want := shop.BatchResult{Selected: len(order), Refused: []shop.Refusal{}}
		for _, id := range order {
			if refusal := operation.alone(ctx, s, twin(id)); refusal != nil {
				want.Refused = append(want.Refused, shop.Refusal{SerialID: id, Err: renamed(refusal, twin(id), id)})
			} else {
				want.Changed++
			}
		}
		same(t, operation.name, outcome(shoptest.Must(result, err)), outcome(want))
		same(t, operation.name+" foreseen", outcome(foreseen), outcome(want))
		for _, id := range order {
			same(t, operation.name+" of "+id, s.Told(ctx, id), s.Told(ctx, twin(id)))
		}
	})
}

// checkNone compares a batch that changes all serials or none with the single operations.
func checkNone(
	t *rapid.T, s *shoptest.Shop, operation moved, order []string, twin func(string) string, before map[string]string,
	result shop.BatchResult, err error, foreseen shop.BatchResult,
) {
	ctx := t.Context()
	refusals := 0
	for _, id := range order {
		refusal := operation.alone(ctx, s, twin(id))
		if refusal == nil {
			continue
		}
		if refusals++; refusals == 1 {
			want := shoptest.Refused(renamed(refusal, twin(id), id))
			want.Message += " (" + id + ")"
			same(t, operation.name, shoptest.Refused(err), want)
		}
	}
	same(t, operation.name+" foreseen", len(foreseen.Refused), refusals)
	if refusals > 0 {
		same(t, operation.name+" foreseen", foreseen.Changed, 0)
		for _, id := range order {
			same(t, operation.name+" refused changed "+id, s.Told(ctx, id), before[id])
		}
		return
	}
	same(t, operation.name, outcome(shoptest.Must(result, err)), outcome(shop.BatchResult{Selected: len(order), Changed: len(order), Refused: []shop.Refusal{}}))
	for _, id := range order {
		same(t, operation.name+" of "+id, s.Told(ctx, id), s.Told(ctx, twin(id)))
	}
}

// renamed returns the refusal of one serial with the id of another serial.
func renamed(err error, from, to string) error {
	refusal, ok := errors.AsType[*refusal.Error](err)
	if !ok {
		return err
	}
	args := slices.Clone(refusal.Args)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], from, to)
	}
	other := *refusal
	other.Args, other.Serial = args, strings.ReplaceAll(refusal.Serial, from, to)
	return &other
}

// outcome formats a result for comparing.
func outcome(result shop.BatchResult) string {
	var b strings.Builder
	fmt.Fprintln(&b, result.Selected, result.Changed)
	for _, refusal := range result.Refused {
		r := shoptest.Refused(refusal.Err)
		fmt.Fprintln(&b, refusal.SerialID, r.Kind, r.Message)
	}
	return b.String()
}

func everyOf(path card.Path, count int) shop.SelectionInput {
	return shop.SelectionInput{
		Where:         input.Given(shop.FilterInput{PathID: shoptest.Given(path.ID)}),
		ExpectedCount: shoptest.Number(float64(count)),
	}
}

// failingStore fails the ChangeCards calls of its Updates after left calls.
type failingStore struct {
	sqlstore.Store
	left int
}

var errDisk = errors.New("the disk is full")

func (f *failingStore) Update(ctx context.Context, change func(shop.Tx) error, options ...shop.UpdateOption) error {
	return f.Store.Update(ctx, func(tx shop.Tx) error { return change(failingTx{tx, f}) }, options...)
}

type failingTx struct {
	shop.Tx
	of *failingStore
}

func (tx failingTx) ChangeCards(changes []card.Change) error {
	if tx.of.left--; tx.of.left < 0 {
		return errDisk
	}
	return tx.Tx.ChangeCards(changes)
}

// failingAfter returns a service whose store fails after this many ChangeCards calls of a thousand changes.
func failingAfter(s *shoptest.Shop, chunks int) *shop.Service {
	clock := func() time.Time { return time.UnixMilli(s.Clock.Load()) }
	return shop.New(&failingStore{s.Store, chunks}, clock, ident.NewIdentifiers(clock))
}

// aloneStore records which Updates have the option Alone.
type aloneStore struct {
	sqlstore.Store

	alone []bool
}

func (s *aloneStore) Update(ctx context.Context, change func(shop.Tx) error, options ...shop.UpdateOption) error {
	s.alone = append(s.alone, slices.Contains(options, shop.Alone))
	return s.Store.Update(ctx, change, options...)
}

// TestPartsOfALongBatchAreCommittedAlone: waiting requests are committed before the next part, not with it. A short batch shares its commit
// with waiting requests.
func TestPartsOfALongBatchAreCommittedAlone(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	clock := func() time.Time { return time.UnixMilli(s.Clock.Load()) }
	for quantity, want := range map[int][]bool{1000: {false}, 1001: {true, true}} {
		_, first := s.Lot(t.Context(), quantity)
		var ids []string
		for i := range quantity {
			ids = append(ids, s.Service.SerialPrefix().SerialID(first+int64(i)))
		}
		watch := &aloneStore{Store: s.Store}
		result := shoptest.Must(shop.New(watch, clock, ident.NewIdentifiers(clock)).BatchAdvance(t.Context(),
			shop.BatchAdvanceInput{BatchInput: shop.BatchInput{
				Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(ids...)}, OnRefusal: shoptest.Given("each"),
			}}))
		if !slices.Equal(watch.alone, want) || result.Changed != quantity {
			t.Errorf("%d serials: %d changed, parts by themselves: %t, want %t", quantity, result.Changed, watch.alone, want)
		}
	}
}

func TestBatchUnderFailures(t *testing.T) {
	t.Parallel()
	const quantity = 3500
	for _, test := range []struct {
		policy  string
		after   int
		fails   bool
		changed int
	}{
		{"none", 0, true, 0},
		{"none", 3, true, 0},
		{"none", 4, false, quantity},
		{"each", 0, true, 0},
		{"each", 2, false, 2000},
		{"each", 4, false, quantity},
	} {
		t.Run(fmt.Sprintf("%s, the store fails after %d thousand", test.policy, test.after), func(t *testing.T) {
			t.Parallel()
			s, ctx := shoptest.Open(t), t.Context()
			path, _ := s.Lot(ctx, quantity)
			entries := len(shoptest.Collect(s.AuditEntries(ctx, shop.NoLimit, 0)))
			told := 0
			result, err := failingAfter(s, test.after).BatchAdvance(ctx, shop.BatchAdvanceInput{BatchInput: shop.BatchInput{
				Selection: everyOf(path, quantity), OnRefusal: shoptest.Given(test.policy), Told: func(done, _ int) { told = done },
			}})
			if test.fails != errors.Is(err, errDisk) {
				t.Fatalf("error is %v", err)
			}
			if standing := s.Standing(ctx, path); standing[1] != int64(test.changed) || standing[0] != int64(quantity-test.changed) {
				t.Errorf("standing %v, want %d on the second step", standing, test.changed)
			}
			if added := len(shoptest.Collect(s.AuditEntries(ctx, shop.NoLimit, 0))) - entries; added != test.changed {
				t.Errorf("%d entries, want %d", added, test.changed)
			}
			if test.fails {
				return
			}
			if result.Changed != test.changed || len(result.Refused) != quantity-test.changed || result.Selected != quantity || told != test.changed {
				t.Errorf("%d selected, %d changed, %d refused, told of %d", result.Selected, result.Changed, len(result.Refused), told)
			}
			for _, refusal := range result.Refused {
				if !errors.Is(refusal.Err, errDisk) {
					t.Fatalf("%s: %v", refusal.SerialID, refusal.Err)
				}
			}
		})
	}
}

// A batch does not change a unit that another request moved after the selection.
func TestBatchLeavesAloneWhatWasMovedMeanwhile(t *testing.T) {
	t.Parallel()
	const quantity = 2500
	s, ctx := shoptest.Open(t), t.Context()
	path, first := s.Lot(ctx, quantity)
	last := s.Service.SerialPrefix().SerialID(first + quantity - 1)
	result := shoptest.Must(s.BatchAdvance(ctx, shop.BatchAdvanceInput{BatchInput: shop.BatchInput{
		Selection: shop.SelectionInput{
			Where: input.Given(shop.FilterInput{StepID: shoptest.Given(path.Steps[0].ID)}), ExpectedCount: shoptest.Number(quantity),
		},
		OnRefusal: shoptest.Given("each"),
		Told: func(done, _ int) {
			if done == 1000 {
				shoptest.Must(s.AdvanceSerial(ctx, last, shop.AdvanceSerialInput{}))
			}
		},
	}}))
	want := "2500 2499\n" + last + " 3 " + last + " is no longer in the selection\n"
	if diff := cmp.Diff(want, outcome(result)); diff != "" {
		t.Error(diff)
	}
	if standing := s.Standing(ctx, path); standing[1] != quantity {
		t.Errorf("standing %v", standing)
	}
}

// A hundred thousand serials is the maximum of a batch: the memory that the service uses for them at once stays small. The test measures
// the whole process, so no other test runs in parallel.
func TestLargestBatch(t *testing.T) { //nolint:paralleltest // see above
	const quantity, limit = 100_000, 160 << 20
	s, ctx := shoptest.Open(t), t.Context()
	path, first := s.Lot(ctx, quantity)
	var peak uint64
	watch := func(int, int) {
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		peak = max(peak, memory.HeapAlloc)
	}
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	policies := []string{"none", "each"}
	if s.Database.Postgres() {
		policies = policies[:1] // needs the most memory; the other policy processes a thousand serials at a time
	}
	for i, policy := range policies {
		result := shoptest.Must(s.BatchAdvance(ctx, shop.BatchAdvanceInput{BatchInput: shop.BatchInput{
			Selection: everyOf(path, quantity), OnRefusal: shoptest.Given(policy), Told: watch,
		}}))
		if result.Changed != quantity {
			t.Fatalf("%s: %d changed", policy, result.Changed)
		}
		if standing := s.Standing(ctx, path); standing[i+1] != quantity {
			t.Fatalf("%s: standing %v", policy, standing)
		}
	}
	if grown := int64(peak) - int64(before.HeapAlloc); grown > limit {
		t.Errorf("the heap grew by %d MiB", grown>>20)
	}
	// The entries are in the order of the selection.
	next := first + quantity
	for entry, err := range s.AuditEntries(ctx, quantity, 0) {
		if next--; shoptest.Must(entry, err).SerialID != s.Service.SerialPrefix().SerialID(next) {
			t.Fatalf("%s where %s was next", entry.SerialID, s.Service.SerialPrefix().SerialID(next))
		}
	}
	s.Lot(ctx, 1)
	_, err := s.BatchAdvance(ctx, shop.BatchAdvanceInput{BatchInput: shop.BatchInput{Selection: shop.SelectionInput{
		Where: input.Given(shop.FilterInput{Status: shoptest.Given("in_progress")}), ExpectedCount: shoptest.Number(quantity + 1),
	}}})
	if got := shoptest.Refused(err); got == nil || got.Message != "At most 100000 serials at once" {
		t.Errorf("100,001 serials: %v", err)
	}
}
