package demo

import "github.com/routecard/routecard/shop/card"

// order is a job of the shop, with the paths that its units take.
type order struct {
	name     string
	goal     int64
	tracker  ticket
	material string // the name of the material certificate; "" for none
	heat     string
	supplier string
	placed   float64 // the time of the order, as a fraction of the shop's working time
	routes   []route
}

// ticket is the issue tracker's record of an order; the zero ticket for none.
type ticket struct {
	key, summary, part, priority, epic string
	labels                             []string
}

// route is a path with the number of its units, which are released in lots.
type route struct {
	name     string
	mode     card.AdvancementMode
	quantity int
	lot      int
	from, to float64 // the times at which the first and the last lot are released, as fractions of the shop's working time
	steps    []step
}

// step is a step of a route. certificate is the kind of its certificate, "" for none.
type step struct {
	name, location string
	dependency     card.DependencyType
	optional       bool
	certificate    string
}

const (
	physical  = card.Physical
	preferred = card.Preferred
	gate      = card.CompletionGate
)

// orders returns the shop's orders: six hundred units on twelve paths, and one order that has not been started.
func orders() []order {
	return append(fluidOrders(), append(driveOrders(), smallOrders()...)...)
}

func fluidOrders() []order {
	return []order{
		{
			name: "Valve body VB-210, 316L", goal: 72, placed: 0,
			tracker: ticket{
				"MFG-1041", "Valve bodies for the Harbour pump station", "VB-210-C", "High", "MFG-1000",
				[]string{"AS9100", "pressure-part"},
			},
			material: "EN 10204 3.1, 316L bar 90 mm", heat: "H48213", supplier: "Nordstahl",
			routes: []route{
				{"Machining and pressure test", card.Flexible, 60, 6, 0.001, 0.93, []step{
					{"Saw to length", "Saw 1", physical, false, ""},
					{"Turn OP10", "Lathe 2", physical, false, ""},
					{"Mill ports OP20", "Mill 4", physical, false, ""},
					{"Deburr", "Bench 1", preferred, true, ""},
					{"Hone bore", "Hone 1", preferred, false, ""},
					{"In-process inspection", "CMM 1", gate, false, "CMM report VB-210"},
					{"Pressure test", "Test cell", physical, false, "Pressure test record VB-210"},
					{"Mark and pack", "Packing", preferred, false, ""},
				}},
				{"Rework after pressure test", card.Strict, 12, 4, 0.45, 0.9, []step{
					{"Disassemble", "Bench 2", preferred, false, ""},
					{"Lap seat", "Lap 1", physical, false, ""},
					{"Pressure test", "Test cell", gate, false, ""},
					{"Mark and pack", "Packing", preferred, false, ""},
				}},
			},
		},
		{
			name: "Pump housing PH-12, ductile iron", goal: 60, placed: 0.01,
			tracker: ticket{
				"MFG-1044", "Pump housings, spring batch", "PH-12-A", "Medium", "MFG-1000",
				[]string{"casting"},
			},
			material: "Foundry certificate EN-GJS-400", heat: "G7719", supplier: "Giesserei Brandt",
			routes: []route{{"Casting to finished housing", card.Flexible, 54, 6, 0.02, 0.95, []step{
				{"Receive casting", "Goods in", preferred, false, ""},
				{"Stress relief", "Furnace 1", physical, false, "Heat treatment record PH-12"},
				{"Mill faces OP10", "Mill 2", preferred, false, ""},
				{"Bore OP20", "Boring mill", physical, false, ""},
				{"Deburr and wash", "Wash line", preferred, true, ""},
				{"Leak test", "Test cell", gate, false, "Leak test record PH-12"},
				{"Paint", "Paint booth", preferred, false, ""},
			}}},
		},
		{
			name: "Hydraulic manifold HM-8, 6082", goal: 66, placed: 0.05,
			tracker: ticket{
				"MFG-1052", "Manifolds for the press line retrofit", "HM-8-B", "Medium", "MFG-1050", nil,
			},
			material: "EN 10204 3.1, EN AW-6082 plate", heat: "AL9021", supplier: "Alumet",
			routes: []route{
				{"Manifold, series", card.PerStep, 48, 6, 0.06, 0.92, []step{
					{"Saw to length", "Saw 2", physical, false, ""},
					{"Mill six sides OP10", "Mill 1", physical, false, ""},
					{"Drill galleries OP20", "Mill 3", physical, false, ""},
					{"Thermal deburr", "Subcontractor", preferred, true, ""},
					{"Thread check", "Bench 1", preferred, false, ""},
					{"Flushing", "Wash line", gate, false, "Cleanliness report HM-8"},
					{"Anodize", "Subcontractor", preferred, false, "Anodizing certificate HM-8"},
					{"Final inspection", "CMM 1", physical, false, ""},
				}},
				{"Manifold, prototypes", card.Flexible, 18, 6, 0.1, 0.7, []step{
					{"Mill from solid", "Mill 5", physical, false, ""},
					{"Deburr", "Bench 2", preferred, true, ""},
					{"Thread check", "Bench 1", preferred, false, ""},
					{"Flow test", "Test cell", gate, false, ""},
					{"Mark and pack", "Packing", preferred, false, ""},
				}},
			},
		},
	}
}

