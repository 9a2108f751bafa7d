package access_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc/oidctest"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop/input"
)

const client = "routecard"

// signer is a provider of OpenID Connect whose responses a test sets.
type signer struct {
	oidctest.Server

	t      *testing.T
	clock  *clock
	issuer string
	key    *ecdsa.PrivateKey
	silent atomic.Bool // whether it accepts requests without responding
	asked  atomic.Int64
	azp    string            // the client that the next ID token was issued to, "" to leave it out
	says   map[string]string // members of its configuration that differ from a correct one

	mu   sync.Mutex
	next map[string]any // the claims of the next ID token
}

func newSigner(t *testing.T, clock *clock) *signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &signer{t: t, clock: clock, key: key}
	p.PublicKeys = []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "key", Algorithm: "ES256"}}
	p.Algorithms = []string{"ES256"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.asked.Add(1)
		switch {
		case p.silent.Load():
			<-r.Context().Done()
		case r.URL.Path == "/.well-known/openid-configuration" && p.says != nil:
			configuration := map[string]any{
				"issuer": p.issuer, "authorization_endpoint": p.issuer + "/auth", "token_endpoint": p.issuer + "/token",
				"jwks_uri": p.issuer + "/keys", "id_token_signing_alg_values_supported": p.Algorithms,
			}
			for name, address := range p.says {
				configuration[name] = address
			}
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(configuration)
		case r.URL.Path == "/elsewhere":
			http.Redirect(w, r, "http://sso.example.com/token", http.StatusTemporaryRedirect)
		case r.URL.Path == "/token":
			p.mu.Lock()
			defer p.mu.Unlock()
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": p.signed(p.next)})
		default:
			p.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	p.issuer = server.URL
	p.SetIssuer(p.issuer)
	return p
}

// signed returns a token with claims.
func (p *signer) signed(claims map[string]any) string {
	return oidctest.SignIDToken(p.key, "key", "ES256", string(asJSON(p.t, claims)))
}

// logout returns a logout token that differs in these claims from a good one; nil omits a claim.
func (p *signer) logout(otherwise map[string]any) map[string]any {
	now := p.clock.read()
	claims := map[string]any{
		"iss": p.issuer, "aud": client, "iat": now.Unix(), "exp": now.Unix() + 120, "jti": rand.Text(), "sub": "sub-lena",
		"events": map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}},
	}
	for name, value := range otherwise {
		if claims[name] = value; value == nil {
			delete(claims, name)
		}
	}
	return claims
}

// provided gives the factory a provider with which its users can sign in. Members of the group leads get the role lead, members of the
// group viewers get no role.
func (f *factory) provided() *signer {
	f.t.Helper()
	p := newSigner(f.t, f.clock)
	f.provider = &access.ProviderOptions{
		Issuer: p.issuer, Client: client, Name: "the company account", Callback: origin + "/sign-in/return",
		LoginClaim: "preferred_username", GroupsClaim: "groups", Roles: []access.GroupRole{{Group: "leads", Role: "lead"}},
	}
	f.Service = f.service(f.store)
	return p
}

// comes signs a user in with the provider. session is the identifier of the provider's session.
func (f *factory) comes(p *signer, subject, session string, groups ...string) *http.Cookie {
	f.t.Helper()
	back, err := f.visits(p, subject, session, groups...)
	f.must(err)
	return back.Cookies[len(back.Cookies)-1]
}

// visits is like comes, but returns an error if the user is refused.
func (f *factory) visits(p *signer, subject, session string, groups ...string) (access.Returned, error) {
	f.t.Helper()
	address, attempt, err := f.LeaveForProvider(f.t.Context(), f.from, "/")
	f.must(err)
	left, err := url.Parse(address)
	f.must(err)
	now := p.clock.read()
	p.mu.Lock()
	p.next = map[string]any{
		"iss": p.issuer, "aud": client, "iat": now.Unix(), "exp": now.Unix() + 60, "sub": subject, "sid": session,
		"nonce": left.Query().Get("nonce"), "groups": groups, "preferred_username": subject, "name": subject,
	}
	if p.azp != "" {
		p.next["azp"] = p.azp
	}
	p.mu.Unlock()
	request := httptest.NewRequest(http.MethodGet, "/sign-in/return?code=x&state="+url.QueryEscape(left.Query().Get("state")), nil)
	request.AddCookie(attempt)
	return f.ReturnFromProvider(request, f.from)
}

