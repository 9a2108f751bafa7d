package demo

import "github.com/routecard/routecard/shop"

// sale is what the office wrote down of an order. One part comes without it, as it does in shops that live.
type sale struct {
	part, revision, customer, number, description string
	due                                           int // how many days after the end of the history; negative for what is late
	priority                                      float64
}

// sales are those of the orders, by the names of the orders.
func sales() map[string]sale {
	return map[string]sale{
		"Valve body VB-210, 316L":          {"VB-210", "C", "Harbour Pumps", "4500118", "Pressure test record with each unit.", -3, 1},
		"Pump housing PH-12, ductile iron": {"PH-12", "A", "Harbour Pumps", "4500121", "", 6, 0},
		"Hydraulic manifold HM-8, 6082":    {"HM-8", "B", "Brandt Pressen", "B-2207", "Series and prototypes go in separate boxes.", -1, 0},
		"Gearbox housing GH-45, AlSi10Mg":  {"GH-45", "D", "Aerostell", "PO 88-1402", "First article inspection, form 3.", 12, 2},
		"Actuator piston AP-33, Ti-6Al-4V": {"AP-33", "F", "Aerostell", "PO 88-1402", "", 9, 2},
		"Bearing carrier BC-7, 42CrMo4":    {"BC-7", "A", "Getriebe Kranz", "77031", "", 20, 4},
		"Impeller IM-5, Inconel 718":       {"IM-5", "C", "Harbour Pumps", "4500130", "", 2, 0},
		"Sensor flange SF-19, 1.4404":      {"SF-19", "B", "Medisens", "MS-0417", "Clean-room packing, two bags.", 15, 0},
		"Spindle sleeve SS-61, 100Cr6":     {"SS-61", "A", "Getriebe Kranz", "77036", "Material arrives next week.", 30, 5},
	}
}

// order is what was written down, as a job takes it.
func (s *simulation) order(name string) (in shop.OrderInput) {
	written, known := sales()[name]
	if !known {
		return in
	}
	in.PartNumber, in.PartRevision = given(written.part), given(written.revision)
	in.Customer, in.OrderNumber, in.Description = given(written.customer), given(written.number), given(written.description)
	in.DueDate = shop.Given(s.now.AddDate(0, 0, written.due).Format("2006-01-02"))
	if written.priority > 0 {
		in.Priority = shop.Given(written.priority)
	}
	return in
}
