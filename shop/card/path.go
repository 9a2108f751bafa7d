package card

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// AdvancementMode says how the serials of a path may move.
type AdvancementMode string

// The advancement modes.
const (
	// Strict: every step in exact order, one at a time. Optional and dependency type are kept but have no effect.
	Strict AdvancementMode = "strict"
	// Flexible: forward jumps are allowed, subject to the dependency rules, and optional steps may be skipped.
	Flexible AdvancementMode = "flexible"
	// PerStep: each step's own configuration decides. Today this allows what Flexible allows (docs/api/paths.md, "Fields of a path").
	PerStep AdvancementMode = "per_step"
)

// DependencyType says what a step is to the steps behind it.
type DependencyType string

// The dependency types.
const (
	// Physical: the step must be performed; it cannot be bypassed unless effectively optional or completed.
	Physical DependencyType = "physical"
	// Preferred: the step should be performed but can be bypassed.
	Preferred DependencyType = "preferred"
	// CompletionGate: a gate that holds everything downstream of it until it is completed or waived.
	CompletionGate DependencyType = "completion_gate"
)

// Path is a job's ordered list of steps. It has at least one.
type Path struct {
	ID              string          `json:"id"`
	JobID           string          `json:"jobId"`
	Name            string          `json:"name"`
	GoalQuantity    int64           `json:"goalQuantity"`
	DueDate         string          `json:"dueDate,omitempty"` // "" when that of the job counts
	AdvancementMode AdvancementMode `json:"advancementMode"`
	Steps           []ProcessStep   `json:"steps"`
	CreatedAt       ident.Timestamp `json:"createdAt"`
	UpdatedAt       ident.Timestamp `json:"updatedAt"`
	ExternalID      string          `json:"externalId,omitempty"`

	// ClosedJob is the name of its job while that is closed, and "" otherwise. A path has it as it has its characteristics.
	ClosedJob string `json:"-"`
	// Characteristics are what is measured at its steps, by step: nil on most paths. A path has them that was looked up by its
	// identifier, by one of its steps, or for a route card.
	Characteristics map[string]CharacteristicSet `json:"-"`
	// FirstPieces are, by step, the units that were measured as first pieces and passed. A path has them as it has its
	// characteristics.
	FirstPieces map[string]string `json:"-"`
}

// ProcessStep is one step of a path. Its order is its place in the path, counted from 0.
type ProcessStep struct {
	ID             string         `json:"id"`
	Name           string         `json:"name"`
	Order          int            `json:"order"`
	Location       string         `json:"location,omitempty"`
	AssignedTo     string         `json:"assignedTo,omitempty"`
	Optional       bool           `json:"optional"`
	DependencyType DependencyType `json:"dependencyType"`
}

// StepIndex returns the place of a step in the path, or -1.
func (p *Path) StepIndex(stepID string) int {
	for i := range p.Steps {
		if p.Steps[i].ID == stepID {
			return i
		}
	}
	return -1
}

// Places returns the places of all steps, by identifier, for those who ask for many.
func (p *Path) Places() map[string]int {
	places := make(map[string]int, len(p.Steps))
	for i := range p.Steps {
		places[p.Steps[i].ID] = i
	}
	return places
}

// What messages call records.
const (
	NamePath refusal.RecordName = "Path"
	NameStep refusal.RecordName = "ProcessStep"
)

// How identifiers begin.
const (
	StepPrefix = "step_"
)
