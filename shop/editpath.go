package shop

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/shop/workorder"
)

// UpdatePathInput is the body of Update Path. ChangedBy is only for the audit trail.
type UpdatePathInput struct {
	Name            input.TextInput   `field:"name"`
	GoalQuantity    input.NumberInput `field:"goalQuantity"`
	AdvancementMode input.TextInput   `field:"advancementMode"`
	Steps           StepsInput        `field:"steps"`
	DueDate         input.TextInput   `field:"dueDate"`
	ExternalInput
	ChangedBy input.TextInput `field:"changedBy"`
}

// UpdatePath changes the fields that the request contains. Steps are matched by position: existing steps keep their id, the
// records that refer to them, and their operator (docs/api/paths.md, "Changing the steps of a path"). New steps are appended.
// Steps beyond the new count are removed; if any record refers to one of them, the whole update is refused. ReplaceSteps matches
// steps by id.
func (s *Service) UpdatePath(ctx context.Context, id string, in UpdatePathInput) (card.Path, error) {
	ctx = s.signable(ctx, in, id)
	var after card.Path
	err := s.Commit(ctx, &after, func(tx Tx) error {
		before, err := pathToChange(ctx, tx, id)
		if err != nil {
			return err
		}
		if after, err = in.apply(tx.SerialPrefix(), before); err != nil {
			return err
		}
		userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
		if err != nil {
			return err
		}
		if err := refuseRemoval(tx, before, after); err != nil {
			return err
		}
		if err := refuseTakeover(tx, before, after); err != nil {
			return err
		}
		for i := range after.Steps {
			if after.Steps[i].ID == "" {
				after.Steps[i].ID = s.NewID(card.StepPrefix)
			}
		}
		if err := s.recordPath(tx, before, &after, userID); err != nil {
			return err
		}
		return recordExternalOfPath(&after, tx, before.ExternalID, userID, after.UpdatedAt)
	})
	return after, err
}

// Routing has the fields of a path that control production, as the audit trail records them. Nil fields are left out.
type Routing struct {
	Name            *string               `json:"name,omitempty"`
	GoalQuantity    *int64                `json:"goalQuantity,omitempty"`
	AdvancementMode *card.AdvancementMode `json:"advancementMode,omitempty"`
	Steps           *[]card.ProcessStep   `json:"steps,omitempty"`
	DueDate         *string               `json:"dueDate,omitempty"` // "" if the path's own due date was removed
}

func routingOf(p *card.Path) Routing {
	told := Routing{&p.Name, &p.GoalQuantity, &p.AdvancementMode, &p.Steps, nil}
	if p.DueDate != "" {
		told.DueDate = &p.DueDate
	}
	return told
}

// routingChange returns the fields that differ between two states of a path, with the old and the new values.
func routingChange(before, after card.Path) (was, is Routing) {
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
	workorder.Changed(&was.DueDate, &is.DueDate, before.DueDate, after.DueDate)
	return was, is
}

func (in UpdatePathInput) apply(prefix ident.Prefix, path card.Path) (card.Path, error) {
	var err error
	if in.Name.Present() {
		if path.Name, err = input.ChangedName(in.Name, refusal.Required); err != nil {
			return path, err
		}
	}
	if in.GoalQuantity.Present() {
		if path.GoalQuantity, err = input.ChangedQuantity("goalQuantity", in.GoalQuantity); err != nil {
			return path, err
		}
	}
	if in.Steps.Present() {
		steps, err := checkSteps(in.Steps)
		if err != nil {
			return path, err
		}
		for i := range steps[:min(len(steps), len(path.Steps))] {
			steps[i].ID, steps[i].AssignedTo = path.Steps[i].ID, path.Steps[i].AssignedTo
		}
		path.Steps = steps
	}
	if in.AdvancementMode.Present() {
		if path.AdvancementMode, err = input.OneOf("advancementMode", in.AdvancementMode, advancementModes); err != nil {
			return path, err
		}
	}
	if in.DueDate.Present() {
		if path.DueDate, err = workorder.DueDate(in.DueDate); err != nil {
			return path, err
		}
	}
	return path, in.ExternalInput.Change(prefix, path.ID, &path.ExternalID)
}

// stepsReferred reports whether any record refers to one of these steps of a path (docs/api/paths.md, "Changing the steps of a
// path"). Every serial has a status for every step of its path, so a single serial is enough.
func stepsReferred(tx PathStore, pathID string, steps []card.ProcessStep) (bool, error) {
	referred, err := tx.PathHasSerials(pathID)
	for i := 0; i < len(steps) && !referred && err == nil; i++ {
		referred, err = tx.StepReferred(steps[i].ID)
	}
	return referred, err
}

// refuseIfReferred refuses to remove steps that a record refers to.
func refuseIfReferred(tx PathStore, pathID string, steps []card.ProcessStep) error {
	referred, err := stepsReferred(tx, pathID, steps)
	if err != nil {
		return err
	}
	if referred {
		return refusal.Refuse(StepReferred)
	}
	return nil
}

