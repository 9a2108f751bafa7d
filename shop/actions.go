package shop

import (
	"cmp"
	"slices"
)

// Action is one thing that could be done with a serial now. It is judged by the very rule that judges the operation,
// so what is offered is what is allowed, as long as the card is as it was.
type Action struct {
	Operation Operation
	StepID    string // the step it is about; "" for actions on the serial itself and for completion
	StepIndex int    // the target of OpAdvanceTo, the step's place otherwise; -1 for actions on the serial itself
	Refusal   string // why it is not allowed, in the contract's words; "" when it is
}

// Allowed reports whether the action would be accepted.
func (a Action) Allowed() bool { return a.Refusal == "" }

// Actions lists what could be done with a serial: first with the serial itself, then the steps it could be moved to
// (beyond the next one), then with its steps in path order. Actions that make no sense for a step, such as waiving one
// that was not deferred, are left out; those that a rule refuses carry its reason.
func Actions(card RouteCard) []Action {
	if checkCard(card) != nil {
		return nil
	}
	_, forced := forceable(card)
	actions := []Action{
		onSerial(OpAdvance, cmp.Or(refuseAdvance(card), refuseHeld(card))),
		onSerial(OpScrap, refuseScrap(card)),
		onSerial(OpForceComplete, cmp.Or(refuseForceComplete(card), refuseHeld(card), forced)),
		onSerial(OpAttach, attachable(card)),
	}
	found := obstaclesBefore(card, len(card.Path.Steps))
	for target := card.Serial.Position + 2; target <= len(card.Path.Steps); target++ {
		refusal := cmp.Or(refuseAdvanceTo(card), refuseHeld(card))
		if refusal == nil {
			refusal = checkTargetBehind(found, card, int64(target))
		}
		action := Action{Operation: OpAdvanceTo, StepIndex: target, Refusal: reason(refusal)}
		if target < len(card.Path.Steps) {
			action.StepID = card.Path.Steps[target].ID
		}
		actions = append(actions, action)
	}
	for i, step := range card.Path.Steps {
		onStep := func(operation Operation, refusal error) {
			actions = append(actions, Action{operation, step.ID, i, reason(refusal)})
		}
		status := card.StepStatus(i)
		if status == StepDeferred {
			onStep(OpCompleteDeferred, cmp.Or(refuseCompleteAs(status), refuseHeld(card)))
			onStep(OpWaive, refuseWaiveAt(card, i))
		}
		if _, overridden := card.Overrides[step.ID]; overridden {
			onStep(OpReverseOverride, refuseReverseOf(status))
		} else if Unresolved(status) && !step.Optional && card.Serial.Status == InProgress {
			_, refusal := overridableAt(card, i)
			onStep(OpOverride, refusal)
		}
	}
	return actions
}

// unresolved reports whether a step still waits to be performed (docs/decisions.md, its first words).
func Unresolved(status StepStatus) bool {
	return slices.Contains([]StepStatus{StepPending, StepInProgress, StepDeferred}, status)
}

func onSerial(operation Operation, refusal error) Action {
	return Action{Operation: operation, StepIndex: -1, Refusal: reason(refusal)}
}

func reason(refusal error) string {
	if refusal == nil {
		return ""
	}
	return refusal.Error()
}
