package card

// Demand is a characteristic of a step for one unit: whether the unit must be measured, and its reading.
type Demand struct {
	Characteristic Characteristic
	Required       bool         // whether this unit must be measured: false if the sample excludes it or the step is overridden for it
	Reading        *Measurement // the latest reading in the unit's pass, or nil
	Conceded       bool         // whether the unit is to be used as it is although the reading fails
}

// Missing reports whether the unit cannot leave the step until it is measured.
func (d Demand) Missing() bool { return d.Required && d.Reading == nil }

// Stops reports whether the existing reading prevents the unit from leaving the step.
func (d Demand) Stops() bool {
	return d.Reading != nil && d.Reading.Verdict == VerdictFail && !d.Conceded
}

// Demands returns the demands on the unit at the step at index i, in the order of the characteristics; nil for a step without
// characteristics.
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

// Measurable returns the indexes of the steps at which the unit can be measured now: its current step and its deferred steps, if they have
// characteristics.
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

// MeasurableAt reports whether the step at index i is the unit's current step or is deferred.
func (c Card) MeasurableAt(i int) bool {
	return c.Serial.Status == InProgress && i == c.Serial.Position || c.StepStatus(i) == StepDeferred
}