// refuseTakeover refuses an update that probably was meant to insert, move or remove a step but would match steps by position: a
// step with records of its own would get another name, while its old name moves to another position.
func refuseTakeover(tx Tx, before, after card.Path) error {
	moved := map[string]bool{} // names at positions that had another name
	for i := range after.Steps {
		if name := nameKey(after.Steps[i].Name); i >= len(before.Steps) || nameKey(before.Steps[i].Name) != name {
			moved[name] = true
		}
	}
	for i := range before.Steps[:min(len(before.Steps), len(after.Steps))] {
		step, now := &before.Steps[i], after.Steps[i].Name
		if nameKey(step.Name) == nameKey(now) || !moved[nameKey(step.Name)] {
			continue
		}
		owns, err := ownsAnything(tx, before, step)
		if err != nil {
			return err
		}
		if owns {
			return refusal.Refuse(StepTakesOver, step.Name, now, before.ID)
		}
	}
	return nil
}

// nameKey is equal for names that users would consider the same.
func nameKey(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// ownsAnything reports whether a step has characteristics, requirements, files, readings or an operator.
func ownsAnything(tx Tx, path card.Path, step *card.ProcessStep) (bool, error) {
	if step.AssignedTo != "" || len(path.Characteristics[step.ID].Characteristics) > 0 || !path.RequirementsOf(step.ID).IsZero() {
		return true, nil
	}
	files, err := tx.FileLinks(FileSubject{Kind: RecordStep, ID: step.ID})
	if err != nil || slices.ContainsFunc(files, func(link FileLink) bool { return link.VoidedAt == 0 }) {
		return err == nil, err
	}
	readings, err := tx.Measurements(MeasurementQuery{StepID: step.ID, Limit: 1})
	return len(readings) > 0, err
}

// UpdateAdvancementMode changes only the mode of a path. The positions of serials do not change.
func (s *Service) UpdateAdvancementMode(ctx context.Context, id string, mode, user input.TextInput) (card.Path, error) {
	ctx = s.signable(ctx, struct {
		AdvancementMode input.TextInput `field:"advancementMode"`
		ChangedBy       input.TextInput `field:"changedBy"`
	}{mode, user}, id)
	var after card.Path
	err := s.Commit(ctx, &after, func(tx Tx) error {
		before, err := pathToChange(ctx, tx, id)
		if err != nil {
			return err
		}
		after = before
		if _, err := input.RequiredName("advancementMode", mode); err != nil {
			return err
		}
		if after.AdvancementMode, err = input.OneOf("advancementMode", mode, advancementModes); err != nil {
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
		return tx.AppendAudit(trail.Entry{
			Action: ActionAdvancementModeChanged, UserID: userID, Timestamp: after.UpdatedAt,
			JobID: after.JobID, PathID: id, Metadata: trail.BeforeAndAfter(before.AdvancementMode, after.AdvancementMode),
		})
	})
	return after, err
}

// RouteFixed reports whether the steps of a path cannot be removed because units, notes or certificates refer to them. New steps can be
// added anywhere.
func (s *Service) RouteFixed(ctx context.Context, pathID string) (fixed bool, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		path, err := findPath(tx, pathID)
		if err != nil {
			return err
		}
		fixed, err = stepsReferred(tx, pathID, path.Steps)
		return err
	})
	return fixed, err
}

// RouteStepInput is one step in the body of Replace Steps. With an id it is an existing step of the path: absent fields keep
// their value. Without an id it is a new step: absent fields get the default of a creation.
type RouteStepInput struct {
	ID input.TextInput `field:"id"`
	StepInput
}

// RouteStepsInput is a list of steps. Steps that the path already has carry their id.
type RouteStepsInput = input.Input[[]input.Input[RouteStepInput]]

// ReplaceStepsInput is the body of Replace Steps. The same transaction can change other fields of the path.
type ReplaceStepsInput struct {
	Steps           RouteStepsInput   `field:"steps"`
	Name            input.TextInput   `field:"name"`
	GoalQuantity    input.NumberInput `field:"goalQuantity"`
	AdvancementMode input.TextInput   `field:"advancementMode"`
	DueDate         input.TextInput   `field:"dueDate"`
	ChangedBy       input.TextInput   `field:"changedBy"` // only for the audit trail
}

