package demo

import (
	"context"
	"slices"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// Orders of assemblies and of outside work. Their units do not go through the simulation of production.go: the functions here say what
// happens to each of them.

const (
	bracketOrder  = "Bracket BR-20, 6082"
	gearUnitOrder = "Gear unit GU-45"
	actuatorOrder = "Flight actuator FA-14"
	carrierOrder  = "Bearing carrier BC-7, 42CrMo4"
	pistonOrder   = "Actuator piston AP-33, Ti-6Al-4V"

	anodizer = "Eloxal Süd"
	painter  = "Lackwerk Ost"
)

// scriptedOrders returns the orders whose units follow a script.
func scriptedOrders() []order {
	return []order{
		{
			name: bracketOrder, goal: 12, material: "EN 10204 3.1, EN AW-6082 sheet", heat: "AL9177", supplier: "Alumet",
			tracker: ticket{"MFG-1073", "Brackets, anodized outside", "BR-20-A", "Medium", "", nil},
			routes: []route{{name: "Bracket, anodized", mode: card.Strict, steps: []step{
				{"Laser cut", "Laser", physical, false, ""},
				{"Bend", "Press brake", physical, false, ""},
				{"Anodize", anodizer, physical, false, ""},
				{"Final inspection", "CMM 1", gate, false, ""},
				{"Mark and pack", "Packing", preferred, false, ""},
			}}},
		},
		{
			name: gearUnitOrder, goal: 6,
			tracker: ticket{"MFG-1075", "Gear units for the flight actuator", "GU-45-B", "High", "MFG-1045", []string{"AS9100"}},
			routes: []route{{name: "Gear unit assembly", mode: card.Strict, steps: []step{
				{"Fit bearing carriers", "Bench 1", physical, false, ""},
				{"Fit seals and close", "Bench 1", physical, false, ""},
				{"Run-in test", "Test cell", gate, false, ""},
				{"Mark and pack", "Packing", preferred, false, ""},
			}}},
		},
		{
			name: actuatorOrder, goal: 4,
			tracker: ticket{"MFG-1076", "Flight actuators, first delivery", "FA-14-A", "Highest", "MFG-1045", []string{"AS9100"}},
			routes: []route{{name: "Actuator assembly", mode: card.Strict, steps: []step{
				{"Mount gear unit", "Bench 2", physical, false, ""},
				{"Fit piston and seals", "Bench 2", physical, false, ""},
				{"Functional test", "Test cell", gate, false, ""},
				{"Paint", painter, physical, false, ""},
				{"Mark and pack", "Packing", preferred, false, ""},
			}}},
		},
	}
}

// script is the part of the simulation that says what happens to the units of these orders.
type script struct {
	*simulation
	brackets, gears, actuators batch
}

// planScripts plans the outside work on the brackets and the three levels of the flight actuator.
func planScripts(simulation *simulation) {
	s, all := &script{simulation: simulation}, scriptedOrders()
	s.planAt(0.60, func(ctx context.Context) error { return s.orderBrackets(ctx, all[0], &s.brackets) })
	s.planAt(0.72, func(ctx context.Context) error { return s.sendBrackets(ctx, &s.brackets) })
	s.planAt(0.86, func(ctx context.Context) error { return s.receiveBrackets(ctx, &s.brackets) })
	s.planAt(0.905, func(ctx context.Context) error { return s.orderGearUnits(ctx, all[1], &s.gears) })
	s.planAt(0.91, func(ctx context.Context) error { return s.orderActuators(ctx, all[2], &s.actuators) })
	s.planAt(0.915, func(ctx context.Context) error { return s.assembleGearUnits(ctx, &s.gears) })
	s.planAt(0.938, func(ctx context.Context) error { return s.assembleActuators(ctx, &s.actuators, s.gears.units) })
	s.planAt(0.968, func(ctx context.Context) error { return s.receivePainted(ctx, s.actuators.units[0]) })
	s.planAt(0.977, func(ctx context.Context) error { return s.inspect(ctx, &s.actuators) })
	s.planAt(0.985, func(ctx context.Context) error { return s.deliver(ctx, s.actuators.units[:1]) })
}

// batch is the path of an order with a script, and its units in the order of their numbers.
type batch struct {
	path  card.Path
	units []string
	lots  []string // lots that are installed, in the order of their bill
}

// begin places an order with a script, with the requirements of its steps.
func (s *script) begin(ctx context.Context, o order, place int, b *batch, required map[int]shop.RequirementsInput) error {
	if err := s.place(ctx, o, place); err != nil {
		return err
	}
	detail, err := s.service.Job(ctx, s.jobs[o.name])
	if err != nil {
		return err
	}
	b.path = detail.Paths[0]
	for i, one := range required {
		in := shop.SetRequirementsInput{RequirementsInput: one, UserID: s.who(planner)}
		_, err := s.service.SetRequirements(ctx, b.path.Steps[i].ID, in)
		if err != nil {
			return err
		}
	}
	return nil
}

// create creates the units of a batch.
func (s *script) create(ctx context.Context, b *batch, quantity int) error {
	made, err := s.service.CreateSerials(ctx, shop.CreateSerialsInput{
		JobID: input.Given(b.path.JobID), PathID: input.Given(b.path.ID), Quantity: input.Given(float64(quantity)), UserID: s.who(planner),
	})
	if err != nil {
		return err
	}
	for serial, err := range made.All(s.service.SerialPrefix()) {
		if err != nil {
			return err
		}
		b.units = append(b.units, serial.ID)
	}
	return nil
}

// advance advances units by one step each.
func (s *script) advance(ctx context.Context, units []string, user input.TextInput) error {
	for _, id := range units {
		if _, err := s.service.AdvanceSerial(ctx, id, shop.AdvanceSerialInput{UserID: user}); err != nil {
			return err
		}
	}
	return nil
}

// orderBrackets creates the brackets, and cuts and bends them.
func (s *script) orderBrackets(ctx context.Context, o order, b *batch) error {
	if err := s.begin(ctx, o, 0, b, map[int]shop.RequirementsInput{2: {
		Outside: input.Given(shop.OutsideInput{
			Process: input.Given("Anodizing"), Specification: input.Given("MIL-PRF-8625 type II, class 1"),
			Suppliers: input.GivenTexts(anodizer), CustomerApproval: input.Given(string(shop.Approved)),
		}),
		CertificateRequired: input.Given(true),
	}}); err != nil {
		return err
	}
	if err := s.create(ctx, b, 12); err != nil {
		return err
	}
	return s.advance(ctx, b.units, s.operator(0))
}

// daysFromNow returns the day that is so many days after the end of the history.
func (s *script) daysFromNow(days int) input.TextInput {
	return input.Given(s.now.AddDate(0, 0, days).Format(time.DateOnly))
}

// sendBrackets sends half of the brackets with an order that is late today, and two more with one that is due next week.
func (s *script) sendBrackets(ctx context.Context, b *batch) error {
	if err := s.advance(ctx, b.units[:8], s.operator(1)); err != nil {
		return err
	}
	for _, part := range []struct {
		units []string
		order string
		back  int
	}{{b.units[:6], "PO-20917", -3}, {b.units[6:8], "PO-20921", 5}} {
		if _, err := s.service.CreateShipment(ctx, shop.CreateShipmentInput{
			Supplier: input.Given(anodizer), OrderNumber: input.Given(part.order),
			Selection:    shop.SelectionInput{SerialIDs: input.GivenTexts(part.units...)},
			ExpectedBack: s.daysFromNow(part.back), UserID: s.who(supervisor),
		}); err != nil {
			return err
		}
	}
	return nil
}

// receiveBrackets receives two brackets of the first shipment with their certificate. The others are overdue.
func (s *script) receiveBrackets(ctx context.Context, b *batch) error {
	certificate, err := s.certificate(ctx, shop.ProcessCertificate, "Anodizing certificate BR-20, "+anodizer)
	if err != nil {
		return err
	}
	shipments, err := s.service.Shipments(ctx, shop.ShipmentQuery{Text: "PO-20917"})
	if err != nil {
		return err
	}
	if _, err := s.service.ReceiveShipment(ctx, shipments.Items[0].ID, shop.ReceiveShipmentInput{
		Received:    input.Given(shop.SelectionInput{SerialIDs: input.GivenTexts(b.units[:2]...)}),
		PackingSlip: input.Given("ES-4471"), CertIDs: input.GivenTexts(certificate), UserID: s.who(quality),
	}); err != nil {
		return err
	}
	return s.advance(ctx, b.units[:1], s.operator(1))
}

// certificate creates a certificate and returns its id.
func (s *script) certificate(ctx context.Context, kind shop.CertificateType, name string) (string, error) {
	made, err := s.service.CreateCertificate(ctx, shop.CreateCertificateInput{
		Type: input.Given(string(kind)), Name: input.Given(name), ChangedBy: s.who(quality),
	})
	return made.ID, err
}

// bought is a lot of purchased parts or material.
type bought struct {
	material, partNumber, supplier, orderNumber string
	specification                               string
	category                                    shop.LotCategory
	quantity                                    input.Written
	unit                                        shop.LotUnit
	expires                                     int // days after the end of the history; 0 for none
}

// stock records a lot with its certificate, for the units of a batch.
func (s *script) stock(ctx context.Context, of *batch, b bought) error {
	certificate, err := s.certificate(ctx, shop.MaterialCertificate, "Certificate of conformity, "+b.material+", "+b.orderNumber)
	if err != nil {
		return err
	}
	in := shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{
			Material: input.Given(b.material), Category: input.Given(string(b.category)), PartNumber: given(b.partNumber),
			Supplier: input.Given(b.supplier), OrderNumber: input.Given(b.orderNumber), CertificateRequired: input.Given(true),
			Specification: given(b.specification),
		},
		Quantity: input.Given(b.quantity), Unit: input.Given(string(b.unit)), CertIDs: input.GivenTexts(certificate),
		UserID: s.who(quality),
	}
	if b.expires != 0 {
		in.ExpiresOn = s.daysFromNow(b.expires)
	}
	made, err := s.service.CreateLot(ctx, in)
	of.lots = append(of.lots, made.ID)
	return err
}

