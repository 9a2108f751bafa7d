package unitcard

import (
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// stepsListed is the maximum number of steps that a form lists. If a route has more, the user types the number or the name of a step.
const stepsListed = 24

// stepFinished is the text that users type to move a unit past its last step.
const stepFinished lang.Text = "Completed"

// ManySteps reports whether the route is too long for lists of its steps.
func (p *Page) ManySteps() bool { return len(p.Card.Path.Steps) > stepsListed }

// StepsOffered lists the steps of the route in the form in which users type them.
func (p *Page) StepsOffered() []site.Choice {
	var offered []site.Choice
	for i, step := range p.Card.Path.Steps {
		offered = append(offered, site.Choice{Value: stepTyped(i, step), Hint: step.Location})
	}
	return append(offered, site.Choice{Value: p.Lookup(stepFinished), Hint: ""})
}

// stepTyped returns the text that users type for the step at index i of the route.
func stepTyped(i int, step card.ProcessStep) string { return wording.Ordinal(i) + " " + step.Name }

// NoteStepTyped returns the default text of the field for the step of a note.
func (p *Page) NoteStepTyped() string {
	about := p.Card.NoteStep()
	return stepTyped(about.Order, about)
}

// StepsRead identifies the order of the steps for which a form was rendered.
func (p *Page) StepsRead() string {
	ids := make([]any, len(p.Card.Path.Steps))
	for i, step := range p.Card.Path.Steps {
		ids[i] = step.ID
	}
	return site.AsRead(ids...)
}

// chosenTarget returns the index of the step to which a form moves the unit. It refuses the form if the order of the steps has changed
// since the form was rendered.
func chosenTarget(v *site.Visit, id string) (input.NumberInput, error) {
	card, err := Load(v, id)
	if err != nil {
		return input.NumberInput{}, err
	}
	if v.Form.Get("stepsRead") != card.StepsRead() {
		return input.NumberInput{}, refusal.Refuse(wording.StepsChanged)
	}
	place, _, err := placeTyped(v, id, "targetTyped")
	if place < 0 {
		return v.Number("target"), err
	}
	return input.Given(float64(place)), err
}

// noteStep returns the step to which a note belongs.
func noteStep(v *site.Visit, id string) (input.TextInput, error) {
	place, steps, err := placeTyped(v, id, "stepTyped")
	if place < 0 || place >= len(steps) {
		return v.Text("stepId"), err
	}
	return input.Given(steps[place].ID), err
}

// placeTyped returns the index of the step that was typed in a field, and the steps of the unit's route. For the position after the last
// step, the index is the number of steps. If nothing was typed, it is -1.
func placeTyped(v *site.Visit, id, field string) (place int, steps []card.ProcessStep, err error) {
	typed := strings.TrimSpace(v.Form.Get(field))
	if typed == "" {
		return -1, nil, nil
	}
	card, err := Load(v, id)
	if err != nil {
		return -1, nil, err
	}
	steps = card.Card.Path.Steps
	if strings.EqualFold(typed, v.Lookup(stepFinished)) || strings.EqualFold(typed, stepFinished.English()) {
		return len(steps), steps, nil
	}
	all := make([]site.Named, len(steps))
	for i, step := range steps {
		all[i] = site.Named{ID: wording.Ordinal(i), Name: stepTyped(i, step), Hint: step.Location}
	}
	chosen, err := site.Among("step", all).Pick(v.R.Context(), typed)
	if err != nil {
		return -1, nil, err
	}
	number, err := strconv.Atoi(chosen)
	return number - 1, steps, err
}
