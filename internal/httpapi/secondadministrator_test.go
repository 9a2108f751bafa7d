package httpapi

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/passkeytest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// openTwoAdministrators returns a shop in which changes of accounts need a second administrator. Boss and Ada are administrators, Lena is a
// lead, Olaf an operator, and all of them are confirmed. The machine is a program's account.
func openTwoAdministrators(t *testing.T) *signingShop {
	t.Helper()
	s := &signingShop{guarded: openGuarded(t, access.All), tokens: map[string][2]string{}}
	s.person("ada", "admin")
	s.person("lena", "lead")
	s.person("olaf", "operator")
	s.confirm("ada", "lena")
	s.confirm("lena", "ada")
	s.confirm("olaf", "ada")
	s.program("machine", `["operator"]`)
	for login, permissions := range map[string]string{"ada": `["read", "admin"]`, "lena": `["read", "decide"]`} {
		s.tokens[login] = s.token(login, s.signIn(login, goodPassword), permissions)
	}
	s.tokens["boss"], s.tokens["anna"] = s.admin, s.admin
	s.ask(200, "PUT", "/api/settings/signatures", `{"accounts": "second"}`, s.boss())
	return s
}

// secondSigned are the routes whose changes may need the signature of a second administrator. Each has a request of Boss and a function
// that reports whether it was done.
var secondSigned = map[string]func(s *signingShop) (target, body string, done func() bool){
	"PUT /api/users/{id}/account": func(s *signingShop) (string, string, func() bool) {
		return "/api/users/" + s.users["olaf"] + "/account", `{"roles": ["lead"]}`, func() bool { return s.has("olaf", "lead") }
	},
	"PUT /api/users/{id}/password": func(s *signingShop) (string, string, func() bool) {
		return "/api/users/" + s.users["olaf"] + "/password", `{"password": "given by the boss"}`, func() bool {
			return s.told("secret_changed", s.users["olaf"])
		}
	},
	"PUT /api/users/{id}/pin": func(s *signingShop) (string, string, func() bool) {
		return "/api/users/" + s.users["lena"] + "/pin", `{"pin": "271828"}`, func() bool { return s.told("secret_changed", `"kind":"pin"`) }
	},
	"PUT /api/users/{id}/badge": func(s *signingShop) (string, string, func() bool) {
		return "/api/users/" + s.users["lena"] + "/badge", `{}`, func() bool { return s.told("secret_changed", `"kind":"badge"`) }
	},
	"POST /api/users/{id}/tokens": func(s *signingShop) (string, string, func() bool) {
		return "/api/users/" + s.users["machine"] + "/tokens", `{"name": "child", "permissions": ["read"]}`, func() bool {
			return s.told("token_created", `"name":"child"`)
		}
	},
	"PUT /api/users/{id}": func(s *signingShop) (string, string, func() bool) {
		return "/api/users/" + s.users["olaf"], `{"name": "Name of another"}`, func() bool { return s.told("user_changed", "Name of another") }
	},
	"PUT /api/settings/access": func(s *signingShop) (string, string, func() bool) {
		return "/api/settings/access", `{"secondFactor": ["quality"]}`, func() bool { return s.told("access_policy_changed", "quality") }
	},
	"PUT /api/settings/signatures": func(s *signingShop) (string, string, func() bool) {
		return "/api/settings/signatures", `{"scrap": "self"}`, func() bool { return s.told("signature_policy_changed", `"scrap"`) }
	},
	"DELETE /api/users/{id}/second-factors": func(s *signingShop) (string, string, func() bool) {
		ada := s.signIn("ada", goodPassword)
		var made struct{ Secret string }
		s.reads(s.ask(201, "POST", "/api/me/one-time-codes", `{}`, ada), &made)
		s.ask(200, "POST", "/api/me/one-time-codes/confirm", fmt.Sprintf(`{"code": %q}`, passkeytest.Code(s.t, made.Secret, time.UnixMilli(s.clock.Load()))), ada)
		return "/api/users/" + s.users["ada"] + "/second-factors", `{}`, func() bool { return s.told("secret_changed", `"removed":true`) }
	},
	"POST /api/users/{id}/confirm": func(s *signingShop) (string, string, func() bool) {
		s.ask(200, "PUT", "/api/users/"+s.users["olaf"]+"/password", `{"password": "given by ada"}`, s.signIn("ada", goodPassword),
			signedWith(s.ticket("boss", shop.SignAccounts, "/api/users/"+s.users["olaf"]+"/password", `{"password": "given by ada"}`)))
		s.ask(200, "PUT", "/api/users/"+s.users["olaf"]+"/password",
			fmt.Sprintf(`{"password": %q, "oldPassword": "given by ada"}`, goodPassword), s.signIn("olaf", "given by ada"))
		return "/api/users/" + s.users["olaf"] + "/confirm", `{}`, func() bool {
			unconfirmed, err := s.door.UnconfirmedUsers(s.t.Context())
			return err == nil && len(unconfirmed) == 0
		}
	},
}

