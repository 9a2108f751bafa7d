package web_test

import (
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// plated creates units at a step with outside work, and returns them.
func (s *visitedShop) plated(units int) (ids []string) {
	s.t.Helper()
	ctx := s.t.Context()
	job, err := s.service.CreateJob(ctx, shop.CreateJobInput{Name: input.Given("Cover"), GoalQuantity: input.Given(9.0)})
	s.must(err)
	path, err := s.service.CreatePath(ctx, shop.CreatePathInput{
		JobID: input.Given(job.ID), Name: input.Given("Plated"), GoalQuantity: input.Given(9.0),
		Steps: input.Given([]input.Input[shop.StepInput]{
			input.Given(shop.StepInput{Name: input.Given("Plate")}), input.Given(shop.StepInput{Name: input.Given("Pack")}),
		}),
	})
	s.must(err)
	_, err = s.service.SetRequirements(ctx, path.Steps[0].ID, shop.SetRequirementsInput{
		RequirementsInput: shop.RequirementsInput{Outside: input.Given(shop.OutsideInput{Process: input.Given("Anodize")})},
		UserID:            input.Given("setup"),
	})
	s.must(err)
	batch, err := s.service.CreateSerials(ctx, shop.CreateSerialsInput{
		JobID: input.Given(job.ID), PathID: input.Given(path.ID), Quantity: input.Given(float64(units)), UserID: input.Given("setup"),
	})
	s.must(err)
	for n := range int64(units) {
		ids = append(ids, s.service.SerialPrefix().SerialID(batch.First+n))
	}
	return ids
}

// sent sends new units to a supplier.
func (s *visitedShop) sent(units int, expectedBack string) shop.Shipment {
	s.t.Helper()
	made, err := s.service.CreateShipment(s.t.Context(), shop.CreateShipmentInput{
		Supplier: input.Given("Plating Ltd"), ExpectedBack: input.Given(expectedBack), UserID: input.Given("setup"),
		Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(s.plated(units)...)},
	})
	s.must(err)
	return made
}

// back receives one unit of a shipment, and returns the identifier of the shipment.
func (s *visitedShop) back(sent shop.Shipment) string {
	s.t.Helper()
	for line, err := range s.service.LinesOfShipment(s.t.Context(), sent.ID) {
		s.must(err)
		_, err = s.service.ReceiveShipment(s.t.Context(), sent.ID, shop.ReceiveShipmentInput{
			Received: input.Given(shop.SelectionInput{SerialIDs: input.GivenTexts(line.SerialID)}), UserID: input.Given("setup"),
		})
		s.must(err)
		break
	}
	return sent.ID
}

// Units are sent and received by forms: all that are away, or some, with rejected and missing ones. The card says where a unit is.
func TestFormsOfAShipment(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	units := s.plated(4)
	v := s.works("Ann")
	v.visit("/shipments").press(">Record shipment<", "party", "Plating Ltd", "units", "SN-99999").says("There are now 0 units here, not 1.")
	v.visit("/shipments").press(">Record shipment<", "party", "Plating Ltd", "orderNumber", "PO-7", "expectedBack", "2001-01-31",
		"units", units[0]+" to "+units[3])
	v.says("Shipment SHP-00001 recorded.")
	v.says("4 away")
	at := v.page.address
	v.visit("/serials/" + units[0]).says("At Plating Ltd since")
	v.visit("/scan?unit=" + units[0]).says("At Plating Ltd since")
	v.visit("/").says("Shipment overdue")
	v.visit("/shipments?status=overdue").says("1 shipment")
	v.visit("/shipments?status=closed").says("No shipments match.")
	v.visit("/shipments/SHP-00001/print").says("Packing slip")
	if strings.Count(v.page.html, "<svg") < 5 {
		t.Error("the packing slip lacks the codes of the shipment and its units")
	}
	v.visit(at).press(`value="receive"`, "do", "receive", "which", "all", "rejectedUnits", units[1], "missingUnits", units[2], "missingReason", "").
		says("Say what is wrong with the rejected units.")
	v.press(`value="receive"`, "do", "receive", "which", "all", "rejectedUnits", units[1], "title", "Blisters", "severity", "major",
		"missingUnits", units[2], "missingReason", "Not in the box", "packingSlip", "LS-1", "certId", s.certificate("Anodize 7"))
	v.says("3 units received.")
	v.says("Not in the box")
	v.says("2 received, 1 rejected, 1 missing")
	v.says("Anodize 7")
	unit, err := s.service.Serial(t.Context(), units[1])
	s.must(err)
	if len(unit.Holds) != 1 || unit.Away != (card.Away{}) {
		t.Errorf("the rejected unit has %v and is away: %v", unit.Holds, unit.Away)
	}
	v.visit(at).press(`value="receive"`, "do", "receive", "which", "some", "units", units[0]).
		says("These cannot be received with SHP-00001: " + units[0] + " (not away any more). Take them out of the list.")
	v.refusedAt("units")
	v.visit(at).press(`value="receive"`, "do", "receive", "which", "some", "units", units[2]).says("1 unit received.")
	v.visit(at).press(`value="certificate"`, "do", "certificate", "certId", s.certificate("Late paper")).says("Certificate attached.")
	v.visit(at).press(`value="void"`, "do", "void", "reason", "another box").says("Receipt voided.")
}

