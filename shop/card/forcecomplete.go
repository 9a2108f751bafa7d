package card

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// RefuseForceComplete returns the refusal to force-complete a serial because of its state, or nil.
func RefuseForceComplete(card Card) error {
	return refuseClosed(card.Serial, refusal.ForceCompleteScrapped, refusal.SerialCompleted)
}

// Forceable returns the steps that remain open when a serial is force-completed, or the refusal to force-complete it.
func Forceable(card Card) (open []string, err error) {
	if err := RefuseForceComplete(card); err != nil {
		return nil, err
	}
	if open = incompleteRequiredSteps(card); len(open) == 0 {
		return nil, refusal.Refuse(refusal.NothingOpen)
	}
	return open, nil
}

// incompleteRequiredSteps lists, in path order, the steps that are not effectively optional and neither completed
// nor waived (docs/api/units.md, "Closing a unit").
func incompleteRequiredSteps(card Card) []string {
	var open []string
	for i := range card.Path.Steps {
		status := card.StepStatus(i)
		if status != StepCompleted && status != StepWaived && !card.EffectivelyOptional(i) {
			open = append(open, card.Path.Steps[i].ID)
		}
	}
	return open
}

// ForceComplete completes a unit with these open steps.
func ForceComplete(card Card, open []string, reason, userID string, now ident.Timestamp) Change {
	serial := card.Serial
	serial.Status, serial.UpdatedAt = Completed, now
	serial.Completion = &ForceCompletion{By: userID, At: now, Reason: reason}
	entry := EntryAbout(serial, ActionSerialForceCompleted, "", userID, now)
	entry.Metadata = trail.Metadata(struct {
		IncompleteStepIDs []string `json:"incompleteStepIds"`
		Reason            string   `json:"reason,omitempty"`
	}{open, reason})
	return Change{Serial: serial, Moved: true, Audit: []trail.Entry{entry}}
}
