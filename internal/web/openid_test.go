package web_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// TestProvider signs users in with an independent implementation of an OpenID Connect provider.
func TestProvider(t *testing.T) {
	t.Parallel()
	p := startProvider(t, returnTo)
	for name, test := range map[string]func(*testing.T, *provider){
		"signs people in": providerSignsPeopleIn, "signs in whom we connected": providerSignsInWhomWeConnected,
		"answers this attempt": providerAnswersThisAttempt, "leads nowhere else": providerLeadsNowhereElse, "clock": providerClock,
		"keeps an administrator": providerKeepsAnAdministrator, "roles end": providerRolesEnd,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, p)
		})
	}
}

// A user of the provider is identified only by the subject, and has the groups of the last sign-in.
func providerSignsPeopleIn(t *testing.T, p *provider) {
	log := &safeBuffer{}
	s := openGuardedShop(t, access.All, p.options(func(o *access.ProviderOptions) {
		o.Create = true
		o.Roles = []access.GroupRole{{Group: "shop", Role: "operator"}, {Group: "shop=quality", Role: "quality"}}
	}), func(o *access.Options) { o.Logger = slog.New(slog.NewTextHandler(log, nil)) })
	s.pass(time.Since(s.now))
	p.knows(map[string]claims{
		"sub-anna":  {"preferred_username": "Anna@shop.example", "name": "Anna Alt", "email": "anna@shop.example", "groups": []string{"shop", "shop=quality", "golf"}},
		"sub-other": {"preferred_username": "anna@other.example", "name": "Another Anna", "email": "anna@shop.example", "groups": []string{"shop"}},
		"sub-odd":   {"preferred_username": "ä", "name": "Odd"},
		"sub-boss":  {"preferred_username": "boss", "name": "No Boss", "email_verified": true},
	})
	v := s.visitor()
	v.visit("/sign-in?next=/queue").says("Sign in with the company account")
	address := v.leave("/queue?operator=x")
	for _, needed := range []string{"code_challenge_method=S256", "nonce=", "state=", "scope=openid+profile", "response_type=code"} {
		if !strings.Contains(address, needed) {
			t.Errorf("%s is not in %s", needed, address)
		}
	}
	back := p.signsIn(address, "sub-anna")
	// A page that refreshes itself neither starts nor ends a sign-in, not even at the addresses where a failed sign-in is shown. A page
	// without read access receives no events, and so has no parts to refresh.
	own := v.cookies["openid"]
	for _, address := range []string{"/sign-in/provider?next=/queue", back} {
		request := httptest.NewRequest(http.MethodGet, address, nil)
		request.Header.Set("Routecard-Live", "1")
		answer := v.ask(request)
		if answer.Code != http.StatusOK || v.cookies["openid"] != own || v.cookies["session"] != "" {
			t.Errorf("%s did something by itself: %d, cookies %v", address, answer.Code, v.cookies)
		}
		if strings.Contains(answer.Body.String(), `name="last-event"`) {
			t.Errorf("%s has the page of a stranger listen for events", address)
		}
	}
	v.visit(back + "&session_state=" + strings.Repeat("long", 1000)) // providers add parameters, so their addresses are long
	v.says("Anna Alt")
	if v.page.address != "/queue?operator=x" || v.cookies["openid"] != "" {
		t.Errorf("led to %s, with the cookie %q", v.page.address, v.cookies["openid"])
	}
	v.visit("/me").says("You may: read work decide")

	// Opening the same address again creates no second session, not even with the cookie.
	again := s.visitor()
	again.visit(back).says("not begun in this browser")
	if again.cookies["session"] != "" {
		t.Error("another browser is signed in with the same address")
	}

	// If a group is removed or the name is changed at the provider, this takes effect at the next sign-in. The user stays the same.
	p.knows(map[string]claims{
		"sub-anna":  {"preferred_username": "anna.neu@shop.example", "name": "Anna Neu", "groups": []string{"shop"}},
		"sub-other": {"preferred_username": "anna@other.example", "name": "Another Anna", "email": "anna@shop.example", "groups": []string{"shop"}},
		"sub-odd":   {"preferred_username": "ä", "name": "Odd"},
		"sub-boss":  {"preferred_username": "boss", "name": "No Boss"},
	})
	v = s.visitor()
	v.visit(p.signsIn(v.leave("/"), "sub-anna"))
	v.visit("/me").says("Login anna.")
	v.says("You may: read work ")
	if strings.Contains(v.text(), "decide") {
		t.Error("a group that was taken away still gives its role")
	}

	// Another user with the same name or login does not count as the same user.
	for subject, message := range map[string]string{
		"sub-other": "The login anna is somebody's already. If it is you, an administrator connects your account with sub-other",
		"sub-boss":  "The login boss is somebody's already.", "sub-odd": "did not say a login that can be used here",
	} {
		v = s.visitor()
		v.visit(p.signsIn(v.leave("/"), subject)).says(message)
		if v.page.status != http.StatusForbidden || v.cookies["session"] != "" {
			t.Errorf("%s: status %d, session %q", subject, v.page.status, v.cookies["session"])
		}
	}

	// An inactive user cannot sign in.
	var anna string
	for user, err := range s.service.Users(context.Background(), false) {
		if err == nil && user.Login == "anna" {
			anna = user.ID
		}
	}
	if _, err := s.service.UpdateUser(context.Background(), anna, shop.UpdateUserInput{Active: input.Given(false)}); err != nil {
		t.Fatal(err)
	}
	v = s.visitor()
	v.visit(p.signsIn(v.leave("/"), "sub-anna")).says("Your account is not active any more")

	// The audit trail records how she signed in and what changed. No log contains anything with which a session can be opened.
	trail := ""
	for entry, err := range s.service.AuditEntries(context.Background(), 100, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if entry.UserID == "anna" {
			trail += string(entry.Action) + " " + string(entry.Metadata) + "\n"
		}
	}
	for _, told := range []string{
		`"after":{"login":"anna","roles":["operator","quality"],"issuer":"http://localhost:` + p.port + `","subject":"sub-anna"}`,
		`"before":{"login":"anna","roles":["operator","quality"]},"after":{"login":"anna","roles":["operator"]}`,
	} {
		if !strings.Contains(trail, told) {
			t.Errorf("the trail does not tell %s:\n%s", told, trail)
		}
	}
	query, err := url.Parse(back)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{clientSecret, url.QueryEscape(clientSecret), query.Query().Get("code"), query.Query().Get("state")} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log has %q:\n%s", secret, log)
		}
	}
}

