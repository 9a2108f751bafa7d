package importing

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// A row with the identifier of a component must agree with that component, or it is refused. Every other row installs a component, unless
// the unit contains it already.

// ComponentInput is a row of a components file.
type ComponentInput struct {
	ID                    input.TextInput    `field:"id"`
	SerialID              input.TextInput    `field:"serialId"`
	SerialNumber          input.TextInput    `field:"serialNumber"` // identifies the unit if serialId is missing
	ComponentSerialID     input.TextInput    `field:"componentSerialId"`
	ComponentSerialNumber input.TextInput    `field:"componentSerialNumber"` // identifies the component if componentSerialId is missing
	LotID                 input.TextInput    `field:"lotId"`
	LotNumber             input.TextInput    `field:"lotNumber"` // identifies the lot if lotId is missing
	Quantity              input.WrittenInput `field:"quantity"`
	Unit                  input.TextInput    `field:"unit"` // must be the unit of the lot
	PartSerialNumber      input.TextInput    `field:"partSerialNumber"`
	StepID                input.TextInput    `field:"stepId"`
	Place                 input.TextInput    `field:"place"`
	SubstituteFor         input.TextInput    `field:"substituteFor"` // the part type of the bill that the part replaces
	SubstituteReason      input.TextInput    `field:"substituteReason"`
	InstalledBy           input.TextInput    `field:"installedBy"`

	// Fields that only the service sets. In a row with an id they must agree with the component.
	PartType     input.TextInput   `field:"partType"`
	Pass         input.NumberInput `field:"pass"`
	InstalledAt  input.TextInput   `field:"installedAt"`
	RemovedBy    input.TextInput   `field:"removedBy"`
	RemovedAt    input.TextInput   `field:"removedAt"`
	RemoveReason input.TextInput   `field:"removeReason"`
	Returned     input.FlagInput   `field:"returned"`
	VoidedAt     input.TextInput   `field:"voidedAt"`
	VoidedBy     input.TextInput   `field:"voidedBy"`
	VoidReason   input.TextInput   `field:"voidReason"`
}

func (im *run) component(in ComponentInput) (outcome rowOutcome, err error) {
	id, err := input.OptionalWithin("id", in.ID, input.NameLimit)
	if err != nil {
		return outcome, err
	}
	made := card.Component{ID: strings.TrimSpace(id)}
	if made.SerialID, err = im.unitCalled("serialId", in.SerialID, "serialNumber", in.SerialNumber); err != nil {
		return outcome, err
	}
	if made.ComponentSerialID, err = im.unitCalled(
		"componentSerialId", in.ComponentSerialID, "componentSerialNumber", in.ComponentSerialNumber,
	); err != nil {
		return outcome, err
	}
	if made.LotID, err = im.lotCalled(in.LotID, in.LotNumber); err != nil {
		return outcome, err
	}
	if made.ID != "" {
		return outcome, im.sameComponent(made, &in)
	}
	if made.SerialID == "" {
		return outcome, refusal.RefuseField(refusal.Required, "serialId")
	}
	if field := in.onlyStored(); field != "" {
		return outcome, refusal.RefuseField(ComponentOnlyWithID, field)
	}
	return im.newComponent(made, &in)
}

// onlyStored returns the first field of a row that only the service sets, and that the row has; "" for none.
func (in *ComponentInput) onlyStored() string {
	for _, set := range []struct {
		field string
		in    input.TextInput
	}{
		{"partType", in.PartType}, {"installedAt", in.InstalledAt}, {"removedBy", in.RemovedBy}, {"removedAt", in.RemovedAt},
		{"removeReason", in.RemoveReason}, {"voidedAt", in.VoidedAt}, {"voidedBy", in.VoidedBy}, {"voidReason", in.VoidReason},
	} {
		if !input.Unfilled(set.in) {
			return set.field
		}
	}
	switch {
	case !in.Pass.Missing():
		return "pass"
	case !in.Returned.Missing():
		return "returned"
	}
	return ""
}

