package httpapi

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
)

// TestTheNextRequestKnows changes the conditions of tokens and sessions in a random order. The next request with each of them, and the one
// after that, already follow the change.
func TestTheNextRequestKnows(t *testing.T) {
	t.Parallel()
	const steps = 60
	g := openGuarded(t, access.All)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	logins := []string{"anna", "bea"}
	type person struct {
		token, session, tokenID string
		active, operator        bool
		tokenUntil              time.Time // zero for a token that was revoked
		signedIn, seen          time.Time // zero for a session that ended
	}
	people := map[string]*person{}
	now := func() time.Time { return time.UnixMilli(g.clock.Load()) }
	signIn := func(login string) {
		p := people[login]
		p.session, p.signedIn, p.seen = g.signIn(login, goodPassword)[1], now(), now()
	}
	newToken := func(login string) {
		p := people[login]
		var made struct{ ID, Token string }
		g.reads(g.ask(201, "POST", "/api/users/"+g.users[login]+"/tokens", `{"name": "t", "permissions": ["read"]}`, g.signIn(login, goodPassword)), &made)
		p.token, p.tokenID, p.tokenUntil = "Bearer "+made.Token, made.ID, now().Add(90*24*time.Hour)
	}
	for _, login := range logins {
		g.person(login, "operator")
		people[login] = &person{active: true, operator: true}
		newToken(login)
		signIn(login)
	}
	status := func(method, target string, header [2]string) int {
		t.Helper()
		got, err := g.send(t.Context(), method, target, "", header)
		if err != nil {
			t.Fatal(err)
		}
		return got.status
	}
	told := ""
	expect := func(login string, p *person) {
		t.Helper()
		want := func(what string, wanted int, method string, header [2]string) {
			t.Helper()
			target := "/api/serials/SN-00009"
			if method == "POST" {
				target += "/advance"
			}
			if got := status(method, target, header); got != wanted {
				t.Fatalf("%s: %s with %s's %s is answered %d, want %d", told, method, login, what, got, wanted)
			}
		}
		for range 2 {
			read, work := 401, 401
			if now().Before(p.tokenUntil) {
				read, work = 404, 403
			}
			want("token", read, "GET", [2]string{"Authorization", p.token})
			want("token", work, "POST", [2]string{"Authorization", p.token})
			read, work = 401, 401
			if now().Sub(p.seen) < 8*time.Hour && now().Sub(p.signedIn) < 12*time.Hour {
				read, work = 404, 403
				if p.operator {
					work = 404
				}
				if now().Sub(p.seen) > 5*time.Minute {
					p.seen = now()
				}
			}
			want("session", read, "GET", [2]string{"Cookie", p.session})
			want("session", work, "POST", [2]string{"Cookie", p.session})
		}
	}
	for step := range steps {
		login := logins[random.IntN(len(logins))]
		p, user := people[login], "/api/users/"+g.users[login]
		switch random.IntN(7) {
		case 0:
			told = "revoke"
			g.ask(200, "DELETE", user+"/tokens/"+p.tokenID, "", g.boss())
			p.tokenUntil = time.Time{}
		case 1:
			told = "another token"
			if p.active {
				newToken(login)
			}
		case 2:
			told = "sign out"
			if status("POST", "/api/sign-out", [2]string{"Cookie", p.session}) == 200 {
				p.signedIn = time.Time{}
			}
		case 3:
			told = "sign in"
			if p.active {
				signIn(login)
			}
		case 4:
			p.operator = !p.operator
			role := map[bool]string{true: "operator", false: "viewer"}[p.operator]
			told = "role " + role
			g.ask(200, "PUT", user+"/account", fmt.Sprintf(`{"roles": [%q]}`, role), g.boss())
		case 5:
			p.active = !p.active
			told = fmt.Sprintf("active %t", p.active)
			g.ask(200, "PUT", user, fmt.Sprintf(`{"active": %t}`, p.active), g.admin)
			if !p.active {
				p.tokenUntil, p.signedIn = time.Time{}, time.Time{}
			}
		default:
			minutes := []int{1, 4, 6, 200, 479, 480, 719}[random.IntN(7)]
			told = fmt.Sprintf("%d minutes", minutes)
			g.later(time.Duration(minutes) * time.Minute)
		}
		told = fmt.Sprintf("step %d, %s of %s", step, told, login)
		for _, login := range logins {
			expect(login, people[login])
		}
	}
}
