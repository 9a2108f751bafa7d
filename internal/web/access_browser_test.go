package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// invitation is the path by which the first administrator signs in.
func (s *site) invitation() string {
	s.t.Helper()
	if !s.server.Stdout.Await("API reference:", s.server.Ended()) {
		s.t.Fatal("the program ended")
	}
	found := regexp.MustCompile(`First sign-in: see (\S+)`).FindStringSubmatch(s.server.Stdout.String())
	if found == nil {
		s.t.Fatal("nobody is invited to be the first administrator")
	}
	line, err := os.ReadFile(found[1])
	if err != nil {
		s.t.Fatal(err)
	}
	address, err := url.Parse(strings.TrimSpace(strings.TrimPrefix(string(line), "First sign-in: ")))
	if err != nil {
		s.t.Fatal(err)
	}
	return address.RequestURI()
}

// member uses the interface as somebody who signed in.
type member struct {
	*site
	client *http.Client
}

func (s *site) signIn(login, password string) *member {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	m := &member{s, &http.Client{Jar: jar}}
	m.ask(http.MethodPost, "/api/sign-in", fields{"login": login, "password": password}, nil)
	return m
}

func (m *member) ask(method, path string, body, into any) {
	m.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		m.t.Fatal(err)
	}
	request, err := http.NewRequest(method, m.url+path, bytes.NewReader(text))
	if err != nil {
		m.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := m.client.Do(request)
	if err != nil {
		m.t.Fatal(err)
	}
	said := readAll(m.t, answer)
	if answer.StatusCode >= 300 {
		m.t.Fatalf("%s %s: %s %s", method, path, answer.Status, said)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(said), into); err != nil {
			m.t.Fatal(err)
		}
	}
}

// person makes somebody with roles, a password of their own, a PIN and a badge.
func (m *member) person(login string, roles ...string) (id, badge string) {
	m.t.Helper()
	var made struct{ ID, Badge string }
	m.ask("POST", "/api/users", fields{"name": "Name of " + login}, &made)
	path := "/api/users/" + made.ID
	m.ask("PUT", path+"/account", fields{"login": login, "roles": roles}, nil)
	m.ask("PUT", path+"/password", fields{"password": "given by the boss"}, nil)
	m.ask("PUT", path+"/pin", fields{"pin": "314159"}, nil)
	m.ask("PUT", path+"/badge", fields{}, &made)
	themselves := m.site.signIn(login, "given by the boss")
	themselves.ask("PUT", path+"/password", fields{"password": goodPassword, "oldPassword": "given by the boss"}, nil)
	themselves.ask("PUT", path+"/pin", fields{"pin": "271828", "password": goodPassword}, nil)
	return made.ID, made.Badge
}

// tabTo presses the tabulator until something has the focus.
func (b *browser) tabTo(selector string) {
	b.t.Helper()
	for range 80 {
		if b.is(fmt.Sprintf(`document.activeElement?.matches(%q)`, selector)) {
			return
		}
		b.keys(kb.Tab)
	}
	b.t.Fatalf("the keyboard does not get to %s", selector)
}

// keys types into what has the focus, as a person does.
func (b *browser) keys(text string) {
	b.t.Helper()
	b.atPace(text, func() time.Duration { return 130 * time.Millisecond })
}

// press clicks the button with a text, and waits until the page after it says something.
func (b *browser) press(text, says string) {
	b.t.Helper()
	b.wait("there is a button "+text, fmt.Sprintf(
		`[...document.querySelectorAll("button")].filter(e => e.innerText.trim() === %q).map(e => e.setAttribute("data-press", "")).length`, text))
	b.click("[data-press]")
	b.says(says)
}