// sameComponent refuses a row that differs from the component with its id. named has the unit, component and lot of the row.
func (im *run) sameComponent(named card.Component, in *ComponentInput) error {
	c, err := im.tx.Component(named.ID)
	if err != nil {
		return shop.OrNotFound(err, shop.NameComponent, named.ID)
	}
	for _, said := range []struct {
		field    string
		in       input.TextInput
		named    string // by this or another column
		is       string
		optional bool // whether the row may leave it empty
	}{
		{"serialId", in.SerialID, named.SerialID, c.SerialID, !in.SerialNumber.Missing()},
		{"componentSerialId", in.ComponentSerialID, named.ComponentSerialID, c.ComponentSerialID, !in.ComponentSerialNumber.Missing()},
		{"lotId", in.LotID, named.LotID, c.LotID, !in.LotNumber.Missing()},
		{"unit", in.Unit, "", c.Unit, false},
		{"partSerialNumber", in.PartSerialNumber, "", c.PartSerialNumber, false},
		{"stepId", in.StepID, "", c.StepID, false},
		{"place", in.Place, "", c.Place, false},
		{"installedBy", in.InstalledBy, "", c.InstalledBy, false},
		{"partType", in.PartType, "", c.PartType, false},
		{"substituteFor", in.SubstituteFor, "", substituted(&c), true},
		{"substituteReason", in.SubstituteReason, "", c.SubstituteReason, false},
		{"installedAt", in.InstalledAt, "", c.InstalledAt.String(), false},
		{"removedBy", in.RemovedBy, "", c.RemovedBy, false},
		{"removedAt", in.RemovedAt, "", timeText(c.RemovedAt), false},
		{"removeReason", in.RemoveReason, "", c.RemoveReason, false},
		{"voidedAt", in.VoidedAt, "", timeText(c.VoidedAt), false},
		{"voidedBy", in.VoidedBy, "", c.VoidedBy, false},
		{"voidReason", in.VoidReason, "", c.VoidReason, false},
	} {
		written := cmp.Or(said.named, plainText(said.in))
		if !said.in.Present() && said.named == "" || said.optional && written == "" {
			continue
		}
		if said.in.State == input.StateMistyped || written != strings.TrimSpace(said.is) {
			return refusal.RefuseField(ComponentDiffers, said.field, c.ID)
		}
	}
	pass, returned := strconv.Itoa(c.Pass), in.Returned.Value
	switch {
	case in.Quantity.Present() && !im.saysNumber(in.Quantity, string(c.Quantity), true):
		return refusal.RefuseField(ComponentDiffers, "quantity", c.ID)
	case !in.Pass.Missing() && (in.Pass.State != input.StateGiven || strconv.FormatFloat(in.Pass.Value, 'f', -1, 64) != pass):
		return refusal.RefuseField(ComponentDiffers, "pass", c.ID)
	case in.Returned.State == input.StateMistyped || in.Returned.Present() && returned != c.Returned:
		return refusal.RefuseField(ComponentDiffers, "returned", c.ID)
	}
	return nil
}

// substituted returns the part type that a component replaces; "" if it replaces none.
func substituted(c *card.Component) string {
	if c.SubstituteReason == "" {
		return ""
	}
	return c.PartType
}

// timeText returns an instant as the interface has it; "" for none.
func timeText(at ident.Timestamp) string {
	if at == 0 {
		return ""
	}
	return at.String()
}

// newComponent installs the component of a row, unless the unit contains it already.
func (im *run) newComponent(made card.Component, in *ComponentInput) (outcome rowOutcome, err error) {
	made.PartSerialNumber, made.Place = plainText(in.PartSerialNumber), plainText(in.Place)
	if in.Quantity, err = im.decimals.Written("quantity", in.Quantity); err != nil {
		return outcome, err
	}
	if (made.ComponentSerialID == "") == (made.LotID == "") {
		return outcome, refusal.Refuse(card.ComponentUnclear)
	}
	lot, err := im.lotOf(made, in)
	if err != nil {
		return outcome, err
	}
	if err := im.installedOnce(made, lot.Part(), plainText(in.StepID)); err != nil {
		return outcome, err
	}
	inside, err := im.inside(made, lot.Part(), plainText(in.StepID))
	if err == nil {
		return outcome, im.repeatsComponent(&inside, made, in)
	}
	if err := shop.IgnoreNoRecord(err); err != nil {
		return outcome, err
	}
	install := shop.InstallComponentInput{
		Quantity: in.Quantity, PartSerialNumber: in.PartSerialNumber, StepID: in.StepID, Place: in.Place,
		SubstituteFor: in.SubstituteFor, SubstituteReason: in.SubstituteReason, UserID: im.actor(in.InstalledBy),
	}
	if made.ComponentSerialID != "" {
		install.ComponentSerialID = input.Given(made.ComponentSerialID)
	}
	if made.LotID != "" {
		install.LotID = input.Given(made.LotID)
	}
	_, err = im.service.InstallComponent(im.ctx, made.SerialID, install)
	if refused, ok := errors.AsType[*refusal.Error](err); ok && refused.Field == "userId" {
		err = refusal.RefuseField(refused.Reason, "installedBy", anyOf(refused.Args)...)
	}
	return rowCreated, err
}

