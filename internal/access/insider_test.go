package access_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/passkeytest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// insider is a dishonest administrator, the boss, with everything that the boss knows and holds.
type insider struct {
	*factory
	provider *signer
	station  access.Visitor
	atSaw    *http.Cookie
	secrets  map[string]map[access.SecretKind]string // the secrets that the boss knows, by login
	badges   map[string]string
	phones   map[string]*passkeytest.Authenticator // each with a passkey of the account, by login
	sessions []*http.Cookie                        // sessions that began with a badge or with the provider
	made     int
}

// ownSubject is the subject of the boss at the provider.
const ownSubject = "sub-boss"

func newInsider(t *testing.T) *insider {
	t.Helper()
	in := &insider{
		factory: openFactory(t), badges: map[string]string{}, phones: map[string]*passkeytest.Authenticator{},
		secrets: map[string]map[access.SecretKind]string{"boss": {access.Password: password}},
	}
	in.provider = in.provided()
	in.factory.provider.Create = true
	in.Service = in.service(in.store)
	in.account(in.as("boss"), "ada", "admin")
	in.reset("ada")
	in.replace("ada", byBoss)
	in.confirm("ada", "tom")
	in.station, in.atSaw = in.atStation()
	return in
}

// account adds a user with an account.
func (in *insider) account(ctx context.Context, login string, roles ...string) {
	user := shop.User{ID: "user_" + login, Name: "Name of " + login, Active: true, CreatedAt: 1}
	in.must(in.store.(access.Store).UpdateAccess(in.t.Context(), func(tx access.Tx) error { return tx.InsertUser(user) }))
	if made, err := in.ChangeAccount(ctx, user.ID, access.ChangeAccountInput{
		Login: input.Given(login), Roles: input.GivenTexts(roles...),
	}); err == nil {
		in.users[login] = made
	}
}

// forgive clears wrong attempts, because this test does not concern them.
func (in *insider) forgive() {
	in.must(in.store.(access.Store).UpdateAccess(in.t.Context(), func(tx access.Tx) error {
		return tx.DeleteAttemptsBefore(ident.TimestampOf(in.clock.read().Add(time.Hour)))
	}))
}

func (in *insider) login(t *rapid.T) string {
	return rapid.SampledFrom(slices.Sorted(maps.Keys(in.users))).Draw(t, "login")
}

// acting returns the context of a session that the boss holds, of any user. It is nil if that session is refused.
func (in *insider) acting(t *rapid.T) context.Context {
	in.forgive()
	known := slices.Sorted(maps.Keys(in.secrets))
	i := rapid.IntRange(0, len(known)+len(in.sessions)-1).Draw(t, "session")
	var cookie *http.Cookie
	if i >= len(known) {
		cookie = in.sessions[i-len(known)]
	} else if cookie = in.signIn(known[i]); cookie == nil {
		return nil
	}
	admitted, err := in.Admit(in.request(cookie, in.atSaw), shop.Entering)
	if err != nil || access.IdentityOf(admitted.Context()) == nil {
		return nil
	}
	return admitted.Context()
}

// signIn signs in with a password that the boss knows, and returns the session's cookie; nil if the password is wrong.
func (in *insider) signIn(login string) *http.Cookie {
	known, ok := in.secrets[login][access.Password]
	if !ok {
		return nil
	}
	_, cookie, err := in.SignIn(in.t.Context(), in.from, access.SignInInput{Login: input.Given(login), Password: input.Given(known)})
	if err != nil {
		return nil
	}
	return cookie
}

func (in *insider) knows(login string, kind access.SecretKind, secret string) {
	if in.secrets[login] == nil {
		in.secrets[login] = map[access.SecretKind]string{}
	}
	in.secrets[login][kind] = secret
}

// secret makes up a new secret.
func (in *insider) secret(kind access.SecretKind) string {
	in.made++
	if kind == access.PIN {
		return fmt.Sprintf("271828%04d", in.made)
	}
	return fmt.Sprintf("sixteen birds on wire %d", in.made)
}