// Without the setting, a sign-in creates no users: an administrator enters the subject of each user.
func providerSignsInWhomWeConnected(t *testing.T, p *provider) {
	s := openGuardedShop(t, access.All, p.options())
	s.pass(time.Since(s.now))
	p.knows(map[string]claims{"conn-anna": {"preferred_username": "anna"}, "conn-bea": {"preferred_username": "bea"}})
	anna, bea := s.person("anna", "operator"), s.person("bea", "viewer")
	v := s.visitor()
	v.visit(p.signsIn(v.leave("/"), "conn-anna")).says("An administrator connects yours with conn-anna")
	boss := s.signedIn("boss")
	connect := func(id, subject string) *visitor {
		return boss.visit("/users/"+id).press(`value="connect"`, "subject", subject)
	}
	connect(anna, " conn-anna ").says("Account saved.")
	connect(bea, "conn-anna").says("belongs to anna")
	v.visit(p.signsIn(v.leave("/"), "conn-anna")).says("Name of anna")
	v.visit("/me").says("You may: read work ") // without rules for groups, administrators assign the roles here

	// In the meantime her account was connected in another tab. The tab that was opened before does not undo this.
	boss.visit("/users/" + bea)
	other := s.signedIn("boss")
	other.visit("/users/"+bea).press(`value="connect"`, "subject", "conn-other").says("Account saved.")
	boss.press(`value="connect"`, "subject", "conn-typed")
	boss.changedMeanwhile("Subject at the identity provider: conn-typed (now conn-other).")
	if form := boss.page.html; !strings.Contains(form, `value="conn-other"`) {
		t.Error("the form does not show what is there now")
	}
	connect(bea, "").says("Account saved.")

	// At a station the provider asks for the user's identity again.
	if strings.Contains(v.leave("/"), "prompt=login") {
		t.Error("the provider is to ask anew on a device of one's own")
	}
	s.person("lena", "lead")
	workstation := s.signedIn("lena")
	workstation.visit("/stations").press("Make it a station", "name", "Lathe 2")
	if !strings.Contains(workstation.leave("/"), "prompt=login") {
		t.Error("at a station the provider need not ask who it is")
	}

	// If a user's account is disconnected, the user is signed out and cannot sign in again.
	connect(anna, "").says("Account saved.")
	v.visit("/me").says("With a password")
	v.visit(p.signsIn(v.leave("/"), "conn-anna")).says("Nobody here is connected")
	connect(bea, "conn-anna").says("Account saved.")
	v.visit(p.signsIn(v.leave("/"), "conn-anna")).says("Name of bea")
	if s.signedIn("bea"); v.page.status != http.StatusOK { // the password still works
		t.Error(v.page.status)
	}
}

