package shop

import (
	"cmp"
	"encoding/hex"
	"errors"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/routecard/routecard/internal/aqdef"
	"github.com/routecard/routecard/internal/units"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/workorder"
)

// Readings are never changed. A row of a file that has the identifier of a reading says what is so already, or it is refused; every other
// row records a value, as Record Measurements does with one, unless the reading that counts says the same. The file may say for what the
// value was compared with, as measuring machines do: then it has to be what is planned now, for otherwise another revision was measured.
// The verdict is never taken from a file.

// DecimalSigns say how a file writes the decimals of numbers.
type DecimalSigns uint8

// The ways in which files write decimals.
const (
	DecimalPoint  DecimalSigns = iota // with a point
	DecimalComma                      // with a comma; a point may stand between thousands, so it is refused where it may
	DecimalEither                     // with a point or a comma: a machine writes nothing between thousands
)

// grouped are numbers in which a point is between thousands for some people, and before decimals for others.
var grouped = regexp.MustCompile(`^[-+]?\d{1,3}(\.\d{3})+$`)

// Plain is a number of a file as the interface writes it, with a point; ok reports whether there is one way to read it. A text that
// is no number stays as it is, but for the blanks around it.
func (d DecimalSigns) Plain(text string) (plain string, ok bool) {
	text = strings.TrimSpace(text)
	switch {
	case d == DecimalComma && grouped.MatchString(text):
		return text, false
	case d != DecimalPoint && !strings.Contains(text, ".") && strings.Count(text, ",") == 1:
		return strings.Replace(text, ",", ".", 1), true
	}
	return text, true
}

// written is a number that a field has, as the interface writes it. A text that is none stays as it is, for the operation to refuse.
func (d DecimalSigns) written(field string, in input.WrittenInput) (input.WrittenInput, error) {
	if in.State != input.StateGiven {
		return in, nil
	}
	plain, ok := d.Plain(string(in.Value))
	if !ok {
		return in, refusal.RefuseField(PointUnclear, field, plain)
	}
	return input.Given(input.Written(plain)), nil
}

// ImportMeasurementInput is a row of a file of readings.
type ImportMeasurementInput struct {
	ID               input.TextInput    `field:"id"`
	SerialID         input.TextInput    `field:"serialId"`
	SerialNumber     input.TextInput    `field:"serialNumber"` // names the unit where serialId does not
	StepID           input.TextInput    `field:"stepId"`
	CharacteristicID input.TextInput    `field:"characteristicId"`
	Number           input.WrittenInput `field:"number"` // names the characteristic where characteristicId does not
	Place            input.TextInput    `field:"place"`
	Value            input.WrittenInput `field:"value"`
	Unit             input.TextInput    `field:"unit"`
	Nominal          input.WrittenInput `field:"nominal"`
	Lower            input.WrittenInput `field:"lower"`
	Upper            input.WrittenInput `field:"upper"`
	LowerTolerance   input.WrittenInput `field:"lowerTolerance"` // from the nominal, with its sign or without
	UpperTolerance   input.WrittenInput `field:"upperTolerance"`
	Revision         input.NumberInput  `field:"revision"`
	PartNumber       input.TextInput    `field:"partNumber"`
	PartRevision     input.TextInput    `field:"partRevision"`
	InstrumentID     input.TextInput    `field:"instrumentId"`
	InstrumentNumber input.TextInput    `field:"instrumentNumber"` // names the instrument where instrumentId does not
	Note             input.TextInput    `field:"note"`
	MeasuredBy       input.TextInput    `field:"measuredBy"`

	// MeasuredAt is when the value was read; now, when it is missing. It is compared in a row with an id.
	MeasuredAt input.TextInput `field:"measuredAt"`

	// What the service says itself. It is compared in a row with an id.
	Verdict    input.TextInput   `field:"verdict"`
	Pass       input.NumberInput `field:"pass"`
	EnteredAt  input.TextInput   `field:"enteredAt"`
	VoidedAt   input.TextInput   `field:"voidedAt"`
	VoidedBy   input.TextInput   `field:"voidedBy"`
	VoidReason input.TextInput   `field:"voidReason"`

	// Transferred is what a file in the Q-DAS transfer format says in addition.
	Transferred TransferredReading `field:"-"`
}

