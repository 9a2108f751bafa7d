package demo_test

import (
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/views"
)

// checkAssemblies checks that an actuator contains a gear unit that contains bearing carriers, that another actuator lacks parts of its
// bill, and that a shipment is overdue.
func checkAssemblies(t *testing.T, service filled) {
	ctx := t.Context()
	units, err := service.SearchSerials(ctx, views.SerialQuery{Text: "Flight actuator FA-14", Limit: 10})
	if err != nil || len(units.Items) != 4 {
		t.Fatalf("%d actuators, %v", len(units.Items), err)
	}
	deepest, lacking := 0, map[string]bool{}
	for i := range units.Items {
		built, err := service.AsBuilt(ctx, units.Items[i].ID, genealogy.TimeQuery{})
		if err != nil {
			t.Fatal(err)
		}
		deepest = max(deepest, levels(built.Components))
		bill, err := service.SerialBOM(ctx, units.Items[i].ID)
		if err != nil || len(bill.Entries) != 4 {
			t.Fatalf("the bill of %s: %+v, %v", units.Items[i].ID, bill, err)
		}
		for _, entry := range bill.Entries {
			if entry.Lacks() {
				lacking[entry.PartType] = true
			}
		}
	}
	if deepest != 2 || !lacking["Piston"] || !lacking["Gear unit"] {
		t.Errorf("units inside units to a depth of %d, missing parts %v", deepest, lacking)
	}
	for status, wanted := range map[shop.ShipmentStatus]int{shop.ShipmentOverdue: 1, shop.ShipmentOpen: 1, shop.ShipmentShipped: 1} {
		found, err := service.Shipments(ctx, shop.ShipmentQuery{Status: status})
		if err != nil || len(found.Items) != wanted {
			t.Errorf("%d shipments are %s, want %d: %v", len(found.Items), status, wanted, err)
		}
	}
}

// checkHeat checks that many units are made of a heat of one lot.
func checkHeat(t *testing.T, service filled) {
	found, err := service.Recall(t.Context(), genealogy.Query{HeatNumber: "H48213"})
	if err != nil || found.Summary.Units < 30 || found.Summary.Lots != 1 {
		t.Errorf("the recall of a heat: %+v, %v", found.Summary, err)
	}
}

// levels returns the number of levels of units in a tree.
func levels(parts []genealogy.Part) (deepest int) {
	for i := range parts {
		if parts[i].ComponentSerialID != "" {
			deepest = max(deepest, 1+levels(parts[i].Components))
		}
	}
	return deepest
}
