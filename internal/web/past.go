package web

import (
	"encoding/json"

	"github.com/routecard/routecard"
)

// past reads what was recorded with the names of its time: a step or a person that was renamed since keeps the old name
// on cards, in the trail and on paper. Pages that show entries embed it.
type past struct {
	names  routecard.PastNames
	undone map[string]routecard.AuditEntry // by the identifiers of entries: what took them back, where that is known
	told   map[string]string               // by the identifiers of entries: what they tell, where that is known
}

// TakenBack is what took back the change that an entry tells of, nil when it stands or when that is not known here.
func (p past) TakenBack(entry routecard.AuditEntry) *routecard.AuditEntry {
	if by, ok := p.undone[entry.ID]; ok {
		return &by
	}
	return nil
}

// telling knows what entries of a page tell, and which of them the others took back.
func (p past) telling(entries []routecard.AuditEntry) past {
	if p.undone == nil {
		p.undone = map[string]routecard.AuditEntry{}
	}
	if p.told == nil {
		p.told = map[string]string{}
	}
	for _, entry := range entries {
		p.told[entry.ID] = p.story(entry)
		if id := undoneBy(entry); id != "" {
			p.undone[id] = entry
		}
	}
	return p
}

// undoneBy names the entry whose change an entry took back, "" for none.
func undoneBy(entry routecard.AuditEntry) string {
	var told struct {
		EntryID string `json:"entryId"`
	}
	if entry.Action != routecard.ActionChangeUndone || json.Unmarshal(entry.Metadata, &told) != nil {
		return ""
	}
	return told.EntryID
}

// Who is who made an entry.
func (p past) Who(entry routecard.AuditEntry) string {
	return nameOf(p.names.People, entry.UserID, entry.When())
}

// Signed is who made a record that names no entry, by its time.
func (p past) Signed(id string, at routecard.Timestamp) string {
	return nameOf(p.names.People, id, routecard.WhenAt(at))
}

// StepIn is what a step was called when an entry was made, or its identifier when nothing tells.
func (p past) StepIn(entry routecard.AuditEntry, id string) string {
	return nameOf(p.names.Steps.Names, id, entry.When())
}

// StepAt is what a step was called at a time.
func (p past) StepAt(id string, at routecard.Timestamp) string {
	return nameOf(p.names.Steps.Names, id, routecard.WhenAt(at))
}

func nameOf(names routecard.Names, id string, when routecard.When) string {
	if name, ok := names.Of(id, when); ok {
		return name
	}
	return id
}
