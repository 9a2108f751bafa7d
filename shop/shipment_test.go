package shop_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// listedUnits selects units by their identifiers.
func listedUnits(ids ...string) shop.SelectionInput {
	return shop.SelectionInput{SerialIDs: input.GivenTexts(ids...)}
}

// outsideShop returns a shop with units at a step with outside work.
func outsideShop(t *testing.T, units int) (*shoptest.Shop, card.Path, []string) {
	t.Helper()
	s, ctx := shoptest.Open(t), t.Context()
	job := shoptest.Must(s.CreateJob(ctx, shop.CreateJobInput{Name: shoptest.Given("Bracket"), GoalQuantity: shoptest.Number(9)}))
	path := shoptest.Must(s.CreatePath(ctx, shop.CreatePathInput{
		JobID: shoptest.Given(job.ID), Name: shoptest.Given("Main"), GoalQuantity: shoptest.Number(9), Steps: shoptest.StepsCalled("Plate", "Pack"),
	}))
	shoptest.Must(s.SetRequirements(ctx, path.Steps[0].ID, shop.SetRequirementsInput{
		RequirementsInput: shop.RequirementsInput{Outside: input.Given(shop.OutsideInput{Process: shoptest.Given("Plate")})},
		UserID:            shoptest.Given("pia"),
	}))
	made := shoptest.Must(s.CreateSerials(ctx, shop.CreateSerialsInput{
		JobID: shoptest.Given(job.ID), PathID: shoptest.Given(path.ID), Quantity: shoptest.Number(float64(units)), UserID: shoptest.Given("ann"),
	}))
	var ids []string
	for n := range int64(units) {
		ids = append(ids, s.Service.SerialPrefix().SerialID(made.First+n))
	}
	return s, path, ids
}

// refusedFor reports whether an error is a refusal for one of the reasons, or nil.
func refusedFor(err error, reasons ...*refusal.Reason) bool {
	refused, ok := errors.AsType[*refusal.Error](err)
	return err == nil || ok && slices.Contains(reasons, refused.Reason)
}

// Several callers send, receive, void, rework, scrap and undo at once. By the entries, no unit is sent while it is away, and no line is
// settled twice; and the card of each unit follows from its entries.
func TestShipmentsAtOnce(t *testing.T) {
	t.Parallel()
	s, path, units := outsideShop(t, 4)
	ctx := t.Context()
	var callers sync.WaitGroup
	for caller := range uint64(3) {
		callers.Go(func() {
			random := rand.New(rand.NewPCG(7, caller))
			for range 40 {
				if err := shipSomething(ctx, s, units, random); err != nil {
					t.Error(err)
				}
			}
		})
	}
	callers.Wait()
	sent, received := 0, 0
	for _, id := range units {
		open := map[string]bool{}
		shipped := map[string][]string{} // by receipt
		for _, entry := range shoptest.Collect(s.AuditOfSerial(ctx, id)) {
			var told card.ReceivedMetadata
			var voided card.VoidedMetadata
			if len(entry.Metadata) > 0 && errors.Join(trail.ReadMetadata(&entry, &told), trail.ReadMetadata(&entry, &voided)) != nil {
				continue
			}
			switch entry.Action {
			case card.ActionSerialSent:
				if sent++; len(open) > 0 {
					t.Errorf("%s: %s was sent while it was away", entry.ID, id)
				}
				open[told.ShipmentID] = true
			case card.ActionSerialReceived:
				if !open[told.ShipmentID] {
					t.Errorf("%s: %s was received twice", entry.ID, id)
				}
				if told.Result.Returns() {
					received++
					delete(open, told.ShipmentID)
					shipped[told.ReceiptID] = append(shipped[told.ReceiptID], told.ShipmentID)
				}
			case shop.ActionRecordVoided:
				for _, shipment := range shipped[voided.RecordID] {
					open[shipment] = true
				}
			}
		}
		shoptest.Must(0, s.Store.View(ctx, func(tx shop.Reader) error {
			unit := shoptest.Must(tx.RouteCard(id))
			told := shoptest.Must(replay.Replay(path, id, shoptest.Must(shop.TrailOf(tx, unit.Serial))))
			told.Card.Path = unit.Path
			if differs := told.Differs(unit); len(differs) > 0 || len(open) != len(unit.Away.ShipmentID)/len("SHP-00000") {
				t.Errorf("%s has otherwise than its trail: %s, away %v and %v", id, differs, unit.Away, open)
			}
			return nil
		}))
	}
	if sent < 10 || received < 5 {
		t.Errorf("only %d units were sent and %d received", sent, received)
	}
}

