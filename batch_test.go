package routecard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/routecard/routecard"
)

// moved is an operation in both its forms.
type moved struct {
	name   string
	single func(ctx context.Context, s *shop, id string) (any, error)
	many   func(ctx context.Context, s *shop, in routecard.BatchInput) (routecard.BatchResult, error)
}

// alone is single for those who only want to know whether it was refused.
func (m moved) alone(ctx context.Context, s *shop, id string) error {
	_, err := m.single(ctx, s, id)
	return err
}

func drawOperation(t *rapid.T) moved {
	expected := routecard.NumberInput{}
	if upTo(t, "expects?", 3) == 3 {
		expected = number(float64(upTo(t, "expected", 3)))
	}
	switch upTo(t, "operation", 3) {
	case 0:
		in := routecard.AdvanceSerialInput{ExpectedStepIndex: expected, UserID: given("bob")}
		return moved{
			"advance",
			func(ctx context.Context, s *shop, id string) (any, error) { return s.AdvanceSerial(ctx, id, in) },
			func(ctx context.Context, s *shop, batch routecard.BatchInput) (routecard.BatchResult, error) {
				return s.BatchAdvance(ctx, routecard.BatchAdvanceInput{BatchInput: batch, AdvanceSerialInput: in})
			},
		}
	case 1:
		in := routecard.AdvanceToStepInput{
			TargetStepIndex: number(float64(upTo(t, "target", 6))), ExpectedStepIndex: expected, UserID: given("bob"),
		}
		return moved{
			"advance to",
			func(ctx context.Context, s *shop, id string) (any, error) { return s.AdvanceToStep(ctx, id, in) },
			func(ctx context.Context, s *shop, batch routecard.BatchInput) (routecard.BatchResult, error) {
				return s.BatchAdvanceTo(ctx, routecard.BatchAdvanceToInput{BatchInput: batch, AdvanceToStepInput: in})
			},
		}
	case 2:
		in := routecard.ScrapSerialInput{ExpectedStepIndex: expected, Reason: given("damaged"), Explanation: given("fell"), UserID: given("bob")}
		return moved{
			"scrap",
			func(ctx context.Context, s *shop, id string) (any, error) { return s.ScrapSerial(ctx, id, in) },
			func(ctx context.Context, s *shop, batch routecard.BatchInput) (routecard.BatchResult, error) {
				return s.BatchScrap(ctx, routecard.BatchScrapInput{BatchInput: batch, ScrapSerialInput: in})
			},
		}
	default:
		in := routecard.ForceCompleteInput{ExpectedStepIndex: expected, Reason: given("late"), UserID: given("bob")}
		return moved{
			"force-complete",
			func(ctx context.Context, s *shop, id string) (any, error) { return s.ForceComplete(ctx, id, in) },
			func(ctx context.Context, s *shop, batch routecard.BatchInput) (routecard.BatchResult, error) {
				return s.BatchForceComplete(ctx, routecard.BatchForceCompleteInput{BatchInput: batch, ForceCompleteInput: in})
			},
		}
	}
}

// told is everything that can be seen of a serial, with its id written as a word.
func (s *shop) told(ctx context.Context, id string) string {
	card := must(json.MarshalIndent(must(s.Serial(ctx, id)), "", " "))
	statuses := must(json.MarshalIndent(must(s.StepStatuses(ctx, id)), "", " "))
	entries := collect(s.AuditOfSerial(ctx, id))
	for i := range entries {
		entries[i].ID = ""
	}
	trail := must(json.MarshalIndent(entries, "", " "))
	return strings.ReplaceAll(string(card)+"\n"+string(statuses)+"\n"+string(trail), id, "THIS")
}

