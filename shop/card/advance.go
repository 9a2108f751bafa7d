package card

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// refuseClosed refuses an operation on a serial in a terminal state, with the reasons of that operation.
func refuseClosed(serial Serial, scrapped, completed *refusal.Reason) error {
	switch serial.Status {
	case Scrapped:
		return refusal.Refuse(scrapped)
	case Completed:
		return refusal.Refuse(completed)
	case InProgress:
	}
	return nil
}

// RefuseAdvance returns the refusal to move a serial one step forward, or nil.
func RefuseAdvance(card Card) error {
	return refuseClosed(card.Serial, AdvanceScrapped, AdvanceCompleted)
}

// RefuseAdvanceTo returns the refusal to move a serial to any step, or nil. CheckTarget checks the requested step.
func RefuseAdvanceTo(card Card) error {
	return refuseClosed(card.Serial, AdvanceScrapped, AdvanceToCompleted)
}

// AdvanceTo moves the serial to a target that CheckTarget allows.
func AdvanceTo(card Card, target int, userID string, now ident.Timestamp) (Change, []Bypass) {
	change := move(card, target, ActionSerialAdvanced, userID, now)
	bypassed := []Bypass{}
	for i := card.Serial.Position + 1; i < target; i++ {
		if status, bypasses := change.bypass(card, i, userID, now); bypasses {
			step := &card.Path.Steps[i]
			bypassed = append(bypassed, Bypass{StepID: step.ID, StepName: step.Name, Classification: status})
		}
	}
	return change, bypassed
}

// AdvanceByOne moves the serial one step forward. Completing the serial this way is recorded as a different action.
func AdvanceByOne(card Card, userID string, now ident.Timestamp) Change {
	target, action := card.Serial.Position+1, ActionSerialAdvanced
	if target >= len(card.Path.Steps) {
		action = ActionSerialCompleted
	}
	return move(card, target, action, userID, now)
}

// move puts the serial on the step at index target, or completes it after the last step, and adds the audit entry. The statuses of the
// steps follow from the position.
func move(card Card, target int, action trail.Action, userID string, now ident.Timestamp) Change {
	serial := card.Serial
	entry := trail.Entry{
		Action: action, UserID: userID, Timestamp: now,
		SerialID: serial.ID, JobID: serial.JobID, PathID: serial.PathID,
		FromStepID: card.Path.Steps[serial.Position].ID,
	}
	serial.Position, serial.UpdatedAt = target, now
	if target < len(card.Path.Steps) {
		entry.ToStepID = card.Path.Steps[target].ID
	} else {
		serial.Status = Completed
	}
	change := Change{Serial: serial, Moved: true, Audit: []trail.Entry{entry}}
	change.Arrive(card, target)
	return change
}

// Reasons for refusing to move a serial along its path.
var (
	AdvanceScrapped    = refusal.NewReason(refusal.Invalid, "serial_scrapped", "Cannot advance a scrapped serial")
	AdvanceCompleted   = refusal.NewReason(refusal.Invalid, "serial_completed", "Serial number is already completed")
	AdvanceToCompleted = refusal.NewReason(refusal.Invalid, "serial_completed", "Cannot advance a completed serial")
)