// shipSomething does something random with one unit, and accepts the refusals that follow from what others do meanwhile.
func shipSomething(ctx context.Context, s *shoptest.Shop, units []string, random *rand.Rand) (err error) {
	unit, by, reason := units[random.IntN(len(units))], shoptest.Given("ann"), shoptest.Given("so")
	shipments, err := s.Shipments(ctx, shop.ShipmentQuery{SerialID: unit})
	if err != nil {
		return err
	}
	allowed := []*refusal.Reason{
		card.UnitAway, shop.ReceivedAlready, shop.DecideScrapped, card.NotAtOutsideWork, shop.ReceiptVoided, card.LeftTheStep,
		card.ReworkScrapped, refusal.ScrapScrapped, shop.NotLastChange, shop.NothingToUndo,
	}
	switch what := random.IntN(7); {
	case what == 0:
		_, err = s.ReworkSerial(ctx, unit, shop.ReworkSerialInput{TargetStepIndex: shoptest.Number(0), Reason: reason, UserID: by})
	case what == 1 && random.IntN(4) == 0:
		_, err = s.ScrapSerial(ctx, unit, shop.ScrapSerialInput{Reason: shoptest.Given("damaged"), UserID: by})
	case what == 2:
		entries := shoptest.Collect(s.AuditOfSerial(ctx, unit))
		if len(entries) > 0 {
			_, err = s.Undo(ctx, unit, shop.UndoInput{EntryID: shoptest.Given(entries[len(entries)-1].ID), Reason: reason, UserID: by})
		}
	case what == 3 || len(shipments.Items) == 0:
		_, err = s.CreateShipment(ctx, shop.CreateShipmentInput{Supplier: shoptest.Given("S"), Selection: listedUnits(unit), UserID: by})
	case what == 4 && len(shipments.Items[0].Receipts) > 0:
		of := shipments.Items[0]
		_, err = s.VoidReceipt(ctx, of.ID, of.Receipts[len(of.Receipts)-1].ID, shop.VoidInput{Reason: reason, UserID: by})
	case what == 5:
		_, err = s.ReceiveShipment(ctx, shipments.Items[0].ID, shop.ReceiveShipmentInput{
			Missing: input.Given([]input.Input[shop.MissingInput]{input.Given(shop.MissingInput{SerialID: shoptest.Given(unit), Reason: reason})}),
			UserID:  by,
		})
	default:
		_, err = s.ReceiveShipment(ctx, shipments.Items[0].ID, shop.ReceiveShipmentInput{Received: input.Given(listedUnits(unit)), UserID: by})
	}
	if refusedFor(err, allowed...) {
		return nil
	}
	return err
}

// The status of a shipment follows from its lines and the day.
func TestStatusOfShipments(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		shipment shop.Shipment
		want     shop.ShipmentStatus
	}{
		{shop.Shipment{Kind: card.ToSupplier, Counts: shop.ShipmentCounts{Sent: 1, Away: 1}}, shop.ShipmentOpen},
		{shop.Shipment{Kind: card.ToSupplier, Counts: shop.ShipmentCounts{Sent: 1, Away: 1}, ExpectedBack: "2026-01-31"}, shop.ShipmentOpen},
		{shop.Shipment{Kind: card.ToSupplier, Counts: shop.ShipmentCounts{Sent: 1, Away: 1}, ExpectedBack: "2026-01-30"}, shop.ShipmentOverdue},
		{shop.Shipment{Kind: card.ToSupplier, Counts: shop.ShipmentCounts{Sent: 1}, ExpectedBack: "2026-01-30"}, shop.ShipmentClosed},
		{shop.Shipment{Kind: card.ToCustomer, Counts: shop.ShipmentCounts{Sent: 1, Away: 1}, ExpectedBack: "2026-01-30"}, shop.ShipmentShipped},
	} {
		if got := test.shipment.At("2026-01-31").Status; got != test.want {
			t.Errorf("%+v is %s", test.shipment, got)
		}
	}
}