func (in *insider) createAccount(t *rapid.T) {
	ctx := in.acting(t)
	if ctx == nil {
		return
	}
	in.made++
	in.account(ctx, fmt.Sprintf("puppet%d", in.made), rapid.SampledFrom([]string{"admin", "lead", "quality"}).Draw(t, "role"))
}

func (in *insider) changeRoles(t *rapid.T) {
	if ctx := in.acting(t); ctx != nil {
		role := rapid.SampledFrom([]string{"admin", "quality"}).Draw(t, "role")
		_, _ = in.ChangeAccount(ctx, in.users[in.login(t)].ID, access.ChangeAccountInput{Roles: input.GivenTexts("lead", role)})
	}
}

func (in *insider) activate(t *rapid.T) {
	login, active := in.login(t), rapid.Bool().Draw(t, "active")
	if login == "boss" {
		return
	}
	in.must(in.store.(access.Store).UpdateAccess(in.t.Context(), func(tx access.Tx) error {
		user, err := tx.User(in.users[login].ID)
		if err != nil {
			return err
		}
		user.Active = active
		return tx.UpdateUser(user, 1)
	}))
}

func (in *insider) setSecret(t *rapid.T) {
	ctx, login, pin := in.acting(t), in.login(t), rapid.Bool().Draw(t, "pin")
	if ctx == nil {
		return
	}
	if pin {
		secret := in.secret(access.PIN)
		if _, err := in.ChangePIN(ctx, in.from, in.users[login].ID, access.ChangePINInput{PIN: input.Given(secret)}); err == nil {
			in.knows(login, access.PIN, secret)
		}
		return
	}
	secret := in.secret(access.Password)
	if _, err := in.ChangePassword(ctx, in.from, in.users[login].ID, access.ChangePasswordInput{Password: input.Given(secret)}); err == nil {
		in.knows(login, access.Password, secret)
	}
}

// replaceSecret replaces a secret that the boss knows, as its owner would.
func (in *insider) replaceSecret(t *rapid.T) {
	in.forgive()
	login, kind := in.login(t), rapid.SampledFrom([]access.SecretKind{access.Password, access.PIN}).Draw(t, "kind")
	cookie := in.signIn(login)
	if cookie == nil {
		return
	}
	ctx, secret, id := in.arrived(cookie), in.secret(kind), in.users[login].ID
	var err error
	if old := in.secrets[login][access.Password]; kind == access.PIN {
		_, err = in.ChangePIN(ctx, in.from, id, access.ChangePINInput{PIN: input.Given(secret), Password: input.Given(old)})
	} else {
		_, err = in.ChangePassword(ctx, in.from, id, access.ChangePasswordInput{Password: input.Given(secret), OldPassword: input.Given(old)})
	}
	if err == nil {
		in.knows(login, kind, secret)
	}
}

func (in *insider) makeBadge(t *rapid.T) {
	ctx, login := in.acting(t), in.login(t)
	if ctx == nil {
		return
	}
	if badge, err := in.NewBadge(ctx, in.users[login].ID); err == nil {
		in.badges[login] = badge
	}
}

func (in *insider) signInWithBadge(t *rapid.T) {
	in.forgive()
	login := in.login(t)
	if _, cookie, err := in.SignIn(in.t.Context(), in.station, access.SignInInput{
		Badge: input.Given(in.badges[login]), PIN: input.Given(in.secrets[login][access.PIN]),
	}); err == nil {
		in.sessions = append(in.sessions, cookie)
	}
}

func (in *insider) connectAccount(t *rapid.T) {
	if ctx := in.acting(t); ctx != nil {
		_ = in.Connect(ctx, in.users[in.login(t)].ID, input.Given(rapid.SampledFrom([]string{ownSubject, ownSubject, "", "sub-of-nobody"}).Draw(t, "subject")))
	}
}