// lotOf returns the lot of a component, whose unit must be the unit of the row if the row has one.
func (im *run) lotOf(made card.Component, in *ComponentInput) (lot shop.Lot, err error) {
	if made.LotID != "" {
		if lot, err = im.tx.Lot(made.LotID); err != nil {
			return lot, shop.OrNotFound(err, shop.NameLot, made.LotID)
		}
	}
	unit, err := input.OptionalWithin("unit", in.Unit, input.NameLimit)
	if unit = strings.TrimSpace(unit); err == nil && unit != "" && unit != string(lot.Unit) {
		err = refusal.RefuseField(UnitOfLot, "unit", unit, cmp.Or(string(lot.Unit), "-"))
	}
	return lot, err
}

// installedOnce refuses a row with the component of a different earlier row: the same unit, the same number of a purchased part, or the
// same lot at the same place of a unit.
func (im *run) installedOnce(made card.Component, part, step string) error {
	key, field := []any{"component", made.ComponentSerialID}, "componentSerialId"
	switch {
	case made.ComponentSerialID != "":
	case made.PartSerialNumber != "":
		key, field = []any{"component", part, made.PartSerialNumber}, "partSerialNumber"
	default:
		key, field = []any{"component", made.LotID, made.SerialID, step, made.Place}, "lotId"
	}
	earlier, differs, err := im.claim(key...)
	if err == nil && differs {
		err = refusal.RefuseField(InstalledTwice, field, earlier)
	}
	return err
}

// inside returns the installed component of a unit that a row describes, or ErrNoRecord.
func (im *run) inside(made card.Component, part, step string) (card.Component, error) {
	switch {
	case made.ComponentSerialID != "":
		unit, err := im.tx.RouteCard(made.ComponentSerialID)
		if err != nil || unit.Inside != made.SerialID {
			return card.Component{}, cmp.Or(shop.IgnoreNoRecord(err), shop.ErrNoRecord)
		}
	case made.PartSerialNumber != "":
		found, err := im.tx.ComponentNumbered(part, made.PartSerialNumber)
		if err == nil && found.SerialID != made.SerialID {
			err = shop.ErrNoRecord
		}
		return found, err
	}
	all, err := im.tx.ComponentsOfSerial(made.SerialID)
	if err != nil {
		return card.Component{}, err
	}
	at := slices.IndexFunc(all, func(c card.Component) bool {
		return c.Open() && c.ComponentSerialID == made.ComponentSerialID && c.LotID == made.LotID && c.PartSerialNumber == "" &&
			(made.LotID == "" || c.Place == made.Place && (step == "" || c.StepID == step))
	})
	if at < 0 {
		return card.Component{}, shop.ErrNoRecord
	}
	return all[at], nil
}

// repeatsComponent refuses a row with another amount or place than the component that the unit contains already.
func (im *run) repeatsComponent(inside *card.Component, made card.Component, in *ComponentInput) error {
	switch {
	case !in.Quantity.Missing() && !im.saysNumber(in.Quantity, string(inside.Quantity), true),
		in.Quantity.Missing() && inside.Quantity != "" && inside.Quantity.Compare("1") != 0:
		return refusal.RefuseField(ComponentDiffers, "quantity", inside.ID)
	case in.Place.Present() && made.Place != inside.Place:
		return refusal.RefuseField(ComponentDiffers, "place", inside.ID)
	case made.LotID != "" && made.LotID != inside.LotID:
		return refusal.RefuseField(ComponentDiffers, "lotId", inside.ID)
	case in.SubstituteFor.Present() && plainText(in.SubstituteFor) != substituted(inside):
		return refusal.RefuseField(ComponentDiffers, "substituteFor", inside.ID)
	case in.SubstituteReason.Present() && plainText(in.SubstituteReason) != inside.SubstituteReason:
		return refusal.RefuseField(ComponentDiffers, "substituteReason", inside.ID)
	}
	return nil
}

// Reasons for refusing a row with a component.
var (
	ComponentOnlyWithID = refusal.NewReason(refusal.Invalid, "only_with_id", "{field} is only for rows with the id of a component: the service sets it")
	ComponentDiffers    = refusal.NewReason(refusal.Invalid, "component_differs",
		"{field} is not what {id} has: remove or void that component, and install another one")
	InstalledTwice = refusal.NewReason(refusal.Invalid, "installed_twice", "{field} is installed a second time, after row {row}")
	UnitOfLot      = refusal.NewReason(refusal.Invalid, "unit_of_lot", "{field} is {value}, and that of the lot is {unit}")
)
