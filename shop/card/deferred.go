package card

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// RefuseCompleteDeferred says why a step cannot be recorded as performed after all.
func RefuseCompleteDeferred(card Card, stepID string) error {
	status, _, err := recordedStatus(card, stepID)
	if err != nil {
		return err
	}
	return RefuseCompleteAs(status)
}

// RefuseCompleteAs says why a step with a status cannot be recorded as performed after all.
func RefuseCompleteAs(status StepStatus) error {
	if status != StepDeferred {
		return refusal.Refuse(CompleteUndeferred, status)
	}
	return nil
}

// RefuseWaive says why a step cannot be waived.
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

// RefuseWaiveAt says why the step at index i cannot be waived.
func RefuseWaiveAt(card Card, i int) error {
	switch {
	case card.StepStatus(i) != StepDeferred:
		return refusal.Refuse(WaiveUndeferred)
	case card.EffectivelyOptional(i):
		return refusal.Refuse(WaiveOptional)
	}
	return nil
}

// recordedStatus finds the status of a step for a serial. Every step of the serial's path has one. A record of its
// own can outlive its step only in a damaged database; then the index is -1.
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

// ResolveDeferred gives a deferred step its final status and tells of it.
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

// What messages call records.
const (
	NameStepStatus refusal.RecordName = "SnStepStatus"
)

// How identifiers begin.
const (
	StepStatusPrefix = "snss_"
)

// Why these rules refuse.
var (
	CompleteUndeferred = refusal.NewReason(refusal.Invalid, "step_not_deferred", "Can only complete deferred steps — step status is: {status}")
	WaiveUndeferred    = refusal.NewReason(refusal.Invalid, "step_not_deferred", "Can only waive deferred required steps")
	WaiveOptional      = refusal.NewReason(refusal.Invalid, "step_optional", "Can only waive required steps — this step is optional")
)
