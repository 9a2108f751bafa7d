package web_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"github.com/routecard/routecard/internal/passkeytest"
	"github.com/routecard/routecard/shop"
)

// authenticator gives a browser one that always says yes.
func (b *browser) authenticator() webauthn.AuthenticatorID {
	b.t.Helper()
	call(b, "switch passkeys on", webauthn.Enable, webauthn.EnableParams{})
	return call(b, "add an authenticator", webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{
		Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
			HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		},
	}).AuthenticatorID
}

// content is what an element shows.
func (b *browser) content(selector string) string {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](fmt.Sprintf(`document.querySelector(%q).innerText`, selector)))
	if err != nil {
		b.t.Fatal(err)
	}
	return text
}

// Somebody registers a passkey, gives it after the password, signs in with it alone and signs with it.
func TestBrowserPasskeys(t *testing.T) {
	t.Parallel()
	chromium(t)
	axe, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, database: t.TempDir() + "/shop.db", address: freeAddress(t)}
	host, port, _ := strings.Cut(s.address, ":")
	s.url = "http://routecard.localhost:" + port
	s.start("--auth", "all", "--public-url", s.url)
	b := s.open(chromedp.Flag("host-resolver-rules", "MAP routecard.localhost "+host))
	s.url = "http://" + s.address
	b.visit(s.invitation())
	b.tabTo("input[name=name]")
	b.keys("The Boss\tboss\t" + goodPassword + "\r")
	b.says("Welcome.")
	boss := s.signIn("boss", goodPassword)
	lenasID, _ := boss.person("lena", "lead")
	boss.person("quinn", "quality")
	s.signIn("quinn", goodPassword).ask("POST", "/api/users/"+lenasID+"/confirm", fields{}, nil)
	lena := s.signIn("lena", goodPassword)
	var job, path struct{ ID string }
	lena.ask("POST", "/api/jobs", fields{"name": "Shaft", "goalQuantity": 2}, &job)
	lena.ask("POST", "/api/paths", fields{"jobId": job.ID, "name": "Main", "goalQuantity": 2, "steps": []fields{{"name": "Turn"}}}, &path)
	lena.ask("POST", "/api/serials", fields{"jobId": job.ID, "pathId": path.ID, "quantity": 2}, nil)
	boss.ask("PUT", "/api/settings/signatures", fields{"scrap": "self"}, nil)

	b.visit("/settings/access")
	b.accessible(string(axe), "the settings")
	b.click("input[value=lead]")
	b.press("Save", "Saved.")
	b.press("Sign out", "Signed out.")

	b.authenticator()
	signIn := func(says string) {
		t.Helper()
		b.fill("input[name=login]", "lena")
		b.fill("input[name=password]", goodPassword)
		b.press("Sign in", says)
	}
	signIn("Your role needs a second factor.")
	b.accessible(string(axe), "setting up")
	b.fill("[data-passkey-part] input[name=name]", "Phone")
	b.press("Register a passkey", "never used")
	b.visit("/jobs")
	b.says("Shaft")

	b.press("Sign out", "Signed out.")
	signIn("Now give what you have beside it.")
	b.accessible(string(axe), "the second step")
	b.press("Use a passkey", "Shaft")

	b.press("Sign out", "Signed out.")
	b.visit("/sign-in?next=/serials/SN-00001")
	b.accessible(string(axe), "signing in")
	b.press("Sign in with a passkey", "SN-00001")

	b.click("details[data-key=scrap] summary")
	b.choose("details[data-key=scrap] select[name=reason]", string(shop.Damaged))
	b.press("Scrap SN-00001…", "Signature of Name of lena")
	b.choose("select[name=sign-meaning]", string(shop.Approval))
	b.press("Sign with a passkey", "Signed with a passkey")
	b.click("button[name=sure]")
	b.says("SN-00001 scrapped.")
	b.visit("/serials/SN-00001/print")
	if text := b.text(); !strings.Contains(text, "Name of lena (lena), with a passkey") {
		t.Errorf("the print does not show who signed:\n%s", text)
	}

	// Without scripts there are codes.
	b.visit("/me/second-factors")
	call(b, "switch scripts off", emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.visit("/me/second-factors")
	b.press("Set up one-time codes", "It is not shown again.")
	b.picture("one-time-codes", 1280)
	secret := b.content("code.secret")
	b.fill("input[name=code]", passkeytest.Code(t, secret, time.Now()))
	b.press("Confirm", "Each is good once")
	recovery := b.content("code.secret")
	b.press("Sign out", "Signed out.")
	signIn("Now give what you have beside it.")
	b.fill("input[name=code]", "000000")
	b.press("Go on", "The code is not valid")
	b.fill("input[name=code]", recovery)
	b.press("Go on", "Name of lena")
	b.wait("the second step is done", `!location.pathname.startsWith("/sign-in")`) // whose page has the name, too
	b.visit("/me/second-factors")
	b.says("9 left.")
}
