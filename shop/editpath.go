package shop

import (
	"context"
	"slices"
)

// UpdatePathInput is the body of Update Path. ChangedBy is for the audit trail.
type UpdatePathInput struct {
	Name            TextInput   `field:"name"`
	GoalQuantity    NumberInput `field:"goalQuantity"`
	AdvancementMode TextInput   `field:"advancementMode"`
	Steps           StepsInput  `field:"steps"`
	DueDate         TextInput   `field:"dueDate"`
	// Unreferred is for a caller who has seen that nothing refers to the steps, so that they may be moved: it is refused
	// when something does by now. The interface has no such field.
	Unreferred bool `field:"-"`
	ExternalInput
	ChangedBy TextInput `field:"changedBy"`
}

// UpdatePath changes what is present. Steps are matched by place: those that stay keep their identifier, everything
// that refers to them, and their operator (docs/decisions.md, "Steps and overrides"); new ones are appended; those
// beyond the new count are removed, or the whole update is refused when anything refers to one of them.
func (s *Service) UpdatePath(ctx context.Context, id string, in UpdatePathInput) (Path, error) {
	ctx = s.signable(ctx, in, id)
	var after Path
	err := s.Commit(ctx, &after, func(tx Tx) error {
		before, err := findPath(tx, id)
		if err != nil {
			return err
		}
		if err := refuseUnreadPath(ctx, tx, before); err != nil {
			return err
		}
		if err := in.refuseReferred(tx, before); err != nil {
			return err
		}
		if after, err = in.apply(before); err != nil {
			return err
		}
		userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
		if err != nil {
			return err
		}
		if removed := before.Steps[min(len(before.Steps), len(after.Steps)):]; len(removed) > 0 {
			if err := refuseIfReferred(tx, id, removed); err != nil {
				return err
			}
		}
		for i := range after.Steps {
			if after.Steps[i].ID == "" {
				after.Steps[i].ID = s.NewID(prefixStep)
			}
		}
		if err := s.recordPath(tx, before, &after, userID); err != nil {
			return err
		}
		return after.recordExternal(tx, before.ExternalID, userID, after.UpdatedAt)
	})
	return after, err
}

// refuseReferred refuses to change a path whose steps came to be referred to since the caller saw it.
func (in UpdatePathInput) refuseReferred(tx PathStore, path Path) error {
	if !in.Unreferred {
		return nil
	}
	referred, err := stepsReferred(tx, path.ID, path.Steps)
	if err == nil && referred {
		err = Refuse(RecordChanged, "Path", path.ID)
	}
	return err
}

// Routing is what decides about production on a path, as the audit trail records it. What is nil is left out.
type Routing struct {
	Name            *string          `json:"name,omitempty"`
	GoalQuantity    *int64           `json:"goalQuantity,omitempty"`
	AdvancementMode *AdvancementMode `json:"advancementMode,omitempty"`
	Steps           *[]ProcessStep   `json:"steps,omitempty"`
	DueDate         *string          `json:"dueDate,omitempty"` // "" when it has none of its own any more
}

func (p *Path) routing() Routing {
	told := Routing{&p.Name, &p.GoalQuantity, &p.AdvancementMode, &p.Steps, nil}
	if p.DueDate != "" {
		told.DueDate = &p.DueDate
	}
	return told
}

// routingChange is what differs between two states of a path, as it was and as it is.
func routingChange(before, after Path) (was, is Routing) {
	if before.Name != after.Name {
		was.Name, is.Name = &before.Name, &after.Name
	}
	if before.GoalQuantity != after.GoalQuantity {
		was.GoalQuantity, is.GoalQuantity = &before.GoalQuantity, &after.GoalQuantity
	}
	if before.AdvancementMode != after.AdvancementMode {
		was.AdvancementMode, is.AdvancementMode = &before.AdvancementMode, &after.AdvancementMode
	}
	if !slices.Equal(before.Steps, after.Steps) {
		was.Steps, is.Steps = &before.Steps, &after.Steps
	}
	tellChange(&was.DueDate, &is.DueDate, before.DueDate, after.DueDate)
	return was, is
}

