package card

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Bypass records whether an advance skipped or deferred a step that it passed over.
type Bypass struct {
	StepID         string     `json:"stepId"`
	StepName       string     `json:"stepName"`
	Classification StepStatus `json:"classification"` // StepSkipped or StepDeferred
}

// Obstacles are the indexes of the first physical step and of the first gate ahead that block a serial, or len(Steps) if none does.
type Obstacles struct{ physical, gate int }

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

// ObstaclesBefore finds the obstacles between the serial and a target.
func ObstaclesBefore(card Card, target int) Obstacles {
	found := Obstacles{len(card.Path.Steps), len(card.Path.Steps)}
	for i := min(target, len(card.Path.Steps)) - 1; i > card.Serial.Position; i-- {
		if blocks(card, i, Physical) {
			found.physical = i
		}
		if blocks(card, i, CompletionGate) {
			found.gate = i
		}
	}
	return found
}

// CheckTarget refuses a target that the path's mode or a step before the target does not allow.
func CheckTarget(card Card, target int64) error {
	return CheckTargetBehind(ObstaclesBefore(card, int(min(target, int64(len(card.Path.Steps))))), card, target)
}

// CheckTargetBehind checks a target against obstacles that were already found. They may cover the steps up to this target or further.
// Physical steps are checked before gates (docs/api/units.md, "Moving").
func CheckTargetBehind(found Obstacles, card Card, target int64) error {
	position, count := card.Serial.Position, len(card.Path.Steps)
	switch {
	case target <= int64(position):
		return refusal.RefuseField(TargetBehind, "targetStepIndex")
	case target > int64(count):
		return refusal.RefuseField(TargetOutOfRange, "targetStepIndex")
	}
	switch card.Path.AdvancementMode {
	case Strict:
		if target != int64(position)+1 {
			return refusal.Refuse(PathStrict)
		}
	case Flexible, PerStep:
		if int64(found.physical) < target {
			return refusal.Refuse(StepPhysical)
		}
		if int64(found.gate) < target {
			return refusal.Refuse(StepGate)
		}
	}
	return nil
}

// blocks reports whether the step at index i is of this kind and blocks a serial that would pass it. A physical step blocks until it is
// completed; a gate blocks until it is completed or waived (docs/api/units.md, "Moving").
func blocks(card Card, i int, kind DependencyType) bool {
	if card.Path.Steps[i].DependencyType != kind || card.EffectivelyOptional(i) {
		return false
	}
	switch card.StepStatus(i) {
	case StepCompleted:
		return false
	case StepWaived, StepSkipped:
		return kind != CompletionGate
	case StepPending, StepInProgress, StepDeferred:
	}
	return true
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

// bypass records that the serial passes the undone step at index i, with an audit entry. A completed or waived step keeps its status and is
// not bypassed (docs/api/units.md, "Moving").
func (c *Change) bypass(card Card, i int, userID string, now ident.Timestamp) (status StepStatus, bypasses bool) {
	switch card.StepStatus(i) {
	case StepCompleted, StepWaived:
		return "", false
	case StepPending, StepInProgress, StepSkipped, StepDeferred:
	}
	status, action := StepDeferred, ActionStepDeferred
	if card.EffectivelyOptional(i) {
		status, action = StepSkipped, ActionStepSkipped
	}
	stepID := card.Path.Steps[i].ID
	c.Exceptions = append(c.Exceptions, StepException{StepID: stepID, Status: status, UpdatedAt: now})
	c.Audit = append(c.Audit, EntryAbout(card.Serial, action, stepID, userID, now))
	if status == StepDeferred {
		c.Arrive(card, i)
	}
	return status, true
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
	TargetBehind       = refusal.NewReason(refusal.Invalid, "target_behind", "Cannot advance to a step at or before the current position")
	TargetOutOfRange   = refusal.NewReason(refusal.Invalid, "target_out_of_range", "Target step index is out of range")
	PathStrict         = refusal.NewReason(refusal.Invalid, "path_strict", "Path is in strict mode — can only advance to the next sequential step")
	StepPhysical       = refusal.NewReason(refusal.Invalid, "physical_dependency", "Cannot skip step with physical dependency")
	StepGate           = refusal.NewReason(refusal.Invalid, "completion_gate", "Cannot skip step with completion_gate dependency")
)