// bill creates a bill of materials and names it in the path of a batch.
func (s *script) bill(ctx context.Context, b *batch, name string, entries ...shop.BOMEntryInput) error {
	given := make([]input.Input[shop.BOMEntryInput], len(entries))
	for i := range entries {
		given[i] = input.Given(entries[i])
	}
	made, err := s.service.CreateBOM(ctx, shop.CreateBOMInput{
		Name: input.Given(name), Entries: input.Given(given), ChangedBy: s.who(planner),
	})
	if err == nil {
		_, err = s.service.SetPathBOM(ctx, b.path.ID, shop.SetPathBOMInput{BOMID: input.Given(made.ID), UserID: s.who(planner)})
	}
	return err
}

// needed returns an entry of a bill: units of a job if it is named, otherwise lots with the part number.
func (s *script) needed(kind string, quantity float64, job, partNumber string) shop.BOMEntryInput {
	entry := shop.BOMEntryInput{
		PartType: input.Given(kind), RequiredQuantityPerBuild: input.Given(quantity), PartNumber: given(partNumber),
	}
	if job != "" {
		entry.ContributingJobIDs = input.GivenTexts(s.jobs[job])
	}
	return entry
}

// orderGearUnits creates the gear units, each with two bearing carriers and two shaft seals.
func (s *script) orderGearUnits(ctx context.Context, o order, b *batch) error {
	const carrier, seal = "Bearing carrier", "Shaft seal"
	if err := s.begin(ctx, o, 1, b, map[int]shop.RequirementsInput{
		0: {Components: input.GivenTexts(carrier)},
		1: {Components: input.GivenTexts(seal)},
		2: {FunctionalTest: input.Given(shop.FunctionalTestInput{Procedure: input.Given("TP-45, 20 minutes at 1500/min")})},
	}); err != nil {
		return err
	}
	if err := s.bill(ctx, b, gearUnitOrder, s.needed(carrier, 2, carrierOrder, ""), s.needed(seal, 2, "", "SS-30")); err != nil {
		return err
	}
	seals := bought{"Shaft seal 30x47x7, FKM", "SS-30", "Dichtwerk", "PO-20899", "", shop.COTS, "100", shop.Pieces, 400}
	if err := s.stock(ctx, b, seals); err != nil {
		return err
	}
	return s.create(ctx, b, 6)
}

