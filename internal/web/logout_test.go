package web_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/coreos/go-oidc/v3/oidc/oidctest"

	"github.com/routecard/routecard/internal/access"
)

// docs/access.md, "With the company account": A provider's logout request needs no session. It gets the response that the standard
// requires, and never the sign-in page.
func TestProviderLogout(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	provider := &oidctest.Server{
		PublicKeys: []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "key", Algorithm: "ES256"}}, Algorithms: []string{"ES256"},
	}
	server := httptest.NewServer(provider)
	t.Cleanup(server.Close)
	provider.SetIssuer(server.URL)
	s := openGuardedShop(t, access.All, func(o *access.Options) {
		o.Provider = &access.ProviderOptions{Issuer: server.URL, Client: "routecard", Name: "the company account"}
	})
	token := oidctest.SignIDToken(key, "key", "ES256", fmt.Sprintf(
		`{"iss": %q, "aud": "routecard", "iat": %d, "exp": %[3]d, "jti": "one", "sub": "sub-nobody",
		"events": {"http://schemas.openid.net/event/backchannel-logout": {}}}`, server.URL, s.clock().Unix(), s.clock().Unix()+60))
	const refused = `{"error":"invalid_request","error_description":"The logout token is not valid"}`
	post := func(form url.Values) *httptest.ResponseRecorder {
		request := httptest.NewRequest(http.MethodPost, "/oidc/logout", strings.NewReader(form.Encode()))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return s.visitor().ask(request)
	}
	for _, step := range []struct {
		form   url.Values
		status int
		body   string
	}{
		{url.Values{"logout_token": {token}}, http.StatusOK, ""},
		{url.Values{"logout_token": {token}}, http.StatusBadRequest, refused}, // a replay
		{url.Values{"logout_token": {"e30.e30.e30"}}, http.StatusBadRequest, refused},
		{url.Values{}, http.StatusBadRequest, refused},
	} {
		got := post(step.form)
		if got.Code != step.status || strings.TrimSpace(got.Body.String()) != step.body || got.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%d %v\n%s, want %d %s", got.Code, got.Header(), got.Body, step.status, step.body)
		}
	}
	invalid := url.Values{"logout_token": {token[:strings.LastIndex(token, ".")] + ".e30"}}
	for range 100 {
		if got := post(invalid); got.Code != http.StatusBadRequest {
			t.Fatalf("an invalid token: %d %s", got.Code, got.Body)
		}
	}
	if got := post(invalid); got.Code != http.StatusTooManyRequests || got.Header().Get("Retry-After") == "" {
		t.Errorf("one more: %d %v %s", got.Code, got.Header(), got.Body)
	}
}
