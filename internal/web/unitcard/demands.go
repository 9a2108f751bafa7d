package unitcard

import (
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// DemandPart is a characteristic of a step, with the unit's readings, as pages show it.
type DemandPart struct {
	card.Demand
	Place    int // its number within the step, from 1
	language *lang.Language
}

// demandsAt returns the demands of the step at index i of the unit's route.
func (p *Page) demandsAt(i int) []DemandPart {
	var parts []DemandPart
	for at, demand := range p.Card.Demands(i) {
		parts = append(parts, DemandPart{demand, at + 1, p.Language})
	}
	return parts
}

// Called returns the label of the characteristic: its balloon on the drawing, and its name.
func (d DemandPart) Called() string { return d.Characteristic.Called() + " " + d.Characteristic.Name }

// Limits returns the limits in words, or "" if there are none.
func (d DemandPart) Limits() string {
	return wording.LimitsInWords(d.language, d.Characteristic.Limits, d.Characteristic.Unit)
}

// Field returns the name of the form field for a reading of the characteristic.
func (d DemandPart) Field() string { return valueField + d.Characteristic.ID }

// InstrumentField returns the name of the form field for the number of its instrument.
func (d DemandPart) InstrumentField() string { return instrumentField + d.Characteristic.ID }

// RightField returns the name of the checkbox with which users confirm a value that seems to be wrong by a factor of ten.
func (d DemandPart) RightField() string { return rightField + d.Characteristic.ID }

// TenTimesOff reports whether a value is out of limits and has probably lost its decimal separator.
func (d DemandPart) TenTimesOff(typed string) bool {
	read, ok := card.ReadTypedNumber(typed)
	return ok && d.Number() && card.TenTimesOff(d.Characteristic.Limits, input.Decimal(read.Number))
}

// Number reports whether readings are numbers.
func (d DemandPart) Number() bool { return d.Characteristic.Type == card.NumberReading }

// PassFail reports whether readings are pass or fail.
func (d DemandPart) PassFail() bool { return d.Characteristic.Type == card.PassFailReading }

// Sample describes which units are measured. It returns "" if all are.
func (d DemandPart) Sample() string {
	if d.Characteristic.Sample == card.SampleEvery || d.Characteristic.Sample == "" {
		return ""
	}
	return lang.Words(d.language, d.Characteristic.Sample)
}

// State returns the name of the mark for the characteristic: missing, pass, fail, recorded or conceded. It returns "" if there is no
// reading and none is needed.
func (d DemandPart) State() string {
	switch {
	case d.Missing():
		return "missing"
	case d.Reading == nil:
		return ""
	case d.Conceded:
		return "conceded"
	}
	return string(d.Reading.Verdict)
}