// TransferredReading is what a file in the Q-DAS transfer format says of a reading that may be of this shop. Such a file has texts of one
// line, and times by the clock of the shop, to the second.
type TransferredReading struct {
	Step       string // the name of the step; of this shop only if the route of the unit has it
	ID         string // a reading, if it is of this shop; "" when the file does not say
	Note       string
	MeasuredBy string // "" when the file does not say
	Clock      string // as aqdef.FormatTime writes it; "" when the file does not say
	TimeErr    error  // why the clock is not a time; a reading that is of this shop has one
}

// MeasurementOfUUID returns the identifier that a reading of this shop has when UUIDOfMeasurement made the UUID; "" for no UUID.
func MeasurementOfUUID(text string) string {
	var id ulid.ULID
	digits := strings.ReplaceAll(strings.Trim(strings.TrimSpace(text), "{}"), "-", "")
	if n, err := hex.Decode(id[:], []byte(digits)[:min(len(digits), 2*len(id))]); err != nil || n != len(id) || len(digits) != 2*len(id) {
		return ""
	}
	return prefixMeasurement + id.String()
}

// UUIDOfMeasurement returns the identifier of a reading as a UUID.
func UUIDOfMeasurement(id string) string {
	made, err := ulid.ParseStrict(strings.TrimPrefix(id, prefixMeasurement))
	if err != nil {
		return ""
	}
	digits := hex.EncodeToString(made[:])
	return strings.Join([]string{digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]}, "-")
}

func (im *importing) measurement(in ImportMeasurementInput) (outcome rowOutcome, err error) {
	id, err := input.OptionalWithin("id", in.ID, input.NameLimit)
	if err != nil {
		return outcome, err
	}
	if ours, err := im.transferred(&in); ours || err != nil {
		return outcome, err
	}
	unit, err := im.measuredUnit(&in)
	if err != nil {
		return outcome, err
	}
	if err := im.measuredWith(&in); err != nil {
		return outcome, err
	}
	if id = strings.TrimSpace(id); id != "" {
		return outcome, im.sameReading(id, unit, &in)
	}
	if unit == "" {
		return outcome, refusal.RefuseField(refusal.Required, "serialId")
	}
	for _, set := range []struct {
		field string
		in    input.TextInput
	}{{"enteredAt", in.EnteredAt}, {"voidedAt", in.VoidedAt}, {"voidedBy", in.VoidedBy}, {"voidReason", in.VoidReason}} {
		if !set.in.Missing() && (set.in.State != input.StateGiven || !input.Blank(set.in.Value)) {
			return outcome, refusal.RefuseField(OnlyWithID, set.field)
		}
	}
	return im.newReading(unit, &in)
}

// numberedAlike is how many units are looked at that have or had the same own number.
const numberedAlike = 1000

// measuredUnit is the identifier of the unit that a row names; "" when it names none.
func (im *importing) measuredUnit(in *ImportMeasurementInput) (string, error) {
	id, err := input.OptionalWithin("serialId", in.SerialID, input.NameLimit)
	if err != nil {
		return "", err
	}
	number, err := input.OptionalWithin("serialNumber", in.SerialNumber, OwnNumberLimit)
	if err != nil {
		return "", err
	}
	id, number = strings.TrimSpace(id), strings.TrimSpace(number)
	if id != "" && number != "" {
		numbers, err := im.tx.OwnNumbersOf(id)
		if err == nil && !slices.ContainsFunc(numbers, func(n OwnNumber) bool { return n.Number == number }) {
			err = refusal.RefuseField(NamesAnother, "serialNumber", number, id)
		}
		return id, err
	}
	if id != "" || number == "" {
		return id, nil
	}
	found, err := im.tx.SerialsNumbered(number, numberedAlike)
	if err != nil {
		return "", err
	}
	found = slices.DeleteFunc(found, func(n OwnNumber) bool { return n.Earlier || n.Number != number })
	switch len(found) {
	case 0:
		return "", refusal.RefuseField(refusal.NoRecord, "serialNumber", NameSerial, number)
	case 1:
		return found[0].SerialID, nil
	}
	return "", refusal.RefuseField(NumberOfSeveral, "serialNumber", len(found), number)
}

