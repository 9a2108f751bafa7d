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

// D9: a logout token ends the session that it names, or all that somebody began with the provider, and no others.
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
		f.must(f.EndedAtProvider(t.Context(), p.signed(p.logout(otherwise))))
	}
	logout(map[string]any{"sid": "toms"}) // which is not hers
	logout(map[string]any{"sub": "sub-nobody"})
	logout(map[string]any{"sub": nil, "sid": "another"})
	check("others' logouts", map[*http.Cookie]bool{typed: true, first: true, second: true, toms: true})
	logout(map[string]any{"sub": nil, "sid": "first"})
	check("of one session", map[*http.Cookie]bool{typed: true, first: false, second: true, toms: true})
	third := f.comes(p, "sub-lena", "third", "leads")
	logout(nil)
	check("of a person", map[*http.Cookie]bool{typed: true, second: false, third: false, toms: true})
}

// D9: only what the provider signed to end sessions, for this client, just now, ends one, and once.
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
		"no token":           "",
		"no JSON":            "e30.x.e30",
	} {
		f.refused(f.EndedAtProvider(t.Context(), token), refused)
		if !f.open(session) {
			t.Fatalf("%s ended a session", name)
		}
	}

	token := p.signed(p.logout(nil))
	f.must(f.EndedAtProvider(t.Context(), token))
	session = f.comes(p, "sub-lena", "second", "leads")
	f.refused(f.EndedAtProvider(t.Context(), token), refused) // a replay
	f.clock.move(6 * time.Minute)
	f.refused(f.EndedAtProvider(t.Context(), token), refused)
	if !f.open(session) {
		t.Error("a logout token ended a session that began after it was taken")
	}

	// Two instances are handed the same one at once.
	token = p.signed(p.logout(nil))
	other := f.service(f.store)
	var wait sync.WaitGroup
	errs := make([]error, 2)
	for i, door := range []*access.Service{f.Service, other} {
		wait.Go(func() { errs[i] = door.EndedAtProvider(t.Context(), token) })
	}
	wait.Wait()
	if (errs[0] == nil) == (errs[1] == nil) {
		t.Errorf("one of two takes it: %v, %v", errs[0], errs[1])
	}
}

// D9: a provider that never answers keeps nobody waiting for longer than it takes to ask it, and ends no session.
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
	if err := f.EndedAtProvider(ctx, token); err == nil {
		t.Error("a logout token is taken that nobody could judge")
	}
	p.silent.Store(false)
	if !f.open(session) {
		t.Error("the session has ended")
	}
	f.must(f.EndedAtProvider(t.Context(), token)) // the provider tries again
	if f.open(session) {
		t.Error("the session goes on")
	}

	f.provider = nil
	f.Service = f.service(f.store)
	f.refused(f.EndedAtProvider(t.Context(), token), "There is no sign-in service")
}
