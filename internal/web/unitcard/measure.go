package unitcard

import (
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Readings on the card of a unit: the form for them, and the table of those that were taken.

// MeasuredStep is a step at which the unit can be measured now.
type MeasuredStep struct {
	Page     *Page
	Step     card.ProcessStep
	Revision int
	Demands  []DemandPart
}

// Form is what the form for it is called.
func (m MeasuredStep) Form() string { return measureForm + m.Step.ID }

// MeasuredSteps are the steps at which the unit can be measured now.
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
	Name   string // of the characteristic by now, "" when the step has none such any more
	Latest bool   // whether it counts: a later one, or a later pass, takes its place
	Stops  bool   // whether the unit does not leave the step because of it
}

// LimitsThen are what it was judged by.
func (r ReadingRow) LimitsThen() string { return wording.LimitsInWords(r.Measurement.Limits, r.Unit) }

// ReadingRows are the readings of the unit: first those that are out of limits, then the others that count, then the earlier ones and
// those that were struck through; each group by step and characteristic, the newest first.
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
		rows = append(rows, ReadingRow{reading, names[reading.CharacteristicID], latest, latest && part.Stops()})
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

// Early reports whether a reading does not count any more.
func (r ReadingRow) Early() bool { return !r.Latest }

// InstrumentNumber is the number of an instrument that a reading names.
func (p *Page) InstrumentNumber(id string) string {
	if number, known := p.Instruments[id]; known {
		return number
	}
	return id
}

// loadReadings reads the readings of the unit, and the numbers of the instruments that they name.
func loadReadings(v *site.Visit, page *Page) (err error) {
	if len(page.Card.Path.Characteristics) == 0 {
		return nil // nothing was ever measured on the route
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

// measureCard records readings that were typed on the card of a unit.
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
			"What is measured there was changed meanwhile. Nothing was recorded: the form shows what is there now.")
	}
	if err != nil {
		return v.Again(form, err, renderCard)
	}
	v.Remember()
	done := []string{wording.Plural(len(made), "reading", "readings") + " recorded."}
	for i := range made {
		if made[i].Verdict == card.VerdictFail {
			done = append(done, "Out of limits: "+wording.OutInWords(&made[i], "")+".")
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

	// Fields of the form, each of which ends in the identifier of a characteristic.
	valueField      = "value:"
	instrumentField = "instrument:" // the number of the instrument
	rightField      = "right:"      // a value ten times off that the person says is right
)

// recordOnCard records what was typed, in the order of the characteristics.
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
		revision = -1 // which no step has
	}
	return v.Service.RecordMeasurements(v.R.Context(), id, shop.MeasureInput{
		StepID: v.Text("stepId"), Shown: revision, Values: input.Given(values), UserID: v.User(),
	})
}

// typedReading is what was typed into the row of a characteristic, nil for nothing.
func typedReading(v *site.Visit, part DemandPart) (*shop.MeasuredInput, error) {
	typed, number := strings.TrimSpace(v.Form.Get(part.Field())), strings.TrimSpace(v.Form.Get(part.InstrumentField()))
	switch {
	case typed == "" && number == "":
		return nil, nil //nolint:nilnil // an empty row is no reading
	case typed == "":
		return nil, refusal.Refuse(wording.InstrumentAlone, part.Called())
	}
	value, err := card.PlainReading(&part.Characteristic, part.Field(), typed)
	if err != nil {
		return nil, err
	}
	if part.TenTimesOff(value) && v.Form.Get(part.RightField()) != typed {
		return nil, refusal.Refuse(wording.TenTimesOff, part.Called(), typed, part.Limits())
	}
	in := &shop.MeasuredInput{Characteristic: input.Given(input.Written(part.Characteristic.ID)), Value: input.Given(input.Written(value))}
	if number != "" {
		found, err := v.Service.UsableInstrument(v.R.Context(), number)
		if err != nil {
			return nil, err
		}
		in.InstrumentID = input.Given(found.ID)
	}
	return in, nil
}
