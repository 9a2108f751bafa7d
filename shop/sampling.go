package shop

import (
	"iter"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

// Of some characteristics only a sample is measured: the first unit that comes to the step, or every n-th. So units are counted as
// they come to such a step, each once: a unit that is sent back keeps its number. A unit that defers the step counts too, since it
// comes to it later.

// passesFirst reports whether a unit was measured as a first piece of the step at index i, and passed; wrong whether one of the
// readings fails.
func passesFirst(unit card.Card, i int) (passes, wrong bool) {
	set := unit.Path.CharacteristicsOf(unit.Path.Steps[i].ID)
	passes = true
	for _, c := range set.OfFirstPiece() {
		reading := unit.Reading(c.ID)
		passes = passes && reading != nil && reading.Verdict != card.VerdictFail
		wrong = wrong || reading != nil && reading.Verdict == card.VerdictFail
	}
	return passes, wrong
}

// followFirstPiece records that a unit is the first piece of the step at index i, when its readings have made it that, or that it
// is not any more: because one fails, or because one of them was voided.
func followFirstPiece(tx interface {
	PathStore
	SamplingStore
}, unit card.Card, i int, voided bool) error {
	step := unit.Path.Steps[i]
	set := unit.Path.CharacteristicsOf(step.ID)
	if len(set.OfFirstPiece()) == 0 {
		return nil
	}
	path, err := tx.Path(unit.Path.ID) // a card does not keep others from changing its path
	if err != nil {
		return err
	}
	unit.Path = path
	if i = path.StepIndex(step.ID); i < 0 {
		return card.NameStep.NotFound(step.ID)
	}
	passes, wrong := passesFirst(unit, i)
	var first string
	switch before := unit.Path.FirstPieces[step.ID]; {
	case before == "" && passes && !unit.Arrivals[step.ID].Behind:
		first = unit.Serial.ID
	case before == unit.Serial.ID && (wrong || voided && !passes):
	default:
		return nil
	}
	if err := tx.SetFirstPiece(step.ID, first); err != nil {
		return err
	}
	return tx.UpdatePath(path, path) // which gives it a new revision: the cards of other units follow
}

// SamplingStore counts units at the steps of which a sample is measured. card.Change.Arrived counts those that move there.
type SamplingStore interface {
	// CountBatch counts new units, which stand on a step, in the order of their numbers.
	CountBatch(stepID string, batch SerialBatch) error
	// CountStandingAt counts the units that stand on a step or have deferred it, and are not counted there, in the order in which
	// they were moved last.
	CountStandingAt(stepID string) error
	// SetFirstPiece says which unit is the first piece of a step, "" for none. The unit was counted there.
	SetFirstPiece(stepID, serialID string) error
	// CountedUnits yields the units that are counted, step by step in the order of their numbers there.
	CountedUnits() iter.Seq2[CountedUnit, error]
}

// CountedUnit is a unit that was counted as it came to a step: as which one, from 1.
type CountedUnit struct {
	StepID, SerialID string
	Ordinal          int64
}

// ArrivalOf is as which one a unit came to the step of its reading, as the entry of the reading tells; false when it tells nothing.
func ArrivalOf(entry *trail.Entry) (counted CountedUnit, ok bool, err error) {
	var told measuredMetadata
	err = ReadMetadata(entry, &told)
	return CountedUnit{entry.StepID, entry.SerialID, told.Arrival}, told.Arrival > 0, err
}
