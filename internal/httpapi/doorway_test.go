package httpapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/remote"
	"github.com/routecard/routecard/shop/input"
)

// behindProxy returns a shop whose clients connect through a proxy on this machine. X-Forwarded-For gives the address of a request.
func behindProxy(t *testing.T) *guarded {
	t.Helper()
	g := openGuarded(t, access.All)
	proxies, err := remote.ParseProxies([]string{"127.0.0.1", "10.0.0.0/24"})
	if err != nil {
		t.Fatal(err)
	}
	face := g.Config.Handler.(*Server)
	face.config.Proxies = proxies
	return g
}

func from(address string) [2]string { return [2]string{"X-Forwarded-For", address} }

func attempt(login, password string) string {
	return fmt.Sprintf(`{"login": %q, "password": %q}`, login, password)
}

const (
	wrongSecret = "The login or the password is not valid"
	tooMany     = "Too many wrong attempts. Try again in %d minutes"
)

// docs/access.md, "Wrong attempts": an attacker locks an account for their own address only: not for another address, a session or a
// station.
func TestNobodyIsLockedOutFromElsewhere(t *testing.T) {
	t.Parallel()
	g := behindProxy(t)
	g.person("anna", "lead")
	anna := g.signIn("anna", goodPassword, from("203.0.113.7"))
	for range 5 {
		g.refused(401, wrongSecret, "POST", "/api/sign-in", attempt("anna", "wrong"), from("192.0.2.66"))
	}
	g.refused(429, fmt.Sprintf(tooMany, 15), "POST", "/api/sign-in", attempt("anna", goodPassword), from("192.0.2.66"))
	// Headers that the attacker sends change nothing.
	for _, spoofed := range []string{"203.0.113.7, 192.0.2.66", "10.0.0.2, 192.0.2.66, 10.0.0.3", strings.Repeat("198.51.100.1, ", 100) + "192.0.2.66"} {
		g.refused(429, fmt.Sprintf(tooMany, 15), "POST", "/api/sign-in", attempt("anna", goodPassword), from(spoofed))
	}
	g.ask(429, "POST", "/api/sign-in", attempt("anna", goodPassword), [2]string{"Forwarded", `for=203.0.113.7;host="x", for="192.0.2.66:4711"`})

	g.signIn("anna", goodPassword, from("203.0.113.7"))
	// In a session the user proves their identity again, and wrong attempts count for the session's user.
	own := "/api/users/" + g.users["anna"] + "/password"
	for range 5 {
		g.refused(401, wrongSecret, "PUT", own, `{"password": "five birds on a wire", "oldPassword": "wrong"}`, anna, from("203.0.113.7"))
	}
	g.refused(429, fmt.Sprintf(tooMany, 15), "PUT", own, `{"password": "five birds on a wire", "oldPassword": "wrong"}`, anna, from("203.0.113.8"))
	again := g.signIn("anna", goodPassword, from("203.0.113.7")) // a new session does not reset the count
	g.refused(429, fmt.Sprintf(tooMany, 15), "PUT", own, `{"password": "five birds on a wire", "oldPassword": "wrong"}`, again, from("203.0.113.7"))
}

// docs/access.md, "Wrong attempts": every fifth wrong attempt locks for longer than the one before, up to an hour, and a right one clears
// the count.
func TestTheWaitGrows(t *testing.T) {
	t.Parallel()
	g := behindProxy(t)
	g.person("anna", "operator")
	here := from("192.0.2.66")
	for _, minutes := range []int{15, 30, 60, 60} {
		for range 5 {
			g.refused(401, wrongSecret, "POST", "/api/sign-in", attempt("anna", "wrong"), here)
		}
		g.refused(429, fmt.Sprintf(tooMany, minutes), "POST", "/api/sign-in", attempt("anna", goodPassword), here)
		g.later(time.Duration(minutes) * time.Minute)
	}
	g.signIn("anna", goodPassword, here)
	for range 5 {
		g.refused(401, wrongSecret, "POST", "/api/sign-in", attempt("anna", "wrong"), here)
	}
	g.refused(429, fmt.Sprintf(tooMany, 15), "POST", "/api/sign-in", attempt("anna", goodPassword), here)
}

