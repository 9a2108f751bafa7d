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
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// program creates the account of a program and returns its path.
func (g *guarded) program(login string, roles string) string {
	g.t.Helper()
	var user struct{ ID string }
	g.reads(g.ask(201, "POST", "/api/users", fmt.Sprintf(`{"name": "Program %s"}`, login), g.admin), &user)
	g.users[login] = user.ID
	path := "/api/users/" + user.ID
	g.ask(200, "PUT", path+"/account", fmt.Sprintf(`{"login": %q, "roles": %s, "kind": "program"}`, login, roles), g.boss())
	return path
}

// station makes a device a station and returns its cookie as a header.
func (g *guarded) station(name string) [2]string {
	g.t.Helper()
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	boss := g.boss()
	request.Header.Set(boss[0], boss[1])
	request, err := g.door.Admit(request, shop.SignedIn)
	if err != nil {
		g.t.Fatal(err)
	}
	_, cookie, err := g.door.MakeStation(request.Context(), access.MakeStationInput{Name: input.Given(name)})
	if err != nil {
		g.t.Fatal(err)
	}
	return [2]string{"Cookie", cookie.Name + "=" + cookie.Value}
}

// at returns a header with the cookies of a session and a station.
func at(station, session [2]string) [2]string {
	return [2]string{"Cookie", session[1] + "; " + station[1]}
}

// badge creates a badge for a user.
func (g *guarded) badge(login string) string {
	g.t.Helper()
	var made struct{ Badge string }
	g.reads(g.ask(200, "PUT", "/api/users/"+g.users[login]+"/badge", `{}`, g.boss()), &made)
	return made.Badge
}

// atStation signs a user in at a station, with a new badge and their PIN, and returns the session as a header.
func (g *guarded) atStation(login, pin string) [2]string {
	g.t.Helper()
	lathe := g.station("Lathe 2")
	return at(lathe, sessionOf(g.t, g.ask(200, "POST", "/api/sign-in", fmt.Sprintf(`{"badge": %q, "pin": %q}`, g.badge(login), pin), lathe)))
}

// docs/access.md, "Tokens for programs": an administrator creates tokens only for programs, and a person cannot become a program.
func TestTokensOfPersons(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("lena", "lead")
	lena, boss := "/api/users/"+g.users["lena"], g.boss()
	const asked = `{"name": "x", "permissions": ["decide"]}`
	g.refused(403, "Tokens of a person are made by that person", "POST", lena+"/tokens", asked, boss)
	g.refused(400, "kind cannot be changed", "PUT", lena+"/account", `{"kind": "program"}`, boss)
	g.refused(400, "kind must be one of: person, program", "PUT", lena+"/account", `{"kind": "king"}`, boss)
	g.ask(200, "PUT", lena+"/account", `{"kind": "person"}`, boss)
	g.refused(403, "Tokens of a person are made by that person", "POST", lena+"/tokens", asked, boss)
	g.token("lena", g.signIn("lena", goodPassword), `["decide"]`)

	gauge := g.program("gauge", `["operator"]`)
	const only = "A program has tokens and no other secret"
	g.refused(400, only, "PUT", gauge+"/password", `{"password": "given by the boss"}`, boss)
	g.refused(400, only, "PUT", gauge+"/pin", `{"pin": "271828"}`, boss)
	g.refused(400, only, "PUT", gauge+"/badge", `{}`, boss)
	g.refused(400, "kind cannot be changed", "PUT", gauge+"/account", `{"kind": "person"}`, boss)
	g.refused(403, "This needs the permission decide", "POST", gauge+"/tokens", asked, boss)
	token := g.token("gauge", boss, `["work"]`)
	var me struct{ User struct{ Kind string } }
	if g.reads(g.ask(200, "GET", "/api/me", "", token), &me); me.User.Kind != "program" {
		t.Errorf("the program is %q", me.User.Kind)
	}
}