// orderActuators creates the flight actuators, each with a gear unit, a piston, seals and grease.
func (s *script) orderActuators(ctx context.Context, o order, b *batch) error {
	const gear, piston, rings = "Gear unit", "Piston", "O-ring kit"
	if err := s.begin(ctx, o, 2, b, map[int]shop.RequirementsInput{
		0: {Components: input.GivenTexts(gear), LotRequired: input.Given(true)},
		1: {Components: input.GivenTexts(piston, rings)},
		2: {
			CertificateRequired: input.Given(true),
			FunctionalTest:      input.Given(shop.FunctionalTestInput{Procedure: input.Given("TP-14, stroke and leakage")}),
		},
		3: {
			Outside: input.Given(shop.OutsideInput{
				Process: input.Given("Epoxy primer"), Specification: input.Given("MIL-PRF-23377 type I, class N"),
				Suppliers: input.GivenTexts(painter), CustomerApproval: input.Given(string(shop.Approved)),
			}),
			CertificateRequired: input.Given(true),
		},
	}); err != nil {
		return err
	}
	if err := s.demandTest(ctx, b.path.Steps[2].ID); err != nil {
		return err
	}
	if err := s.bill(ctx, b, actuatorOrder,
		s.needed(gear, 1, gearUnitOrder, ""), s.needed(piston, 1, pistonOrder, ""), s.needed(rings, 1, "", "OR-14"),
		s.needed("Grease", 12.5, "", "MIL-PRF-23827"),
	); err != nil {
		return err
	}
	for _, lot := range []bought{
		{"O-ring kit FA-14", "OR-14", "Dichtwerk", "PO-20899", "", shop.COTS, "20", shop.Pieces, 21},
		{
			"Grease MIL-PRF-23827", "MIL-PRF-23827", "Schmierstoff Nord", "PO-20903", "MIL-PRF-23827 type I",
			shop.RawMaterial, "800", "g", 90,
		},
	} {
		if err := s.stock(ctx, b, lot); err != nil {
			return err
		}
	}
	return s.create(ctx, b, 4)
}

