package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/shop"
)

// openTwoAdministrators returns a shop in which Ada has to sign changes of accounts that Boss makes.
func openTwoAdministrators(t *testing.T) (s *visitedShop, boss *visitor, olaf string) {
	t.Helper()
	s = openGuardedShop(t, access.All)
	s.person("ada", "admin")
	s.person("lena", "lead")
	s.confirm("ada", "lena")
	s.confirm("lena", "ada")
	olaf = s.person("olaf", "operator")
	boss = s.signedIn("boss")
	boss.visit("/settings/signatures").press("Save", "accounts", "second").says("Saved.")
	return s, boss, olaf
}

// docs/signatures.md, "A second administrator": A page shows what a second administrator has to sign, asks only for that signature, and
// then continues.
func TestSecondAdministratorSignsOnAPage(t *testing.T) {
	t.Parallel()
	s, boss, olaf := openTwoAdministrators(t)
	roles := func() string {
		user, err := s.service.User(t.Context(), olaf)
		s.must(err)
		return strings.Join(user.Roles, " ")
	}
	boss.visit("/users/"+olaf).press("Save the account", "role", "lead")
	boss.says("A second administrator signs this")
	boss.says("Operation Change who may do what Record " + olaf + " (Name of olaf)")
	boss.says("Roles lead")
	if strings.Contains(boss.page.html, `name="sign-secret"`) {
		t.Error("it asks for the signature of whoever asks")
	}
	asked := boss.page
	for login, says := range map[string]string{
		"boss": "different people", "lena": "This needs the permission admin", "nobody": "The login or the password is not valid",
		"": "Say who the second person is.",
	} {
		boss.page = asked
		boss.press("cosign-login", "sure", "yes", "cosign-meaning", "approval", "cosign-login", login, "cosign-secret", browsertest.GoodPassword)
		if boss.says(says); roles() != "operator" {
			t.Errorf("with the login %q: %s", login, roles())
		}
	}
	boss.page = asked
	form := boss.page.form(t, "cosign-login")
	form.values.Set("role", "admin") // differs from what the page showed
	boss.post(form.with("sure", "yes", "cosign-meaning", "approval", "cosign-login", "ada", "cosign-secret", browsertest.GoodPassword))
	if boss.says("Roles admin"); boss.page.status == http.StatusOK || roles() != "operator" {
		t.Errorf("status %d, roles %s", boss.page.status, roles())
	}
	boss.page = asked
	boss.press("cosign-login", "sure", "yes", "cosign-meaning", "approval", "cosign-login", "ada", "cosign-secret", browsertest.GoodPassword)
	if boss.says("Account saved."); roles() != "lead" {
		t.Errorf("signed: %s", roles())
	}
	boss.visit("/audit").says("Operation: Change who may do what Meaning: Approval Signed by: Name of ada (ada)")
}

// The page for signing never shows a secret. It describes each form that a second administrator has to sign.
func TestSecretsAreNotShownToWhoSigns(t *testing.T) {
	t.Parallel()
	s, boss, olaf := openTwoAdministrators(t)
	machine := s.operator("Name of machine")
	sign := func(says string) {
		t.Helper()
		boss.says(says)
		boss.press("cosign-login", "sure", "yes", "cosign-meaning", "approval", "cosign-login", "ada", "cosign-secret", browsertest.GoodPassword)
	}
	boss.visit("/users/"+olaf).press("Set the password", "password", "given by the boss")
	if boss.says("Sets password"); strings.Contains(boss.text(), "given by the boss") {
		t.Error("the password is shown")
	}
	sign("Sets password")
	boss.says("Password set.")
	boss.visit("/users/"+olaf).press("Set the PIN", "pin", "271828")
	sign("Sets pin")
	boss.says("PIN set.")
	boss.visit("/users/" + olaf).press(`value="badge"`)
	sign("Sets badge")
	boss.says("RC-ID-")
	boss.visit("/users/"+machine).press("Save the account", "login", "machine", "kind", "program", "role", "operator")
	sign("Kind program")
	boss.says("Account saved.")
	boss.visit("/users/"+machine).press("Create a token", "name", "x", "permission", "read")
	sign("Permissions read")
	boss.says("Copy it now")
	boss.visit("/settings/access").press("Save", "role", "quality")
	sign("Second factor quality")
	boss.says("Saved.")
	boss.visit("/settings/signatures").press("Save", "accounts", "none")
	sign("Accounts none")
	boss.says("Saved.")
	policy, err := s.service.SignaturePolicy(t.Context())
	if s.must(err); policy.Demand(shop.SignAccounts) != shop.SignedByNobody {
		t.Error("the policy stays")
	}
}

// A lead confirms an account on the page of operators. An administrator signs this confirmation.
func TestSecondAdministratorSignsAConfirmation(t *testing.T) {
	t.Parallel()
	s, _, _ := openTwoAdministrators(t)
	lena := s.signedIn("lena")
	lena.visit("/users").press("Confirm the account of Name of olaf<").says("A second administrator signs this")
	lena.says("Confirms whose account it is")
	lena.press("cosign-login", "sure", "yes", "cosign-meaning", "approval", "cosign-login", "ada", "cosign-secret", browsertest.GoodPassword)
	lena.says("Account confirmed.")
}