// measuredWith finds the instrument of which a row has the number.
func (im *importing) measuredWith(in *ImportMeasurementInput) error {
	number, err := input.OptionalWithin("instrumentNumber", in.InstrumentNumber, input.NameLimit)
	if err != nil {
		return err
	}
	id, err := input.OptionalWithin("instrumentId", in.InstrumentID, input.NameLimit)
	if number = strings.TrimSpace(number); err != nil || number == "" {
		return err
	}
	instrument, err := im.tx.InstrumentNumbered(number)
	if errors.Is(err, ErrNoRecord) {
		return refusal.RefuseField(refusal.NoRecord, "instrumentNumber", NameInstrument, number)
	}
	if id = strings.TrimSpace(id); err == nil && id != "" && id != instrument.ID {
		return refusal.RefuseField(NamesAnother, "instrumentNumber", number, id)
	}
	in.InstrumentID = input.Given(instrument.ID)
	return err
}

// transferred reports whether a row of a file in the Q-DAS transfer format is a reading of this shop. It refuses one that says something
// else than there is.
func (im *importing) transferred(in *ImportMeasurementInput) (bool, error) {
	said := in.Transferred
	if said.ID == "" {
		return false, said.TimeErr
	}
	m, err := im.tx.Measurement(said.ID)
	if errors.Is(err, ErrNoRecord) {
		return false, said.TimeErr
	}
	if err != nil {
		return true, err
	}
	if m.Voided() {
		return true, refusal.RefuseField(ReadingDiffers, "voidedAt", m.ID)
	}
	for _, of := range []struct {
		field, is, said string
		optional        bool
	}{
		{"note", aqdef.OneLine(m.Note), said.Note, false},
		{"measuredBy", aqdef.OneLine(m.MeasuredBy), said.MeasuredBy, true},
		{"measuredAt", aqdef.FormatTime(m.MeasuredAt.Time().In(im.service.Zone())), said.Clock, true},
	} {
		if of.is != of.said && (!of.optional || of.said != "") {
			return true, refusal.RefuseField(ReadingDiffers, of.field, m.ID)
		}
	}
	if err := im.sameUnit(in, &m); err != nil {
		return true, err
	}
	if err := im.measuredWith(in); err != nil {
		return true, err
	}
	same := *in
	same.Note, same.MeasuredBy, same.MeasuredAt, same.SerialID = input.TextInput{}, input.TextInput{}, input.TextInput{}, input.TextInput{}
	same.PartNumber, same.PartRevision = input.TextInput{}, input.TextInput{} // those of the job may have been corrected since the export
	if in.Unit.State == input.StateGiven && in.Unit.Value == aqdef.OneLine(m.Unit) {
		same.Unit = input.TextInput{}
	}
	if in.Number.State == input.StateGiven && string(in.Number.Value) == aqdef.OneLine(m.Called()) {
		same.Number = input.WrittenInput{}
	}
	return true, im.sameReading(m.ID, m.SerialID, &same)
}

// sameUnit refuses a row that names another unit than that of the reading. A unit is named by each number that it has or had.
func (im *importing) sameUnit(in *ImportMeasurementInput, m *card.Measurement) error {
	if in.SerialID.State == input.StateGiven && strings.TrimSpace(in.SerialID.Value) != m.SerialID {
		return refusal.RefuseField(ReadingDiffers, "serialId", m.ID)
	}
	if in.SerialNumber.State != input.StateGiven {
		return nil
	}
	numbers, err := im.tx.OwnNumbersOf(m.SerialID)
	if err == nil && !slices.ContainsFunc(numbers, func(n OwnNumber) bool { return aqdef.OneLine(n.Number) == in.SerialNumber.Value }) {
		err = refusal.RefuseField(ReadingDiffers, "serialNumber", m.ID)
	}
	return err
}