func (in *insider) signInAtProvider(*rapid.T) {
	in.forgive()
	back, err := in.visits(in.provider, ownSubject, "session")
	if err != nil {
		return
	}
	in.sessions = append(in.sessions, back.Cookies[len(back.Cookies)-1])
	in.users[back.User.Login] = back.User // the user may be new
}

func (in *insider) registerPasskey(t *rapid.T) {
	ctx := in.acting(t)
	if ctx == nil {
		return
	}
	login, phone := access.IdentityOf(ctx).User.Login, passkeytest.New(in.t, origin)
	options, err := in.PasskeyRegistration(ctx, in.from, access.Confirmation{})
	if err != nil || login == "boss" {
		return
	}
	if _, err := in.RegisterPasskey(ctx, access.RegisterPasskeyInput{
		Name: input.Given("Phone"), Passkey: input.Given(phone.Create(asJSON(in.t, options))),
	}); err == nil {
		in.phones[login] = phone
	}
}

func (in *insider) confirmAnAccount(t *rapid.T) {
	if ctx := in.acting(t); ctx != nil {
		_, _ = in.ConfirmAccount(ctx, in.users[in.login(t)].ID)
	}
}

// honestReset performs the honest procedure when Lena cannot sign in any more: Ada sets her password, Lena replaces it, and Tom confirms
// her account. It does nothing while one of them is absent or an impostor.
func (in *insider) honestReset(*rapid.T) {
	in.forgive()
	for _, login := range []string{"ada", "tom"} {
		if cookie, err := in.honest(login, password); err != nil || in.may(cookie, shop.Entering) != nil {
			return
		}
	}
	in.made++
	given, own, pin := fmt.Sprintf("given by ada %d", in.made), fmt.Sprintf("birds of lena alone %d", in.made), fmt.Sprintf("314159%04d", in.made)
	ada, err := in.honest("ada", password)
	in.must(err)
	if _, err := in.ChangePassword(in.in(ada), in.from, "user_lena", access.ChangePasswordInput{Password: input.Given(given)}); err != nil {
		return
	}
	lena, err := in.honest("lena", given)
	if err != nil {
		return
	}
	changed, err := in.ChangePassword(in.arrived(lena), in.from, "user_lena", access.ChangePasswordInput{
		Password: input.Given(own), OldPassword: input.Given(given),
	})
	if err != nil {
		return
	}
	_, err = in.ChangePIN(in.arrived(changed), in.from, "user_lena", access.ChangePINInput{PIN: input.Given(pin), Password: input.Given(own)})
	in.must(err)
	tom, err := in.honest("tom", password)
	in.must(err)
	_, _ = in.ConfirmAccount(in.in(tom), "user_lena")
}

func (in *insider) honest(login, secret string) (*http.Cookie, error) {
	_, cookie, err := in.SignIn(in.t.Context(), in.from, access.SignInInput{Login: input.Given(login), Password: input.Given(secret)})
	return cookie, err
}

// signsAsOthers tries to sign as every other person with everything that the boss knows and holds.
func (in *insider) signsAsOthers(t *rapid.T) {
	in.forgive()
	const target = "/api/serials/SN-00001/scrap"
	mine := in.signIn("boss")
	if mine == nil {
		return // another account of the boss has locked this account out
	}
	boss := in.arrived(mine)
	what := shop.SignInput{
		Meaning: input.Given("approval"), Operation: input.Given("scrap"), Target: input.Given(target),
		BodySHA256: input.Given(access.ContentsSHA256(nil)),
	}
	signs := func(login string, with access.PageSignature) {
		with.Login, with.Meaning = login, input.Given("approval")
		if _, err := in.SignForm(boss, in.from, shop.SignScrap, target, nil, with); err == nil {
			t.Fatalf("the boss signs as %s", login)
		}
	}
	unconfirmed, err := in.UnconfirmedUsers(in.t.Context())
	in.must(err)
	for login, kinds := range in.secrets {
		if login == "boss" {
			continue
		}
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			in.forgive()
			signs(login, access.PageSignature{Secret: kinds[kind]})
		}
		if in.signIn(login) != nil && !slices.Contains(unconfirmed, in.users[login].ID) {
			t.Fatalf("the boss knows the password of %s, and the account is confirmed", login)
		}
	}
	for login, phone := range in.phones {
		in.forgive()
		if options, err := in.SigningOptions(boss, what); err == nil {
			signs(login, access.PageSignature{Passkey: phone.Get(asJSON(in.t, options))})
		}
	}
}

