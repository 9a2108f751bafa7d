package account_test

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp/kb"

	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

// Two people sign at one screen, with scripts and by keyboard, and without scripts.
func TestBrowserSigning(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	axe, err := os.ReadFile("../testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := browsertest.Serve(t, "--auth", "all")
	b := s.Open()
	b.Visit(s.Invitation())
	b.TabTo("input[name=name]")
	b.Keys("The Boss\tboss\t" + browsertest.GoodPassword + kb.Enter)
	b.Says("Welcome.")
	boss := s.SignIn("boss", browsertest.GoodPassword)
	lenasID, _ := boss.Person("lena", "lead")
	tomsID, _ := boss.Person("tom", "quality")
	lena := s.SignIn("lena", browsertest.GoodPassword)
	s.SignIn("tom", browsertest.GoodPassword).Ask("POST", "/api/users/"+lenasID+"/confirm", browsertest.Fields{}, nil)
	lena.Ask("POST", "/api/users/"+tomsID+"/confirm", browsertest.Fields{}, nil)
	var job, path struct{ ID string }
	lena.Ask("POST", "/api/jobs", browsertest.Fields{"name": "Shaft", "goalQuantity": 2}, &job)
	lena.Ask("POST", "/api/paths", browsertest.Fields{"jobId": job.ID, "name": "Main", "goalQuantity": 2, "steps": []browsertest.Fields{{"name": "Turn"}}}, &path)
	lena.Ask("POST", "/api/serials", browsertest.Fields{"jobId": job.ID, "pathId": path.ID, "quantity": 2}, nil)

	b.Visit("/settings/signatures")
	b.Accessible(string(axe), "the settings")
	b.Choose("select[name=scrap]", "second")
	b.Press("Save", "Saved.")
	b.Press("Sign out", "Signed out.")
	b.Fill("input[name=login]", "lena")
	b.Fill("input[name=password]", browsertest.GoodPassword)
	b.Press("Sign in", "Name of lena")
	for i, unit := range []string{"SN-00001", "SN-00002"} {
		browsertest.Call(b, "switch scripts", emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: i == 1})
		b.Visit("/serials/" + unit)
		b.Click("details[data-key=more] > summary")
		b.Click("details[data-key=scrap] summary")
		b.Choose("details[data-key=scrap] select[name=reason]", string(card.Damaged))
		b.Press("Scrap "+unit+"…", "Signature of a second person")
		if i == 0 {
			b.Accessible(string(axe), "the page that asks for signatures")
			b.Picture("sign", 1280)
			b.Choose("select[name=sign-meaning]", string(shop.Approval))
			b.Choose("select[name=cosign-meaning]", string(shop.Approval))
			b.TabTo("input[name=sign-secret]")
			b.Keys("not the password\ttom\t\t" + browsertest.GoodPassword)
			b.Press("Scrap "+unit, "The login or the password is not valid")
			b.Wait("nothing that was typed secretly is there", `document.querySelector("[name=cosign-secret]").value === ""`)
			b.TabTo("input[name=sign-secret]")
			b.Keys(browsertest.GoodPassword)
			b.TabTo("input[name=cosign-secret]")
			b.Keys(browsertest.GoodPassword)
			b.Press("Sign", unit+" scrapped.")
		} else {
			b.Choose("select[name=sign-meaning]", string(shop.Approval))
			b.Choose("select[name=cosign-meaning]", string(shop.Approval))
			b.Fill("input[name=sign-secret]", browsertest.GoodPassword)
			b.Fill("input[name=cosign-login]", "tom")
			b.Fill("input[name=cosign-secret]", browsertest.GoodPassword)
			b.Press("Scrap "+unit, unit+" scrapped.")
		}
		b.Picture("signed-card", 1280)
		var signed []struct{ Login, Meaning string }
		lena.Ask("GET", "/api/serials/"+unit+"/signatures", nil, &signed)
		if len(signed) != 2 || signed[0].Login != "lena" || signed[1].Login != "tom" {
			t.Errorf("%s is signed by %+v", unit, signed)
		}
		b.Visit("/serials/" + unit + "/print")
		b.Picture("signed-print", 1280)
		if text := b.Text(); !strings.Contains(text, "Name of tom (tom), with a password") {
			t.Errorf("the print does not show who signed:\n%s", text)
		}
	}
}