func driveOrders() []order {
	return []order{
		{
			name: "Gearbox housing GH-45, AlSi10Mg", goal: 64, placed: 0.02,
			tracker: ticket{
				"MFG-1047", "Machined gearbox housings, actuator programme", "GH-45-D", "High", "MFG-1045",
				[]string{"AS9100", "first-article"},
			},
			material: "Casting certificate AlSi10Mg T6", heat: "C5530", supplier: "Leichtguss Weber",
			routes: []route{{"Housing, five axes", card.PerStep, 64, 8, 0.03, 0.94, []step{
				{"Receive casting", "Goods in", preferred, false, ""},
				{"X-ray", "Subcontractor", gate, false, "Radiographic report GH-45"},
				{"Datum faces OP10", "Mill 2", physical, false, ""},
				{"Five-axis OP20", "Mill 5", physical, false, ""},
				{"Bore bearing seats OP30", "Mill 5", physical, false, ""},
				{"Deburr and wash", "Wash line", preferred, true, ""},
				{"Leak test", "Test cell", preferred, false, ""},
				{"CMM inspection", "CMM 2", gate, false, "CMM report GH-45"},
				{"Chromate and pack", "Packing", preferred, false, ""},
			}}},
		},
		{
			name: pistonOrder, goal: 85, placed: 0.08,
			tracker: ticket{
				"MFG-1055", "Pistons, flight actuator", "AP-33-F", "Highest", "MFG-1045",
				[]string{"AS9100", "serialised", "titanium"},
			},
			material: "AMS 4928 mill certificate", heat: "T20417", supplier: "Titan Metals",
			routes: []route{{"Turn-mill", card.Strict, 80, 8, 0.09, 0.96, []step{
				{"Saw to length", "Saw 1", physical, false, ""},
				{"Turn-mill complete OP10", "Lathe 5", physical, false, ""},
				{"Fluorescent penetrant inspection", "NDT", gate, false, "FPI record AP-33"},
				{"Grind diameter", "Grinder 1", physical, false, ""},
				{"CMM inspection", "CMM 2", gate, false, "CMM report AP-33"},
				{"Mark and pack", "Packing", preferred, false, ""},
			}}},
		},
		{
			name: carrierOrder, goal: 50, placed: 0.12,
			tracker: ticket{
				"MFG-1058", "Bearing carriers, gear unit 7", "BC-7-A", "Low", "", nil,
			},
			material: "EN 10204 3.1, 42CrMo4+QT", heat: "Q31188", supplier: "Nordstahl",
			routes: []route{{"Carrier", card.Strict, 48, 6, 0.13, 0.9, []step{
				{"Turn OP10", "Lathe 1", physical, false, ""},
				{"Turn OP20", "Lathe 1", physical, false, ""},
				{"Drill pattern OP30", "Mill 3", preferred, false, ""},
				{"Harden", "Furnace 2", gate, false, "Heat treatment record BC-7"},
				{"Grind seat", "Grinder 2", physical, false, ""},
				{"Final inspection", "CMM 1", gate, false, ""},
				{"Oil and pack", "Packing", preferred, true, ""},
			}}},
		},
		{
			name: "Impeller IM-5, Inconel 718", goal: 60, placed: 0.15,
			tracker: ticket{
				"MFG-1061", "Impellers for the test rig", "IM-5-C", "High", "MFG-1060",
				[]string{"long-lead"},
			},
			material: "AMS 5662 mill certificate", heat: "N88402", supplier: "Special Alloys",
			routes: []route{
				{"Impeller from forging", card.PerStep, 36, 4, 0.16, 0.88, []step{
					{"Ultrasonic inspection", "NDT", gate, false, "Ultrasonic report IM-5"},
					{"Turn OP10", "Lathe 2", physical, false, ""},
					{"Rough blades OP20", "Mill 5", physical, false, ""},
					{"Stress relief", "Furnace 1", preferred, false, ""},
					{"Finish blades OP30", "Mill 5", physical, false, ""},
					{"Polish", "Bench 2", preferred, true, ""},
					{"Balance", "Balancer", physical, false, "Balance record IM-5"},
					{"Blue light scan", "CMM 2", preferred, false, ""},
					{"Final inspection", "CMM 2", gate, false, ""},
				}},
				{"Rebalance of returns", card.Flexible, 24, 4, 0.2, 0.85, []step{
					{"Receive and clean", "Goods in", preferred, false, ""},
					{"Visual inspection", "Bench 1", preferred, false, ""},
					{"Balance", "Balancer", physical, false, ""},
					{"Mark and pack", "Packing", preferred, true, ""},
				}},
			},
		},
	}
}

