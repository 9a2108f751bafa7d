package shop

import (
	"cmp"
	"context"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
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
	return func(unit card.Card, now ident.Timestamp) (card.Change, error) {
		if err := card.RefuseForceComplete(unit); err != nil {
			return card.Change{}, err
		}
		if err := checkExpected(unit, in.ExpectedStepIndex); err != nil {
			return card.Change{}, err
		}
		if err := card.RefuseHeld(unit); err != nil {
			return card.Change{}, err
		}
		open, err := card.Forceable(unit)
		if err != nil {
			return card.Change{}, err
		}
		reason, userID, err := in.check(caller)
		if err != nil {
			return card.Change{}, err
		}
		return card.ForceComplete(unit, open, reason, userID, now), nil
	}
}

// ForceComplete closes a serial although required steps are open. The steps' statuses stay as they were.
func (s *Service) ForceComplete(ctx context.Context, id string, in ForceCompleteInput) (card.Serial, error) {
	return s.changeSerial(s.signable(ctx, in, id), id, NameSerial, in.rule(CallerOf(ctx)))
}
