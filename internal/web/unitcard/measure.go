package unitcard

import (
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Readings on the card of a unit: the form that records them, and their table.

// MeasuredStep is a step at which the unit can be measured now.
type MeasuredStep struct {
	Page     *Page
	Step     card.ProcessStep
	Revision int
	Demands  []DemandPart
}

// Form returns the name of the form for the step.
func (m MeasuredStep) Form() string { return measureForm + m.Step.ID }

// MeasuredSteps lists the steps at which the unit can be measured now.
func (p *Page) MeasuredSteps() (steps []MeasuredStep) {
	for _, i := range p.Card.Measurable() {
		step := p.Card.Path.Steps[i]
		steps = append(steps, MeasuredStep{p, step, p.Card.Path.CharacteristicsOf(step.ID).Revision, p.demandsAt(i)})
	}
	return steps
}

// ReadingRow is a reading in the table of the card.
type ReadingRow struct {
	card.Measurement
	Name   string // current name of the characteristic; "" if the step no longer has it
	Latest bool   // whether the reading counts: no later reading or pass replaces it
	Stops  bool   // whether the reading keeps the unit at the step

	language *lang.Language
}

// LimitsThen returns the limits that the reading was checked against, in words.
func (r ReadingRow) LimitsThen() string {
	return wording.LimitsInWords(r.language, r.Measurement.Limits, r.Unit)
}

// ReadingRows lists the unit's readings: first the readings out of limits, then other readings that count, then readings that were replaced
// or voided. Each group is sorted by step and characteristic, newest first.
func (p *Page) ReadingRows() []ReadingRow {
	var rows []ReadingRow
	counts, names := map[string]DemandPart{}, map[string]string{}
	for i := range p.Card.Path.Steps {
		for _, part := range p.demandsAt(i) {
			names[part.Characteristic.ID] = part.Characteristic.Name
			if part.Reading != nil {
				counts[part.Reading.ID] = part
			}
		}
	}
	for _, reading := range slices.Backward(p.Readings) {
		part, latest := counts[reading.ID]
		rows = append(rows, ReadingRow{reading, names[reading.CharacteristicID], latest, latest && part.Stops(), p.Language})
	}
	rank := func(row ReadingRow) int {
		switch {
		case row.Stops:
			return 0
		case row.Latest && row.Verdict == card.VerdictFail:
			return 1
		case row.Latest:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(rows, func(a, b ReadingRow) int { return rank(a) - rank(b) })
	return rows
}

// Early reports whether a reading no longer counts.
func (r ReadingRow) Early() bool { return !r.Latest }

// InstrumentNumber returns the number of a reading's instrument.
func (p *Page) InstrumentNumber(id string) string {
	if number, known := p.Instruments[id]; known {
		return number
	}
	return id
}

// loadReadings reads the unit's readings and the numbers of their instruments.
func loadReadings(v *site.Visit, page *Page) (err error) {
	if len(page.Card.Path.Characteristics) == 0 {
		return nil // the route has never had characteristics
	}
	if page.Readings, err = v.Service.MeasurementsOfSerial(v.R.Context(), page.Serial().ID); err != nil {
		return err
	}
	page.Instruments = map[string]string{}
	for i := range page.Readings {
		id := page.Readings[i].InstrumentID
		if _, known := page.Instruments[id]; known || id == "" {
			continue
		}
		found, err := site.InstrumentNamed(v.R.Context(), v, id)
		if err != nil {
			return err
		}
		page.Instruments[id] = found.Number
	}
	return nil
}

// measureCard records the readings typed on the card of a unit.
func measureCard(v *site.Visit) error {
	id := v.R.PathValue("id")
	err := v.Named()
	var made []card.Measurement
	if err == nil {
		made, err = recordOnCard(v, id)
	}
	form := measureForm + v.Form.Get("stepId")
	if wasMeasuredOtherwise(err) {
		err = refusal.Refuse(wording.FormOutdated,
			v.T("What is measured there was changed meanwhile. Nothing was recorded: the form shows what is there now."))
	}
	if err != nil {
		return v.Again(form, err, renderCard)
	}
	v.Remember()
	done := []string{v.TN(len(made), "{n} reading recorded.", "{n} readings recorded.")}
	for i := range made {
		if made[i].Verdict == card.VerdictFail {
			done = append(done, v.T("Out of limits: {reading}.", "reading", wording.OutInWords(v.Language, &made[i], made[i].Called())))
		}
	}
	return v.Back("/serials/"+id, strings.Join(done, " "))
}

func wasMeasuredOtherwise(err error) bool {
	refusal, ok := site.AsRefusal(err)
	return ok && refusal.Reason == shop.MeasuredOtherwise
}

const (
	measureForm = "measure"

	// These are prefixes of form fields. The identifier of a characteristic follows each of them.
	valueField      = "value:"
	instrumentField = "instrument:" // the number of the instrument
	rightField      = "right:"      // confirms a value that seems wrong by a factor of ten
)

// recordOnCard records the typed readings in the order of the characteristics.
func recordOnCard(v *site.Visit, id string) ([]card.Measurement, error) {
	card, err := Load(v, id)
	if err != nil {
		return nil, err
	}
	var values []input.Input[shop.MeasuredInput]
	for _, part := range card.demandsAt(card.Card.Path.StepIndex(v.Form.Get("stepId"))) {
		value, err := typedReading(v, part)
		if err != nil {
			return nil, err
		}
		if value != nil {
			values = append(values, input.Given(*value))
		}
	}
	revision, err := strconv.Atoi(v.Form.Get("revision"))
	if err != nil || revision < 1 {
		revision = -1 // no step has this revision
	}
	return v.Service.RecordMeasurements(v.R.Context(), id, shop.MeasureInput{
		StepID: v.Text("stepId"), Shown: revision, Values: input.Given(values), UserID: v.User(),
	})
}

// typedReading returns the reading that was typed in the row of a characteristic, or nil if none was typed.
func typedReading(v *site.Visit, part DemandPart) (*shop.MeasuredInput, error) {
	typed, number := strings.TrimSpace(v.Form.Get(part.Field())), strings.TrimSpace(v.Form.Get(part.InstrumentField()))
	switch {
	case typed == "" && number == "":
		return nil, nil //nolint:nilnil // an empty row has no reading
	case typed == "":
		return nil, refusal.Refuse(wording.InstrumentAlone, part.Called())
	}
	value, err := card.PlainReading(&part.Characteristic, part.Field(), typed)
	if err != nil {
		return nil, err
	}
	if decimal, whole, unclear := card.UnclearNumber(typed, v.DecimalComma()); unclear && part.Number() {
		return nil, refusal.Refuse(wording.SignUnclear, part.Called(), typed, v.Decimal(decimal), whole)
	}
	if part.TenTimesOff(value) && v.Form.Get(part.RightField()) != typed {
		return nil, refusal.Refuse(wording.TenTimesOff, part.Called(), typed, part.Limits())
	}
	in := &shop.MeasuredInput{Characteristic: input.Given(input.Written(part.Characteristic.ID)), Value: input.Given(input.Written(value))}
	if number == "" && part.Characteristic.InstrumentRequired {
		return nil, refusal.Refuse(wording.InstrumentMissing, part.Called())
	}
	if number != "" {
		found, err := v.Service.UsableInstrument(v.R.Context(), number)
		if err != nil {
			return nil, err
		}
		in.InstrumentID = input.Given(found.ID)
	}
	return in, nil
}
