package httpapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/passkeytest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// passkeyOrigin is the origin at which users reach the service of the tests.
const passkeyOrigin = "https://routecard.example.com"

// options requests the options for an authenticator. It returns them and the cookie, if any, that binds the response to the browser.
func (g *guarded) options(target, body string, header ...[2]string) (asked []byte, cookie [2]string) {
	g.t.Helper()
	got := g.ask(200, "POST", target, body, header...)
	if got.header.Get("Set-Cookie") != "" {
		cookie = sessionOf(g.t, got)
	}
	return []byte(got.body), cookie
}

// A user whose role needs a second factor registers a passkey, uses it after the password, and signs in with it alone.
func TestPasskeys(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("lena", "lead")
	phone := passkeytest.New(t, passkeyOrigin)
	var policy access.Policy
	boss := g.boss()
	g.refused(400, "secondFactor[0] must be one of: viewer, operator, quality, lead, planner, admin, integration",
		"PUT", "/api/settings/access", `{"secondFactor": ["boss"]}`, boss)
	g.reads(g.ask(200, "PUT", "/api/settings/access", `{"secondFactor": ["lead", "quality", "lead"]}`, boss), &policy)
	if !slices.Equal(policy.SecondFactor, []string{"quality", "lead"}) {
		t.Errorf("%v", policy)
	}
	g.reads(g.ask(200, "PUT", "/api/settings/access", `{}`, boss), &policy)
	if !slices.Equal(policy.SecondFactor, []string{"quality", "lead"}) {
		t.Errorf("%v", policy)
	}
	g.reads(g.ask(200, "PUT", "/api/settings/access", `{"secondFactor": ["admin", "lead"]}`, boss), &policy)
	if !slices.Equal(policy.SecondFactor, []string{"lead", "admin"}) {
		t.Errorf("%v", policy)
	}

	var as access.SignedInAs
	got := g.ask(200, "POST", "/api/sign-in", fmt.Sprintf(`{"login": "lena", "password": %q}`, goodPassword))
	g.reads(got, &as)
	session := sessionOf(t, got)
	if as.SecondFactor != access.SetUpSecond || len(as.Permissions) > 0 {
		t.Errorf("%+v", as)
	}
	const setUp = "Set up a second factor first"
	g.refused(403, setUp, "GET", "/api/jobs", "", session)
	g.refused(403, setUp, "POST", "/api/users/"+g.users["lena"]+"/tokens", `{"name": "x", "permissions": ["plan"]}`, session)
	g.refused(403, setUp, "PUT", "/api/users/"+g.users["lena"]+"/pin", `{"pin": "271828"}`, session)
	g.ask(200, "GET", "/api/me", "", session)
	asked, _ := g.options("/api/me/passkeys/options", `{}`, session)
	g.refused(400, "name is required", "POST", "/api/me/passkeys", `{}`, session)
	g.refused(400, "passkey is required", "POST", "/api/me/passkeys", `{"name": "Phone"}`, session)
	g.refused(400, "passkey must be an object", "POST", "/api/me/passkeys", `{"name": "Phone", "passkey": "x"}`, session)
	var made access.Passkey
	g.reads(g.ask(201, "POST", "/api/me/passkeys", fmt.Sprintf(`{"name": "Phone", "passkey": %s}`, phone.Create(asked)), session), &made)
	g.ask(200, "GET", "/api/jobs", "", session)
	g.refused(400, "Your role needs a second factor: set up another one first", "DELETE", "/api/me/passkeys/"+made.ID, `{}`, session)
	g.refused(404, "Passkey not found: pky_x", "DELETE", "/api/me/passkeys/pky_x", `{}`, session)

	half := g.signIn("lena", goodPassword)
	const give = "Give your second factor first"
	g.refused(403, give, "GET", "/api/jobs", "", half)
	g.refused(403, give, "POST", "/api/me/passkeys/options", fmt.Sprintf(`{"password": %q}`, goodPassword), half)
	g.refused(403, give, "PUT", "/api/users/"+g.users["lena"]+"/password", `{"password": "another of theirs"}`, half)
	asked, _ = g.options("/api/sign-in/second/options", `{}`, half)
	whole := sessionOf(t, g.ask(200, "POST", "/api/sign-in/second", fmt.Sprintf(`{"passkey": %s}`, phone.Get(asked)), half))
	g.ask(200, "GET", "/api/jobs", "", whole)
	g.refused(401, "Authentication required", "GET", "/api/jobs", "", half) // the second factor opened a new session

	asked, browser := g.options("/api/sign-in/passkey/options", `{}`)
	answer := fmt.Sprintf(`{"passkey": %s}`, phone.Get(asked))
	g.refused(400, "passkey is required", "POST", "/api/sign-in/passkey", `{}`, browser)
	g.refused(401, "This sign-in was not begun in this browser, or too long ago. Sign in again", "POST", "/api/sign-in/passkey", answer)
	alone := sessionOf(t, g.ask(200, "POST", "/api/sign-in/passkey", answer, browser))
	g.ask(200, "GET", "/api/jobs", "", alone)
	g.refused(401, "The passkey is not valid", "POST", "/api/sign-in/passkey", answer, browser)
	g.refused(400, "This sign-in needs no second factor", "POST", "/api/sign-in/second", `{"code": "000000"}`, alone)

	// The administrator's token can read but cannot change factors. A session can, once the administrator has a factor.
	g.refused(403, "Set up a second factor first", "DELETE", "/api/users/"+g.users["lena"]+"/second-factors", `{}`, g.admin)
	boss = g.boss()
	var secret access.NewOneTimeCodes
	g.reads(g.ask(201, "POST", "/api/me/one-time-codes", `{}`, boss), &secret)
	now := func() time.Time { return time.UnixMilli(g.clock.Load()) }
	g.refused(401, "The code is not valid", "POST", "/api/me/one-time-codes/confirm", `{"code": "000000"}`, boss)
	var codes access.RecoveryCodes
	g.reads(g.ask(200, "POST", "/api/me/one-time-codes/confirm", fmt.Sprintf(`{"code": %q}`, passkeytest.Code(t, secret.Secret, now())), boss), &codes)
	g.reads(g.ask(201, "POST", "/api/me/recovery-codes", `{}`, boss), &codes)
	g.refused(400, "Your role needs a second factor: set up another one first", "DELETE", "/api/me/one-time-codes", `{}`, boss)
	g.later(6 * time.Minute)
	g.refused(403, "Confirm that it is you", "DELETE", "/api/users/"+g.users["lena"]+"/second-factors", `{}`, boss)
	confirmed := fmt.Sprintf(`{"password": %q}`, goodPassword)
	g.refused(404, "User not found: user_x", "DELETE", "/api/users/user_x/second-factors", confirmed, boss)
	g.ask(200, "DELETE", "/api/users/"+g.users["lena"]+"/second-factors", confirmed, boss)
	g.refused(401, "Authentication required", "GET", "/api/jobs", "", whole)
	var factors access.SecondFactors
	g.reads(g.ask(200, "GET", "/api/users/"+g.users["lena"]+"/second-factors", "", g.admin), &factors)
	if !factors.Required || len(factors.Passkeys) > 0 || factors.OneTimeCodes {
		t.Errorf("%+v", factors)
	}
	g.reads(g.ask(200, "GET", "/api/me/second-factors", "", boss), &factors)
	if !factors.OneTimeCodes || factors.RecoveryCodes != 10 {
		t.Errorf("%+v", factors)
	}
	half = g.signIn("boss", goodPassword)
	g.ask(200, "POST", "/api/sign-in/second", fmt.Sprintf(`{"code": %q}`, codes.RecoveryCodes[9]), half)
	half = g.signIn("boss", goodPassword)
	for range 5 {
		g.refused(401, "The code is not valid", "POST", "/api/sign-in/second", fmt.Sprintf(`{"code": %q}`, codes.RecoveryCodes[9]), half)
		half = g.signIn("boss", goodPassword) // the right password does not reset the attempts at the code
	}
	g.refused(429, "Too many wrong attempts. Try again in 15 minutes", "POST", "/api/sign-in/second",
		fmt.Sprintf(`{"code": %q}`, passkeytest.Code(t, secret.Secret, now())), half)

	g.ask(200, "PUT", "/api/settings/access", `{"secondFactor": []}`, boss)
	var entries []trail.Entry
	g.reads(g.ask(200, "GET", "/api/audit?limit=1", "", g.admin), &entries)
	if entries[0].Action != shop.ActionAccessPolicyChanged || entries[0].UserID != "boss" ||
		string(entries[0].Metadata) != `{"before":{"secondFactor":["lead","admin"]},"after":{"secondFactor":[]}}` {
		t.Errorf("%+v %s", entries[0], entries[0].Metadata)
	}
	trail := g.ask(200, "GET", "/api/audit?limit=1000", "", g.admin).body
	for _, text := range append(codes.RecoveryCodes, secret.Secret, strings.ReplaceAll(codes.RecoveryCodes[0], "-", "")) {
		if strings.Contains(trail, text) || strings.Contains(g.log.String(), text) {
			t.Errorf("the trail or the log has %q", text)
		}
	}
}

