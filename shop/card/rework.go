package card

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Rework is a decision to send a serial back.
type Rework struct {
	Target           int
	Reason           string
	NonconformanceID string // "" when no report asked for it
	By               string
}

// ReworkMetadata is what the trail tells of a rework beside the steps.
type ReworkMetadata struct {
	Reason           string `json:"reason"`
	Pass             int    `json:"pass"` // the one that begins
	NonconformanceID string `json:"nonconformanceId,omitempty"`
}

// Why it is refused.
var (
	ReworkScrapped = refusal.NewReason(refusal.Invalid, "serial_scrapped", "Cannot rework a scrapped serial")
	TargetAhead    = refusal.NewReason(refusal.Invalid, "target_ahead", "Cannot rework to a step after the current position")
)

// RefuseRework says why a serial cannot be sent back at all.
func RefuseRework(card Card) error {
	if card.Serial.Status == Scrapped {
		return refusal.Refuse(ReworkScrapped)
	}
	return RefuseRestart(card, InProgress)
}

// CheckReworkTarget refuses steps that a serial cannot be sent back to. A completed one can be sent to any.
func CheckReworkTarget(card Card, target int64) error {
	switch {
	case card.Serial.Status == InProgress && target > int64(card.Serial.Position):
		return refusal.RefuseField(TargetAhead, "targetStepIndex")
	case target < 0 || target >= int64(len(card.Path.Steps)):
		return refusal.RefuseField(TargetOutOfRange, "targetStepIndex")
	}
	return nil
}

// SendBack begins another pass: the steps from the target on are pending again, but for those that were waived, and so
// their gates block again. Overrides stay. A serial that was completed with steps open can be sent to a step behind them:
// it bypasses those, as an advance would.
func SendBack(card Card, decided Rework, now ident.Timestamp) Change {
	serial := card.Serial
	serial.Position, serial.Status, serial.Completion, serial.UpdatedAt = decided.Target, InProgress, nil, now
	serial.Reworks++
	entry := trail.Entry{
		Action: ActionSerialReworked, UserID: decided.By, Timestamp: now,
		SerialID: serial.ID, JobID: serial.JobID, PathID: serial.PathID,
		FromStepID: StandingOn(card), ToStepID: card.Path.Steps[decided.Target].ID,
		Metadata: trail.Metadata(ReworkMetadata{decided.Reason, serial.Pass(), decided.NonconformanceID}),
	}
	change := Change{
		Serial: serial, Moved: true, Rewritten: true, Lifted: undoneByRework(card, decided.Target), Audit: []trail.Entry{entry},
	}
	change.Arrive(card, decided.Target)
	for i := card.Serial.Position; i < decided.Target; i++ {
		change.bypass(card, i, decided.By, now)
	}
	return change
}

// undoneByRework lists the steps from the target on whose recorded status goes: what was skipped, deferred or done late.
func undoneByRework(card Card, target int) []string {
	var lifted []string
	for i := target; i < len(card.Path.Steps); i++ {
		stepID := card.Path.Steps[i].ID
		if exception, ok := card.Exceptions[stepID]; ok && exception.Status != StepWaived {
			lifted = append(lifted, stepID)
		}
	}
	return lifted
}

// Actions of the trail.
const (
	ActionSerialReworked trail.Action = "serial_reworked"
)
