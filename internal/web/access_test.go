package web_test

import (
	"context"
	"encoding/base64"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/web"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// openGuardedShop returns a shop with sign-in and its first administrator.
func openGuardedShop(t *testing.T, mode access.Mode, change ...func(*access.Options)) *visitedShop {
	t.Helper()
	s := openShop(t)
	s.kept = enginetest.New(t)
	store := s.kept.Open(t)
	ids := ident.NewIdentifiers(s.clock)
	options := access.Options{
		Mode: mode, Clock: s.clock, IDs: ids, Pepper: []byte("p"), Cost: access.Cost{MemoryKiB: 8, Passes: 1, Lanes: 1},
		Logger: slog.New(slog.DiscardHandler),
	}
	for _, change := range change {
		change(&options)
	}
	door, err := access.New(t.Context(), store.(access.Store), options)
	if err != nil {
		t.Fatal(err)
	}
	s.service, s.door = shop.New(store, s.clock, ids, access.Signatures(), s.papers()), door
	s.keepsFiles()
	s.views = views.New(store, s.service)
	s.pages = web.New(site.Config{Service: s.service, Views: s.views, Access: door, Logger: slog.New(slog.DiscardHandler), Clock: s.clock})
	code, err := door.SetupCode(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v := s.visitor()
	v.visit("/setup?code="+code).press("Begin", "name", "The Boss", "login", "boss", "password", browsertest.GoodPassword)
	v.says("Welcome")
	return s
}

// person creates a user with roles and a password.
func (s *visitedShop) person(login string, roles ...string) string {
	s.t.Helper()
	id := s.operator("Name of " + login)
	boss := s.signedIn("boss")
	pairs := []string{"login", login}
	for _, role := range roles {
		pairs = append(pairs, "role", role)
	}
	boss.visit("/users/"+id).press("Save the account", pairs...)
	boss.says("Account saved.")
	boss.press("Set the password", "password", "given by the boss")
	boss.says("Password set.")
	v := s.visitor()
	v.visit("/sign-in").press("current-password", "login", login, "password", "given by the boss")
	v.says("Someone else set your password")
	v.press("Change the password", "oldPassword", "given by the boss", "password", browsertest.GoodPassword)
	v.says("Password changed.")
	return id
}

// program creates a service account.
func (s *visitedShop) program(login string, roles ...string) string {
	s.t.Helper()
	id := s.operator("Name of " + login)
	pairs := []string{"login", login, "kind", "program"}
	for _, role := range roles {
		pairs = append(pairs, "role", role)
	}
	s.signedIn("boss").visit("/users/"+id).press("Save the account", pairs...).says("Account saved.")
	return id
}

// confirm has a second person confirm an account.
func (s *visitedShop) confirm(login, by string) {
	s.t.Helper()
	v := s.signedIn(by)
	v.visit("/users").press("Confirm the account of Name of " + login + "<").says("Account confirmed.")
}

// signedIn returns the browser of a user who has signed in.
func (s *visitedShop) signedIn(login string) *visitor {
	s.t.Helper()
	v := s.visitor()
	v.visit("/sign-in").press("current-password", "login", login, "password", browsertest.GoodPassword)
	if v.cookies["session"] == "" {
		s.t.Fatalf("%s is not signed in:\n%s", login, v.text())
	}
	return v
}

func TestSignInLeadsBack(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	s.person("anna", "operator")
	v := s.visitor()
	v.visit("/serials?a=" + strings.Repeat("x", 400) + "&b=" + strings.Repeat("x", 400)) // too long to return to after the sign-in
	v.press("current-password", "login", "boss", "password", browsertest.GoodPassword)
	if v.page.status != http.StatusOK || v.page.address != "/" {
		t.Errorf("led to %d %s", v.page.status, v.page.address)
	}
	v = s.visitor()
	v.visit("/queue?operator=x")
	v.says("With a password")
	v.press("current-password", "login", "anna", "password", "not the password")
	v.says("The login or the password is not valid")
	if v.page.status != http.StatusUnauthorized {
		t.Errorf("status %d", v.page.status)
	}
	v.press("current-password", "login", "Anna", "password", browsertest.GoodPassword)
	if v.page.address != "/queue?operator=x" {
		t.Errorf("led to %s", v.page.address)
	}
	v.says("Name of anna")
	v.press("Sign out")
	v.says("Signed out.")
	v.visit("/me")
	v.says("With a password")
}

// A form that is sent after the session expired is not carried out, and the page says so. With scripts the filled-in form stays on the
// page.
func TestFormAfterTheSession(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.Writes)
	boss := s.signedIn("boss")
	form := boss.visit("/users").page.form(t, "Add operator").with("name", "Anna")
	delete(boss.cookies, "session")
	request := httptest.NewRequest(http.MethodPost, form.action, strings.NewReader(form.values.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Hx-Request", "true")
	if answer := boss.ask(request); answer.Code != http.StatusUnauthorized || answer.Header().Get("Routecard-Signed-Out") == "" || answer.Body.Len() > 0 {
		t.Errorf("with scripts: %d %v %s", answer.Code, answer.Header(), answer.Body)
	}
	boss.post(form).says("You are signed out. Nothing was saved")
}

// Signing in never redirects to another site, whatever address is requested.
func TestSignInLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	for _, next := range []string{
		"//evil.example", "https://evil.example", `/\evil.example`, "/%09/evil.example", "/%0a/evil.example", "javascript:alert(1)", "evil",
	} {
		v := s.visitor()
		v.visit("/sign-in?next="+next).press("current-password", "login", "boss", "password", browsertest.GoodPassword)
		if v.page.address != "/" {
			t.Errorf("%s: led to %s", next, v.page.address)
		}
	}
}

// A session cookie that an attacker planted in the browser is replaced at sign-in, and the old session is revoked.
func TestSessionIsNewAtSignIn(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	v := s.visitor()
	v.cookies["session"] = "chosen-by-somebody-else"
	v.visit("/sign-in").press("current-password", "login", "boss", "password", browsertest.GoodPassword)
	first := v.cookies["session"]
	if first == "chosen-by-somebody-else" || first == "" {
		t.Fatalf("the session is %q", first)
	}
	v.visit("/sign-in").press("current-password", "login", "boss", "password", browsertest.GoodPassword)
	if v.cookies["session"] == first {
		t.Error("the session stayed the same")
	}
	old := s.visitor()
	old.cookies["session"] = first
	old.visit("/me").says("With a password")
}

// Pages omit the actions that a user may not perform, and state the reason. A request for such an action is still refused.
func TestPagesOfferWhatIsPermitted(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.Writes)
	jobID, unit := s.units(2, "Saw", "Turn", "Wash")
	s.person("anna", "operator")
	s.person("quinn", "quality")
	onlooker, anna, quinn := s.visitor(), s.signedIn("anna"), s.signedIn("quinn")

	onlooker.visit("/serials/" + unit)
	if forms := strings.ReplaceAll(onlooker.page.html, `method="post" action="/language"`, ""); strings.Contains(forms, `method="post"`) {
		t.Error("a visitor without an identity is offered forms")
	}
	onlooker.says("Sign in to change something here.")

	anna.visit("/serials/" + unit)
	if strings.Contains(anna.page.html, `value="scrap"`) || !strings.Contains(anna.page.html, `value="advance"`) {
		t.Error("an operator is offered scrapping, or not offered to move on")
	}
	anna.says("people with the permission decide")
	quinn.visit("/serials/" + unit)
	if !strings.Contains(quinn.page.html, `value="scrap"`) {
		t.Error("quality is not offered scrapping")
	}
	form := quinn.page.form(t, `value="scrap"`).with("reason", "damaged", "do", "scrap")
	anna.post(form)
	if anna.page.status != http.StatusForbidden {
		t.Errorf("an operator who posts the form of scrapping is answered %d", anna.page.status)
	}
	anna.says("This needs the permission decide")
	s.stands(unit, 0, card.InProgress)

	anna.visit("/serials/"+unit).press(`value="advance"`, "do", "advance")
	s.stands(unit, 1, card.InProgress)
	anna.visit("/jobs/" + jobID)
	if strings.Contains(anna.page.html, "create-serials") {
		t.Error("an operator is offered to make units")
	}
	onlooker.visit("/users")
	onlooker.visit("/users/x")
	onlooker.says("With a password")
}

// Changes are recorded for the signed-in user, whatever user the form contains.
func TestWhoSignedInActs(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	_, unit := s.units(1, "Saw", "Turn")
	other := s.operator("Other")
	s.person("anna", "operator")
	anna := s.signedIn("anna")
	anna.visit("/serials/"+unit).press(`value="advance"`, "do", "advance", "userId", other)
	s.stands(unit, 1, card.InProgress)
	for entry, err := range s.service.AuditOfSerial(context.Background(), unit) {
		if err != nil || entry.UserID != "anna" {
			t.Errorf("%s by %s, %v", entry.Action, entry.UserID, err)
		}
	}
	anna.visit("/serials/" + unit)
	anna.says("Name of anna")
}

// Every form on every page posts to a known route, so that the page can decide whether to show the form.
func TestEveryPageIsGuarded(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	for _, address := range []string{"/", "/jobs", "/serials", "/scan", "/queue", "/users", "/audit", "/audit/entries.csv", "/labels", "/me", "/stations", "/nothing"} {
		request := httptest.NewRequest(http.MethodGet, address, nil)
		request.Header.Set("Accept", "text/html")
		answer := httptest.NewRecorder()
		s.pages.ServeHTTP(answer, request)
		if answer.Code != http.StatusSeeOther || !strings.HasPrefix(answer.Header().Get("Location"), "/sign-in?next=") {
			t.Errorf("%s: %d %s", address, answer.Code, answer.Header().Get("Location"))
		}
	}
}

// In a shop with sign-in, visitors who have not signed in are not asked who works here.
func TestStationOfNobody(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.Writes)
	_, unit := s.units(1, "Saw", "Turn")
	s.person("anna", "operator")
	for _, address := range []string{"/scan", "/scan?unit=" + unit} {
		v := s.visitor().visit(address)
		if v.page.status != http.StatusOK || strings.Contains(v.page.html, "/operator") || strings.Contains(v.text(), "Who is working") {
			t.Errorf("%s: status %d\n%s", address, v.page.status, v.page.html)
		}
		v.says("Sign in to work here.")
	}
}