// docs/access.md, "Tokens for programs": the holder of a token, perhaps a stolen one, cannot create credentials that outlive it.
func TestTokensManageNothing(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("anna", "operator", "admin")
	anna, otherUser := "/api/users/"+g.users["anna"], "/api/users/"+g.users["boss"]
	session := g.signIn("anna", goodPassword)
	token, other := g.token("anna", session, `["read", "work", "admin"]`), g.token("anna", session, `["read"]`)
	var listed []struct{ ID string }
	g.reads(g.ask(200, "GET", anna+"/tokens", "", other), &listed)
	const message = "Credentials are managed by people who are signed in"
	for _, request := range [][3]string{
		{"POST", anna + "/tokens", `{"name": "child", "permissions": ["read"]}`},
		{"DELETE", anna + "/tokens/" + listed[1].ID, ""},
		{"PUT", anna + "/badge", `{}`},
		{"PUT", anna + "/pin", fmt.Sprintf(`{"pin": "271828", "password": %q}`, goodPassword)},
		{"PUT", anna + "/password", fmt.Sprintf(`{"password": "five birds on a wire", "oldPassword": %q}`, goodPassword)},
		{"PUT", otherUser + "/password", `{"password": "five birds on a wire"}`},
		{"PUT", otherUser + "/badge", `{}`},
		{"DELETE", otherUser + "/tokens/tok_x", ""},
	} {
		g.refused(403, message, request[0], request[1], request[2], token)
	}
	g.ask(200, "GET", "/api/me", "", other)
	g.ask(200, "DELETE", anna+"/tokens/"+listed[0].ID, "", token)
	g.refused(401, "The token is not valid", "GET", "/api/me", "", token)
	ctx := t.Context()
	if _, _, err := g.door.MakeStation(ctx, access.MakeStationInput{Name: input.Given("Lathe 2")}); err == nil || err.Error() != "Authentication required" {
		t.Errorf("a station of nobody: %v", err)
	}
}

// docs/access.md, "Roles": the last administrator cannot be removed. A program that has the role cannot grant it.
func TestLastAdministrator(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	boss, inactive := "/api/users/"+g.users["boss"], `{"active": false}`
	g.program("robot", `["admin"]`)
	g.person("old", "admin")
	g.ask(200, "PUT", "/api/users/"+g.users["old"], inactive, g.admin)
	const message = "Somebody has to keep the role admin"
	g.refused(400, message, "PUT", boss, inactive, g.admin)
	g.refused(400, message, "PUT", boss+"/account", `{"roles": ["lead"]}`, g.boss())
	g.ask(200, "PUT", boss, `{"active": true, "name": "The same"}`, g.admin)
	g.ask(200, "GET", "/api/me", "", g.admin) // the refused requests ended no session or token

	// If two administrators remove each other's role at the same time, only one succeeds.
	g.person("eve", "admin")
	eve := "/api/users/" + g.users["eve"]
	var all sync.WaitGroup
	var taken atomic.Int64
	identity := g.boss()
	for _, request := range [][2]string{{boss, inactive}, {eve + "/account", `{"roles": []}`}} {
		all.Go(func() {
			if got, err := g.send(t.Context(), "PUT", request[0], request[1], identity); err == nil && got.status == http.StatusOK {
				taken.Add(1)
			}
		})
	}
	all.Wait()
	if taken.Load() != 1 {
		t.Errorf("%d of two administrators were taken away", taken.Load())
	}
}

