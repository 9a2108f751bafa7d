package card

import (
	"bytes"
	"encoding/json"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// SerialStatus is the state of a serial. Completed and Scrapped are terminal.
type SerialStatus string

// The serial statuses as stored.
const (
	InProgress SerialStatus = "in_progress"
	Completed  SerialStatus = "completed"
	Scrapped   SerialStatus = "scrapped"
)

// Serial is one unit that moves through the steps of one path.
type Serial struct {
	ID           string
	SerialNumber string // the number that the shop gave the unit, or ""; see ownnumber.go
	JobID        string
	PathID       string
	// Position is the index of the step that the serial stands on. A scrapped or force-completed serial keeps its position. A serial that
	// completed by advancing has the number of steps at that time.
	Position   int
	Status     SerialStatus
	Reworks    int              // the number of passes that began before the current one, including undone ones
	Scrap      *Scrap           // nil unless scrapped
	Completion *ForceCompletion // nil unless force-completed
	CreatedAt  ident.Timestamp
	UpdatedAt  ident.Timestamp // the time when the unit was last created, advanced, closed or sent back, or when one of these was undone
	ExternalID string          // set by Get Serial and Update Serial only
	BOM        KeptBOM         // the bill of materials; not in the interface's serial
}

// LeftLastStep reports whether the serial completed by advancing; its position is then after its last step.
func (s Serial) LeftLastStep() bool { return s.Status == Completed && s.Completion == nil }

// Scrap records why, where, when and by which user a serial was scrapped.
type Scrap struct {
	Reason      ScrapReason
	Explanation string // "" if none was given
	StepID      string
	At          ident.Timestamp
	By          string
}

// ForceCompletion records when, why and by which user a serial was completed with required steps open.
type ForceCompletion struct {
	By     string
	At     ident.Timestamp
	Reason string // "" if none was given
}

// SerialJSON is the contract's SerialNumber.
type SerialJSON struct {
	ID                   string           `json:"id"`
	SerialNumber         string           `json:"serialNumber,omitempty"`
	JobID                string           `json:"jobId"`
	PathID               string           `json:"pathId"`
	CurrentStepIndex     int              `json:"currentStepIndex"`
	Status               SerialStatus     `json:"status"`
	ForceCompleted       bool             `json:"forceCompleted"`
	ScrapReason          ScrapReason      `json:"scrapReason,omitempty"`
	ScrapExplanation     string           `json:"scrapExplanation,omitempty"`
	ScrapStepID          *string          `json:"scrapStepId,omitempty"`
	ScrappedAt           *ident.Timestamp `json:"scrappedAt,omitempty"`
	ScrappedBy           *string          `json:"scrappedBy,omitempty"`
	ForceCompletedBy     *string          `json:"forceCompletedBy,omitempty"`
	ForceCompletedAt     *ident.Timestamp `json:"forceCompletedAt,omitempty"`
	ForceCompletedReason string           `json:"forceCompletedReason,omitempty"`
	CreatedAt            ident.Timestamp  `json:"createdAt"`
	UpdatedAt            ident.Timestamp  `json:"updatedAt"`
	ExternalID           string           `json:"externalId,omitempty"`
}

// Pass numbers the serial's passes along its path: every rework begins one.
func (s Serial) Pass() int { return s.Reworks + 1 }

// CurrentStepIndex returns the position as the interface shows it: -1 for a completed serial.
func (s Serial) CurrentStepIndex() int {
	if s.Status == Completed {
		return -1
	}
	return s.Position
}

// Fields returns the JSON fields of a serial.
func (s Serial) Fields() SerialJSON {
	fields := SerialJSON{
		ID: s.ID, SerialNumber: s.SerialNumber, JobID: s.JobID, PathID: s.PathID,
		CurrentStepIndex: s.CurrentStepIndex(), Status: s.Status,
		CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt, ExternalID: s.ExternalID,
	}
	if scrap := s.Scrap; scrap != nil {
		fields.ScrapReason, fields.ScrapExplanation = scrap.Reason, scrap.Explanation
		fields.ScrapStepID, fields.ScrappedAt, fields.ScrappedBy = &scrap.StepID, &scrap.At, &scrap.By
	}
	if force := s.Completion; force != nil {
		fields.ForceCompleted, fields.ForceCompletedReason = true, force.Reason
		fields.ForceCompletedBy, fields.ForceCompletedAt = &force.By, &force.At
	}
	return fields
}

// MarshalJSON writes the contract's SerialNumber.
func (s Serial) MarshalJSON() ([]byte, error) { return Unescaped(s.Fields()) }

// Unescaped encodes a value as JSON without escaping HTML. Code that embeds the result in other JSON decides whether to escape it.
func Unescaped(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(text.Bytes(), []byte{'\n'}), err
}

// UnmarshalJSON reads the output of MarshalJSON. The output lacks the position of a completed serial, which becomes -1.
func (s *Serial) UnmarshalJSON(text []byte) error {
	var fields SerialJSON
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	*s = Serial{
		ID: fields.ID, SerialNumber: fields.SerialNumber, JobID: fields.JobID, PathID: fields.PathID, Position: fields.CurrentStepIndex,
		Status: fields.Status, CreatedAt: fields.CreatedAt, UpdatedAt: fields.UpdatedAt, ExternalID: fields.ExternalID,
	}
	if fields.ScrapReason != "" {
		s.Scrap = &Scrap{
			Reason: fields.ScrapReason, Explanation: fields.ScrapExplanation, StepID: trail.OrZero(fields.ScrapStepID),
			At: trail.OrZero(fields.ScrappedAt), By: trail.OrZero(fields.ScrappedBy),
		}
	}
	if fields.ForceCompleted {
		s.Completion = &ForceCompletion{
			By: trail.OrZero(fields.ForceCompletedBy), At: trail.OrZero(fields.ForceCompletedAt), Reason: fields.ForceCompletedReason,
		}
	}
	return nil
}

// DisplayStatus returns the status as the serial list shows it: with a hyphen.
func (s SerialStatus) DisplayStatus() string {
	if s == InProgress {
		return "in-progress"
	}
	return string(s)
}

// Actions of the trail.
const (
	ActionSerialAdvanced       trail.Action = "serial_advanced"
	ActionSerialCompleted      trail.Action = "serial_completed"
	ActionSerialScrapped       trail.Action = "serial_scrapped"
	ActionSerialForceCompleted trail.Action = "serial_force_completed"
)

// ActionSerialNumberSet says that a unit got an own number.
const ActionSerialNumberSet trail.Action = "serial_number_set"

// ActionSerialCreated says that units were created.
const ActionSerialCreated trail.Action = "serial_created"