func (s *signingShop) has(login, role string) bool {
	var user struct{ Roles []string }
	s.reads(s.ask(200, "GET", "/api/users/"+s.users[login], "", s.admin), &user)
	return slices.Contains(user.Roles, role)
}

// told reports whether the last entry of an action with this text in its metadata was written after the policy was set.
func (s *signingShop) told(action, text string) bool {
	set := false
	for _, entry := range s.trail() {
		metadata := string(entry["metadata"])
		if set && string(entry["action"]) == `"`+action+`"` && strings.Contains(metadata, text) {
			return true
		}
		set = set || strings.Contains(metadata, `"after":{"accounts":"second"}`)
	}
	return false
}

// TestSecondAdministrator (docs/signatures.md, "A second administrator"): under the policy, one administrator alone cannot change accounts,
// secrets of other users or policies. The ticket of a second one is valid for one change, once.
func TestSecondAdministrator(t *testing.T) {
	t.Parallel()
	for _, pattern := range slices.Sorted(maps.Keys(secondSigned)) {
		t.Run(pattern, func(t *testing.T) {
			t.Parallel()
			s := openTwoAdministrators(t)
			method, _, _ := strings.Cut(pattern, " ")
			target, body, done := secondSigned[pattern](s)
			const wanting, invalid = "This needs the signature of a second person", "The signature ticket is not valid for this request"
			refused := func(what, message string, header ...[2]string) {
				t.Helper()
				if got := s.refused(403, message, method, target, body, append(header, s.boss())...); done() {
					t.Errorf("%s: it is done: %s", what, got.body)
				}
			}
			refused("unsigned", wanting)
			refused("signed by whoever asks", wanting, signedWith(s.ticket("boss", shop.SignAccounts, target, body)))
			refused("for another body", invalid, signedWith(s.ticket("ada", shop.SignAccounts, target, `{"roles": ["viewer"]}`)))
			refused("for another address", invalid, signedWith(s.ticket("ada", shop.SignAccounts, target+"x", body)))
			refused("made up", invalid, signedWith("AAAA"))
			s.refused(403, "This needs the permission admin", "POST", "/api/signatures", fmt.Sprintf(
				`{"meaning": "approval", "operation": "accounts", "target": %q, "bodySha256": %q, "password": %q}`, target,
				canonicalSHA256(t, body), goodPassword), s.tokens["lena"])
			late := s.ticket("ada", shop.SignAccounts, target, body)
			s.later(shop.TicketLife)
			refused("too late", invalid, signedWith(late))

			ticket := s.ticket("ada", shop.SignAccounts, target, body)
			if got, err := s.send(t.Context(), method, target, body, s.boss(), signedWith(ticket)); err != nil || got.status >= 300 || !done() {
				t.Fatalf("signed: %v, %d %s, done: %t", err, got.status, got.body, done())
			}
			var signed []string
			for _, entry := range s.recorded() {
				signed = append(signed, entry.UserID)
			}
			if len(signed) == 0 || signed[len(signed)-1] != "ada" {
				t.Errorf("signed by %v", signed)
			}
			if found := s.recordsFound(); len(found) > 0 {
				t.Errorf("the check finds %q", found)
			}
		})
	}
}

