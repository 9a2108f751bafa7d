package shop_test

import (
	"context"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// No identifier of a unit can begin as another code of Routecard does.
func TestReservedPrefixes(t *testing.T) {
	t.Parallel()
	reserved := []string{"RC", "LOT", "SHP", "COC", "FAI", "NC", "NCR", "EXT", "RCD"}
	for _, record := range shop.Records() {
		if word := strings.TrimRight(record.Prefix, "-_"); word != "" {
			reserved = append(reserved, strings.ToUpper(word))
		}
	}
	for _, word := range reserved {
		if !shop.ReservedPrefix(ident.Prefix(word)) {
			t.Errorf("units can have the prefix %s", word)
		}
	}
	if shop.ReservedPrefix(ident.DefaultPrefix) || shop.ReservedPrefix("P2") {
		t.Error("SN or P2 is reserved")
	}
	for _, id := range []string{"SN-00417", "P2-00417"} {
		if !shop.IsSerialID(id) {
			t.Errorf("%s is not the identifier of a unit", id)
		}
	}
	for _, id := range []string{"COC-00417", "FAI-00417", "job_" + ulidExample, "P2-417", "p2-00417", ""} {
		if shop.IsSerialID(id) {
			t.Errorf("%s is the identifier of a unit", id)
		}
	}
}

const ulidExample = "01KG9R3KJ07RXG9B1E0M843JCZ"

// reservedTexts returns texts that cannot be identifiers, with the reasons.
func reservedTexts() map[string]*refusal.Reason {
	texts := map[string]*refusal.Reason{
		"RC-DONE": shop.IdentifierIsCommand, "rc-done": shop.IdentifierIsCommand, "RC-SCRAP-DAMAGED": shop.IdentifierIsCommand,
		"RC-MEASURE-2": shop.IdentifierIsCommand, "RC-DEFERRED-3": shop.IdentifierIsCommand, "]C0RC-HOLD": shop.IdentifierIsCommand, "rc-install": shop.IdentifierIsCommand,
		"RC-OUT": shop.IdentifierIsCommand, "47RC-OUT": shop.IdentifierIsCommand, "RC-ID-abcd2345": shop.IdentifierIsCommand,
		"RCßIDßabcd2345": shop.IdentifierIsCommand, "VB-7RC-ID-abcd2345": shop.IdentifierIsCommand,
		"SN-00417": shop.NumberIsID, "sn-00417": shop.NumberIsID, "]Q1SN-00417": shop.NumberIsID, "NCR-00003": shop.IdentifierIsID, "SHP-00002": shop.IdentifierIsID,
		"https://shop/serials/SN-00417": shop.IdentifierIsAddress, "HTTP://id.gs1.org/01/09506000134352/21/7": shop.IdentifierIsAddress,
		"https://erp.example": shop.IdentifierIsAddress, "/serials/SN-00417/print": shop.IdentifierIsAddress,
		"shop:8080/scan?unit=SN-00417": shop.IdentifierIsAddress,
	}
	for _, record := range shop.Records() {
		switch record.Kind {
		case shop.RecordSerial, shop.RecordNonconformance, shop.RecordShipment, shop.RecordConformance, shop.RecordFirstArticle, shop.RecordEntry:
		default:
			if record.Prefix != "" {
				texts[record.Prefix+ulidExample] = shop.IdentifierIsID
			}
		}
	}
	return texts
}

// free lists texts that are allowed as identifiers although they resemble codes.
var free = []string{
	"417", "SN-417", "RC-4711", "RC-NOTTE", "RCDONE", "RC-DONE of May", "ARC-HOLD-2", "NCR-3", "job_7", "A/8004/77", "(10)55", "]A1B", "09506000134352",
	"urn:erp:4711", "ftp://x/y", "a/b", "RC-",
}

// Every identifier that people choose refuses the codes of Routecard, and accepts all other texts.
func TestReservedTextsAreNoIdentifiers(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	setters := identifierSetters(t, s)
	for name, set := range setters {
		for text, reason := range reservedTexts() {
			refused := shoptest.Refused(set(t.Context(), text))
			if refused == nil || refused.Kind != refusal.Invalid || reasonOf(set(t.Context(), text)) != reason {
				t.Errorf("%s %q: %+v, want %s", name, text, refused, reason.Code())
			}
		}
		for _, text := range free {
			if err := set(t.Context(), text); err != nil {
				t.Errorf("%s %q: %v", name, text, err)
			}
		}
	}
	for _, record := range shop.Records() { // includes every kind with an external identifier
		if _, here := setters["externalId of "+string(record.Kind)]; record.External && !here {
			t.Errorf("the test does not set the external identifier of a %s", record.Kind)
		}
	}
}

func reasonOf(err error) *refusal.Reason {
	if refused, ok := err.(*refusal.Error); ok { // a rule returns it unwrapped
		return refused.Reason
	}
	return nil
}

// identifierSetters returns functions that create a record with an identifier, by the kind of identifier.
func identifierSetters(t *testing.T, s *shoptest.Shop) map[string]func(context.Context, string) error {
	t.Helper()
	numbered := numberedPath(s, "")
	outside := func(text string) shop.ExternalInput { return shop.ExternalInput{ExternalID: input.Given(text)} }
	unit := func(ctx context.Context) string {
		return s.Service.SerialPrefix().SerialID(shoptest.Must(s.CreateSerials(ctx, shop.CreateSerialsInput{
			JobID: input.Given(numbered.JobID), PathID: input.Given(numbered.ID), Quantity: input.Given(1.0),
		})).First)
	}
	name, by := input.Given("A"), input.Given("ann")
	return map[string]func(context.Context, string) error{
		"serialNumber": func(ctx context.Context, text string) error {
			job := numberedPath(s, "")
			_, err := s.CreateSerials(ctx, withNumbers(job, text))
			return err
		},
		"corrected serialNumber": func(ctx context.Context, text string) error {
			job := numberedPath(s, "")
			batch := shoptest.Must(s.CreateSerials(ctx, withNumbers(job, "wrong")))
			_, err := s.SetSerialNumber(ctx, s.Service.SerialPrefix().SerialID(batch.First), shop.SetSerialNumberInput{
				SerialNumber: input.Given(text), Reason: input.Given("misread"), UserID: by,
			})
			return err
		},
		"number of an instrument": func(ctx context.Context, text string) error {
			_, err := s.CreateInstrument(ctx, shop.InstrumentInput{Number: input.Given(text), Name: name, ChangedBy: by})
			return err
		},
		"externalId of an instrument": func(ctx context.Context, text string) error {
			_, err := s.CreateInstrument(ctx, shop.InstrumentInput{Number: input.Given(s.NewID("")), Name: name, ExternalID: input.Given(text), ChangedBy: by})
			return err
		},
		"externalId of job": func(ctx context.Context, text string) error {
			_, err := s.CreateJob(ctx, shop.CreateJobInput{Name: name, GoalQuantity: input.Given(1.0), ExternalInput: outside(text)})
			return err
		},
		"externalId of path": func(ctx context.Context, text string) error {
			_, err := s.CreatePath(ctx, shop.CreatePathInput{
				JobID: input.Given(numbered.JobID), Name: name, GoalQuantity: input.Given(1.0), Steps: shoptest.StepsCalled("Saw"), ExternalInput: outside(text),
			})
			return err
		},
		"externalId of serial": func(ctx context.Context, text string) error {
			_, err := s.UpdateSerial(ctx, unit(ctx), shop.UpdateSerialInput{ExternalInput: outside(text)})
			return err
		},
		"externalId of certificate": func(ctx context.Context, text string) error {
			_, err := s.CreateCertificate(ctx, shop.CreateCertificateInput{Type: input.Given("material"), Name: name, ExternalInput: outside(text)})
			return err
		},
		"externalId of bill of materials": func(ctx context.Context, text string) error {
			_, err := s.CreateBOM(ctx, shop.CreateBOMInput{Name: name, ExternalInput: outside(text), Entries: input.Given([]input.Input[shop.BOMEntryInput]{
				input.Given(shop.BOMEntryInput{PartType: input.Given("screw"), RequiredQuantityPerBuild: input.Given(1.0)}),
			})})
			return err
		},
		"externalId of user": func(ctx context.Context, text string) error {
			_, err := s.CreateUser(ctx, shop.CreateUserInput{Name: name, ExternalInput: outside(text)})
			return err
		},
		"number of a lot": func(ctx context.Context, text string) error {
			_, err := s.CreateLot(ctx, shop.CreateLotInput{
				LotFieldsInput: shop.LotFieldsInput{Material: name, LotNumber: input.Given(text)}, Quantity: input.Given(input.Written("1")), Unit: input.Given("kg"), UserID: by,
			})
			return err
		},
		"externalId of lot": func(ctx context.Context, text string) error {
			_, err := s.CreateLot(ctx, shop.CreateLotInput{
				LotFieldsInput: shop.LotFieldsInput{Material: name, ExternalInput: outside(text)}, Quantity: input.Given(input.Written("1")), Unit: input.Given("kg"), UserID: by,
			})
			return err
		},
		"externalId of shipment": func(ctx context.Context, text string) error {
			path := numberedPath(s, "")
			shoptest.Must(s.SetRequirements(ctx, path.Steps[0].ID, shop.SetRequirementsInput{
				RequirementsInput: shop.RequirementsInput{Outside: input.Given(shop.OutsideInput{Process: name})}, UserID: by,
			}))
			batch := shoptest.Must(s.CreateSerials(ctx, withNumbers(path, s.NewID(""))))
			_, err := s.CreateShipment(ctx, shop.CreateShipmentInput{
				Supplier: name, Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(s.Service.SerialPrefix().SerialID(batch.First))}, UserID: by,
				ExternalInput: outside(text),
			})
			return err
		},
		"externalId of firstArticle": func(ctx context.Context, text string) error {
			path := numberedPath(s, "")
			batch := shoptest.Must(s.CreateSerials(ctx, withNumbers(path, s.NewID(""))))
			_, err := s.CreateFirstArticle(ctx, path.ID, shop.CreateFirstArticleInput{
				SerialIDs: input.GivenTexts(s.Service.SerialPrefix().SerialID(batch.First)), Kind: input.Given("full"), Reason: name, UserID: by,
				ExternalInput: outside(text),
			})
			return err
		},
		"externalId of template": func(ctx context.Context, text string) error {
			_, err := s.CreateTemplate(ctx, shop.CreateTemplateInput{Name: name, Steps: input.Given([]input.Input[shop.TemplateStepInput]{
				input.Given(shop.TemplateStepInput{StepInput: shop.StepInput{Name: name}}),
			}), ExternalInput: outside(text)})
			return err
		},
	}
}

