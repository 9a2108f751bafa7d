package access_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
)

// open reports whether a session is open.
func (f *factory) open(cookie *http.Cookie) bool {
	f.t.Helper()
	admitted, err := f.Admit(f.request(cookie), shop.Entering)
	return err == nil && access.IdentityOf(admitted.Context()) != nil
}

// docs/access.md, "With the company account": a logout token ends the session that it identifies, or all sessions that the person began
// with the provider, and no others.
func TestProviderLogout(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	p := f.provided()
	f.connect("lena", "sub-lena")
	f.connect("tom", "sub-tom")
	typed := f.signedIn("lena", password)
	first, second := f.comes(p, "sub-lena", "first", "leads"), f.comes(p, "sub-lena", "second", "leads")
	toms := f.comes(p, "sub-tom", "toms", "leads")
	check := func(what string, want map[*http.Cookie]bool) {
		t.Helper()
		for cookie, open := range want {
			if f.open(cookie) != open {
				t.Errorf("%s: a session is open: %v, want %v", what, !open, open)
			}
		}
	}
	logout := func(otherwise map[string]any) {
		t.Helper()
		f.must(f.EndedAtProvider(t.Context(), f.from, p.signed(p.logout(otherwise))))
	}
	logout(map[string]any{"sid": "toms"}) // Tom's session, not hers
	logout(map[string]any{"sub": "sub-nobody"})
	logout(map[string]any{"sub": nil, "sid": "another"})
	check("others' logouts", map[*http.Cookie]bool{typed: true, first: true, second: true, toms: true})
	logout(map[string]any{"sub": nil, "sid": "first"})
	check("of one session", map[*http.Cookie]bool{typed: true, first: false, second: true, toms: true})
	third := f.comes(p, "sub-lena", "third", "leads")
	logout(nil)
	check("of a person", map[*http.Cookie]bool{typed: true, second: false, third: false, toms: true})
}

// docs/access.md, "With the company account": only a token that the provider has just signed, for this client and to end sessions, ends a
// session, and only once.
func TestProviderLogoutAttacks(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	p := f.provided()
	f.connect("lena", "sub-lena")
	evil := newSigner(t, f.clock)
	session := f.comes(p, "sub-lena", "first", "leads")
	now := f.clock.read().Unix()
	const refused = "The logout token is not valid"
	for name, token := range map[string]string{
		"another audience":   p.signed(p.logout(map[string]any{"aud": "payroll"})),
		"no audience":        p.signed(p.logout(map[string]any{"aud": nil})),
		"another issuer":     p.signed(p.logout(map[string]any{"iss": "https://evil.example"})),
		"another's key":      evil.signed(p.logout(nil)),
		"another provider":   evil.signed(evil.logout(nil)),
		"alg none":           forged(asJSON(t, p.logout(nil))),
		"an ID token":        p.signed(p.logout(map[string]any{"events": nil, "nonce": "n"})),
		"with a nonce":       p.signed(p.logout(map[string]any{"nonce": "n"})),
		"another event":      p.signed(p.logout(map[string]any{"events": map[string]any{"http://schemas.openid.net/event/other": map[string]any{}}})),
		"of nobody":          p.signed(p.logout(map[string]any{"sub": nil})),
		"without a name":     p.signed(p.logout(map[string]any{"jti": nil})),
		"without a time":     p.signed(p.logout(map[string]any{"iat": nil})),
		"made long ago":      p.signed(p.logout(map[string]any{"iat": now - 8*60})),
		"made in the future": p.signed(p.logout(map[string]any{"iat": now + 3*60})),
		"expired":            p.signed(p.logout(map[string]any{"exp": now - 3*60})),
		"without an end":     p.signed(p.logout(map[string]any{"exp": nil})),
		"of another client":  p.signed(p.logout(map[string]any{"aud": []string{client, "payroll"}, "azp": "payroll"})),
		"no token":           "",
		"no JSON":            "e30.x.e30",
	} {
		f.refused(f.EndedAtProvider(t.Context(), f.from, token), refused)
		if !f.open(session) {
			t.Fatalf("%s ended a session", name)
		}
	}

	token := p.signed(p.logout(nil))
	f.must(f.EndedAtProvider(t.Context(), f.from, token))
	session = f.comes(p, "sub-lena", "second", "leads")
	f.refused(f.EndedAtProvider(t.Context(), f.from, token), refused) // a replay
	f.clock.move(6 * time.Minute)
	f.refused(f.EndedAtProvider(t.Context(), f.from, token), refused)
	if !f.open(session) {
		t.Error("a logout token ended a session that began after it was taken")
	}

	// Two instances receive the same token at once.
	token = p.signed(p.logout(nil))
	other := f.service(f.store)
	var wait sync.WaitGroup
	errs := make([]error, 2)
	for i, door := range []*access.Service{f.Service, other} {
		wait.Go(func() { errs[i] = door.EndedAtProvider(t.Context(), f.from, token) })
	}
	wait.Wait()
	if (errs[0] == nil) == (errs[1] == nil) {
		t.Errorf("one of two takes it: %v, %v", errs[0], errs[1])
	}
}

