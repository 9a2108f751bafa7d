package unitcard

import (
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// DemandPart is a characteristic of a step as pages show it: what is demanded, and how the unit was measured.
type DemandPart struct {
	card.Demand
	Place int // among those of the step, counted from 1
}

// demandsAt are those of the step at index i of the unit's route.
func (p *Page) demandsAt(i int) []DemandPart {
	var parts []DemandPart
	for at, demand := range p.Card.Demands(i) {
		parts = append(parts, DemandPart{demand, at + 1})
	}
	return parts
}

// Called is what people call the characteristic: its balloon on the drawing, and its name.
func (d DemandPart) Called() string { return d.Characteristic.Called() + " " + d.Characteristic.Name }

// Limits are what a reading is compared with, in words; "" for nothing.
func (d DemandPart) Limits() string {
	return wording.LimitsInWords(d.Characteristic.Limits, d.Characteristic.Unit)
}

// Field is what the field for its reading is called in a form.
func (d DemandPart) Field() string { return valueField + d.Characteristic.ID }

// InstrumentField is the name of the field for the number of its instrument.
func (d DemandPart) InstrumentField() string { return instrumentField + d.Characteristic.ID }

// RightField is the name of the box that says that a value ten times off is right.
func (d DemandPart) RightField() string { return rightField + d.Characteristic.ID }

// TenTimesOff reports whether a value is out of limits and seems to have lost its decimal sign.
func (d DemandPart) TenTimesOff(typed string) bool {
	read, ok := card.ReadTypedNumber(typed)
	return ok && d.Number() && card.TenTimesOff(d.Characteristic.Limits, input.Decimal(read.Number))
}

// Number reports whether a reading is a number.
func (d DemandPart) Number() bool { return d.Characteristic.Type == card.NumberReading }

// PassFail reports whether a reading is pass or fail.
func (d DemandPart) PassFail() bool { return d.Characteristic.Type == card.PassFailReading }

// Sample is which units are measured, "" for every one.
func (d DemandPart) Sample() string {
	if d.Characteristic.Sample == card.SampleEvery || d.Characteristic.Sample == "" {
		return ""
	}
	return wording.Words(d.Characteristic.Sample)
}

// State is what its mark is called and looks like: missing, pass, fail, recorded, conceded, or "" for one that needs no reading and has
// none.
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
