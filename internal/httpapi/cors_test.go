package httpapi

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
)

// TestOrigins calls the interface from pages of other origins.
func TestOrigins(t *testing.T) {
	t.Parallel()
	const known = "https://dashboard.example.com"
	store, _ := openStore(t)
	var cookies []string
	face := newFace(store, func(c *Config) {
		c.Origins = []string{known}
		c.Pages = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { cookies = append(cookies, r.Header.Get("Cookie")) })
	})
	ask := func(method, target, origin string, more ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(`{"name":"A","goalQuantity":1}`))
		r.Header.Set("Origin", origin)
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		r.Header.Set("Cookie", "routecard_session=x")
		for i := 0; i+1 < len(more); i += 2 {
			r.Header.Set(more[i], more[i+1])
		}
		w := httptest.NewRecorder()
		face.ServeHTTP(w, r)
		return w
	}
	for _, row := range []struct {
		method, target, origin string
		status                 int
		allowed                bool
	}{
		{"GET", "/api/jobs", known, 200, true},
		{"POST", "/api/jobs", known, 201, true},
		{"GET", "/api/nothing", known, 404, true},
		{"GET", "/api/jobs", "https://elsewhere.example.com", 200, false},
		{"POST", "/api/jobs", "https://elsewhere.example.com", 403, false},
		{"POST", "/api/jobs", known + ".evil.example", 403, false},
		{"POST", "/api/jobs", "null", 403, false},
		{"GET", "/jobs", known, 200, false}, // a page
		{"POST", "/jobs", known, 403, false},
		{"POST", "/apiary", known, 403, false},
	} {
		got := ask(row.method, row.target, row.origin)
		origin := got.Header().Get("Access-Control-Allow-Origin")
		if got.Code != row.status || row.allowed != (origin == row.origin) || !row.allowed && origin != "" {
			t.Errorf("%s %s from %s: %d, allowed %q", row.method, row.target, row.origin, got.Code, origin)
		}
		if got.Header().Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s %s from %s may send cookies", row.method, row.target, row.origin)
		}
		if api := strings.HasPrefix(row.target, "/api/"); api != slices.Contains(got.Header().Values("Vary"), "Origin") {
			t.Errorf("%s %s: Vary is %v", row.method, row.target, got.Header().Values("Vary"))
		}
	}
	if !slices.Equal(cookies, []string{"routecard_session=x"}) {
		t.Errorf("the pages got the cookies %q", cookies)
	}
	asked := []string{"Access-Control-Request-Method", "PUT", "Access-Control-Request-Headers", "authorization"}
	if got := ask("OPTIONS", "/api/jobs/x", known, asked...); got.Code != http.StatusNoContent || got.Body.Len() != 0 ||
		!strings.Contains(got.Header().Get("Access-Control-Allow-Methods"), "PUT") ||
		!strings.Contains(got.Header().Get("Access-Control-Allow-Headers"), "Authorization") {
		t.Errorf("before a request: %d %v", got.Code, got.Header())
	}
	if got := ask("OPTIONS", "/api/jobs/x", "https://elsewhere.example.com", asked...); got.Code != http.StatusMethodNotAllowed {
		t.Errorf("before a request from elsewhere: %d", got.Code)
	}
}

// TestOriginsComeWithTokens calls the interface from a page of a known origin, with the session of the browser and with a token.
func TestOriginsComeWithTokens(t *testing.T) {
	t.Parallel()
	const known = "https://dashboard.example.com"
	g := openGuarded(t, access.All)
	face, ok := g.Config.Handler.(*Server)
	if !ok {
		t.Fatalf("the handler is a %T", g.Config.Handler)
	}
	face.config.Origins = []string{known}
	handler := face.shared(face, face)
	g.person("anna", "viewer")
	session := g.signIn("anna", goodPassword)
	token := g.token("anna", session, `["read"]`)
	for _, row := range []struct {
		header [2]string
		status int
	}{{session, http.StatusUnauthorized}, {token, http.StatusOK}} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/jobs", nil)
		r.Header.Set("Origin", known)
		r.Header.Set(row.header[0], row.header[1])
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != row.status {
			t.Errorf("%s: %d, want %d", row.header[0], w.Code, row.status)
		}
	}
}
