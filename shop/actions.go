package shop

import (
	"cmp"
	"slices"
	"time"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// Action is one thing that could be done with a serial now. It is judged by the very rule that judges the operation,
// so what is offered is what is allowed, as long as the serial is as it was. Whether the caller has the permission that
// every use of the operation needs is not judged: see Operation.Permission.
type Action struct {
	Operation Operation
	StepID    string // the step it is about; "" for actions on the serial itself and for completion
	StepIndex int    // the target of OpAdvanceTo and OpRework, the step's place otherwise; -1 for actions on the serial itself
	RecordID  string // the hold, note, attachment, report or entry of the trail that it is about; "" for none
	Refusal   error  // why it is not allowed; nil when it is
}

// Allowed reports whether the action would be accepted.
func (a Action) Allowed() bool { return a.Refusal == nil }

// Asked is a serial as it stands, and who asks what could be done with it.
type Asked struct {
	Card        card.Card
	Caller      Caller
	LastChange  *LastChange  // nil when there is nothing to take back
	Notes       []Note       // of the serial, voided or not
	Attachments []Attachment // of the serial, voided or not
	Reports     []OnReport   // that the serial is on
	now         ident.Timestamp
	undoWindow  time.Duration
}

// OnReport is a report that a serial is on, and what it says of the serial.
type OnReport struct {
	ReportID string
	Status   NonconformanceStatus
	Unit     NonconformingUnit
}

// Ask begins a question of what a caller could do now.
func (s *Service) Ask(caller Caller) Asked {
	return Asked{Caller: caller, now: s.Now(), undoWindow: s.undoWindow}
}

// Actions lists what could be done with a serial: first with the serial itself, then the steps it could be moved to
// (beyond the next one) and sent back to, then with its steps in path order, then with the records that hang on it.
// Actions that make no sense, such as waiving a step that was not deferred or voiding a note that was voided, are left
// out; those that a rule refuses carry its reason.
func Actions(asked Asked) []Action {
	unit := asked.Card
	if card.CheckCard(unit) != nil {
		return nil
	}
	_, forced := card.Forceable(unit)
	actions := []Action{
		onSerial(OpAdvance, cmp.Or(card.RefuseAdvance(unit), card.RefuseHeld(unit), card.RefuseLeaving(unit))),
		onSerial(OpScrap, card.RefuseScrap(unit)),
		onSerial(OpForceComplete, cmp.Or(card.RefuseForceComplete(unit), card.RefuseHeld(unit), forced)),
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

// jumps are the steps beyond the next one that a serial could be moved to.
func jumps(unit card.Card) (actions []Action) {
	if unit.Serial.Status != card.InProgress {
		return nil
	}
	found, leaving := card.ObstaclesBefore(unit, len(unit.Path.Steps)), card.RefuseLeaving(unit)
	for target := unit.Serial.Position + 2; target <= len(unit.Path.Steps); target++ {
		refusal := cmp.Or(card.RefuseAdvanceTo(unit), card.RefuseHeld(unit), leaving)
		if refusal == nil {
			refusal = card.CheckTargetBehind(found, unit, int64(target))
		}
		action := Action{Operation: OpAdvanceTo, StepIndex: target, Refusal: refusal}
		if target < len(unit.Path.Steps) {
			action.StepID = unit.Path.Steps[target].ID
		}
		actions = append(actions, action)
	}
	return actions
}

// reworks are the steps that a serial could be sent back to.
func reworks(unit card.Card) (actions []Action) {
	refusal := cmp.Or(card.RefuseRework(unit), card.RefuseHeld(unit))
	for target, step := range unit.Path.Steps {
		if card.CheckReworkTarget(unit, int64(target)) == nil {
			actions = append(actions, Action{Operation: OpRework, StepID: step.ID, StepIndex: target, Refusal: refusal})
		}
	}
	return actions
}

// onSteps are what could be done with the steps of a serial.
func onSteps(unit card.Card) (actions []Action) {
	for i, step := range unit.Path.Steps {
		onStep := func(operation Operation, refusal error) {
			actions = append(actions, Action{Operation: operation, StepID: step.ID, StepIndex: i, Refusal: refusal})
		}
		status := unit.StepStatus(i)
		if status == card.StepDeferred {
			onStep(OpCompleteDeferred, cmp.Or(card.RefuseCompleteAs(status), card.RefuseHeld(unit), card.RefuseUnmeasured(unit, i)))
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

// onRecords are what could be done with the records that hang on a serial, and with its last change.
func (asked Asked) onRecords() (actions []Action) {
	onRecord := func(operation Operation, id string, refusal error) {
		actions = append(actions, Action{Operation: operation, StepIndex: -1, RecordID: id, Refusal: refusal})
	}
	for _, hold := range asked.Card.Holds {
		onRecord(OpRelease, hold.ID, nil)
	}
	if last := asked.LastChange; last != nil {
		onRecord(OpUndo, last.Entry.ID, cmp.Or(last.refuse(asked.Caller), card.RefuseRestart(asked.Card, last.Before)))
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

// Unresolved reports whether a step still waits to be performed (docs/api/units.md, "Moving").
func Unresolved(status card.StepStatus) bool {
	return slices.Contains([]card.StepStatus{card.StepPending, card.StepInProgress, card.StepDeferred}, status)
}

func onSerial(operation Operation, refusal error) Action {
	return Action{Operation: operation, StepIndex: -1, Refusal: refusal}
}
