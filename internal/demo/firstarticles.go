package demo

import (
	"context"

	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/firstarticle"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// The demo has two first articles. Records fill form 2 of the actuator's, which approveFirstArticles verifies and approves once the shop
// can store files. That of a valve body stays a draft: its lot of material has no specification.

// demandTest adds the characteristics of the functional test to its step.
func (s *script) demandTest(ctx context.Context, stepID string) error {
	stroke := number("1", "Stroke", "mm", "40.00", "39.80", "40.20")
	stroke.Designator = input.Given(string(card.KeyCharacteristic))
	leakage := number("2", "Internal leakage at 28 MPa", "ml/min", "", "", "0.5")
	leakage.InstrumentRequired = input.Given(false)
	_, err := s.service.SetCharacteristics(ctx, stepID, shop.SetCharacteristicsInput{
		Characteristics: input.Given([]input.Input[shop.CharacteristicInput]{
			input.Given(stroke), input.Given(leakage),
			input.Given(shop.CharacteristicInput{
				Number: input.Given(input.Written("3")), Name: input.Given("No external leakage"),
				Type: input.Given(string(card.PassFailReading)), Requirement: input.Given("No drop in 5 minutes at 42 MPa"),
			}),
		}),
		UserID: s.who(planner),
	})
	return err
}

// inspect creates the first articles of the first actuator, and of the first valve body.
func (s *script) inspect(ctx context.Context, actuators *batch) error {
	actuator, err := s.firstArticle(ctx, actuators.path.ID, actuators.units[0], "First delivery of revision A")
	if err != nil {
		return err
	}
	if err := s.typeFirstArticles(ctx, &actuator); err != nil {
		return err
	}
	route := s.routes[measuredRoute].path.ID
	bodies, err := s.views.SearchSerials(ctx, views.SerialQuery{PathID: route, Status: card.Completed, Limit: input.SearchLimit})
	if err != nil || len(bodies.Items) == 0 {
		return err
	}
	_, err = s.firstArticle(ctx, route, bodies.Items[len(bodies.Items)-1].ID, "New drawing revision C")
	return err
}

func (s *script) firstArticle(ctx context.Context, pathID, unit, reason string) (shop.FirstArticle, error) {
	return s.service.CreateFirstArticle(ctx, pathID, shop.CreateFirstArticleInput{
		SerialIDs: input.GivenTexts(unit), Kind: input.Given(string(firstarticle.Full)), Reason: input.Given(reason),
		UserID: s.who(quality),
	})
}

// typeFirstArticles types the first articles of the parts inside, which the shop made before it had this service.
func (s *script) typeFirstArticles(ctx context.Context, f *shop.FirstArticle) error {
	numbers, typed := map[int]string{}, map[string]string{}
	for i := range f.Fields {
		if field := &f.Fields[i]; field.Form == 1 && field.Field == 15 {
			numbers[field.Row] = field.Text
		}
	}
	for _, missing := range f.Missing {
		if missing.Form == 1 && missing.Field == 18 {
			typed[missing.Name()] = "FAIR " + numbers[missing.Row] + "-1"
		}
	}
	_, err := s.service.UpdateFirstArticle(ctx, f.ID, shop.UpdateFirstArticleInput{
		Fields: input.Given(document(typed)), UserID: s.who(quality),
	})
	return err
}

// approveFirstArticles verifies and approves the first articles that lack nothing, with signatures. People are identified by their names.
func approveFirstArticles(ctx context.Context, store sqlstore.Store, service *shop.Service, people map[string]string) error {
	drafts, err := service.FirstArticles(ctx, shop.FirstArticleQuery{Status: shop.FirstArticleDraft})
	if err != nil {
		return err
	}
	for i := range drafts.Items {
		draft, err := service.FirstArticle(ctx, drafts.Items[i].ID)
		if err != nil {
			return err
		}
		if len(draft.Missing) > 0 {
			continue
		}
		for _, act := range []struct {
			person, name string
			do           func(context.Context, string, shop.ActOnFirstArticleInput) (shop.FirstArticle, error)
		}{{quality, "verify", service.VerifyFirstArticle}, {supervisor, "approve", service.ApproveFirstArticle}} {
			in := shop.ActOnFirstArticleInput{UserID: input.Given(loginOf(act.person))}
			signing, err := signed(ctx, store, people[act.person], service.Now().Time(), signature{
				act.person, shop.SignFirstArticle, "/api/first-articles/" + draft.ID + "/" + act.name, in,
			})
			if err != nil {
				return err
			}
			if _, err := act.do(signing, draft.ID, in); err != nil {
				return err
			}
		}
	}
	return nil
}
