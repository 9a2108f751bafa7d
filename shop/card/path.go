package card

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// AdvancementMode determines how the serials of a path may move.
type AdvancementMode string

const (
	// Strict: every step in exact order, one at a time. Optional and the dependency type are stored but have no effect.
	Strict AdvancementMode = "strict"
	// Flexible: forward jumps are allowed, subject to the dependency rules, and optional steps may be skipped.
	Flexible AdvancementMode = "flexible"
	// PerStep: each step's own configuration decides. This currently allows the same as Flexible (docs/api/paths.md, "Fields of a path").
	PerStep AdvancementMode = "per_step"
)

// DependencyType says how the steps after a step depend on it.
type DependencyType string

const (
	// Physical: the step must be performed; it can be bypassed only if it is effectively optional or completed.
	Physical DependencyType = "physical"
	// Preferred: the step should be performed but can be bypassed.
	Preferred DependencyType = "preferred"
	// CompletionGate: the step blocks all steps after it until it is completed or waived.
	CompletionGate DependencyType = "completion_gate"
)

// Path is a job's ordered list of steps. It has at least one step.
type Path struct {
	ID              string          `json:"id"`
	JobID           string          `json:"jobId"`
	Name            string          `json:"name"`
	GoalQuantity    int64           `json:"goalQuantity"`
	DueDate         string          `json:"dueDate,omitempty"` // "" when the due date of the job applies
	AdvancementMode AdvancementMode `json:"advancementMode"`
	Steps           []ProcessStep   `json:"steps"`
	CreatedAt       ident.Timestamp `json:"createdAt"`
	UpdatedAt       ident.Timestamp `json:"updatedAt"`
	ExternalID      string          `json:"externalId,omitempty"`
	BOMID           string          `json:"bomId,omitempty"` // the bill of materials that new units of the path keep

	// ClosedJob is the name of the job while the job is closed, and otherwise "". It is loaded whenever Characteristics are.
	ClosedJob string `json:"-"`
	// Characteristics has the characteristic sets of the steps, by step id; nil for most paths. They are loaded when the path is looked up
	// by its identifier, by one of its steps, or for a route card.
	Characteristics map[string]CharacteristicSet `json:"-"`
	// Requirements has the requirements of the steps, by step id; nil for most paths. It is loaded whenever Characteristics are.
	Requirements map[string]RequirementSet `json:"-"`
	// FirstPieces has, by step id, the ids of the units that passed as first pieces. It is loaded whenever Characteristics are.
	FirstPieces map[string]string `json:"-"`
}

// ProcessStep is one step of a path. Its order is its index in the path, counted from 0.
type ProcessStep struct {
	ID             string         `json:"id"`
	Name           string         `json:"name"`
	Order          int            `json:"order"`
	Location       string         `json:"location,omitempty"`
	AssignedTo     string         `json:"assignedTo,omitempty"`
	Optional       bool           `json:"optional"`
	DependencyType DependencyType `json:"dependencyType"`
}

// StepIndex returns the index of a step in the path, or -1.
func (p *Path) StepIndex(stepID string) int {
	for i := range p.Steps {
		if p.Steps[i].ID == stepID {
			return i
		}
	}
	return -1
}

// Places returns the index of every step by its identifier, for callers that look up many steps.
func (p *Path) Places() map[string]int {
	places := make(map[string]int, len(p.Steps))
	for i := range p.Steps {
		places[p.Steps[i].ID] = i
	}
	return places
}

// Names of records in messages.
const (
	NamePath refusal.RecordName = "Path"
	NameStep refusal.RecordName = "ProcessStep"
)

// Prefixes of identifiers.
const (
	StepPrefix = "step_"
)

// ActionPathUpdated says that a path changed.
const ActionPathUpdated trail.Action = "path_updated"
