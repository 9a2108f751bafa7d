package httpapi

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/tail"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// A stream ends when its token, session or account ends, before it sends the entry that records this.
func TestStreamEndsWithItsIdentity(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	follower := tail.New(slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(context.Background())
	var following sync.WaitGroup
	following.Go(func() { follower.Run(ctx, g.store) })
	clock := func() time.Time { return time.UnixMilli(g.clock.Load()) }
	server := httptest.NewServer(newFace(g.store, func(c *Config) {
		c.Access, c.Tail = g.door, follower
		c.Service = shop.New(g.store, clock, ident.NewIdentifiers(clock))
	}))
	t.Cleanup(func() {
		cancel()
		following.Wait()
		server.Close()
	})
	g.person("anna", "operator")
	anna := "/api/users/" + g.users["anna"]
	for name, row := range map[string]struct{ method, target, body string }{
		"token revoked":    {"DELETE", "", ""},
		"roles taken":      {"PUT", anna + "/account", `{"roles": []}`},
		"made inactive":    {"PUT", anna, `{"active": false}`},
		"password changed": {"PUT", anna + "/password", `{"password": "given by the boss"}`},
	} {
		g.ask(200, "PUT", anna, `{"active": true}`, g.admin)
		g.ask(200, "PUT", anna+"/account", `{"roles": ["operator"]}`, g.boss())
		g.ask(200, "PUT", anna+"/password", `{"password": "given by the boss"}`, g.boss())
		session := g.signIn("anna", "given by the boss")
		g.ask(200, "PUT", anna+"/password", fmt.Sprintf(`{"password": %q, "oldPassword": "given by the boss"}`, goodPassword), session)
		identity := g.signIn("anna", goodPassword)
		if name == "token revoked" {
			identity = g.token("anna", identity, `["read"]`)
			var tokens []struct{ ID string }
			g.reads(g.ask(200, "GET", anna+"/tokens", "", g.admin), &tokens)
			row.target = anna + "/tokens/" + tokens[len(tokens)-1].ID
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/events", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set(identity[0], identity[1])
		response, err := server.Client().Do(request)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v, %v", name, response, err)
		}
		lines := bufio.NewScanner(response.Body)
		g.ask(201, "POST", "/api/users", `{"name": "Seen by everybody"}`, g.admin)
		follower.Committed()
		for lines.Scan() && !strings.Contains(lines.Text(), "user_created") {
		}
		g.ask(200, row.method, row.target, row.body, g.boss())
		follower.Committed()
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "data: {\"") {
				t.Errorf("%s: the stream goes on: %s", name, lines.Text())
			}
		}
		response.Body.Close()
	}
}

// slowReader calls a function between the first piece of a response and the next.
type slowReader struct {
	*httptest.ResponseRecorder
	pieces  int
	between func()
}

func (w *slowReader) Write(piece []byte) (int, error) {
	if w.pieces++; w.pieces == 1 {
		w.between()
	}
	return w.ResponseRecorder.Write(piece)
}

// A list that takes long to read is cut off when the caller's token is revoked.
func TestListEndsWithItsToken(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	for range 300 {
		g.ask(201, "POST", "/api/users", fmt.Sprintf(`{"name": %q}`, strings.Repeat("x", 400)), g.admin)
	}
	g.person("anna", "viewer")
	path := "/api/users/" + g.users["anna"] + "/tokens"
	token := g.token("anna", g.signIn("anna", goodPassword), `["read"]`)
	read := func(between func()) (whole bool, body string) {
		w := &slowReader{ResponseRecorder: httptest.NewRecorder(), between: between}
		request := httptest.NewRequest(http.MethodGet, "/api/users", nil)
		request.Header.Set(token[0], token[1])
		defer func() {
			body = w.Body.String()
			if cause := recover(); cause != nil && cause != http.ErrAbortHandler {
				panic(cause)
			} else if cause != nil {
				whole = false
			}
		}()
		g.Config.Handler.ServeHTTP(w, request)
		return true, w.Body.String()
	}
	whole, all := read(func() { g.later(11 * time.Second) })
	if !whole || !strings.HasSuffix(strings.TrimSpace(all), "]") {
		t.Fatalf("a slow reader with a good token gets %d bytes", len(all))
	}
	whole, part := read(func() {
		g.later(11 * time.Second)
		var tokens []struct{ ID string }
		g.reads(g.ask(200, "GET", path, "", g.admin), &tokens)
		g.ask(200, "DELETE", path+"/"+tokens[0].ID, "", g.boss())
	})
	if whole || len(part) == 0 || len(part) >= len(all) {
		t.Errorf("%d of %d bytes are answered, as a whole: %v", len(part), len(all), whole)
	}
}
