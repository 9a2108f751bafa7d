package web_test

import (
	"context"
	"testing"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// needs sets the bill of the path of a unit, and what the first step requires.
func (s *visitedShop) needs(unit string, required shop.RequirementsInput, entries ...shop.BOMEntryInput) {
	s.t.Helper()
	ctx, by := s.t.Context(), input.Given("setup")
	serial, err := s.service.Serial(ctx, unit)
	s.must(err)
	path, err := s.service.Path(ctx, serial.Serial.PathID)
	s.must(err)
	_, err = s.service.SetRequirements(ctx, path.Steps[0].ID, shop.SetRequirementsInput{RequirementsInput: required, UserID: by})
	s.must(err)
	if len(entries) == 0 {
		return
	}
	given := make([]input.Input[shop.BOMEntryInput], len(entries))
	for i := range entries {
		given[i] = input.Given(entries[i])
	}
	bom, err := s.service.CreateBOM(ctx, shop.CreateBOMInput{Name: input.Given("Gear unit"), Entries: input.Given(given)})
	s.must(err)
	_, err = s.service.SetPathBOM(ctx, path.ID, shop.SetPathBOMInput{BOMID: input.Given(bom.ID), UserID: by})
	s.must(err)
	made, err := s.service.CreateSerials(ctx, shop.CreateSerialsInput{
		JobID: input.Given(serial.Serial.JobID), PathID: input.Given(path.ID), Quantity: input.Given(1.0), UserID: by,
	})
	s.must(err)
	for _, err := range made.All(s.service.SerialPrefix()) {
		s.must(err)
	}
}

// install installs a unit, or an amount of a lot, in another unit.
func (s *visitedShop) install(ctx context.Context, parent, unit, lot string) {
	s.t.Helper()
	in := shop.InstallComponentInput{UserID: input.Given("setup")}
	if unit != "" {
		in.ComponentSerialID = input.Given(unit)
	} else {
		in.LotID, in.Quantity = input.Given(lot), input.Given[input.Written]("1.5")
	}
	_, err := s.service.InstallComponent(ctx, parent, in)
	s.must(err)
}

// The card shows what is inside a unit at any depth, and the units that contain it; the page of a lot shows the same units.
func TestTreeOnTheCard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(4, "Assemble")
	const root, middle, leaf, other = "SN-00001", "SN-00002", "SN-00003", "SN-00004"
	lot := s.lot("316L", "H48213")
	ctx := t.Context()
	s.install(ctx, leaf, "", lot.ID)
	s.complete(1, leaf)
	s.install(ctx, middle, leaf, "")
	s.complete(1, middle)
	s.install(ctx, root, middle, "")
	v := s.works("Dana")
	v.visit("/serials/"+root).inOrder("Installed components", middle, leaf, lot.LotNumber, "1.5 kg", "Route card")
	v.visit("/serials/"+root+"/print").inOrder("Installed components", middle, leaf, lot.LotNumber)
	v.visit("/serials/"+leaf).inOrder("Where used", root, "contains it, 2 levels up", middle, "contains it")
	v.visit("/lots?id="+lot.ID).inOrder("Where used", root, "contains it, 3 levels up", middle, leaf, "Installations from this lot")
	v.visit("/serials/" + other).saysNothingOf("Where used")
}

// Card and station name everything that the step still needs in one sentence, and the card compares the bill with what is installed.
func TestWhatTheStepStillNeeds(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, first := s.units(1, "Assemble", "Pack")
	s.needs(first, shop.RequirementsInput{
		Components: input.GivenTexts("Seal"), LotRequired: input.Given(true), CertificateRequired: input.Given(true),
		Outside: input.Given(shop.OutsideInput{Process: input.Given("Plating")}),
	}, shop.BOMEntryInput{PartType: input.Given("Seal"), RequiredQuantityPerBuild: input.Given(2.0)})
	const unit = "SN-00002"
	const needs = "Assemble still needs: 2 × Seal, material of a lot, the receipt from outside work, a certificate."
	v := s.works("Dana")
	v.visit("/serials/" + unit).says(needs)
	v.says("Seal 2 0 2 Assemble")
	if to := v.link("Send to outside work"); to != "/shipments?units="+unit {
		t.Errorf("the link to a shipment leads to %s", to)
	}
	v.scan(unit, "warn", needs)
	s.pass(time.Minute)
	v.scan("RC-DONE", "bad", unit+": "+needs)
	// A unit that was created before the path had a bill needs no parts.
	v.visit("/serials/" + first).says("Assemble still needs: material of a lot, the receipt from outside work, a certificate.")
}
