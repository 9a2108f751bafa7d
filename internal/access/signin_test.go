package access_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

const password = "four birds on a wire"

// door is a Service on a database of its own, with one administrator.
type door struct {
	*access.Service
	t     *testing.T
	now   time.Time
	admin shop.User
}

func openDoor(t *testing.T, change ...func(*access.Options)) *door {
	t.Helper()
	d := &door{t: t, now: time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)}
	clock := func() time.Time { return d.now }
	options := access.Options{
		Mode: access.All, Clock: clock, IDs: ident.NewIdentifiers(clock), Pepper: []byte("pepper"),
		Cost: access.Cost{MemoryKiB: 8, Passes: 1, Lanes: 1}, Logger: slog.New(slog.DiscardHandler),
	}
	for _, change := range change {
		change(&options)
	}
	var err error
	d.Service, err = access.New(t.Context(), enginetest.New(t).Open(t).(access.Store), options)
	if err != nil {
		t.Fatal(err)
	}
	code, err := d.SetupCode(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d.admin, err = d.SetUp(t.Context(), access.SetUpInput{
		Code: input.Given(code), Login: input.Given("boss"), Name: input.Given("The Boss"), Password: input.Given(password),
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// as returns a request of a user who signed in with the password.
func (d *door) as(login string) *http.Request {
	d.t.Helper()
	_, cookie, err := d.SignIn(d.t.Context(), access.Visitor{Address: "192.0.2.1"}, access.SignInInput{
		Login: input.Given(login), Password: input.Given(password),
	})
	if err != nil {
		d.t.Fatal(err)
	}
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.AddCookie(cookie)
	return request
}

// Every wrong attempt costs one hash, so that its duration does not reveal what was wrong; an attempt that the limit refuses costs none.
func TestEveryAttemptCostsOneHash(t *testing.T) {
	t.Parallel()
	d := openDoor(t)
	request, err := d.Admit(d.as("boss"), shop.Admin)
	if err != nil {
		t.Fatal(err)
	}
	ctx := request.Context()
	badge, err := d.NewBadge(ctx, d.admin.ID) // the user has no PIN
	if err != nil {
		t.Fatal(err)
	}
	hashes := access.CountHashes(d.Service)
	attempt := func(in access.SignInInput) error {
		from := access.Visitor{Address: "192.0.2.1", Station: access.Station{ID: "stn_1"}}
		_, _, err := d.SignIn(context.Background(), from, in)
		return err
	}
	for name, in := range map[string]access.SignInInput{
		"wrong password": {Login: input.Given("boss"), Password: input.Given("wrong")},
		"unknown login":  {Login: input.Given("nobody"), Password: input.Given("wrong")},
		"no PIN":         {Badge: input.Given(badge), PIN: input.Given("271828")},
		"unknown badge":  {Badge: input.Given(access.BadgePrefix + "x"), PIN: input.Given("271828")},
		"right password": {Login: input.Given("boss"), Password: input.Given(password)},
	} {
		before := hashes.Load()
		err := attempt(in)
		if (err == nil) != (name == "right password") || err != nil && err.Error() != "The login or the password is not valid" {
			t.Errorf("%s: %v", name, err)
		}
		if made := hashes.Load() - before; made != 1 {
			t.Errorf("%s costs %d hashes", name, made)
		}
	}
	wrong := access.SignInInput{Login: input.Given("nobody"), Password: input.Given("wrong")}
	for range 5 {
		_ = attempt(wrong)
	}
	before := hashes.Load()
	if err := attempt(wrong); err == nil || !strings.HasPrefix(err.Error(), "Too many wrong attempts.") || hashes.Load() != before {
		t.Errorf("%v, for %d hashes", err, hashes.Load()-before)
	}
}

// A hash that the owner of the database copies to the row of another user, or of another kind of secret, is not valid there. A secret in
// the former form, without an owner, is accepted once and then stored with its owner.
func TestHashesBelongToTheirOwner(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	secretOf := func(userID string) (kept access.Secret) {
		f.must(f.store.(access.Store).ViewAccess(t.Context(), func(tx access.Reader) (err error) {
			kept, err = tx.Secret(userID, access.Password)
			return err
		}))
		return kept
	}
	put := func(secret access.Secret) {
		f.must(f.store.(access.Store).UpdateAccess(t.Context(), func(tx access.Tx) error { return tx.PutSecret(secret) }))
	}
	signIn := func(login string) error {
		_, _, err := f.SignIn(t.Context(), f.from, access.SignInInput{Login: input.Given(login), Password: input.Given(password)})
		return err
	}
	toms := secretOf("user_tom")
	lenas := secretOf("user_lena")
	f.must(signIn("lena"))
	lenas.UserID = "user_tom"
	put(lenas)
	f.refused(signIn("tom"), "The login or the password is not valid")

	toms.Hash = access.HashBefore(f.Service, password)
	put(toms)
	f.must(signIn("tom"))
	renewed := secretOf("user_tom")
	if renewed.Hash == toms.Hash || renewed.ChangedAt != toms.ChangedAt || renewed.SetBy != toms.SetBy {
		t.Errorf("stored is %+v, before %+v", renewed, toms)
	}
	f.must(signIn("tom"))
	renewed.UserID = "user_lena"
	put(renewed)
	f.refused(signIn("lena"), "The login or the password is not valid")
}
