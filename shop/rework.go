package shop

import (
	"cmp"
	"context"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
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

// rework is a decision to send a serial back.
type rework struct {
	target           int
	reason           string
	nonconformanceID string // "" when no report asked for it
	by               string
}

func (in ReworkSerialInput) check(card RouteCard, caller Caller) (decided rework, err error) {
	target, err := targetStepIndex(in.TargetStepIndex)
	if err != nil {
		return decided, err
	}
	if err := checkReworkTarget(card, target); err != nil {
		return decided, err
	}
	decided.target = int(target)
	if decided.reason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required); err != nil {
		return decided, err
	}
	if decided.nonconformanceID, err = input.OptionalWithin("nonconformanceId", in.NonconformanceID, input.NameLimit); err != nil {
		return decided, err
	}
	decided.by, err = requiredUser(caller, in.UserID)
	return decided, err
}

// ReworkSerial sends a serial back to a step at or before the one it stands on, or a completed one to any step.
func (s *Service) ReworkSerial(ctx context.Context, id string, in ReworkSerialInput) (Serial, error) {
	ctx = s.signable(ctx, in, id)
	caller, unknown := CallerOf(ctx), s.unknownReport(ctx, in.NonconformanceID)
	return s.changeSerial(ctx, id, NameSerial, func(card RouteCard, now ident.Timestamp) (CardChange, error) {
		if err := cmp.Or(refuseRework(card), checkExpected(card, in.ExpectedStepIndex), refuseHeld(card)); err != nil {
			return CardChange{}, err
		}
		decided, err := in.check(card, caller)
		if err != nil {
			return CardChange{}, err
		}
		return sendBack(card, decided, now), unknown
	})
}

// refuseRework says why a serial cannot be sent back at all.
func refuseRework(card RouteCard) error {
	if card.Serial.Status == Scrapped {
		return refusal.Refuse(ReworkScrapped)
	}
	return refuseRestart(card, InProgress)
}

// checkReworkTarget refuses steps that a serial cannot be sent back to. A completed one can be sent to any.
func checkReworkTarget(card RouteCard, target int64) error {
	switch {
	case card.Serial.Status == InProgress && target > int64(card.Serial.Position):
		return refusal.RefuseField(TargetAhead, "targetStepIndex")
	case target < 0 || target >= int64(len(card.Path.Steps)):
		return refusal.RefuseField(refusal.TargetOutOfRange, "targetStepIndex")
	}
	return nil
}

// sendBack begins another pass: the steps from the target on are pending again, but for those that were waived, and so
// their gates block again. Overrides stay. A serial that was completed with steps open can be sent to a step behind them:
// it bypasses those, as an advance would.
func sendBack(card RouteCard, decided rework, now ident.Timestamp) CardChange {
	serial := card.Serial
	serial.Position, serial.Status, serial.Completion, serial.UpdatedAt = decided.target, InProgress, nil, now
	serial.Reworks++
	entry := trail.Entry{
		Action: ActionSerialReworked, UserID: decided.by, Timestamp: now,
		SerialID: serial.ID, JobID: serial.JobID, PathID: serial.PathID,
		FromStepID: standingOn(card), ToStepID: card.Path.Steps[decided.target].ID,
		Metadata: trail.Metadata(reworkMetadata{decided.reason, serial.Pass(), decided.nonconformanceID}),
	}
	change := CardChange{
		Serial: serial, Moved: true, Rewritten: true, Lifted: undoneByRework(card, decided.target), Audit: []trail.Entry{entry},
	}
	change.arrive(card, decided.target)
	for i := card.Serial.Position; i < decided.target; i++ {
		change.bypass(card, i, decided.by, now)
	}
	return change
}

// reworkMetadata is what the trail tells of a rework beside the steps.
type reworkMetadata struct {
	Reason           string `json:"reason"`
	Pass             int    `json:"pass"` // the one that begins
	NonconformanceID string `json:"nonconformanceId,omitempty"`
}

// undoneByRework lists the steps from the target on whose recorded status goes: what was skipped, deferred or done late.
func undoneByRework(card RouteCard, target int) []string {
	var lifted []string
	for i := target; i < len(card.Path.Steps); i++ {
		stepID := card.Path.Steps[i].ID
		if exception, ok := card.Exceptions[stepID]; ok && exception.Status != StepWaived {
			lifted = append(lifted, stepID)
		}
	}
	return lifted
}

// What the tables of the business call units that are sent back.
const (
	OpRework Operation = "rework"

	ActionSerialReworked trail.Action = "serial_reworked"
)

// Why it is refused.
var (
	ReworkScrapped = refusal.NewReason(refusal.Invalid, "serial_scrapped", "Cannot rework a scrapped serial")
	TargetAhead    = refusal.NewReason(refusal.Invalid, "target_ahead", "Cannot rework to a step after the current position")
)

var reworkNoun = noun{
	operations: []operationRow{
		{operation: OpRework, permission: Decide, subject: AboutUnit, signed: SignRework},
	},
	actions: []actionRow{
		{action: ActionSerialReworked, of: only(RecordSerial), moves: true, replay: (*Replayed).reworked, signed: SignRework},
	},
}
