package demo

import (
	"context"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/workorder"
)

// sale has the office's data of an order. One order has none, as in real shops.
type sale struct {
	part, revision, gtin, customer, number, description string
	due                                                 int // the number of days after the end of the history; negative for a late order
	priority                                            float64
}

// sales returns the sales of the orders, by the names of the orders.
func sales() map[string]sale {
	return map[string]sale{
		"Valve body VB-210, 316L":          {"VB-210", "C", "", "Harbour Pumps", "4500118", "Valve body, 316L", -3, 1},
		"Pump housing PH-12, ductile iron": {"PH-12", "A", "", "Harbour Pumps", "4500121", "", 6, 0},
		"Hydraulic manifold HM-8, 6082":    {"HM-8", "B", "", "Brandt Pressen", "B-2207", "Pack series and prototypes apart.", -1, 0},
		"Gearbox housing GH-45, AlSi10Mg":  {"GH-45", "D", "9521234567899", "Aerostell", "PO 88-1402", "First article, form 3.", 12, 2},
		pistonOrder:                        {"AP-33", "F", "", "Aerostell", "PO 88-1402", "", 9, 2},
		carrierOrder:                       {"BC-7", "A", "", "Getriebe Kranz", "77031", "", 20, 4},
		"Impeller IM-5, Inconel 718":       {"IM-5", "C", "", "Harbour Pumps", "4500130", "", 2, 0},
		"Sensor flange SF-19, 1.4404":      {"SF-19", "B", "", "Medisens", "MS-0417", "Clean-room packing, two bags.", 15, 0},
		bracketOrder:                       {"BR-20", "A", "", "Harbour Pumps", "4500133", "", 8, 0},
		gearUnitOrder:                      {"GU-45", "B", "", "Aerostell", "PO 88-1417", "", 5, 2},
		actuatorOrder:                      {"FA-14", "A", "", "Aerostell", "PO 88-1417", "Flight actuator", 10, 1},
		canceledOrder:                      {"CH-12", "A", "", "Getriebe Kranz", "77029", "", -5, 0},
		"Spindle sleeve SS-61, 100Cr6":     {"SS-61", "A", "", "Getriebe Kranz", "77036", "Material arrives next week.", 30, 5},
	}
}

// canceledOrder is an order that the customer canceled before any of its units was begun. It is closed, and so not late.
const canceledOrder = "Coupling hub CH-12, 42CrMo4"

// cancelOrder creates the order that the customer cancels, and closes it.
func (s *simulation) cancelOrder(ctx context.Context) error {
	job, err := s.service.CreateJob(ctx, shop.CreateJobInput{
		Name: input.Given(canceledOrder), GoalQuantity: input.Given(24.0), ChangedBy: s.who(planner), OrderInput: s.order(canceledOrder),
	})
	if err != nil {
		return err
	}
	_, err = s.service.CloseJob(ctx, job.ID, shop.JobClosingInput{
		Reason: input.Given("The customer canceled the order"), UserID: s.who(planner),
	})
	return err
}

// order returns the record as the input of a job.
func (s *simulation) order(name string) (in workorder.OrderInput) {
	written, known := sales()[name]
	if !known {
		return in
	}
	in.PartNumber, in.PartRevision, in.GTIN = given(written.part), given(written.revision), given(written.gtin)
	in.DrawingNumber, in.DrawingRevision = given("D-"+written.part), given(written.revision)
	in.Customer, in.OrderNumber, in.Description = given(written.customer), given(written.number), given(written.description)
	in.DueDate = input.Given(s.now.AddDate(0, 0, written.due).Format("2006-01-02"))
	if written.priority > 0 {
		in.Priority = input.Given(written.priority)
	}
	return in
}

// engraving is the sequence of the own numbers of a part's units.
type engraving struct {
	prefix string
	next   float64
}

// engraved returns the orders whose customers require own numbers on the units.
func engraved() map[string]engraving {
	return map[string]engraving{
		"Gearbox housing GH-45, AlSi10Mg": {"GH45-", 117},
		pistonOrder:                       {"33", 2301},
	}
}

// numbering returns the own numbers of the next units of a job, continuing after the last ones.
func (s *simulation) numbering(jobID string, quantity int) input.Input[shop.NumberingInput] {
	numbers, has := s.engraved[jobID]
	if !has {
		return input.Input[shop.NumberingInput]{}
	}
	const digits = 4
	first := numbers.next
	numbers.next += float64(quantity)
	s.engraved[jobID] = numbers
	return input.Given(shop.NumberingInput{
		Prefix: input.Given(numbers.prefix), First: input.Given(first), Digits: input.Given(float64(digits)),
	})
}

// correctNumber corrects the mistyped own number of a unit.
func (s *simulation) correctNumber(ctx context.Context) error {
	units, err := s.views.UnitsCalled(ctx, "GH45-0119")
	for i := range units {
		_, err = s.service.SetSerialNumber(ctx, units[i].ID, shop.SetSerialNumberInput{
			SerialNumber: input.Given("GH45-0911"), Reason: input.Given("Engraved with two digits exchanged; the customer keeps it"),
			UserID: s.who(quality),
		})
	}
	return err
}