// Only a response that the provider has signed for this attempt in this browser opens a session.
func providerAnswersThisAttempt(t *testing.T, p *provider) {
	s := openGuardedShop(t, access.All, p.options(func(o *access.ProviderOptions) { o.Create = true }))
	s.pass(time.Since(s.now))
	p.knows(map[string]claims{"att-anna": {"preferred_username": "anna"}})
	const elsewhere, refused = "not begun in this browser", "The sign-in service did not sign you in"
	change := func(address, name, value string) string {
		parsed, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		query := parsed.Query()
		query.Set(name, value)
		parsed.RawQuery = query.Encode()
		return parsed.String()
	}
	stranger := s.visitor()
	strangers := stranger.leave("/")
	for name, row := range map[string]struct {
		comes func(v *visitor) string // returns the address of the response
		says  string
	}{
		"wrong nonce": {func(v *visitor) string { return p.signsIn(change(v.leave("/"), "nonce", "another"), "att-anna") }, refused},
		"wrong challenge": {func(v *visitor) string {
			return p.signsIn(change(v.leave("/"), "code_challenge", strings.Repeat("a", 43)), "att-anna")
		}, refused},
		"somebody else's code": {func(v *visitor) string {
			code, err := url.Parse(p.signsIn(strangers, "att-anna"))
			if err != nil {
				t.Fatal(err)
			}
			return change(p.signsIn(v.leave("/"), "att-anna"), "code", code.Query().Get("code"))
		}, refused},
		"somebody else's state": {func(v *visitor) string { v.leave("/"); return p.signsIn(stranger.leave("/"), "att-anna") }, elsewhere},
		"another provider": {func(v *visitor) string {
			return change(p.signsIn(v.leave("/"), "att-anna"), "iss", "http://evil.example")
		}, refused},
		"no state": {func(v *visitor) string { v.leave("/"); return "/sign-in/return?code=x" }, elsewhere},
		"no code": {func(v *visitor) string {
			back, err := url.Parse(change(p.signsIn(v.leave("/"), "att-anna"), "error", "access_denied"))
			if err != nil {
				t.Fatal(err)
			}
			return "/sign-in/return?error=access_denied&state=" + back.Query().Get("state")
		}, refused},
		"no cookie": {func(v *visitor) string {
			back := p.signsIn(v.leave("/"), "att-anna")
			delete(v.cookies, "openid")
			return back
		}, elsewhere},
		"a cookie of their own": {func(v *visitor) string {
			back := p.signsIn(v.leave("/"), "att-anna")
			v.cookies["openid"] = strings.Replace(v.cookies["openid"], ".", ".z", 1)
			return back
		}, elsewhere},
		"the other's cookie": {func(v *visitor) string {
			back := p.signsIn(v.leave("/"), "att-anna")
			v.cookies["openid"] = stranger.cookies["openid"]
			return back
		}, elsewhere},
	} {
		v := s.visitor()
		v.visit(row.comes(v))
		if !strings.Contains(v.text(), row.says) || v.page.status != http.StatusUnauthorized || v.cookies["session"] != "" {
			t.Errorf("%s: %d, session %q:\n%s", name, v.page.status, v.cookies["session"], v.text())
		}
	}

	// An attempt that has led to a session cannot lead to a second one, not even with its own cookie, on this or another instance.
	v := s.visitor()
	address := v.leave("/")
	kept := v.cookies["openid"]
	back := p.signsIn(address, "att-anna")
	v.visit(back).says("Login anna.")
	thief := s.visitor()
	thief.cookies["openid"] = kept
	if thief.visit(back); thief.cookies["session"] != "" {
		t.Error("an address that was used opens a session again")
	}
	// This also holds with another code from the provider.
	thief = s.visitor()
	thief.cookies["openid"] = kept
	thief.visit(p.signsIn(address, "att-anna")).says(elsewhere)

	// A response that arrives too late starts a new sign-in.
	late := s.visitor()
	back = p.signsIn(late.leave("/"), "att-anna")
	s.pass(10*time.Minute + time.Second)
	late.visit(back).says(elsewhere)
	if late.cookies["session"] != "" {
		t.Error("signed in after ten minutes")
	}
}

// Signing in with the provider never redirects to another site, whatever address was requested before.
func providerLeadsNowhereElse(t *testing.T, p *provider) {
	s := openGuardedShop(t, access.All, p.options(func(o *access.ProviderOptions) { o.Create = true }))
	s.pass(time.Since(s.now))
	p.knows(map[string]claims{"lead-anna": {"preferred_username": "anna"}})
	for _, next := range []string{"//evil.example", "https://evil.example", `/\evil.example`, "javascript:alert(1)", ""} {
		v := s.visitor()
		if v.visit(p.signsIn(v.leave(next), "lead-anna")); v.page.address != "/me" || v.cookies["session"] == "" {
			t.Errorf("%q: led to %s", next, v.page.address)
		}
	}
}

