package shop

import (
	"errors"
	"testing"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// budget is a MemoryBudget for tests.
type budget struct{ left int }

func (b *budget) Take(bytes int) error {
	if bytes > b.left {
		return errors.New("spent")
	}
	b.left -= bytes
	return nil
}

func (b *budget) TakeNow(bytes int) { b.left -= bytes }
func (b *budget) Release(bytes int) { b.left += bytes }

// TestPassing reserves memory for part of a response, and checks what is left after the part.
func TestPassing(t *testing.T) {
	t.Parallel()
	shared := &budget{100}
	ctx := WithMemoryBudget(t.Context(), shared)
	part, done := Passing(ctx)
	memory := MemoryBudgetOf(part)
	if err := errors.Join(memory.Take(30), MemoryBudgetOf(ctx).Take(10)); err != nil {
		t.Fatal(err)
	}
	if err := memory.Take(61); err == nil {
		t.Error("more was taken than there is")
	}
	memory.TakeNow(70)
	memory.Release(20)
	if shared.left != 10 {
		t.Errorf("%d bytes are left, want 10", shared.left)
	}
	done()
	if shared.left != 90 {
		t.Errorf("%d bytes are left when the part is done, want 90", shared.left)
	}
	if err := MemoryBudgetOf(t.Context()).Take(1 << 40); err != nil {
		t.Errorf("without a budget: %v", err)
	}
}

// TestListsTakeMemoryBeforehand runs operations on more serials than the memory allows. They are refused before they change anything,
// because the response could not be built afterwards.
func TestListsTakeMemoryBeforehand(t *testing.T) {
	t.Parallel()
	ctx := WithMemoryBudget(t.Context(), &budget{1000 * listedWeight})
	listed := make([]input.TextInput, 1001)
	for i := range listed {
		listed[i] = input.Given(ident.DefaultPrefix.SerialID(int64(i + 1)))
	}
	list, user, spent := input.Given(listed), input.Given("ann"), "spent"
	service := Service{store: prefixStore{}} // any other use of the store fails
	selections := map[string]SelectionInput{
		"listed":   {SerialIDs: list},
		"within":   {Ranges: input.Given([]input.Input[RangeInput]{input.Given(RangeInput{input.Given("SN-00001"), input.Given("SN-09999")})}), ExpectedCount: input.Given(1001.0)},
		"expected": {Where: input.Given(FilterInput{JobID: input.Given("job_1")}), ExpectedCount: input.Given(1001.0)},
	}
	operations := map[string]func() error{
		"certificate": func() error {
			_, err := service.BatchAttachCertificate(ctx, BatchAttachInput{CertID: input.Given("cert_1"), SerialIDs: list, UserID: user})
			return err
		},
		"override": func() error {
			_, err := service.CreateOverrides(ctx, "SN-00001", CreateOverridesInput{SerialIDs: list, UserID: user})
			return err
		},
		"note": func() error {
			_, err := service.CreateNote(ctx, CreateNoteInput{JobID: user, PathID: user, StepID: user, SerialIDs: list, Text: user, UserID: user})
			return err
		},
		"disposition": func() error {
			_, err := service.DisposeNonconformance(ctx, "NCR-00001", DispositionInput{SerialIDs: list, UserID: user})
			return err
		},
	}
	for name, selection := range selections {
		operations["advance "+name] = func() error {
			_, err := service.BatchAdvance(ctx, BatchAdvanceInput{BatchInput: BatchInput{Selection: selection}})
			return err
		}
		operations["report "+name] = func() error {
			_, err := service.AddToNonconformance(ctx, "NCR-00001", AddToNonconformanceInput{Selection: selection, UserID: user})
			return err
		}
	}
	for name, run := range operations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := run(); err == nil || err.Error() != spent {
				t.Errorf("answered %v", err)
			}
		})
	}
}

// prefixStore has only the prefix of serials.
type prefixStore struct{ Store }

func (prefixStore) SerialPrefix() ident.Prefix { return ident.DefaultPrefix }
