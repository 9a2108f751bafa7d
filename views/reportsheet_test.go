package views_test

import (
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// A report outlives the path of the step where the defect was found.
func TestReportOfAStepThatIsGone(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	id := s.ASerial(t)
	job := shoptest.Must(s.CreateJob(t.Context(), shop.CreateJobInput{Name: shoptest.Given("Other"), GoalQuantity: shoptest.Number(1)}))
	path := shoptest.Must(s.CreatePath(t.Context(), shop.CreatePathInput{
		JobID: shoptest.Given(job.ID), Name: shoptest.Given("Other"), GoalQuantity: shoptest.Number(1),
		Steps: input.Given([]input.Input[shop.StepInput]{input.Given(shop.StepInput{Name: shoptest.Given("Test")})}),
	}))
	report := shoptest.Must(s.OpenNonconformance(t.Context(), shop.OpenNonconformanceInput{
		Title: shoptest.Given("Crack"), Severity: shoptest.Given("minor"), StepID: shoptest.Given(path.Steps[0].ID), UserID: shoptest.Given("ann"),
		Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(id)},
	}))
	if sheet := shoptest.Must(s.ReportSheet(t.Context(), report.ID, views.SheetQuery{})); sheet.Step != "Test" {
		t.Errorf("found at %q", sheet.Step)
	}
	if err := s.DeletePath(t.Context(), path.ID, shoptest.Given("ann")); err != nil {
		t.Fatal(err)
	}
	if sheet := shoptest.Must(s.ReportSheet(t.Context(), report.ID, views.SheetQuery{})); sheet.Step != path.Steps[0].ID || len(sheet.Units) != 1 {
		t.Errorf("found at %q, with %d units", sheet.Step, len(sheet.Units))
	}
}
