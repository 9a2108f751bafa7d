package httpapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

func TestSetupIsForOnce(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	body := func(code, login string) string {
		return fmt.Sprintf(`{"code": %q, "login": %q, "name": "Eve", "password": "a long enough password"}`, code, login)
	}
	g.refused(403, "The setup code is not valid", "POST", "/api/setup", body("guessed", "eve"))
	if code, err := g.door.SetupCode(t.Context()); err != nil || code != "" {
		t.Errorf("with an administrator there is a code %q, %v", code, err)
	}
	// No active user has the role: the next start creates a code, which is valid for a day.
	g.person("other", "admin")
	open := shop.New(g.store, time.Now, ident.NewIdentifiers(time.Now)) // as with --auth off
	for _, login := range []string{"other", "boss"} {
		if _, err := open.UpdateUser(t.Context(), g.users[login], shop.UpdateUserInput{Active: input.Given(false)}); err != nil {
			t.Fatal(err)
		}
	}
	code, err := g.door.SetupCode(t.Context())
	if err != nil || code == "" {
		t.Fatalf("code %q, %v", code, err)
	}
	g.refused(400, "login boss is taken", "POST", "/api/setup", body(code, "boss"))
	g.later(25 * time.Hour)
	g.refused(403, "The setup code is not valid", "POST", "/api/setup", body(code, "eve"))
	code, err = g.door.SetupCode(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// Of ten simultaneous attempts one succeeds.
	var made atomic.Int64
	var all sync.WaitGroup
	for i := range 10 {
		all.Go(func() {
			got, err := g.send(t.Context(), "POST", "/api/setup", body(code, fmt.Sprintf("eve%d", i)))
			if err != nil || got.status != 201 && got.status != 403 {
				t.Errorf("%d %s, %v", got.status, got.body, err)
			}
			if got.status == 201 {
				made.Add(1)
			}
		})
	}
	all.Wait()
	if made.Load() != 1 {
		t.Errorf("%d administrators were made", made.Load())
	}
}

func TestAccounts(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("anna", "operator")
	g.person("bea", "viewer")
	anna := "/api/users/" + g.users["anna"]
	g.refused(400, "login cannot be changed", "PUT", anna+"/account", `{"login": "anne"}`, g.boss())
	g.refused(400, "login must have 2 to 64 of the characters a-z, 0-9, dot, underscore and hyphen", "PUT", anna+"/account", `{"login": "Anna"}`, g.boss())
	g.refused(400, "roles[1] must be one of: viewer, operator, quality, lead, planner, admin, integration", "PUT", anna+"/account", `{"roles": ["lead", "king"]}`, g.boss())
	g.refused(400, "Somebody has to keep the role admin", "PUT", "/api/users/"+g.users["boss"]+"/account", `{"roles": []}`, g.boss())
	g.refused(404, "User not found: user_x", "PUT", "/api/users/user_x/account", `{}`, g.boss())
	var user struct{ ID string }
	g.reads(g.ask(201, "POST", "/api/users", `{"name": "Second Anna"}`, g.admin), &user)
	g.refused(400, "login anna is taken", "PUT", "/api/users/"+user.ID+"/account", `{"login": "anna"}`, g.boss())

	// A role that is removed no longer counts from the next request, in sessions and tokens.
	session := g.signIn("anna", goodPassword)
	token := g.token("anna", session, `["read", "work"]`)
	g.refused(404, "SerialNumber not found: SN-00009", "POST", "/api/serials/SN-00009/advance", `{}`, token)
	g.ask(200, "PUT", anna+"/account", `{"roles": ["viewer"]}`, g.boss())
	for _, identity := range [][2]string{session, token} {
		g.refused(403, "This needs the permission work", "POST", "/api/serials/SN-00009/advance", `{}`, identity)
	}
	// A user who is made inactive is signed out immediately. Making the user active again does not restore sessions and tokens.
	g.ask(200, "PUT", anna, `{"active": false}`, g.admin)
	g.refused(401, "Authentication required", "GET", "/api/me", "", session)
	g.refused(401, "The token is not valid", "GET", "/api/me", "", token)
	g.refused(401, "The login or the password is not valid", "POST", "/api/sign-in", fmt.Sprintf(`{"login": "anna", "password": %q}`, goodPassword))
	g.ask(200, "PUT", anna, `{"active": true}`, g.admin)
	g.refused(401, "Authentication required", "GET", "/api/me", "", session)
	g.refused(401, "The token is not valid", "GET", "/api/me", "", token)
	g.signIn("anna", goodPassword)
}

func TestPasswords(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("anna", "operator")
	g.person("otto", "operator")
	anna, otto := "/api/users/"+g.users["anna"], g.signIn("otto", goodPassword)
	session, other := g.signIn("anna", goodPassword), g.signIn("anna", goodPassword)
	g.refused(403, "This needs the permission admin", "PUT", anna+"/password", `{"password": "otto wants to be anna"}`, otto)
	g.refused(400, "oldPassword is required", "PUT", anna+"/password", `{"password": "five birds on a wire"}`, session)
	g.refused(400, "password must have at least 12 characters", "PUT", anna+"/password", `{"password": "short", "oldPassword": "x"}`, session)
	g.refused(401, "The login or the password is not valid", "PUT", anna+"/password", `{"password": "five birds on a wire", "oldPassword": "x"}`, session)
	old := session
	session = sessionOf(t, g.ask(200, "PUT", anna+"/password", fmt.Sprintf(`{"password": "five birds on a wire", "oldPassword": %q}`, goodPassword), old))
	g.ask(200, "GET", "/api/me", "", session)
	g.refused(401, "Authentication required", "GET", "/api/me", "", other)
	g.refused(401, "Authentication required", "GET", "/api/me", "", old) // a thief may have a copy of its cookie
	// A password that an administrator set must be changed before anything else.
	g.ask(200, "PUT", anna+"/password", `{"password": "set by the boss"}`, g.boss())
	g.refused(401, "Authentication required", "GET", "/api/me", "", session)
	got := g.ask(200, "POST", "/api/sign-in", `{"login": "anna", "password": "set by the boss"}`)
	if !strings.Contains(got.body, `"mustChange":true`) {
		t.Error(got.body)
	}
	session = sessionOf(t, got)
	g.refused(403, "Change your password first", "GET", "/api/jobs", "", session)
	g.refused(403, "Change your password first", "POST", anna+"/tokens", `{"name": "x", "permissions": ["read"]}`, session)
	session = sessionOf(t, g.ask(200, "PUT", anna+"/password", `{"password": "six birds on a wire", "oldPassword": "set by the boss"}`, session))
	g.ask(200, "GET", "/api/jobs", "", session)
}

func TestBadgesAndPINs(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("anna", "operator")
	anna, session := "/api/users/"+g.users["anna"], g.signIn("anna", goodPassword)
	own := func(pin string) string { return fmt.Sprintf(`{"pin": %q, "password": %q}`, pin, goodPassword) }
	for _, pin := range []string{"12345", "1234 5", "abcdef", "１２３４５６"} {
		g.refused(400, "pin must have at least 6 digits", "PUT", anna+"/pin", own(pin), session)
	}
	for _, pin := range []string{"111111", "123456", "987654", "890123", "121212", "123123", "11111112"[:7]} {
		g.refused(400, "The PIN is too easy to guess", "PUT", anna+"/pin", own(pin), session)
	}
	session = sessionOf(t, g.ask(200, "PUT", anna+"/pin", own("271828"), session))
	var made struct{ Badge string }
	g.reads(g.ask(200, "PUT", anna+"/badge", `{}`, g.boss()), &made)
	first := made.Badge
	in := func(badge, pin string) string { return fmt.Sprintf(`{"badge": %q, "pin": %q}`, badge, pin) }
	lathe := g.station("Lathe 2")
	g.ask(200, "POST", "/api/sign-in", in(first, "271828"), lathe)
	g.refused(401, "The login or the password is not valid", "POST", "/api/sign-in", in(first, "271829"), lathe)
	g.reads(g.ask(200, "PUT", anna+"/badge", `{}`, session), &made)
	g.refused(401, "The login or the password is not valid", "POST", "/api/sign-in", in(first, "271828"), lathe)
	g.ask(200, "POST", "/api/sign-in", in(made.Badge, "271828"), lathe)
}

func TestTokens(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("anna", "operator")
	g.person("otto", "lead")
	path, session := "/api/users/"+g.users["anna"]+"/tokens", g.signIn("anna", goodPassword)
	g.refused(403, "This needs the permission plan", "POST", path, `{"name": "x", "permissions": ["work", "plan"]}`, session)
	g.refused(400, "permissions[0] must be one of: read, work, decide, plan, admin, act-for", "POST", path, `{"name": "x", "permissions": ["king"]}`, session)
	g.refused(400, "expiresAt must be within a year", "POST", path, `{"name": "x", "permissions": ["read"], "expiresAt": "2028-01-01T00:00:00.000Z"}`, session)
	g.refused(400, "expiresAt must be in the future", "POST", path, `{"name": "x", "permissions": ["read"], "expiresAt": "2026-01-01T00:00:00.000Z"}`, session)
	g.refused(403, "This needs the permission admin", "GET", path, "", g.signIn("otto", goodPassword))
	small := g.token("anna", session, `["read"]`)
	g.refused(403, "Credentials are managed by people who are signed in", "POST", path, `{"name": "x", "permissions": ["work"]}`, small)
	var listed []struct{ ID, LastUsedAt, Token, Hash string }
	g.reads(g.ask(200, "GET", path, "", session), &listed)
	if len(listed) != 1 || listed[0].LastUsedAt == "" || listed[0].Token != "" || listed[0].Hash != "" {
		t.Errorf("tokens: %+v", listed)
	}
	text := strings.TrimPrefix(small[1], "Bearer ")
	for _, wrong := range []string{"", "x", text[:len(text)-1], text + "x", strings.ToUpper(text), "rcd_" + strings.Repeat("0", 38)} {
		got := g.refused(401, "The token is not valid", "GET", "/api/me", "", [2]string{"Authorization", "Bearer " + wrong})
		if challenge := got.header.Get("WWW-Authenticate"); challenge != `Bearer realm="Routecard", error="invalid_token"` {
			t.Errorf("challenge %q", challenge)
		}
	}
	g.refused(401, "Authentication required", "GET", "/api/me?access_token="+text+"&token="+text, "")
	g.ask(200, "GET", "/api/me", "", [2]string{"Authorization", "bearer " + text})

	// A token that one instance revokes is refused by the other at the next request.
	there := g.instance(g.store, g.database, access.All)
	there.must(t, 200, "GET", "/api/me", "", small)
	g.refused(404, "Token not found: tok_x", "DELETE", path+"/tok_x", "", session)
	g.ask(200, "DELETE", path+"/"+listed[0].ID, "", session)
	there.must(t, 401, "GET", "/api/me", "", small)
	g.ask(200, "DELETE", path+"/"+listed[0].ID, "", session)

	expiring := g.token("anna", session, `["read"]`)
	g.later(90*24*time.Hour + time.Second)
	g.refused(401, "The token is not valid", "GET", "/api/me", "", expiring)
}

// A machine gateway acts for the operator at the machine. The entry has the gateway's login as the actor, and so has the response of GET
// /api/me.
func TestGatewayActsForOthers(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("gateway", "integration")
	g.person("anna", "operator")
	session := g.signIn("gateway", goodPassword)
	for identity, want := range map[[2]string]string{
		session: "gateway", g.token("gateway", session, `["read", "act-for"]`): "gateway", g.token("gateway", session, `["read"]`): "",
		g.signIn("anna", goodPassword): "",
	} {
		var me struct{ Actor string }
		if g.reads(g.ask(200, "GET", "/api/me", "", identity), &me); me.Actor != want {
			t.Errorf("actor %q, want %q", me.Actor, want)
		}
	}
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	session := g.signIn("boss", goodPassword)
	for range 2 {
		g.later(7 * time.Hour / 2)
		g.ask(200, "GET", "/api/me", "", session)
	}
	g.later(4 * time.Hour)
	g.ask(200, "GET", "/api/me", "", session) // eleven hours old, never idle for eight
	g.later(time.Hour)
	g.refused(401, "Authentication required", "GET", "/api/me", "", session)

	session = g.signIn("boss", goodPassword)
	g.later(7 * time.Hour)
	g.ask(200, "GET", "/api/me", "", session, [2]string{"Routecard-Live", "1"}) // a page's own requests are not activity
	g.later(time.Hour)
	g.refused(401, "Authentication required", "GET", "/api/me", "", session)

	session = g.signIn("boss", goodPassword)
	g.ask(200, "POST", "/api/sign-out", "", session)
	g.refused(401, "Authentication required", "GET", "/api/me", "", session)
}

// A page of another site cannot act with a user's session: browsers send the origin of a request.
func TestSessionsOnlyFromOurPages(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	session := g.signIn("boss", goodPassword)
	for _, header := range [][2]string{
		{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "http://127.0.0.1:1"}, {"Origin", "https://evil.example"}, {"Origin", "null"},
	} {
		for pattern := range g.everyRoute() {
			method, target, _ := strings.Cut(pattern, " ")
			if method == http.MethodGet {
				continue
			}
			got := g.must(t, 403, method, addresses.Replace(target), "{}", session, header)
			if _, message := refusalIn(got); message != "Cross-origin request refused" {
				t.Errorf("%s with %s: %s", pattern, header, message)
			}
		}
	}
	g.ask(200, "POST", "/api/sign-out", "", session, [2]string{"Origin", g.URL})
}

func TestWrongAttempts(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("anna", "operator")
	for _, login := range []string{"anna", "nobody-has-this"} { // whether the account exists makes no difference
		wrong := fmt.Sprintf(`{"login": %q, "password": "wrong"}`, login)
		for range 5 {
			g.refused(401, "The login or the password is not valid", "POST", "/api/sign-in", wrong)
		}
		got := g.refused(429, "Too many wrong attempts. Try again in 15 minutes", "POST", "/api/sign-in", wrong)
		if got.header.Get("Retry-After") != "900" {
			t.Errorf("Retry-After %q", got.header.Get("Retry-After"))
		}
	}
	right := fmt.Sprintf(`{"login": "anna", "password": %q}`, goodPassword)
	g.later(3 * time.Minute)
	g.refused(429, "Too many wrong attempts. Try again in 12 minutes", "POST", "/api/sign-in", right)
	trail := g.ask(200, "GET", "/api/audit?limit=100", "", g.admin).body
	if n := strings.Count(trail, "sign_in_locked"); n != 2 || strings.Contains(trail, "nobody-has-this") {
		t.Errorf("%d entries tell of it, or one tells what was typed: %s", n, trail)
	}
	g.later(12*time.Minute + time.Second)
	g.ask(200, "POST", "/api/sign-in", right)
	for range 4 { // the right secret clears the earlier wrong attempts
		g.refused(401, "The login or the password is not valid", "POST", "/api/sign-in", `{"login": "anna", "password": "wrong"}`)
	}
	g.ask(200, "POST", "/api/sign-in", right)
	g.refused(401, "The login or the password is not valid", "POST", "/api/sign-in", `{"login": "anna", "password": "wrong"}`)
}

// From one address, attempts with unknown logins are also locked after twenty. A right password still signs in.
func TestWrongAttemptsFromOneAddress(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	for i := range 20 {
		g.refused(401, "The login or the password is not valid", "POST", "/api/sign-in", fmt.Sprintf(`{"login": "login%d", "password": "x"}`, i))
	}
	for _, login := range []string{"login21", "boss"} { // the response does not reveal which of them exists
		g.refused(429, "Too many wrong attempts. Try again in 15 minutes", "POST", "/api/sign-in", fmt.Sprintf(`{"login": %q, "password": "x"}`, login))
	}
	g.signIn("boss", goodPassword)
}

// Wrong attempts from an address that has too many of them get 429 and write nothing. They do not allow more guesses at an account.
func TestWrongAttemptsOfACrowdWriteNothing(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("anna", "operator")
	try := func(login string) {
		t.Helper()
		got, err := g.send(t.Context(), "POST", "/api/sign-in", fmt.Sprintf(`{"login": %q, "password": "x"}`, login), [2]string{"X-Nothing", "x"})
		if err != nil || got.status != http.StatusUnauthorized && got.status != http.StatusTooManyRequests {
			t.Fatalf("%d %s, %v", got.status, got.body, err)
		}
	}
	for i := range 20 {
		try(fmt.Sprint("login", i))
	}
	rows := func() (count int) {
		t.Helper()
		if err := g.store.View(t.Context(), func(tx shop.Reader) error {
			attempts, err := tx.(access.Reader).AttemptsUnder("", 0)
			for _, found := range attempts {
				count += int(found.Count)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return count
	}
	before := rows()
	for i := range 100 {
		try(fmt.Sprint("other", i))
	}
	for range 10 {
		try("anna")
	}
	if after := rows(); before == 0 || after != before {
		t.Errorf("%d rows became %d", before, after)
	}
	g.refused(429, "Too many wrong attempts. Try again in 15 minutes", "POST", "/api/sign-in",
		fmt.Sprintf(`{"login": "anna", "password": %q}`, goodPassword))
	g.signIn("boss", goodPassword)
}

// TestManyWrongPINs tries ten thousand PINs on three instances at once: only five of them are checked.
func TestManyWrongPINs(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes long")
	}
	g := openGuarded(t, access.All)
	g.person("anna", "operator")
	anna := "/api/users/" + g.users["anna"]
	g.ask(200, "PUT", anna+"/pin", `{"pin": "271828"}`, g.boss())
	var made struct{ Badge string }
	g.reads(g.ask(200, "PUT", anna+"/badge", `{}`, g.boss()), &made)
	lathe := g.station("Lathe 2")
	instances := []*servedShop{g.servedShop}
	for range 2 {
		store := g.store
		if g.database.Postgres() { // an SQLite file has one process
			store = g.database.Open(t)
		}
		instances = append(instances, g.instance(store, g.database, access.All))
	}
	var judged, refused atomic.Int64
	var all sync.WaitGroup
	const callers, each = 20, 500
	for caller := range callers {
		all.Go(func() {
			for i := range each {
				got, err := instances[caller%3].send(t.Context(), "POST", "/api/sign-in",
					fmt.Sprintf(`{"badge": %q, "pin": "%06d"}`, made.Badge, 300_000+caller*each+i), lathe)
				switch {
				case err == nil && got.status == 401:
					judged.Add(1)
				case err == nil && got.status == 429:
					refused.Add(1)
				default:
					t.Errorf("%d %s, %v", got.status, got.body, err)
				}
			}
		})
	}
	all.Wait()
	if judged.Load() != 5 || judged.Load()+refused.Load() != callers*each {
		t.Errorf("%d were judged and %d refused", judged.Load(), refused.Load())
	}
}

// TestSecretsAreNowhere searches everything that the service stores and logs for the secrets that were used.
func TestSecretsAreNowhere(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("anna", "operator")
	anna := "/api/users/" + g.users["anna"]
	session := g.signIn("anna", goodPassword)
	token := g.token("anna", session, `["read"]`)
	session = sessionOf(t, g.ask(200, "PUT", anna+"/pin", fmt.Sprintf(`{"pin": "27182818284590", "password": %q}`, goodPassword), session))
	var made struct{ Badge string }
	g.reads(g.ask(200, "PUT", anna+"/badge", `{}`, session, [2]string{"Idempotency-Key", "a-key"}), &made)
	g.ask(401, "POST", "/api/sign-in", `{"login": "wrong-password-in-login", "password": "wrong-secret-typed"}`, [2]string{"Idempotency-Key", "another"})
	told := g.ask(200, "GET", "/api/audit?limit=1000", "", g.admin).body + g.ask(200, "GET", "/api/users", "", g.admin).body +
		g.ask(200, "GET", anna+"/tokens", "", g.admin).body + g.must(t, 200, "GET", "/metrics", "", g.admin).body
	kept := contents(t, g.backDoor(t))
	places := map[string]string{"answers": told, "the database": kept, "the log": g.log.String()}
	for _, secret := range []string{
		goodPassword, "given by the boss", "27182818284590", made.Badge, strings.TrimPrefix(token[1], "Bearer "),
		strings.TrimPrefix(session[1], "session="), "wrong-password-in-login", "wrong-secret-typed",
	} {
		for place, text := range places {
			if strings.Contains(text, secret) {
				t.Errorf("%q is in %s", secret, place)
			}
		}
	}
	for _, table := range enginetest.Tables(t, g.backDoor(t)) {
		if strings.Contains(table, "once") || strings.Contains(table, "key") && table != "ledger_key" || table == "remembered" {
			if n := count(t, g.backDoor(t), `SELECT COUNT(*) FROM `+table); n != 0 {
				t.Errorf("%d requests with secrets are remembered in %s", n, table)
			}
		}
	}
}

// With https the browser returns a cookie only over https, and only to the host that set it.
func TestSessionCookie(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{false, true} {
		store, database := openStore(t)
		clock := clockwork()
		door, err := access.New(t.Context(), store.(access.Store), access.Options{
			Mode: access.All, Clock: clock, IDs: ident.NewIdentifiers(clock), Pepper: []byte("p"), Cost: cheap, Secure: secure,
		})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(newFace(store, func(c *Config) { c.Access = door }))
		t.Cleanup(server.Close)
		s := &servedShop{Server: server, store: store, database: database}
		code, err := door.SetupCode(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s.must(t, 201, "POST", "/api/setup", fmt.Sprintf(`{"code": %q, "login": "boss", "name": "B", "password": %q}`, code, goodPassword))
		got := s.must(t, 200, "POST", "/api/sign-in", fmt.Sprintf(`{"login": "boss", "password": %q}`, goodPassword))
		cookie, err := http.ParseSetCookie(got.header.Get("Set-Cookie"))
		if err != nil {
			t.Fatal(err)
		}
		name := "session"
		if secure {
			name = "__Host-session"
		}
		if cookie.Name != name || cookie.Secure != secure || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode ||
			cookie.Path != "/" || cookie.Domain != "" || len(cookie.Value) != 43 {
			t.Errorf("with https %v: %v", secure, cookie)
		}
		s.must(t, 200, "GET", "/api/me", "", [2]string{"Cookie", name + "=" + cookie.Value})
		if secure { // another host may have set a cookie without the prefix
			s.must(t, 401, "GET", "/api/me", "", [2]string{"Cookie", "session=" + cookie.Value})
		}
	}
}
