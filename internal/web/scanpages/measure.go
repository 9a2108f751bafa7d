package scanpages

import (
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/unitcard"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// Measuring at the station: station.Next decides what the page asks and when a reading is recorded. The functions in this file look up and
// record.

const (
	// instrumentsCookie stores the last instrument for each characteristic on this device until its browser is closed.
	instrumentsCookie = "instruments"
	// instrumentsKept is the maximum number of characteristics in the cookie.
	instrumentsKept = 30
)

// instrumentOf returns the instrument with which a characteristic was last measured on this device, or "" if there is none.
func instrumentOf(v *site.Visit, characteristic string) string {
	for kept := range strings.FieldsSeq(site.ReadCookie(v.R, instrumentsCookie)) {
		if of, instrument, _ := strings.Cut(kept, "="); of == characteristic {
			return instrument
		}
	}
	return ""
}

// keepInstrument stores the instrument of a characteristic on this device.
func keepInstrument(v *site.Visit, characteristic, instrument string) {
	kept := slices.DeleteFunc(strings.Fields(site.ReadCookie(v.R, instrumentsCookie)), func(other string) bool {
		return strings.HasPrefix(other, characteristic+"=")
	})
	kept = append([]string{characteristic + "=" + instrument}, kept...)
	v.SetCookie(instrumentsCookie, strings.Join(kept[:min(len(kept), instrumentsKept)], " "), 0)
}

// demandOf returns the event data with which the station asks for a reading at the unit's current step.
func demandOf(v *site.Visit, card *unitcard.Page, part unitcard.DemandPart) station.Demand {
	step := card.Current()
	c := part.Characteristic
	return station.Demand{
		Characteristic: c.ID, Step: step.ID, Revision: card.Card.Path.CharacteristicsOf(step.ID).Revision, Type: c.Type,
		Called: part.Called(), Instrument: instrumentOf(v, c.ID), NeedsOne: c.InstrumentRequired, Unit: c.Unit, Limits: c.Limits,
	}
}

// firstMissing returns the first characteristic that still needs a reading before the unit can leave its step. It returns the zero Demand
// if there is none.
func firstMissing(v *site.Visit, card *unitcard.Page) station.Demand {
	if card.Current() == nil {
		return station.Demand{}
	}
	for _, part := range card.Demands() {
		if part.Missing() {
			return demandOf(v, card, part)
		}
	}
	return station.Demand{}
}

// outOfLimits returns the first characteristic whose reading keeps the unit at its step, and that reading. It returns none if asksAtOnce
// would ask for nothing.
func outOfLimits(v *site.Visit, card *unitcard.Page) (station.Demand, string) {
	if !asksReadings(v, card) || card.Current() == nil {
		return station.Demand{}, ""
	}
	for _, part := range card.Demands() {
		if part.Stops() {
			return demandOf(v, card, part), part.Reading.Value
		}
	}
	return station.Demand{}, ""
}

// asksReadings reports whether the station asks for readings of a unit. It does not if the unit is on hold, or if no operator with the
// permission to measure works here.
func asksReadings(v *site.Visit, card *unitcard.Page) bool {
	return v.Operator != "" && len(card.Card.Holds) == 0 && v.May(shop.OpMeasure.Permission())
}

// asksAtOnce returns the reading that the station asks for when a unit is looked up.
func asksAtOnce(v *site.Visit, card *unitcard.Page) station.Demand {
	if !asksReadings(v, card) {
		return station.Demand{}
	}
	return firstMissing(v, card)
}

// chosenDemand returns the characteristic that a command identifies. For a command without one, it returns the first characteristic that
// has no reading, else the first out of limits, else the first.
func chosenDemand(v *site.Visit, card *unitcard.Page, command string) station.Demand {
	place, _ := station.MeasurePlace(command)
	parts := card.Demands()
	if place > 0 {
		if place > len(parts) {
			return station.Demand{}
		}
		return demandOf(v, card, parts[place-1])
	}
	if missing := firstMissing(v, card); missing.Characteristic != "" || len(parts) == 0 {
		return missing
	}
	stops := max(0, slices.IndexFunc(parts, func(part unitcard.DemandPart) bool { return part.Stops() }))
	return demandOf(v, card, parts[stops])
}

// judgeMeasuring adds the characteristic to be measured to the event.
func (run *scanRun) judgeMeasuring(judged station.Event, p *unitcard.Page) station.Event {
	id := p.Serial().ID
	if p.Current() == nil {
		if p.Serial().Status == card.Scrapped {
			return refusedWith(run.T("{unit} is scrapped. Measure its deferred steps on its page.", "unit", id))
		}
		return refusedWith(run.T("{unit} is completed. Measure its deferred steps on its page.", "unit", id))
	}
	if judged.Demand = chosenDemand(run.Visit, p, judged.Command); judged.Demand.Characteristic == "" {
		return refusedWith(run.T("{unit} has nothing to measure at {step}.", "unit", id, "step", p.Current().Name))
	}
	return judged
}

// takeInstrument selects the instrument whose number was typed, if it may be used.
func (run *scanRun) takeInstrument(effect station.Effect) (station.Event, error) {
	found, err := run.Service.UsableInstrument(run.R.Context(), effect.Words)
	if err != nil {
		return station.Event{}, err
	}
	demand := effect.Demand
	demand.Instrument = found.ID
	keepInstrument(run.Visit, demand.Characteristic, found.ID)
	return station.Event{Kind: station.Acted, Command: station.CodeInstrument, Demand: demand,
		Text: run.T("{characteristic} is measured with {number}, {name}.",
			"characteristic", demand.Called, "number", found.Number, "name", found.Name)}, nil
}

// measure records a reading for the characteristic that the page asked for.
func (run *scanRun) measure(effect station.Effect) (station.Event, error) {
	demand := effect.Demand
	made, err := run.Service.RecordMeasurements(run.R.Context(), effect.Unit.ID, shop.MeasureInput{
		StepID: input.Given(demand.Step), Shown: demand.Revision, UserID: run.actor(),
		Values: input.Given([]input.Input[shop.MeasuredInput]{input.Given(shop.MeasuredInput{
			Characteristic: input.Given(input.Written(demand.Characteristic)), Value: input.Given(input.Written(effect.Words)),
			InstrumentID: input.Given(demand.Instrument),
		})}),
	})
	if err != nil {
		return station.Event{}, err
	}
	reading := &made[0]
	done := station.Event{
		Kind: station.Acted, Act: actOf(readingAct, effect.Unit.ID, reading.ID), Words: effect.Words,
		Text: run.T("{reading}.", "reading", wording.ReadingInWords(run.Language, reading, demand.Called)),
	}
	unit, err := unitcard.Load(run.Visit, effect.Unit.ID)
	if err != nil {
		return done, err
	}
	done.Unit = asShown(unit, run.place)
	if reading.Verdict == card.VerdictFail && measuredAs(unit, demand) {
		done.Out, done.Demand = true, demand
		return done, nil
	}
	if done.Demand = firstMissing(run.Visit, unit); done.Demand.Characteristic == "" && unit.Current() != nil {
		done.Text += " " + run.T("Everything required at {step} is measured.", "step", unit.Current().Name)
	}
	return done, nil
}

// measuredAs reports whether a characteristic is still as the page showed it.
func measuredAs(p *unitcard.Page, demand station.Demand) bool {
	step := p.Current()
	return step != nil && step.ID == demand.Step && p.Card.Path.CharacteristicsOf(step.ID).Revision == demand.Revision
}

// Measuring returns the characteristic for which the page asks a reading, or nil if it asks for none.
func (p *Page) Measuring() *unitcard.DemandPart {
	if p.Unit == nil || p.State.Demand.Characteristic == "" {
		return nil
	}
	for _, part := range p.Unit.Demands() {
		if part.Characteristic.ID == p.State.Demand.Characteristic {
			return &part
		}
	}
	return nil
}

// ValueAwaited reports whether the page asks for a reading.
func (p *Page) ValueAwaited() bool { return p.State.Phase == station.ValueAwaited }

// MeasureCode returns the command code that measures a characteristic.
func (*Page) MeasureCode(part unitcard.DemandPart) string { return station.MeasureCode(part.Place) }

// nameInstruments looks up the instruments on the page: the one for the awaited reading, and those that this device remembers, as choices.
func (p *Page) nameInstruments(v *site.Visit) error {
	demand := p.State.Demand
	if demand.Characteristic == "" {
		return nil
	}
	ctx := v.R.Context()
	known := map[string]bool{}
	for kept := range strings.FieldsSeq(site.ReadCookie(v.R, instrumentsCookie)) {
		if _, id, _ := strings.Cut(kept, "="); id != demand.Instrument && !known[id] && len(known) < 4 {
			known[id] = true
			found, err := site.InstrumentNamed(ctx, v, id)
			if err != nil {
				return err
			}
			if found.State == shop.InstrumentReady {
				p.Instruments = append(p.Instruments, found)
			}
		}
	}
	if demand.Instrument != "" {
		var err error
		p.With, err = site.InstrumentNamed(ctx, v, demand.Instrument)
		return err
	}
	return nil
}

// takableReading describes the reading that an undo would void.
func (run *scanRun) takableReading(card *unitcard.Page, id string) (text, refusal string) {
	unit := card.Serial().ID
	for i := range card.Readings {
		reading := &card.Readings[i]
		switch {
		case reading.ID != id:
		case reading.Voided():
			return "", run.T("The reading of {unit} is voided already.", "unit", unit)
		case !run.Service.FreeToVoid(shop.CallerOf(run.R.Context()), reading.MeasuredBy, reading.Entered()):
			return "", run.T("The reading of {unit} was taken long ago or by another person. "+
				"Voiding it is a decision: do that on the card.", "unit", unit)
		default:
			return run.T("{unit}: {reading}.", "unit", unit, "reading", wording.ReadingInWords(run.Language, reading, reading.Called())), ""
		}
	}
	return "", run.T("The reading of {unit} is not there.", "unit", unit)
}
