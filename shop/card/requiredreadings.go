package card

import (
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// Concession is the disposition use_as_is of a unit on a nonconformance report.
type Concession struct {
	FoundAt   int // index of the step where the nonconformity was found; see NonconformingUnit
	DecidedAt ident.Timestamp
}

// Arrival is the unit's place in the order in which the units of its path arrived at a sampled step.
type Arrival struct {
	Ordinal int64 // counted from 1; 0 if the arrival was not counted
	Behind  bool  // whether the step still needs its first piece, and another unit is ahead of this unit
}

// Reasons for refusing to let a unit leave a step.
var (
	MeasurementsMissing = refusal.NewReason(refusal.Invalid, "measurements_missing", "Measurements missing at {step}: {numbers}")
	OutOfLimits         = refusal.NewReason(refusal.Invalid, "out_of_limits", "Out of limits at {step}: {number} is {value}, limit {limit}")
	FirstPieceMissing   = refusal.NewReason(refusal.Invalid, "first_piece_missing", "First piece of {step} is not measured yet")
)

// Reading returns the latest reading of a characteristic in the unit's pass, or nil.
func (c Card) Reading(characteristicID string) *Measurement {
	for i := len(c.Readings) - 1; i >= 0; i-- {
		if m := &c.Readings[i]; m.CharacteristicID == characteristicID && m.Pass == c.Serial.Pass() {
			return m
		}
	}
	return nil
}

// conceded reports whether, after a reading at the step at index i, a disposition allowed the unit to be used as it is. Reports about other
// steps do not count.
func (c Card) conceded(reading *Measurement, i int) bool {
	return slices.ContainsFunc(c.Concessions, func(concession Concession) bool {
		return concession.FoundAt == i && reading.Entered() <= concession.DecidedAt
	})
}

// RefuseUnmeasured returns the refusal to let a unit leave the step at index i as done, or nil. It lists missing readings before readings
// out of limits.
func RefuseUnmeasured(card Card, i int) error {
	if len(card.Path.Characteristics) == 0 || i < 0 || i >= len(card.Path.Steps) {
		return nil
	}
	step := &card.Path.Steps[i]
	if _, ok := card.Path.Characteristics[step.ID]; !ok || card.released(i) {
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

// sampled reports whether the sample for a characteristic of a step includes the unit.
func (c Card) sampled(characteristic *Characteristic, stepID string) bool {
	if characteristic.Sample == SampleFirst {
		return c.Path.FirstPieces[stepID] == "" || c.Path.FirstPieces[stepID] == c.Serial.ID
	}
	return characteristic.Sample.takes(c.Arrivals[stepID].Ordinal)
}
