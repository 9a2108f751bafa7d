package httpapi

import (
	"io"
	"net/http"
	"net/http/httptest"
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
		method, path, _ := strings.Cut(route.pattern, " ")
		for _, name := range wildcards(route.pattern) {
			path = strings.ReplaceAll(strings.ReplaceAll(path, "{"+name+"}", "SN-00001"), "{"+name+"...}", "x")
		}
		session := g.signIn("anna", goodPassword)
		body, rest := io.Pipe()
		request := httptest.NewRequestWithContext(t.Context(), method, path, body)
		request.Header.Set(session[0], session[1])
		request.Header.Set("Content-Type", jsonType)
		if route.keyed() {
			request.Header.Set(onceHeader, "key-"+method+strings.ReplaceAll(path, " ", ""))
		}
		begin, end := `{"name": "a`, `"}`
		switch route.body {
		case rowsBody:
			request.Header.Set("Content-Type", "text/csv")
			begin, end = "name\nSl", "ot\n"
		case bytesBody:
			request.Header.Set("Content-Type", "application/octet-stream")
		}
		answer, over := httptest.NewRecorder(), make(chan struct{})
		go func() {
			defer close(over)
			face.ServeHTTP(answer, request)
			body.Close()
		}()
		if _, err := rest.Write([]byte(begin)); err != nil { // the service does not read it
			<-over
			continue
		}
		read++
		g.ask(200, "POST", "/api/sign-out", "", session)
		g.later(2 * time.Second)
		before := contents(t, door)
		_, _ = rest.Write([]byte(end))
		rest.Close()
		<-over
		if answer.Code != http.StatusUnauthorized || answer.Header().Get("WWW-Authenticate") == "" || contents(t, door) != before {
			t.Errorf("%s: status %d after the session ended: %s", route.pattern, answer.Code, answer.Body)
		}
	}
	if read < 80 {
		t.Errorf("only %d operations read a body", read)
	}
}
