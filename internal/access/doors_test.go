package access_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/passkeytest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
)

const (
	byBoss       = "given by the boss"
	changeFirst  = "Change your password first"
	giveFirst    = "Give your second factor first"
	notConfirmed = "Your account is not confirmed yet"
)

// reset sets a user's password. The boss does it.
func (f *factory) reset(login string) {
	f.t.Helper()
	_, err := f.ChangePassword(f.as("boss"), f.from, f.users[login].ID, access.ChangePasswordInput{Password: input.Given(byBoss)})
	f.must(err)
}

// docs/access.md, "Secrets set by an administrator"; docs/access.md, "Second factors": users with a second factor must give it first. If
// another user set one of their secrets, they must then replace that secret before anything else.
func TestSecondFactorBeforeSecrets(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	generate, recovery := f.generator(f.as("lena"))
	half := f.arrived(f.signedIn("lena", password))
	own := access.ChangePasswordInput{Password: input.Given("five birds on a wire"), OldPassword: input.Given(password)}
	for name, try := range map[string]func() error{
		"password": func() error { _, err := f.ChangePassword(half, f.from, "user_lena", own); return err },
		"PIN": func() error {
			_, err := f.ChangePIN(half, f.from, "user_lena", access.ChangePINInput{PIN: input.Given("271828"), Password: input.Given(password)})
			return err
		},
		"badge": func() error { _, err := f.NewBadge(half, "user_lena"); return err },
		"token": func() error {
			_, err := f.CreateToken(half, "user_lena", access.CreateTokenInput{Name: input.Given("x"), Permissions: input.GivenTexts("read")})
			return err
		},
		"confirmation": func() error { _, err := f.ConfirmAccount(half, "user_tom"); return err },
		"codes": func() error {
			return f.RemoveOneTimeCodes(half, f.from, access.Confirmation{Password: input.Given(password)})
		},
	} {
		if err := try(); err == nil || err.Error() != giveFirst {
			t.Errorf("%s: %v", name, err)
		}
	}

	f.reset("lena")
	cookie := f.signedIn("lena", byBoss)
	half = f.arrived(cookie)
	own.OldPassword = input.Given(byBoss)
	_, err := f.ChangePassword(half, f.from, "user_lena", own)
	f.refused(err, giveFirst)
	f.clock.move(time.Minute)
	as, whole, err := f.GiveSecondFactor(half, f.from, access.SecondFactorInput{Code: input.Given(generate())})
	f.must(err)
	if !as.MustChange {
		t.Error("nobody tells her to replace the password")
	}
	for _, needs := range []shop.Permission{shop.Entering, shop.SignedIn, shop.Read, shop.Plan} {
		f.refused(f.may(whole, needs), changeFirst)
	}
	changed, err := f.ChangePassword(f.arrived(whole), f.from, "user_lena", own)
	f.must(err)
	f.must(f.may(changed, shop.Plan)) // she has given the factor in this session
	f.must(f.RemoveOneTimeCodes(f.in(changed), f.from, access.Confirmation{}))
	f.refused(f.code(f.in(changed), recovery[0]), wrongCode)
}

// docs/access.md, "Secrets set by an administrator"; docs/access.md, "Second factors": users who must set up a second factor must first
// replace a secret set by another user, and cannot change another secret before that.
func TestSecretsBeforeSettingUp(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	_, err := f.SetAccessPolicy(f.as("boss"), access.PolicyInput{SecondFactor: input.GivenTexts("lead")})
	f.must(err)
	const setUp = "Set up a second factor first"
	own := access.ChangePasswordInput{Password: input.Given("five birds on a wire"), OldPassword: input.Given(password)}
	_, err = f.ChangePassword(f.arrived(f.signedIn("lena", password)), f.from, "user_lena", own)
	f.refused(err, setUp)

	f.reset("lena")
	cookie := f.signedIn("lena", byBoss)
	f.refused(f.may(cookie, shop.Entering), changeFirst)
	own.OldPassword = input.Given(byBoss)
	changed, err := f.ChangePassword(f.arrived(cookie), f.from, "user_lena", own)
	f.must(err)
	f.must(f.may(changed, shop.Entering))
	f.refused(f.may(changed, shop.SignedIn), setUp)
}

// docs/access.md, "Secrets set by an administrator": a passkey does not avoid replacing a secret.
func TestPasskeyBeforeReplacing(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	phone := passkeytest.New(t, origin)
	f.register(f.as("lena"), phone, "Phone")
	f.reset("lena")
	options, attempt := f.begin()
	as, cookies, err := f.finish(attempt, phone.Get(options))
	f.must(err)
	if !as.MustChange {
		t.Error("nobody tells her to replace the password")
	}
	for _, needs := range []shop.Permission{shop.Entering, shop.SignedIn, shop.Read} {
		f.refused(f.may(cookies[0], needs), changeFirst)
	}
}

