package access_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// docs/access.md, "The security log": it has sign-ins, refusals and changes, and only logins that exist.
func TestSecurityLog(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	d := openDoor(t, func(o *access.Options) { o.Security = slog.New(slog.NewJSONHandler(&log, nil)) })
	signed := d.as("boss")
	for _, login := range []string{"boss", "my-password-by-mistake"} {
		_, _, _ = d.SignIn(t.Context(), access.Visitor{Address: "192.0.2.1"}, access.SignInInput{Login: input.Given(login), Password: input.Given("wrong-secret")})
	}
	if _, err := d.Admit(signed.Clone(t.Context()), shop.Work); err == nil {
		t.Error("the boss may work")
	}
	request, err := d.Admit(signed, shop.Admin)
	if err != nil {
		t.Fatal(err)
	}
	here := access.Visitor{Address: "192.0.2.2"}
	wrong := input.Given("wrong-secret")
	if err := d.ConfirmSelf(request.Context(), here, access.ConfirmSelfInput{Password: wrong}); err == nil {
		t.Error("a wrong password confirms")
	}
	if _, err := d.Sign(request.Context(), here, access.SignInput{Password: wrong, SignInput: shop.SignInput{
		Meaning: input.Given("approval"), Operation: input.Given("accounts"), Target: input.Given("/api/users/x/account"),
		BodySHA256: input.Given(access.BodySHA256(nil)),
	}}); err == nil {
		t.Error("a wrong password signs")
	}
	if _, err := d.ChangePassword(request.Context(), here, d.admin.ID, access.ChangePasswordInput{
		Password: input.Given("five birds on a wire"), OldPassword: wrong,
	}); err == nil {
		t.Error("a wrong password changes the password")
	}
	if err := d.ConfirmSelf(request.Context(), here, access.ConfirmSelfInput{Password: input.Given(password)}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.SetUp(request.Context(), access.SetUpInput{Code: wrong}); err == nil {
		t.Error("there is a second first administrator")
	}
	if err := d.Unlock(request.Context(), d.admin.ID); err != nil {
		t.Fatal(err)
	}
	other, err := d.Admit(d.as("boss"), shop.Admin)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.EndSession(request.Context(), d.admin.ID, access.IdentityOf(other.Context()).Session.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := d.SignOut(request.Context()); err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for line := range strings.Lines(log.String()) {
		var event struct{ Msg, Login, Means, Address, Outcome string }
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.Join([]string{event.Msg, event.Login, event.Means, event.Outcome}, " "))
		if want := map[string]string{"sign_in": "192.0.2.1", "proof": "192.0.2.2"}[event.Msg]; want != "" && event.Address != want {
			t.Error(line)
		}
	}
	want := []string{
		"account_changed boss  done", "sign_in boss password right", "sign_in boss password wrong_login_or_password",
		"sign_in  password wrong_login_or_password", "refused boss password permission_needed",
		"proof boss password wrong_login_or_password", "proof boss password wrong_login_or_password",
		"proof boss password wrong_login_or_password", "setup   setup_code_not_valid", "account_unlocked boss password done",
		"sign_in boss password right", "session_ended boss password done", "sign_out boss password done",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the log has\n%s", strings.Join(got, "\n"))
	}
	for _, secret := range []string{"by-mistake", "wrong-secret", password} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log has %s", secret)
		}
	}
}
