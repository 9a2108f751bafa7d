package card

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// RefuseCompleteDeferred returns the refusal to complete a deferred step, or nil.
func RefuseCompleteDeferred(card Card, stepID string) error {
	status, _, err := recordedStatus(card, stepID)
	if err != nil {
		return err
	}
	return RefuseCompleteAs(status)
}

// RefuseCompleteAs returns the refusal to complete a step with this status as a deferred step, or nil.
func RefuseCompleteAs(status StepStatus) error {
	if status != StepDeferred {
		return refusal.Refuse(CompleteUndeferred, status)
	}
	return nil
}

// RefuseWaive returns the refusal to waive a step, or nil.
func RefuseWaive(card Card, stepID string) error {
	_, index, err := recordedStatus(card, stepID)
	switch {
	case err != nil:
		return err
	case index < 0:
		return NameStep.NotFound(stepID)
	}
	return RefuseWaiveAt(card, index)
}

// RefuseWaiveAt returns the refusal to waive the step at index i, or nil.
func RefuseWaiveAt(card Card, i int) error {
	switch {
	case card.StepStatus(i) != StepDeferred:
		return refusal.Refuse(WaiveUndeferred)
	case card.EffectivelyOptional(i):
		return refusal.Refuse(WaiveOptional)
	}
	return nil
}

// recordedStatus returns the status of a step for a serial. Every step of the serial's path has one. Only in a damaged database can a
// recorded status outlive its step; the index is then -1.
func recordedStatus(card Card, stepID string) (status StepStatus, index int, err error) {
	index = card.Path.StepIndex(stepID)
	if index >= 0 {
		return card.StepStatus(index), index, nil
	}
	if exception, ok := card.Exceptions[stepID]; ok {
		return exception.Status, index, nil
	}
	return "", index, NameStepStatus.NotFound(card.Serial.ID + "/" + stepID)
}

// ResolveDeferred gives a deferred step its final status, with an audit entry.
func ResolveDeferred(card Card, stepID string, status StepStatus, action trail.Action, userID string,
	now ident.Timestamp,
) (Change, SerialStepStatus) {
	change := Change{
		Serial:     card.Serial,
		Exceptions: []StepException{{StepID: stepID, Status: status, UpdatedAt: now}},
		Audit:      []trail.Entry{EntryAbout(card.Serial, action, stepID, userID, now)},
	}
	return change, SerialStepStatus{
		ID: stepStatusID(card.Serial.ID, stepID), SerialID: card.Serial.ID, StepID: stepID,
		StepIndex: card.Path.StepIndex(stepID), Status: status, UpdatedAt: now,
	}
}

// Actions of the trail.
const (
	ActionStepSkipped  trail.Action = "step_skipped"
	ActionStepDeferred trail.Action = "step_deferred"
)

// Names of records in messages.
const (
	NameStepStatus refusal.RecordName = "SnStepStatus"
)

// Prefixes of identifiers.
const (
	StepStatusPrefix = "snss_"
)

// Actions on deferred steps in the trail.
const (
	ActionDeferredStepCompleted trail.Action = "deferred_step_completed"
	ActionStepWaived            trail.Action = "step_waived"
)

// Reasons for refusing to complete or waive a step.
var (
	CompleteUndeferred = refusal.NewReason(refusal.Invalid, "step_not_deferred", "Can only complete deferred steps — step status is: {status}")
	WaiveUndeferred    = refusal.NewReason(refusal.Invalid, "step_not_deferred", "Can only waive deferred required steps")
	WaiveOptional      = refusal.NewReason(refusal.Invalid, "step_optional", "Can only waive required steps — this step is optional")
)