// The pages by which people sign in, in a real browser: by keyboard alone, without scripts, at three widths, for
// everybody, and at a station where two people take turns.
func TestBrowserAccess(t *testing.T) {
	t.Parallel()
	chromium(t)
	axe, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, "--demo", "--auth", "all")
	b := s.open()
	look := func(name, path string) {
		t.Helper()
		if path != "" {
			b.visit(path)
		}
		for _, width := range widths {
			b.look("light", width)
			b.fits(name, width)
			b.picture(fmt.Sprintf("access-%s-%d", name, width), width)
			if width == widths[0] {
				b.accessible(string(axe), name+" at "+strconv.FormatInt(width, 10)+" pixels")
			}
		}
		b.look("dark", widths[2])
		b.accessible(string(axe), name+" in the dark")
		b.look("light", widths[2])
	}

	// The first administrator needs no mouse.
	invitation := s.invitation()
	b.visit(invitation)
	look("setup", "")
	b.tabTo("input[name=name]")
	b.keys("The Boss\tboss\t" + goodPassword + kb.Enter)
	b.says("Welcome.")
	b.tabTo(".operator button")
	b.keys(kb.Enter)
	b.says("Signed out.")
	look("sign-in", "/sign-in")
	b.visit("/jobs")
	b.wait("the login has the focus", `document.activeElement.name === "login"`)
	b.keys("boss\t" + "not the password" + kb.Enter)
	b.says("The login or the password is not valid")
	b.wait("only the password is missing", `document.activeElement.name === "password"`)
	b.keys(goodPassword + kb.Enter)
	b.wait("the page that was asked for", `location.pathname === "/jobs"`)

	boss := s.signIn("boss", goodPassword)
	anna, annasBadge := boss.person("anna", "operator")
	_, bertsBadge := boss.person("bert", "operator")
	boss.person("lena", "lead")
	look("users", "/users")
	look("stations", "/stations")
	b.visit("/users/" + anna)
	b.tabTo("input[name=role][value=quality]")
	b.keys(" ")
	b.tabTo("#h-account ~ form button")
	b.keys(kb.Enter)
	b.says("Account saved.")
	b.visit("/me")
	b.fill("input[name=name]", "Gateway of the lathes")
	b.click("input[name=permission][value=read]")
	b.press("Make a token", "Copy it now")
	look("token", "")
	b.visit("/users/" + anna)
	look("account", "")
	b.press("Make a new badge; the old one ends", "Print it now")
	look("badge", "")
	if annasBadge == "" || strings.Contains(b.text(), annasBadge) {
		t.Error("the new badge is the old one")
	}
	annasBadge = regexp.MustCompile(`RC-ID-[0-9A-Za-z]{20}`).FindString(b.text())
	b.prints(annasBadge)
	look("me", "/me")

	// Without scripts a lead makes the device a station, and the next person signs in.
	scripts := func(off bool) {
		call(b, "switch scripts", emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off})
	}
	scripts(true)
	b.visit("/me")
	b.press("Sign out", "Signed out.")
	b.fill("input[name=login]", "lena")
	b.fill("input[name=password]", goodPassword)
	b.click("input[name=password] ~ *, #h-password ~ form button")
	b.says("Name of lena")
	b.visit("/stations")
	b.fill("main input[name=name]", "Lathe 2")
	b.press("Make it a station", "This device is the station Lathe 2.")
	b.press("Sign out", "Signed out.")
	b.fill("input[name=badge]", annasBadge)
	b.fill("input[name=pin]", "271828")
	b.click("#h-badge ~ form button")
	b.says("Name of anna")
	scripts(false)

	// Two people take turns, with a scanner and the keys of a number pad.
	lena := s.signIn("lena", goodPassword)
	var job, path struct{ ID string }
	var units []struct{ ID string }
	lena.ask("POST", "/api/jobs", fields{"name": "Shaft", "goalQuantity": 1}, &job)
	lena.ask("POST", "/api/paths", fields{"jobId": job.ID, "name": "Main", "goalQuantity": 1, "advancementMode": "strict",
		"steps": []fields{{"name": "Saw"}, {"name": "Turn"}, {"name": "Wash"}}}, &path)
	lena.ask("POST", "/api/serials", fields{"jobId": job.ID, "pathId": path.ID, "quantity": 1}, &units)
	unit := units[0].ID
	b.visit("/scan")
	b.typed(unit)
	b.wait("it is shown", `document.querySelector(".unit-id")`)
	b.typed("RC-DONE")
	b.wait("a green band", `document.querySelector(".result.good")`)
	b.typed(bertsBadge)
	b.wait("the PIN is asked for", `document.activeElement.name === "pin"`)
	look("turn", "")
	b.keys("000001" + kb.Enter)
	b.says("The badge or the PIN is not valid")
	b.wait("the PIN is asked for again", `document.activeElement.name === "pin" && document.activeElement.value === ""`)
	b.keys("271828" + kb.Enter)
	b.says("Name of bert")
	b.wait("at the station", `location.pathname === "/scan"`)
	b.typed(unit)
	b.wait("it is shown", `document.querySelector(".unit-id")`)
	b.typed("RC-DONE")
	b.wait("a green band", `document.querySelector(".result.good")`)
	b.typed("RC-OUT")
	b.wait("the badge is asked for", `document.activeElement.name === "badge"`)
	b.keys(annasBadge + kb.Enter) // as scanners do
	b.wait("the PIN is asked for", `document.activeElement.name === "pin"`)
	b.keys("271828" + kb.Enter)
	b.says("Name of anna")
	var trail []struct{ Action, UserID string }
	boss.ask("GET", "/api/audit/serial/"+unit, nil, &trail)
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

	// When nobody does anything the page leaves by itself.
	b.visit("/scan?unit=" + unit)
	b.do("have little patience", chromedp.Evaluate[chromedp.Void](`{
		document.querySelector("meta[name=idle]").content = "0.2"; dispatchEvent(new Event("keydown")); undefined}`))
	b.says("Scan your badge")
	b.says("Nobody is signed in here any more")
	b.wait("the badge is asked for", `document.activeElement.name === "badge"`)
	b.keys(unit + kb.Enter)
	b.says("This was no badge. Sign in first. Not done: " + unit)
	b.wait("it does not stand in the field", `document.querySelector("[name=badge]").value === ""`)
}