// TestBatchIsTheSingleOperations: serials and their twins have the same past. Then an operation on many runs on the
// serials, and the operation on one, one after the other, on the twins: the answers are the same, and so is everything
// that can be seen of them.
func TestBatchIsTheSingleOperations(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	rapid.Check(t, func(t *rapid.T) {
		ctx := t.Context()
		m := newMachine(t, s, map[string]int{})
		const pairs = 6
		batch := must(s.CreateSerials(ctx, routecard.CreateSerialsInput{
			JobID: given(m.model.path.JobID), PathID: given(m.model.path.ID), Quantity: number(2 * pairs), UserID: given("ann"),
		}))
		var serials, twins []string
		for serial, err := range batch.All() {
			if must(serial, err); len(serials) < pairs {
				serials = append(serials, serial.ID)
			} else {
				twins = append(twins, serial.ID)
			}
		}
		for range upTo(t, "moves before", 12) {
			s.tick()
			i, operation := upTo(t, "serial", pairs-1), drawOperation(t)
			_, _ = operation.alone(ctx, s, serials[i]), operation.alone(ctx, s, twins[i])
		}
		for i := range serials {
			same(t, "before the batch "+serials[i], s.told(ctx, serials[i]), s.told(ctx, twins[i]))
		}
		s.tick()
		operation, policy := drawOperation(t), rapid.SampledFrom([]string{"none", "each"}).Draw(t, "onRefusal")
		order := rapid.Permutation(serials).Draw(t, "order")[:1+upTo(t, "selected", pairs-1)]
		in := routecard.BatchInput{Selection: routecard.SelectionInput{SerialIDs: routecard.GivenTexts(order...)}, OnRefusal: given(policy)}
		twin := func(id string) string { return twins[slices.Index(serials, id)] }
		before := map[string]string{}
		for _, id := range order {
			before[id] = s.told(ctx, id)
		}
		dry := in
		dry.DryRun = routecard.Given(true)
		foreseen := must(operation.many(ctx, s, dry))
		for _, id := range order {
			same(t, "a dry run changed "+id, s.told(ctx, id), before[id])
		}
		result, err := operation.many(ctx, s, in)
		if policy == "none" {
			checkNone(t, s, operation, order, twin, before, result, err, foreseen)
			return
		}
		want := routecard.BatchResult{Selected: len(order), Refused: []routecard.Refusal{}}
		for _, id := range order {
			if refusal := operation.alone(ctx, s, twin(id)); refusal != nil {
				want.Refused = append(want.Refused, routecard.Refusal{SerialID: id, Err: renamed(refusal, twin(id), id)})
			} else {
				want.Changed++
			}
		}
		same(t, operation.name, outcome(must(result, err)), outcome(want))
		same(t, operation.name+" foreseen", outcome(foreseen), outcome(want))
		for _, id := range order {
			same(t, operation.name+" of "+id, s.told(ctx, id), s.told(ctx, twin(id)))
		}
	})
}

// checkNone holds a batch that changes all or none against the single operations.
func checkNone(
	t *rapid.T, s *shop, operation moved, order []string, twin func(string) string, before map[string]string,
	result routecard.BatchResult, err error, foreseen routecard.BatchResult,
) {
	ctx := t.Context()
	refusals := 0
	for _, id := range order {
		refusal := operation.alone(ctx, s, twin(id))
		if refusal == nil {
			continue
		}
		if refusals++; refusals == 1 {
			want := refused(renamed(refusal, twin(id), id))
			want.Message += " (" + id + ")"
			same(t, operation.name, refused(err), want)
		}
	}
	same(t, operation.name+" foreseen", len(foreseen.Refused), refusals)
	if refusals > 0 {
		same(t, operation.name+" foreseen", foreseen.Changed, 0)
		for _, id := range order {
			same(t, operation.name+" refused changed "+id, s.told(ctx, id), before[id])
		}
		return
	}
	same(t, operation.name, outcome(must(result, err)), outcome(routecard.BatchResult{Selected: len(order), Changed: len(order), Refused: []routecard.Refusal{}}))
	for _, id := range order {
		same(t, operation.name+" of "+id, s.told(ctx, id), s.told(ctx, twin(id)))
	}
}

// renamed is a refusal of one serial as it is for another.
func renamed(err error, from, to string) error {
	refusal := *refused(err)
	refusal.Message = strings.ReplaceAll(refusal.Message, from, to)
	return &refusal
}

