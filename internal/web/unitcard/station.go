package unitcard

import (
	"strings"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

// LastDone returns the newest entry about the unit, nil for none.
func (p *Page) LastDone() *trail.Entry {
	if len(p.Trail) == 0 {
		return nil
	}
	return &p.Trail[0]
}

// WhereNow describes where the unit is.
func (p *Page) WhereNow() string {
	if step := p.Current(); step != nil {
		return p.T("It is at {step} now.", "step", step.Name)
	}
	switch p.Serial().Status {
	case card.Completed:
		return p.T("It is completed now.")
	case card.Scrapped:
		return p.T("It is scrapped now.")
	case card.InProgress:
	}
	return p.T("It is in progress now.")
}

// Story summarizes an entry about the unit.
func (p *Page) Story(entry trail.Entry) string { return p.StoryOf(entry) }

// DeferredNames returns the names of the deferred steps that are still open, with commas between them.
func (p *Page) DeferredNames() string {
	var names []string
	for _, i := range p.Deferred() {
		names = append(names, p.Steps[i].Step.Name)
	}
	return strings.Join(names, ", ")
}

// DeferredNow lists the indexes of the open deferred steps that can be completed now.
func (p *Page) DeferredNow() []int {
	if len(p.Card.Holds) > 0 {
		return nil
	}
	return p.Deferred()
}

// Demands returns the demands at the unit's current step.
func (p *Page) Demands() []DemandPart {
	if p.Current() == nil {
		return nil
	}
	return p.demandsAt(p.Serial().Position)
}
