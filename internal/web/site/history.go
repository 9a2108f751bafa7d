package site

import (
	"html/template"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// Past renders old entries with the names that were in use when they were recorded: a step or person that was renamed since keeps the old
// name on cards, in the trail and on paper. Pages that show entries embed it.
type Past struct {
	NamesThen views.PastNames
	UndoneBy  map[string]trail.Entry // the entries that undid others, by identifier of the undone entry, as far as loaded
	told      map[string]string      // descriptions of entries by identifier, as far as loaded
}

// TakenBack returns the entry that undid this one, nil if none did or none is loaded.
func (p Past) TakenBack(entry trail.Entry) *trail.Entry {
	if by, ok := p.UndoneBy[entry.ID]; ok {
		return &by
	}
	return nil
}

// Telling adds the descriptions of a page's entries, and which of them were undone by others.
func (p Past) Telling(entries []trail.Entry) Past {
	if p.UndoneBy == nil {
		p.UndoneBy = map[string]trail.Entry{}
	}
	if p.told == nil {
		p.told = map[string]string{}
	}
	for _, entry := range entries {
		p.told[entry.ID] = p.StoryOf(entry)
		if id := replay.EntryUndoneBy(entry); id != "" {
			p.UndoneBy[id] = entry
		}
	}
	return p
}

// Names for templates: wording.Apart isolates each from the text after it.

// Who returns the person who made an entry.
func (p Past) Who(entry trail.Entry) template.HTML { return wording.Apart(p.WhoThen(entry)) }

// Signed returns the person who made a record that refers to no entry, by the name at that time.
func (p Past) Signed(id string, at ident.Timestamp) template.HTML {
	return wording.Apart(p.SignerThen(id, at))
}

// StepIn returns the name of a step when an entry was made, or its identifier if that name is unknown.
func (p Past) StepIn(entry trail.Entry, id string) template.HTML {
	return wording.Apart(p.StepNameIn(entry, id))
}

// StepAt returns the name of a step at a time.
func (p Past) StepAt(id string, at ident.Timestamp) template.HTML {
	return wording.Apart(p.StepNameAt(id, at))
}

// The same names for composed sentences.

// WhoThen returns the person who made an entry, by the name at that time.
func (p Past) WhoThen(entry trail.Entry) string {
	return nameOf(p.NamesThen.People, entry.UserID, views.WhenOf(entry))
}

// SignerThen returns the name of an operator at a time.
func (p Past) SignerThen(id string, at ident.Timestamp) string {
	return nameOf(p.NamesThen.People, id, views.WhenAt(at))
}

// StepNameIn returns the name of a step when an entry was made.
func (p Past) StepNameIn(entry trail.Entry, id string) string {
	return nameOf(p.NamesThen.Steps.Names, id, views.WhenOf(entry))
}

// StepNameAt returns the name of a step at a time.
func (p Past) StepNameAt(id string, at ident.Timestamp) string {
	return nameOf(p.NamesThen.Steps.Names, id, views.WhenAt(at))
}

func nameOf(names views.Names, id string, when views.When) string {
	if name, ok := names.Of(id, when); ok {
		return name
	}
	return id
}