// outcome is a result that can be compared.
func outcome(result routecard.BatchResult) string {
	var b strings.Builder
	fmt.Fprintln(&b, result.Selected, result.Changed)
	for _, refusal := range result.Refused {
		r := refused(refusal.Err)
		fmt.Fprintln(&b, refusal.SerialID, r.Code, r.Message)
	}
	return b.String()
}

// lot makes a path of three steps with this many serials and returns it with the first serial's number.
func (s *shop) lot(ctx context.Context, quantity int) (routecard.Path, int64) {
	steps := []routecard.Input[routecard.StepInput]{}
	for _, name := range []string{"Saw", "Mill", "Pack"} {
		steps = append(steps, routecard.Given(routecard.StepInput{Name: given(name)}))
	}
	job := must(s.CreateJob(ctx, routecard.CreateJobInput{Name: given("Bracket"), GoalQuantity: number(2)}))
	path := must(s.CreatePath(ctx, routecard.CreatePathInput{
		JobID: given(job.ID), Name: given("Main"), GoalQuantity: number(2), Steps: routecard.Given(steps),
	}))
	batch := must(s.CreateSerials(ctx, routecard.CreateSerialsInput{
		JobID: given(job.ID), PathID: given(path.ID), Quantity: number(float64(quantity)), UserID: given("ann"),
	}))
	return path, batch.First
}

func everyOf(path routecard.Path, count int) routecard.SelectionInput {
	return routecard.SelectionInput{
		Where:         routecard.Given(routecard.FilterInput{PathID: given(path.ID)}),
		ExpectedCount: number(float64(count)),
	}
}

func (s *shop) standing(ctx context.Context, path routecard.Path) []int64 {
	counts := make([]int64, len(path.Steps))
	for serial, err := range s.Serials(ctx) {
		if must(serial, err).PathID == path.ID && serial.CurrentStepIndex >= 0 {
			counts[serial.CurrentStepIndex]++
		}
	}
	return counts
}

// failingStore fails an Update's so manieth ChangeCards.
type failingStore struct {
	routecard.Store
	left int
}

var errDisk = errors.New("the disk is full")

func (f *failingStore) Update(ctx context.Context, change func(routecard.Tx) error) error {
	return f.Store.Update(ctx, func(tx routecard.Tx) error { return change(failingTx{tx, f}) })
}

type failingTx struct {
	routecard.Tx
	of *failingStore
}

func (tx failingTx) ChangeCards(changes []routecard.CardChange) error {
	if tx.of.left--; tx.of.left < 0 {
		return errDisk
	}
	return tx.Tx.ChangeCards(changes)
}

// failingAfter is the shop's business on a store that fails after so many thousands of changes.
func (s *shop) failingAfter(chunks int) *routecard.Service {
	clock := func() time.Time { return time.UnixMilli(s.clock.Load()) }
	return routecard.New(&failingStore{s.store, chunks}, clock, routecard.NewIdentifiers(clock))
}

// aloneStore notes which Updates ask to be committed by themselves.
type aloneStore struct {
	routecard.Store

	alone []bool
}

func (s *aloneStore) Update(ctx context.Context, change func(routecard.Tx) error) error {
	s.alone = append(s.alone, routecard.IsAlone(ctx))
	return s.Store.Update(ctx, change)
}

