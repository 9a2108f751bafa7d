package replay

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Last returns the last change that is not undone.
func (r *Replayed) Last() (Change, bool) {
	if len(r.changes) == 0 {
		return Change{}, false
	}
	return r.changes[len(r.changes)-1], true
}

// moved reports whether the change changed the serial itself, and not only the status of one step.
func (c *Change) moved() bool { return !c.resolved }

// walked reports whether the change moved the serial to another step.
func (c *Change) walked() bool {
	switch c.Entries[0].Action { //nolint:exhaustive // the other changes leave a serial at its step
	case card.ActionSerialAdvanced, card.ActionSerialCompleted, card.ActionSerialReworked:
		return true
	}
	return false
}

// restore returns the card before the change. It restores only the fields and exceptions that the change replaced, and modifies the map of
// exceptions.
func (c *Change) restore(card card.Card, now ident.Timestamp) card.Card {
	serial := c.Before
	serial.JobID, serial.CreatedAt, serial.UpdatedAt = card.Serial.JobID, card.Serial.CreatedAt, card.Serial.UpdatedAt
	serial.SerialNumber, serial.BOM = card.Serial.SerialNumber, card.Serial.BOM // they may have changed since
	if c.moved() {
		serial.UpdatedAt = now
	}
	card.Serial = serial
	for stepID, before := range c.replaced {
		if before == nil {
			delete(card.Exceptions, stepID)
		} else {
			card.Exceptions[stepID] = *before
		}
	}
	return card
}

// restore returns the card before the last change, and the indexes of the late steps that a reopened serial missed: required steps that
// were inserted while it was closed. They become deferred.
func (r *Replayed) restore(last *Change, unit card.Card, now ident.Timestamp) (restored card.Card, missed []int) {
	restored = last.restore(unit, now)
	if restored.Serial.Status != card.InProgress {
		return restored, nil
	}
	for i := range r.late {
		late := &r.late[i]
		exception := restored.Exceptions[late.stepID]
		skipped := card.StepException{StepID: late.stepID, Status: card.StepSkipped, UpdatedAt: late.at}
		if late.required && late.changes == len(r.changes) && exception == skipped {
			exception.Status, exception.UpdatedAt = card.StepDeferred, now
			restored.Exceptions[late.stepID] = exception
			missed = append(missed, i)
		}
	}
	return restored, missed
}

// TakeBack returns the change that undoes the last change, with its audit entry.
func (r *Replayed) TakeBack(last *Change, unit card.Card, reason, by string, now ident.Timestamp) card.Change {
	kept := unit
	if kept.Exceptions = maps.Clone(unit.Exceptions); kept.Exceptions == nil {
		kept.Exceptions = map[string]card.StepException{}
	}
	after, missed := r.restore(last, kept, now)
	change := card.Change{Serial: after.Serial, Moved: last.moved(), Rewritten: last.moved()}
	for _, i := range missed {
		change.Arrive(unit, r.place(r.late[i].stepID))
	}
	for stepID := range unit.Exceptions {
		if _, stays := after.Exceptions[stepID]; !stays {
			change.Lifted = append(change.Lifted, stepID)
		}
	}
	slices.Sort(change.Lifted)
	for _, step := range unit.Path.Steps {
		if exception, was := after.Exceptions[step.ID]; was && exception != unit.Exceptions[step.ID] {
			change.Exceptions = append(change.Exceptions, exception)
		}
	}
	entry := card.EntryAbout(unit.Serial, ActionChangeUndone, "", by, now)
	entry.Metadata = trail.Metadata(UndoneMetadata{last.Entries[0].ID, reason, placeOf(unit.Serial), placeOf(after.Serial)})
	change.Audit = []trail.Entry{entry}
	return change
}

// UndoneMetadata is the metadata of the audit entry of an undone change.
type UndoneMetadata struct {
	EntryID string `json:"entryId"`
	Reason  string `json:"reason"`
	Before  place  `json:"before"`
	After   place  `json:"after"`
}

// EntryUndoneBy returns the identifier of the entry whose change this entry undid, or "".
func EntryUndoneBy(e trail.Entry) string {
	var told UndoneMetadata
	if e.Action != ActionChangeUndone || json.Unmarshal(e.Metadata, &told) != nil {
		return ""
	}
	return told.EntryID
}

// place is the position of a serial in the interface's form.
type place struct {
	CurrentStepIndex int               `json:"currentStepIndex"`
	Status           card.SerialStatus `json:"status"`
}

func placeOf(serial card.Serial) place { return place{serial.CurrentStepIndex(), serial.Status} }

// ActionChangeUndone records that the last change of a unit was undone.
const ActionChangeUndone trail.Action = "change_undone"
