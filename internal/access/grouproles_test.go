package access_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/passkeytest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

const again = "Sign in at the company account again"

func (f *factory) may(cookie *http.Cookie, needs shop.Permission, others ...*http.Cookie) error {
	_, err := f.Admit(f.request(append(others, cookie)...), needs)
	return err
}

// docs/access.md, "With the company account": roles from groups end twelve hours after the last sign-in with the provider, in sessions,
// badges and tokens.
func TestRolesFromGroupsEnd(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	p := f.provided()
	lena := f.signedIn("lena", password)
	withPIN, err := f.ChangePIN(f.in(lena), f.from, "user_lena", access.ChangePINInput{PIN: input.Given("271828"), Password: input.Given(password)})
	f.must(err)
	badge, err := f.NewBadge(f.in(withPIN), "user_lena")
	f.must(err)
	phone := passkeytest.New(t, origin)
	f.register(f.in(withPIN), phone, "Phone")
	token, err := f.CreateToken(f.in(withPIN), "user_lena", access.CreateTokenInput{Name: input.Given("x"), Permissions: input.GivenTexts("read", "plan")})
	f.must(err)
	program := func(needs shop.Permission) error {
		request := f.request()
		request.Header.Set("Authorization", "Bearer "+token.Text)
		_, err := f.Admit(request, needs)
		return err
	}
	f.connect("lena", "sub-lena")
	f.comes(p, "sub-lena", "first", "leads")

	from, workstation := f.atStation()
	f.clock.move(12*time.Hour - time.Millisecond)
	withBadge := func() (*http.Cookie, error) {
		_, cookie, err := f.SignIn(t.Context(), from, access.SignInInput{Badge: input.Given(badge), PIN: input.Given("271828")})
		return cookie, err
	}
	session, err := withBadge()
	f.must(err)
	f.must(f.may(session, shop.Decide, workstation))
	f.must(program(shop.Plan))
	asked, attempt := f.begin()
	f.clock.move(time.Millisecond)

	for _, needs := range []shop.Permission{shop.Read, shop.Decide, shop.SignedIn} {
		f.refused(f.may(session, needs, workstation), again)
		f.refused(program(needs), again)
	}
	f.must(f.may(session, shop.Entering, workstation)) // to sign out
	f.refused(f.may(session, shop.Admin, workstation), again)
	_, err = withBadge()
	f.refused(err, again)
	_, _, err = f.SignIn(t.Context(), f.from, access.SignInInput{Login: input.Given("lena"), Password: input.Given(password)})
	f.refused(err, again) // a person who left the company still has a password
	_, _, err = f.finish(attempt, phone.Get(asked))
	f.refused(err, again)
	for range 10 { // a right secret does not count as a wrong attempt
		_, err = withBadge()
		f.refused(err, again)
	}

	// After she signs in with the provider, everything that has not ended meanwhile works again.
	f.comes(p, "sub-lena", "second", "leads")
	f.must(f.may(session, shop.Decide, workstation))
	f.must(program(shop.Plan))
	// Her removal from the group still counts.
	f.clock.move(time.Hour)
	f.comes(p, "sub-lena", "third")
	f.refused(program(shop.Plan), "This needs the permission plan")
}

// docs/access.md, "With the company account": roles from administrators stay after roles from groups have ended, and the refusal says how
// to get the roles from groups back.
func TestOwnRolesStay(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	p := f.provided()
	_, err := f.ChangeAccount(f.as("boss"), "user_lena", access.ChangeAccountInput{Roles: input.GivenTexts("operator", "lead")})
	f.must(err)
	f.connect("lena", "sub-lena")
	f.comes(p, "sub-lena", "first", "leads")
	f.clock.move(12 * time.Hour)
	as, cookie, err := f.SignIn(t.Context(), f.from, access.SignInInput{Login: input.Given("lena"), Password: input.Given(password)})
	f.must(err)
	if !slices.Equal(as.Permissions, []shop.Permission{shop.Read, shop.Work}) {
		t.Errorf("%v", as.Permissions)
	}
	f.must(f.may(cookie, shop.Work))
	f.must(f.may(cookie, shop.SignedIn))
	f.refused(f.may(cookie, shop.Plan), again)
	f.refused(f.may(cookie, shop.Admin), "This needs the permission admin")
	what := shop.SignInput{
		Meaning: input.Given("approval"), Operation: input.Given("scrap"), Target: input.Given("/api/serials/SN-00001/scrap"),
		BodySHA256: input.Given(access.BodySHA256(nil)),
	}
	_, err = f.Sign(f.in(cookie), f.from, access.SignInput{SignInput: what, Password: input.Given(password)})
	f.refused(err, again)
	// She cannot sign as the second person either, next to a person who may sign.
	_, err = f.SignForm(f.as("tom"), f.from, shop.SignScrap, "/api/serials/SN-00001/scrap", nil, access.PageSignature{
		Login: "lena", Secret: password, Meaning: input.Given("approval"),
	})
	f.refused(err, again)
	// Tom, who is unknown to the provider, has the same role from an administrator.
	f.must(f.may(f.signedIn("tom", password), shop.Plan))
}

// Roles from groups end with the connection, but a connection that gives the last administrator the role cannot be removed.
func TestRolesEndWithTheConnection(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	p := f.provided()
	f.connect("lena", "sub-lena")
	f.comes(p, "sub-lena", "first", "leads")
	f.connect("lena", "")
	f.refused(f.may(f.signedIn("lena", password), shop.Plan), "This needs the permission plan")

	f.provider.Roles = append(f.provider.Roles, access.GroupRole{Group: "admins", Role: "admin"})
	f.Service = f.service(f.store)
	f.connect("boss", "sub-boss")
	f.refused(f.Connect(f.as("boss"), f.users["boss"].ID, input.Given("")), "Somebody has to keep the role admin")
	f.must(f.may(f.signedIn("boss", password), shop.Admin)) // until she must have signed in with the provider
	f.clock.move(12 * time.Hour)
	_, _, err := f.SignIn(t.Context(), f.from, access.SignInInput{Login: input.Given("boss"), Password: input.Given(password)})
	f.refused(err, again)
	f.comes(p, "sub-boss", "boss", "admins")
	f.must(f.may(f.signedIn("boss", password), shop.Admin))
}

// docs/access.md, "With the company account": the trail says which entries were made for the provider.
func TestEntriesMadeForTheProvider(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	p := f.provided()
	f.provider.Create = true
	f.Service = f.service(f.store)
	f.connect("lena", "sub-lena")
	f.comes(p, "sub-lena", "first")
	f.comes(p, "sub-new", "new", "leads")
	var told []string
	f.must(f.store.View(t.Context(), func(tx shop.Reader) error {
		entries, err := tx.AuditAfter(0, 1000)
		told = nil
		for _, entry := range entries[len(entries)-3:] {
			told = append(told, string(entry.Action)+" "+entry.UserID+" "+entry.Actor)
		}
		return err
	}))
	want := []string{"account_changed boss ", "account_changed lena oidc", "account_changed sub-new oidc"}
	if !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}