// A dishonest administrator who acts alone never signs as another person, whatever the order of operations on accounts: the others only
// follow the honest procedure when Lena cannot sign in.
func TestOneAdministratorNeverSignsAsAnother(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(drawn *rapid.T) {
		in := newInsider(t)
		drawn.Repeat(map[string]func(*rapid.T){
			"create": in.createAccount, "roles": in.changeRoles, "activate": in.activate, "secret": in.setSecret,
			"replace": in.replaceSecret, "replace again": in.replaceSecret, "badge": in.makeBadge, "station": in.signInWithBadge,
			"connect": in.connectAccount, "provider": in.signInAtProvider, "passkey": in.registerPasskey,
			"confirm": in.confirmAnAccount, "confirm again": in.confirmAnAccount, "honest reset": in.honestReset, "": in.signsAsOthers,
		})
	})
}

// Attacks by which one administrator alone tries to act as another person. None of them may succeed.
func TestWaysToBecomeAnother(t *testing.T) {
	t.Parallel()
	for name, attack := range map[string]func(in *insider) error{
		"all others are made inactive, and an account of one's own confirms": func(in *insider) error {
			in.puppet("puppet", "quality")
			in.inactive("lena", "ada", "tom")
			in.takeOver("boss", "tom")
			return in.confirms("puppet", "tom")
		},
		"all others are reset, and an account of one's own confirms": func(in *insider) error {
			in.puppet("puppet", "quality")
			in.takeOver("boss", "lena")
			in.takeOver("boss", "ada")
			in.takeOver("boss", "tom")
			return in.confirms("puppet", "tom")
		},
		"an account of one's own resets, and oneself confirms": func(in *insider) error {
			in.puppet("puppet", "admin")
			in.takeOver("puppet", "tom")
			return in.confirms("boss", "tom")
		},
		"two accounts of one's own reset each other before": func(in *insider) error {
			in.puppet("puppet", "admin")
			in.puppet("second", "admin")
			in.takeOver("puppet", "second")
			in.takeOver("second", "puppet")
			in.takeOver("puppet", "tom")
			return in.confirms("boss", "tom")
		},
		"one's account at the provider makes another one, which resets": func(in *insider) error {
			back, err := in.visits(in.provider, ownSubject, "session")
			in.must(err)
			in.users[ownSubject] = back.User
			in.takeOver("boss", ownSubject)
			_, err = in.ChangeAccount(in.as("boss"), back.User.ID, access.ChangeAccountInput{Roles: input.GivenTexts("admin")})
			in.must(err)
			in.takeOver(ownSubject, "tom")
			return in.confirms("boss", "tom")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := newInsider(t)
			if err := attack(in); err == nil {
				t.Error("the account is confirmed")
			}
			ids, err := in.UnconfirmedUsers(t.Context())
			if err != nil || !slices.Contains(ids, "user_tom") {
				t.Errorf("unconfirmed are %v, %v", ids, err)
			}
		})
	}
}

// puppet makes an account that the boss uses as if it were another person's.
func (in *insider) puppet(login string, roles ...string) {
	in.account(in.as("boss"), login, roles...)
	in.takeOver("boss", login)
}

func (in *insider) inactive(logins ...string) {
	for _, login := range logins {
		in.must(in.store.(access.Store).UpdateAccess(in.t.Context(), func(tx access.Tx) error {
			user := in.users[login]
			user.Active = false
			return tx.UpdateUser(user, 1)
		}))
	}
}

