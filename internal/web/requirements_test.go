package web_test

import (
	"slices"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop/card"
)

// A planner chooses the bill of a route and says what each step requires, on the page of the route. The page and the page of the step show
// it. A form that another user overtook changes nothing.
func TestWhatARouteNeeds(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	jobID, _ := s.units(1, "Assemble", "Plate", "Test")
	lid, _ := s.units(1, "Cast")
	bill := s.bom("Gear unit", lid)
	job, err := s.service.Job(t.Context(), jobID)
	s.must(err)
	path := job.Paths[0]
	required := func(step int) card.Requirements {
		set, err := s.service.Requirements(t.Context(), path.Steps[step].ID)
		s.must(err)
		return set.Requirements
	}
	at := "/jobs/" + jobID + "/paths/" + path.ID
	v := s.works("Dana")
	v.visit(at).says("Choose a bill of material first.")
	late := s.works("Ann").visit(at)
	v.press(">Use this bill<", "bomId", bill).says("Units that are created from now on need the parts of this bill.")
	v.says("Gear unit 1 part")
	form := func(step int) string { return `action="/steps/` + path.Steps[step].ID + `/requirements"` }
	v.visit(at).press(form(0), "components", "bolt", "lotRequired", "yes").says("Saved what Assemble requires.")
	v.says("Parts: bolt Material of a lot")
	v.press(form(1), "specification", "AMS 2404").says("Name the process of the outside work.")
	v.refusedAt("process")
	v.visit(at).press(form(1), "process", "Nickel plating", "specification", "AMS 2404", "suppliers", "Plating Ltd\r\n\r\nGalvano",
		"customerApproval", "yes", "certificateRequired", "yes").says("Saved what Plate requires.")
	v.says("Outside work: Nickel plating AMS 2404 · only by Plating Ltd, Galvano · Approved by the customer A certificate")
	v.press(form(2), "procedure", "TP-7").says("Functional test: TP-7")
	v.visit("/steps/" + path.Steps[1].ID).says("What the step requires")
	v.says("Outside work: Nickel plating")
	late.press(form(0), "lotRequired", "").says("Somebody changed the requirements of Assemble meanwhile.")
	late.visit(at).press(form(0)).says("Saved what Assemble requires.")
	late.says("Assemble Nothing")
	v.visit(at).press("Remove the bill", "do", "remove").says("Bill removed.")
	if first, second := required(0), required(1); !first.IsZero() || !second.CertificateRequired || second.Outside == nil ||
		!slices.Equal(second.Outside.Suppliers, []string{"Plating Ltd", "Galvano"}) {
		t.Errorf("required are %+v, then %+v", first, second)
	}
}

// Everybody reads what a route needs; the forms are for planners.
func TestRouteNeedsAreForPlanners(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.Writes)
	jobID, _ := s.units(1, "Assemble")
	job, err := s.service.Job(t.Context(), jobID)
	s.must(err)
	s.bom("Gear unit", jobID)
	s.person("paul", "planner")
	s.person("anna", "operator")
	at := "/jobs/" + jobID + "/paths/" + job.Paths[0].ID
	s.signedIn("paul").visit(at).says("Use this bill")
	anna := s.signedIn("anna")
	anna.visit(at).says("What each step requires")
	anna.saysNothingOf("Use this bill")
}
