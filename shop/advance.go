package shop

import (
	"cmp"
	"context"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Bypass says what became of a step that an advance passed over.
type Bypass struct {
	StepID         string     `json:"stepId"`
	StepName       string     `json:"stepName"`
	Classification StepStatus `json:"classification"` // StepSkipped or StepDeferred
}

// Advancement answers Advance to Step.
type Advancement struct {
	Serial   Serial   `json:"serial"`
	Bypassed []Bypass `json:"bypassed"`
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
	return func(card RouteCard, now ident.Timestamp) (CardChange, error) {
		if err := refuseAdvance(card); err != nil {
			return CardChange{}, err
		}
		if err := checkExpected(card, in.ExpectedStepIndex); err != nil {
			return CardChange{}, err
		}
		if err := cmp.Or(refuseHeld(card), refuseLeaving(card)); err != nil {
			return CardChange{}, err
		}
		userID, err := userOrAnonymous(caller, in.UserID)
		if err != nil {
			return CardChange{}, err
		}
		return advanceByOne(card, userID, now), nil
	}
}

// AdvanceSerial moves a serial exactly one step forward; from its last step it completes it.
// A user that is missing or empty is recorded as anonymous.
func (s *Service) AdvanceSerial(ctx context.Context, id string, in AdvanceSerialInput) (Serial, error) {
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
func (in AdvanceToStepInput) judge(caller Caller, card RouteCard, now ident.Timestamp) (CardChange, []Bypass, error) {
	if err := refuseAdvanceTo(card); err != nil {
		return CardChange{}, nil, err
	}
	if err := checkExpected(card, in.ExpectedStepIndex); err != nil {
		return CardChange{}, nil, err
	}
	if err := cmp.Or(refuseHeld(card), refuseLeaving(card)); err != nil {
		return CardChange{}, nil, err
	}
	target, err := in.target()
	if err != nil {
		return CardChange{}, nil, err
	}
	if err := checkTarget(card, target); err != nil {
		return CardChange{}, nil, err
	}
	userID, err := requiredUser(caller, in.UserID)
	if err != nil {
		return CardChange{}, nil, err
	}
	change, bypassed := advanceTo(card, int(target), userID, now)
	return change, bypassed, nil
}

func (in AdvanceToStepInput) rule(caller Caller) cardRule {
	return func(card RouteCard, now ident.Timestamp) (CardChange, error) {
		change, _, err := in.judge(caller, card, now)
		return change, err
	}
}

// AdvanceToStep moves a serial forward to a step, or to completion when the target is the number of steps, as far
// as the path's mode and the steps between allow. It answers what became of those steps.
func (s *Service) AdvanceToStep(ctx context.Context, id string, in AdvanceToStepInput) (Advancement, error) {
	caller := CallerOf(ctx)
	var done Advancement
	err := s.changeCard(ctx, id, NameSerial, &done, func(card RouteCard, now ident.Timestamp) (CardChange, error) {
		change, bypassed, err := in.judge(caller, card, now)
		done = Advancement{Serial: change.Serial, Bypassed: bypassed}
		return change, err
	})
	return done, err
}

// refuseClosed refuses an operation on a serial in a terminal state, for the operation's own reasons.
func refuseClosed(serial Serial, scrapped, completed *refusal.Reason) error {
	switch serial.Status {
	case Scrapped:
		return refusal.Refuse(scrapped)
	case Completed:
		return refusal.Refuse(completed)
	case InProgress:
	}
	return nil
}

// checkExpected refuses when the serial does not stand where the caller expects it: somebody else was quicker, or the same
// request arrived twice. It refuses no caller who expects nothing.
func checkExpected(card RouteCard, expected input.NumberInput) error {
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

// refuseAdvance says why a serial cannot be moved one step forward.
func refuseAdvance(card RouteCard) error {
	return refuseClosed(card.Serial, refusal.AdvanceScrapped, refusal.AdvanceCompleted)
}

// refuseAdvanceTo says why a serial cannot be moved to any step; checkTarget judges the one that is asked for.
func refuseAdvanceTo(card RouteCard) error {
	return refuseClosed(card.Serial, refusal.AdvanceScrapped, refusal.AdvanceToCompleted)
}

// obstacles are the indexes of the first physical step and of the first gate ahead that block a serial; len(Steps) where
// there is none.
type obstacles struct{ physical, gate int }

// obstaclesBefore looks for them between the serial and a target.
func obstaclesBefore(card RouteCard, target int) obstacles {
	found := obstacles{len(card.Path.Steps), len(card.Path.Steps)}
	for i := min(target, len(card.Path.Steps)) - 1; i > card.Serial.Position; i-- {
		if blocks(card, i, Physical) {
			found.physical = i
		}
		if blocks(card, i, CompletionGate) {
			found.gate = i
		}
	}
	return found
}

// checkTarget refuses the targets that the path's mode, or a step in between, does not allow.
func checkTarget(card RouteCard, target int64) error {
	return checkTargetBehind(obstaclesBefore(card, int(min(target, int64(len(card.Path.Steps))))), card, target)
}

// checkTargetBehind judges a target by the obstacles found. They may cover steps up to this target or further.
// Physical steps are judged before gates (docs/decisions.md, "Moving").
func checkTargetBehind(found obstacles, card RouteCard, target int64) error {
	position, count := card.Serial.Position, len(card.Path.Steps)
	switch {
	case target <= int64(position):
		return refusal.RefuseField(refusal.TargetBehind, "targetStepIndex")
	case target > int64(count):
		return refusal.RefuseField(refusal.TargetOutOfRange, "targetStepIndex")
	}
	switch card.Path.AdvancementMode {
	case Strict:
		if target != int64(position)+1 {
			return refusal.Refuse(refusal.PathStrict)
		}
	case Flexible, PerStep:
		if int64(found.physical) < target {
			return refusal.Refuse(refusal.StepPhysical)
		}
		if int64(found.gate) < target {
			return refusal.Refuse(refusal.StepGate)
		}
	}
	return nil
}

// blocks reports whether the step at index i is of this kind and blocks a serial that would pass it. A physical step blocks
// until it is completed; a gate blocks while it is unresolved (docs/decisions.md, "Moving").
func blocks(card RouteCard, i int, kind DependencyType) bool {
	if card.Path.Steps[i].DependencyType != kind || card.EffectivelyOptional(i) {
		return false
	}
	switch card.StepStatus(i) {
	case StepCompleted:
		return false
	case StepWaived, StepSkipped:
		return kind != CompletionGate
	case StepPending, StepInProgress, StepDeferred:
	}
	return true
}

// advanceTo moves the serial to a target that checkTarget allows.
func advanceTo(card RouteCard, target int, userID string, now ident.Timestamp) (CardChange, []Bypass) {
	change := move(card, target, ActionSerialAdvanced, userID, now)
	bypassed := []Bypass{}
	for i := card.Serial.Position + 1; i < target; i++ {
		if status, bypasses := change.bypass(card, i, userID, now); bypasses {
			step := &card.Path.Steps[i]
			bypassed = append(bypassed, Bypass{StepID: step.ID, StepName: step.Name, Classification: status})
		}
	}
	return change, bypassed
}

// bypass records that the serial leaves the step at index i behind undone, and tells of it. A step that is completed or
// waived keeps its status and is not bypassed (docs/decisions.md, "Moving").
func (c *CardChange) bypass(card RouteCard, i int, userID string, now ident.Timestamp) (status StepStatus, bypasses bool) {
	switch card.StepStatus(i) {
	case StepCompleted, StepWaived:
		return "", false
	case StepPending, StepInProgress, StepSkipped, StepDeferred:
	}
	status, action := StepDeferred, ActionStepDeferred
	if card.EffectivelyOptional(i) {
		status, action = StepSkipped, ActionStepSkipped
	}
	stepID := card.Path.Steps[i].ID
	c.Exceptions = append(c.Exceptions, StepException{StepID: stepID, Status: status, UpdatedAt: now})
	c.Audit = append(c.Audit, entryAbout(card.Serial, action, stepID, userID, now))
	if status == StepDeferred {
		c.arrive(card, i)
	}
	return status, true
}

// advanceByOne moves the serial one step forward. Completing it this way has an action of its own.
func advanceByOne(card RouteCard, userID string, now ident.Timestamp) CardChange {
	target, action := card.Serial.Position+1, ActionSerialAdvanced
	if target >= len(card.Path.Steps) {
		action = ActionSerialCompleted
	}
	return move(card, target, action, userID, now)
}

// move puts the serial on the step at index target, or completes it when there is none, and tells of it. The steps'
// statuses follow from the position.
func move(card RouteCard, target int, action trail.Action, userID string, now ident.Timestamp) CardChange {
	serial := card.Serial
	entry := trail.Entry{
		Action: action, UserID: userID, Timestamp: now,
		SerialID: serial.ID, JobID: serial.JobID, PathID: serial.PathID,
		FromStepID: card.Path.Steps[serial.Position].ID,
	}
	serial.Position, serial.UpdatedAt = target, now
	if target < len(card.Path.Steps) {
		entry.ToStepID = card.Path.Steps[target].ID
	} else {
		serial.Status = Completed
	}
	change := CardChange{Serial: serial, Moved: true, Audit: []trail.Entry{entry}}
	change.arrive(card, target)
	return change
}