// docs/access.md, "Secrets set by an administrator"; docs/access.md, "Second factors": the passkey of an unconfirmed account cannot make
// signatures. The administrator who set the secret may have registered the passkey, so the confirmation removes it, ends the session that
// began with it, and writes audit entries.
func TestConfirmationRemovesFactors(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	f.reset("lena")
	f.replace("lena", byBoss) // as the boss could
	phone := passkeytest.New(t, origin)
	made := f.register(f.as("lena"), phone, "Phone")
	tom := f.as("tom")
	f.generator(tom)
	options, attempt := f.begin()
	_, cookies, err := f.finish(attempt, phone.Get(options))
	f.must(err)
	lena := f.in(cookies[0])
	what := shop.SignInput{
		Meaning: input.Given("approval"), Operation: input.Given("scrap"), Target: input.Given("/api/serials/SN-00001/scrap"),
		BodySHA256: input.Given(access.ContentsSHA256(nil)),
	}
	signs := func(ctx context.Context) error {
		options, err := f.SigningOptions(ctx, what)
		f.must(err)
		_, err = f.Sign(ctx, f.from, access.SignInput{SignInput: what, Passkey: input.Given(phone.Get(asJSON(t, options)))})
		return err
	}
	f.refused(signs(lena), notConfirmed)
	boss := f.as("boss")
	asked, err := f.SigningOptions(boss, what)
	f.must(err)
	_, err = f.SignForm(boss, f.from, shop.SignScrap, "/api/serials/SN-00001/scrap", nil, access.PageSignature{
		Login: "lena", Passkey: phone.Get(asJSON(t, asked)), Meaning: input.Given("approval"),
	})
	f.refused(err, notConfirmed)

	options, attempt = f.begin()
	answer := phone.Get(options)
	_, err = f.ConfirmAccount(tom, "user_lena")
	f.must(err)
	if f.open(cookies[0]) {
		t.Error("a session that began with the passkey goes on")
	}
	_, _, err = f.finish(attempt, answer)
	f.refused(err, wrongPasskey)
	var told []string
	f.must(f.store.View(t.Context(), func(tx shop.Reader) error {
		entries, err := tx.AuditAfter(0, 1000)
		told = nil
		for _, entry := range entries[len(entries)-2:] {
			told = append(told, string(entry.Action)+" "+entry.UserID+" "+string(entry.Metadata))
		}
		return err
	}))
	for i, want := range []string{
		`secret_changed tom {"accountId":"user_lena","login":"lena","kind":"passkey","passkeyId":"` + made.ID + `","name":"Phone","removed":true}`,
		`account_confirmed tom {"accountId":"user_lena","login":"lena"}`,
	} {
		if told[i] != want {
			t.Errorf("the trail: %s, want %s", told[i], want)
		}
	}
	if factors, err := f.SecondFactorsOf(t.Context(), "user_tom"); err != nil || !factors.OneTimeCodes {
		t.Errorf("somebody else's factors are gone: %+v, %v", factors, err)
	}

	// A passkey that she registers now can sign.
	lena, phone = f.as("lena"), passkeytest.New(t, origin)
	f.register(lena, phone, "Phone")
	f.must(signs(lena))
}

// A token that was made while an account was unconfirmed may belong to the administrator who set the secret. The confirmation revokes it,
// and the trail records that. Tokens from before stay valid.
func TestConfirmationRevokesTokens(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	created := func(name string) access.NewToken {
		f.clock.move(time.Minute)
		token, err := f.CreateToken(f.as("lena"), "user_lena", access.CreateTokenInput{
			Name: input.Given(name), Permissions: input.GivenTexts("read", "work"),
		})
		f.must(err)
		f.clock.move(time.Minute)
		return token
	}
	use := func(token access.NewToken) error {
		request := f.request()
		request.Header.Set("Authorization", "Bearer "+token.Text)
		_, err := f.Admit(request, shop.Work)
		return err
	}
	before := created("made by Lena")
	f.reset("lena")
	f.replace("lena", byBoss) // as the boss could
	impostor := created("made by the boss")
	f.must(use(impostor))
	f.reset("lena") // again, since Lena cannot sign in
	f.replace("lena", byBoss)
	f.confirm("lena", "tom")
	f.refused(use(impostor), "The token is not valid")
	f.must(use(before))
	f.must(f.store.View(t.Context(), func(tx shop.Reader) error {
		entries, err := tx.AuditAfter(0, 1000)
		if err != nil {
			return err
		}
		told := entries[len(entries)-2]
		if told.Action != shop.ActionTokenRevoked || told.UserID != "tom" || !strings.Contains(string(told.Metadata), impostor.ID) {
			t.Errorf("the trail: %+v", told)
		}
		return nil
	}))
	after := created("made by Lena again")
	f.reset("lena")
	f.replace("lena", byBoss)
	f.confirm("lena", "tom")
	f.must(use(after))
}

