package card

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Rework is a decision to send a serial back to an earlier step.
type Rework struct {
	Target           int
	Reason           string
	NonconformanceID string // "" when no report required it
	By               string
	// Pass is the number of the pass that begins, above all earlier ones of the unit: the numbers of undone passes are not used again, so
	// that nothing that was recorded in them counts. 0 means the number after the current pass.
	Pass int
}

// ReworkMetadata is the metadata of the audit entry of a rework.
type ReworkMetadata struct {
	Reason           string `json:"reason"`
	Pass             int    `json:"pass"` // the pass that begins
	NonconformanceID string `json:"nonconformanceId,omitempty"`
}

// Reasons for refusing a rework.
var (
	ReworkScrapped = refusal.NewReason(refusal.Invalid, "serial_scrapped", "Cannot rework a scrapped serial")
	TargetAhead    = refusal.NewReason(refusal.Invalid, "target_ahead", "Cannot rework to a step after the current position")
)

// RefuseRework returns the refusal to send a serial back because of its state, or nil.
func RefuseRework(card Card) error {
	if card.Serial.Status == Scrapped {
		return refusal.Refuse(ReworkScrapped)
	}
	return RefuseRestart(card, InProgress)
}

// CheckReworkTarget refuses a step that a serial cannot be sent back to. A completed serial can be sent back to any step.
func CheckReworkTarget(card Card, target int64) error {
	switch {
	case card.Serial.Status == InProgress && target > int64(card.Serial.Position):
		return refusal.RefuseField(TargetAhead, "targetStepIndex")
	case target < 0 || target >= int64(len(card.Path.Steps)):
		return refusal.RefuseField(TargetOutOfRange, "targetStepIndex")
	}
	return nil
}

// SendBack begins another pass: the steps from the target on are pending again, except waived steps, so their gates block again. Overrides
// stay. If a serial that was completed with open steps is sent to a step after some of its open steps, the serial bypasses these steps as
// in an advance.
func SendBack(card Card, decided Rework, now ident.Timestamp) Change {
	serial := card.Serial
	serial.Position, serial.Status, serial.Completion, serial.UpdatedAt = decided.Target, InProgress, nil, now
	serial.Reworks = max(serial.Reworks+1, decided.Pass-1)
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

// undoneByRework lists the steps from the target on whose recorded status is deleted: steps that were skipped, deferred or completed late.
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
