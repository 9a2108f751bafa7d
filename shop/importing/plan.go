package importing

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/units"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/workorder"
)

// ofPart refuses a row whose part number or revision differs from the job of the unit. It ignores a field that the job lacks.
func (im *run) ofPart(unit *card.Card, in *MeasurementInput) error {
	number, err := input.OptionalWithin("partNumber", in.PartNumber, workorder.OrderTextLimit)
	if err != nil {
		return err
	}
	revision, err := input.OptionalWithin("partRevision", in.PartRevision, workorder.OrderTextLimit)
	if number, revision = oneSpaced(number), oneSpaced(revision); err != nil || number == "" && revision == "" {
		return err
	}
	job, known := im.jobs[unit.Serial.JobID]
	if !known {
		if job, err = im.tx.Job(unit.Serial.JobID); err != nil {
			return err
		}
		im.jobs[job.ID] = job
	}
	if is := job.Part(); number != "" && is != "" && !calledPart(&job, number) {
		return refusal.RefuseField(PartDiffers, "partNumber", number, unit.Serial.ID, is)
	}
	if is := job.PartRevision; revision != "" && is != "" && !strings.EqualFold(revision, oneSpaced(is)) {
		return refusal.RefuseField(PartDiffers, "partRevision", revision, unit.Serial.ID, is)
	}
	return nil
}

// calledPart reports whether the number identifies the job's part.
func calledPart(j *shop.Job, number string) bool {
	if gtin, ok := workorder.GTIN14(number); ok {
		if own, _ := workorder.GTIN14(j.GTIN); own == gtin {
			return true
		}
	}
	return strings.EqualFold(number, oneSpaced(j.PartNumber)) || strings.EqualFold(number, oneSpaced(j.TicketPart))
}

// oneSpaced returns the text with one blank between words.
func oneSpaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// atStep refuses a row whose step name is that of a step of the route other than the one where the unit was measured. It ignores the name
// if the row has a stepId, or if the route has no such step: then the name comes from the program that wrote the file.
func (in *MeasurementInput) atStep(unit *card.Card, at int) error {
	said, steps := oneSpaced(in.Transferred.Step), unit.Path.Steps
	named := func(step card.ProcessStep) bool { return strings.EqualFold(said, oneSpaced(step.Name)) }
	if said == "" || in.StepID.Present() || named(steps[at]) || !slices.ContainsFunc(steps, named) {
		return nil
	}
	return refusal.RefuseField(FromOtherStep, "stepId", said, unit.Serial.ID, steps[at].Name)
}

// characteristic finds the characteristic of a row: by its identifier, by number and place, or by both in the form of messages, such as "7
// (A)".
func (in *MeasurementInput) characteristic(set *card.CharacteristicSet) (*card.Characteristic, error) {
	id, err := input.OptionalWithin("characteristicId", in.CharacteristicID, input.NameLimit)
	if err != nil {
		return nil, err
	}
	number, err := input.OptionalWritten("number", in.Number, input.NameLimit)
	if err != nil {
		return nil, err
	}
	place, err := input.OptionalWithin("place", in.Place, input.NameLimit)
	if err != nil {
		return nil, err
	}
	id, number, place = strings.TrimSpace(id), strings.TrimSpace(number), strings.TrimSpace(place)
	if id == "" && number == "" {
		return nil, refusal.RefuseField(refusal.Required, "number")
	}
	at := slices.IndexFunc(set.Characteristics, func(c card.Characteristic) bool {
		if id != "" {
			return c.ID == id
		}
		return c.Number == number && c.Place == place
	})
	if at < 0 && id == "" && place == "" {
		at = slices.IndexFunc(set.Characteristics, func(c card.Characteristic) bool { return c.Called() == number })
	}
	if at < 0 {
		if id != "" {
			return nil, refusal.RefuseField(refusal.NoRecord, "characteristicId", shop.NameCharacteristic, id)
		}
		return nil, refusal.RefuseField(refusal.NoRecord, "number", shop.NameCharacteristic, card.CalledAt(number, place))
	}
	c := &set.Characteristics[at]
	if id != "" && (number != "" && number != c.Number || place != "" && place != c.Place) {
		return nil, refusal.RefuseField(PlannedOtherwise, "number", card.CalledAt(number, place), id, c.Called())
	}
	return c, nil
}