// docs/access.md, "Stations": a badge signs in only at a station, without permissions to administer, and its session is valid only there.
func TestBadgesWorkAtStations(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("anna", "lead", "admin", "integration")
	anna := "/api/users/" + g.users["anna"]
	g.ask(200, "PUT", anna+"/pin", fmt.Sprintf(`{"pin": "271828", "password": %q}`, goodPassword), g.signIn("anna", goodPassword))
	badge := fmt.Sprintf(`{"badge": %q, "pin": "271828"}`, g.badge("anna"))
	const message = "Badges work at stations"
	for range 6 { // a refusal without a hint about the PIN, which does not count as a wrong attempt
		g.refused(403, message, "POST", "/api/sign-in", badge)
		g.refused(403, message, "POST", "/api/sign-in", badge, [2]string{"Cookie", "station=made-up"})
	}
	lathe, mill := g.station("Lathe 2"), g.station("Mill 1")
	got := g.ask(200, "POST", "/api/sign-in", badge, lathe)
	var signed struct{ Permissions []string }
	if g.reads(got, &signed); strings.Join(signed.Permissions, " ") != "read work decide" {
		t.Errorf("at the station she may %v", signed.Permissions)
	}
	session := sessionOf(t, got)
	g.refused(403, "This needs the permission plan", "POST", "/api/jobs", `{}`, at(lathe, session))
	g.refused(403, "This needs the permission admin", "PUT", anna+"/account", `{}`, at(lathe, session))
	g.refused(400, "name is required", "POST", "/api/jobs", `{}`, at(lathe, g.signIn("anna", goodPassword, lathe))) // with her password she may
	g.ask(200, "GET", "/api/me", "", at(lathe, session))
	for _, elsewhere := range [][2]string{session, at(mill, session), {"Cookie", session[1] + "; station=x"}} {
		g.refused(401, "Authentication required", "GET", "/api/me", "", elsewhere)
	}
	// When a device is no longer a station, its user is signed out.
	stations, err := g.door.Stations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	boss := g.boss()
	request.Header.Set(boss[0], boss[1])
	request, err = g.door.Admit(request, shop.Admin)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.door.RevokeStation(request.Context(), stations[0].ID); err != nil {
		t.Fatal(err)
	}
	g.refused(401, "Authentication required", "GET", "/api/me", "", at(lathe, session))
}

// docs/access.md, "Secrets set by an administrator": users who must replace a secret can do nothing else, whichever secret they signed in
// with, and cannot set another secret first.
func TestReplacingComesFirst(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("anna", "lead", "admin")
	anna, boss := "/api/users/"+g.users["anna"], "/api/users/"+g.users["boss"]
	lathe := g.station("Lathe 2")
	pin := func(pin, proof string) string { return fmt.Sprintf(`{"pin": %q, "password": %q}`, pin, proof) }
	g.ask(200, "PUT", anna+"/pin", pin("271828", goodPassword), g.signIn("anna", goodPassword))
	badge := g.badge("anna")
	withBadge := func(pin string) [2]string {
		return at(lathe, sessionOf(t, g.ask(200, "POST", "/api/sign-in", fmt.Sprintf(`{"badge": %q, "pin": %q}`, badge, pin), lathe)))
	}
	held := func(message string, session [2]string, requests ...[3]string) {
		t.Helper()
		for _, request := range append([][3]string{
			{"GET", "/api/me", ""}, {"GET", "/api/jobs", ""}, {"POST", "/api/signatures", `{}`}, {"PUT", anna + "/badge", `{}`},
			{"POST", anna + "/tokens", `{"name": "x", "permissions": ["read"]}`}, {"GET", anna + "/tokens", ""},
			{"PUT", boss + "/password", `{"password": "five birds on a wire"}`}, {"PUT", boss + "/pin", `{"pin": "271828"}`},
		}, requests...) {
			g.refused(403, message, request[0], request[1], request[2], session)
		}
	}
	g.ask(200, "PUT", anna+"/password", `{"password": "given by the boss"}`, g.boss())
	byPassword, byBadge := g.signIn("anna", "given by the boss"), withBadge("271828")
	for _, session := range [][2]string{byPassword, byBadge} {
		held("Change your password first", session, [3]string{"PUT", anna + "/pin", pin("161803", "given by the boss")})
	}
	g.ask(200, "POST", "/api/sign-out", "", byBadge)
	g.ask(200, "PUT", anna+"/password", fmt.Sprintf(`{"password": %q, "oldPassword": "given by the boss"}`, goodPassword), byPassword)
	g.ask(200, "GET", "/api/me", "", withBadge("271828"))

	g.ask(200, "PUT", anna+"/pin", `{"pin": "314159"}`, g.boss())
	byPassword, byBadge = g.signIn("anna", goodPassword), withBadge("314159")
	for _, session := range [][2]string{byPassword, byBadge} {
		held("Change your PIN first", session, [3]string{"PUT", anna + "/password",
			fmt.Sprintf(`{"password": "five birds on a wire", "oldPassword": %q}`, goodPassword)})
	}
	changed := sessionOf(t, g.ask(200, "PUT", anna+"/pin", pin("161803", goodPassword), byBadge))
	g.ask(200, "GET", "/api/me", "", at(lathe, changed))
	g.ask(200, "GET", "/api/me", "", g.signIn("anna", goodPassword))
}

