package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/workorder"
)

// The order of a job is entered on the job's page, is shown wherever the job appears, and is removed on that page.
func TestJobsForOrders(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Ines")
	v.visit("/jobs").press(`Create job`, "name", "Valve body", "goalQuantity", "2", "partNumber", "VB-210", "partRevision", "C",
		"customer", "Harbour Pumps", "orderNumber", "4500118", "description", "With test record", "dueDate", "2020-01-31", "priority", "1")
	v.says("Job created.")
	v.says("VB-210 rev. C · order 4500118 · Harbour Pumps · priority 1")
	v.says("With test record")
	v.says("due 31 Jan 2020")
	v.says("days late")
	job, _, _ := strings.Cut(v.page.address, "?")
	v.visit("/jobs")
	v.says("VB-210 rev. C · order 4500118")
	v.says("days late")
	v.visit("/jobs?state=late")
	v.says("Valve body")
	v.visit("/jobs?state=done")
	v.says("No job is done")
	v.visit("/jobs?q=4500118")
	v.says("Valve body")

	// Two people have opened the form. The second form to be sent gets the current values and saves nothing.
	second := s.works("Ruth").visit(job)
	v.visit(job).press(`value="edit"`, "do", "edit", "name", "Valve body", "goalQuantity", "2", "partRevision", "D", "dueDate", "", "customer", "")
	v.says("Job saved.")
	v.says("VB-210 rev. D · order 4500118 · priority 1")
	second.press(`value="edit"`, "do", "edit", "name", "Valve body", "goalQuantity", "2", "partRevision", "C", "dueDate", "2020-02-01")
	if second.page.status != http.StatusPreconditionFailed {
		t.Errorf("status %d", second.page.status)
	}
	second.says("Somebody changed the job meanwhile")
	second.says("Revision: C (now D)")

	// A route has a separate due date, which takes precedence.
	v.visit(job+"/route").press("Save route", "do", "save", "name", "Main", "goalQuantity", "2", "advancementMode", "strict", "step", "Saw", "dependencyType", "preferred",
		"dueDate", "2020-03-31")
	v.says("Route saved")
	v.says("due 31 Mar 2020")

	// A refusal uses the words of the page.
	v.visit(job).press(`value="edit"`, "do", "edit", "name", "Valve body", "goalQuantity", "2", "priority", "7")
	v.says("Choose a priority from 1 to 5.")
	v.visit(job).press(`value="edit"`, "do", "edit", "name", "Valve body", "goalQuantity", "2", "dueDate", "31.1.2026")
	v.says("Choose a day")
}

// docs/api/jobs.md, "Late jobs": The queue begins with late work and shows its order. If the shop has not set a part number or a priority,
// the tracker's values are used.
func TestQueueByUrgency(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	ctx := t.Context()
	for _, in := range []shop.CreateJobInput{
		{Name: input.Given("Cover"), TicketPart: input.Given("T-77"), TicketPriority: input.Given("High")},
		{Name: input.Given("Valve"), OrderInput: workorder.OrderInput{PartNumber: input.Given("V-1"), PartRevision: input.Given("B"), DueDate: input.Given("2020-01-31")}},
	} {
		in.GoalQuantity = input.Given(1.0)
		job, err := s.service.CreateJob(ctx, in)
		s.must(err)
		path, err := s.service.CreatePath(ctx, shop.CreatePathInput{
			JobID: input.Given(job.ID), Name: input.Given("Main"), GoalQuantity: input.Given(1.0),
			Steps: input.Given([]input.Input[shop.StepInput]{input.Given(shop.StepInput{Name: input.Given("Saw")})}),
		})
		s.must(err)
		_, err = s.service.CreateSerials(ctx, shop.CreateSerialsInput{
			JobID: input.Given(job.ID), PathID: input.Given(path.ID), Quantity: input.Given(1.0), UserID: input.Given("setup"),
		})
		s.must(err)
	}
	v := s.visitor()
	v.visit("/queue?operator=everybody")
	v.inOrder("V-1", "days late", "T-77 · priority High")
	v.visit("/queue?operator=everybody&sort=oldest")
	v.inOrder("T-77", "V-1")
	v.visit("/")
	v.inOrder("V-1", "days late", "T-77")
	v.visit("/serials/SN-00002")
	v.says("V-1")
	v.says("days late")
	v.visit("/serials/SN-00002/print")
	v.says("V-1")
	v.visit("/scan?unit=SN-00002")
	v.says("days late")
	v.visit("/labels?first=1")
	v.says("T-77")
	v.visit("/labels?first=2")
	v.says("V-1 rev. B")
}

// inOrder fails unless the page shows the texts in the given order.
func (v *visitor) inOrder(texts ...string) {
	v.t.Helper()
	rest := v.text()
	for _, text := range texts {
		_, after, found := strings.Cut(rest, text)
		if !found {
			v.t.Errorf("%s does not say %q behind what comes before:\n%s", v.page.address, text, v.text())
			return
		}
		rest = after
	}
}
