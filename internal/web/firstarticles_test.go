package web_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// article creates a first article of a unit on a path of its own, and types the fields that the records leave empty. Then it is verified and
// approved, up to a status.
func (s *visitedShop) article(until shop.FirstArticleStatus) shop.FirstArticle {
	s.t.Helper()
	ctx := s.t.Context()
	path, unit := s.inspected()
	made, err := s.service.CreateFirstArticle(ctx, path, shop.CreateFirstArticleInput{
		SerialIDs: input.GivenTexts(unit), Kind: input.Given("full"), Reason: input.Given("new part"), UserID: input.Given("setup"),
	})
	s.must(err)
	s.must(s.typeMissing(made.ID))
	if until == shop.FirstArticleDraft {
		return made
	}
	made, err = s.service.VerifyFirstArticle(ctx, made.ID, shop.ActOnFirstArticleInput{UserID: input.Given("vera")})
	s.must(err)
	if until == shop.FirstArticleVerified {
		return made
	}
	made, err = s.service.ApproveFirstArticle(ctx, made.ID, shop.ActOnFirstArticleInput{UserID: input.Given("quinn")})
	s.must(err)
	return made
}

// inspected creates a unit with a reading of each characteristic of its path.
func (s *visitedShop) inspected() (path, unit string) {
	s.t.Helper()
	ctx, user := s.t.Context(), input.Given("setup")
	job, unit := s.units(1, "Mill")
	detail, err := s.service.Job(ctx, job)
	s.must(err)
	_, err = s.service.SetCharacteristics(ctx, detail.Paths[0].Steps[0].ID, shop.SetCharacteristicsInput{
		Characteristics: shoptest.Characteristics(shoptest.Between("12", "13")), UserID: user,
	})
	s.must(err)
	_, err = s.service.RecordMeasurements(ctx, unit, shoptest.Measured(user, "1", "12.5"))
	s.must(err)
	return detail.Paths[0].ID, unit
}

// A first article is created at a route, filled, verified, approved by another person, and signed off by the customer.
func TestFormsOfAFirstArticle(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	path, unit := s.inspected()
	v := s.works("Ann")
	v.visit("/first-articles?path="+path).press(">Create first article<", "units", unit, "kind", "full", "reason", "new part")
	v.says("First article FAI-00001 created.")
	s.must(s.typeMissing("FAI-00001"))
	v.visit("/first-articles?id=FAI-00001").press(`value="verify"`, "do", "verify").says("First article verified.")
	v.visit("/first-articles?id=FAI-00001").press(`value="approve"`, "do", "approve").says("Another person must approve it.")
	other := s.works("Quinn")
	other.visit("/first-articles?id=FAI-00001").press(`value="approve"`, "do", "approve").says("First article approved.")
	if page := other.visit("/first-articles?id=FAI-00001").page.html; !strings.Contains(page, `data-upload="sha256"`) {
		t.Error("the form for the approval by the customer takes no file")
	}
	letter, err := s.keepsFiles().Upload(t.Context(), strings.NewReader("We approve."))
	s.must(err)
	other.press(`value="customer"`, "do", "customer", "name", "Meyer", "approvedOn", "2026-01-31", "sha256", letter.SHA256)
	other.says("Approval by the customer recorded.")
	if !strings.Contains(other.page.html, `href="/api/files/`+letter.SHA256+`"`) {
		t.Error("the page has no link to the letter of the customer")
	}
}

// typeMissing types the missing fields of a draft.
func (s *visitedShop) typeMissing(id string) error {
	s.t.Helper()
	found, err := s.service.FirstArticle(s.t.Context(), id)
	s.must(err)
	typed := map[string]string{}
	for _, field := range found.Missing {
		typed[field.Name()] = "x"
	}
	fields, err := json.Marshal(typed)
	s.must(err)
	_, err = s.service.UpdateFirstArticle(s.t.Context(), id, shop.UpdateFirstArticleInput{
		Fields: input.Given(json.RawMessage(fields)), UserID: input.Given("setup"),
	})
	return err
}
