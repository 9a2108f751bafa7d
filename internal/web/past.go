package web

import (
	"html/template"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// past reads what was recorded with the names of its time: a step or a person that was renamed since keeps the old name
// on cards, in the trail and on paper. Pages that show entries embed it.
type past struct {
	names  views.PastNames
	undone map[string]trail.Entry // by the identifiers of entries: what took them back, where that is known
	told   map[string]string      // by the identifiers of entries: what they tell, where that is known
}

// TakenBack is what took back the change that an entry tells of, nil when it stands or when that is not known here.
func (p past) TakenBack(entry trail.Entry) *trail.Entry {
	if by, ok := p.undone[entry.ID]; ok {
		return &by
	}
	return nil
}

// telling knows what entries of a page tell, and which of them the others took back.
func (p past) telling(entries []trail.Entry) past {
	if p.undone == nil {
		p.undone = map[string]trail.Entry{}
	}
	if p.told == nil {
		p.told = map[string]string{}
	}
	for _, entry := range entries {
		p.told[entry.ID] = p.story(entry)
		if id := shop.EntryUndoneBy(entry); id != "" {
			p.undone[id] = entry
		}
	}
	return p
}

// Names as templates write them: each stands apart from what is behind it.

// Who is who made an entry.
func (p past) Who(entry trail.Entry) template.HTML { return wording.Apart(p.who(entry)) }

// Signed is who made a record that names no entry, by its time.
func (p past) Signed(id string, at ident.Timestamp) template.HTML {
	return wording.Apart(p.signedBy(id, at))
}

// StepIn is what a step was called when an entry was made, or its identifier when nothing tells.
func (p past) StepIn(entry trail.Entry, id string) template.HTML {
	return wording.Apart(p.stepIn(entry, id))
}

// StepAt is what a step was called at a time.
func (p past) StepAt(id string, at ident.Timestamp) template.HTML {
	return wording.Apart(p.stepAt(id, at))
}

// The same in sentences that are composed.

func (p past) who(entry trail.Entry) string {
	return nameOf(p.names.People, entry.UserID, views.WhenOf(entry))
}

func (p past) signedBy(id string, at ident.Timestamp) string {
	return nameOf(p.names.People, id, views.WhenAt(at))
}

func (p past) stepIn(entry trail.Entry, id string) string {
	return nameOf(p.names.Steps.Names, id, views.WhenOf(entry))
}

func (p past) stepAt(id string, at ident.Timestamp) string {
	return nameOf(p.names.Steps.Names, id, views.WhenAt(at))
}

func nameOf(names views.Names, id string, when views.When) string {
	if name, ok := names.Of(id, when); ok {
		return name
	}
	return id
}