// A small difference between the clocks is accepted. With a large difference, it is unknown whether a signature is still valid.
func providerClock(t *testing.T, p *provider) {
	s := openGuardedShop(t, access.All, p.options(func(o *access.ProviderOptions) { o.Create = true }))
	p.knows(map[string]claims{"clock-anna": {"preferred_username": "anna"}})
	for ahead, in := range map[time.Duration]bool{-time.Minute: true, time.Minute: true, -3 * time.Minute: false, 2 * time.Hour: false} {
		s.pass(time.Since(s.clock()) + ahead)
		v := s.visitor()
		v.visit(p.signsIn(v.leave("/"), "clock-anna"))
		if signed := v.cookies["session"] != ""; signed != in {
			t.Errorf("a clock that is %v ahead: signed in %v:\n%s", ahead, signed, v.text())
		}
	}
}

// While the provider is down, users sign in with their passwords, and the service reports the problem. When the provider is available
// again, signing in with it works without a restart.
func TestProviderIsDown(t *testing.T) {
	t.Parallel()
	p := startProvider(t, returnTo)
	p.stop()
	s := openGuardedShop(t, access.All, p.options(func(o *access.ProviderOptions) { o.Create = true }))
	s.pass(time.Since(s.now))
	p.knows(map[string]claims{"sub-anna": {"preferred_username": "anna"}})
	const trouble = "The provider of OpenID Connect does not answer: people can sign in with a password only"
	watching, stop := context.WithCancel(t.Context())
	pauses := make(chan chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		s.door.WatchProvider(watching, func(ctx context.Context, _ time.Duration) error {
			over := make(chan struct{})
			select {
			case pauses <- over:
				<-over
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	})
	defer watch.Wait()
	defer stop()

	over := <-pauses // the provider was asked once
	if got := s.door.ProviderTrouble(); got != trouble {
		t.Errorf("down at the start: %q", got)
	}
	v := s.visitor()
	v.visit("/sign-in/provider?next=/queue").says("does not answer just now")
	if v.page.status != http.StatusServiceUnavailable {
		t.Errorf("status %d", v.page.status)
	}
	v.press("current-password", "login", "boss", "password", browsertest.GoodPassword)
	if v.page.address != "/queue" {
		t.Errorf("with a password led to %s:\n%s", v.page.address, v.text())
	}

	p.start()
	v = s.visitor()
	back := p.signsIn(v.leave("/"), "sub-anna")
	if got := s.door.ProviderTrouble(); got != "" {
		t.Errorf("up again: %q", got)
	}
	p.stop() // in the middle of a sign-in
	close(over)
	over = <-pauses
	for range 25 { // this does not lock anyone out
		v.visit("/sign-in/provider").says("does not answer just now")
	}
	kept := v.cookies["openid"]
	v.visit(back).says("does not answer just now")
	if got := s.door.ProviderTrouble(); got != trouble {
		t.Errorf("down in the middle: %q", got)
	}
	p.start() // a new process, which does not know the code
	v.cookies["openid"] = kept
	v.visit(back).says("did not sign you in")
	close(over)
	v.visit(p.signsIn(v.leave("/"), "sub-anna")).says("Login anna.")
	if got := s.door.ProviderTrouble(); got != "" {
		t.Errorf("up at last: %q", got)
	}
}

// safeBuffer is a buffer for concurrent writers.
type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(text)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// docs/access.md, "Roles": The provider's groups cannot remove the last administrator.
func providerKeepsAnAdministrator(t *testing.T, p *provider) {
	s := openGuardedShop(t, access.All, p.options(func(o *access.ProviderOptions) {
		o.Roles = []access.GroupRole{{Group: "admins", Role: "admin"}, {Group: "leads", Role: "lead"}}
	}))
	s.pass(time.Since(s.now))
	p.knows(map[string]claims{"keep-boss": {"preferred_username": "boss", "groups": []string{"leads"}}})
	boss := s.signedIn("boss")
	var id string
	for user, err := range s.service.Users(t.Context(), true) {
		if err == nil && user.Login == "boss" {
			id = user.ID
		}
	}
	boss.visit("/users/"+id).press(`value="connect"`, "subject", "keep-boss").says("Account saved.")
	roles := func() string {
		v := s.visitor()
		v.visit(p.signsIn(v.leave("/"), "keep-boss"))
		user, err := s.service.User(t.Context(), id)
		s.must(err)
		return strings.Join(user.Roles, " ")
	}
	if got := roles(); got != "lead admin" {
		t.Errorf("the last administrator has the roles %s", got)
	}
	s.person("eve", "admin")
	if got := roles(); got != "lead" {
		t.Errorf("with another one, the roles are %s", got)
	}
}
