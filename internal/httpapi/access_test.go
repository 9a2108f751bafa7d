package httpapi

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/remote"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/web/paper"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// cheap are hash parameters that cost almost no time.
var cheap = access.Cost{MemoryKiB: 8, Passes: 1, Lanes: 1}

// newDoor makes the access service of a test.
func newDoor(t *testing.T, store sqlstore.Store, mode access.Mode, clock ident.Clock) *access.Service {
	t.Helper()
	door, err := access.New(t.Context(), store.(access.Store), access.Options{
		Mode: mode, Clock: clock, IDs: ident.NewIdentifiers(clock), Pepper: []byte("pepper"), Cost: cheap, Places: 4,
		Origin: passkeyOrigin,
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return door
}

// guarded is a shop in which callers must sign in.
type guarded struct {
	*servedShop
	t        *testing.T
	document *document
	door     *access.Service
	clock    *atomic.Int64 // in milliseconds
	log      logbook
	admin    [2]string         // the administrator's token, as a header
	users    map[string]string // identifiers by login
}

const goodPassword = "four birds on a wire"

func openGuarded(t *testing.T, mode access.Mode) *guarded {
	t.Helper()
	store, database := openStore(t)
	g := &guarded{
		t: t, document: loadDocument(t), clock: &atomic.Int64{}, users: map[string]string{},
	}
	g.clock.Store(time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC).UnixMilli())
	g.servedShop = g.instance(store, database, mode)
	code, err := g.door.SetupCode(t.Context())
	if err != nil || code == "" {
		t.Fatalf("code %q, %v", code, err)
	}
	var boss struct{ ID string }
	g.reads(g.ask(201, "POST", "/api/setup", fmt.Sprintf(
		`{"code": %q, "login": "boss", "name": "The Boss", "password": %q}`, code, goodPassword)), &boss)
	g.users["boss"] = boss.ID
	g.admin = g.token("boss", g.signIn("boss", goodPassword), `["read", "admin"]`)
	return g
}

// instance starts another instance on the same database.
func (g *guarded) instance(store sqlstore.Store, database enginetest.Database, mode access.Mode) *servedShop {
	g.t.Helper()
	clock := func() time.Time { return time.UnixMilli(g.clock.Load()) }
	g.door = newDoor(g.t, store, mode, clock)
	face := newFace(store, func(c *Config) {
		c.Access = g.door
		printed := shop.WithPapers(paper.New(time.UTC, func() *files.Keeper { return c.Files }))
		c.Service = shop.New(store, clock, ident.NewIdentifiers(clock), access.Signatures(), printed)
		c.Files = files.New(files.NewFolder(g.t.TempDir(), false), c.Service, testFileLimit, clock, slog.New(slog.DiscardHandler))
		c.Logger = slog.New(slog.NewTextHandler(&g.log, nil))
	})
	server := httptest.NewServer(face)
	g.t.Cleanup(server.Close)
	return &servedShop{Server: server, store: store, database: database}
}

// later moves the clock.
func (g *guarded) later(d time.Duration) { g.clock.Add(d.Milliseconds()) }

// ask sends a request that must get this status, and compares the response with the document.
func (g *guarded) ask(status int, method, target, body string, header ...[2]string) answered {
	g.t.Helper()
	got := g.must(g.t, status, method, target, body, header...)
	if err := g.document.check(g.t.Context(), &exchange{method: method, target: target, body: body, header: header, answer: got}); err != nil {
		g.t.Errorf("%s %s answers %d against the document: %v", method, target, status, err)
	}
	return got
}

func (g *guarded) reads(got answered, into any) {
	g.t.Helper()
	if err := json.Unmarshal([]byte(got.body), into); err != nil {
		g.t.Fatalf("%v: %s", err, got.body)
	}
}

// refused sends a request that must be refused with a message.
func (g *guarded) refused(status int, message, method, target, body string, header ...[2]string) answered {
	g.t.Helper()
	got := g.ask(status, method, target, body, header...)
	var failure struct {
		StatusCode int
		Message    string
	}
	g.reads(got, &failure)
	if failure.Message != message || failure.StatusCode != status {
		g.t.Errorf("%s %s: %d %q, want %d %q", method, target, failure.StatusCode, failure.Message, status, message)
	}
	return got
}

// person creates a user with a login, a password of their own and roles.
func (g *guarded) person(login string, roles ...string) {
	g.t.Helper()
	var user struct{ ID string }
	g.reads(g.ask(201, "POST", "/api/users", fmt.Sprintf(`{"name": "Name of %s"}`, login), g.admin), &user)
	g.users[login] = user.ID
	list, _ := json.Marshal(slices.Concat([]string{}, roles))
	g.ask(200, "PUT", "/api/users/"+user.ID+"/account", fmt.Sprintf(`{"login": %q, "roles": %s}`, login, list), g.boss())
	g.ask(200, "PUT", "/api/users/"+user.ID+"/password", `{"password": "given by the boss"}`, g.boss())
	session := g.signIn(login, "given by the boss")
	g.ask(200, "PUT", "/api/users/"+user.ID+"/password",
		fmt.Sprintf(`{"password": %q, "oldPassword": "given by the boss"}`, goodPassword), session)
}

// boss signs the administrator in again and returns the session as a header.
func (g *guarded) boss() [2]string {
	g.t.Helper()
	return g.signIn("boss", goodPassword)
}

// confirm lets a second person confirm an account.
func (g *guarded) confirm(login, by string) {
	g.t.Helper()
	g.ask(200, "POST", "/api/users/"+g.users[login]+"/confirm", "", g.signIn(by, goodPassword))
}

// signIn signs in and returns the session as a header.
func (g *guarded) signIn(login, password string, header ...[2]string) [2]string {
	g.t.Helper()
	got := g.ask(200, "POST", "/api/sign-in", fmt.Sprintf(`{"login": %q, "password": %q}`, login, password), header...)
	return sessionOf(g.t, got)
}

func sessionOf(t *testing.T, got answered) [2]string {
	t.Helper()
	cookie, err := http.ParseSetCookie(got.header.Get("Set-Cookie"))
	if err != nil {
		t.Fatal(err)
	}
	return [2]string{"Cookie", cookie.Name + "=" + cookie.Value}
}

// token creates a token for a user and returns it as a header.
func (g *guarded) token(login string, by [2]string, permissions string) [2]string {
	g.t.Helper()
	var made struct{ Token string }
	g.reads(g.ask(201, "POST", "/api/users/"+g.users[login]+"/tokens",
		fmt.Sprintf(`{"name": "test", "permissions": %s}`, permissions), by), &made)
	return [2]string{"Authorization", "Bearer " + made.Token}
}

// everyRoute returns an address of every route with the permission that the route needs.
func (g *guarded) everyRoute() map[string]shop.Permission {
	all := map[string]shop.Permission{}
	for _, route := range slices.Concat(routes(), accessRoutes()) {
		all[route.pattern] = route.needs()
	}
	for _, route := range g.Config.Handler.(*Server).serviceRoutes() {
		all[route.pattern] = route.needs
	}
	return all
}

// addresses replaces the wildcards in the pattern of a route. No record in the address exists.
var addresses = strings.NewReplacer("{id}", "x_1", "{stepId}", "x_1", "{userId}", "x_1", "{key}", "X-1", "{file}", "index.html",
	"{tokenId}", "x_1")

// TestMatrix sends a request to every route with every role and with none. Callers without the permission are refused before anything else
// is checked; callers with the permission get another response, though no record in the address exists.
func TestMatrix(t *testing.T) {
	t.Parallel()
	for _, mode := range []access.Mode{access.Writes, access.All} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			g := openGuarded(t, mode)
			identities := map[string][2]string{"nobody": {"X-Nothing", "x"}}
			for _, role := range access.Roles() {
				g.person(role.Name+".1", role.Name)
				identities[role.Name] = g.signIn(role.Name+".1", goodPassword)
			}
			g.person("without")
			identities["none"] = g.signIn("without", goodPassword)
			for pattern, needs := range g.everyRoute() {
				if pattern == "POST /api/sign-out" || pattern == eventsPattern {
					continue // signing out would end the sessions, and the stream of events has no end
				}
				method, target, _ := strings.Cut(pattern, " ")
				target = addresses.Replace(target)
				body := ""
				if method != http.MethodGet {
					body = "{}"
				}
				for who, identity := range identities {
					got, err := g.send(t.Context(), method, target, body, identity)
					if err != nil {
						t.Fatal(err)
					}
					want := expected(mode, needs, who)
					status, message := refusalIn(got)
					if want == "" && (status == http.StatusUnauthorized && pattern != "POST /api/sign-in" || strings.HasPrefix(message, "This needs")) &&
						needs != shop.SignedIn && needs != shop.Arrived && needs != shop.Entering && pattern != "POST /api/sign-in/passkey" ||
						want != "" && message != want {
						t.Errorf("%s by %s: %d %q, want %q", pattern, who, status, message, want)
					}
					open := needs == shop.Anyone || mode == access.Writes && needs == shop.Read
					if caching := got.header.Get("Cache-Control"); !open && caching != "no-store" && caching != "private, no-cache" {
						t.Errorf("%s by %s: Cache-Control is %q", pattern, who, caching)
					}
					challenge := got.header.Get("WWW-Authenticate")
					switch {
					case want == "Authentication required" && challenge != `Bearer realm="Routecard"`,
						strings.HasPrefix(want, "This needs") &&
							challenge != fmt.Sprintf(`Bearer realm="Routecard", error="insufficient_scope", scope="%s"`, needs):
						t.Errorf("%s by %s: challenge %q", pattern, who, challenge)
					}
				}
			}
		})
	}
}

