package shop

import (
	"cmp"
	"context"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// CompleteDeferredStep records that a step which a serial had deferred has now been performed. The serial stays
// where it is; it may have been completed or scrapped meanwhile.
func (s *Service) CompleteDeferredStep(ctx context.Context, id, stepID string, user input.TextInput) (SerialStepStatus, error) {
	var resolved SerialStepStatus
	err := s.changeCard(ctx, id, NameSerial, &resolved, func(card RouteCard, now ident.Timestamp) (change CardChange, err error) {
		if err := refuseCompleteDeferred(card, stepID); err != nil {
			return CardChange{}, err
		}
		if err := cmp.Or(refuseHeld(card), refuseUnmeasured(card, card.Path.StepIndex(stepID))); err != nil {
			return CardChange{}, err
		}
		userID, err := requiredUser(CallerOf(ctx), user)
		if err != nil {
			return CardChange{}, err
		}
		change, resolved = resolveDeferred(card, stepID, StepCompleted, ActionDeferredStepCompleted, userID, now)
		return change, nil
	})
	return resolved, err
}

// WaiveStepInput is the body of Waive Step.
type WaiveStepInput struct {
	Reason     input.TextInput `field:"reason"`
	ApproverID input.TextInput `field:"approverId"`
}

func (in WaiveStepInput) check(caller Caller) (reason, approverID string, err error) {
	if reason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, WaiverIncomplete); err != nil {
		return "", "", err
	}
	approverID, err = actingUser(caller, "approverId", in.ApproverID, WaiverIncomplete)
	return reason, approverID, err
}

// WaiveStep releases a serial from a required step that it had deferred. Only Undo takes a waiver back.
func (s *Service) WaiveStep(ctx context.Context, id, stepID string, in WaiveStepInput) (SerialStepStatus, error) {
	ctx = s.signable(ctx, in, id, stepID)
	var resolved SerialStepStatus
	err := s.changeCard(ctx, id, NameSerial, &resolved, func(card RouteCard, now ident.Timestamp) (change CardChange, err error) {
		if err := refuseWaive(card, stepID); err != nil {
			return CardChange{}, err
		}
		reason, approverID, err := in.check(CallerOf(ctx))
		if err != nil {
			return CardChange{}, err
		}
		change, resolved = resolveDeferred(card, stepID, StepWaived, ActionStepWaived, approverID, now)
		change.Audit[0].Metadata = trail.Metadata(struct {
			Reason     string `json:"reason"`
			ApproverID string `json:"approverId"`
		}{reason, approverID})
		return change, nil
	})
	return resolved, err
}

// refuseCompleteDeferred says why a step cannot be recorded as performed after all.
func refuseCompleteDeferred(card RouteCard, stepID string) error {
	status, _, err := recordedStatus(card, stepID)
	if err != nil {
		return err
	}
	return refuseCompleteAs(status)
}

// refuseCompleteAs says why a step with a status cannot be recorded as performed after all.
func refuseCompleteAs(status StepStatus) error {
	if status != StepDeferred {
		return refusal.Refuse(CompleteUndeferred, status)
	}
	return nil
}

// refuseWaive says why a step cannot be waived.
func refuseWaive(card RouteCard, stepID string) error {
	_, index, err := recordedStatus(card, stepID)
	switch {
	case err != nil:
		return err
	case index < 0:
		return NameStep.NotFound(stepID)
	}
	return refuseWaiveAt(card, index)
}

// refuseWaiveAt says why the step at index i cannot be waived.
func refuseWaiveAt(card RouteCard, i int) error {
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
func recordedStatus(card RouteCard, stepID string) (status StepStatus, index int, err error) {
	index = card.Path.StepIndex(stepID)
	if index >= 0 {
		return card.StepStatus(index), index, nil
	}
	if exception, ok := card.Exceptions[stepID]; ok {
		return exception.Status, index, nil
	}
	return "", index, NameStepStatus.NotFound(card.Serial.ID + "/" + stepID)
}

// resolveDeferred gives a deferred step its final status and tells of it.
func resolveDeferred(card RouteCard, stepID string, status StepStatus, action trail.Action, userID string,
	now ident.Timestamp,
) (CardChange, SerialStepStatus) {
	change := CardChange{
		Serial:     card.Serial,
		Exceptions: []StepException{{StepID: stepID, Status: status, UpdatedAt: now}},
		Audit:      []trail.Entry{entryAbout(card.Serial, action, stepID, userID, now)},
	}
	return change, SerialStepStatus{
		ID: stepStatusID(card.Serial.ID, stepID), SerialID: card.Serial.ID, StepID: stepID,
		StepIndex: card.Path.StepIndex(stepID), Status: status, UpdatedAt: now,
	}
}

// What the tables of the business call steps that a serial bypassed.
const (
	RecordStepStatus ident.RecordKind = "step status"

	NameStepStatus refusal.RecordName = "SnStepStatus"

	prefixStepStatus = "snss_"

	OpCompleteDeferred Operation = "complete-deferred"
	OpWaive            Operation = "waive"

	ActionStepSkipped           trail.Action = "step_skipped"
	ActionStepDeferred          trail.Action = "step_deferred"
	ActionDeferredStepCompleted trail.Action = "deferred_step_completed"
	ActionStepWaived            trail.Action = "step_waived"
)

// Why it is refused.
var (
	WaiverIncomplete   = refusal.NewReason(refusal.Invalid, "required", "Waiver requires a reason and approver identity")
	CompleteUndeferred = refusal.NewReason(refusal.Invalid, "step_not_deferred", "Can only complete deferred steps — step status is: {status}")
	WaiveUndeferred    = refusal.NewReason(refusal.Invalid, "step_not_deferred", "Can only waive deferred required steps")
	WaiveOptional      = refusal.NewReason(refusal.Invalid, "step_optional", "Can only waive required steps — this step is optional")
)

var stepStatusNoun = noun{
	records: []Record{
		{Kind: RecordStepStatus, Names: named(NameStepStatus), Prefix: prefixStepStatus, Table: "step_exception", Compared: true},
	},
	operations: []operationRow{
		{operation: OpCompleteDeferred, permission: Work, subject: AboutUnit},
		{operation: OpWaive, permission: Decide, subject: AboutUnit, signed: SignWaive},
	},
	actions: []actionRow{
		{action: ActionStepSkipped, of: only(RecordStepStatus), replay: (*Replayed).bypassed},
		{action: ActionStepDeferred, of: only(RecordStepStatus), replay: (*Replayed).bypassed},
		{action: ActionDeferredStepCompleted, of: only(RecordStepStatus), replay: (*Replayed).resolved},
		{action: ActionStepWaived, of: only(RecordStepStatus), replay: (*Replayed).resolved, signed: SignWaive},
	},
}
