package shop

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/shop/workorder"
)

var advancementModes = []card.AdvancementMode{card.Strict, card.Flexible, card.PerStep}

var dependencyTypes = []card.DependencyType{card.Physical, card.Preferred, card.CompletionGate}

// PathDetail is a path with the distribution of its serials.
type PathDetail struct {
	card.Path
	Distribution []StepDistribution `json:"distribution"`
}

// StepInput is one step in the body of Create Path or Update Path.
type StepInput struct {
	Name           input.TextInput `field:"name"`
	Location       input.TextInput `field:"location"`
	Optional       input.FlagInput `field:"optional"`
	DependencyType input.TextInput `field:"dependencyType"`
}

// StepsInput is a list of steps.
type StepsInput = input.Input[[]input.Input[StepInput]]

// checkSteps validates a list of steps. The returned steps have no ids yet.
func checkSteps(in StepsInput) ([]card.ProcessStep, error) {
	if err := in.Typed("steps"); err != nil {
		return nil, err
	}
	if len(in.Value) == 0 {
		return nil, refusal.RefuseField(refusal.Required, "steps")
	}
	if err := input.CheckItems("steps", len(in.Value)); err != nil {
		return nil, err
	}
	steps := make([]card.ProcessStep, len(in.Value))
	for i, given := range in.Value {
		field := fmt.Sprintf("steps[%d]", i)
		if given.State != input.StateGiven {
			return nil, refusal.RefuseField(refusal.NotObject, field)
		}
		step, err := given.Value.change(field, card.ProcessStep{DependencyType: card.Preferred})
		if err != nil {
			return nil, err
		}
		step.Order = i
		steps[i] = step
	}
	return steps, nil
}

// change returns the step with the fields of the input applied. A step without an identifier is new and requires a name.
func (in StepInput) change(field string, step card.ProcessStep) (_ card.ProcessStep, err error) {
	if in.Name.Present() || step.ID == "" {
		if step.Name, err = input.RequiredName(field+".name", in.Name); err != nil {
			return step, err
		}
	}
	if in.Location.Present() {
		if step.Location, err = input.OptionalWithin(field+".location", in.Location, input.NameLimit); err != nil {
			return step, err
		}
	}
	if in.Optional.Present() {
		if step.Optional, err = input.OptionalFlag(field+".optional", in.Optional); err != nil {
			return step, err
		}
	}
	switch {
	case in.DependencyType.State == input.StateNull:
		step.DependencyType = card.Preferred
	case in.DependencyType.Present():
		step.DependencyType, err = input.OneOf(field+".dependencyType", in.DependencyType, dependencyTypes)
	}
	return step, err
}

// CreatePathInput is the body of Create Path.
type CreatePathInput struct {
	JobID           input.TextInput   `field:"jobId"`
	Name            input.TextInput   `field:"name"`
	GoalQuantity    input.NumberInput `field:"goalQuantity"`
	AdvancementMode input.TextInput   `field:"advancementMode"`
	Steps           StepsInput        `field:"steps"`
	DueDate         input.TextInput   `field:"dueDate"`
	ExternalInput
	ChangedBy input.TextInput `field:"changedBy"` // for the audit trail
}

// check validates name, goalQuantity and steps in the order of the contract, then the other fields.
func (in CreatePathInput) check(prefix ident.Prefix) (path card.Path, err error) {
	if path.Name, err = input.RequiredTrimmed(in.Name); err != nil {
		return path, err
	}
	if path.GoalQuantity, err = input.RequiredQuantity("goalQuantity", in.GoalQuantity); err != nil {
		return path, err
	}
	if in.Steps.Missing() {
		return path, refusal.RefuseField(refusal.Required, "steps")
	}
	if path.Steps, err = checkSteps(in.Steps); err != nil {
		return path, err
	}
	path.AdvancementMode = card.Strict
	if !in.AdvancementMode.Missing() {
		if path.AdvancementMode, err = input.OneOf("advancementMode", in.AdvancementMode, advancementModes); err != nil {
			return path, err
		}
	}
	if path.DueDate, err = workorder.DueDate(in.DueDate); err != nil {
		return path, err
	}
	if path.JobID, err = input.RequiredName("jobId", in.JobID); err != nil {
		return path, err
	}
	return path, in.ExternalInput.Change(prefix, path.ID, &path.ExternalID)
}

