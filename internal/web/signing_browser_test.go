package web_test

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp/kb"

	"github.com/routecard/routecard/shop"
)

// Two people sign at one screen, with scripts and by keyboard, and without.
func TestBrowserSigning(t *testing.T) {
	t.Parallel()
	chromium(t)
	axe, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, "--auth", "all")
	b := s.open()
	b.visit(s.invitation())
	b.tabTo("input[name=name]")
	b.keys("The Boss\tboss\t" + goodPassword + kb.Enter)
	b.says("Welcome.")
	boss := s.signIn("boss", goodPassword)
	lenasID, _ := boss.person("lena", "lead")
	tomsID, _ := boss.person("tom", "quality")
	lena := s.signIn("lena", goodPassword)
	s.signIn("tom", goodPassword).ask("POST", "/api/users/"+lenasID+"/confirm", fields{}, nil)
	lena.ask("POST", "/api/users/"+tomsID+"/confirm", fields{}, nil)
	var job, path struct{ ID string }
	lena.ask("POST", "/api/jobs", fields{"name": "Shaft", "goalQuantity": 2}, &job)
	lena.ask("POST", "/api/paths", fields{"jobId": job.ID, "name": "Main", "goalQuantity": 2, "steps": []fields{{"name": "Turn"}}}, &path)
	lena.ask("POST", "/api/serials", fields{"jobId": job.ID, "pathId": path.ID, "quantity": 2}, nil)

	b.visit("/settings/signatures")
	b.accessible(string(axe), "the settings")
	b.choose("select[name=scrap]", "second")
	b.press("Save", "Saved.")
	b.press("Sign out", "Signed out.")
	b.fill("input[name=login]", "lena")
	b.fill("input[name=password]", goodPassword)
	b.press("Sign in", "Name of lena")
	for i, unit := range []string{"SN-00001", "SN-00002"} {
		call(b, "switch scripts", emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: i == 1})
		b.visit("/serials/" + unit)
		b.click("details[data-key=scrap] summary")
		b.choose("details[data-key=scrap] select[name=reason]", string(shop.Damaged))
		b.press("Scrap "+unit+"…", "Signature of a second person")
		if i == 0 {
			b.accessible(string(axe), "the page that asks for signatures")
			b.picture("sign", 1280)
			b.choose("select[name=sign-meaning]", string(shop.Approval))
			b.choose("select[name=cosign-meaning]", string(shop.Approval))
			b.tabTo("input[name=sign-secret]")
			b.keys("not the password\ttom\t\t" + goodPassword)
			b.press("Scrap "+unit, "The login or the password is not valid")
			b.wait("nothing that was typed secretly is there", `document.querySelector("[name=cosign-secret]").value === ""`)
			b.tabTo("input[name=sign-secret]")
			b.keys(goodPassword)
			b.tabTo("input[name=cosign-secret]")
			b.keys(goodPassword)
			b.press("Sign", unit+" scrapped.")
		} else {
			b.choose("select[name=sign-meaning]", string(shop.Approval))
			b.choose("select[name=cosign-meaning]", string(shop.Approval))
			b.fill("input[name=sign-secret]", goodPassword)
			b.fill("input[name=cosign-login]", "tom")
			b.fill("input[name=cosign-secret]", goodPassword)
			b.press("Scrap "+unit, unit+" scrapped.")
		}
		b.picture("signed-card", 1280)
		var signed []struct{ Login, Meaning string }
		lena.ask("GET", "/api/serials/"+unit+"/signatures", nil, &signed)
		if len(signed) != 2 || signed[0].Login != "lena" || signed[1].Login != "tom" {
			t.Errorf("%s is signed by %+v", unit, signed)
		}
		b.visit("/serials/" + unit + "/print")
		b.picture("signed-print", 1280)
		if text := b.text(); !strings.Contains(text, "Name of tom (tom), with a password") {
			t.Errorf("the print does not show who signed:\n%s", text)
		}
	}
}
