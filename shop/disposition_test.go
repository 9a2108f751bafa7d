package shop_test

import (
	"testing"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// TestThousandUnits quarantines more than a thousand units, decides about all of them at once, and closes the report when they have come
// back. If the last unit refuses a decision, nothing changes.
func TestThousandUnits(t *testing.T) {
	t.Parallel()
	const units = 1200 // more than one set of statements changes
	s := shoptest.Open(t)
	ctx := t.Context()
	steps := make([]input.Input[shop.StepInput], 3)
	for i, name := range []string{"Turn", "Grind", "Test"} {
		steps[i] = input.Given(shop.StepInput{Name: shoptest.Given(name)})
	}
	job := shoptest.Must(s.CreateJob(ctx, shop.CreateJobInput{Name: shoptest.Given("Bracket"), GoalQuantity: shoptest.Number(units)}))
	path := shoptest.Must(s.CreatePath(ctx, shop.CreatePathInput{
		JobID: shoptest.Given(job.ID), Name: shoptest.Given("Main"), GoalQuantity: shoptest.Number(units), Steps: input.Given(steps),
	}))
	batch := shoptest.Must(s.CreateSerials(ctx, shop.CreateSerialsInput{
		JobID: shoptest.Given(job.ID), PathID: shoptest.Given(path.ID), Quantity: shoptest.Number(units), UserID: shoptest.Given("ann"),
	}))
	ids := make([]string, units)
	for i := range ids {
		ids[i] = s.Service.SerialPrefix().SerialID(batch.First + int64(i))
	}
	last := ids[units-1]
	all := shop.SelectionInput{
		Where:         input.Given(shop.FilterInput{PathID: shoptest.Given(path.ID)}),
		ExpectedCount: shoptest.Number(units),
	}
	advance := func() {
		result := shoptest.Must(s.BatchAdvance(ctx, shop.BatchAdvanceInput{
			BatchInput: shop.BatchInput{Selection: all}, AdvanceSerialInput: shop.AdvanceSerialInput{UserID: shoptest.Given("ann")},
		}))
		if result.Changed != units {
			t.Fatalf("%d of %d units moved: %v", result.Changed, units, result.Refused)
		}
	}
	advance()
	report := shoptest.Must(s.OpenNonconformance(ctx, shop.OpenNonconformanceInput{
		Title: shoptest.Given("Heat 88213"), Severity: shoptest.Given("major"), Selection: all, Hold: input.Given(true), UserID: shoptest.Given("ann"),
	}))
	if len(report.Units) != units {
		t.Fatalf("the report has %d units", len(report.Units))
	}
	dispose := func() (shop.Nonconformance, error) {
		return s.DisposeNonconformance(ctx, report.ID, shop.DispositionInput{
			SerialIDs: input.GivenTexts(ids...), Disposition: shoptest.Given("rework"), Reason: shoptest.Given("turn again"),
			TargetStepIndex: shoptest.Number(0), UserID: shoptest.Given("eve"),
		})
	}
	// The last unit is scrapped, and the scrap undone.
	shoptest.Must(s.ScrapSerial(ctx, last, shop.ScrapSerialInput{Reason: shoptest.Given("damaged"), UserID: shoptest.Given("bob")}))
	door := s.Database.BackDoor(t)
	before := enginetest.Contents(t, door)
	_, err := dispose()
	if refusal := shoptest.Refused(err); refusal == nil || refusal.Message != last+" is scrapped" {
		t.Fatalf("the decision is answered %v", err)
	}
	if enginetest.Contents(t, door) != before {
		t.Fatal("a decision that was refused changed something")
	}
	entries := shoptest.Collect(s.AuditOfSerial(ctx, last))
	shoptest.Must(s.Undo(ctx, last, shop.UndoInput{EntryID: shoptest.Given(entries[len(entries)-1].ID), Reason: shoptest.Given("wrong unit"), UserID: shoptest.Given("bob")}))

	decided := shoptest.Must(dispose())
	for _, unit := range decided.Units {
		if unit.Disposition != shop.Rework || unit.DecidedBy != "eve" {
			t.Fatalf("%+v", unit)
		}
	}
	counts := shoptest.Must(s.Path(ctx, path.ID)).Distribution
	if counts[0].SerialCount != units || counts[1].SerialCount != 0 {
		t.Fatalf("they stand at %+v", counts)
	}
	if open := shoptest.Must(s.Holds(ctx, shop.HoldQuery{Open: true})); len(open.Items) > 0 {
		t.Fatalf("%d are still on hold", len(open.Items))
	}
	closeIt := func() error {
		_, err := s.CloseNonconformance(ctx, report.ID, shop.CloseNonconformanceInput{Summary: shoptest.Given("tool"), UserID: shoptest.Given("eve")})
		return err
	}
	advance()
	if refusal := shoptest.Refused(closeIt()); refusal == nil || refusal.Message != ids[0]+" is still being reworked" {
		t.Fatalf("closing is answered %v", refusal)
	}
	advance()
	if err := closeIt(); err != nil {
		t.Fatal(err)
	}
	// The audit trail has each unit's changes, and the decisions on the report, with its units in one line.
	for _, entry := range shoptest.Collect(s.AuditEntries(ctx, shop.NoLimit, 0)) {
		if entry.Action == shop.ActionNonconformanceDispositioned && len(entry.Metadata) > 500 {
			t.Errorf("the decision takes %d bytes of the trail: %s", len(entry.Metadata), entry.Metadata)
		}
	}
}
