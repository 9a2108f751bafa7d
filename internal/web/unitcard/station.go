package unitcard

import (
	"strings"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/trail"
)

// LastDone is the newest entry about the unit, nil when there is none.
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

// Story is what an entry about the unit tells in a few words.
func (p *Page) Story(entry trail.Entry) string { return p.StoryOf(entry) }

// DeferredNow lists the places of the deferred steps that could be completed now, as Deferred does.
func (p *Page) DeferredNow() []int {
	if len(p.Card.Holds) > 0 {
		return nil
	}
	return p.Deferred()
}

// Demands are what is demanded of the unit at the step on which it stands.
func (p *Page) Demands() []DemandPart {
	if p.Current() == nil {
		return nil
	}
	return p.demandsAt(p.Serial().Position)
}
