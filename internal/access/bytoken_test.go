package access_test

import (
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// docs/access.md, "Passwords, PINs, sessions": a token, even an administrator's, cannot manage credentials: it cannot end sessions or clear
// wrong attempts.
func TestTokensEndNoSessions(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	boss := f.as("boss")
	made, err := f.CreateToken(boss, f.users["boss"].ID, access.CreateTokenInput{
		Name: input.Given("script"), Permissions: input.Given([]input.TextInput{input.Given("admin"), input.Given("read")}),
	})
	f.must(err)
	request := f.request()
	request.Header.Set("Authorization", "Bearer "+made.Text)
	admitted, err := f.Admit(request, shop.Admin)
	f.must(err)
	lena := f.signedIn("lena", password)
	sessions, err := f.Sessions(f.in(lena), "user_lena")
	f.must(err)
	const byToken = "Credentials are managed by people who are signed in"
	for _, session := range sessions {
		f.refused(f.EndSession(admitted.Context(), "user_lena", session.ID), byToken)
	}
	f.refused(f.Unlock(admitted.Context(), "user_lena"), byToken)
	f.in(lena) // the session continues
	for _, session := range sessions {
		f.must(f.EndSession(boss, "user_lena", session.ID))
	}
	if _, err := f.Admit(f.request(lena), shop.Entering); err == nil {
		t.Error("an administrator who is signed in does not end it")
	}
}