// ReplaceSteps replaces the steps of a path. Listed steps keep all records that refer to them, at any place in the list. Steps
// that are not listed are removed under the rule of UpdatePath. Units keep their current step, and their status at every step
// that already existed: if a step would move from before a unit to after it, or the reverse, the whole change is refused.
func (s *Service) ReplaceSteps(ctx context.Context, id string, in ReplaceStepsInput) (card.Path, error) {
	ctx = s.signable(ctx, in, id)
	var after card.Path
	err := s.Commit(ctx, &after, func(tx Tx) error {
		before, err := pathToChange(ctx, tx, id)
		if err != nil {
			return err
		}
		if after, err = in.apply(tx.SerialPrefix(), before); err != nil {
			return err
		}
		userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
		if err != nil {
			return err
		}
		for i := range after.Steps {
			if after.Steps[i].ID == "" {
				after.Steps[i].ID = s.NewID(card.StepPrefix)
			}
		}
		if err := refuseRemoval(tx, before, after); err != nil {
			return err
		}
		change, err := rerouting(tx, before, after)
		if err != nil {
			return err
		}
		if err := s.recordPath(tx, before, &after, userID); err != nil {
			return err
		}
		change.At = after.UpdatedAt
		return tx.Reroute(change)
	}, Alone)
	return after, err
}

// refuseRemoval refuses to remove steps that a record refers to.
func refuseRemoval(tx PathStore, before, after card.Path) error {
	var removed []card.ProcessStep
	stays := replay.OrderOf(after.Steps)
	for i := range before.Steps {
		if _, kept := stays[before.Steps[i].ID]; !kept {
			removed = append(removed, before.Steps[i])
		}
	}
	if len(removed) == 0 {
		return nil
	}
	return refuseIfReferred(tx, before.ID, removed)
}

// rerouting returns the effect of changed steps on the units of a path.
func rerouting(tx RerouteStore, before, after card.Path) (replay.Rerouting, error) {
	if !replay.Reroutes(before.Steps, after.Steps) {
		return replay.Rerouting{}, nil
	}
	units, err := tx.UnitPlaces(before.ID)
	if err != nil || len(units) == 0 {
		return replay.Rerouting{}, err
	}
	change, err := replay.NewReorder(before.Steps, after.Steps).Follow(units)
	change.PathID = before.ID
	return change, err
}

func (in ReplaceStepsInput) apply(prefix ident.Prefix, before card.Path) (card.Path, error) {
	after, err := UpdatePathInput{
		Name: in.Name, GoalQuantity: in.GoalQuantity, AdvancementMode: in.AdvancementMode, DueDate: in.DueDate,
	}.apply(prefix, before)
	if err != nil {
		return after, err
	}
	if in.Steps.Missing() {
		return after, refusal.RefuseField(refusal.Required, "steps")
	}
	if err := in.Steps.Typed("steps"); err != nil {
		return after, err
	}
	if len(in.Steps.Value) == 0 {
		return after, refusal.RefuseField(refusal.Required, "steps")
	}
	if err := input.CheckItems("steps", len(in.Steps.Value)); err != nil {
		return after, err
	}
	after.Steps, err = in.steps(before.Steps)
	return after, err
}

// steps returns the steps of the list. It reports an unknown id only if the list has no other error.
func (in ReplaceStepsInput) steps(before []card.ProcessStep) (after []card.ProcessStep, err error) {
	places, listed := replay.OrderOf(before), map[string]bool{}
	after = make([]card.ProcessStep, len(in.Steps.Value))
	var unknown error
	for i, given := range in.Steps.Value {
		field := fmt.Sprintf("steps[%d]", i)
		if given.State != input.StateGiven {
			return nil, refusal.RefuseField(refusal.NotObject, field)
		}
		step := card.ProcessStep{DependencyType: card.Preferred}
		if item := &given.Value; !item.ID.Missing() {
			id, err := input.RequiredName(field+".id", item.ID)
			if err != nil {
				return nil, err
			}
			if listed[id] {
				return nil, refusal.RefuseField(StepTwice, field+".id")
			}
			listed[id] = true
			place, known := places[id]
			switch {
			case known:
				step = before[place]
			case unknown == nil:
				unknown = card.NameStep.NotFound(id)
			}
			step.ID = id
		}
		if after[i], err = given.Value.change(field, step); err != nil {
			return nil, err
		}
		after[i].Order = i
	}
	return after, unknown
}

// RerouteStore has the database functions for reroutes.
type RerouteStore interface {
	// UnitPlaces counts the units of a path by position: first the units at a step, then the units that have left their last step, each in
	// the order of positions. No unit of the path changes until the transaction ends.
	UnitPlaces(pathID string) ([]replay.UnitPlace, error)
	// Reroute updates the stored positions of the units of a path.
	Reroute(change replay.Rerouting) error
}

// Reasons for refusing to replace steps.
var (
	StepTwice     = refusal.NewReason(refusal.Invalid, "listed_twice", "{field} is listed twice")
	StepTakesOver = refusal.NewReason(refusal.Invalid, "step_takes_over", "Step {name} would become {new}: use PUT /api/paths/{id}/steps")
)

// OpReplaceSteps is the operation of ReplaceSteps.
const OpReplaceSteps Operation = "replace-steps"
