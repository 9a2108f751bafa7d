package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/routecard/routecard"
)

// setActive lets an operator act, or not.
func (s *shop) setActive(id string, active bool) {
	s.t.Helper()
	if _, err := s.service.UpdateUser(s.t.Context(), id, routecard.UpdateUserInput{Active: routecard.Given(active)}); err != nil {
		s.t.Fatal(err)
	}
}

// signer is who did the last thing with a unit.
func (s *shop) signer(unit string) string {
	s.t.Helper()
	card, err := s.service.Card(s.t.Context(), unit)
	if err != nil {
		s.t.Fatal(err)
	}
	return card.Trail[len(card.Trail)-1].UserID
}

// An operator is chosen by name, kept by identifier, and acts only while active.
func TestOperatorsAreChosenFromAList(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind", "Wash")
	v := s.visitor()
	// In an empty shop the first name that is typed becomes the first operator.
	v.visit("/").press("Your name", "name", "Dana")
	dana := v.cookies["operator"]
	if !strings.HasPrefix(dana, "user_") {
		t.Fatalf("the device keeps %q", dana)
	}
	v.says("Working as")
	quinn := s.operator("Quinn")
	v.visit("/serials/"+unit).press(`value="advance"`, "do", "advance")
	if got := s.signer(unit); got != dana {
		t.Errorf("signed by %q, want %q", got, dana)
	}
	v.says("Dana")
	// What was typed long ago, or is on no list, is nobody.
	for _, cookie := range []string{"Dana", "user_nobody", ""} {
		v.cookies["operator"] = url.QueryEscape(cookie)
		v.visit("/serials/"+unit).press(`value="advance"`, "do", "advance")
		if v.page.status != http.StatusBadRequest {
			t.Errorf("with the cookie %q: status %d", cookie, v.page.status)
		}
	}
	v.visit("/").post(posted{"/operator", url.Values{"operator": {"Dana"}}})
	v.says("Choose somebody from the list.")
	// Nor is somebody who may not act any more, whoever remembers the name.
	v.cookies["operator"] = quinn
	v.visit("/serials/" + unit)
	s.setActive(quinn, false)
	v.press(`value="advance"`, "do", "advance", "userId", quinn)
	if v.page.status != http.StatusBadRequest {
		t.Errorf("an inactive operator acted: status %d", v.page.status)
	}
	v.says("Quinn is not active any more.")
	if strings.Contains(v.visit("/").page.html, ">Quinn<") {
		t.Error("an inactive operator is offered")
	}
	s.stands(unit, 1, routecard.InProgress)
	// The form asks who, and the device keeps it.
	v.visit("/serials/"+unit).press(`value="advance"`, "do", "advance", "userId", dana)
	s.stands(unit, 2, routecard.InProgress)
	if v.cookies["operator"] != dana {
		t.Errorf("the device keeps %q", v.cookies["operator"])
	}
}

// Who approves is chosen for each approval, and stands out when it is whoever asks.
func TestApproverIsChosenAnew(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind", "Wash", "Pack")
	v := s.works("Dana")
	quinn := s.operator("Quinn")
	v.visit("/serials/"+unit).press(`value="advance-to"`, "do", "advance-to", "target", "2")
	v.says("Dana – the same person who asks")
	v.press(`value="waive"`, "do", "waive", "reason", "Customer agreed")
	if v.page.status != http.StatusBadRequest {
		t.Errorf("waived without an approver: status %d", v.page.status)
	}
	v.press(`value="waive"`, "do", "waive", "reason", "Customer agreed", "approverId", quinn)
	if got := s.signer(unit); got != quinn {
		t.Errorf("approved by %q, want %q", got, quinn)
	}
}
