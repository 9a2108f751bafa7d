package importing

import (
	"errors"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/aqdef"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Readings are never changed. A row with the identifier of a reading must agree with that reading, or it is refused. Every other row
// records a value like Record Measurements, unless the reading that counts already has the value. Measuring machines may also write the
// limits that a value was compared with. These must be the planned limits: otherwise the machine measured another revision. The verdict is
// never taken from a file.

// MeasurementInput is a row of a readings file.
type MeasurementInput struct {
	ID               input.TextInput    `field:"id"`
	SerialID         input.TextInput    `field:"serialId"`
	SerialNumber     input.TextInput    `field:"serialNumber"` // identifies the unit if serialId is missing
	StepID           input.TextInput    `field:"stepId"`
	CharacteristicID input.TextInput    `field:"characteristicId"`
	Number           input.WrittenInput `field:"number"` // identifies the characteristic if characteristicId is missing
	Place            input.TextInput    `field:"place"`
	Value            input.WrittenInput `field:"value"`
	Unit             input.TextInput    `field:"unit"`
	Nominal          input.WrittenInput `field:"nominal"`
	Lower            input.WrittenInput `field:"lower"`
	Upper            input.WrittenInput `field:"upper"`
	LowerTolerance   input.WrittenInput `field:"lowerTolerance"` // relative to the nominal, with or without its sign
	UpperTolerance   input.WrittenInput `field:"upperTolerance"`
	Revision         input.NumberInput  `field:"revision"`
	PartNumber       input.TextInput    `field:"partNumber"`
	PartRevision     input.TextInput    `field:"partRevision"`
	InstrumentID     input.TextInput    `field:"instrumentId"`
	InstrumentNumber input.TextInput    `field:"instrumentNumber"` // identifies the instrument if instrumentId is missing
	Note             input.TextInput    `field:"note"`
	MeasuredBy       input.TextInput    `field:"measuredBy"`

	// MeasuredAt is when the value was read. It defaults to now. In a row with an id it must agree with the reading.
	MeasuredAt input.TextInput `field:"measuredAt"`

	// Fields that only the service sets. In a row with an id they must agree with the reading.
	Verdict    input.TextInput   `field:"verdict"`
	Pass       input.NumberInput `field:"pass"`
	EnteredAt  input.TextInput   `field:"enteredAt"`
	VoidedAt   input.TextInput   `field:"voidedAt"`
	VoidedBy   input.TextInput   `field:"voidedBy"`
	VoidReason input.TextInput   `field:"voidReason"`

	// Transferred has additional fields of files in the Q-DAS transfer format.
	Transferred TransferredReading `field:"-"`
}

// TransferredReading has the fields of a row in the Q-DAS transfer format that only matter if the reading may be this shop's. Texts in such
// a file have one line, and times have seconds, by the shop's clock.
type TransferredReading struct {
	Step       string // the name of the step; ignored unless the unit's route has such a step
	ID         string // the id of a reading, if it is this shop's; "" if missing
	Note       string
	MeasuredBy string // "" if missing
	Clock      string // in the format of aqdef.FormatTime; "" if missing
	TimeErr    error  // the reason why the clock is not a valid time; ignored if the reading belongs to this shop
}

func (im *run) measurement(in MeasurementInput) (outcome rowOutcome, err error) {
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
		if !input.Unfilled(set.in) {
			return outcome, refusal.RefuseField(OnlyWithID, set.field)
		}
	}
	return im.newReading(unit, &in)
}

// numberedAlike is the maximum number of units considered that have or had the same own number.
const numberedAlike = 1000

// measuredUnit returns the identifier of the unit of a row, or "" if the row has none.
func (im *run) measuredUnit(in *MeasurementInput) (string, error) {
	return im.unitCalled("serialId", in.SerialID, "serialNumber", in.SerialNumber)
}