// Generated numbers are refused even if neither the first nor the last number is the id of a record.
func TestCountedNumbersAreNoIdentifiers(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	path := numberedPath(s, "")
	for prefix, first := range map[string]float64{"SN-": 99_999, "job_" + ulidExample[:24]: 9, "RC-MEASURE-": 1} {
		_, err := s.CreateSerials(t.Context(), shop.CreateSerialsInput{
			JobID: input.Given(path.JobID), PathID: input.Given(path.ID), Quantity: input.Given(100.0),
			Numbering: input.Given(shop.NumberingInput{Prefix: input.Given(prefix), First: input.Given(first)}),
		})
		if refused := shoptest.Refused(err); refused == nil || refused.Kind != refusal.Invalid {
			t.Errorf("%s from %v: %v", prefix, first, err)
		}
	}
}

// A record may keep an identifier from an earlier version, and its own id is allowed as its external identifier.
func TestStoredIdentifiersStay(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	path := numberedPath(s, "")
	batch := shoptest.Must(s.CreateSerials(t.Context(), withNumbers(path, "1")))
	id := s.Service.SerialPrefix().SerialID(batch.First)
	if err := s.Store.Update(t.Context(), func(tx shop.Tx) error {
		if err := tx.SetExternalID(shop.ExternalID{Of: shop.RecordSerial, ID: id, ExternalID: "RC-DONE"}); err != nil {
			return err
		}
		return tx.GiveOwnNumbers([]shop.OwnNumber{{SerialID: id, Number: "RC-DONE", JobID: path.JobID, Scope: "job " + path.JobID, GivenAt: s.Tick()}})
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.UpdateSerial(t.Context(), id, shop.UpdateSerialInput{ExternalInput: shop.ExternalInput{ExternalID: input.Given("RC-DONE")}}); err != nil {
		t.Error(err)
	}
	if _, err := s.UpdateSerial(t.Context(), id, shop.UpdateSerialInput{ExternalInput: shop.ExternalInput{ExternalID: input.Given(id)}}); err != nil {
		t.Error(err)
	}
	if err := setNumber(s, id, "RC-DONE", ""); err != nil {
		t.Error(err)
	}
	if err := setNumber(s, id, "VB-7", "it was a command"); err != nil {
		t.Error(err)
	}
}
