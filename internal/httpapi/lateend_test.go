package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// TestBodyEndsWithItsSession sends half a body to every operation that reads one and ends the session before the rest arrives. The
// request is refused and changes nothing.
func TestBodyEndsWithItsSession(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("anna", "lead", "admin")
	clock := func() time.Time { return time.UnixMilli(g.clock.Load()) }
	face := newFace(g.store, func(c *Config) {
		c.Access = g.door
		c.Service = shop.New(g.store, clock, ident.NewIdentifiers(clock), access.Signatures())
		c.Files = files.New(files.NewFolder(t.TempDir(), false), c.Service, 1<<20, clock, c.Logger)
	})
	door := g.backDoor(t)
	read := 0
	for _, route := range append(routes(), accessRoutes()...) {
		if !route.changes() || route.needs() == shop.Anyone || route.needs() == shop.ActFor {
			continue
		}
		session := g.signIn("anna", goodPassword)
		header := [][2]string{session}
		if route.keyed() {
			header = append(header, [2]string{onceHeader, "key-" + strings.ReplaceAll(route.pattern, " ", "")})
		}
		half := sendHalf(t, face, route, header...)
		if !half.read {
			continue
		}
		read++
		g.ask(200, "POST", "/api/sign-out", "", session)
		g.later(2 * time.Second)
		before := contents(t, door)
		half.end(nil)
		if half.Code != http.StatusUnauthorized || half.Header().Get("WWW-Authenticate") == "" || contents(t, door) != before {
			t.Errorf("%s: status %d after the session ended: %s", route.pattern, half.Code, half.Body)
		}
	}
	if read < 80 {
		t.Errorf("only %d operations read a body", read)
	}
}