// If a badge is scanned into another field, it appears in no page and no address afterwards, and the rest of the form is not carried out.
func TestBadgesAreShownNowhere(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	_, unit := s.units(1, "Turn", "Pack")
	s.person("anna", "lead")
	const badge, secret = "RC-ID-7Xk29fQmZ0aB4cD8eF1g", "7xk29fqmz0ab4cd8ef1g"
	v := s.signedIn("anna")
	hidden := func(what string, answer *httptest.ResponseRecorder) {
		t.Helper()
		told := strings.ToLower(answer.Body.String())
		for _, values := range answer.Header() {
			told += strings.ToLower(strings.Join(values, " "))
		}
		scans, _ := base64.RawURLEncoding.DecodeString(v.cookies["scans"])
		if strings.Contains(told+strings.ToLower(string(scans)), secret) {
			t.Errorf("%s shows the badge: %d %s", what, answer.Code, answer.Header().Get("Location"))
		}
	}
	post := func(action string, values url.Values) *httptest.ResponseRecorder {
		request := httptest.NewRequest(http.MethodPost, action, strings.NewReader(values.Encode()))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return v.ask(request)
	}
	typed := []string{badge, strings.ToLower(badge), "burr" + badge, "]C0" + badge, "RCßIDß7Xk29fQmZ0aB4cD8eF1g", "＊ " + badge + " x"}
	for _, text := range typed {
		for _, address := range []string{"/search?q=", "/serials?q=", "/jobs?q=", "/certs?q=", "/users?q=", "/audit?serial=", "/audit?user=", "/labels?first=",
			"/scan?unit=", "/scan?state=asked&ask=RC-NOTE&why=code&unit=" + unit + "&step=0&entry=none&words=", "/nowhere?x="} {
			answer := v.answer(address + url.QueryEscape(text))
			if hidden(address+text, answer); answer.Code == http.StatusSeeOther {
				hidden(address+text, v.answer(answer.Header().Get("Location")))
			}
		}
		v.visit("/serials/" + unit)
		for _, form := range []posted{v.page.form(t, `name="text"`).with("text", text, "confirm-secret", ""), v.page.form(t, `value="advance"`).with("do", "advance", "note", text)} {
			answer := post(form.action, form.values)
			if hidden(form.action+" "+text, answer); answer.Code != http.StatusBadRequest || !strings.Contains(answer.Body.String(), "A badge was scanned into a field") {
				t.Errorf("%s with %q answers %d", form.action, text, answer.Code)
			}
		}
	}
	for _, text := range []string{typed[2], typed[4], typed[5]} { // the others are badges, for which the station asks for the PIN
		v = s.signedIn("anna")
		v.scan(unit, "show", unit)
		v.scan("RC-NOTE", "ask", "Type the note")
		form := v.page.form(t, `id="code"`).with("code", text)
		answer := post(form.action, form.values)
		if hidden("the station "+text, answer); answer.Code == http.StatusSeeOther {
			hidden("the station "+text, v.answer(answer.Header().Get("Location")))
		}
		delete(v.cookies, "session")
		hidden("the station, signed out, "+text, post(form.action, form.values))
		hidden("the door "+text, post("/sign-in", url.Values{"badge": {text}, "pin": {""}}))
		hidden("the login "+text, post("/sign-in", url.Values{"login": {text}, "password": {"x"}}))
	}
	card, err := s.views.Card(t.Context(), unit)
	s.must(err)
	if len(card.Notes) > 0 || card.Card.Serial.Position != 0 {
		t.Errorf("something was done: %+v", card)
	}
}

