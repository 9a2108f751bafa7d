package routecard_test

import (
	"testing"

	"github.com/routecard/routecard"
)

// A report outlives the path of the step where it was found.
func TestReportOfAStepThatIsGone(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	id := s.aSerial(t)
	job := must(s.CreateJob(t.Context(), routecard.CreateJobInput{Name: given("Other"), GoalQuantity: number(1)}))
	path := must(s.CreatePath(t.Context(), routecard.CreatePathInput{
		JobID: given(job.ID), Name: given("Other"), GoalQuantity: number(1),
		Steps: routecard.Given([]routecard.Input[routecard.StepInput]{routecard.Given(routecard.StepInput{Name: given("Test")})}),
	}))
	report := must(s.OpenNonconformance(t.Context(), routecard.OpenNonconformanceInput{
		Title: given("Crack"), Severity: given("minor"), StepID: given(path.Steps[0].ID), UserID: given("ann"),
		Selection: routecard.SelectionInput{SerialIDs: routecard.GivenTexts(id)},
	}))
	if sheet := must(s.ReportSheet(t.Context(), report.ID, routecard.SheetQuery{})); sheet.Step != "Test" {
		t.Errorf("found at %q", sheet.Step)
	}
	if err := s.DeletePath(t.Context(), path.ID, given("ann")); err != nil {
		t.Fatal(err)
	}
	if sheet := must(s.ReportSheet(t.Context(), report.ID, routecard.SheetQuery{})); sheet.Step != path.Steps[0].ID || len(sheet.Units) != 1 {
		t.Errorf("found at %q, with %d units", sheet.Step, len(sheet.Units))
	}
}
