package web_test

import (
	"net/http"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

// In the audit trail, the author is always the operator that the page showed. If a page showed another operator than the current one, its
// form is not carried out. The current operator can then send the form under their own name.
func TestActsAsWhoWasShown(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind", "Pack")
	v := s.works("Anna")
	anna, dana := v.cookies["operator"], s.operator("Dana")
	note := func(text string) posted {
		card, err := s.views.Card(t.Context(), unit)
		s.must(err)
		return v.visit("/serials/"+unit).page.form(t, `value="note"`).with("do", "note", "stepId", card.Card.Path.Steps[0].ID, "text", text)
	}
	form := note("Chatter marks")
	v.cookies["operator"] = dana // chosen in another window
	v.post(form).says("Dana works here now, and the page showed somebody else. Nothing was done.")
	if v.page.status != http.StatusPreconditionFailed || len(s.notes(unit)) != 0 {
		t.Fatalf("status %d, notes %v", v.page.status, s.notes(unit))
	}
	again := v.page.form(t, "Do it as Dana")
	v.post(again).says("Note written.")
	v.post(again) // sends it once
	if notes := s.notes(unit); len(notes) != 1 || notes[0].CreatedBy != dana {
		t.Errorf("the notes are %v, want one of Dana's", notes)
	}
	// If a form was carried out for Anna and is sent again while Dana is working, it does not add a second note.
	v.cookies["operator"] = anna
	form = note("Coolant changed")
	v.post(form).says("Note written.")
	v.cookies["operator"] = dana
	v.post(form).says("Dana works here now")
	v.press("Do it as Dana")
	if notes := s.notes(unit); len(notes) != 2 || notes[1].CreatedBy != anna {
		t.Errorf("the notes are %v, want a second one of Anna's", notes)
	}
	// A page without an operator asks for one in its form.
	delete(v.cookies, "operator")
	form = v.visit("/serials/"+unit).page.form(t, `value="advance"`).with("do", "advance", "userId", anna)
	v.cookies["operator"] = dana
	v.post(form)
	s.stands(unit, 1, card.InProgress)
}

// The same holds with sign-in: another user has signed in, in another window.
func TestActsAsWhoWasSignedIn(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	s.person("anna", "operator")
	s.person("dana", "operator")
	_, unit := s.units(1, "Turn", "Grind", "Pack")
	anna, dana := s.signedIn("anna"), s.signedIn("dana")
	form := anna.visit("/serials/"+unit).page.form(t, `value="advance"`).with("do", "advance")
	anna.cookies = dana.cookies
	anna.post(form).says("works here now, and the page showed somebody else. Nothing was done.")
	s.stands(unit, 0, card.InProgress)
	anna.press("Do it as")
	s.stands(unit, 1, card.InProgress)
}

// notes lists the notes on a unit.
func (s *visitedShop) notes(unit string) []shop.Note {
	s.t.Helper()
	card, err := s.views.Card(s.t.Context(), unit)
	s.must(err)
	return card.Notes
}