// A handler cannot make the response to a request that needs an identity public, whatever header it sets.
func TestGuardedResponsesAreNotShared(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]string{
		"": "private, no-cache", "public, max-age=31536000, immutable": "private, no-cache",
		"private, max-age=31536000, immutable": "private, no-cache", "no-cache": "private, no-cache", "no-store": "no-store",
	} {
		for _, explicit := range []bool{true, false} {
			answer, party := httptest.NewRecorder(), &remote.Party{}
			party.Guard()
			w := &recorder{ResponseWriter: answer, party: party}
			w.Header().Set("Cache-Control", set)
			if explicit {
				w.WriteHeader(http.StatusOK)
			}
			if _, err := w.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
			if got := answer.Header().Get("Cache-Control"); got != want {
				t.Errorf("%q became %q, want %q", set, got, want)
			}
		}
	}
}

// expected returns the refusal that a caller with this role gets; "" if the caller has the permission.
func expected(mode access.Mode, needs shop.Permission, who string) string {
	open := needs == shop.Anyone || mode == access.Writes && needs == shop.Read
	switch {
	case open:
		return ""
	case who == "nobody":
		return "Authentication required"
	case needs == shop.SignedIn, needs == shop.Arrived, needs == shop.Entering:
		return ""
	}
	for _, role := range access.Roles() {
		if role.Name == who && slices.Contains(role.Permissions, needs) {
			return ""
		}
	}
	return "This needs the permission " + string(needs)
}

