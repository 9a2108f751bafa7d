package shop

import (
	"cmp"
	"context"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

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
		{action: card.ActionSerialReworked, of: only(RecordSerial), moves: true, replay: (*Replayed).reworked, signed: SignRework},
	},
}