// unitCalled returns the identifier of the unit that two fields identify by its identifier and its own number, or "" if both are empty.
func (im *run) unitCalled(idField string, idIn input.TextInput, numberField string, numberIn input.TextInput) (string, error) {
	id, err := input.OptionalWithin(idField, idIn, input.NameLimit)
	if err != nil {
		return "", err
	}
	number, err := input.OptionalWithin(numberField, numberIn, shop.OwnNumberLimit)
	if err != nil {
		return "", err
	}
	id, number = strings.TrimSpace(id), strings.TrimSpace(number)
	if id != "" && number != "" {
		numbers, err := im.tx.OwnNumbersOf(id)
		if err == nil && !slices.ContainsFunc(numbers, func(n shop.OwnNumber) bool { return n.Number == number }) {
			err = refusal.RefuseField(NamesAnother, numberField, number, id)
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
	found = slices.DeleteFunc(found, func(n shop.OwnNumber) bool { return n.Earlier || n.Number != number })
	switch len(found) {
	case 0:
		return "", refusal.RefuseField(refusal.NoRecord, numberField, shop.NameSerial, number)
	case 1:
		return found[0].SerialID, nil
	}
	return "", refusal.RefuseField(NumberOfSeveral, numberField, len(found), number)
}

// measuredWith finds the instrument with the number in a row.
func (im *run) measuredWith(in *MeasurementInput) error {
	number, err := input.OptionalWithin("instrumentNumber", in.InstrumentNumber, input.NameLimit)
	if err != nil {
		return err
	}
	id, err := input.OptionalWithin("instrumentId", in.InstrumentID, input.NameLimit)
	if number = strings.TrimSpace(number); err != nil || number == "" {
		return err
	}
	instrument, err := im.tx.InstrumentNumbered(number)
	if errors.Is(err, shop.ErrNoRecord) {
		return refusal.RefuseField(refusal.NoRecord, "instrumentNumber", shop.NameInstrument, number)
	}
	if id = strings.TrimSpace(id); err == nil && id != "" && id != instrument.ID {
		return refusal.RefuseField(NamesAnother, "instrumentNumber", number, id)
	}
	in.InstrumentID = input.Given(instrument.ID)
	return err
}

// transferred reports whether a row of a file in the Q-DAS transfer format is a reading of this shop. It refuses a row that differs from
// that reading.
func (im *run) transferred(in *MeasurementInput) (bool, error) {
	said := in.Transferred
	if said.ID == "" {
		return false, said.TimeErr
	}
	m, err := im.tx.Measurement(said.ID)
	if errors.Is(err, shop.ErrNoRecord) {
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
	same.PartNumber, same.PartRevision = input.TextInput{}, input.TextInput{} // they may have been corrected since
	if in.Unit.State == input.StateGiven && in.Unit.Value == aqdef.OneLine(m.Unit) {
		same.Unit = input.TextInput{}
	}
	if in.Number.State == input.StateGiven && string(in.Number.Value) == aqdef.OneLine(m.Called()) {
		same.Number = input.WrittenInput{}
	}
	return true, im.sameReading(m.ID, m.SerialID, &same)
}

// sameUnit refuses a row with a unit other than the reading's. Any own number that the unit has or had identifies it.
func (im *run) sameUnit(in *MeasurementInput, m *card.Measurement) error {
	if in.SerialID.State == input.StateGiven && strings.TrimSpace(in.SerialID.Value) != m.SerialID {
		return refusal.RefuseField(ReadingDiffers, "serialId", m.ID)
	}
	if in.SerialNumber.State != input.StateGiven {
		return nil
	}
	numbers, err := im.tx.OwnNumbersOf(m.SerialID)
	is := func(n shop.OwnNumber) bool { return aqdef.OneLine(n.Number) == in.SerialNumber.Value }
	if err == nil && !slices.ContainsFunc(numbers, is) {
		err = refusal.RefuseField(ReadingDiffers, "serialNumber", m.ID)
	}
	return err
}

// sameReading refuses a row that differs from the reading with this id.
func (im *run) sameReading(id, unit string, in *MeasurementInput) error {
	m, err := im.tx.Measurement(id)
	if err != nil {
		return shop.OrNotFound(err, shop.NameMeasurement, id)
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

// saysNumber reports whether a field equals the stored value: as text or, if number is set, as a number.
func (im *run) saysNumber(in input.WrittenInput, is string, number bool) bool {
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
func (im *run) newReading(unit string, in *MeasurementInput) (outcome rowOutcome, err error) {
	measure := shop.MeasureInput{StepID: in.StepID, UserID: im.actor(in.MeasuredBy)}
	if measure.MeasuredAt, err = optionalTime("measuredAt", in.MeasuredAt); err != nil {
		return outcome, err
	}
	value := shop.MeasuredInput{Characteristic: in.Number, Place: in.Place, Value: in.Value, InstrumentID: in.InstrumentID, Note: in.Note}
	routeCard, err := im.tx.RouteCard(unit)
	if err != nil {
		return outcome, shop.OrNotFound(err, shop.NameSerial, unit)
	}
	if err := card.CheckCard(routeCard); err != nil {
		return outcome, err
	}
	if err := im.ofPart(&routeCard, in); err != nil {
		return outcome, err
	}
	step, err := measure.Step(routeCard)
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
		if value.Value, err = im.decimals.Written("value", in.Value); err != nil {
			return outcome, err
		}
	}
	if latest := routeCard.Reading(c.ID); latest != nil && repeats(value, latest, c) && measure.MeasuredAt <= latest.MeasuredAt {
		return rowUnchanged, nil
	}
	measure.Values = input.Given([]input.Input[shop.MeasuredInput]{input.Given(value)})
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

// optionalTime reads an instant in the format of exported readings. It returns 0 if the field is missing.
func optionalTime(field string, in input.TextInput) (ident.Timestamp, error) {
	if input.Unfilled(in) {
		return 0, nil
	}
	at, err := input.RequiredTime(field, in)
	if err == nil && at <= 0 {
		err = refusal.RefuseField(input.NotTime, field)
	}
	return at, err
}

// onlyOnce refuses a row with the same unit and characteristic as a different earlier row of the file.
func (im *run) onlyOnce(unit string, c *card.Characteristic) error {
	earlier, differs, err := im.claim("reading", unit, c.ID)
	if err == nil && differs {
		err = refusal.RefuseField(RowTwice, "number", c.Called(), earlier)
	}
	return err
}

// repeats reports whether a row has the value of the latest reading, and the characteristic is still planned as it was then.
func repeats(in shop.MeasuredInput, latest *card.Measurement, c *card.Characteristic) bool {
	value, _, err := c.Judge("value", string(in.Value.Value))
	return err == nil && value == latest.Value && c.Unit == latest.Unit && c.Limits == latest.Limits &&
		in.InstrumentID.Value == latest.InstrumentID && in.Note.Value == latest.Note
}

// Reasons for refusing a row with a reading.
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
	NamesAnother  = refusal.NewReason(refusal.Invalid, "names_another", "{field} is {value}, which is not that of {record}")
	PartDiffers   = refusal.NewReason(refusal.Invalid, "part_differs", "{field} is {value}, and that of {unit} is {part}")
	FromOtherStep = refusal.NewReason(refusal.Invalid, "from_other_step",
		"{field} is required: the file has the value from {step}, and {unit} is at {current}")
	NumberOfSeveral = refusal.NewReason(refusal.Invalid, "number_of_several", "{field} is the number of {count} units: {number}. Name the unit by serialId")
)
