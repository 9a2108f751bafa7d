package unitcard

import (
	"strings"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/trail"
)

// LastDone returns the newest entry about the unit, nil for none.
func (p *Page) LastDone() *trail.Entry {
	if len(p.Trail) == 0 {
		return nil
	}
	return &p.Trail[0]
}

// WhereNow says where the unit is.
func (p *Page) WhereNow() string {
	if step := p.Current(); step != nil {
		return "It is at " + step.Name + " now."
	}
	return "It is " + strings.ToLower(wording.Words(p.Serial().Status)) + " now."
}

// Story summarizes an entry about the unit.
func (p *Page) Story(entry trail.Entry) string { return p.StoryOf(entry) }

// DeferredNow lists the indexes of the deferred steps that can be completed now, as Deferred does.
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
