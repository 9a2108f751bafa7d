package card

// Counted reports whether the arrivals of units at a step are counted.
func (p *Path) Counted(stepID string) bool {
	set, ok := p.Characteristics[stepID]
	return ok && set.Sampled()
}

// WaitsForFirstPiece reports whether a step needs a first piece and none has passed yet.
func (p *Path) WaitsForFirstPiece(stepID string) bool {
	if p.FirstPieces[stepID] != "" {
		return false
	}
	set := p.Characteristics[stepID]
	return len(set.OfFirstPiece()) > 0
}

// OfFirstPiece returns the required characteristics of the first piece.
func (s *CharacteristicSet) OfFirstPiece() (found []*Characteristic) {
	for i := range s.Characteristics {
		if c := &s.Characteristics[i]; c.Required && c.Sample == SampleFirst {
			found = append(found, c)
		}
	}
	return found
}

// Arrive counts the unit's arrival at the step at index i if that step counts arrivals.
func (c *Change) Arrive(card Card, i int) {
	if len(card.Path.Characteristics) == 0 || i >= len(card.Path.Steps) {
		return
	}
	if stepID := card.Path.Steps[i].ID; card.Path.Counted(stepID) {
		c.Arrived = append(c.Arrived, stepID)
	}
}
