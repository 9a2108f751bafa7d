package shop

import (
	"cmp"
	"context"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Advancement answers Advance to Step.
type Advancement struct {
	Serial   card.Serial   `json:"serial"`
	Bypassed []card.Bypass `json:"bypassed"`
}

// AdvanceSerialInput is the body of Advance Serial.
type AdvanceSerialInput struct {
	ExpectedStepIndex input.NumberInput `field:"expectedStepIndex"`
	UserID            input.TextInput   `field:"userId"`
}

// checkFields checks the request's own fields, without a serial. An operation on many serials calls it once, before any of them.
func (in AdvanceSerialInput) checkFields(caller Caller) error {
	_, userErr := userOrAnonymous(caller, in.UserID)
	return cmp.Or(checkExpectation(in.ExpectedStepIndex), userErr)
}

// rule is how the caller's request judges one serial.
func (in AdvanceSerialInput) rule(caller Caller) cardRule {
	return func(unit card.Card, now ident.Timestamp) (card.Change, error) {
		if err := card.RefuseAdvance(unit); err != nil {
			return card.Change{}, err
		}
		if err := checkExpected(unit, in.ExpectedStepIndex); err != nil {
			return card.Change{}, err
		}
		if err := cmp.Or(card.RefuseHeld(unit), card.RefuseLeaving(unit)); err != nil {
			return card.Change{}, err
		}
		userID, err := userOrAnonymous(caller, in.UserID)
		if err != nil {
			return card.Change{}, err
		}
		return card.AdvanceByOne(unit, userID, now), nil
	}
}

// AdvanceSerial moves a serial exactly one step forward; from its last step it completes it.
// A user that is missing or empty is recorded as anonymous.
func (s *Service) AdvanceSerial(ctx context.Context, id string, in AdvanceSerialInput) (card.Serial, error) {
	return s.changeSerial(ctx, id, NameSerialNumber, in.rule(CallerOf(ctx)))
}

// AdvanceToStepInput is the body of Advance to Step.
type AdvanceToStepInput struct {
	TargetStepIndex   input.NumberInput `field:"targetStepIndex"`
	ExpectedStepIndex input.NumberInput `field:"expectedStepIndex"`
	UserID            input.TextInput   `field:"userId"`
}

// checkFields checks the request's own fields, without a serial. An operation on many serials calls it once, before any of them.
func (in AdvanceToStepInput) checkFields(caller Caller) error {
	_, targetErr := in.target()
	_, userErr := requiredUser(caller, in.UserID)
	return cmp.Or(checkExpectation(in.ExpectedStepIndex), targetErr, userErr)
}

func (in AdvanceToStepInput) target() (int64, error) { return targetStepIndex(in.TargetStepIndex) }

// targetStepIndex returns the index of the step to move to. It returns NumberLimit for a larger one: no path has so many
// steps, so that the rules for the target refuse it.
func targetStepIndex(in input.NumberInput) (int64, error) {
	const field = "targetStepIndex"
	if in.Missing() {
		return 0, refusal.RefuseField(refusal.Required, field)
	}
	in.Value = min(in.Value, input.NumberLimit)
	return input.Whole(field, in)
}

// judge judges one serial and says what became of the steps that it passes over.
func (in AdvanceToStepInput) judge(caller Caller, unit card.Card, now ident.Timestamp) (card.Change, []card.Bypass, error) {
	if err := card.RefuseAdvanceTo(unit); err != nil {
		return card.Change{}, nil, err
	}
	if err := checkExpected(unit, in.ExpectedStepIndex); err != nil {
		return card.Change{}, nil, err
	}
	if err := cmp.Or(card.RefuseHeld(unit), card.RefuseLeaving(unit)); err != nil {
		return card.Change{}, nil, err
	}
	target, err := in.target()
	if err != nil {
		return card.Change{}, nil, err
	}
	if err := card.CheckTarget(unit, target); err != nil {
		return card.Change{}, nil, err
	}
	userID, err := requiredUser(caller, in.UserID)
	if err != nil {
		return card.Change{}, nil, err
	}
	change, bypassed := card.AdvanceTo(unit, int(target), userID, now)
	return change, bypassed, nil
}

func (in AdvanceToStepInput) rule(caller Caller) cardRule {
	return func(card card.Card, now ident.Timestamp) (card.Change, error) {
		change, _, err := in.judge(caller, card, now)
		return change, err
	}
}

// AdvanceToStep moves a serial forward to a step, or to completion when the target is the number of steps, as far
// as the path's mode and the steps between allow. It answers what became of those steps.
func (s *Service) AdvanceToStep(ctx context.Context, id string, in AdvanceToStepInput) (Advancement, error) {
	caller := CallerOf(ctx)
	var done Advancement
	err := s.changeCard(ctx, id, NameSerial, &done, func(card card.Card, now ident.Timestamp) (card.Change, error) {
		change, bypassed, err := in.judge(caller, card, now)
		done = Advancement{Serial: change.Serial, Bypassed: bypassed}
		return change, err
	})
	return done, err
}

// checkExpected refuses when the serial does not stand where the caller expects it: somebody else was quicker, or the same
// request arrived twice. It refuses no caller who expects nothing.
func checkExpected(card card.Card, expected input.NumberInput) error {
	if expected.Missing() {
		return nil
	}
	index, err := input.Whole("expectedStepIndex", expected)
	if err != nil {
		return err
	}
	if index != int64(card.Serial.Position) {
		return refusal.Refuse(refusal.StandsElsewhere, card.Serial.ID, card.Serial.Position, index)
	}
	return nil
}

// checkExpectation refuses an expected step index that no serial can have.
func checkExpectation(expected input.NumberInput) error {
	if expected.Missing() {
		return nil
	}
	_, err := input.Whole("expectedStepIndex", expected)
	return err
}