// docs/access.md, "Secrets set by an administrator": an administrator who sets a lead's secret cannot make signatures in the lead's name,
// even with other accounts.
func TestAccountsAreConfirmed(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	for login, roles := range map[string][]string{"lena": {"lead"}, "quinn": {"quality"}, "olaf": {"operator"}, "shadow": {"lead", "admin"}} {
		g.person(login, roles...)
	}
	confirm := func(login string) string { return "/api/users/" + g.users[login] + "/confirm" }
	const target = "/api/serials/SN-00001/scrap"
	sign := func(login, secret string) (path, body string) {
		return "/api/signatures", fmt.Sprintf(`{"meaning": "review", "operation": "scrap", "target": %q, "bodySha256": %q, %s}`,
			target, access.BodySHA256(nil), secret)
	}
	password := fmt.Sprintf(`"password": %q`, goodPassword)
	const unconfirmed, second = "Your account is not confirmed yet", "A second person has to confirm this account"
	path, body := sign("lena", password)
	lena := g.signIn("lena", goodPassword)
	g.refused(403, unconfirmed, "POST", path, body, lena)

	// The administrator who set the secret, the user herself, a user without the permission and a token cannot confirm.
	quinn := g.signIn("quinn", goodPassword)
	g.refused(401, "Authentication required", "POST", confirm("lena"), "")
	g.refused(403, second, "POST", confirm("lena"), "", g.boss())
	g.refused(403, second, "POST", confirm("lena"), "", lena)
	g.refused(403, "This needs the permission decide", "POST", confirm("lena"), "", g.signIn("olaf", goodPassword))
	g.refused(403, "Credentials are managed by people who are signed in", "POST", confirm("lena"), "", g.token("quinn", quinn, `["decide"]`))
	g.refused(404, "User not found: user_x", "POST", "/api/users/user_x/confirm", "", quinn)
	g.refused(403, unconfirmed, "POST", path, body, lena)
	g.ask(200, "POST", confirm("lena"), "", quinn) // the first, while only the administrator is confirmed
	g.ask(200, "POST", confirm("lena"), "", quinn) // already confirmed
	g.ask(201, "POST", path, body, lena)
	// From now on only users with a confirmed account can confirm others, and a second account of the administrator is not confirmed.
	shadow := g.signIn("shadow", goodPassword)
	g.refused(403, unconfirmed, "POST", confirm("quinn"), "", shadow)
	g.ask(200, "POST", confirm("quinn"), "", lena)

	// A password that she replaces herself stays confirmed, and so does a PIN that she sets with it.
	users := "/api/users/" + g.users["lena"]
	lena = sessionOf(t, g.ask(200, "PUT", users+"/password",
		fmt.Sprintf(`{"password": "five birds on a wire", "oldPassword": %q}`, goodPassword), lena))
	lena = sessionOf(t, g.ask(200, "PUT", users+"/pin", `{"pin": "271828", "password": "five birds on a wire"}`, lena))
	path, body = sign("lena", `"pin": "271828"`)
	g.ask(201, "POST", path, body, lena)

	// The administrator sets PIN and badge, or the password, and then replaces it in her name: that session cannot make signatures.
	g.ask(200, "PUT", users+"/password", `{"password": "given by the boss"}`, g.boss())
	path, body = sign("lena", `"password": "given by the boss"`)
	taken := g.signIn("lena", "given by the boss")
	g.refused(403, "Change your password first", "POST", path, body, taken)
	g.refused(400, "lena has to replace the password or the PIN first", "POST", confirm("lena"), "", quinn)
	taken = sessionOf(t, g.ask(200, "PUT", users+"/password", fmt.Sprintf(`{"password": %q, "oldPassword": "given by the boss"}`, goodPassword), taken))
	path, body = sign("lena", password)
	g.refused(403, unconfirmed, "POST", path, body, taken)
	taken = sessionOf(t, g.ask(200, "PUT", users+"/pin", fmt.Sprintf(`{"pin": "161803", "password": %q}`, goodPassword), taken))
	path, body = sign("lena", `"pin": "161803"`)
	g.refused(403, unconfirmed, "POST", path, body, taken)
	g.refused(403, second, "POST", confirm("lena"), "", g.boss())
	g.refused(403, unconfirmed, "POST", confirm("lena"), "", shadow)
	g.ask(200, "PUT", users, `{"name": "Another name"}`, g.admin) // a change of the name confirms nothing
	g.refused(403, unconfirmed, "POST", path, body, taken)
	trail := g.ask(200, "GET", "/api/audit?limit=1000", "", g.admin).body
	if n := strings.Count(trail, `"account_confirmed"`); n != 2 {
		t.Errorf("%d confirmations are in the trail", n)
	}
}

