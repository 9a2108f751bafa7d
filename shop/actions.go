package shop

import (
	"cmp"
	"slices"
	"time"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// Action is an operation that could be performed on a serial now. Refusal comes from the same rule that the operation runs, so an
// offered action is accepted as long as the serial does not change. The permission that every use of the operation requires is
// not checked here: see Operation.Permission.
type Action struct {
	Operation Operation
	StepID    string // the step that the action applies to; "" for actions on the serial itself and for completion
	StepIndex int    // the target of OpAdvanceTo and OpRework, otherwise the step's index; -1 for actions on the serial itself
	RecordID  string // the hold, note, attachment, report or audit entry that the action applies to; "" for none
	Refusal   error  // why the action is refused; nil when it is allowed
}

// Allowed reports whether the action would be accepted.
func (a Action) Allowed() bool { return a.Refusal == nil }

// Asked is the input of Actions: a serial's current state, and the caller.
type Asked struct {
	Card        card.Card
	Caller      Caller
	LastChange  *LastChange  // nil when no change can be undone
	Notes       []Note       // all notes of the serial, including voided ones
	Attachments []Attachment // all attachments of the serial, including voided ones
	Reports     []OnReport   // all reports that list the serial
	now         ident.Timestamp
	undoWindow  time.Duration
}

// OnReport is a report that lists a serial, with the serial's line in it.
type OnReport struct {
	ReportID string
	Status   NonconformanceStatus
	Unit     NonconformingUnit
}

// Ask returns an Asked with the caller, the time and the undo window. The caller of Ask fills in the rest.
func (s *Service) Ask(caller Caller) Asked {
	return Asked{Caller: caller, now: s.Now(), undoWindow: s.undoWindow}
}

// Actions lists the actions for a serial. First come the actions on the serial itself, then the moves to steps beyond the next step and the
// reworks to earlier steps. After these come the actions on its steps in path order, then the actions on its records. Actions that do not
// apply, such as waiving a step that was not deferred or voiding a voided note, are left out. Actions that a rule refuses carry its reason.
func Actions(asked Asked) []Action {
	unit := asked.Card
	if card.CheckCard(unit) != nil {
		return nil
	}
	_, forced := card.Forceable(unit)
	actions := []Action{
		onSerial(OpAdvance, cmp.Or(card.RefuseAdvance(unit), card.RefuseStopped(unit), card.RefuseLeaving(unit, unit.Serial.Position+1))),
		onSerial(OpScrap, card.RefuseScrap(unit)),
		onSerial(OpForceComplete, cmp.Or(card.RefuseForceComplete(unit), card.RefuseStopped(unit), forced)),
		onSerial(OpAttach, attachable(unit)),
		onSerial(OpNote, nil),
		onSerial(OpHold, card.RefusePlacingHold(unit)),
		onSerial(OpReport, nil),
		onSerial(OpSetSerialNumber, refuseRenumber(asked.Caller, unit.Serial.SerialNumber)),
	}
	actions = append(actions, jumps(unit)...)
	actions = append(actions, reworks(unit)...)
	actions = append(actions, onSteps(unit)...)
	return append(actions, asked.onRecords()...)
}

// jumps returns the actions that move a serial beyond the next step.
func jumps(unit card.Card) (actions []Action) {
	if unit.Serial.Status != card.InProgress {
		return nil
	}
	found, leaving := card.ObstaclesBefore(unit, len(unit.Path.Steps)), card.RefuseUndone(unit, unit.Serial.Position)
	for target := unit.Serial.Position + 2; target <= len(unit.Path.Steps); target++ {
		refusal := cmp.Or(card.RefuseAdvanceTo(unit), card.RefuseStopped(unit), leaving)
		if refusal == nil {
			refusal = card.CheckTargetBehind(found, unit, int64(target))
		}
		if refusal == nil && target == len(unit.Path.Steps) {
			refusal = card.RefuseCompleting(unit)
		}
		action := Action{Operation: OpAdvanceTo, StepIndex: target, Refusal: refusal}
		if target < len(unit.Path.Steps) {
			action.StepID = unit.Path.Steps[target].ID
		}
		actions = append(actions, action)
	}
	return actions
}

// reworks returns the actions that send a serial back to a step.
func reworks(unit card.Card) (actions []Action) {
	refusal := cmp.Or(card.RefuseRework(unit), card.RefuseStopped(unit))
	for target, step := range unit.Path.Steps {
		if card.CheckReworkTarget(unit, int64(target)) == nil {
			actions = append(actions, Action{Operation: OpRework, StepID: step.ID, StepIndex: target, Refusal: refusal})
		}
	}
	return actions
}

// onSteps returns the actions on a serial's steps.
func onSteps(unit card.Card) (actions []Action) {
	for i, step := range unit.Path.Steps {
		onStep := func(operation Operation, refusal error) {
			actions = append(actions, Action{Operation: operation, StepID: step.ID, StepIndex: i, Refusal: refusal})
		}
		status := unit.StepStatus(i)
		if status == card.StepDeferred {
			onStep(OpCompleteDeferred, cmp.Or(card.RefuseCompleteAs(status), card.RefuseStopped(unit), card.RefuseUndone(unit, i)))
			onStep(OpWaive, card.RefuseWaiveAt(unit, i))
		}
		if _, overridden := unit.Overrides[step.ID]; overridden {
			onStep(OpReverseOverride, card.RefuseReverseOf(status))
		} else if Unresolved(status) && !step.Optional && unit.Serial.Status == card.InProgress {
			_, refusal := card.OverridableAt(unit, i)
			onStep(OpOverride, refusal)
		}
	}
	return actions
}

// onRecords returns the actions on a serial's holds, attachments, notes and reports, and undoing its last change.
func (asked Asked) onRecords() (actions []Action) {
	onRecord := func(operation Operation, id string, refusal error) {
		actions = append(actions, Action{Operation: operation, StepIndex: -1, RecordID: id, Refusal: refusal})
	}
	for _, hold := range asked.Card.Holds {
		onRecord(OpRelease, hold.ID, nil)
	}
	if last := asked.LastChange; last != nil {
		onRecord(OpUndo, last.Entry.ID,
			cmp.Or(last.refuse(asked.Caller), card.RefuseAway(asked.Card), card.RefuseRestart(asked.Card, last.Before)))
	}
	mayVoid := func(by string, at ident.Timestamp) error {
		return mayVoid(asked.Caller, by, at, asked.now, asked.undoWindow)
	}
	for i := range asked.Attachments {
		if attachment := &asked.Attachments[i]; !attachment.Voided() {
			onRecord(OpVoid, attachment.ID, mayVoid(attachment.AttachedBy, attachment.AttachedAt))
		}
	}
	for i := range asked.Notes {
		if note := &asked.Notes[i]; !note.Voided() {
			onRecord(OpVoid, note.ID, mayVoid(note.CreatedBy, note.CreatedAt))
		}
	}
	for _, on := range asked.Reports {
		onRecord(OpDispose, on.ReportID, cmp.Or(refuseClosedReport(on.Status), on.Unit.refuseDisposition(asked.Card.Serial.Status)))
	}
	return actions
}

// Unresolved reports whether a step has yet to be performed (docs/api/units.md, "Moving").
func Unresolved(status card.StepStatus) bool {
	return slices.Contains([]card.StepStatus{card.StepPending, card.StepInProgress, card.StepDeferred}, status)
}

func onSerial(operation Operation, refusal error) Action {
	return Action{Operation: operation, StepIndex: -1, Refusal: refusal}
}
