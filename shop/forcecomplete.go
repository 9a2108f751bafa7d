package shop

import (
	"cmp"
	"context"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// ForceCompleteInput is the body of Force Complete Serial.
type ForceCompleteInput struct {
	ExpectedStepIndex input.NumberInput `field:"expectedStepIndex"`
	Reason            input.TextInput   `field:"reason"`
	UserID            input.TextInput   `field:"userId"`
}

// check judges the reason, then the user.
func (in ForceCompleteInput) check(caller Caller) (reason, userID string, err error) {
	if reason, err = input.OptionalWithin("reason", in.Reason, input.TextLimit); err != nil {
		return "", "", err
	}
	userID, err = requiredUser(caller, in.UserID)
	return reason, userID, err
}

// checkFields checks the request's own fields, without a serial. An operation on many serials calls it once, before any of them.
func (in ForceCompleteInput) checkFields(caller Caller) error {
	_, _, err := in.check(caller)
	return cmp.Or(checkExpectation(in.ExpectedStepIndex), err)
}

// rule is how the caller's request judges one serial.
func (in ForceCompleteInput) rule(caller Caller) cardRule {
	return func(card RouteCard, now ident.Timestamp) (CardChange, error) {
		if err := refuseForceComplete(card); err != nil {
			return CardChange{}, err
		}
		if err := checkExpected(card, in.ExpectedStepIndex); err != nil {
			return CardChange{}, err
		}
		if err := refuseHeld(card); err != nil {
			return CardChange{}, err
		}
		open, err := forceable(card)
		if err != nil {
			return CardChange{}, err
		}
		reason, userID, err := in.check(caller)
		if err != nil {
			return CardChange{}, err
		}
		return forceComplete(card, open, reason, userID, now), nil
	}
}

// ForceComplete closes a serial although required steps are open. The steps' statuses stay as they were.
func (s *Service) ForceComplete(ctx context.Context, id string, in ForceCompleteInput) (Serial, error) {
	return s.changeSerial(s.signable(ctx, in, id), id, NameSerial, in.rule(CallerOf(ctx)))
}

// refuseForceComplete says why no serial in its state can be force-completed.
func refuseForceComplete(card RouteCard) error {
	return refuseClosed(card.Serial, refusal.ForceCompleteScrapped, refusal.SerialCompleted)
}

// forceable returns the steps that stay open when a serial is force-completed, or says why it cannot be.
func forceable(card RouteCard) (open []string, err error) {
	if err := refuseForceComplete(card); err != nil {
		return nil, err
	}
	if open = incompleteRequiredSteps(card); len(open) == 0 {
		return nil, refusal.Refuse(refusal.NothingOpen)
	}
	return open, nil
}

// incompleteRequiredSteps lists, in path order, the steps that are not effectively optional and neither completed
// nor waived (docs/decisions.md, "Closing").
func incompleteRequiredSteps(card RouteCard) []string {
	var open []string
	for i := range card.Path.Steps {
		status := card.StepStatus(i)
		if status != StepCompleted && status != StepWaived && !card.EffectivelyOptional(i) {
			open = append(open, card.Path.Steps[i].ID)
		}
	}
	return open
}

func forceComplete(card RouteCard, open []string, reason, userID string, now ident.Timestamp) CardChange {
	serial := card.Serial
	serial.Status, serial.UpdatedAt = Completed, now
	serial.Completion = &ForceCompletion{By: userID, At: now, Reason: reason}
	entry := entryAbout(serial, ActionSerialForceCompleted, "", userID, now)
	entry.Metadata = trail.Metadata(struct {
		IncompleteStepIDs []string `json:"incompleteStepIds"`
		Reason            string   `json:"reason,omitempty"`
	}{open, reason})
	return CardChange{Serial: serial, Moved: true, Audit: []trail.Entry{entry}}
}
