package routecard_test

import (
	"testing"

	"github.com/routecard/routecard"
	"github.com/routecard/routecard/internal/enginetest"
)

// TestThousandUnits quarantines a thousand units and more, decides about all of them at once, and closes the report when
// they have come back. A decision that the last of them refuses changes nothing.
func TestThousandUnits(t *testing.T) {
	t.Parallel()
	const units = 1200 // more than are changed with one set of statements
	s := openShop(t)
	ctx := t.Context()
	steps := make([]routecard.Input[routecard.StepInput], 3)
	for i, name := range []string{"Turn", "Grind", "Test"} {
		steps[i] = routecard.Given(routecard.StepInput{Name: given(name)})
	}
	job := must(s.CreateJob(ctx, routecard.CreateJobInput{Name: given("Bracket"), GoalQuantity: number(units)}))
	path := must(s.CreatePath(ctx, routecard.CreatePathInput{
		JobID: given(job.ID), Name: given("Main"), GoalQuantity: number(units), Steps: routecard.Given(steps),
	}))
	batch := must(s.CreateSerials(ctx, routecard.CreateSerialsInput{
		JobID: given(job.ID), PathID: given(path.ID), Quantity: number(units), UserID: given("ann"),
	}))
	ids := make([]string, units)
	for i := range ids {
		ids[i] = routecard.SerialID(batch.First + int64(i))
	}
	last := ids[units-1]
	all := routecard.SelectionInput{
		Where:         routecard.Given(routecard.FilterInput{PathID: given(path.ID)}),
		ExpectedCount: number(units),
	}
	advance := func() {
		result := must(s.BatchAdvance(ctx, routecard.BatchAdvanceInput{
			BatchInput: routecard.BatchInput{Selection: all}, AdvanceSerialInput: routecard.AdvanceSerialInput{UserID: given("ann")},
		}))
		if result.Changed != units {
			t.Fatalf("%d of %d units moved: %v", result.Changed, units, result.Refused)
		}
	}
	advance()
	report := must(s.OpenNonconformance(ctx, routecard.OpenNonconformanceInput{
		Title: given("Heat 88213"), Severity: given("major"), Selection: all, Hold: routecard.Given(true), UserID: given("ann"),
	}))
	if len(report.Units) != units {
		t.Fatalf("the report has %d units", len(report.Units))
	}
	dispose := func() (routecard.Nonconformance, error) {
		return s.DisposeNonconformance(ctx, report.ID, routecard.DispositionInput{
			SerialIDs: routecard.GivenTexts(ids...), Disposition: given("rework"), Reason: given("turn again"),
			TargetStepIndex: number(0), UserID: given("eve"),
		})
	}
	// Somebody scraps the last one, and takes it back.
	must(s.ScrapSerial(ctx, last, routecard.ScrapSerialInput{Reason: given("damaged"), UserID: given("bob")}))
	door := s.database.BackDoor(t)
	before := enginetest.Contents(t, door)
	_, err := dispose()
	if refusal := refused(err); refusal == nil || refusal.Message != last+" is scrapped" {
		t.Fatalf("the decision is answered %v", err)
	}
	if enginetest.Contents(t, door) != before {
		t.Fatal("a decision that was refused changed something")
	}
	entries := collect(s.AuditOfSerial(ctx, last))
	must(s.Undo(ctx, last, routecard.UndoInput{EntryID: given(entries[len(entries)-1].ID), Reason: given("wrong unit"), UserID: given("bob")}))

	decided := must(dispose())
	for _, unit := range decided.Units {
		if unit.Disposition != routecard.Rework || unit.DecidedBy != "eve" {
			t.Fatalf("%+v", unit)
		}
	}
	counts := must(s.Path(ctx, path.ID)).Distribution
	if counts[0].SerialCount != units || counts[1].SerialCount != 0 {
		t.Fatalf("they stand at %+v", counts)
	}
	if open := must(s.Holds(ctx, routecard.HoldQuery{Open: true})); len(open.Items) > 0 {
		t.Fatalf("%d are still on hold", len(open.Items))
	}
	closeIt := func() error {
		_, err := s.CloseNonconformance(ctx, report.ID, routecard.CloseNonconformanceInput{Summary: given("tool"), UserID: given("eve")})
		return err
	}
	advance()
	if refusal := refused(closeIt()); refusal == nil || refusal.Message != ids[0]+" is still being reworked" {
		t.Fatalf("closing is answered %v", refusal)
	}
	advance()
	if err := closeIt(); err != nil {
		t.Fatal(err)
	}
	// The story can be read: of each unit what was done, and of the report the decisions, with its units in one line.
	for _, entry := range collect(s.AuditEntries(ctx, routecard.NoLimit, 0)) {
		if entry.Action == routecard.ActionNonconformanceDispositioned && len(entry.Metadata) > 500 {
			t.Errorf("the decision takes %d bytes of the trail: %s", len(entry.Metadata), entry.Metadata)
		}
	}
}