// sameReading refuses a row that says something else of a reading than there is.
func (im *importing) sameReading(id, unit string, in *ImportMeasurementInput) error {
	m, err := im.tx.Measurement(id)
	if err != nil {
		return OrNotFound(err, NameMeasurement, id)
	}
	if in.SerialID.Missing() && unit != "" {
		in.SerialID = input.Given(unit)
	}
	if in.PartNumber.Present() || in.PartRevision.Present() {
		routeCard, err := im.tx.RouteCard(m.SerialID)
		if err == nil {
			err = im.ofPart(&routeCard, in)
		}
		if err != nil {
			return err
		}
	}
	var enteredAt, voidedAt string
	if m.EnteredAt != 0 {
		enteredAt = m.EnteredAt.String()
	}
	if m.Voided() {
		voidedAt = m.VoidedAt.String()
	}
	for _, said := range []struct {
		field string
		in    input.TextInput
		is    string
	}{
		{"serialId", in.SerialID, m.SerialID},
		{"stepId", in.StepID, m.StepID},
		{"characteristicId", in.CharacteristicID, m.CharacteristicID},
		{"place", in.Place, m.Place},
		{"unit", in.Unit, m.Unit},
		{"verdict", in.Verdict, string(m.Verdict)},
		{"instrumentId", in.InstrumentID, m.InstrumentID},
		{"note", in.Note, m.Note},
		{"measuredBy", in.MeasuredBy, m.MeasuredBy},
		{"measuredAt", in.MeasuredAt, m.MeasuredAt.String()},
		{"enteredAt", in.EnteredAt, enteredAt},
		{"voidedAt", in.VoidedAt, voidedAt},
		{"voidedBy", in.VoidedBy, m.VoidedBy},
		{"voidReason", in.VoidReason, m.VoidReason},
	} {
		if said.in.Present() && (said.in.State == input.StateMistyped || said.in.Value != said.is) {
			return refusal.RefuseField(ReadingDiffers, said.field, id)
		}
	}
	for _, said := range []struct {
		field string
		in    input.NumberInput
		is    int
	}{{"revision", in.Revision, m.Revision}, {"pass", in.Pass, m.Pass}} {
		if !said.in.Missing() && (said.in.State != input.StateGiven || said.in.Value != float64(said.is)) {
			return refusal.RefuseField(ReadingDiffers, said.field, id)
		}
	}
	judged := m.Limits.Lower != "" || m.Limits.Upper != ""
	for _, said := range []struct {
		field  string
		in     input.WrittenInput
		is     string
		number bool
	}{
		{"number", in.Number, m.Number, false},
		{"value", in.Value, m.Value, judged},
		{"nominal", in.Nominal, string(m.Limits.Nominal), true},
		{"lower", in.Lower, string(m.Limits.Lower), true},
		{"upper", in.Upper, string(m.Limits.Upper), true},
	} {
		if said.in.Present() && !im.saysNumber(said.in, said.is, said.number) {
			return refusal.RefuseField(ReadingDiffers, said.field, id)
		}
	}
	return nil
}

// saysNumber reports whether a field says what there is: to the letter, or, of a number, in another way of writing it.
func (im *importing) saysNumber(in input.WrittenInput, is string, number bool) bool {
	if in.State == input.StateMistyped {
		return false
	}
	if said := string(in.Value); said == is || !number || is == "" {
		return said == is
	}
	plain, oneWay := im.decimals.Plain(string(in.Value))
	said, ok := input.ParseDecimal(plain)
	return oneWay && ok && said.Compare(input.Decimal(is)) == 0
}

// newReading records the value of a row.
func (im *importing) newReading(unit string, in *ImportMeasurementInput) (outcome rowOutcome, err error) {
	measure := MeasureInput{StepID: in.StepID, UserID: im.actor(in.MeasuredBy)}
	if measure.MeasuredAt, err = optionalTime("measuredAt", in.MeasuredAt); err != nil {
		return outcome, err
	}
	value := MeasuredInput{Characteristic: in.Number, Place: in.Place, Value: in.Value, InstrumentID: in.InstrumentID, Note: in.Note}
	routeCard, err := im.tx.RouteCard(unit)
	if err != nil {
		return outcome, OrNotFound(err, NameSerial, unit)
	}
	if err := card.CheckCard(routeCard); err != nil {
		return outcome, err
	}
	if err := im.ofPart(&routeCard, in); err != nil {
		return outcome, err
	}
	step, err := measure.step(routeCard)
	if err != nil {
		return outcome, err
	}
	if err := in.atStep(&routeCard, step); err != nil {
		return outcome, err
	}
	set := routeCard.Path.CharacteristicsOf(routeCard.Path.Steps[step].ID)
	c, err := in.characteristic(&set)
	if err != nil {
		return outcome, err
	}
	if err := im.agrees(in, c, set.Revision); err != nil {
		return outcome, err
	}
	if err := im.onlyOnce(unit, c); err != nil {
		return outcome, err
	}
	value.Characteristic = input.Given(input.Written(c.ID))
	if c.Type == card.NumberReading {
		if value.Value, err = im.decimals.written("value", in.Value); err != nil {
			return outcome, err
		}
	}
	if latest := routeCard.Reading(c.ID); latest != nil && value.repeats(latest, c) && measure.MeasuredAt <= latest.MeasuredAt {
		return rowUnchanged, nil
	}
	measure.Values = input.Given([]input.Input[MeasuredInput]{input.Given(value)})
	made, err := im.service.RecordMeasurements(im.ctx, unit, measure)
	if refused, ok := errors.AsType[*refusal.Error](err); ok {
		if field, of := strings.CutPrefix(refused.Field, "values[0]."); of {
			err = refusal.RefuseField(refused.Reason, field, anyOf(refused.Args)...)
		} else if field == "userId" {
			err = refusal.RefuseField(refused.Reason, "measuredBy", anyOf(refused.Args)...)
		}
	}
	if err != nil {
		return outcome, err
	}
	if made[0].Verdict == card.VerdictFail {
		return rowCreatedFailing, nil
	}
	return rowCreated, nil
}

