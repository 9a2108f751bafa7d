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

// stepsListed is how many steps are listed where one is chosen. Of a longer route a step is typed: its number, or its name.
const stepsListed = 24

// stepFinished is what is typed to move a unit behind the last step.
const stepFinished = "Completed"

// ManySteps reports whether the route is too long to list its steps wherever one is chosen.
func (p *Page) ManySteps() bool { return len(p.Card.Path.Steps) > stepsListed }

// StepsOffered are the steps of the route as they are typed.
func (p *Page) StepsOffered() []site.Choice {
	var offered []site.Choice
	for i, step := range p.Card.Path.Steps {
		offered = append(offered, site.Choice{Value: stepTyped(i, step), Hint: step.Location})
	}
	return append(offered, site.Choice{Value: stepFinished, Hint: ""})
}

// stepTyped is how a step is typed that has this place on the route.
func stepTyped(i int, step card.ProcessStep) string { return wording.Ordinal(i) + " " + step.Name }

// NoteStepTyped is the step that a note is about, unless another one is typed.
func (p *Page) NoteStepTyped() string {
	about := p.Card.NoteStep()
	return stepTyped(about.Order, about)
}

// StepsRead identifies the order of the steps, which a form with a place on the route was drawn for.
func (p *Page) StepsRead() string {
	ids := make([]any, len(p.Card.Path.Steps))
	for i, step := range p.Card.Path.Steps {
		ids[i] = step.ID
	}
	return site.AsRead(ids...)
}

// chosenTarget is the place on the route that a form wants the unit at. It is refused when the steps have another order by now.
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

// noteStep is the step that a note is about.
func noteStep(v *site.Visit, id string) (input.TextInput, error) {
	place, steps, err := placeTyped(v, id, "stepTyped")
	if place < 0 || place >= len(steps) {
		return v.Text("stepId"), err
	}
	return input.Given(steps[place].ID), err
}

// placeTyped is the place of the step that was typed in a field, on the steps of a unit's route: their number for the place
// behind the last one, and -1 when nothing was typed.
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
