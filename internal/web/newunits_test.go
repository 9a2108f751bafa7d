package web_test

import (
	"net/http"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// TestNewUnitsAsk enters what users and scanners may type into the form New units. Only digits create units, and an unusual number has to
// be confirmed.
func TestNewUnitsAsk(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	jobID, _ := s.units(2, "Saw", "Turn")
	goal := shop.UpdateJobInput{GoalQuantity: input.Given(500.0)}
	_, err := s.service.UpdateJob(t.Context(), jobID, goal)
	s.must(err)
	v := s.works("Dana")
	create := func(typed string) *visitor {
		return v.visit("/jobs/"+jobID).press("Create units", "do", "create-serials", "quantity", typed)
	}
	for _, typed := range []string{"1.000", "1,000", "1 000", "1\u202f000", "1'000", "1e2", "1E2", "000815", "2.0", "+2", "0x2", "two"} {
		create(typed).says("Number of units takes digits only, such as 1000.")
		if v.page.status != http.StatusBadRequest {
			t.Errorf("%q: status %d", typed, v.page.status)
		}
	}
	create("100").says("Created 100 units: SN-00003 to SN-00102.")
	create("101").says("Create 101 units? Valve body has the goal 500 and 102 units, without scrapped ones.")
	v.press("Create 101 units", "sure", "yes").says("Created 101 units: SN-00103 to SN-00203.")
	goal.GoalQuantity = input.Given(205.0)
	_, err = s.service.UpdateJob(t.Context(), jobID, goal)
	s.must(err)
	create("3").says("Create 3 units?")
	create("2").says("Created 2 units: SN-00204 to SN-00205.")
	v.visit("/serials/SN-00001").press(`value="scrap"`, "do", "scrap", "reason", "damaged").press("Scrap SN-00001", "sure", "yes")
	create("1").says("Created 1 unit: SN-00206 to SN-00206.")
	create("1").says("Create 1 unit?")
}