func (in UpdatePathInput) apply(path Path) (Path, error) {
	var err error
	if in.Name.present() {
		if path.Name, err = changedName(in.Name, Required); err != nil {
			return path, err
		}
	}
	if in.GoalQuantity.present() {
		if path.GoalQuantity, err = ChangedQuantity("goalQuantity", in.GoalQuantity); err != nil {
			return path, err
		}
	}
	if in.Steps.present() {
		steps, err := checkSteps(in.Steps)
		if err != nil {
			return path, err
		}
		for i := range steps[:min(len(steps), len(path.Steps))] {
			steps[i].ID, steps[i].AssignedTo = path.Steps[i].ID, path.Steps[i].AssignedTo
		}
		path.Steps = steps
	}
	if in.AdvancementMode.present() {
		if path.AdvancementMode, err = oneOf("advancementMode", in.AdvancementMode, advancementModes); err != nil {
			return path, err
		}
	}
	if in.DueDate.present() {
		if path.DueDate, err = dueDate(in.DueDate); err != nil {
			return path, err
		}
	}
	return path, in.ExternalInput.change(path.ID, &path.ExternalID)
}

// stepsReferred reports whether anything refers to one of these steps of a path (docs/decisions.md, "Steps and
// overrides"). Every serial of the path has a status for every step of it, so one serial is enough.
func stepsReferred(tx PathStore, pathID string, steps []ProcessStep) (bool, error) {
	referred, err := tx.PathHasSerials(pathID)
	for i := 0; i < len(steps) && !referred && err == nil; i++ {
		referred, err = tx.StepReferred(steps[i].ID)
	}
	return referred, err
}

// refuseIfReferred refuses to remove steps that anything refers to.
func refuseIfReferred(tx PathStore, pathID string, steps []ProcessStep) error {
	referred, err := stepsReferred(tx, pathID, steps)
	if err != nil {
		return err
	}
	if referred {
		return Refuse(StepReferred)
	}
	return nil
}

// UpdateAdvancementMode changes only the mode of a path. Serials keep where they are.
func (s *Service) UpdateAdvancementMode(ctx context.Context, id string, mode, user TextInput) (Path, error) {
	ctx = s.signable(ctx, struct {
		AdvancementMode TextInput `field:"advancementMode"`
		ChangedBy       TextInput `field:"changedBy"`
	}{mode, user}, id)
	var after Path
	err := s.Commit(ctx, &after, func(tx Tx) error {
		before, err := findPath(tx, id)
		if err != nil {
			return err
		}
		if err := refuseUnreadPath(ctx, tx, before); err != nil {
			return err
		}
		after = before
		if _, err := RequiredName("advancementMode", mode); err != nil {
			return err
		}
		if after.AdvancementMode, err = oneOf("advancementMode", mode, advancementModes); err != nil {
			return err
		}
		userID, err := ChangedBy(CallerOf(ctx), user)
		if err != nil {
			return err
		}
		after.UpdatedAt = s.Now()
		if err := tx.UpdatePath(before, after); err != nil || after.AdvancementMode == before.AdvancementMode {
			return err
		}
		return tx.AppendAudit(AuditEntry{
			Action: ActionAdvancementModeChanged, UserID: userID, Timestamp: after.UpdatedAt,
			JobID: after.JobID, PathID: id, Metadata: beforeAndAfter(before.AdvancementMode, after.AdvancementMode),
		})
	})
	return after, err
}

// RouteFixed answers why the steps of a path should keep their places, or "" when they may be moved and removed. Steps
// are matched by place: once units have walked the route, moving a step would give it the history of another.
func (s *Service) RouteFixed(ctx context.Context, pathID string) (why string, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		path, err := findPath(tx, pathID)
		if err != nil {
			return err
		}
		referred, err := stepsReferred(tx, pathID, path.Steps)
		if err != nil {
			return err
		}
		why = ""
		if referred {
			why = "Units, notes or certificates refer to these steps, so each keeps its place. New ones can be added at the end."
		}
		return nil
	})
	return why, err
}
