package web_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/browsertest"
)

// A form that arrives twice is carried out once and gets the same response both times. The same form with other values counts as another
// form.
func TestFormsAreCarriedOutOnce(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Dana")
	jobs := func() (count int) {
		for _, err := range s.service.Jobs(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			count++
		}
		return count
	}
	form := v.visit("/jobs").page.form(t, "Create").with("name", "Valve body", "goalQuantity", "3")
	first := v.post(form).page
	again := v.post(form).page
	if n := jobs(); n != 1 || again.address != first.address {
		t.Errorf("%d jobs; led to %s and then to %s", n, first.address, again.address)
	}
	v.says("Valve body")
	// The user goes back and sends the same form with another name.
	form.values.Set("name", "Housing")
	if v.post(form); jobs() != 2 {
		t.Errorf("%d jobs after another one was created", jobs())
	}
	// A form without a key is carried out each time.
	form.values.Del("once")
	v.post(form)
	if v.post(form); jobs() != 4 {
		t.Errorf("%d jobs without keys", jobs())
	}
}

// A new secret is shown once. If the form is sent again, it creates nothing and says what to do. Results of forms with secrets are not
// stored.
func TestSecretsAreMadeOnce(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	id := s.person("anna", "operator")
	s.person("lena", "lead")
	boss, lena := s.signedIn("boss"), s.signedIn("lena")
	secret := regexp.MustCompile(`RC-ID-[0-9A-Za-z]{20}|<code class="secret">`)
	gauge := s.program("gauge", "viewer")
	for page, tokens := range map[string]string{"/me": "/me", "/users/" + id: "/users/" + gauge} {
		token := boss.visit(tokens).page.form(t, "Create a token").with("name", "Gauge reader", "permission", "read")
		badge := boss.visit(page).page.form(t, "Create a badge")
		if boss.post(token); !secret.MatchString(boss.page.html) {
			t.Errorf("%s: no token:\n%s", page, boss.text())
		}
		boss.post(token).says("This token was created already, and is not shown again. If nobody has copied it, revoke it and create another one.")
		if n := strings.Count(boss.page.html, "<strong>Gauge reader</strong>"); n != 1 || secret.MatchString(boss.page.html) {
			t.Errorf("%s: %d tokens after the form came twice, or it is shown again", page, n)
		}
		if boss.post(badge); !secret.MatchString(boss.page.html) {
			t.Errorf("%s: no badge:\n%s", page, boss.text())
		}
		made := regexp.MustCompile(`RC-ID-[0-9A-Za-z]{20}`).FindString(boss.page.html)
		boss.post(badge).says("This badge was created already, and is not shown again. If nobody has printed it, create another one.")
		if secret.MatchString(boss.page.html) {
			t.Errorf("%s: the badge is shown again", page)
		}
		if page != "/me" { // the first badge is still valid
			boss.press("Set the PIN", "pin", "271828").says("PIN set.")
			v := s.visitor()
			if v.signInWith(made, "271828"); v.cookies["session"] == "" {
				t.Errorf("the badge that was shown does not sign in:\n%s", v.text())
			}
		}
		revoke := boss.visit(tokens).page.form(t, ">Revoke<")
		boss.post(revoke).says("Token revoked.")
		boss.post(revoke).says("Token revoked.")
	}
	workstation := lena.visit("/stations").page.form(t, "Make it a station").with("name", "Lathe 2")
	lena.post(workstation).says("This device is the station Lathe 2.")
	lena.post(workstation).says("This station was created already.")
	if n := strings.Count(lena.page.html, "<strong>Lathe 2</strong>"); n != 1 {
		t.Errorf("%d stations", n)
	}
	revoke := boss.visit("/stations").page.form(t, "Remove the station")
	boss.post(revoke).says("Station removed.")
	boss.post(revoke).says("Station removed.")
	// If a form with a password is sent again, the password is checked again.
	form := boss.visit("/me").page.form(t, "Change the password").with("oldPassword", browsertest.GoodPassword, "password", "another four birds")
	boss.post(form).says("Password changed.")
	boss.post(form)
	if strings.Contains(boss.text(), "Password changed.") {
		t.Error("the password was remembered")
	}
}

// signInWith signs in at a station with a badge and a PIN.
func (v *visitor) signInWith(badge, pin string) {
	v.t.Helper()
	lena := v.signedIn("lena")
	lena.visit("/stations").press("Make it a station", "name", "Bench")
	v.cookies["station"] = lena.cookies["station"]
	v.visit("/sign-in").press("Scan your badge", "badge", badge, "pin", pin)
}