// docs/access.md, "Passwords, PINs, sessions": changes that outlive the session need a secret that was given within five minutes. A session
// by badge cannot give one.
func TestConfirmFirst(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("anna", "lead")
	anna, boss := "/api/users/"+g.users["anna"], "/api/users/"+g.users["boss"]
	const message = "Confirm that it is you"
	session := g.boss()
	requests := [][3]string{
		{"POST", boss + "/tokens", `{"name": "x", "permissions": ["read"]}`}, {"PUT", boss + "/badge", `{}`}, {"PUT", anna + "/badge", `{}`},
		{"PUT", anna + "/account", `{"roles": ["lead", "admin"]}`}, {"PUT", anna + "/password", `{"password": "five birds on a wire"}`},
		{"PUT", anna + "/pin", `{"pin": "271828"}`}, {"PUT", "/api/settings/signatures", `{"scrap": "self"}`},
		{"PUT", "/api/settings/access", `{"secondFactor": []}`},
	}
	stale := func(session [2]string) {
		t.Helper()
		for _, request := range requests {
			g.refused(403, message, request[0], request[1], request[2], session)
		}
	}
	token := g.token("boss", session, `["read", "admin"]`)
	for _, request := range requests[3:4] { // a token is never confirmed
		g.refused(403, message, request[0], request[1], request[2], token)
	}
	g.refused(403, message, "PUT", "/api/settings/signatures", `{"scrap": "self"}`, token)
	g.refused(403, message, "PUT", "/api/settings/access", `{"secondFactor": []}`, token)
	g.refused(403, "Credentials are managed by people who are signed in", "POST", "/api/me/confirm", fmt.Sprintf(`{"password": %q}`, goodPassword), token)

	g.later(5 * time.Minute)
	stale(session)
	g.refused(400, "password is required", "POST", "/api/me/confirm", `{}`, session)
	g.refused(401, "The login or the password is not valid", "POST", "/api/me/confirm", `{"password": "wrong"}`, session)
	g.refused(401, "The login or the password is not valid", "POST", "/api/me/confirm", `{"pin": "271828"}`, session) // she has no PIN
	g.refused(401, "Authentication required", "POST", "/api/me/confirm", `{}`)
	stale(session)
	g.ask(200, "POST", "/api/me/confirm", fmt.Sprintf(`{"password": %q}`, goodPassword), session)
	for _, request := range requests {
		if got, err := g.send(t.Context(), request[0], request[1], request[2], session); err != nil || got.status >= 300 {
			t.Errorf("%s %s: %d %s, %v", request[0], request[1], got.status, got.body, err)
		}
	}
	g.later(5*time.Minute - time.Second)
	g.ask(200, "PUT", boss+"/badge", `{}`, session)
	g.later(time.Second)
	stale(session)
	for range 5 {
		g.refused(401, "The login or the password is not valid", "POST", "/api/me/confirm", `{"password": "wrong"}`, session)
	}
	g.refused(429, "Too many wrong attempts. Try again in 15 minutes", "POST", "/api/me/confirm", fmt.Sprintf(`{"password": %q}`, goodPassword), session)
	g.later(16 * time.Minute)

	g.person("bea", "lead", "admin")
	bea := "/api/users/" + g.users["bea"]
	g.ask(200, "PUT", bea+"/pin", fmt.Sprintf(`{"pin": "271828", "password": %q}`, goodPassword), g.signIn("bea", goodPassword))
	badge := g.atStation("bea", "271828")
	for _, secret := range []string{`{"pin": "271828"}`, fmt.Sprintf(`{"password": %q}`, goodPassword)} {
		g.refused(403, message, "POST", "/api/me/confirm", secret, badge)
	}
	g.refused(403, message, "POST", bea+"/tokens", `{"name": "x", "permissions": ["read"]}`, badge)
	g.refused(403, message, "PUT", bea+"/badge", `{}`, badge)
}

