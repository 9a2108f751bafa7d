package demo

import (
	"context"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// engage adds the people of the shop. One of them retires in the middle of the history, and one marries.
func (s *simulation) engage(ctx context.Context) error {
	type group struct {
		department string
		names      []string
	}
	for _, g := range []group{
		{"Planning", []string{planner}},
		{"Production", []string{supervisor}},
		{"Quality", []string{quality}},
		{"Early shift", append(slices.Clone(earlyShift[:]), retired)},
		{"Late shift", lateShift[:]},
	} {
		for _, name := range g.names {
			user, err := s.service.CreateUser(ctx, shop.CreateUserInput{
				Name: input.Given(name), Department: input.Given(g.department),
			})
			if err != nil {
				return err
			}
			s.people[name] = user.ID
		}
	}
	s.planAt(0.3, func(ctx context.Context) error {
		_, err := s.service.UpdateUser(ctx, s.people[retired], shop.UpdateUserInput{
			Active: input.Given(false), ChangedBy: s.who(supervisor),
		})
		return err
	})
	s.planAt(0.5, func(ctx context.Context) error {
		_, err := s.service.UpdateUser(ctx, s.people[wed], shop.UpdateUserInput{
			Name: input.Given(wedAs), ChangedBy: s.who(supervisor),
		})
		return err
	})
	return nil
}

// keepTemplates keeps the first route of some orders, to be used again.
func (s *simulation) keepTemplates(ctx context.Context) error {
	for i, o := range orders() {
		if i%3 != 0 {
			continue
		}
		if _, err := s.service.CreateTemplate(ctx, shop.CreateTemplateInput{
			Name: input.Given(o.routes[0].name), Steps: shop.TemplateSteps(stepsOf(o.routes[0].steps)), ChangedBy: s.who(planner),
		}); err != nil {
			return err
		}
	}
	return nil
}

// assign gives the steps of a new route to people of both shifts; every fourth one stays unassigned.
func (s *simulation) assign(ctx context.Context, path card.Path, place int) error {
	everybody := slices.Concat(earlyShift[:], lateShift[:])
	for i, step := range path.Steps {
		if (place+i)%4 == 3 {
			continue
		}
		if _, err := s.service.AssignStep(ctx, step.ID, shop.AssignStepInput{
			UserID: s.who(everybody[(place+i)%len(everybody)]), ChangedBy: s.who(supervisor),
		}); err != nil {
			return err
		}
	}
	return nil
}

// moveLastStep gives the last step of a route another place. Units that passed it keep the old one on their cards.
func (s *simulation) moveLastStep(ctx context.Context, pathID string, steps []step) error {
	moved := slices.Clone(steps)
	moved[len(moved)-1].location = "Hall 2, " + moved[len(moved)-1].location
	_, err := s.service.UpdatePath(ctx, pathID, shop.UpdatePathInput{Steps: stepsOf(moved), ChangedBy: s.who(planner)})
	return err
}
