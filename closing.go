package routecard

import (
	"cmp"
	"context"
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
	ExpectedStepIndex NumberInput
	Reason            TextInput
	Explanation       TextInput
	UserID            TextInput
}

// check judges in the order of the error table: reason, explanation, then the user.
func (in ScrapSerialInput) check(caller Caller) (scrap Scrap, err error) {
	if _, err := requiredText("reason", in.Reason, textLimit, "Scrap reason is required"); err != nil {
		return scrap, err
	}
	if scrap.Reason, err = oneOf("reason", in.Reason, scrapReasons); err != nil {
		return scrap, err
	}
	if scrap.Explanation, err = optionalText("explanation", in.Explanation, textLimit); err != nil {
		return scrap, err
	}
	if scrap.Reason == OtherReason && scrap.Explanation == "" {
		return scrap, invalid(`Explanation is required when scrap reason is "other"`)
	}
	scrap.By, err = requiredUser(caller, in.UserID)
	return scrap, err
}

// checkFields judges what is the request's and no serial's, for those who ask for many serials at once.
func (in ScrapSerialInput) checkFields(caller Caller) error {
	_, err := in.check(caller)
	return cmp.Or(checkExpectation(in.ExpectedStepIndex), err)
}

// rule is how the caller's request judges one serial.
func (in ScrapSerialInput) rule(caller Caller) cardRule {
	return func(card RouteCard, now Timestamp) (CardChange, error) {
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
	return s.changeSerial(ctx, id, serialNotFound, in.rule(CallerOf(ctx)))
}

// refuseScrap says why a serial cannot be scrapped.
func refuseScrap(card RouteCard) error {
	return refuseClosed(card.Serial, "Serial is already scrapped", "Cannot scrap a completed serial")
}

func scrapAt(card RouteCard, scrap Scrap, now Timestamp) CardChange {
	serial := card.Serial
	scrap.At = now
	scrap.StepID = card.Path.Steps[serial.Position].ID
	serial.Status, serial.Scrap, serial.UpdatedAt = Scrapped, &scrap, now
	entry := entryAbout(serial, ActionSerialScrapped, scrap.StepID, scrap.By, now)
	entry.Metadata = metadata(struct {
		Reason      ScrapReason `json:"reason"`
		Explanation string      `json:"explanation,omitempty"`
	}{scrap.Reason, scrap.Explanation})
	return CardChange{Serial: serial, Moved: true, Audit: []AuditEntry{entry}}
}

// ForceCompleteInput is the body of Force Complete Serial.
type ForceCompleteInput struct {
	ExpectedStepIndex NumberInput
	Reason            TextInput
	UserID            TextInput
}

// check judges the reason, then the user.
func (in ForceCompleteInput) check(caller Caller) (reason, userID string, err error) {
	if reason, err = optionalText("reason", in.Reason, textLimit); err != nil {
		return "", "", err
	}
	userID, err = requiredUser(caller, in.UserID)
	return reason, userID, err
}

// checkFields judges what is the request's and no serial's, for those who ask for many serials at once.
func (in ForceCompleteInput) checkFields(caller Caller) error {
	_, _, err := in.check(caller)
	return cmp.Or(checkExpectation(in.ExpectedStepIndex), err)
}

// rule is how the caller's request judges one serial.
func (in ForceCompleteInput) rule(caller Caller) cardRule {
	return func(card RouteCard, now Timestamp) (CardChange, error) {
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
	return s.changeSerial(ctx, id, serialNotFound, in.rule(CallerOf(ctx)))
}

// refuseForceComplete says why no serial in its state can be force-completed.
func refuseForceComplete(card RouteCard) error {
	return refuseClosed(card.Serial, "Cannot force-complete a scrapped serial", "Serial is already completed")
}

// forceable returns the steps that stay open when a serial is force-completed, or says why it cannot be.
func forceable(card RouteCard) (open []string, err error) {
	if err := refuseForceComplete(card); err != nil {
		return nil, err
	}
	if open = incompleteRequiredSteps(card); len(open) == 0 {
		return nil, invalid("Serial has no incomplete required steps — use normal completion")
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

func forceComplete(card RouteCard, open []string, reason, userID string, now Timestamp) CardChange {
	serial := card.Serial
	serial.Status, serial.UpdatedAt = Completed, now
	serial.Completion = &ForceCompletion{By: userID, At: now, Reason: reason}
	entry := entryAbout(serial, ActionSerialForceCompleted, "", userID, now)
	entry.Metadata = metadata(struct {
		IncompleteStepIDs []string `json:"incompleteStepIds"`
		Reason            string   `json:"reason,omitempty"`
	}{open, reason})
	return CardChange{Serial: serial, Moved: true, Audit: []AuditEntry{entry}}
}
