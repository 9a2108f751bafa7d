package web_test

import (
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
)

// docs/access.md, "With the company account": If an administrator removed a user's role, the user's own page shows the role and the
// administrator. It does so for a week, but only while the user lacks the role. Other users do not see this.
func TestRoleTakenByAnAdministrator(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	id := s.person("anna", "operator", "lead")
	s.person("bea", "operator", "lead")
	anna, boss := s.signedIn("anna"), s.signedIn("boss")
	const told = "The Boss took from you on"
	anna.visit("/me").says("You may: read work decide plan")
	anna.saysNothingOf(told)

	boss.visit("/users/"+id).press("Save the account", "role", "operator").says("Account saved.")
	anna.visit("/me").says("You may: read work ")
	anna.says(told)
	anna.says(": lead. Ask an administrator")
	s.signedIn("bea").visit("/me").saysNothingOf(told)
	boss.visit("/me").saysNothingOf(told)

	// The removal is shown until she has the role again, but at most for a week.
	boss.visit("/users/"+id).press("Save the account", "role", "operator", "role", "lead").says("Account saved.")
	anna.visit("/me").saysNothingOf(told)
	boss.visit("/users/" + id).press("Save the account").says("Account saved.")
	anna.visit("/me").says("You may: nothing; ask an administrator for a role.")
	anna.says(": operator, lead. Ask an administrator")
	s.pass(7*24*time.Hour + time.Millisecond)
	s.signedIn("anna").visit("/me").saysNothingOf(told)
}

// saysNothingOf fails if the page contains the text.
func (v *visitor) saysNothingOf(text string) {
	v.t.Helper()
	if strings.Contains(v.text(), text) {
		v.t.Errorf("the page says %q:\n%s", text, v.text())
	}
}

// docs/access.md, "With the company account": The user's own page lists roles from groups that have expired, and how to get them back. It
// also lists roles from groups that the user has left.
func providerRolesEnd(t *testing.T, p *provider) {
	s := openGuardedShop(t, access.All, p.options(func(o *access.ProviderOptions) {
		o.Roles = []access.GroupRole{{Group: "leads", Role: "lead"}, {Group: "quality", Role: "quality"}}
	}))
	s.pass(time.Since(s.now))
	groups := func(groups ...string) {
		p.knows(map[string]claims{"ended-anna": {"preferred_username": "anna", "groups": groups}})
	}
	groups("leads")
	id := s.person("anna", "operator")
	s.signedIn("boss").visit("/users/"+id).press(`value="connect"`, "subject", "ended-anna").says("Account saved.")
	v := s.visitor()
	v.visit(p.signsIn(v.leave("/"), "ended-anna"))
	v.visit("/me").says("You may: read work decide plan")
	v.saysNothingOf("have expired")

	s.pass(12 * time.Hour) // her session has expired as well
	v = s.signedIn("anna")
	v.visit("/me").says("You may: read work ")
	v.says("Your roles from the groups of the company account have expired")
	v.says("decide plan Sign in at the company account again")
	s.pass(time.Since(s.now))
	groups("quality")
	v.visit(p.signsIn(v.leave("/"), "ended-anna"))
	v.visit("/me").says("You may: read work decide ")
	v.saysNothingOf("have expired")
	v.says("no group of the company account gives you: lead")
}
