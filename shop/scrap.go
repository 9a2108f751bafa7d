package shop

import (
	"cmp"
	"context"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// ScrapReason is why a serial was scrapped.
type ScrapReason string

// The scrap reasons.
const (
	OutOfTolerance ScrapReason = "out_of_tolerance"
	ProcessDefect  ScrapReason = "process_defect"
	Damaged        ScrapReason = "damaged"
	OperatorError  ScrapReason = "operator_error"
	OtherReason    ScrapReason = "other"
)

var scrapReasons = []ScrapReason{OutOfTolerance, ProcessDefect, Damaged, OperatorError, OtherReason}

// ScrapReasons returns every scrap reason in the interface's order.
func ScrapReasons() []ScrapReason { return append([]ScrapReason(nil), scrapReasons...) }

// ScrapSerialInput is the body of Scrap Serial.
type ScrapSerialInput struct {
	ExpectedStepIndex input.NumberInput `field:"expectedStepIndex"`
	Reason            input.TextInput   `field:"reason"`
	Explanation       input.TextInput   `field:"explanation"`
	UserID            input.TextInput   `field:"userId"`
}

// check judges in the order of the error table: reason, explanation, then the user.
func (in ScrapSerialInput) check(caller Caller) (scrap Scrap, err error) {
	if _, err := input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.NoScrapReason); err != nil {
		return scrap, err
	}
	if scrap.Reason, err = input.OneOf("reason", in.Reason, scrapReasons); err != nil {
		return scrap, err
	}
	if scrap.Explanation, err = input.OptionalWithin("explanation", in.Explanation, input.TextLimit); err != nil {
		return scrap, err
	}
	if scrap.Reason == OtherReason && scrap.Explanation == "" {
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
	return func(card RouteCard, now ident.Timestamp) (CardChange, error) {
		if err := refuseScrap(card); err != nil {
			return CardChange{}, err
		}
		if err := checkExpected(card, in.ExpectedStepIndex); err != nil {
			return CardChange{}, err
		}
		scrap, err := in.check(caller)
		if err != nil {
			return CardChange{}, err
		}
		return scrapAt(card, scrap, now), nil
	}
}

// ScrapSerial takes a serial out of production where it stands. Only Undo takes it back.
func (s *Service) ScrapSerial(ctx context.Context, id string, in ScrapSerialInput) (Serial, error) {
	return s.changeSerial(s.signable(ctx, in, id), id, NameSerial, in.rule(CallerOf(ctx)))
}

// refuseScrap says why a serial cannot be scrapped.
func refuseScrap(card RouteCard) error {
	return refuseClosed(card.Serial, refusal.ScrapScrapped, refusal.ScrapCompleted)
}

func scrapAt(card RouteCard, scrap Scrap, now ident.Timestamp) CardChange {
	serial := card.Serial
	scrap.At = now
	scrap.StepID = card.Path.Steps[serial.Position].ID
	serial.Status, serial.Scrap, serial.UpdatedAt = Scrapped, &scrap, now
	entry := entryAbout(serial, ActionSerialScrapped, scrap.StepID, scrap.By, now)
	entry.Metadata = trail.Metadata(struct {
		Reason      ScrapReason `json:"reason"`
		Explanation string      `json:"explanation,omitempty"`
	}{scrap.Reason, scrap.Explanation})
	return CardChange{Serial: serial, Moved: true, Audit: []trail.Entry{entry}}
}