// ofPart refuses a row that says another part or revision than the job of the unit. A job without the field is not compared.
func (im *importing) ofPart(unit *card.Card, in *ImportMeasurementInput) error {
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
	if is := job.Part(); number != "" && is != "" && !job.called(number) {
		return refusal.RefuseField(PartDiffers, "partNumber", number, unit.Serial.ID, is)
	}
	if is := job.PartRevision; revision != "" && is != "" && !strings.EqualFold(revision, oneSpaced(is)) {
		return refusal.RefuseField(PartDiffers, "partRevision", revision, unit.Serial.ID, is)
	}
	return nil
}

// called reports whether a text is a number of the job's part.
func (j *Job) called(number string) bool {
	if gtin, ok := workorder.GTIN14(number); ok {
		if own, _ := workorder.GTIN14(j.GTIN); own == gtin {
			return true
		}
	}
	return strings.EqualFold(number, oneSpaced(j.PartNumber)) || strings.EqualFold(number, oneSpaced(j.TicketPart))
}

// oneSpaced is a text with one blank between words.
func oneSpaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// atStep refuses a row of which the file names another step of the route than the one at which the unit stands. A row with stepId says
// itself where it was measured, and a name that the route does not have is one of the program that wrote the file.
func (in *ImportMeasurementInput) atStep(unit *card.Card, at int) error {
	said, steps := oneSpaced(in.Transferred.Step), unit.Path.Steps
	named := func(step card.ProcessStep) bool { return strings.EqualFold(said, oneSpaced(step.Name)) }
	if said == "" || in.StepID.Present() || named(steps[at]) || !slices.ContainsFunc(steps, named) {
		return nil
	}
	return refusal.RefuseField(FromOtherStep, "stepId", said, unit.Serial.ID, steps[at].Name)
}

// characteristic finds what a row measures: by its identifier, by number and place, or by both in one as messages call it, such as
// "7 (A)".
func (in *ImportMeasurementInput) characteristic(set *card.CharacteristicSet) (*card.Characteristic, error) {
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
			return nil, refusal.RefuseField(refusal.NoRecord, "characteristicId", NameCharacteristic, id)
		}
		return nil, refusal.RefuseField(refusal.NoRecord, "number", NameCharacteristic, card.CalledAt(number, place))
	}
	c := &set.Characteristics[at]
	if id != "" && (number != "" && number != c.Number || place != "" && place != c.Place) {
		return nil, refusal.RefuseField(PlannedOtherwise, "number", card.CalledAt(number, place), id, c.Called())
	}
	return c, nil
}

// agrees refuses a row that says a unit, a nominal or limits other than those that are planned.
func (im *importing) agrees(in *ImportMeasurementInput, c *card.Characteristic, revision int) error {
	unit, err := input.OptionalWithin("unit", in.Unit, input.NameLimit)
	if err != nil {
		return err
	}
	if unit = strings.TrimSpace(unit); unit != "" && !units.Same(unit, c.Unit) {
		return refusal.RefuseField(UnitDiffers, "unit", unit, c.Called(), orNone(c.Unit))
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
		return refusal.RefuseField(PlannedOtherwise, limit.field, said, c.Called(), orNone(string(limit.is)))
	}
	return im.withinTolerances(in, c, nominal)
}

// withinTolerances refuses tolerances that do not lead from the nominal to the limits. Machines write a lower one of 0.01 also for -0.01,
// and 0 where there is no limit, as of a roundness.
func (im *importing) withinTolerances(in *ImportMeasurementInput, c *card.Characteristic, nominal input.Decimal) error {
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
		return refusal.RefuseField(ToleranceDiffers, tolerance.field, said, nominal, c.Called(), orNone(string(tolerance.is)))
	}
	return nil
}

