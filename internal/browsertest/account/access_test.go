package account_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/routecard/routecard/internal/browsertest"
)

// The sign-in pages work in a real browser: with the keyboard alone, without scripts, at three widths, with sign-in required for all
// requests, and at a station where two people take turns.
func TestBrowserAccess(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	axe, err := os.ReadFile("../testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := browsertest.Serve(t, "--demo", "--auth", "all")
	b := s.Open()
	look := func(name, path string) {
		t.Helper()
		if path != "" {
			b.Visit(path)
		}
		for _, width := range browsertest.Widths {
			b.Look("light", width)
			b.Fits(name, width)
			b.Picture(fmt.Sprintf("access-%s-%d", name, width), width)
			if width == browsertest.Widths[0] {
				b.Accessible(string(axe), name+" at "+strconv.FormatInt(width, 10)+" pixels")
			}
		}
		b.Look("dark", browsertest.Widths[2])
		b.Accessible(string(axe), name+" in the dark")
		b.Look("light", browsertest.Widths[2])
	}

	// The first administrator needs no mouse.
	invitation := s.Invitation()
	b.Visit(invitation)
	look("setup", "")
	b.TabTo("input[name=name]")
	b.Keys("The Boss\tboss\t" + browsertest.GoodPassword + kb.Enter)
	b.Says("Welcome.")
	b.TabTo(".operator button")
	b.Keys(kb.Enter)
	b.Says("Signed out.")
	look("sign-in", "/sign-in")
	b.Visit("/jobs")
	b.Wait("the login has the focus", `document.activeElement.name === "login"`)
	b.Keys("boss\t" + "not the password" + kb.Enter)
	b.Says("The login or the password is not valid")
	b.Wait("only the password is missing", `document.activeElement.name === "password"`)
	b.Keys(browsertest.GoodPassword + kb.Enter)
	b.Wait("the page that was asked for", `location.pathname === "/jobs"`)

	boss := s.SignIn("boss", browsertest.GoodPassword)
	anna, annasBadge := boss.Person("anna", "operator")
	_, bertsBadge := boss.Person("bert", "operator")
	boss.Person("lena", "lead")
	look("users", "/users")
	look("stations", "/stations")
	b.Visit("/users/" + anna)
	b.TabTo("input[name=role][value=quality]")
	b.Keys(" ")
	b.TabTo("#h-account ~ form button")
	b.Keys(kb.Enter)
	b.Says("Account saved.")
	b.Visit("/me")
	b.Fill("input[name=name]", "Gateway of the lathes")
	b.Click("input[name=permission][value=read]")
	b.Press("Create a token", "Copy it now")
	look("token", "")
	b.Visit("/users/" + anna)
	look("account", "")
	b.Press("Create a new badge (the old one stops working)", "Print it now")
	look("badge", "")
	if annasBadge == "" || strings.Contains(b.Text(), annasBadge) {
		t.Error("the new badge is the old one")
	}
	annasBadge = regexp.MustCompile(`RC-ID-[0-9A-Za-z]{20}`).FindString(b.Text())
	b.Prints(annasBadge)
	look("me", "/me")

	// Without scripts a lead makes the device a station, and the next person signs in.
	scripts := func(off bool) {
		browsertest.Call(b, "switch scripts", emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off})
	}
	scripts(true)
	b.Visit("/me")
	b.Press("Sign out", "Signed out.")
	b.Fill("input[name=login]", "lena")
	b.Fill("input[name=password]", browsertest.GoodPassword)
	b.Click("input[name=password] ~ *, #h-password ~ form button")
	b.Says("Name of lena")
	b.Visit("/stations")
	b.Fill("main input[name=name]", "Lathe 2")
	b.Press("Make it a station", "This device is the station Lathe 2.")
	b.Press("Sign out", "Signed out.")
	b.Fill("input[name=badge]", annasBadge)
	b.Fill("input[name=pin]", "271828")
	b.Click("#h-badge ~ form button")
	b.Says("Name of anna")
	scripts(false)

	// Two people take turns, with a scanner and the keys of a number pad.
	lena := s.SignIn("lena", browsertest.GoodPassword)
	var job, path struct{ ID string }
	var units []struct{ ID string }
	lena.Ask("POST", "/api/jobs", browsertest.Fields{"name": "Shaft", "goalQuantity": 1}, &job)
	lena.Ask("POST", "/api/paths", browsertest.Fields{"jobId": job.ID, "name": "Main", "goalQuantity": 1, "advancementMode": "strict",
		"steps": []browsertest.Fields{{"name": "Saw"}, {"name": "Turn"}, {"name": "Wash"}}}, &path)
	lena.Ask("POST", "/api/serials", browsertest.Fields{"jobId": job.ID, "pathId": path.ID, "quantity": 1}, &units)
	unit := units[0].ID
	b.Visit("/scan")
	b.Typed(unit)
	b.Wait("it is shown", `document.querySelector(".unit-id")`)
	b.Typed("RC-DONE")
	b.Wait("a green band", `document.querySelector(".result.good")`)
	b.Typed(bertsBadge)
	b.Wait("the PIN is asked for", `document.activeElement.name === "pin"`)
	look("turn", "")
	b.Keys("000001" + kb.Enter)
	b.Says("The badge or the PIN is not valid")
	b.Wait("the PIN is asked for again", `document.activeElement.name === "pin" && document.activeElement.value === ""`)
	b.Keys("271828" + kb.Enter)
	b.Says("Name of bert")
	b.Wait("at the station", `location.pathname === "/scan"`)
	b.Typed(unit)
	b.Wait("it is shown", `document.querySelector(".unit-id")`)
	b.Typed("RC-DONE")
	b.Wait("a green band", `document.querySelector(".result.good")`)
	b.Typed("RC-OUT")
	b.Wait("the badge is asked for", `document.activeElement.name === "badge"`)
	b.Keys(annasBadge + kb.Enter) // a scanner types the code and Enter
	b.Wait("the PIN is asked for", `document.activeElement.name === "pin"`)
	b.Keys("271828" + kb.Enter)
	b.Says("Name of anna")
	var trail []struct{ Action, UserID string }
	boss.Ask("GET", "/api/audit/serial/"+unit, nil, &trail)
	var who []string
	for _, entry := range trail {
		if entry.Action == "serial_advanced" {
			who = append(who, entry.UserID)
		}
	}
	slices.Sort(who)
	if got := strings.Join(who, " "); got != "anna bert" {
		t.Errorf("the unit was moved on by %s", got)
	}

	// Without activity the page signs the person out.
	b.Visit("/scan?unit=" + unit)
	b.Do("have little patience", chromedp.Evaluate[chromedp.Void](`{
		document.querySelector("meta[name=idle]").content = "0.2"; dispatchEvent(new Event("keydown")); undefined}`))
	b.Says("Scan your badge")
	b.Says("You are signed out")
	b.Wait("the badge is asked for", `document.activeElement.name === "badge"`)
	b.Keys(unit + kb.Enter)
	b.Says("This is not a badge. Sign in first. Not done: " + unit)
	b.Wait("it does not stand in the field", `document.querySelector("[name=badge]").value === ""`)

	// After the button, as after RC-OUT, the next badge goes into its field.
	b.Keys(annasBadge + kb.Enter)
	b.Wait("the PIN is asked for", `document.activeElement.name === "pin"`)
	b.Keys("271828" + kb.Enter)
	b.Says("Working: Name of anna")
	b.Press("Sign out", "Signed out.")
	b.Wait("the badge is asked for", `document.activeElement.name === "badge"`)
}