func refusalIn(got answered) (status int, message string) {
	var failure struct{ Message string }
	if got.status >= http.StatusBadRequest {
		_ = json.Unmarshal([]byte(got.body), &failure)
	}
	return got.status, failure.Message
}

// TestEventsNeedAnIdentity tests the one route that the matrix leaves out.
func TestEventsNeedAnIdentity(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.refused(401, "Authentication required", "GET", "/api/events", "")
	g.must(t, 200, "GET", "/api/events", "", g.admin) // without a tail the stream ends immediately
}

// TestOffHasNoAccess shows that with --auth off the routes of access do not exist and credentials are ignored.
func TestOffHasNoAccess(t *testing.T) {
	t.Parallel()
	s := openShop(t, nil)
	for _, route := range accessRoutes() {
		method, target, _ := strings.Cut(route.pattern, " ")
		target = strings.NewReplacer("{id}", "x_1", "{tokenId}", "x_1").Replace(target)
		got := s.must(t, 404, method, target, "")
		if want := fmt.Sprintf(`{"statusCode":404,"message":"Route not found: %s %s"}`, method, target); plain(got.body) != want {
			t.Errorf("%s: %s", route.pattern, got.body)
		}
	}
	s.must(t, 200, "GET", "/api/jobs", "", [2]string{"Authorization", "Bearer nonsense"})
	s.must(t, 200, "GET", "/api/jobs", "", [2]string{"Cookie", "session=nonsense"})
}
