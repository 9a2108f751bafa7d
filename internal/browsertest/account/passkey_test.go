package account_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/internal/passkeytest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

// authenticatorIn adds to a browser an authenticator that accepts every request.
func authenticatorIn(b *browsertest.Browser) webauthn.AuthenticatorID {
	b.T.Helper()
	browsertest.Call(b, "switch passkeys on", webauthn.Enable, webauthn.EnableParams{})
	return browsertest.Call(b, "add an authenticator", webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{
		Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
			HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		},
	}).AuthenticatorID
}

// contentIn returns the visible text of an element.
func contentIn(b *browsertest.Browser, selector string) string {
	b.T.Helper()
	text, err := chromedp.Run(b.Context, chromedp.Evaluate[string](fmt.Sprintf(`document.querySelector(%q).innerText`, selector)))
	if err != nil {
		b.T.Fatal(err)
	}
	return text
}

// A user registers a passkey, uses it after the password, signs in with it alone and signs with it.
func TestBrowserPasskeys(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	axe, err := os.ReadFile("../testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := &browsertest.Site{T: t, Database: t.TempDir() + "/shop.db", Address: browsertest.FreeAddress(t)}
	host, port, _ := strings.Cut(s.Address, ":")
	s.URL = "http://routecard.localhost:" + port
	s.Start("--auth", "all", "--public-url", s.URL)
	b := s.Open(chromedp.Flag("host-resolver-rules", "MAP routecard.localhost "+host))
	s.URL = "http://" + s.Address
	b.Visit(s.Invitation())
	b.TabTo("input[name=name]")
	b.Keys("The Boss\tboss\t" + browsertest.GoodPassword + "\r")
	b.Says("Welcome.")
	boss := s.SignIn("boss", browsertest.GoodPassword)
	lenasID, _ := boss.Person("lena", "lead")
	boss.Person("quinn", "quality")
	s.SignIn("quinn", browsertest.GoodPassword).Ask("POST", "/api/users/"+lenasID+"/confirm", browsertest.Fields{}, nil)
	lena := s.SignIn("lena", browsertest.GoodPassword)
	var job, path struct{ ID string }
	lena.Ask("POST", "/api/jobs", browsertest.Fields{"name": "Shaft", "goalQuantity": 2}, &job)
	lena.Ask("POST", "/api/paths", browsertest.Fields{"jobId": job.ID, "name": "Main", "goalQuantity": 2, "steps": []browsertest.Fields{{"name": "Turn"}}}, &path)
	lena.Ask("POST", "/api/serials", browsertest.Fields{"jobId": job.ID, "pathId": path.ID, "quantity": 2}, nil)
	boss.Ask("PUT", "/api/settings/signatures", browsertest.Fields{"scrap": "self"}, nil)

	b.Visit("/settings/access")
	b.Accessible(string(axe), "the settings")
	b.Click("input[value=lead]")
	b.Press("Save", "Saved.")
	b.Press("Sign out", "Signed out.")

	authenticatorIn(b)
	signIn := func(says string) {
		t.Helper()
		b.Fill("input[name=login]", "lena")
		b.Fill("input[name=password]", browsertest.GoodPassword)
		b.Press("Sign in", says)
	}
	signIn("Your role requires a second factor.")
	b.Accessible(string(axe), "setting up")
	b.Fill("[data-passkey-part] input[name=name]", "Phone")
	b.Press("Register a passkey", "never used")
	b.Visit("/jobs")
	b.Says("Shaft")

	b.Press("Sign out", "Signed out.")
	signIn("Now use your second factor.")
	b.Accessible(string(axe), "the second step")
	b.Press("Use a passkey", "Shaft")

	b.Press("Sign out", "Signed out.")
	b.Visit("/sign-in?next=/serials/SN-00001")
	b.Accessible(string(axe), "signing in")
	b.Press("Sign in with a passkey", "SN-00001")

	b.Click("details[data-key=more] > summary")
	b.Click("details[data-key=scrap] summary")
	b.Choose("details[data-key=scrap] select[name=reason]", string(card.Damaged))
	b.Press("Scrap SN-00001…", "Signature of Name of lena")
	b.Choose("select[name=sign-meaning]", string(shop.Approval))
	b.Press("Sign with a passkey", "Signed with a passkey")
	b.Click("button[name=sure]")
	b.Says("SN-00001 scrapped.")
	b.Visit("/serials/SN-00001/print")
	if text := b.Text(); !strings.Contains(text, "Name of lena (lena), with a passkey") {
		t.Errorf("the print does not show who signed:\n%s", text)
	}

	// Without scripts the second factor is a code.
	b.Visit("/me/second-factors")
	browsertest.Call(b, "switch scripts off", emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.Visit("/me/second-factors")
	b.Press("Set up one-time codes", "It is not shown again.")
	b.Picture("one-time-codes", 1280)
	secret := contentIn(b, "code.secret")
	b.Fill("input[name=code]", passkeytest.Code(t, secret, time.Now()))
	b.Press("Confirm", "Each works once")
	recovery := contentIn(b, "code.secret")
	b.Press("Sign out", "Signed out.")
	signIn("Now use your second factor.")
	b.Fill("input[name=code]", "000000")
	b.Press("Go on", "The code is not valid")
	b.Fill("input[name=code]", recovery)
	b.Press("Go on", "Name of lena")
	b.Wait("the second step is done", `!location.pathname.startsWith("/sign-in")`) // the page of the second step also shows the name
	b.Visit("/me/second-factors")
	b.Says("9 left.")
}