// docs/access.md, "Wrong attempts": IPv6 addresses count by subscriber network. An attacker with many networks locks out no other user and
// does not fill the trail, which is permanent.
func TestManyNetworks(t *testing.T) {
	t.Parallel()
	g := behindProxy(t)
	g.person("anna", "operator")
	for i := range 5 {
		g.refused(401, wrongSecret, "POST", "/api/sign-in", attempt("anna", "wrong"), from(fmt.Sprintf("[2001:db8:0:1::%x]:4711", i+1)))
	}
	g.ask(429, "POST", "/api/sign-in", attempt("anna", goodPassword), from("2001:db8:0:1:ffff::1"))
	for network := range 15 {
		for i := range 5 {
			address := from(fmt.Sprintf("2001:db8:1:%x::%x", network, i))
			g.ask(401, "POST", "/api/sign-in", attempt("anna", "wrong"), address)
			g.ask(401, "POST", "/api/sign-in", attempt("nobody", "wrong"), address)
		}
	}
	g.signIn("anna", goodPassword, from("2001:db8:2::1"))
	trail := g.ask(200, "GET", "/api/audit?limit=1000", "", g.admin).body
	if n := strings.Count(trail, "sign_in_locked"); n != 11 {
		t.Errorf("%d entries tell of it, want one of anna and ten of addresses", n)
	}
}

// docs/access.md, "Wrong attempts": a station is counted separately from its address.
func TestStationsAreCountedByThemselves(t *testing.T) {
	t.Parallel()
	g := behindProxy(t)
	g.person("anna", "lead")
	anna := "/api/users/" + g.users["anna"]
	session := g.signIn("anna", goodPassword, from("203.0.113.7"))
	session = sessionOf(t, g.ask(200, "PUT", anna+"/pin", fmt.Sprintf(`{"pin": "271828", "password": %q}`, goodPassword), session, from("203.0.113.7")))
	var made struct{ Badge string }
	g.reads(g.ask(200, "PUT", anna+"/badge", `{}`, session), &made)
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.Header.Set(session[0], session[1])
	request, err := g.door.Admit(request, "plan")
	if err != nil {
		t.Fatal(err)
	}
	_, cookie, err := g.door.MakeStation(request.Context(), access.MakeStationInput{Name: input.Given("by the lathe")})
	if err != nil {
		t.Fatal(err)
	}
	station := [2]string{"Cookie", cookie.Name + "=" + cookie.Value}
	in := func(pin string) string { return fmt.Sprintf(`{"badge": %q, "pin": %q}`, made.Badge, pin) }
	for i := range 25 {
		g.send(t.Context(), "POST", "/api/sign-in", attempt(fmt.Sprintf("login%d", i), "x"), from("203.0.113.7"))
		g.send(t.Context(), "POST", "/api/sign-in", in("999999"), from("203.0.113.7"))
	}
	g.ask(200, "POST", "/api/sign-in", in("271828"), station, from("203.0.113.7"))
	for range 5 {
		g.refused(401, wrongSecret, "POST", "/api/sign-in", in("999999"), station, from("203.0.113.7"))
	}
	g.refused(429, fmt.Sprintf(tooMany, 15), "POST", "/api/sign-in", in("271828"), station, from("203.0.113.9"))
}

// docs/access.md, "Wrong attempts": the log has the caller's address and login, and a forged address is not believed.
func TestTheLogKnowsTheCaller(t *testing.T) {
	t.Parallel()
	g := behindProxy(t)
	g.ask(200, "GET", "/api/jobs", "", g.admin, from("192.0.2.1, 203.0.113.7, 10.0.0.2"))
	g.ask(401, "GET", "/api/jobs", "", from("203.0.113.9"))
	log := g.log.String()
	for _, want := range []string{"client=203.0.113.7 path=/api/jobs login=boss\n", "client=203.0.113.9 path=/api/jobs\n"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log does not have %q", want)
		}
	}
}
