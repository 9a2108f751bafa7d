package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/shop/card"
)

// docs/access.md, "Passwords, PINs, sessions": If a user's last proof of identity is too old, the page asks for a secret and then carries
// out the change.
func TestConfirmThatItIsYou(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	anna := s.person("anna", "operator")
	boss := s.signedIn("boss")
	s.pass(5 * time.Minute)
	boss.visit("/users/"+anna).press("Save the account", "role", "lead")
	boss.says("Confirm that it is you")
	roles := func() string {
		user, err := s.service.User(t.Context(), anna)
		s.must(err)
		return strings.Join(user.Roles, " ")
	}
	if got := roles(); got != "operator" {
		t.Errorf("unconfirmed, she has the roles %s", got)
	}
	asked := boss.page
	for typed, says := range map[string]string{"": "Type the password or the PIN.", "a wrong password": "The login or the password is not valid"} {
		boss.page = asked
		boss.press("confirm-secret", "confirm-secret", typed, "sure", "yes").says(says)
		if boss.page.status < 400 || strings.Contains(boss.page.html, "a wrong password") || roles() != "operator" {
			t.Errorf("%q: status %d, roles %s:\n%s", typed, boss.page.status, roles(), boss.text())
		}
	}
	boss.press("confirm-secret", "confirm-secret", browsertest.GoodPassword, "sure", "yes").says("Account saved.")
	if got := roles(); got != "lead" {
		t.Errorf("confirmed, she has the roles %s", got)
	}
	boss.press("Set the password", "password", "given by the boss").says("Password set.") // valid for five minutes
	s.pass(5 * time.Minute)
	boss.visit("/users/"+anna).press("Set the PIN", "pin", "271828").says("Confirm that it is you")
	boss.press("confirm-secret", "confirm-secret", browsertest.GoodPassword, "sure", "yes").says("PIN set.")
	s.pass(5 * time.Minute)
	boss.visit("/settings/signatures").press("Save", "scrap", "self").says("Confirm that it is you")
	boss.press("confirm-secret", "confirm-secret", browsertest.GoodPassword, "sure", "yes").says("Saved.")
	s.pass(5 * time.Minute)
	boss.visit("/me").press("Create a token", "name", "x", "permission", "read").says("Confirm that it is you")
	boss.press("confirm-secret", "confirm-secret", browsertest.GoodPassword, "sure", "yes").says("Copy it now")
}

// docs/access.md, "Secrets set by an administrator": On the page of operators, only second persons are asked to confirm accounts.
func TestAccountsAreConfirmedOnAPage(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	s.person("anna", "lead")
	s.person("tom", "quality")
	s.person("olaf", "operator")
	const button = "Confirm the account of Name of anna"
	if strings.Contains(s.signedIn("olaf").visit("/users").page.html, button) || strings.Contains(s.signedIn("anna").visit("/users").page.html, button) {
		t.Error("somebody is asked who may not, or for their own account")
	}
	boss := s.signedIn("boss")
	boss.visit("/users").press(button).says("A second person has to confirm this account")
	anna := s.signedIn("anna")
	anna.visit("/me").says("You can sign when a second person has confirmed")
	s.confirm("anna", "tom")
	if strings.Contains(boss.visit("/users").page.html, button) || strings.Contains(anna.visit("/me").text(), "You can sign when") {
		t.Error("it is still asked for")
	}
}

// docs/access.md, "Names in requests": Pages never take the acting user from a form, not even if the user may act for others.
func TestPagesActForNobody(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	_, unit := s.units(1, "Saw", "Turn")
	other := s.operator("Other")
	s.person("gateway", "integration")
	gateway := s.signedIn("gateway")
	gateway.visit("/serials/"+unit).press(`value="advance"`, "do", "advance", "userId", other, "changedBy", "nobody")
	if s.stands(unit, 1, card.InProgress); gateway.page.status != http.StatusOK {
		t.Errorf("status %d", gateway.page.status)
	}
	for entry, err := range s.service.AuditOfSerial(t.Context(), unit) {
		if err != nil || entry.UserID != "gateway" {
			t.Errorf("%s by %s, %v", entry.Action, entry.UserID, err)
		}
	}
}
