package shop

import (
	"cmp"
	"context"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// CompleteDeferredStep records that a step which a serial had deferred has now been performed. The serial stays
// where it is; it may have been completed or scrapped meanwhile.
func (s *Service) CompleteDeferredStep(ctx context.Context, id, stepID string, user input.TextInput) (card.SerialStepStatus, error) {
	var resolved card.SerialStepStatus
	err := s.changeCard(ctx, id, NameSerial, &resolved, func(unit card.Card, now ident.Timestamp) (change card.Change, err error) {
		if err := card.RefuseCompleteDeferred(unit, stepID); err != nil {
			return card.Change{}, err
		}
		if err := cmp.Or(card.RefuseHeld(unit), card.RefuseUnmeasured(unit, unit.Path.StepIndex(stepID))); err != nil {
			return card.Change{}, err
		}
		userID, err := requiredUser(CallerOf(ctx), user)
		if err != nil {
			return card.Change{}, err
		}
		change, resolved = card.ResolveDeferred(unit, stepID, card.StepCompleted, ActionDeferredStepCompleted, userID, now)
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
func (s *Service) WaiveStep(ctx context.Context, id, stepID string, in WaiveStepInput) (card.SerialStepStatus, error) {
	ctx = s.signable(ctx, in, id, stepID)
	var resolved card.SerialStepStatus
	err := s.changeCard(ctx, id, NameSerial, &resolved, func(unit card.Card, now ident.Timestamp) (change card.Change, err error) {
		if err := card.RefuseWaive(unit, stepID); err != nil {
			return card.Change{}, err
		}
		reason, approverID, err := in.check(CallerOf(ctx))
		if err != nil {
			return card.Change{}, err
		}
		change, resolved = card.ResolveDeferred(unit, stepID, card.StepWaived, ActionStepWaived, approverID, now)
		change.Audit[0].Metadata = trail.Metadata(struct {
			Reason     string `json:"reason"`
			ApproverID string `json:"approverId"`
		}{reason, approverID})
		return change, nil
	})
	return resolved, err
}

// What the tables of the business call steps that a serial bypassed.
const (
	RecordStepStatus ident.RecordKind = "step status"

	OpCompleteDeferred Operation = "complete-deferred"
	OpWaive            Operation = "waive"

	ActionDeferredStepCompleted trail.Action = "deferred_step_completed"
	ActionStepWaived            trail.Action = "step_waived"
)

// Why it is refused.
var (
	WaiverIncomplete = refusal.NewReason(refusal.Invalid, "required", "Waiver requires a reason and approver identity")
)

var stepStatusNoun = noun{
	records: []Record{
		{Kind: RecordStepStatus, Names: named(card.NameStepStatus), Prefix: card.StepStatusPrefix, Table: "step_exception", Compared: true},
	},
	operations: []operationRow{
		{operation: OpCompleteDeferred, permission: Work, subject: AboutUnit},
		{operation: OpWaive, permission: Decide, subject: AboutUnit, signed: SignWaive},
	},
	actions: []actionRow{
		{action: card.ActionStepSkipped, of: only(RecordStepStatus), replay: (*Replayed).bypassed},
		{action: card.ActionStepDeferred, of: only(RecordStepStatus), replay: (*Replayed).bypassed},
		{action: ActionDeferredStepCompleted, of: only(RecordStepStatus), replay: (*Replayed).resolved},
		{action: ActionStepWaived, of: only(RecordStepStatus), replay: (*Replayed).resolved, signed: SignWaive},
	},
}