// CreatePath adds a path to an existing job. It creates no serials.
func (s *Service) CreatePath(ctx context.Context, in CreatePathInput) (card.Path, error) {
	path, err := in.check(s.SerialPrefix())
	if err != nil {
		return card.Path{}, err
	}
	userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
	if err != nil {
		return card.Path{}, err
	}
	err = s.Commit(ctx, &path, func(tx Tx) error {
		if _, err := FindOpenJob(tx, path.JobID); err != nil {
			return err
		}
		s.identifyPath(&path)
		if err := tx.InsertPath(path); err != nil {
			return err
		}
		if err := tx.AppendAudit(trail.Entry{
			Action: ActionPathCreated, UserID: userID, Timestamp: path.CreatedAt, JobID: path.JobID, PathID: path.ID,
			Metadata: trail.BeforeAndAfter(nil, routingOf(&path)),
		}); err != nil {
			return err
		}
		return recordExternalOfPath(&path, tx, "", userID, path.CreatedAt)
	})
	return path, err
}

// recordExternalOfPath records the external identifier of a path that is created, changed or deleted.
func recordExternalOfPath(p *card.Path, tx interface {
	AuditStore
	ExternalStore
}, before, userID string, now ident.Timestamp) error {
	return recordExternal(tx, ExternalID{RecordPath, p.ID, p.ExternalID}, before,
		trail.Entry{UserID: userID, Timestamp: now, JobID: p.JobID, PathID: p.ID})
}

// identifyPath assigns identifiers and timestamps to a new path and its steps.
func (s *Service) identifyPath(path *card.Path) {
	path.ID = s.NewID(prefixPath)
	path.CreatedAt = s.Now()
	path.UpdatedAt = path.CreatedAt
	for i := range path.Steps {
		path.Steps[i].ID = s.NewID(card.StepPrefix)
	}
}

// Path implements Get Path: a snapshot of the path and the distribution of its serials.
func (s *Service) Path(ctx context.Context, id string) (PathDetail, error) {
	var detail PathDetail
	err := s.store.View(ctx, func(tx Reader) (err error) {
		if detail.Path, err = findPath(tx, id); err != nil {
			return err
		}
		counts, err := s.CountPath(tx, id)
		if err != nil {
			return err
		}
		detail.Distribution = DistributionOf(detail.Path, counts)
		return nil
	})
	return detail, err
}

// pathToChange returns a path. It refuses a path that differs from what the caller read, and a path of a closed job.
func pathToChange(ctx context.Context, tx Tx, id string) (card.Path, error) {
	path, err := findPath(tx, id)
	if err != nil {
		return path, err
	}
	if err := RefuseUnread(ctx, card.NamePath, path.ID, pathAsRead(tx, path)); err != nil {
		return path, err
	}
	err = path.RefuseClosed()
	return path, err
}

// pathAsRead returns a function with the response of Get Path, for a transaction that changes the path.
func pathAsRead(tx Counting, path card.Path) func() (any, error) {
	return func() (any, error) {
		counts, err := countPathNow(tx, path.ID)
		return PathDetail{Path: path, Distribution: DistributionOf(path, counts)}, err
	}
}

func findPath(tx PathStore, id string) (card.Path, error) {
	path, err := tx.Path(id)
	return path, OrNotFound(err, card.NamePath, id)
}

// recordPath stores a changed path. It adds an audit entry unless only the path's timestamp changed.
func (s *Service) recordPath(tx interface {
	AuditStore
	PathStore
}, before card.Path, after *card.Path, userID string) error {
	after.UpdatedAt = s.Now()
	if err := tx.UpdatePath(before, *after); err != nil {
		return err
	}
	was, is := routingChange(before, *after)
	if was == (Routing{}) {
		return nil
	}
	return tx.AppendAudit(trail.Entry{
		Action: card.ActionPathUpdated, UserID: userID, Timestamp: after.UpdatedAt, JobID: after.JobID, PathID: after.ID,
		Metadata: trail.BeforeAndAfter(was, is),
	})
}

// DeletePath removes a path without serials, and its steps. The job is not affected.
func (s *Service) DeletePath(ctx context.Context, id string, user input.TextInput) error {
	return s.Commit(ctx, nil, func(tx Tx) error {
		path, err := pathToChange(ctx, tx, id)
		if err != nil {
			return err
		}
		used, err := tx.PathHasSerials(id)
		if err != nil {
			return err
		}
		if used {
			return refusal.Refuse(PathHasSerials)
		}
		userID, err := ChangedBy(CallerOf(ctx), user)
		if err != nil {
			return err
		}
		if err := tx.DeletePath(path); err != nil {
			return err
		}
		was := path.ExternalID
		path.ExternalID = ""
		if err := recordExternalOfPath(&path, tx, was, userID, s.Now()); err != nil {
			return err
		}
		return tx.AppendAudit(trail.Entry{
			Action: ActionPathDeleted, UserID: userID, Timestamp: s.Now(), JobID: path.JobID, PathID: path.ID,
			Metadata: trail.BeforeAndAfter(routingOf(&path), nil),
		})
	})
}

