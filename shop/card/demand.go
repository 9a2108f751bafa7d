package card

// Demand is a characteristic of a step as one unit has it: whether it is measured of the unit, and how it was.
type Demand struct {
	Characteristic Characteristic
	Required       bool         // of this unit: a unit that is not of the sample, or whose step is overridden, needs no reading
	Reading        *Measurement // the latest one in the unit's pass; nil for none
	Conceded       bool         // whether the reading fails, and somebody decided to use the unit as it is
}

// Missing reports whether the unit does not leave the step before this is measured.
func (d Demand) Missing() bool { return d.Required && d.Reading == nil }

// Stops reports whether the unit does not leave the step because of the reading that there is.
func (d Demand) Stops() bool {
	return d.Reading != nil && d.Reading.Verdict == VerdictFail && !d.Conceded
}

// Demands returns what is demanded of the unit at the step at index i, in the order of the characteristics; nil for a step at which
// nothing is measured.
func (c Card) Demands(i int) []Demand {
	if i < 0 || i >= len(c.Path.Steps) {
		return nil
	}
	step := &c.Path.Steps[i]
	set, ok := c.Path.Characteristics[step.ID]
	if !ok || len(set.Characteristics) == 0 {
		return nil
	}
	_, overridden := c.Overrides[step.ID]
	demands := make([]Demand, len(set.Characteristics))
	for at := range set.Characteristics {
		d := &demands[at]
		d.Characteristic, d.Reading = set.Characteristics[at], c.Reading(set.Characteristics[at].ID)
		d.Required = d.Characteristic.Required && !overridden && c.sampled(&d.Characteristic, step.ID)
		d.Conceded = d.Reading != nil && d.Reading.Verdict == VerdictFail && (overridden || c.conceded(d.Reading, i))
	}
	return demands
}

// Measurable returns the places of the steps at which the unit can be measured now: the one on which it stands and those that it has
// deferred, as far as something is measured there.
func (c Card) Measurable() (places []int) {
	if len(c.Path.Characteristics) == 0 {
		return nil
	}
	for i := range c.Path.Steps {
		if c.MeasurableAt(i) && len(c.Path.CharacteristicsOf(c.Path.Steps[i].ID).Characteristics) > 0 {
			places = append(places, i)
		}
	}
	return places
}

// MeasurableAt reports whether the unit stands on the step at index i, or has deferred it.
func (c Card) MeasurableAt(i int) bool {
	return c.Serial.Status == InProgress && i == c.Serial.Position || c.StepStatus(i) == StepDeferred
}
