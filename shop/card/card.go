package card

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Card is what the rules need to know of one serial: where it stands, its path, and what is exceptional about
// it. It is loaded and changed as one thing; see Store.ChangeCard.
type Card struct {
	Serial     Serial
	Path       Path                     // the zero Path when it cannot be resolved
	Exceptions map[string]StepException // by step id: the steps the serial bypassed
	Overrides  map[string]Override      // by step id: the active overrides
	Holds      []Hold                   // the open ones, oldest first
	ExternalID string                   // of its unit, as a card has it that is read by itself or for units in no order

	// What there is only on a path with characteristics:
	Readings    []Measurement      // those that are not voided, oldest first
	Concessions []Concession       // the decisions to use the unit as it is
	Arrivals    map[string]Arrival // by step id: where it was counted
}

// StepStatus is the state of one step for one serial.
type StepStatus string

// The step statuses.
const (
	StepPending    StepStatus = "pending"
	StepInProgress StepStatus = "in_progress"
	StepCompleted  StepStatus = "completed"
	StepSkipped    StepStatus = "skipped"
	StepDeferred   StepStatus = "deferred"
	StepWaived     StepStatus = "waived"
)

// StepException records the status of a step that a serial bypassed. Every other status follows from the position.
type StepException struct {
	StepID    string
	Status    StepStatus
	UpdatedAt ident.Timestamp
}

// SerialStepStatus is the contract's SnStepStatus.
type SerialStepStatus struct {
	ID        string          `json:"id"`
	SerialID  string          `json:"serialId"`
	StepID    string          `json:"stepId"`
	StepIndex int             `json:"stepIndex"`
	Status    StepStatus      `json:"status"`
	UpdatedAt ident.Timestamp `json:"updatedAt"`
}

// Change is what an operation changes about one serial, with the audit entries that tell of it.
// A store applies all of it or nothing.
type Change struct {
	Serial     Serial          // the serial afterwards
	Moved      bool            // whether Serial differs from before
	Rewritten  bool            // whether Serial also lost what it was closed with, or is in another pass
	Exceptions []StepException // statuses to record
	Lifted     []string        // steps whose recorded status goes, so that it follows from the position again
	Reversed   []Override      // overrides to make inactive
	Held       []Hold          // holds to place
	Released   []Hold          // holds to release
	Arrived    []string        // steps at which the unit is to be counted, unless it was
	Audit      []trail.Entry
	Remember   *Remembered // what to remember of it, nil for nothing; see Memory.Remember
}

// EntryAbout is an entry about a serial and, unless stepID is "", one of its steps.
func EntryAbout(serial Serial, action trail.Action, stepID, userID string, now ident.Timestamp) trail.Entry {
	return trail.Entry{
		Action: action, UserID: userID, Timestamp: now,
		SerialID: serial.ID, JobID: serial.JobID, PathID: serial.PathID, StepID: stepID,
	}
}

// StepStatus derives the status of the step at index i of the path: a serial has completed what lies before its
// position, is at its position, and has the rest before it, except for the steps that it bypassed.
func (c Card) StepStatus(i int) StepStatus {
	if exception, ok := c.Exceptions[c.Path.Steps[i].ID]; ok {
		return exception.Status
	}
	switch {
	case i < c.Serial.Position:
		return StepCompleted
	case i > c.Serial.Position:
		return StepPending
	case c.Serial.LeftLastStep():
		return StepPending // it had left its last step before this one was appended (docs/api/paths.md, "Changing the steps of a path")
	}
	return StepInProgress
}

// EffectivelyOptional reports whether the step at index i is optional or overridden for this serial.
func (c Card) EffectivelyOptional(i int) bool {
	step := &c.Path.Steps[i]
	if step.Optional {
		return true
	}
	_, overridden := c.Overrides[step.ID]
	return overridden
}

// Apply returns the card as it is after the change; c keeps what it has. Stores that commit several changes to one
// serial together hand each the card that the one before it left.
func (c Card) Apply(change Change) Card {
	c.Serial = change.Serial
	if len(change.Exceptions)+len(change.Lifted) > 0 {
		exceptions := make(map[string]StepException, len(c.Exceptions)+len(change.Exceptions))
		maps.Copy(exceptions, c.Exceptions)
		for _, stepID := range change.Lifted {
			delete(exceptions, stepID)
		}
		for _, exception := range change.Exceptions {
			exceptions[exception.StepID] = exception
		}
		c.Exceptions = exceptions
	}
	if len(change.Reversed) > 0 {
		overrides := make(map[string]Override, len(c.Overrides))
		maps.Copy(overrides, c.Overrides)
		for _, override := range change.Reversed {
			delete(overrides, override.StepID)
		}
		c.Overrides = overrides
	}
	if len(change.Held)+len(change.Released) > 0 {
		c.Holds = slices.Concat(c.Holds, change.Held)
		for _, released := range change.Released {
			c.Holds = slices.DeleteFunc(c.Holds, func(hold Hold) bool { return hold.ID == released.ID })
		}
		if len(c.Holds) == 0 {
			c.Holds = nil // as a card is read that has none
		}
	}
	return c
}

// Current is the step that the serial stands on, nil when it is closed.
func (c Card) Current() *ProcessStep {
	if c.Serial.Status != InProgress {
		return nil
	}
	return c.stepAt(c.Serial.Position)
}

// Next is the step behind the current one, nil when there is none.
func (c Card) Next() *ProcessStep {
	if c.Current() == nil {
		return nil
	}
	return c.stepAt(c.Serial.Position + 1)
}

func (c Card) stepAt(i int) *ProcessStep {
	if i < 0 || i >= len(c.Path.Steps) {
		return nil
	}
	return &c.Path.Steps[i]
}

// NoteStep is the step that a note on the serial belongs to: the one it stands on, and for a serial that left its last
// step, that one. The path must have steps.
func (c Card) NoteStep() ProcessStep {
	return c.Path.Steps[min(c.Serial.Position, len(c.Path.Steps)-1)]
}

// CheckCard refuses cards that only a damaged database has, before a rule relies on them.
func CheckCard(card Card) error {
	if card.Path.ID == "" {
		return NamePath.NotFound(card.Serial.PathID)
	}
	if card.Serial.Position < 0 || (card.Serial.Status != Completed && card.Serial.Position >= len(card.Path.Steps)) {
		return fmt.Errorf("serial %s stands at position %d of a path with %d steps",
			card.Serial.ID, card.Serial.Position, len(card.Path.Steps))
	}
	return nil
}

// stepStatusID derives the identifier of the status of one step for one serial: the pair is the record.
func stepStatusID(serialID, stepID string) string {
	return StepStatusPrefix + serialID + "_" + strings.TrimPrefix(stepID, StepPrefix)
}
