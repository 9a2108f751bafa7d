package site

import (
	"html/template"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// Past shows old entries with the names that were in use when they were recorded. If a step or person has been renamed since, cards, the
// trail and papers show the old name. Pages that show entries embed Past.
type Past struct {
	NamesThen  views.PastNames
	UndoneBy   map[string]trail.Entry // entries that undid others, by identifier of the undone entry, as far as loaded
	LotNumbers map[string]string      // numbers of lots by identifier, as far as loaded
	told       map[string]string      // descriptions of entries by identifier, as far as loaded
	l          *lang.Language         // language of the descriptions; nil for English, as in exported files
}

// TakenBack returns the entry that undid this one. It returns nil if no loaded entry did.
func (p Past) TakenBack(entry trail.Entry) *trail.Entry {
	if by, ok := p.UndoneBy[entry.ID]; ok {
		return &by
	}
	return nil
}

// WithEntries adds the descriptions of a page's entries in a language, and finds out which of them were undone by other entries.
func (p Past) WithEntries(l *lang.Language, entries []trail.Entry) Past {
	p.l = l
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

// These names are for templates. lang.Apart isolates each of them from the text that follows.

// Who returns the person who made an entry.
func (p Past) Who(entry trail.Entry) template.HTML { return lang.Apart(p.WhoThen(entry)) }

// Signed returns the name of the person who made a record without an audit entry, as it was at that time.
func (p Past) Signed(id string, at ident.Timestamp) template.HTML {
	return lang.Apart(p.SignerThen(id, at))
}

// StepIn returns the name that a step had when an entry was made. If that name is unknown, it returns the identifier.
func (p Past) StepIn(entry trail.Entry, id string) template.HTML {
	return lang.Apart(p.StepNameIn(entry, id))
}

// StepAt returns the name that a step had at a time.
func (p Past) StepAt(id string, at ident.Timestamp) template.HTML {
	return lang.Apart(p.StepNameAt(id, at))
}

// These are the same names as plain text, for composed sentences.

// WhoThen returns the name of the person who made an entry, as it was at that time.
func (p Past) WhoThen(entry trail.Entry) string {
	return nameOf(p.NamesThen.People, entry.UserID, views.WhenOf(entry))
}

// SignerThen returns the name that an operator had at a time.
func (p Past) SignerThen(id string, at ident.Timestamp) string {
	return nameOf(p.NamesThen.People, id, views.WhenAt(at))
}

// StepNameIn returns the name that a step had when an entry was made.
func (p Past) StepNameIn(entry trail.Entry, id string) string {
	return nameOf(p.NamesThen.Steps.Names, id, views.WhenOf(entry))
}

// StepNameAt returns the name that a step had at a time.
func (p Past) StepNameAt(id string, at ident.Timestamp) string {
	return nameOf(p.NamesThen.Steps.Names, id, views.WhenAt(at))
}

func nameOf(names views.Names, id string, when views.When) string {
	if name, ok := names.Of(id, when); ok {
		return name
	}
	return id
}
