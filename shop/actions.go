package shop

import (
	"cmp"
	"slices"
	"time"

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
	Card        RouteCard
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
	card := asked.Card
	if checkCard(card) != nil {
		return nil
	}
	_, forced := forceable(card)
	actions := []Action{
		onSerial(OpAdvance, cmp.Or(refuseAdvance(card), refuseHeld(card), refuseLeaving(card))),
		onSerial(OpScrap, refuseScrap(card)),
		onSerial(OpForceComplete, cmp.Or(refuseForceComplete(card), refuseHeld(card), forced)),
		onSerial(OpAttach, attachable(card)),
		onSerial(OpNote, nil),
		onSerial(OpHold, refusePlacingHold(card)),
		onSerial(OpReport, nil),
		onSerial(OpSetSerialNumber, refuseRenumber(asked.Caller, card.Serial.SerialNumber)),
	}
	actions = append(actions, jumps(card)...)
	actions = append(actions, reworks(card)...)
	actions = append(actions, onSteps(card)...)
	return append(actions, asked.onRecords()...)
}

// jumps are the steps beyond the next one that a serial could be moved to.
func jumps(card RouteCard) (actions []Action) {
	if card.Serial.Status != InProgress {
		return nil
	}
	found, leaving := obstaclesBefore(card, len(card.Path.Steps)), refuseLeaving(card)
	for target := card.Serial.Position + 2; target <= len(card.Path.Steps); target++ {
		refusal := cmp.Or(refuseAdvanceTo(card), refuseHeld(card), leaving)
		if refusal == nil {
			refusal = checkTargetBehind(found, card, int64(target))
		}
		action := Action{Operation: OpAdvanceTo, StepIndex: target, Refusal: refusal}
		if target < len(card.Path.Steps) {
			action.StepID = card.Path.Steps[target].ID
		}
		actions = append(actions, action)
	}
	return actions
}

// reworks are the steps that a serial could be sent back to.
func reworks(card RouteCard) (actions []Action) {
	refusal := cmp.Or(refuseRework(card), refuseHeld(card))
	for target, step := range card.Path.Steps {
		if checkReworkTarget(card, int64(target)) == nil {
			actions = append(actions, Action{Operation: OpRework, StepID: step.ID, StepIndex: target, Refusal: refusal})
		}
	}
	return actions
}

// onSteps are what could be done with the steps of a serial.
func onSteps(card RouteCard) (actions []Action) {
	for i, step := range card.Path.Steps {
		onStep := func(operation Operation, refusal error) {
			actions = append(actions, Action{Operation: operation, StepID: step.ID, StepIndex: i, Refusal: refusal})
		}
		status := card.StepStatus(i)
		if status == StepDeferred {
			onStep(OpCompleteDeferred, cmp.Or(refuseCompleteAs(status), refuseHeld(card), refuseUnmeasured(card, i)))
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

// onRecords are what could be done with the records that hang on a serial, and with its last change.
func (asked Asked) onRecords() (actions []Action) {
	onRecord := func(operation Operation, id string, refusal error) {
		actions = append(actions, Action{Operation: operation, StepIndex: -1, RecordID: id, Refusal: refusal})
	}
	for _, hold := range asked.Card.Holds {
		onRecord(OpRelease, hold.ID, nil)
	}
	if last := asked.LastChange; last != nil {
		onRecord(OpUndo, last.Entry.ID, cmp.Or(last.refuse(asked.Caller), refuseRestart(asked.Card, last.Before)))
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

// Unresolved reports whether a step still waits to be performed (docs/decisions.md, its first words).
func Unresolved(status StepStatus) bool {
	return slices.Contains([]StepStatus{StepPending, StepInProgress, StepDeferred}, status)
}

func onSerial(operation Operation, refusal error) Action {
	return Action{Operation: operation, StepIndex: -1, Refusal: refusal}
}
