package shop

import (
	"context"
	"fmt"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// RouteStepInput is one step in the body of Replace Steps. With an identifier it is a step that the path has: a field that is
// absent keeps its value. Without one it is a new step, and an absent field gets the default of a creation.
type RouteStepInput struct {
	ID input.TextInput `field:"id"`
	StepInput
}

// RouteStepsInput is a list of steps, each with its identifier if the path has it already.
type RouteStepsInput = input.Input[[]input.Input[RouteStepInput]]

// ReplaceStepsInput is the body of Replace Steps. The other fields of the path may be changed in the same transaction.
type ReplaceStepsInput struct {
	Steps           RouteStepsInput   `field:"steps"`
	Name            input.TextInput   `field:"name"`
	GoalQuantity    input.NumberInput `field:"goalQuantity"`
	AdvancementMode input.TextInput   `field:"advancementMode"`
	DueDate         input.TextInput   `field:"dueDate"`
	ChangedBy       input.TextInput   `field:"changedBy"` // for the audit trail
}

// ReplaceSteps gives a path the steps of a list. Steps keep everything that refers to them, wherever they stand in the list.
// Steps that are not in it are removed under the rule of UpdatePath. Units keep the step at which they stand, and the status
// of every step that was there before: the whole change is refused when a step would come to the other side of a unit.
func (s *Service) ReplaceSteps(ctx context.Context, id string, in ReplaceStepsInput) (card.Path, error) {
	ctx = s.signable(ctx, in, id)
	var after card.Path
	err := s.Commit(ctx, &after, func(tx Tx) error {
		before, err := pathToChange(ctx, tx, id)
		if err != nil {
			return err
		}
		if after, err = in.apply(before); err != nil {
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

// refuseRemoval refuses a change of a path that removes steps to which anything refers.
func refuseRemoval(tx PathStore, before, after card.Path) error {
	var removed []card.ProcessStep
	stays := orderOf(after.Steps)
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

// rerouting returns what a change of the steps of a path changes for its units.
func rerouting(tx RerouteStore, before, after card.Path) (Rerouting, error) {
	if !reroutes(before.Steps, after.Steps) {
		return Rerouting{}, nil
	}
	units, err := tx.UnitPlaces(before.ID)
	if err != nil || len(units) == 0 {
		return Rerouting{}, err
	}
	change, err := newReroute(before.Steps, after.Steps).follow(units)
	change.PathID = before.ID
	return change, err
}

func (in ReplaceStepsInput) apply(before card.Path) (card.Path, error) {
	after, err := UpdatePathInput{
		Name: in.Name, GoalQuantity: in.GoalQuantity, AdvancementMode: in.AdvancementMode, DueDate: in.DueDate,
	}.apply(before)
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

// steps returns the steps of the list. An identifier that the path does not have is reported after every other mistake in it.
func (in ReplaceStepsInput) steps(before []card.ProcessStep) (after []card.ProcessStep, err error) {
	places, listed := orderOf(before), map[string]bool{}
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

// RerouteStore is what reroutes need of a database.
type RerouteStore interface {
	// UnitPlaces counts the units of a path by where they stand, first those at a step and then those that left their last one, in
	// the order of positions. No unit of the path changes until the transaction ends.
	UnitPlaces(pathID string) ([]UnitPlace, error)
	// Reroute changes what is stored of the units of a path by places.
	Reroute(change Rerouting) error
}

// Why steps are not replaced.
var (
	StepTwice      = refusal.NewReason(refusal.Invalid, "listed_twice", "{field} is listed twice")
	StepsPassUnits = refusal.NewReason(refusal.Invalid, "step_passes_units",
		"Step {step} cannot come to the other side of step {at}: {count} units stand there. "+
			"Move these units first, or keep the order of these steps")
	StepsPassDone = refusal.NewReason(refusal.Invalid, "step_passes_units",
		"Step {step} cannot come before the end of the route that {count} completed units have left. "+
			"Put it after the steps that they completed")
	TooManyPassed = refusal.NewReason(refusal.Invalid, "too_many_units",
		"Units are past the new steps {count} times, and at most {limit} are recorded at once. "+
			"Insert fewer steps at a time, or insert them after the units")
	TooManyMoved = refusal.NewReason(refusal.Invalid, "too_many_units",
		"{count} units stand at or after the first step that gets another place, and at most {limit} can be moved at once. "+
			"Keep the order of the steps up to where most units stand")
	StepTakesOver = refusal.NewReason(refusal.Invalid, "step_takes_over", "Step {name} would become {new}: use PUT /api/paths/{id}/steps")
)

// OpReplaceSteps is the operation of ReplaceSteps.
const OpReplaceSteps Operation = "replace-steps"