// At its first confirmation, a new account loses all tokens made before.
func TestFirstConfirmationRevokesTokens(t *testing.T) {
	t.Parallel()
	in := newInsider(t)
	in.puppet("paul", "lead")
	made, err := in.CreateToken(in.as("paul"), "user_paul", access.CreateTokenInput{
		Name: input.Given("made by the boss"), Permissions: input.GivenTexts("read"),
	})
	in.must(err)
	in.confirm("paul", "tom")
	request := in.request()
	request.Header.Set("Authorization", "Bearer "+made.Text)
	_, err = in.Admit(request, shop.Read)
	in.refused(err, "The token is not valid")
}

// No user can have a login that the trail uses for the program itself.
func TestReservedLogins(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	for _, login := range []string{"anonymous", "oidc"} {
		user := shop.User{ID: "user_x", Name: "X", Active: true, CreatedAt: 1}
		f.must(f.store.(access.Store).UpdateAccess(t.Context(), func(tx access.Tx) error {
			if _, err := tx.User(user.ID); err == nil {
				return nil
			}
			return tx.InsertUser(user)
		}))
		if made, err := f.ChangeAccount(f.as("boss"), user.ID, access.ChangeAccountInput{
			Login: input.Given(login), Roles: input.GivenTexts("viewer"),
		}); err == nil {
			t.Errorf("%s is a login: %+v", login, made)
		}
	}
}

// docs/access.md, "Stations"; docs/access.md, "With the company account": a session that began with a badge has only the permissions of
// badges, and loses those that roles from groups gave. A sign-in elsewhere gives it no permission that it never had.
func TestBadgesOfGroups(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	p := f.provided()
	_, err := f.ChangeAccount(f.as("boss"), "user_lena", access.ChangeAccountInput{Roles: input.GivenTexts("operator", "lead")})
	f.must(err)
	withPIN, err := f.ChangePIN(f.as("lena"), f.from, "user_lena", access.ChangePINInput{PIN: input.Given("271828"), Password: input.Given(password)})
	f.must(err)
	badge, err := f.NewBadge(f.in(withPIN), "user_lena")
	f.must(err)
	from, workstation := f.atStation()
	f.connect("lena", "sub-lena")
	f.comes(p, "sub-lena", "first", "leads")
	f.clock.move(12*time.Hour - time.Millisecond)
	in := access.SignInInput{Badge: input.Given(badge), PIN: input.Given("271828")}
	_, session, err := f.SignIn(t.Context(), from, in)
	f.must(err)
	may := func(session *http.Cookie, needs shop.Permission) error { return f.may(session, needs, workstation) }
	const plan = "This needs the permission plan"
	f.must(may(session, shop.Work))
	f.must(may(session, shop.Decide))
	f.refused(may(session, shop.Plan), plan)

	f.clock.move(time.Millisecond)
	f.must(may(session, shop.Work))
	f.refused(may(session, shop.Decide), again)
	f.refused(may(session, shop.Plan), plan)
	as, _, err := f.SignIn(t.Context(), from, in)
	f.must(err)
	if !slices.Equal(as.Permissions, []shop.Permission{shop.Read, shop.Work}) {
		t.Errorf("%v", as.Permissions)
	}
}

