package unitcard

import (
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// stepsListed is the number of steps up to which a form lists them. In a longer route the user types the number or name of a step.
const stepsListed = 24

// stepFinished is typed to move a unit past the last step.
const stepFinished = "Completed"

// ManySteps reports whether the route is too long for lists of its steps.
func (p *Page) ManySteps() bool { return len(p.Card.Path.Steps) > stepsListed }

// StepsOffered lists the steps of the route as users type them.
func (p *Page) StepsOffered() []site.Choice {
	var offered []site.Choice
	for i, step := range p.Card.Path.Steps {
		offered = append(offered, site.Choice{Value: stepTyped(i, step), Hint: step.Location})
	}
	return append(offered, site.Choice{Value: stepFinished, Hint: ""})
}

// stepTyped returns how users type the step at index i of the route.
func stepTyped(i int, step card.ProcessStep) string { return wording.Ordinal(i) + " " + step.Name }

// NoteStepTyped returns the default step of a note.
func (p *Page) NoteStepTyped() string {
	about := p.Card.NoteStep()
	return stepTyped(about.Order, about)
}

// StepsRead identifies the order of steps for which a form was rendered.
func (p *Page) StepsRead() string {
	ids := make([]any, len(p.Card.Path.Steps))
	for i, step := range p.Card.Path.Steps {
		ids[i] = step.ID
	}
	return site.AsRead(ids...)
}

// chosenTarget returns the index of the step to which a form moves the unit. It returns a refusal when the order of steps has changed
// since.
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

// placeTyped returns the index of the step typed in a field, and the steps of the unit's route. The index is the number of steps for the
// place after the last one, and -1 when nothing was typed.
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
	if strings.EqualFold(typed, stepFinished) {
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
