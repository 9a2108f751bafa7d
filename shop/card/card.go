package card

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Card is all that the rules need to know of one serial: its position, its path, and its exceptions. It is loaded and changed as a whole;
// see Store.ChangeCard.
type Card struct {
	Serial     Serial
	Path       Path                     // the zero Path when it cannot be resolved
	Exceptions map[string]StepException // by step id: the steps that the serial bypassed
	Overrides  map[string]Override      // by step id: the active overrides
	Holds      []Hold                   // the open holds, oldest first
	Inside     string                   // id of the unit that contains this one; "" for none
	Away       Away                     // where the unit was sent, without having been received since
	ExternalID string                   // external id of the unit; set only when the card is loaded alone or for an unordered list of units

	// Set only for paths with characteristics:
	Readings    []Measurement      // the readings that are not voided, oldest first
	Concessions []Concession       // the decisions to use the unit as it is
	Arrivals    map[string]Arrival // by step id: the unit's place in the order of arrival

	// Set only for units that keep a bill, and for paths with requirements:
	Bill      []BillEntry     // the bill in the version that the unit keeps; nil for none
	Installed []Installed     // the open components, oldest first
	Certified map[string]bool // by step id: whether a certificate is attached there, or to a receipt, in this pass
	Returned  map[string]bool // by step id: whether the unit was received from outside work in this pass
}

// StepStatus is the state of one step for one serial.
type StepStatus string

// The statuses of a step, as the interface spells them.
const (
	StepPending    StepStatus = "pending"
	StepInProgress StepStatus = "in_progress"
	StepCompleted  StepStatus = "completed"
	StepSkipped    StepStatus = "skipped"
	StepDeferred   StepStatus = "deferred"
	StepWaived     StepStatus = "waived"
)

// StepException records the status of a step that a serial bypassed. All other statuses follow from the position.
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

// Change is the result of an operation on one serial, with its audit entries. A store applies all of it or nothing.
type Change struct {
	Serial     Serial          // the serial after the change
	Moved      bool            // whether Serial differs from before
	Rewritten  bool            // whether the completion record of Serial was removed, or its pass changed
	Exceptions []StepException // statuses of bypassed steps to record
	Lifted     []string        // ids of steps whose recorded status is deleted, so that the status follows from the position again
	Reversed   []Override      // overrides to make inactive
	BOM        *KeptBOM        // the bill that Serial keeps from now on; nil for no change. Only ChangeCards of BatchStore stores it
	Installed  []Component     // components of lots to store, without numbers of their own. Only ChangeCards of BatchStore stores them
	Held       []Hold          // holds to place
	Released   []Hold          // holds to release
	Arrived    []string        // ids of steps that count the unit's arrival, unless they have counted it
	Audit      []trail.Entry
	Remember   *Remembered // the result that Memory.Remember stores with the change; nil for none
}

// EntryAbout returns an audit entry for a serial and, unless stepID is "", one of its steps.
func EntryAbout(serial Serial, action trail.Action, stepID, userID string, now ident.Timestamp) trail.Entry {
	return trail.Entry{
		Action: action, UserID: userID, Timestamp: now,
		SerialID: serial.ID, JobID: serial.JobID, PathID: serial.PathID, StepID: stepID,
	}
}

// StepStatus derives the status of the step at index i of the path from the serial's position: earlier steps are completed, later steps are
// pending. Bypassed steps have their recorded status.
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
		return StepPending // the serial had completed before this step was appended (docs/api/paths.md, "Changing the steps of a path")
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

// Apply returns the card after the change, without modifying c. Stores that commit several changes to one serial together pass each change
// the card that Apply returned for the previous change.
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
			c.Holds = nil // nil, as in a card that is loaded without holds
		}
	}
	return c
}

// Current returns the step that the serial stands on, or nil when it is closed.
func (c Card) Current() *ProcessStep {
	if c.Serial.Status != InProgress {
		return nil
	}
	return c.stepAt(c.Serial.Position)
}

// Next returns the step after the current step, or nil.
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

// NoteStep returns the step that a note on the serial belongs to: the current step, or the last step if the serial has left it. The path
// must have steps.
func (c Card) NoteStep() ProcessStep {
	return c.Path.Steps[min(c.Serial.Position, len(c.Path.Steps)-1)]
}

// CheckCard refuses a card that only a damaged database can contain, before a rule relies on it.
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

// stepStatusID derives the identifier of the status of one step for one serial.
func stepStatusID(serialID, stepID string) string {
	return StepStatusPrefix + serialID + "_" + strings.TrimPrefix(stepID, StepPrefix)
}
