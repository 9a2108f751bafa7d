package site

import (
	"html/template"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// Past reads what was recorded with the names of its time: a step or a person that was renamed since keeps the old name
// on cards, in the trail and on paper. Pages that show entries embed it.
type Past struct {
	NamesThen views.PastNames
	UndoneBy  map[string]trail.Entry // by the identifiers of entries: what took them back, where that is known
	told      map[string]string      // by the identifiers of entries: what they tell, where that is known
}

// TakenBack is what took back the change that an entry tells of, nil when it stands or when that is not known here.
func (p Past) TakenBack(entry trail.Entry) *trail.Entry {
	if by, ok := p.UndoneBy[entry.ID]; ok {
		return &by
	}
	return nil
}

// Telling knows what entries of a page tell, and which of them the others took back.
func (p Past) Telling(entries []trail.Entry) Past {
	if p.UndoneBy == nil {
		p.UndoneBy = map[string]trail.Entry{}
	}
	if p.told == nil {
		p.told = map[string]string{}
	}
	for _, entry := range entries {
		p.told[entry.ID] = p.StoryOf(entry)
		if id := shop.EntryUndoneBy(entry); id != "" {
			p.UndoneBy[id] = entry
		}
	}
	return p
}

// Names as templates write them: each stands apart from what is behind it.

// Who is who made an entry.
func (p Past) Who(entry trail.Entry) template.HTML { return wording.Apart(p.WhoThen(entry)) }

// Signed is who made a record that names no entry, by its time.
func (p Past) Signed(id string, at ident.Timestamp) template.HTML {
	return wording.Apart(p.SignerThen(id, at))
}

// StepIn is what a step was called when an entry was made, or its identifier when nothing tells.
func (p Past) StepIn(entry trail.Entry, id string) template.HTML {
	return wording.Apart(p.StepNameIn(entry, id))
}

// StepAt is what a step was called at a time.
func (p Past) StepAt(id string, at ident.Timestamp) template.HTML {
	return wording.Apart(p.StepNameAt(id, at))
}

// The same in sentences that are composed.

// WhoThen is who made an entry, by the name of that time.
func (p Past) WhoThen(entry trail.Entry) string {
	return nameOf(p.NamesThen.People, entry.UserID, views.WhenOf(entry))
}

// SignerThen is an operator by the name of a time.
func (p Past) SignerThen(id string, at ident.Timestamp) string {
	return nameOf(p.NamesThen.People, id, views.WhenAt(at))
}

// StepNameIn is the name that a step had when an entry was made.
func (p Past) StepNameIn(entry trail.Entry, id string) string {
	return nameOf(p.NamesThen.Steps.Names, id, views.WhenOf(entry))
}

// StepNameAt is the name that a step had at a time.
func (p Past) StepNameAt(id string, at ident.Timestamp) string {
	return nameOf(p.NamesThen.Steps.Names, id, views.WhenAt(at))
}

func nameOf(names views.Names, id string, when views.When) string {
	if name, ok := names.Of(id, when); ok {
		return name
	}
	return id
}
