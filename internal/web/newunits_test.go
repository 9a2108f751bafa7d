package web_test

import (
	"net/http"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
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

// TestNewUnitsOfALot creates units with an amount of a lot in each. The number of the amount is read in the language of the page.
func TestNewUnitsOfALot(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	jobID, _ := s.units(1, "Saw", "Turn")
	lot := shoptest.Must(s.service.CreateLot(t.Context(), shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{Material: shoptest.Given("bar"), LotNumber: shoptest.Given("B-1")},
		Quantity:       input.Given(input.Written("1.25")), Unit: shoptest.Given("m"), UserID: shoptest.Given("Dana"),
	}))
	v := s.works("Dana")
	create := func(lot, quantity string) *visitor {
		v.visit("/jobs/"+jobID).press("Create units", "do", "create-serials", "quantity", "2", "component", lot, "lotQuantity", quantity)
		return v.press("Create 2 units", "sure", "yes")
	}
	create("B-2", "0.5").says("No unit and no lot is called “B-2”.")
	create("SN-00001", "0.5").says("“SN-00001” is a unit. Scan the lot, or type its number.")
	create("", "0.5").says("Scan the lot, or type its number.")
	create("B-1", "").says("Type how much of the lot is in each unit.")
	create("B-1", "0.7").says("Lot B-1 has 1.25 m left.")
	create("b-1", "0.5").says("Created 2 units: SN-00002 to SN-00003.")
	if left := shoptest.Must(s.service.Lot(t.Context(), lot.ID)).Remaining; left != "0.25" {
		t.Errorf("%s is left of the lot", left)
	}
	v.visit("/serials/SN-00003").says("B-1")
}