// docs/access.md, "Names in requests": callers who may act for others must name an existing user, and pages accept no name.
func TestActingForSomebody(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("gateway", "integration", "quality")
	g.person("anna", "operator")
	g.person("gone", "operator")
	g.ask(200, "PUT", "/api/users/"+g.users["gone"], `{"active": false}`, g.admin)
	gateway := g.token("gateway", g.signIn("gateway", goodPassword), `["read", "work", "decide", "plan", "act-for"]`)
	for _, name := range []string{"Anna", "nobody", "Name of anna", g.users["anna"], "gone", "anna, gone"} {
		g.refused(400, "changedBy is nobody's login: "+name, "POST", "/api/jobs", fmt.Sprintf(`{"name": "j", "goalQuantity": 1, "changedBy": %q}`, name), gateway)
	}
	var job, path struct{ ID string }
	g.reads(g.ask(201, "POST", "/api/jobs", `{"name": "j", "goalQuantity": 1, "changedBy": "anna"}`, gateway), &job)
	g.reads(g.ask(201, "POST", "/api/paths", fmt.Sprintf(`{"jobId": %q, "name": "p", "goalQuantity": 1, "steps": [{"name": "A"}, {"name": "B"}]}`,
		job.ID), gateway), &path)
	g.refused(400, "userId is nobody's login: gone", "POST", "/api/serials",
		fmt.Sprintf(`{"jobId": %q, "pathId": %q, "quantity": 1, "userId": "gone"}`, job.ID, path.ID), gateway)
	g.ask(201, "POST", "/api/serials", fmt.Sprintf(`{"jobId": %q, "pathId": %q, "quantity": 1, "userId": "anna"}`, job.ID, path.ID), gateway)
	g.refused(400, "userId is nobody's login: gone", "POST", "/api/serials/SN-00001/advance", `{"userId": "gone"}`, gateway)
	g.ask(200, "POST", "/api/serials/SN-00001/advance", `{"userId": "gateway"}`, gateway)
	g.refused(403, "userId must be anna: you may not act for others", "POST", "/api/serials/SN-00001/advance", `{"userId": "gone"}`, g.signIn("anna", goodPassword))
}
