package shop_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// requiringShop has a path whose first step requires two seals, whose second requires material, and whose third a certificate. A unit is
// completed with a label.
type requiringShop struct {
	*shoptest.Shop
	path        card.Path
	lots        map[string]string // by part number
	certificate string
	unit        string
}

func newRequiringShop(t *testing.T) *requiringShop {
	t.Helper()
	s := &requiringShop{Shop: shoptest.Open(t), lots: map[string]string{}}
	ctx, by := t.Context(), shoptest.Given("ann")
	s.path = s.Route(t, card.Flexible, "Assemble", "Fill", "Test", "Pack")
	entry := func(partType string, quantity float64) input.Input[shop.BOMEntryInput] {
		return input.Given(shop.BOMEntryInput{PartType: shoptest.Given(partType), RequiredQuantityPerBuild: shoptest.Number(quantity)})
	}
	bill := shoptest.Must(s.CreateBOM(ctx, shop.CreateBOMInput{Name: shoptest.Given("Pump"), Entries: input.Given(
		[]input.Input[shop.BOMEntryInput]{entry("Seal", 1.5), entry("Label", 1), entry("Seal", 0.5)})}))
	shoptest.Must(s.SetPathBOM(ctx, s.path.ID, shop.SetPathBOMInput{BOMID: shoptest.Given(bill.ID), UserID: by}))
	for i, required := range []shop.RequirementsInput{
		{Components: input.GivenTexts("Seal")}, {LotRequired: input.Given(true)}, {CertificateRequired: input.Given(true)},
	} {
		shoptest.Must(s.SetRequirements(ctx, s.path.Steps[i].ID, shop.SetRequirementsInput{RequirementsInput: required, UserID: by}))
	}
	for _, part := range []string{"Seal", "Label", "Oil"} {
		lot := shoptest.Must(s.CreateLot(ctx, shop.CreateLotInput{
			LotFieldsInput: shop.LotFieldsInput{Material: shoptest.Given(part), PartNumber: shoptest.Given(part)},
			Quantity:       input.Given(input.Written("1000000")), Unit: shoptest.Given("pcs"), UserID: by,
		}))
		s.lots[part] = lot.ID
	}
	s.certificate = shoptest.Must(s.CreateCertificate(ctx, shop.CreateCertificateInput{
		Type: shoptest.Given("material"), Name: shoptest.Given("3.1"),
	})).ID
	return s
}

// lacks returns what the step at index i requires and the unit does not have, from the lists of components and attachments. attached has
// the passes of the attachments.
func (s *requiringShop) lacks(t *rapid.T, i, pass int, attached map[string]int) string {
	amount := map[string]int{}
	material := false
	for _, made := range shoptest.Must(s.ComponentsOfSerial(t.Context(), s.unit)) {
		if made.Open() {
			amount[made.PartType] += int(made.Quantity[0] - '0')
			material = material || made.StepID == s.path.Steps[1].ID
		}
	}
	certified := false
	for _, attachment := range shoptest.Must(s.AttachmentsOfSerial(t.Context(), s.unit)) {
		certified = certified || !attachment.Voided() && attachment.StepID == s.path.Steps[2].ID && attached[attachment.ID] == pass
	}
	switch {
	case i == 0 && amount["Seal"] < 2:
		return "seals"
	case i == 1 && !material:
		return "material"
	case i == 2 && !certified:
		return "a certificate"
	case i == len(s.path.Steps) && amount["Label"] < 1:
		return "a label"
	}
	return ""
}

