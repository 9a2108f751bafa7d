package card

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Override makes one step count as optional for one serial while it is active. A reversed one is kept.
type Override struct {
	ID        string          `json:"id"`
	SerialID  string          `json:"serialId"`
	StepID    string          `json:"stepId"`
	Active    bool            `json:"active"`
	Reason    string          `json:"reason,omitempty"`
	CreatedBy string          `json:"createdBy"`
	CreatedAt ident.Timestamp `json:"createdAt"`
	// ReversedAt is when it was reversed; 0 while it is active.
	ReversedAt ident.Timestamp `json:"-"`
}

// Why it is refused.
var (
	OverrideCompleted = refusal.NewReason(refusal.Invalid, "step_completed", "Cannot override a step that has already been completed")
	ReverseCompleted  = refusal.NewReason(refusal.Invalid, "step_completed", "Cannot reverse override — step has already been completed")
	ReverseSkipped    = refusal.NewReason(refusal.Invalid, "step_skipped", "Cannot reverse override — step has already been skipped")
	NoOverride        = refusal.NewReason(refusal.Invalid, "no_active_override", "No active override found for this step")
)

// Overridable refuses steps that cannot be overridden for a serial; it is not needed where one is active already.
func Overridable(card Card, stepID string) (needed bool, err error) {
	index := card.Path.StepIndex(stepID)
	if index < 0 {
		return false, NameStep.NotFound(stepID)
	}
	return OverridableAt(card, index)
}

// OverridableAt is overridable for the step at index i.
func OverridableAt(card Card, i int) (needed bool, err error) {
	if _, active := card.Overrides[card.Path.Steps[i].ID]; active {
		return false, nil
	}
	if card.StepStatus(i) == StepCompleted {
		return false, refusal.Refuse(OverrideCompleted)
	}
	return true, nil
}

// OverriddenEntry is the entry of the trail about an override that was created.
func OverriddenEntry(serial Serial, override Override) trail.Entry {
	entry := EntryAbout(serial, ActionStepOverrideCreated, override.StepID, override.CreatedBy, override.CreatedAt)
	entry.Metadata = trail.Metadata(struct {
		Reason string `json:"reason"`
	}{override.Reason})
	return entry
}

// Reversible finds the active override of a step, unless the step has been resolved under it.
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

// RefuseReverseOf says why an override of a step with a status cannot be taken back.
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