// agrees refuses a row whose unit of measurement, nominal or limits differ from the plan.
func (im *run) agrees(in *MeasurementInput, c *card.Characteristic, revision int) error {
	unit, err := input.OptionalWithin("unit", in.Unit, input.NameLimit)
	if err != nil {
		return err
	}
	if unit = strings.TrimSpace(unit); unit != "" && !units.Same(unit, c.Unit) {
		return refusal.RefuseField(UnitDiffers, "unit", unit, c.Called(), cmp.Or(c.Unit, "none"))
	}
	if !in.Revision.Missing() {
		said, err := input.Whole("revision", in.Revision)
		if err != nil {
			return err
		}
		if said != int64(revision) {
			return refusal.RefuseField(PlannedOtherwise, "revision", said, c.Called(), revision)
		}
	}
	nominal, err := im.optionalDecimal("nominal", in.Nominal)
	if err != nil {
		return err
	}
	if nominal != "" && c.Nominal != "" && nominal.Compare(c.Nominal) != 0 {
		return refusal.RefuseField(PlannedOtherwise, "nominal", nominal, c.Called(), c.Nominal)
	}
	for _, limit := range []struct {
		field string
		in    input.WrittenInput
		is    input.Decimal
	}{{"lower", in.Lower, c.Lower}, {"upper", in.Upper, c.Upper}} {
		said, err := im.optionalDecimal(limit.field, limit.in)
		if err != nil {
			return err
		}
		if said == "" || limit.is != "" && said.Compare(limit.is) == 0 {
			continue
		}
		if from := cmp.Or(nominal, c.Nominal); isTolerance(said, from, limit.is, limit.field == "lower") {
			return refusal.RefuseField(LooksTolerance, limit.field, said, from, limit.is, c.Called(), limit.field+"Tolerance")
		}
		return refusal.RefuseField(PlannedOtherwise, limit.field, said, c.Called(), cmp.Or(string(limit.is), "none"))
	}
	return im.withinTolerances(in, c, nominal)
}

// withinTolerances refuses tolerances that do not match the nominal and the limits. Machines may write a lower tolerance of -0.01 as 0.01,
// and 0 for a missing limit, for example of a roundness.
func (im *run) withinTolerances(in *MeasurementInput, c *card.Characteristic, nominal input.Decimal) error {
	if nominal == "" {
		nominal = c.Nominal
	}
	for _, tolerance := range []struct {
		field    string
		in       input.WrittenInput
		is       input.Decimal
		unsigned bool
	}{{"upperTolerance", in.UpperTolerance, c.Upper, false}, {"lowerTolerance", in.LowerTolerance, c.Lower, true}} {
		said, err := im.optionalDecimal(tolerance.field, tolerance.in)
		if err != nil {
			return err
		}
		switch {
		case said == "":
			continue
		case nominal == "":
			return refusal.RefuseField(refusal.Required, "nominal")
		case tolerance.is == "" && said.Compare("0") == 0:
			continue
		case isTolerance(said, nominal, tolerance.is, tolerance.unsigned):
			continue
		}
		return refusal.RefuseField(ToleranceDiffers, tolerance.field, said, nominal, c.Called(), cmp.Or(string(tolerance.is), "none"))
	}
	return nil
}

// isTolerance reports whether said is the difference between the nominal and the limit. With unsigned, it may lack its sign.
func isTolerance(said, nominal, limit input.Decimal, unsigned bool) bool {
	if nominal == "" || limit == "" {
		return false
	}
	from := new(big.Rat).Sub(limit.Rat(), nominal.Rat())
	return from.Cmp(said.Rat()) == 0 || unsigned && from.Neg(from).Cmp(said.Rat()) == 0
}

// optionalDecimal returns the number in a field, or "" if it is missing.
func (im *run) optionalDecimal(field string, in input.WrittenInput) (input.Decimal, error) {
	in, err := im.decimals.Written(field, in)
	if err != nil {
		return "", err
	}
	return input.OptionalDecimal(field, in)
}
