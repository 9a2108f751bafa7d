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

// ReworkSerialInput is the body of Rework Serial.
type ReworkSerialInput struct {
	TargetStepIndex input.NumberInput `field:"targetStepIndex"`
	Reason          input.TextInput   `field:"reason"`
	// NonconformanceID is the report that asks for it; it may be missing.
	NonconformanceID input.TextInput `field:"nonconformanceId"`
	// ExpectedStepIndex is for a caller who has seen where the serial stands; the interface has no such field.
	ExpectedStepIndex input.NumberInput `field:"-" form:"expectedStepIndex"`
	UserID            input.TextInput   `field:"userId"`
}

func (in ReworkSerialInput) check(unit card.Card, caller Caller) (decided card.Rework, err error) {
	target, err := targetStepIndex(in.TargetStepIndex)
	if err != nil {
		return decided, err
	}
	if err := card.CheckReworkTarget(unit, target); err != nil {
		return decided, err
	}
	decided.Target = int(target)
	if decided.Reason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required); err != nil {
		return decided, err
	}
	if decided.NonconformanceID, err = input.OptionalWithin("nonconformanceId", in.NonconformanceID, input.NameLimit); err != nil {
		return decided, err
	}
	decided.By, err = requiredUser(caller, in.UserID)
	return decided, err
}

// ReworkSerial sends a serial back to a step at or before the one it stands on, or a completed one to any step.
func (s *Service) ReworkSerial(ctx context.Context, id string, in ReworkSerialInput) (card.Serial, error) {
	ctx = s.signable(ctx, in, id)
	caller, unknown := CallerOf(ctx), s.unknownReport(ctx, in.NonconformanceID)
	return s.changeSerial(ctx, id, NameSerial, func(unit card.Card, now ident.Timestamp) (card.Change, error) {
		if err := cmp.Or(card.RefuseRework(unit), checkExpected(unit, in.ExpectedStepIndex), card.RefuseHeld(unit)); err != nil {
			return card.Change{}, err
		}
		decided, err := in.check(unit, caller)
		if err != nil {
			return card.Change{}, err
		}
		return card.SendBack(unit, decided, now), unknown
	})
}

// What the tables of the business call units that are sent back.
const (
	OpRework Operation = "rework"
)

var reworkNoun = noun{
	operations: []operationRow{
		{operation: OpRework, permission: Decide, subject: AboutUnit, signed: SignRework},
	},
	actions: []actionRow{
		{action: card.ActionSerialReworked, of: only(RecordSerial), moves: true, signed: SignRework},
	},
}

var scrapReasons = []card.ScrapReason{card.OutOfTolerance, card.ProcessDefect, card.Damaged, card.OperatorError, card.OtherReason}

// ScrapReasons returns every scrap reason in the interface's order.
func ScrapReasons() []card.ScrapReason { return append([]card.ScrapReason(nil), scrapReasons...) }

// ScrapSerialInput is the body of Scrap Serial.
type ScrapSerialInput struct {
	ExpectedStepIndex input.NumberInput `field:"expectedStepIndex"`
	Reason            input.TextInput   `field:"reason"`
	Explanation       input.TextInput   `field:"explanation"`
	UserID            input.TextInput   `field:"userId"`
}

// check judges in the order of the error table: reason, explanation, then the user.
func (in ScrapSerialInput) check(caller Caller) (scrap card.Scrap, err error) {
	if _, err := input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.NoScrapReason); err != nil {
		return scrap, err
	}
	if scrap.Reason, err = input.OneOf("reason", in.Reason, scrapReasons); err != nil {
		return scrap, err
	}
	if scrap.Explanation, err = input.OptionalWithin("explanation", in.Explanation, input.TextLimit); err != nil {
		return scrap, err
	}
	if scrap.Reason == card.OtherReason && scrap.Explanation == "" {
		return scrap, refusal.RefuseField(refusal.NoExplanation, "explanation")
	}
	scrap.By, err = requiredUser(caller, in.UserID)
	return scrap, err
}

// Check is why the request is refused for every serial, nil when it is not. A face that asks before it scraps checks that first.
func (in ScrapSerialInput) Check(caller Caller) error { return in.checkFields(caller) }

// checkFields checks the request's own fields, without a serial. An operation on many serials calls it once, before any of them.
func (in ScrapSerialInput) checkFields(caller Caller) error {
	_, err := in.check(caller)
	return cmp.Or(checkExpectation(in.ExpectedStepIndex), err)
}

// rule is how the caller's request judges one serial.
func (in ScrapSerialInput) rule(caller Caller) cardRule {
	return func(unit card.Card, now ident.Timestamp) (card.Change, error) {
		if err := card.RefuseScrap(unit); err != nil {
			return card.Change{}, err
		}
		if err := checkExpected(unit, in.ExpectedStepIndex); err != nil {
			return card.Change{}, err
		}
		scrap, err := in.check(caller)
		if err != nil {
			return card.Change{}, err
		}
		return card.ScrapAt(unit, scrap, now), nil
	}
}

// ScrapSerial takes a serial out of production where it stands. Only Undo takes it back.
func (s *Service) ScrapSerial(ctx context.Context, id string, in ScrapSerialInput) (card.Serial, error) {
	return s.changeSerial(s.signable(ctx, in, id), id, NameSerial, in.rule(CallerOf(ctx)))
}

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