// TestPartsOfALongBatchAreCommittedAlone: others that wait are committed before the next part, not with it. A short batch
// shares its commit with them.
func TestPartsOfALongBatchAreCommittedAlone(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	clock := func() time.Time { return time.UnixMilli(s.clock.Load()) }
	for quantity, want := range map[int][]bool{1000: {false}, 1001: {true, true}} {
		_, first := s.lot(t.Context(), quantity)
		var ids []string
		for i := range quantity {
			ids = append(ids, routecard.SerialID(first+int64(i)))
		}
		watch := &aloneStore{Store: s.store}
		result := must(routecard.New(watch, clock, routecard.NewIdentifiers(clock)).BatchAdvance(t.Context(),
			routecard.BatchAdvanceInput{BatchInput: routecard.BatchInput{
				Selection: routecard.SelectionInput{SerialIDs: routecard.GivenTexts(ids...)}, OnRefusal: given("each"),
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
			s, ctx := openShop(t), t.Context()
			path, _ := s.lot(ctx, quantity)
			entries := len(collect(s.AuditEntries(ctx, routecard.NoLimit, 0)))
			told := 0
			result, err := s.failingAfter(test.after).BatchAdvance(ctx, routecard.BatchAdvanceInput{BatchInput: routecard.BatchInput{
				Selection: everyOf(path, quantity), OnRefusal: given(test.policy), Told: func(done, _ int) { told = done },
			}})
			if test.fails != errors.Is(err, errDisk) {
				t.Fatalf("error is %v", err)
			}
			if standing := s.standing(ctx, path); standing[1] != int64(test.changed) || standing[0] != int64(quantity-test.changed) {
				t.Errorf("standing %v, want %d on the second step", standing, test.changed)
			}
			if added := len(collect(s.AuditEntries(ctx, routecard.NoLimit, 0))) - entries; added != test.changed {
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

// A unit that somebody else moved while a batch was on its way is not what was selected any more.
func TestBatchLeavesAloneWhatWasMovedMeanwhile(t *testing.T) {
	t.Parallel()
	const quantity = 2500
	s, ctx := openShop(t), t.Context()
	path, first := s.lot(ctx, quantity)
	last := routecard.SerialID(first + quantity - 1)
	result := must(s.BatchAdvance(ctx, routecard.BatchAdvanceInput{BatchInput: routecard.BatchInput{
		Selection: routecard.SelectionInput{
			Where: routecard.Given(routecard.FilterInput{StepID: given(path.Steps[0].ID)}), ExpectedCount: number(quantity),
		},
		OnRefusal: given("each"),
		Told: func(done, _ int) {
			if done == 1000 {
				must(s.AdvanceSerial(ctx, last, routecard.AdvanceSerialInput{}))
			}
		},
	}}))
	want := "2500 2499\n" + last + " 3 " + last + " is no longer in the selection\n"
	if diff := cmp.Diff(want, outcome(result)); diff != "" {
		t.Error(diff)
	}
	if standing := s.standing(ctx, path); standing[1] != quantity {
		t.Errorf("standing %v", standing)
	}
}

// A hundred thousand serials, the most there may be: what the service holds of them at once stays small.
// It measures the whole process, so nothing runs beside it.
func TestLargestBatch(t *testing.T) { //nolint:paralleltest // see above
	const quantity, limit = 100_000, 160 << 20
	s, ctx := openShop(t), t.Context()
	path, first := s.lot(ctx, quantity)
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
	if s.database.Postgres() {
		policies = policies[:1] // which holds most in memory; the other takes a thousand at a time
	}
	for i, policy := range policies {
		result := must(s.BatchAdvance(ctx, routecard.BatchAdvanceInput{BatchInput: routecard.BatchInput{
			Selection: everyOf(path, quantity), OnRefusal: given(policy), Told: watch,
		}}))
		if result.Changed != quantity {
			t.Fatalf("%s: %d changed", policy, result.Changed)
		}
		if standing := s.standing(ctx, path); standing[i+1] != quantity {
			t.Fatalf("%s: standing %v", policy, standing)
		}
	}
	if grown := int64(peak) - int64(before.HeapAlloc); grown > limit {
		t.Errorf("the heap grew by %d MiB", grown>>20)
	}
	// The entries are in the order of the selection.
	next := first + quantity
	for entry, err := range s.AuditEntries(ctx, quantity, 0) {
		if next--; must(entry, err).SerialID != routecard.SerialID(next) {
			t.Fatalf("%s where %s was next", entry.SerialID, routecard.SerialID(next))
		}
	}
	s.lot(ctx, 1)
	_, err := s.BatchAdvance(ctx, routecard.BatchAdvanceInput{BatchInput: routecard.BatchInput{Selection: routecard.SelectionInput{
		Where: routecard.Given(routecard.FilterInput{Status: given("in_progress")}), ExpectedCount: number(quantity + 1),
	}}})
	if got := refused(err); got == nil || got.Message != "At most 100000 serials at once" {
		t.Errorf("100,001 serials: %v", err)
	}
}