// What is inside a unit that is delivered goes along, and is held to the same rules.
func TestDeliveryOfAssemblies(t *testing.T) {
	t.Parallel()
	s, path, units := outsideShop(t, 2)
	ctx, by := t.Context(), shoptest.Given("ann")
	shoptest.Must(s.SetRequirements(ctx, path.Steps[0].ID, shop.SetRequirementsInput{UserID: by}))
	inner, outer := units[0], units[1]
	for range 2 {
		shoptest.Must(s.AdvanceSerial(ctx, inner, shop.AdvanceSerialInput{UserID: by}))
	}
	lot := shoptest.Must(s.CreateLot(ctx, shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{Material: shoptest.Given("Seal"), CertificateRequired: input.Given(true)}, UserID: by,
	}))
	shoptest.Must(s.InstallComponent(ctx, outer, shop.InstallComponentInput{ComponentSerialID: shoptest.Given(inner), UserID: by}))
	shoptest.Must(s.InstallComponent(ctx, outer, shop.InstallComponentInput{LotID: shoptest.Given(lot.ID), UserID: by}))
	for range 2 {
		shoptest.Must(s.AdvanceSerial(ctx, outer, shop.AdvanceSerialInput{UserID: by}))
	}
	deliver := func(unit string) error {
		_, err := s.CreateShipment(ctx, shop.CreateShipmentInput{
			Kind: shoptest.Given("customer"), Customer: shoptest.Given("Meyer"), Selection: listedUnits(unit), UserID: by,
		})
		return err
	}
	says := func(err error, want string) {
		t.Helper()
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	says(deliver(inner), inner+" is installed in "+outer)
	hold := shoptest.Must(s.HoldSerial(ctx, inner, shop.HoldSerialInput{Reason: shoptest.Given("burr"), UserID: by}))
	says(deliver(outer), inner+" is on hold: burr")
	shoptest.Must(s.ReleaseSerial(ctx, inner, shop.ReleaseSerialInput{HoldID: shoptest.Given(hold.ID), Reason: by, UserID: by}))
	says(deliver(outer), "Lot "+lot.LotNumber+" has no certificate")
	certificate := shoptest.Must(s.CreateCertificate(ctx, shop.CreateCertificateInput{Type: shoptest.Given("material"), Name: shoptest.Given("3.1")}))
	shoptest.Must(s.AttachLotCertificate(ctx, lot.ID, shop.AttachLotCertificateInput{CertID: shoptest.Given(certificate.ID), UserID: by}))
	lotHold := shoptest.Must(s.HoldLot(ctx, lot.ID, shop.HoldLotInput{Reason: shoptest.Given("soft"), UserID: by}))
	says(deliver(outer), "Lot "+lot.LotNumber+" is on hold: soft")
	shoptest.Must(s.ReleaseLot(ctx, lot.ID, shop.ReleaseSerialInput{HoldID: shoptest.Given(lotHold.ID), Reason: by, UserID: by}))
	if err := deliver(outer); err != nil {
		t.Fatal(err)
	}
	components := shoptest.Must(s.ComponentsOfSerial(ctx, outer))
	_, err := s.RemoveComponent(ctx, outer, components[0].ID, shop.RemoveComponentInput{Reason: by, UserID: by})
	if !refusedFor(err, card.UnitAway) || err == nil {
		t.Errorf("a component of a delivered unit was removed: %v", err)
	}
}