// Changes that withdraw access need no signature, so that one administrator can lock a user out immediately. Neither do changes of a user's
// own account.
func TestOneAdministratorIsEnough(t *testing.T) {
	t.Parallel()
	s := openTwoAdministrators(t)
	olaf, machine := "/api/users/"+s.users["olaf"], "/api/users/"+s.users["machine"]
	s.ask(200, "PUT", olaf+"/password", fmt.Sprintf(`{"password": "five birds on a wire", "oldPassword": %q}`, goodPassword),
		s.signIn("olaf", goodPassword))
	session := s.signIn("olaf", "five birds on a wire")
	s.ask(200, "PUT", olaf+"/pin", `{"pin": "271828", "password": "five birds on a wire"}`, session)
	session = s.signIn("olaf", "five birds on a wire")
	s.ask(200, "PUT", olaf+"/badge", `{}`, session)
	s.token("olaf", session, `["read"]`)
	var made struct{ ID string }
	s.reads(s.ask(201, "POST", machine+"/tokens", `{"name": "x", "permissions": ["read"]}`, s.boss(),
		signedWith(s.ticket("ada", shop.SignAccounts, machine+"/tokens", `{"name": "x", "permissions": ["read"]}`))), &made)
	s.ask(200, "DELETE", machine+"/tokens/"+made.ID, "", s.boss())
	s.ask(200, "PUT", olaf, `{"department": "Turning"}`, s.admin)
	s.ask(200, "PUT", olaf, `{"active": false}`, s.admin)
	s.refused(403, "This needs the signature of a second person", "PUT", olaf, `{"active": true}`, s.admin)
	var newcomer struct{ ID string }
	s.reads(s.ask(201, "POST", "/api/users", `{"name": "New"}`, s.admin), &newcomer)
	s.ask(200, "PUT", "/api/users/"+newcomer.ID, `{"name": "Newer"}`, s.admin) // without a login it is not an account
	if found := s.recordsFound(); len(found) > 0 {
		t.Errorf("the check finds %q", found)
	}
}

// The policy itself: which values it accepts, that it cannot be set while no second administrator could withdraw it, and that one
// administrator alone cannot withdraw it.
func TestDemandForASecondAdministrator(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	const settings, few = "/api/settings/signatures", "accounts needs two administrators who can sign"
	demand := `{"accounts": "second"}`
	g.refused(400, "accounts must be one of: none, second", "PUT", settings, `{"accounts": "self"}`, g.boss())
	g.refused(400, few, "PUT", settings, demand, g.boss())
	g.person("ada", "admin")
	g.refused(400, few, "PUT", settings, demand, g.boss()) // Ada cannot sign yet
	g.person("lena", "lead")
	g.confirm("ada", "lena")
	g.ask(200, "PUT", "/api/users/"+g.users["ada"], `{"active": false}`, g.admin)
	g.refused(400, few, "PUT", settings, demand, g.boss())
	g.ask(200, "PUT", "/api/users/"+g.users["ada"], `{"active": true}`, g.admin)
	g.ask(200, "PUT", settings, demand, g.boss())
	g.refused(403, "This needs the signature of a second person", "PUT", settings, `{"accounts": "none"}`, g.boss())
	// Two administrators together withdraw it, and that takes effect immediately.
	s := &signingShop{guarded: g, tokens: map[string][2]string{"ada": g.token("ada", g.signIn("ada", goodPassword), `["read", "admin"]`)}}
	ticket := s.ticket("ada", shop.SignAccounts, settings, `{"accounts": "none"}`)
	g.ask(200, "PUT", settings, `{"accounts": "none"}`, g.boss(), signedWith(ticket))
	g.ask(200, "PUT", "/api/users/"+g.users["lena"]+"/account", `{"roles": ["admin"]}`, g.boss())
}