// A receipt that another user recorded meanwhile is not overlooked.
func TestShipmentReceivedMeanwhile(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	made := s.sent(2, "")
	a, b := s.works("Ann"), s.works("Bob")
	lines := 0
	for _, err := range s.service.LinesOfShipment(t.Context(), made.ID) {
		s.must(err)
		lines++
	}
	if lines != 2 {
		t.Fatalf("%d lines", lines)
	}
	a.visit("/shipments?id=" + made.ID)
	b.visit("/shipments?id="+made.ID).press(`value="receive"`, "do", "receive", "which", "all").says("2 units received.")
	a.press(`value="receive"`, "do", "receive", "which", "all").says("Somebody received units of the shipment meanwhile.")
}

// The codes of a packing slip are scanned into the form that receives a shipment: identifiers, links, own numbers and external identifiers,
// in any order and more than once. All units that cannot be received are named together. Nothing is received that was not scanned.
func TestReceiveByScanning(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	units := s.plated(6)
	for unit, number := range map[string]string{units[1]: "PL-7", units[5]: "PL-9"} {
		_, err := s.service.SetSerialNumber(t.Context(), unit, shop.SetSerialNumberInput{
			SerialNumber: input.Given(number), UserID: input.Given("setup"),
		})
		s.must(err)
	}
	_, err := s.service.UpdateSerial(t.Context(), units[2], shop.UpdateSerialInput{
		ExternalInput: shop.ExternalInput{ExternalID: input.Given("ERP-4711")}, UserID: input.Given("setup"),
	})
	s.must(err)
	v := s.works("Ann")
	v.visit("/shipments").press(">Record shipment<", "party", "Plating Ltd", "units", units[0]+" to "+units[3]).says("4 away")
	at := v.page.address
	scan := func(codes ...string) *visitor {
		return v.visit(at).press(`value="receive"`, "do", "receive", "units", strings.Join(codes, "\n")+"\n")
	}
	scan().says("Choose at least one unit.")
	scan("SHP-00002", units[0]).says("The code is that of SHP-00002, and this is SHP-00001.")
	scan("ERP-0815").says("“ERP-0815” is no unit and no range of units.")
	scan(units[3], units[4], "PL-7", "PL-9").
		says("These cannot be received with SHP-00001: " + units[4] + " and PL-9 (" + units[5] + ") (not on it). Take them out of the list.")
	v.press(`value="receive"`, "do", "receive", "which", "all", "units", "PL-7").says("Choose “Only these units”, or leave the units empty.")
	v.visit(at).says("4 away")
	scan("SHP-00001", "http://shop.example/serials/"+units[3], "ERP-4711", "PL-7", strings.ToLower(units[3])).says("3 units received.")
	scan(units[0], "PL-7", "SN-99999", units[4]).says("SN-99999")
	v.says(" (not on it); PL-7 (" + units[1] + ") (not away any more). Take them out of the list.")
	v.visit(at).says("1 away")
	for i, want := range []bool{true, false, false, false} {
		if unit := shoptest.Must(s.service.Serial(t.Context(), units[i])); (unit.Away != card.Away{}) != want {
			t.Errorf("%s is away: %v", units[i], unit.Away)
		}
	}
}
