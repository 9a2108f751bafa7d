package card

import (
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// Concession is the disposition use_as_is of a report that a unit is on.
type Concession struct {
	FoundAt   int // the place of the step where the unit was found to be other than it should be; see NonconformingUnit
	DecidedAt ident.Timestamp
}

// Arrival is when a unit came to a step of which a sample is measured: as which one of its path.
type Arrival struct {
	Ordinal int64 // counted from 1; 0 for a unit that was not counted
	Behind  bool  // whether the first piece of the step is not there yet, and another unit stands before this one
}

// Why it is refused.
var (
	MeasurementsMissing = refusal.NewReason(refusal.Invalid, "measurements_missing", "Measurements missing at {step}: {numbers}")
	OutOfLimits         = refusal.NewReason(refusal.Invalid, "out_of_limits", "Out of limits at {step}: {number} is {value}, limit {limit}")
	FirstPieceMissing   = refusal.NewReason(refusal.Invalid, "first_piece_missing", "First piece of {step} is not measured yet")
)

// Reading is the latest reading of a characteristic in the unit's pass; nil when there is none.
func (c Card) Reading(characteristicID string) *Measurement {
	for i := len(c.Readings) - 1; i >= 0; i-- {
		if m := &c.Readings[i]; m.CharacteristicID == characteristicID && m.Pass == c.Serial.Pass() {
			return m
		}
	}
	return nil
}

// conceded reports whether somebody decided, after a reading at the step at index i, that the unit is used as it is although it was
// found to be wrong there. A report about another step does not speak of the reading.
func (c Card) conceded(reading *Measurement, i int) bool {
	return slices.ContainsFunc(c.Concessions, func(concession Concession) bool {
		return concession.FoundAt == i && reading.Entered() <= concession.DecidedAt
	})
}

// RefuseUnmeasured says why a unit cannot leave the step at index i as done: what is missing, then what is out of limits.
func RefuseUnmeasured(card Card, i int) error {
	if len(card.Path.Characteristics) == 0 || i < 0 || i >= len(card.Path.Steps) {
		return nil
	}
	step := &card.Path.Steps[i]
	_, ok := card.Path.Characteristics[step.ID]
	if _, overridden := card.Overrides[step.ID]; !ok || overridden || card.StepStatus(i) == StepWaived {
		return nil
	}
	arrival := card.Arrivals[step.ID]
	if arrival.Behind {
		return refusal.Refuse(FirstPieceMissing, step.Name)
	}
	demands := card.Demands(i)
	var missing []string
	for at := range demands {
		if demands[at].Missing() {
			missing = append(missing, demands[at].Characteristic.Called())
		}
	}
	if len(missing) > 0 {
		return refusal.Refuse(MeasurementsMissing, step.Name, strings.Join(missing, ", "))
	}
	for at := range demands {
		if reading := demands[at].Reading; demands[at].Stops() {
			return refusal.Refuse(OutOfLimits, step.Name, reading.Called(), reading.Value, reading.Broken())
		}
	}
	return nil
}

// sampled reports whether a unit is among those of which a characteristic of a step is measured.
func (c Card) sampled(characteristic *Characteristic, stepID string) bool {
	if characteristic.Sample == SampleFirst {
		return c.Path.FirstPieces[stepID] == "" || c.Path.FirstPieces[stepID] == c.Serial.ID
	}
	return characteristic.Sample.takes(c.Arrivals[stepID].Ordinal)
}

// RefuseLeaving is RefuseUnmeasured for the step on which a unit stands.
func RefuseLeaving(card Card) error {
	if len(card.Path.Characteristics) == 0 {
		return nil
	}
	return RefuseUnmeasured(card, card.Serial.Position)
}