// A scan after the end of the session is not done, and the sign-in page says so, also at a device that is no station.
func TestScanAfterTheSession(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	_, unit := s.units(1, "Saw", "Turn")
	s.person("anna", "operator")
	v := s.signedIn("anna")
	v.visit("/scan").scan(unit, "show", unit)
	delete(v.cookies, "session")
	v.press(`id="code"`, "code", "")
	v.says("You are signed out")
	v.says("Not done: " + unit + ", RC-DONE")
	s.stands(unit, 0, card.InProgress)
}

// Two people take turns at a station: the next person's badge signs the first one out, and the page asks for the PIN.
func TestStationTakesTurns(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	_, unit := s.units(1, "Saw", "Turn", "Wash")
	s.person("lena", "lead")
	badges := map[string]string{}
	for _, login := range []string{"anna", "bert"} {
		id := s.person(login, "operator")
		boss := s.signedIn("boss")
		boss.visit("/users/"+id).press("Set the PIN", "pin", "271828")
		boss.says("PIN set.")
		boss.press("Create a badge")
		badges[login] = regexp.MustCompile(`RC-ID-[0-9A-Za-z]{20}`).FindString(boss.text())
		if badges[login] == "" {
			t.Fatal(boss.text())
		}
	}
	v := s.signedIn("lena")
	v.visit("/stations").press("Make it a station", "name", "Lathe 2")
	v.says("This device is the station Lathe 2.")
	v.press("Sign out")
	v.says("Scan your badge")
	if !strings.Contains(v.page.html, `name="next" value="/scan"`) {
		t.Error("who signs in at a station is not led to its page")
	}
	v.press("Scan your badge", "badge", badges["anna"], "pin", "271828")
	v.says("Name of anna")
	v.visit("/scan").says("Someone else set your PIN")
	v.press("Change the PIN", "pin", "314159", "password", browsertest.GoodPassword).says("PIN changed.")
	v.visit("/scan?unit="+unit).press("name=\"code\"", "code", "RC-ADVANCE")
	s.stands(unit, 1, card.InProgress)
	// The audit trail distinguishes what was done at the station from what was done in a session on another device.
	trail := s.signedIn("lena")
	trail.visit("/audit?action=serial_advanced").says("Name of anna, at the station ")
	trail.visit("/audit?action=station_created").says("Name of lena, signed in")

	v.press("name=\"code\"", "code", "]C0"+badges["bert"]) // with the prefix that scanners send before a code
	v.says("Scan your badge")
	// The badge is stored until the PIN is entered, and appears in no page.
	waits := func() {
		t.Helper()
		v.says("A badge was scanned: type its PIN, or scan another one.")
		if strings.Contains(v.page.html, badges["bert"]) {
			t.Error("the badge stands in the page")
		}
	}
	waits()
	v.press("Scan your badge", "badge", "", "pin", "111222").says("The badge or the PIN is not valid")
	waits()
	v.press("Scan your badge", "badge", "", "pin", badges["bert"]) // scanned again, into the PIN field: does not count as an attempt
	waits()
	scanned := v.cookies["badge"]
	delete(v.cookies, "badge") // it expires after a minute
	v.press("Scan your badge", "badge", "", "pin", "271828").says("Scan your badge")
	if v.page.status != http.StatusBadRequest {
		t.Errorf("without a badge: status %d", v.page.status)
	}
	v.cookies["badge"] = scanned
	v.press("Scan your badge", "badge", "", "pin", "271828")
	v.says("Name of bert")
	if v.cookies["badge"] != "" {
		t.Error("the badge is kept after the sign-in")
	}
	v.press("Change the PIN", "pin", "161803", "password", browsertest.GoodPassword)
	v.visit("/scan")
	if v.page.address != "/scan" || !strings.Contains(v.page.html, `<meta name="idle" content="600">`) {
		t.Errorf("at %s", v.page.address)
	}
	// A badge that is scanned after an unfinished text does not become part of the text and is not shown.
	for _, code := range []string{badges["anna"], "RC-OUT"} {
		v.visit("/scan?unit="+unit).scan("RC-NOTE", "ask", "Type the note")
		v.scan("cracked"+code, "bad", "Two codes, or a code and a text, were scanned as one.")
		if v.says("No note was written"); strings.Contains(v.page.html, badges["anna"]) {
			t.Error("the badge is shown")
		}
	}
	// Neither is a badge whose first keys were lost.
	for lost := 1; lost < 6; lost++ {
		v.visit("/scan").scan(badges["anna"][lost:], "bad", "The station does not know this code.")
		if strings.Contains(v.page.html+v.page.address, badges["anna"][6:]) {
			t.Errorf("the badge is shown without its first %d characters", lost)
		}
	}
	v.visit("/scan?unit="+unit).press("name=\"code\"", "code", "]C0rc-out")
	v.says("Signed out.")
	v.visit("/scan")
	v.says("Scan your badge")

	// The station was idle for ten minutes.
	v.press("Scan your badge", "badge", "]Q1"+badges["anna"]+"\r", "pin", "314159")
	v.says("Name of anna")
	s.pass(10 * time.Minute)
	v.visit("/scan")
	v.says("Scan your badge")
	s.stands(unit, 1, card.InProgress)

	// Enter for the unit on the screen is then refused, and the page says so.
	v.press("Scan your badge", "badge", badges["anna"], "pin", "314159")
	v.visit("/scan").scan(unit, "show", unit)
	s.pass(10 * time.Minute)
	v.press(`id="code"`, "code", "")
	v.says("You are signed out")
	v.says("Not done: " + unit + ", RC-DONE")

	// A code that is scanned then is not carried out, and the page says so. It does not count as an attempt to sign in. After the sign-in,
	// a scanned unit is shown.
	v.press("Scan your badge", "badge", badges["anna"], "pin", "314159")
	v.visit("/scan").scan(unit, "show", unit)
	s.pass(10 * time.Minute)
	v.press(`id="code"`, "code", "RC-NOTE")
	v.says("You are signed out")
	v.says("Not done: RC-NOTE")
	for range 6 { // more often than wrong badges are accepted
		v.press("Scan your badge", "badge", unit, "pin", "")
		v.says("This is not a badge. Sign in first. Not done: " + unit)
		if strings.Contains(v.page.html, `value="`+unit+`"`) {
			t.Error("the unit stands in the field for the badge")
		}
	}
	// Any other text there may be a PIN, or a badge whose first keys came before the page. It is neither shown nor in the address.
	for _, secret := range []string{"314159", badges["anna"][1:], badges["anna"][4:], badges["anna"][9:], "birds on a wire"} {
		v.press("Scan your badge", "badge", secret, "pin", "").says("This is not a badge. Sign in first.")
		if strings.Contains(v.page.html+v.page.address, secret) || strings.Contains(v.page.html, "Not done") {
			t.Errorf("%s is shown at %s", secret, v.page.address)
		}
	}
	v.press("Scan your badge", "badge", badges["anna"], "pin", "314159")
	v.says("Working: Name of anna")
	v.says("Now Turn")
	s.stands(unit, 1, card.InProgress)

	// The device is no longer a station.
	s.signedIn("boss").visit("/stations").press("Remove the station").says("Station removed.")
	v.visit("/sign-in")
	if strings.Contains(v.text(), "Scan your badge") {
		t.Error("still a station")
	}
}