// A ticket can be obtained with a passkey as with a password, and the trail records which.
func TestPasskeySignature(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignScrap, shop.SignedBySelf)
	phone := passkeytest.New(t, passkeyOrigin)
	session := s.signIn("anna", goodPassword)
	asked, _ := s.options("/api/me/passkeys/options", `{}`, session)
	s.ask(201, "POST", "/api/me/passkeys", fmt.Sprintf(`{"name": "Phone", "passkey": %s}`, phone.Create(asked)), session)
	unit := s.unit(s.path)
	target := "/api/serials/" + unit + "/scrap"
	const scrap = `{"reason": "damaged"}`
	what := fmt.Sprintf(`"meaning": "review", "operation": "scrap", "target": %q, "bodySha256": %q`, target, access.BodySHA256([]byte(scrap)))
	s.refused(400, "meaning is required", "POST", "/api/signatures/options", `{}`, session)
	asked, _ = s.options("/api/signatures/options", "{"+what+"}", s.tokens["anna"])
	body := fmt.Sprintf(`{%s, "passkey": %s}`, what, phone.Get(asked))
	s.refused(401, "The passkey is not valid", "POST", "/api/signatures", body, session) // the options were requested with the token
	asked, _ = s.options("/api/signatures/options", "{"+what+"}", s.tokens["anna"])
	body = fmt.Sprintf(`{%s, "passkey": %s}`, what, phone.Get(asked))
	var ticket access.Ticket
	s.reads(s.ask(201, "POST", "/api/signatures", body, s.tokens["anna"]), &ticket)
	s.refused(401, "The passkey is not valid", "POST", "/api/signatures", body, s.tokens["anna"])
	s.must(t, 200, "POST", target, scrap, s.tokens["anna"], signedWith(ticket.Ticket))
	var signatures []shop.Signature
	s.reads(s.ask(200, "GET", "/api/serials/"+unit+"/signatures", "", s.tokens["anna"]), &signatures)
	if len(signatures) != 1 {
		t.Fatalf("%+v", signatures)
	}
	told, err := json.Marshal(signatures[0])
	if err != nil || !strings.Contains(string(told), `"method":"passkey"`) {
		t.Errorf("%s, %v", told, err)
	}
}