// TestRequiredPartsCannotBeLeftOut runs random operations on units. No operation moves a unit from a step as done, or completes it, unless
// the unit meets the requirements of the step, or the step is overridden or waived. Skipping, deferring, waiving and force-completing do not
// count as leaving a step as done.
func TestRequiredPartsCannotBeLeftOut(t *testing.T) {
	t.Parallel()
	s := newRequiringShop(t)
	outcomes := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		ctx, by, reason := t.Context(), shoptest.Given("ann"), shoptest.Given("so")
		made := shoptest.Must(s.CreateSerials(ctx, shop.CreateSerialsInput{
			JobID: shoptest.Given(s.path.JobID), PathID: shoptest.Given(s.path.ID), Quantity: shoptest.Number(1), UserID: by,
		}))
		s.unit = made.Serial(ident.DefaultPrefix, made.First).ID
		attached := map[string]int{}
		one := shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(s.unit)}}
		for range 40 {
			before := shoptest.Must(s.Serial(ctx, s.unit)).Serial
			statuses := shoptest.Must(s.StepStatuses(ctx, s.unit))
			at := before.Position
			released := func(i int) bool {
				return i < len(statuses) && (statuses[i].HasOverride || statuses[i].Status == card.StepWaived)
			}
			overridden := released(at)
			target := rapid.IntRange(0, 4).Draw(t, "target")
			operation := rapid.SampledFrom([]string{
				"advance", "advance to", "advance to", "batch", "batch to", "complete", "complete", "install", "install", "install", "remove",
				"attach", "attach", "void", "override",
				"reverse", "waive", "rework", "force",
			}).Draw(t, "operation")
			step := s.path.Steps[min(target, 3)].ID
			moved, err := "", error(nil)
			switch to := shoptest.Number(float64(target)); operation {
			case "advance":
				_, err = s.AdvanceSerial(ctx, s.unit, shop.AdvanceSerialInput{UserID: by})
				moved, target = "advance", at+1
			case "advance to":
				_, err = s.AdvanceToStep(ctx, s.unit, shop.AdvanceToStepInput{TargetStepIndex: to, UserID: by})
				moved = "advance"
			case "batch":
				_, err = s.BatchAdvance(ctx, shop.BatchAdvanceInput{BatchInput: one, AdvanceSerialInput: shop.AdvanceSerialInput{UserID: by}})
				moved, target = "advance", at+1
			case "batch to":
				_, err = s.BatchAdvanceTo(ctx, shop.BatchAdvanceToInput{
					BatchInput: one, AdvanceToStepInput: shop.AdvanceToStepInput{TargetStepIndex: to, UserID: by},
				})
				moved = "advance"
			case "complete":
				_, err = s.CompleteDeferredStep(ctx, s.unit, step, by)
				moved, at, overridden = "complete", min(target, 3), released(min(target, 3))
			case "install":
				part := rapid.SampledFrom([]string{"Seal", "Label", "Oil"}).Draw(t, "part")
				in := shop.InstallComponentInput{LotID: shoptest.Given(s.lots[part]), Quantity: input.Given(input.Written("1")), UserID: by}
				if part == "Oil" { // the bill does not list it
					in.SubstituteFor, in.SubstituteReason = shoptest.Given("Label"), reason
				}
				if rapid.Bool().Draw(t, "elsewhere") {
					in.StepID = shoptest.Given(step)
				}
				_, err = s.InstallComponent(ctx, s.unit, in)
			case "remove":
				for _, inside := range shoptest.Must(s.ComponentsOfSerial(ctx, s.unit)) {
					if inside.Open() {
						_, err = s.RemoveComponent(ctx, s.unit, inside.ID, shop.RemoveComponentInput{Reason: reason, UserID: by})
						break
					}
				}
			case "attach":
				var attachment shop.Attachment
				attachment, err = s.AttachCertificate(ctx, s.unit, shop.AttachCertificateInput{CertID: shoptest.Given(s.certificate), UserID: by})
				if _, known := attached[attachment.ID]; !known {
					attached[attachment.ID] = before.Pass()
				}
			case "void":
				for id := range attached {
					_, err = s.VoidAttachment(ctx, id, shop.VoidInput{Reason: reason, UserID: by})
				}
			case "override":
				_, err = s.CreateOverrides(ctx, s.unit, shop.CreateOverridesInput{
					SerialIDs: input.GivenTexts(s.unit), StepID: shoptest.Given(step), Reason: reason, UserID: by,
				})
			case "reverse":
				err = s.ReverseOverride(ctx, s.unit, step, by)
			case "waive":
				_, err = s.WaiveStep(ctx, s.unit, step, shop.WaiveStepInput{Reason: reason, ApproverID: by})
			case "rework":
				_, err = s.ReworkSerial(ctx, s.unit, shop.ReworkSerialInput{TargetStepIndex: to, Reason: reason, UserID: by})
			case "force":
				_, err = s.ForceComplete(ctx, s.unit, shop.ForceCompleteInput{UserID: by})
			}
			outcome := operation
			if refused := shoptest.Refused(err); refused != nil {
				outcome, _, _ = strings.Cut(refused.Message, " at ")
			}
			outcomes[outcome]++
			if moved == "" || err != nil || overridden {
				continue
			}
			if lacks := s.lacks(t, at, before.Pass(), attached); lacks != "" {
				t.Fatalf("%s left step %d without %s", operation, at, lacks)
			}
			if lacks := s.lacks(t, len(s.path.Steps), before.Pass(), attached); lacks != "" && moved == "advance" && target == 4 {
				t.Fatalf("%s completed the unit without %s", operation, lacks)
			}
		}
	})
	for _, outcome := range []string{"Parts missing", "Material missing", "Certificate missing", "advance", "batch to", "complete"} {
		enginetest.Drawn(t, outcome, outcomes[outcome])
	}
	if found := shoptest.RecordsFound(t, s.Store); len(found) > 0 {
		t.Errorf("records do not follow from the trail: %q", found)
	}
}