// AdvancementModes returns all advancement modes in the order in which the HTTP API lists them.
func AdvancementModes() []card.AdvancementMode {
	return append([]card.AdvancementMode(nil), advancementModes...)
}

// DependencyTypes returns all dependency types in the order in which the HTTP API lists them.
func DependencyTypes() []card.DependencyType {
	return append([]card.DependencyType(nil), dependencyTypes...)
}

// PathStore lists the database operations for paths and their steps.
type PathStore interface {
	Prefixed
	InsertPath(path card.Path) error
	// UpdatePath changes a path from before to after. Steps with the same id are the same step.
	UpdatePath(before, after card.Path) error
	DeletePath(path card.Path) error
	Path(id string) (card.Path, error)
	PathsOfJob(jobID string) ([]card.Path, error) // oldest first
	PathOfStep(stepID string) (card.Path, error)
	PathHasSerials(id string) (bool, error)
	// StepReferred reports whether a record refers to the step in its StepColumn.
	StepReferred(stepID string) (bool, error)
	RerouteStore
}

// Route is a path with its job, as the queue shows it.
type Route struct {
	Path    card.Path
	JobName string
	Order   workorder.OrderFields // order of the job, without the description
	Ticket  TicketFields
	Closed  bool // whether the job is closed
}

// Part is the part number of the job.
func (r *Route) Part() string { return partNumberOf(r.Order, r.Ticket) }

// DueDate is the path's own due date, or else the due date of the job.
func (r *Route) DueDate() string { return cmp.Or(r.Path.DueDate, r.Order.DueDate) }

// Names of paths and steps in the tables of records, operations and actions.
const (
	RecordPath ident.RecordKind = "path"
	RecordStep ident.RecordKind = "step"

	prefixPath                = "path_"
	OpCreatePath    Operation = "create-path"
	OpUpdatePath    Operation = "update-path"
	OpChangeMode    Operation = "change-advancement-mode"
	OpDeletePath    Operation = "delete-path"
	OpConfigureStep Operation = "configure-step"
	OpAssignStep    Operation = "assign-step"

	AboutPath Subject = "path"
	AboutStep Subject = "step"

	ActionPathCreated            trail.Action = "path_created"
	ActionPathDeleted            trail.Action = "path_deleted"
	ActionAdvancementModeChanged trail.Action = "advancement_mode_changed"
	ActionStepAssigned           trail.Action = "step_assigned"
	ActionStepConfigChanged      trail.Action = "step_config_changed"
)

// Reasons to refuse a change of a path.
var (
	PathOfOtherJob = refusal.NewReason(refusal.Invalid, "path_of_other_job", "Path {pathId} does not belong to job {jobId}")
	PathHasSerials = refusal.NewReason(refusal.Invalid, "path_has_serials", "Cannot delete path with serial numbers attached")
	StepReferred   = refusal.NewReason(refusal.Invalid, "step_in_use", "Cannot remove step because it has associated data (certificates, notes, part statuses, or overrides). Remove the associated data first, or keep the step.")
)

var pathNoun = noun{
	records: []Record{
		{Kind: RecordPath, Names: named(card.NamePath), Prefix: prefixPath, Table: "path", Tagged: true, External: true, Compared: true},
		{Kind: RecordStep, Names: named(card.NameStep), Prefix: card.StepPrefix, Table: "step", Compared: true},
	},
	operations: []operationRow{
		{operation: OpCreatePath, permission: Plan, subject: AboutPath},
		{operation: OpUpdatePath, permission: Plan, subject: AboutPath, signed: SignPathUpdate},
		{operation: OpReplaceSteps, permission: Plan, subject: AboutPath, signed: SignPathUpdate},
		{operation: OpChangeMode, permission: Plan, subject: AboutPath, signed: SignPathUpdate},
		{operation: OpDeletePath, permission: Plan, subject: AboutPath},
		{operation: OpConfigureStep, permission: Plan, subject: AboutStep, signed: SignPathUpdate},
		{operation: OpAssignStep, permission: Plan, subject: AboutStep},
	},
	actions: []actionRow{
		{action: ActionPathCreated, of: only(RecordPath)},
		{action: card.ActionPathUpdated, of: only(RecordPath), moves: true, signed: SignPathUpdate},
		{action: ActionPathDeleted, of: only(RecordPath), moves: true},
		{action: ActionAdvancementModeChanged, of: only(RecordPath), signed: SignPathUpdate},
		{action: ActionStepAssigned, of: only(RecordStep)},
		{action: ActionStepConfigChanged, of: only(RecordStep), signed: SignPathUpdate},
	},
}

// AssignStepInput is the body of Assign Step. UserID is the operator; null unassigns the step.
type AssignStepInput struct {
	UserID    input.TextInput `field:"userId" record:"user"`
	ChangedBy input.TextInput `field:"changedBy"`
}

