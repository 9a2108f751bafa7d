package card

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// Bypass records whether an advance skipped or deferred a step that it passed over.
type Bypass struct {
	StepID         string     `json:"stepId"`
	StepName       string     `json:"stepName"`
	Classification StepStatus `json:"classification"` // StepSkipped or StepDeferred
}

// Obstacles are the indexes of the first physical step and of the first gate ahead that block a serial, or len(Steps) if none does.
type Obstacles struct{ physical, gate int }

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

// Reasons for refusing to skip steps.
var (
	TargetBehind     = refusal.NewReason(refusal.Invalid, "target_behind", "Cannot advance to a step at or before the current position")
	TargetOutOfRange = refusal.NewReason(refusal.Invalid, "target_out_of_range", "Target step index is out of range")
	PathStrict       = refusal.NewReason(refusal.Invalid, "path_strict", "Path is in strict mode — can only advance to the next sequential step")
	StepPhysical     = refusal.NewReason(refusal.Invalid, "physical_dependency", "Cannot skip step with physical dependency")
	StepGate         = refusal.NewReason(refusal.Invalid, "completion_gate", "Cannot skip step with completion_gate dependency")
)