// A unit that was received, sent again and scrapped there is on the second shipment only: the first receipt cannot be voided.
func TestReceiptBeforeAScrapElsewhere(t *testing.T) {
	t.Parallel()
	s, _, units := outsideShop(t, 1)
	ctx, by := t.Context(), shoptest.Given("ann")
	sent := shop.CreateShipmentInput{Supplier: shoptest.Given("S"), Selection: listedUnits(units...), UserID: by}
	first := shoptest.Must(s.CreateShipment(ctx, sent))
	receipt := shoptest.Must(s.ReceiveShipment(ctx, first.ID, shop.ReceiveShipmentInput{Received: input.Given(listedUnits(units...)), UserID: by}))
	shoptest.Must(s.CreateShipment(ctx, sent))
	shoptest.Must(s.ScrapSerial(ctx, units[0], shop.ScrapSerialInput{Reason: shoptest.Given("damaged"), UserID: by}))
	_, err := s.VoidReceipt(ctx, first.ID, receipt.ID, shop.VoidInput{Reason: shoptest.Given("so"), UserID: by})
	if err == nil || !refusedFor(err, card.UnitAway) {
		t.Errorf("the first receipt was voided: %v", err)
	}
}

// After an undone rework, nothing of the undone pass counts for the next rework: it asks for outside work, a certificate and readings again.
// The undone rework itself leaves what counted before.
func TestReworkAfterAnUndoneReworkAsksAgain(t *testing.T) {
	t.Parallel()
	s, path, units := outsideShop(t, 1)
	ctx, by, unit, plate := t.Context(), shoptest.Given("ann"), units[0], path.Steps[0].ID
	shoptest.Must(s.SetRequirements(ctx, plate, shop.SetRequirementsInput{
		RequirementsInput: shop.RequirementsInput{
			Outside:             input.Given(shop.OutsideInput{Process: shoptest.Given("Plate")}),
			CertificateRequired: input.Given(true),
		},
		UserID: shoptest.Given("pia"),
	}))
	certificate := shoptest.Must(s.CreateCertificate(ctx, shop.CreateCertificateInput{Type: shoptest.Given("process"), Name: shoptest.Given("Z")}))
	plated := func() {
		t.Helper()
		sent := shoptest.Must(s.CreateShipment(ctx, shop.CreateShipmentInput{
			Supplier: shoptest.Given("S"), Selection: listedUnits(unit), UserID: by,
		}))
		shoptest.Must(s.ReceiveShipment(ctx, sent.ID, shop.ReceiveShipmentInput{
			Received: input.Given(listedUnits(unit)), CertIDs: input.GivenTexts(certificate.ID), UserID: by,
		}))
	}
	advance := func() error {
		_, err := s.AdvanceSerial(ctx, unit, shop.AdvanceSerialInput{UserID: by})
		return err
	}
	rework := func(pass int) string {
		t.Helper()
		made := shoptest.Must(s.ReworkSerial(ctx, unit, shop.ReworkSerialInput{
			TargetStepIndex: shoptest.Number(0), Reason: shoptest.Given("thin"), UserID: by,
		}))
		if made.Pass() != pass {
			t.Errorf("the rework begins pass %d, want %d", made.Pass(), pass)
		}
		entries := shoptest.Collect(s.AuditOfSerial(ctx, unit))
		return entries[len(entries)-1].ID
	}
	undo := func(entryID string) {
		t.Helper()
		shoptest.Must(s.Undo(ctx, unit, shop.UndoInput{EntryID: shoptest.Given(entryID), Reason: shoptest.Given("not thin"), UserID: by}))
	}
	refused := func(reason *refusal.Reason) {
		t.Helper()
		if err := advance(); err == nil || !refusedFor(err, reason) {
			t.Errorf("the unit left the step: %v, want %s", err, reason.Code())
		}
	}
	refused(card.NotBack)
	plated()
	if err := advance(); err != nil {
		t.Fatal(err)
	}
	undone := rework(2)
	refused(card.NotBack)
	plated()
	undo(undone)
	undone = rework(3)
	refused(card.NotBack)
	undo(undone)
	rework(4)
	refused(card.NotBack)
	plated()
	if err := advance(); err != nil {
		t.Error(err)
	}
	if found := shoptest.RecordsFound(t, s.Store); len(found) > 0 {
		t.Errorf("records do not follow from the trail: %q", found)
	}
	visits := shoptest.Must(s.Visits(ctx, unit))
	var passes []int
	for _, visit := range visits {
		passes = append(passes, visit.Pass)
	}
	if want := []int{1, 1, 4, 4}; !slices.Equal(passes, want) {
		t.Errorf("the visits are in the passes %v, want %v", passes, want)
	}
}