// AssignStep assigns a step to an active operator, or unassigns it.
func (s *Service) AssignStep(ctx context.Context, stepID string, in AssignStepInput) (card.ProcessStep, error) {
	return s.changeStep(ctx, stepID, in.ChangedBy, ActionStepAssigned, func(tx Tx, step *card.ProcessStep) (before, after any, err error) {
		was := step.AssignedTo
		step.AssignedTo = ""
		if in.UserID.State != input.StateNull {
			if step.AssignedTo, err = input.RequiredName("userId", in.UserID); err != nil {
				return nil, nil, err
			}
			user, err := tx.User(step.AssignedTo)
			if errors.Is(err, ErrNoRecord) || (err == nil && !user.Active) {
				return nil, nil, refusal.Refuse(UserInactive)
			}
			if err != nil {
				return nil, nil, err
			}
		}
		return OrNull(was), OrNull(step.AssignedTo), nil
	})
}

// OrNull returns nil for "", which metadata writes as null.
func OrNull(userID string) *string {
	if userID == "" {
		return nil
	}
	return &userID
}

// ConfigureStepInput is the body of Configure Step.
type ConfigureStepInput struct {
	Optional       input.FlagInput `field:"optional"`
	DependencyType input.TextInput `field:"dependencyType"`
	ChangedBy      input.TextInput `field:"changedBy"`
}

// ConfigureStep changes whether a step is optional, and its dependency type. The change applies to all serials from now on; what a serial
// has already done is not validated again.
func (s *Service) ConfigureStep(ctx context.Context, stepID string, in ConfigureStepInput) (card.ProcessStep, error) {
	ctx = s.signable(ctx, in, stepID)
	type configuration struct {
		Optional       bool                `json:"optional"`
		DependencyType card.DependencyType `json:"dependencyType"`
	}
	return s.changeStep(ctx, stepID, in.ChangedBy, ActionStepConfigChanged, func(
		_ Tx, step *card.ProcessStep,
	) (before, after any, err error) {
		was := configuration{step.Optional, step.DependencyType}
		if !in.Optional.Present() && !in.DependencyType.Present() {
			return nil, nil, refusal.Refuse(refusal.NothingToUpdate)
		}
		if in.Optional.Present() {
			if err := in.Optional.Typed("optional"); err != nil {
				return nil, nil, err
			}
			step.Optional = in.Optional.Value
		}
		if in.DependencyType.Present() {
			if step.DependencyType, err = input.OneOf("dependencyType", in.DependencyType, dependencyTypes); err != nil {
				return nil, nil, err
			}
		}
		return was, configuration{step.Optional, step.DependencyType}, nil
	})
}

// changeStep changes one step of a path and adds an audit entry unless nothing changed. change returns the values before and after.
func (s *Service) changeStep(ctx context.Context, stepID string, user input.TextInput, action trail.Action,
	change func(tx Tx, step *card.ProcessStep) (before, after any, err error),
) (card.ProcessStep, error) {
	var step card.ProcessStep
	err := s.Commit(ctx, &step, func(tx Tx) error {
		path, err := FindPathOfStep(tx, stepID)
		if err != nil {
			return err
		}
		index := path.StepIndex(stepID)
		step = path.Steps[index]
		err = RefuseUnread(ctx, card.NameStep, stepID, func() (any, error) { return step, nil }, pathAsRead(tx, path))
		if err != nil {
			return err
		}
		if err := path.RefuseClosed(); err != nil {
			return err
		}
		was, is, err := change(tx, &step)
		if err != nil {
			return err
		}
		userID, err := ChangedBy(CallerOf(ctx), user)
		if err != nil || step == path.Steps[index] {
			return err
		}
		after := path
		after.Steps = append([]card.ProcessStep(nil), path.Steps...)
		after.Steps[index] = step
		after.UpdatedAt = s.Now()
		if err := tx.UpdatePath(path, after); err != nil {
			return err
		}
		return tx.AppendAudit(trail.Entry{
			Action: action, UserID: userID, Timestamp: after.UpdatedAt,
			JobID: path.JobID, PathID: path.ID, StepID: stepID, Metadata: trail.BeforeAndAfter(was, is),
		})
	})
	return step, err
}

// StepOf returns a step and its path.
func (s *Service) StepOf(ctx context.Context, id string) (step card.ProcessStep, path card.Path, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		if path, err = FindPathOfStep(tx, id); err == nil {
			step = path.Steps[path.StepIndex(id)]
		}
		return err
	})
	return step, path, err
}

// FindPathOfStep returns the path of a step, or a refusal if the step does not exist.
func FindPathOfStep(tx PathStore, stepID string) (card.Path, error) {
	path, err := tx.PathOfStep(stepID)
	return path, OrNotFound(err, card.NameStep, stepID)
}