// takeOver sets a user's password and then replaces it, as the user would. It first makes the account active.
func (in *insider) takeOver(by, login string) {
	in.t.Helper()
	in.must(in.store.(access.Store).UpdateAccess(in.t.Context(), func(tx access.Tx) error {
		user, err := tx.User(in.users[login].ID)
		if err != nil {
			return err
		}
		user.Active = true
		return tx.UpdateUser(user, 1)
	}))
	const given = "seven birds on a wire"
	_, err := in.ChangePassword(in.as(by), in.from, in.users[login].ID, access.ChangePasswordInput{Password: input.Given(given)})
	in.must(err)
	in.replace(login, given)
}

func (in *insider) confirms(by, login string) error {
	_, err := in.ConfirmAccount(in.as(by), in.users[login].ID)
	return err
}

// A secret that an earlier setter may know is replaced before the account is confirmed.
func TestEarlierSecretsAreReplacedBeforeConfirming(t *testing.T) {
	t.Parallel()
	in := newInsider(t)
	in.takeOver("boss", "lena")
	changed, err := in.ChangePIN(in.as("lena"), in.from, "user_lena", access.ChangePINInput{PIN: input.Given("271828"), Password: input.Given(password)})
	in.must(err)
	if !in.open(changed) {
		t.Fatal("the session has ended")
	}
	_, err = in.ChangePassword(in.as("ada"), in.from, "user_lena", access.ChangePasswordInput{Password: input.Given(byBoss)})
	in.must(err)
	in.replace("lena", byBoss)
	in.refused(in.confirms("tom", "lena"), "lena has to replace the password or the PIN first")
	_, err = in.ChangePIN(in.as("lena"), in.from, "user_lena", access.ChangePINInput{PIN: input.Given("314159"), Password: input.Given(password)})
	in.must(err)
	in.must(in.confirms("tom", "lena"))
}

// A new connection with the provider makes an account unconfirmed, even if the user connects their own account.
func TestConnectionMakesUnconfirmed(t *testing.T) {
	t.Parallel()
	in := newInsider(t)
	what := func() error {
		_, err := in.SignForm(in.as("lena"), in.from, shop.SignScrap, "/x", nil, access.PageSignature{Secret: password, Meaning: input.Given("approval")})
		return err
	}
	in.must(what())
	in.connect("lena", "sub-lena")
	in.refused(what(), notConfirmed)
	_, err := in.ConfirmAccount(in.as("boss"), "user_lena")
	in.refused(err, "A second person has to confirm this account")
	in.confirm("lena", "tom")
	in.must(what())
}

// Confirming an account needs a secret that was just given, and is refused in a session that began with a badge.
func TestConfirmingNeedsAFreshSecret(t *testing.T) {
	t.Parallel()
	in := newInsider(t)
	in.reset("lena")
	in.replace("lena", byBoss)
	withPIN, err := in.ChangePIN(in.as("tom"), in.from, "user_tom", access.ChangePINInput{PIN: input.Given("271828"), Password: input.Given(password)})
	in.must(err)
	badge, err := in.NewBadge(in.in(withPIN), "user_tom")
	in.must(err)
	_, cookie, err := in.SignIn(t.Context(), in.station, access.SignInInput{Badge: input.Given(badge), PIN: input.Given("271828")})
	in.must(err)
	admitted, err := in.Admit(in.request(cookie, in.atSaw), shop.Entering)
	in.must(err)
	const again = "Confirm that it is you"
	_, err = in.ConfirmAccount(admitted.Context(), "user_lena")
	in.refused(err, again)
	session := in.signedIn("tom", password)
	in.clock.move(6 * time.Minute)
	_, err = in.ConfirmAccount(in.in(session), "user_lena")
	in.refused(err, again)
	in.must(in.ConfirmSelf(in.in(session), in.from, access.ConfirmSelfInput{Password: input.Given(password)}))
	_, err = in.ConfirmAccount(in.in(session), "user_lena")
	in.must(err)
}