// docs/access.md, "With the company account": a provider that never responds delays only the request that waits for it, and ends no
// session.
func TestProviderLogoutOfASilentProvider(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	p := f.provided()
	f.connect("lena", "sub-lena")
	session := f.comes(p, "sub-lena", "first", "leads")
	p.silent.Store(true)
	token := p.signed(p.logout(nil))
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := f.EndedAtProvider(ctx, f.from, token); err == nil {
		t.Error("a logout token is taken that nobody could judge")
	}
	p.silent.Store(false)
	if !f.open(session) {
		t.Error("the session has ended")
	}
	f.must(f.EndedAtProvider(t.Context(), f.from, token)) // the provider tries again
	if f.open(session) {
		t.Error("the session goes on")
	}

	f.provider = nil
	f.Service = f.service(f.store)
	f.refused(f.EndedAtProvider(t.Context(), f.from, token), "There is no sign-in service")
}

// Tokens from strangers do not each cause a request to the provider, and an address that sends many invalid tokens is refused. Tokens from
// other addresses are still accepted.
func TestManyInvalidLogoutTokens(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	p := f.provided()
	f.connect("lena", "sub-lena")
	session := f.comes(p, "sub-lena", "first", "leads")
	before := p.asked.Load()
	elsewhere := access.Visitor{Address: "192.0.2.77"}
	for i := range 120 {
		err := f.EndedAtProvider(t.Context(), elsewhere, p.signed(p.logout(map[string]any{"aud": "payroll"})))
		if want := "The logout token is not valid"; i < 100 {
			f.refused(err, want)
		} else {
			f.refused(err, "Too many wrong attempts. Try again in 15 minutes")
		}
	}
	if asked := p.asked.Load() - before; asked > 2 {
		t.Errorf("the provider was asked %d times", asked)
	}
	f.must(f.EndedAtProvider(t.Context(), f.from, p.signed(p.logout(nil))))
	if f.open(session) {
		t.Error("the session goes on")
	}
	f.clock.move(2 * time.Minute) // the keys may have changed meanwhile
	f.must(f.EndedAtProvider(t.Context(), f.from, p.signed(p.logout(nil))))
	if asked := p.asked.Load() - before; asked < 3 {
		t.Errorf("the provider was asked %d times", asked)
	}
}

// An ID token that the provider issued to another client does not sign in.
func TestTokenOfAnotherClient(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	p := f.provided()
	f.connect("lena", "sub-lena")
	p.azp = "payroll"
	_, err := f.visits(p, "sub-lena", "first", "leads")
	f.refused(err, "The sign-in service did not sign you in")
	p.azp = client
	f.comes(p, "sub-lena", "first", "leads")
}