func smallOrders() []order {
	return []order{
		{
			name: "Sensor flange SF-19, 1.4404", goal: 64, placed: 0.18,
			tracker: ticket{
				"MFG-1066", "Flanges, medical device", "SF-19-B", "High", "MFG-1065",
				[]string{"21CFR11", "ISO13485"},
			},
			material: "EN 10204 3.1, 1.4404 bar 60 mm", heat: "H50077", supplier: "Nordstahl",
			routes: []route{{"Flange, validated route", card.Strict, 60, 6, 0.19, 0.95, []step{
				{"Turn OP10", "Lathe 3", physical, false, ""},
				{"Mill OP20", "Mill 1", physical, false, ""},
				{"Deburr", "Bench 1", preferred, false, ""},
				{"Electropolish", "Subcontractor", physical, false, "Electropolishing certificate SF-19"},
				{"Passivate", "Wash line", gate, false, "Passivation record SF-19"},
				{"Laser mark", "Laser", preferred, false, ""},
				{"Final inspection", "CMM 1", gate, false, ""},
				{"Clean-room pack", "Packing", preferred, false, ""},
			}}},
		},
		{
			name: "Cover plate CP-2, S235", goal: 96, placed: 0.22,
			routes: []route{{"Plate", card.Flexible, 96, 12, 0.23, 0.97, []step{
				{"Laser cut", "Laser", physical, false, ""},
				{"Deburr", "Bench 2", preferred, true, ""},
				{"Bend", "Press brake", physical, false, ""},
				{"Zinc plate", "Subcontractor", preferred, false, "Plating certificate CP-2"},
				{"Pack", "Packing", preferred, false, ""},
			}}},
		},
		{
			name: "Spindle sleeve SS-61, 100Cr6", goal: 30, placed: 0.9,
			tracker: ticket{
				"MFG-1070", "Spindle sleeves, waiting for material", "SS-61-A", "Low", "", []string{"not-started"},
			},
			routes: []route{{"Sleeve", card.Strict, 0, 0, 0, 0, []step{
				{"Turn OP10", "Lathe 1", physical, false, ""},
				{"Harden", "Furnace 2", gate, false, ""},
				{"Grind inside", "Grinder 1", physical, false, ""},
				{"Grind outside", "Grinder 2", physical, false, ""},
				{"Final inspection", "CMM 1", gate, false, ""},
				{"Oil and pack", "Packing", preferred, false, ""},
			}}},
		},
	}
}

