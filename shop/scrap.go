package shop

import (
	"cmp"
	"context"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

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
