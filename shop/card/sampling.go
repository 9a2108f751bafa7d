package card

// Counted reports whether units that come to a step are counted.
func (p *Path) Counted(stepID string) bool {
	set, ok := p.Characteristics[stepID]
	return ok && set.Sampled()
}

// WaitsForFirstPiece reports whether a step demands a first piece and has none that passed.
func (p *Path) WaitsForFirstPiece(stepID string) bool {
	if p.FirstPieces[stepID] != "" {
		return false
	}
	set := p.Characteristics[stepID]
	return len(set.OfFirstPiece()) > 0
}

// OfFirstPiece are the characteristics that are measured of the first piece.
func (s *CharacteristicSet) OfFirstPiece() (found []*Characteristic) {
	for i := range s.Characteristics {
		if c := &s.Characteristics[i]; c.Required && c.Sample == SampleFirst {
			found = append(found, c)
		}
	}
	return found
}

// Arrive counts the unit at the step at index i, if units are counted there.
func (c *Change) Arrive(card Card, i int) {
	if len(card.Path.Characteristics) == 0 || i >= len(card.Path.Steps) {
		return
	}
	if stepID := card.Path.Steps[i].ID; card.Path.Counted(stepID) {
		c.Arrived = append(c.Arrived, stepID)
	}
}