// A visitor who returns from the provider without an attempt gets one sentence, and the security log has the reason.
func TestReturnWithoutAttempt(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	var log bytes.Buffer
	f.security = slog.New(slog.NewJSONHandler(&log, nil))
	f.provided()
	address, own, err := f.LeaveForProvider(t.Context(), f.from, "/")
	f.must(err)
	_, other, err := f.LeaveForProvider(t.Context(), f.from, "/")
	f.must(err)
	left, err := url.Parse(address)
	f.must(err)
	edited := *own
	edited.Value = "x" + own.Value
	for _, c := range []struct {
		cookie *http.Cookie
		later  time.Duration
		why    string
	}{
		{cookie: nil, why: "the browser sent no cookie of an attempt"},
		{cookie: &edited, why: "the cookie is not of this service, or too old"},
		{cookie: other, why: "the cookie is of another attempt"},
		{cookie: own, later: 11 * time.Minute, why: "the cookie is not of this service, or too old"},
	} {
		log.Reset()
		f.clock.move(c.later)
		request := httptest.NewRequest(http.MethodGet, "/sign-in/return?code=x&state="+url.QueryEscape(left.Query().Get("state")), nil)
		if c.cookie != nil {
			request.AddCookie(c.cookie)
		}
		_, err := f.ReturnFromProvider(request, f.from)
		if err == nil || !strings.Contains(err.Error(), "not begun in this browser") {
			t.Errorf("%s: %v", c.why, err)
		}
		var line struct{ Msg, Login, Means, Address, Outcome, Why string }
		if err := json.Unmarshal(log.Bytes(), &line); err != nil {
			t.Fatalf("%s: %v in %q", c.why, err, log.String())
		}
		line.Address = strings.Replace(line.Address, f.from.Address, "from there", 1)
		if got := strings.Join([]string{line.Msg, line.Login, line.Means, line.Address, line.Outcome, line.Why}, ", "); got !=
			"sign_in, , oidc, from there, sign_in_not_begun_here, "+c.why {
			t.Error(got)
		}
	}
}

// A provider whose metadata has addresses without https is not used: an attacker in between could read the secret of the client, or send
// their own keys. Redirects to such addresses are not followed either.
func TestProviderAddressesAreConfidential(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	p := f.provided()
	for _, name := range []string{"authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"} {
		for _, address := range []string{"http://sso.example.com/x", "//sso.example.com/x", "file:///etc/passwd"} {
			p.says = map[string]string{name: address}
			_, _, err := f.LeaveForProvider(t.Context(), f.from, "/")
			f.refused(err, "The sign-in service does not answer just now. Try again soon, or sign in with a password")
		}
	}
	p.says = map[string]string{"token_endpoint": p.issuer + "/elsewhere"}
	_, err := f.visits(p, "sub-lena", "first")
	f.refused(err, "The sign-in service did not sign you in")
	p.says = map[string]string{"userinfo_endpoint": p.issuer + "/userinfo"}
	f.connect("lena", "sub-lena")
	f.comes(p, "sub-lena", "first", "leads")
}

// connect sets the subject of a user. The boss does it.
func (f *factory) connect(login, subject string) {
	f.t.Helper()
	f.must(f.Connect(f.as("boss"), f.users[login].ID, input.Given(subject)))
}

// forged returns a token that claims to need no signature.
func forged(claims []byte) string {
	encode := base64.RawURLEncoding.EncodeToString
	return strings.Join([]string{encode([]byte(`{"alg":"none","typ":"logout+jwt"}`)), encode(claims), ""}, ".")
}