// A record may already contain text that looks like a badge, because a program wrote it. Users can still change its other fields. If the
// same text is scanned into another field, it is refused.
func TestTextThatLooksLikeABadgeStays(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	const like = "RC-ID-7Xk29fQmZ0aB4cD8eF1g"
	job, err := s.service.CreateJob(t.Context(), shop.CreateJobInput{Name: input.Given("Jig " + like), GoalQuantity: input.Given(2.0)})
	s.must(err)
	v := s.works("Dana")
	edit := func(pairs ...string) *visitor {
		return v.visit("/jobs/"+job.ID).press(`value="edit"`, append([]string{"do", "edit"}, pairs...)...)
	}
	edit("name", "Jig "+like, "goalQuantity", "3")
	if v.page.status != http.StatusOK {
		t.Errorf("status %d: %s", v.page.status, v.text())
	}
	if now, err := s.service.Job(t.Context(), job.ID); err != nil || now.GoalQuantity != 3 {
		t.Errorf("the goal is %v (%v)", now.GoalQuantity, err)
	}
	const refused = "A badge was scanned into a field that is not for badges."
	edit("name", "Jig "+like, "goalQuantity", "4", "customer", "RC-ID-0000000000bbbbbbbbbb").says(refused)
	v.visit("/jobs").press("Create job", "name", "Lid "+like, "goalQuantity", "1") // the list shows the text
	if v.page.status != http.StatusOK {
		t.Errorf("status %d: %s", v.page.status, v.text())
	}
	v.visit("/certs").press("Create certificate", "type", "material", "name", like).says(refused)
	// The form has the address of its page in a hidden field, which users do not see.
	form := v.visit("/certs").page.form(t, "Create certificate").with("type", "material", "name", like)
	for _, address := range []string{"/certs/" + like, "/certs?" + like} {
		request := httptest.NewRequest(http.MethodPost, form.action, strings.NewReader(form.values.Encode()))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Referer", "http://"+request.Host+address)
		v.send(request).says(refused)
	}
}