// optionalTime reads an instant as readings of an export have it; 0 when it is missing.
func optionalTime(field string, in input.TextInput) (ident.Timestamp, error) {
	if in.Missing() || in.State == input.StateGiven && input.Blank(in.Value) {
		return 0, nil
	}
	at, err := requiredTime(field, in)
	if err == nil && at <= 0 {
		err = refusal.RefuseField(NotTime, field)
	}
	return at, err
}

// isTolerance reports whether a number leads from the nominal to the limit. Machines write a lower tolerance without its sign, too.
func isTolerance(said, nominal, limit input.Decimal, unsigned bool) bool {
	if nominal == "" || limit == "" {
		return false
	}
	from := new(big.Rat).Sub(limit.Rat(), nominal.Rat())
	return from.Cmp(said.Rat()) == 0 || unsigned && from.Neg(from).Cmp(said.Rat()) == 0
}

// optionalDecimal is a number as the file writes it; "" when it is missing.
func (im *importing) optionalDecimal(field string, in input.WrittenInput) (input.Decimal, error) {
	in, err := im.decimals.written(field, in)
	if err != nil {
		return "", err
	}
	return input.OptionalDecimal(field, in)
}

// onlyOnce refuses a row that measures what an earlier row of the file measures, unless the two are equal.
func (im *importing) onlyOnce(unit string, c *card.Characteristic) error {
	earlier, differs, err := im.claim("reading", unit, c.ID)
	if err == nil && differs {
		err = refusal.RefuseField(RowTwice, "number", c.Called(), earlier)
	}
	return err
}

// repeats reports whether a value is what a reading says, of the same characteristic as it is planned now.
func (in MeasuredInput) repeats(latest *card.Measurement, c *card.Characteristic) bool {
	value, _, err := c.Judge("value", string(in.Value.Value))
	return err == nil && value == latest.Value && c.Unit == latest.Unit && c.Limits == latest.Limits &&
		in.InstrumentID.Value == latest.InstrumentID && in.Note.Value == latest.Note
}

// Why a row with a reading is refused.
var (
	OnlyWithID       = refusal.NewReason(refusal.Invalid, "only_with_id", "{field} is only for rows with the id of a reading: the service sets it")
	ReadingDiffers   = refusal.NewReason(refusal.Invalid, "reading_differs", "{field} is not what {id} has, and a reading is never changed")
	RowTwice         = refusal.NewReason(refusal.Invalid, "measured_twice", "{field} measures {number} of the unit a second time, after row {row}")
	UnitDiffers      = refusal.NewReason(refusal.Invalid, "unit_differs", "{field} is {value}, and the unit of {number} is {planned}")
	PlannedOtherwise = refusal.NewReason(refusal.Invalid, "planned_otherwise", "{field} is {value}, and for {number} it is {planned}: another revision was measured")
	LooksTolerance   = refusal.NewReason(refusal.Invalid, "looks_like_tolerance",
		"{field} is {value}, which looks like a tolerance: from {nominal} it leads to {planned}, the limit of {number}. "+
			"Say with columns that it is {tolerance}")
	ToleranceDiffers = refusal.NewReason(refusal.Invalid, "planned_otherwise",
		"{field} is {value} from {nominal}, and the limit of {number} is {planned}: another revision was measured")
	PointUnclear = refusal.NewReason(refusal.Invalid, "point_unclear",
		"{field} is {value}: in a file with semicolons the point may stand between thousands. Write the decimals behind a comma")
	NamesAnother  = refusal.NewReason(refusal.Invalid, "names_another", "{field} is {value}, which is not that of {record}")
	PartDiffers   = refusal.NewReason(refusal.Invalid, "part_differs", "{field} is {value}, and that of {unit} is {part}")
	FromOtherStep = refusal.NewReason(refusal.Invalid, "from_other_step",
		"{field} is required: the file has the value from {step}, and {unit} is at {current}")
	NumberOfSeveral = refusal.NewReason(refusal.Invalid, "number_of_several", "{field} is the number of {count} units: {number}. Name the unit by serialId")
)

// orNone is what is planned, in a message.
func orNone(planned string) string {
	if planned == "" {
		return "none"
	}
	return planned
}