// A unit keeps the version of its bill: the part types that an edit adds are required of later units only.
func TestUnitsKeepTheVersionOfTheirBill(t *testing.T) {
	t.Parallel()
	s := newRequiringShop(t)
	ctx := t.Context()
	entries := func(unit string) (types []string) {
		for _, entry := range shoptest.Must(s.SerialBOM(ctx, unit)).Entries {
			types = append(types, entry.PartType+" "+entry.Required)
		}
		return types
	}
	first := s.Units(t, s.path, 1)[0]
	path := shoptest.Must(s.Path(ctx, s.path.ID))
	shoptest.Must(s.UpdateBOM(ctx, path.BOMID, shop.UpdateBOMInput{Entries: shoptest.EntriesOf("Motor")}))
	second := s.Units(t, s.path, 1)[0]
	if got := entries(first); !slices.Equal(got, []string{"Seal 2", "Label 1"}) {
		t.Errorf("the first unit has %q", got)
	}
	if got := entries(second); len(got) != 1 || got[0] != "Motor 1" {
		t.Errorf("the second unit has %q", got)
	}
}

// A step requires at most 100 part types, also in a template.
func TestMostPartTypesOfAStep(t *testing.T) {
	t.Parallel()
	s := newRequiringShop(t)
	types := make([]string, 101)
	for i := range types {
		types[i] = fmt.Sprintf("P-%d", i)
	}
	set := func(types []string) (card.RequirementSet, error) {
		return s.SetRequirements(t.Context(), s.path.Steps[3].ID, shop.SetRequirementsInput{
			RequirementsInput: shop.RequirementsInput{Components: input.GivenTexts(types...)}, UserID: shoptest.Given("ann"),
		})
	}
	if made := shoptest.Must(set(types[:100])); len(made.Components) != 100 {
		t.Errorf("the step requires %d part types", len(made.Components))
	}
	if _, err := set(types); err == nil || err.Error() != "components must have at most 100 items" {
		t.Errorf("101 part types: %v", err)
	}
	steps := shop.TemplateSteps(shoptest.StepsCalled("Assemble"))
	steps.Value[0].Value.Requirements = input.Given(shop.RequirementsInput{Components: input.GivenTexts(types...)})
	if _, err := s.CreateTemplate(t.Context(), shop.CreateTemplateInput{Name: shoptest.Given("t"), Steps: steps}); err == nil {
		t.Error("a template with 101 part types")
	}
}
