package shop

import (
	"iter"

	"github.com/routecard/routecard/shop/trail"
)

// Of some characteristics only a sample is measured: the first unit that comes to the step, or every n-th. So units are counted as
// they come to such a step, each once: a unit that is sent back keeps its number. A unit that defers the step counts too, since it
// comes to it later.

// counted reports whether units are counted that come to a step.
func (p *Path) counted(stepID string) bool {
	set, ok := p.Characteristics[stepID]
	return ok && set.sampled()
}

// WaitsForFirstPiece reports whether a step demands a first piece and has none that passed.
func (p *Path) WaitsForFirstPiece(stepID string) bool {
	if p.FirstPieces[stepID] != "" {
		return false
	}
	set := p.Characteristics[stepID]
	return len(set.ofFirstPiece()) > 0
}

// ofFirstPiece are the characteristics that are measured of the first piece.
func (s *CharacteristicSet) ofFirstPiece() (found []*Characteristic) {
	for i := range s.Characteristics {
		if c := &s.Characteristics[i]; c.Required && c.Sample == SampleFirst {
			found = append(found, c)
		}
	}
	return found
}

// arrive counts the unit at the step at index i, if units are counted there.
func (c *CardChange) arrive(card RouteCard, i int) {
	if len(card.Path.Characteristics) == 0 || i >= len(card.Path.Steps) {
		return
	}
	if stepID := card.Path.Steps[i].ID; card.Path.counted(stepID) {
		c.Arrived = append(c.Arrived, stepID)
	}
}

// passesFirst reports whether a unit was measured as a first piece of the step at index i, and passed; wrong whether one of the
// readings fails.
func passesFirst(card RouteCard, i int) (passes, wrong bool) {
	set := card.Path.CharacteristicsOf(card.Path.Steps[i].ID)
	passes = true
	for _, c := range set.ofFirstPiece() {
		reading := card.reading(c.ID)
		passes = passes && reading != nil && reading.Verdict != VerdictFail
		wrong = wrong || reading != nil && reading.Verdict == VerdictFail
	}
	return passes, wrong
}

// followFirstPiece records that a unit is the first piece of the step at index i, when its readings have made it that, or that it
// is not any more: because one fails, or because one of them was voided.
func followFirstPiece(tx interface {
	PathStore
	SamplingStore
}, card RouteCard, i int, voided bool) error {
	step := card.Path.Steps[i]
	set := card.Path.CharacteristicsOf(step.ID)
	if len(set.ofFirstPiece()) == 0 {
		return nil
	}
	path, err := tx.Path(card.Path.ID) // a card does not keep others from changing its path
	if err != nil {
		return err
	}
	card.Path = path
	if i = path.StepIndex(step.ID); i < 0 {
		return NameStep.NotFound(step.ID)
	}
	passes, wrong := passesFirst(card, i)
	var first string
	switch before := card.Path.FirstPieces[step.ID]; {
	case before == "" && passes && !card.Arrivals[step.ID].Behind:
		first = card.Serial.ID
	case before == card.Serial.ID && (wrong || voided && !passes):
	default:
		return nil
	}
	if err := tx.SetFirstPiece(step.ID, first); err != nil {
		return err
	}
	return tx.UpdatePath(path, path) // which gives it a new revision: the cards of other units follow
}

// SamplingStore counts units at the steps of which a sample is measured. CardChange.Arrived counts those that move there.
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
