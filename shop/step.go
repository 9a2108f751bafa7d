package shop

import (
	"context"
	"errors"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// AssignStepInput is the body of Assign Step. UserID is the operator, or null for nobody.
type AssignStepInput struct {
	UserID    input.TextInput `field:"userId" record:"user"`
	ChangedBy input.TextInput `field:"changedBy"`
}

// AssignStep gives a step to an active operator, or takes it back.
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

// OrNull is how metadata writes an operator: nobody is null.
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

// ConfigureStep changes whether a step is optional and what it is to the steps behind it. It holds for every serial
// from then on; what a serial has done is not judged again.
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

// changeStep changes one step of a path and tells of it, unless nothing changed. change says what was and what is.
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

// StepOf answers a step, with its path.
func (s *Service) StepOf(ctx context.Context, id string) (step card.ProcessStep, path card.Path, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		if path, err = FindPathOfStep(tx, id); err == nil {
			step = path.Steps[path.StepIndex(id)]
		}
		return err
	})
	return step, path, err
}

// FindPathOfStep returns the path that a step belongs to, or the refusal that there is no such step.
func FindPathOfStep(tx PathStore, stepID string) (card.Path, error) {
	path, err := tx.PathOfStep(stepID)
	return path, OrNotFound(err, card.NameStep, stepID)
}