// installUnit installs the first of some units that can be installed, and returns those after it.
func (s *script) installUnit(ctx context.Context, parent, place string, from []string, by input.TextInput) ([]string, error) {
	for i, id := range from {
		_, err := s.service.InstallComponent(ctx, parent, shop.InstallComponentInput{
			ComponentSerialID: input.Given(id), Place: given(place), UserID: by,
		})
		if err == nil {
			return from[i+1:], nil
		}
		if err := unlessRefused(err); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// installLot installs an amount of a lot.
func (s *script) installLot(ctx context.Context, parent, lotID string, quantity input.Written, by input.TextInput) error {
	_, err := s.service.InstallComponent(ctx, parent, shop.InstallComponentInput{
		LotID: input.Given(lotID), Quantity: input.Given(quantity), UserID: by,
	})
	return err
}

// finished returns units of a job that went through all their steps, newest first.
func (s *script) finished(ctx context.Context, job string) (ids []string, err error) {
	found, err := s.views.SearchSerials(ctx, views.SerialQuery{JobID: s.jobs[job], Status: card.Completed, Limit: input.SearchLimit})
	if err != nil {
		return nil, err
	}
	for i := range found.Items {
		unit, err := s.service.Serial(ctx, found.Items[i].ID)
		if err != nil {
			return nil, err
		}
		if unit.Serial.Completion == nil && len(unit.OpenDeferredStepIDs) == 0 {
			ids = append(ids, unit.Serial.ID)
		}
	}
	return ids, nil
}

// inTurn plans functions one after the other, with half an hour of work between them.
func (s *script) inTurn(after time.Duration, do ...func(context.Context) error) {
	for i, one := range do {
		s.plan(after+time.Duration(i)*30*time.Minute, one)
	}
}

// fit returns a function that installs the first of some units that can be installed, and takes it from the list.
func (s *script) fit(parent, place string, from *[]string) func(context.Context) error {
	return func(ctx context.Context) (err error) {
		*from, err = s.installUnit(ctx, parent, place, *from, s.operator(2))
		return err
	}
}

// use returns a function that installs an amount of a lot.
func (s *script) use(parent, lotID string, quantity input.Written) func(context.Context) error {
	return func(ctx context.Context) error { return s.installLot(ctx, parent, lotID, quantity, s.operator(2)) }
}

// stepDone returns a function that advances a unit.
func (s *script) stepDone(unit string) func(context.Context) error {
	return func(ctx context.Context) error { return s.advance(ctx, []string{unit}, s.operator(2)) }
}

// assembleGearUnits completes four gear units, and fits one carrier into the fifth.
func (s *script) assembleGearUnits(ctx context.Context, b *batch) error {
	carriers, err := s.finished(ctx, carrierOrder)
	if err != nil {
		return err
	}
	for i, unit := range b.units[:4] {
		after, done := time.Duration(i)*90*time.Minute, s.stepDone(unit)
		s.inTurn(after, s.fit(unit, "input side", &carriers), s.fit(unit, "output side", &carriers), done, s.use(unit, b.lots[0], "2"))
		s.inTurn(after+2*time.Hour, slices.Repeat([]func(context.Context) error{done}, 3)...)
	}
	s.inTurn(6*time.Hour, s.fit(b.units[4], "input side", &carriers))
	return nil
}

// assembleActuators completes one actuator. The second lacks the certificate of its test, the third its piston, and the fourth everything.
func (s *script) assembleActuators(ctx context.Context, b *batch, gears []string) error {
	pistons, err := s.finished(ctx, pistonOrder)
	if err != nil {
		return err
	}
	for i, unit := range b.units[:3] {
		after := time.Duration(i) * 45 * time.Minute
		s.inTurn(after,
			s.fit(unit, "", &gears), s.use(unit, b.lots[1], "12.5"), s.stepDone(unit), s.use(unit, b.lots[0], "1"))
		if i < 2 {
			s.inTurn(after+2*time.Hour, s.fit(unit, "", &pistons), s.stepDone(unit))
		}
	}
	s.inTurn(4*time.Hour,
		func(ctx context.Context) error { return s.testActuator(ctx, b.units[0], s.operator(2)) },
		func(ctx context.Context) error { return s.holdForRecord(ctx, b.units[0]) },
		func(ctx context.Context) error { return s.sendToPainter(ctx, b.units[0]) })
	return nil
}

// testActuator measures an actuator, attaches the record of its functional test, and completes the step.
func (s *script) testActuator(ctx context.Context, unit string, by input.TextInput) error {
	certificate, err := s.certificate(ctx, shop.ProcessCertificate, "Functional test record FA-14, no. 1")
	if err != nil {
		return err
	}
	if _, err := s.service.AttachCertificate(ctx, unit, shop.AttachCertificateInput{
		CertID: input.Given(certificate), UserID: s.who(quality),
	}); err != nil {
		return err
	}
	if _, err := s.service.RecordMeasurements(ctx, unit, shop.MeasureInput{
		Values: input.Given([]input.Input[shop.MeasuredInput]{
			s.read("1", "40.03", "M-032"), s.read("2", "0.2", ""), s.read("3", string(card.VerdictPass), ""),
		}),
		UserID: by,
	}); err != nil {
		return err
	}
	return s.advance(ctx, []string{unit}, by)
}

// holdForRecord holds an actuator whose test record has a wrong number, and releases it with a signature.
func (s *script) holdForRecord(ctx context.Context, unit string) error {
	held, err := s.service.HoldSerial(ctx, unit, shop.HoldSerialInput{
		Reason: input.Given("The printed test record names another actuator"), UserID: s.who(supervisor),
	})
	if err != nil {
		return err
	}
	in := shop.ReleaseSerialInput{
		HoldID: input.Given(held.ID), Reason: input.Given("Record printed again with the right number"),
		UserID: input.Given(loginOf(quality)),
	}
	s.plan(20*time.Minute, func(ctx context.Context) error {
		ctx, err := signed(ctx, s.store, s.people[quality], s.moment, signature{
			quality, shop.SignRelease, "/api/serials/" + unit + "/release", in,
		})
		if err == nil {
			_, err = s.service.ReleaseSerial(ctx, unit, in)
		}
		return err
	})
	return nil
}

const painting = "PO-20944" // the order of the outside work on the actuators

// sendToPainter sends an actuator to outside work.
func (s *script) sendToPainter(ctx context.Context, unit string) error {
	_, err := s.service.CreateShipment(ctx, shop.CreateShipmentInput{
		Supplier: input.Given(painter), OrderNumber: input.Given(painting), ExpectedBack: s.daysFromNow(1),
		Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(unit)}, UserID: s.who(supervisor),
	})
	return err
}

// receivePainted receives an actuator from outside work with its certificate, and completes it.
func (s *script) receivePainted(ctx context.Context, unit string) error {
	certificate, err := s.certificate(ctx, shop.ProcessCertificate, "Certificate of conformance, primer, "+painter+", no. 2217")
	if err != nil {
		return err
	}
	shipments, err := s.service.Shipments(ctx, shop.ShipmentQuery{Text: painting})
	if err != nil {
		return err
	}
	if _, err := s.service.ReceiveShipment(ctx, shipments.Items[0].ID, shop.ReceiveShipmentInput{
		Received:    input.Given(shop.SelectionInput{SerialIDs: input.GivenTexts(unit)}),
		PackingSlip: input.Given("LO-318"), CertIDs: input.GivenTexts(certificate), UserID: s.who(quality),
	}); err != nil {
		return err
	}
	s.inTurn(time.Hour, slices.Repeat([]func(context.Context) error{s.stepDone(unit)}, 2)...)
	return nil
}

// deliver ships units to their customer.
func (s *script) deliver(ctx context.Context, units []string) error {
	_, err := s.service.CreateShipment(ctx, shop.CreateShipmentInput{
		Kind: input.Given(string(card.ToCustomer)), Customer: input.Given("Aerostell"), OrderNumber: input.Given("PO 88-1417"),
		Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(units...)}, UserID: s.who(supervisor),
	})
	return err
}