// docs/signatures.md, "A second administrator": the body that a second administrator signs may contain a new password. A copy of the
// database does not reveal it. A ticket is stored the same when the database runs the transaction again.
func TestSignedBodiesAreKeptUnderThePepper(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	plain := access.BodySHA256([]byte(`{"pin":"271828"}`))
	kept := func(s *access.Service) (kept shop.SignatureTicket) {
		ticket, err := s.Sign(f.as("boss"), f.from, access.SignInput{Password: input.Given(password), SignInput: shop.SignInput{
			Meaning: input.Given("approval"), Operation: input.Given("accounts"), Target: input.Given("/api/users/user_lena/pin"),
			BodySHA256: input.Given(plain),
		}})
		f.must(err)
		f.must(f.store.(access.Store).UpdateAccess(t.Context(), func(tx access.Tx) (err error) {
			kept, err = tx.SignatureTicket(access.Digest(ticket.Ticket))
			return err
		}))
		return kept
	}
	once, again := kept(f.Service), kept(f.service(runAgain{f.store, f.store.(access.Store)}))
	if once.BodySHA256 == "" || once.BodySHA256 == plain {
		t.Errorf("it is kept as %q", once.BodySHA256)
	}
	if again.BodySHA256 != once.BodySHA256 {
		t.Errorf("when the transaction ran again, it is kept as %q, and otherwise as %q", again.BodySHA256, once.BodySHA256)
	}
}

// runAgain is a store that rolls back the first attempt at every change of accounts, and runs the change again.
type runAgain struct {
	sqlstore.Store
	accounts
}

type accounts interface{ access.Store }

func (s runAgain) UpdateAccess(ctx context.Context, change func(access.Tx) error, options ...shop.UpdateOption) error {
	errTakenBack := errors.New("taken back")
	err := s.accounts.UpdateAccess(ctx, func(tx access.Tx) error { return errors.Join(change(tx), errTakenBack) }, options...)
	if !errors.Is(err, errTakenBack) {
		return err
	}
	return s.accounts.UpdateAccess(ctx, change, options...)
}

// Only a new user record can become a service account. If the record were that of a person who may have worked here, the maker of its
// tokens could act as that person.
func TestServiceAccountsAreNew(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	try := func(user shop.User, entries ...trail.Entry) error {
		user.Active = true
		f.must(f.store.(access.Store).UpdateAccess(t.Context(), func(tx access.Tx) error {
			return errors.Join(tx.InsertUser(user), tx.AppendAudit(entries...))
		}))
		_, err := f.ChangeAccount(f.as("boss"), user.ID, access.ChangeAccountInput{
			Login: input.Given("as." + user.ID[5:]), Roles: input.GivenTexts("operator"), Kind: input.Given("program"),
		})
		return err
	}
	now := ident.TimestampOf(f.clock.read())
	worked := func(as string) trail.Entry {
		return trail.Entry{Action: shop.ActionAccountUnlocked, UserID: as, Timestamp: now}
	}
	yesterday := ident.TimestampOf(f.clock.read().Add(-25 * time.Hour))
	const refusal = "kind must be person: Olaf Berg may have worked here. Create a new user for the service account"
	f.refused(try(shop.User{ID: "user_old", Name: "Olaf Berg", CreatedAt: yesterday}), refusal)
	f.refused(try(shop.User{ID: "user_acted", Name: "Olaf Berg", CreatedAt: now}, worked("user_acted")), refusal)
	f.must(try(shop.User{ID: "user_machine", Name: "Gateway", CreatedAt: now}))
	f.refused(try(shop.User{ID: "user_named", Name: "Olaf Berg", CreatedAt: now}, worked("Olaf Berg")), refusal)
}

// A service refuses a database whose hashes were made with another pepper.
func TestAnotherPepperIsRefused(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	_, err := access.New(t.Context(), f.store.(access.Store), access.Options{
		Mode: access.All, Clock: f.clock.read, IDs: ident.NewIdentifiers(f.clock.read), Pepper: []byte("another"), Logger: slog.New(slog.DiscardHandler),
	})
	f.refused(err, "the pepper file is not the one that this database's passwords were made with")
}

// A session that began while the clock was ahead does not last until the clock reaches that time again, and a secret given in that time
// confirms nothing.
func TestSessionsOfAClockThatWasSetBack(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	cookie := f.signedIn("lena", password)
	f.clock.move(-time.Minute)
	if admitted, err := f.Admit(f.request(cookie), shop.Read); err != nil || !access.IdentityOf(admitted.Context()).Confirmed {
		t.Errorf("a minute: %v", err)
	}
	f.clock.move(-time.Hour)
	_, err := f.Admit(f.request(cookie), shop.Read)
	f.refused(err, "Authentication required")
	early := f.signedIn("lena", password)
	f.clock.move(time.Hour)
	f.must(f.ConfirmSelf(f.in(early), f.from, access.ConfirmSelfInput{Password: input.Given(password)}))
	f.clock.move(-30 * time.Minute)
	admitted, err := f.Admit(f.request(early), shop.Read)
	f.must(err)
	if access.IdentityOf(admitted.Context()).Confirmed {
		t.Error("confirmed by a secret that is given half an hour from now")
	}
}
