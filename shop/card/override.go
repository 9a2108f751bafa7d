package card

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Override makes one step optional for one serial while it is active. Reversed overrides remain stored.
type Override struct {
	ID        string          `json:"id"`
	SerialID  string          `json:"serialId"`
	StepID    string          `json:"stepId"`
	Active    bool            `json:"active"`
	Reason    string          `json:"reason,omitempty"`
	CreatedBy string          `json:"createdBy"`
	CreatedAt ident.Timestamp `json:"createdAt"`
	// ReversedAt is 0 while the override is active.
	ReversedAt ident.Timestamp `json:"-"`
}

// ActionStepOverrideReversed says that an override was reversed.
const ActionStepOverrideReversed trail.Action = "step_override_reversed"

// Reasons for refusing to create or reverse an override.
var (
	OverrideCompleted = refusal.NewReason(refusal.Invalid, "step_completed", "Cannot override a step that has already been completed")
	ReverseCompleted  = refusal.NewReason(refusal.Invalid, "step_completed", "Cannot reverse override — step has already been completed")
	ReverseSkipped    = refusal.NewReason(refusal.Invalid, "step_skipped", "Cannot reverse override — step has already been skipped")
	NoOverride        = refusal.NewReason(refusal.Invalid, "no_active_override", "No active override found for this step")
)

// Overridable refuses a step that cannot be overridden for a serial. needed is false if an override is already active.
func Overridable(card Card, stepID string) (needed bool, err error) {
	index := card.Path.StepIndex(stepID)
	if index < 0 {
		return false, NameStep.NotFound(stepID)
	}
	return OverridableAt(card, index)
}

// OverridableAt is Overridable for the step at index i.
func OverridableAt(card Card, i int) (needed bool, err error) {
	if _, active := card.Overrides[card.Path.Steps[i].ID]; active {
		return false, nil
	}
	if card.StepStatus(i) == StepCompleted {
		return false, refusal.Refuse(OverrideCompleted)
	}
	return true, nil
}

// OverriddenEntry returns the audit entry for a created override.
func OverriddenEntry(serial Serial, override Override) trail.Entry {
	entry := EntryAbout(serial, ActionStepOverrideCreated, override.StepID, override.CreatedBy, override.CreatedAt)
	entry.Metadata = trail.Metadata(struct {
		Reason string `json:"reason"`
	}{override.Reason})
	return entry
}

// Reversible returns the active override of a step. It refuses if the step was completed or skipped.
func Reversible(card Card, stepID string) (Override, error) {
	override, ok := card.Overrides[stepID]
	if !ok {
		return Override{}, refusal.Refuse(NoOverride)
	}
	status, _, err := recordedStatus(card, stepID)
	if err != nil {
		return Override{}, err
	}
	return override, RefuseReverseOf(status)
}

// RefuseReverseOf returns the refusal to reverse the override of a step with this status, or nil.
func RefuseReverseOf(status StepStatus) error {
	switch status {
	case StepSkipped:
		return refusal.Refuse(ReverseSkipped)
	case StepCompleted:
		return refusal.Refuse(ReverseCompleted)
	case StepPending, StepInProgress, StepDeferred, StepWaived:
	}
	return nil
}

// Actions of the trail.
const (
	ActionStepOverrideCreated trail.Action = "step_override_created"
)