// A person with the permission to decide confirms an account with the ticket of an administrator. The owner of the account cannot sign
// that.
func TestLeadConfirmsWithAnAdministrator(t *testing.T) {
	t.Parallel()
	s := openTwoAdministrators(t)
	ada := "/api/users/" + s.users["ada"]
	s.ask(200, "PUT", ada+"/pin", `{"pin": "271828"}`, s.boss(), signedWith(s.ticket("ada", shop.SignAccounts, ada+"/pin", `{"pin": "271828"}`)))
	session := s.signIn("ada", goodPassword)
	s.ask(200, "PUT", ada+"/pin", fmt.Sprintf(`{"pin": "314159", "password": %q}`, goodPassword), session)
	s.ask(200, "PUT", ada+"/pin", fmt.Sprintf(`{"pin": "271829", "password": %q}`, goodPassword), s.signIn("ada", goodPassword))
	if unconfirmed, err := s.door.UnconfirmedUsers(t.Context()); err != nil || len(unconfirmed) > 0 { // proved by her own password
		t.Fatal(unconfirmed, err)
	}
	olaf := "/api/users/" + s.users["olaf"]
	s.ask(200, "PUT", olaf+"/password", `{"password": "given by ada"}`, s.signIn("ada", goodPassword),
		signedWith(s.ticket("boss", shop.SignAccounts, olaf+"/password", `{"password": "given by ada"}`)))
	s.ask(200, "PUT", olaf+"/password", fmt.Sprintf(`{"password": %q, "oldPassword": "given by ada"}`, goodPassword), s.signIn("olaf", "given by ada"))
	lena := s.signIn("lena", goodPassword)
	s.refused(403, "This needs the signature of a second person", "POST", olaf+"/confirm", `{}`, lena)
	s.ask(200, "POST", olaf+"/confirm", `{}`, lena, signedWith(s.ticket("boss", shop.SignAccounts, olaf+"/confirm", `{}`)))
}

// A first sign-in, which is possible when no administrator is active, clears the policy: there is no second administrator.
func TestFirstSignInEndsTheDemand(t *testing.T) {
	t.Parallel()
	s := openTwoAdministrators(t)
	open := newFace(s.store, func(c *Config) { // started without --auth, as the document on being locked out says
		clock := func() time.Time { return time.UnixMilli(s.clock.Load()) }
		c.Service = shop.New(s.store, clock, ident.NewIdentifiers(clock))
	})
	for _, login := range []string{"boss", "ada"} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), "PUT", "/api/users/"+s.users[login], strings.NewReader(`{"active": false}`))
		r.Header.Set("Content-Type", "application/json")
		if open.ServeHTTP(w, r); w.Code != http.StatusOK {
			t.Fatal(w.Code, w.Body)
		}
	}
	code, err := s.door.SetupCode(t.Context())
	if err != nil || code == "" {
		t.Fatal(code, err)
	}
	var made struct{ ID string }
	s.reads(s.ask(201, "POST", "/api/setup", fmt.Sprintf(`{"code": %q, "login": "eve", "name": "Eve", "password": %q}`, code, goodPassword)), &made)
	s.users["eve"] = made.ID
	eve := s.signIn("eve", goodPassword)
	s.ask(200, "PUT", "/api/users/"+s.users["ada"], `{"active": true}`, eve)
	if got := s.ask(200, "GET", "/api/settings/signatures", "", eve); !strings.Contains(got.body, `"accounts":"none"`) {
		t.Errorf("the policy: %s", got.body)
	}
	s.tokens["anna"] = s.token("eve", eve, `["read"]`)
	if !s.told("signature_policy_changed", `"after":{"accounts":"none"}`) {
		t.Error("the trail does not tell")
	}
	if found := s.recordsFound(); len(found) > 0 {
		t.Errorf("the check finds %q", found)
	}
}

// An administrator who may act for others cannot be their own second administrator by naming another person.
func TestActingForOthersIsNoSecondAdministrator(t *testing.T) {
	t.Parallel()
	s := openTwoAdministrators(t)
	account, both := "/api/users/"+s.users["boss"]+"/account", `{"roles": ["admin", "integration"]}`
	s.ask(200, "PUT", account, both, s.boss(), signedWith(s.ticket("ada", shop.SignAccounts, account, both)))
	target, body := "/api/users/"+s.users["olaf"], `{"name": "Name of another", "changedBy": "ada"}`
	s.refused(403, "This needs the signature of a second person", "PUT", target, body, s.boss(),
		signedWith(s.ticket("boss", shop.SignAccounts, target, body)))
	s.ask(200, "PUT", target, body, s.boss(), signedWith(s.ticket("ada", shop.SignAccounts, target, body)))
}
