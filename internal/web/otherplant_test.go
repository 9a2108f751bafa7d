package web_test

import (
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/sqlstore"
)

// A unit of another plant is not found by its number alone: the station, the search and fields for units say what it is.
func TestUnitsOfAnotherPlant(t *testing.T) {
	t.Parallel()
	s := openShopIn(t, enginetest.OfPlant(t, "P2"), func(store sqlstore.Store) sqlstore.Store { return store })
	_, unit := s.units(1, "Turn", "Grind")
	if unit != "P2-00001" {
		t.Fatalf("the first unit is %s", unit)
	}
	const elsewhere = "is a unit of another plant: the units of this one begin with P2-."
	v := s.works("Dana")
	for _, code := range []string{"SN-00001", "sn-00001", "]d1SN-00001", "SN-1"} {
		v.scan(code, "bad", elsewhere)
		if v.inHand() != "" {
			t.Errorf("%q is %s", code, v.inHand())
		}
	}
	v.scan("p2-00001", "show", unit)
	v.visit("/search?q=SN-00001").says("This " + elsewhere)
	v.visit("/search?q=p2-1").says(unit)
	v.visit("/labels?first=SN-00001&last=SN-00001").says(elsewhere)
	if v.visit("/labels"); !strings.Contains(v.page.html, `placeholder="24 or P2-00024"`) {
		t.Errorf("/labels has no example of a unit of this plant:\n%s", v.page.html)
	}
	v.visit("/serials?q=nothing").says("P2-0041 or 417")

	// It can be the number that is engraved on a unit of this plant.
	s.numbered(unit, "SN-00001")
	v.scan("SN-00001", "show", unit)
}