// People of the shop, by name.
const (
	planner    = "Ines Vogel"
	supervisor = "Marta Lindqvist"
	quality    = "Deepak Rao"
	retired    = "Rolf Amsler"
	wed        = "Sofia Marino" // her name changes to wedAs later
	wedAs      = "Sofia Conti"
)

var (
	earlyShift = [...]string{"Anna Keller", "Jonas Weiss", "Piotr Nowak", wed, "Lukas Brandt"}
	lateShift  = [...]string{"Emre Yilmaz", "Hanna Berg", "Tom Fischer", "Carla Santos"}
)

// assembly is a bill of materials of the shop. A part has the name of the order that makes it.
type assembly struct {
	name  string
	parts []part
}

type part struct {
	kind     string
	quantity float64
	orders   []string // the first words of the orders' names
}

func assemblies() []assembly {
	return []assembly{
		{"Pump unit PU-300", []part{
			{"Pump housing", 1, []string{"Pump housing"}},
			{"Valve body", 2, []string{"Valve body"}},
			{"Impeller", 1, []string{"Impeller"}},
			{"Gasket sheet, square metres", 0.25, nil},
		}},
		{"Flight actuator FA-12", []part{
			{"Gearbox housing", 1, []string{"Gearbox housing"}},
			{"Piston", 2, []string{"Actuator piston"}},
			{"Bearing carrier", 2, []string{"Bearing carrier"}},
		}},
		{"Press line retrofit kit", []part{
			{"Manifold", 4, []string{"Hydraulic manifold"}},
			{"Cover plate", 8, []string{"Cover plate"}},
			{"Sensor flange", 4, []string{"Sensor flange"}},
		}},
	}
}

// Texts that people write. The texts of each list are used in turn.
var (
	scrapStories = [...]struct {
		reason      card.ScrapReason
		explanation string
	}{
		{card.OutOfTolerance, "Bore 0.03 mm over the upper limit"},
		{card.ProcessDefect, "Chatter marks on the sealing face"},
		{card.Damaged, "Dropped while unclamping"},
		{card.OperatorError, ""},
		{card.OtherReason, "Customer withdrew the revision of the drawing"},
	}
	lotNotes = [...]string{
		"Tool T12 changed after the third part, offset -0.012 mm.",
		"Surface Ra 0.7, well inside the limit.",
		"Burr on the cross bore, took more time than planned.",
		"First part measured: all dimensions within half of the tolerance.",
		"Coolant concentration corrected to 8 %.",
		"Fixture bolt replaced, clamping force checked.",
	}
	deferReasons = [...]string{
		"Machine down until tomorrow, skipped for now; to be done before shipping.",
		"Gauge is at calibration, step follows later.",
	}
	waiveReasons = [...]string{
		"Customer accepts delivery without this step, mail of the project manager is filed.",
		"Covered by the inspection that follows, agreed with engineering.",
	}
	overrideReasons = [...]string{
		"First article was released, reduced inspection for the rest of the lot.",
		"Done by the supplier, see the certificate of the casting.",
		"Engineering change 318: not needed for this revision.",
	}
	holdReasons = [...]string{
		"Waiting for the material review board",
		"Drawing question is with the customer",
	}
	releaseReasons = [...]string{
		"Board has accepted the material",
		"Customer has confirmed the drawing",
	}
	forceReasons = [...]string{
		"Shipped under concession 2217, rest of the route not applicable.",
		"", // some people write nothing
		"Sample for the customer, taken out of the line.",
	}
)
