package access_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/passkeytest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

const origin = "https://routecard.example.com"

// clock is a clock that a test moves.
type clock struct {
	sync.Mutex
	now time.Time
}

func (c *clock) read() time.Time {
	c.Lock()
	defer c.Unlock()
	return c.now
}

func (c *clock) move(by time.Duration) {
	c.Lock()
	defer c.Unlock()
	c.now = c.now.Add(by)
}

// factory is a Service with passkeys, on a database of its own, with an administrator and two others.
type factory struct {
	*access.Service
	t     *testing.T
	clock *clock
	store sqlstore.Store
	kept  enginetest.Database
	users map[string]shop.User
	from  access.Visitor

	provider *access.ProviderOptions
	security *slog.Logger // nil for none
}

func (f *factory) service(store sqlstore.Store) *access.Service {
	f.t.Helper()
	s, err := access.New(f.t.Context(), store.(access.Store), access.Options{
		Mode: access.All, Clock: f.clock.read, IDs: ident.NewIdentifiers(f.clock.read), Pepper: []byte("pepper"), Places: 4,
		Cost: access.Cost{MemoryKiB: 8, Passes: 1, Lanes: 1}, Logger: slog.New(slog.DiscardHandler), Secure: true, Origin: origin, Provider: f.provider,
		Security: f.security,
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return s
}

func openFactory(t *testing.T) *factory {
	t.Helper()
	f := &factory{t: t, clock: &clock{now: time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)}, users: map[string]shop.User{},
		from: access.Visitor{Address: "192.0.2.1"}}
	database := enginetest.New(t)
	f.kept, f.store = database, database.Open(t)
	f.Service = f.service(f.store)
	code, err := f.SetupCode(t.Context())
	f.must(err)
	f.users["boss"], err = f.SetUp(t.Context(), access.SetUpInput{
		Code: input.Given(code), Login: input.Given("boss"), Name: input.Given("The Boss"), Password: input.Given(password),
	})
	f.must(err)
	boss := f.as("boss")
	for _, login := range []string{"lena", "tom"} {
		user := shop.User{ID: "user_" + login, Name: "Name of " + login, Active: true, CreatedAt: 1}
		f.must(f.store.(access.Store).UpdateAccess(t.Context(), func(tx access.Tx) error { return tx.InsertUser(user) }))
		f.users[login], err = f.ChangeAccount(boss, user.ID, access.ChangeAccountInput{
			Login: input.Given(login), Roles: input.GivenTexts("lead"),
		})
		f.must(err)
		_, err = f.ChangePassword(boss, f.from, user.ID, access.ChangePasswordInput{Password: input.Given("given by the boss")})
		f.must(err)
		f.replace(login, "given by the boss")
	}
	f.confirm("lena", "tom")
	f.confirm("tom", "lena")
	return f
}

// replace replaces a password that another user set, as its owner.
func (f *factory) replace(login, given string) {
	f.t.Helper()
	_, err := f.ChangePassword(f.arrived(f.signedIn(login, given)), f.from, f.users[login].ID, access.ChangePasswordInput{
		Password: input.Given(password), OldPassword: input.Given(given),
	})
	f.must(err)
}

// confirm confirms the owner of an account, as a second person.
func (f *factory) confirm(login, by string) {
	f.t.Helper()
	_, err := f.ConfirmAccount(f.as(by), f.users[login].ID)
	f.must(err)
}

func (f *factory) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// refused requires a refusal with this message.
func (f *factory) refused(err error, message string) {
	f.t.Helper()
	if err == nil || err.Error() != message {
		f.t.Errorf("%v, want %q", err, message)
	}
}

func (f *factory) request(cookies ...*http.Cookie) *http.Request {
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	for _, cookie := range cookies {
		request.AddCookie(cookie)
	}
	return request
}

func (f *factory) signedIn(login, password string) *http.Cookie {
	f.t.Helper()
	_, cookie, err := f.SignIn(f.t.Context(), f.from, access.SignInInput{Login: input.Given(login), Password: input.Given(password)})
	f.must(err)
	return cookie
}

// in returns the context of a request in a session. The request must be admitted to a permission that every session has.
func (f *factory) in(cookie *http.Cookie) context.Context {
	f.t.Helper()
	admitted, err := f.Admit(f.request(cookie), shop.Entering)
	f.must(err)
	return admitted.Context()
}

// arrived returns the context of a request in a session, even if its user has to replace a secret first.
func (f *factory) arrived(cookie *http.Cookie) context.Context {
	f.t.Helper()
	admitted, err := f.Admit(f.request(cookie), shop.Arrived)
	f.must(err)
	return admitted.Context()
}

// atStation makes a station. It returns the origin of its requests, and the cookie of its browser.
func (f *factory) atStation() (access.Visitor, *http.Cookie) {
	f.t.Helper()
	_, kept, err := f.MakeStation(f.as("boss"), access.MakeStationInput{Name: input.Given("Saw")})
	f.must(err)
	from, err := f.Visitor(f.request(kept))
	f.must(err)
	return from, kept
}

// as returns the context of a user who has just given the password.
func (f *factory) as(login string) context.Context {
	f.t.Helper()
	return f.in(f.signedIn(login, password))
}

func asJSON(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// register registers a passkey of the user on an authenticator.
func (f *factory) register(ctx context.Context, on *passkeytest.Authenticator, name string) access.Passkey {
	f.t.Helper()
	options, err := f.PasskeyRegistration(ctx, f.from, access.Confirmation{})
	f.must(err)
	made, err := f.RegisterPasskey(ctx, access.RegisterPasskeyInput{Name: input.Given(name), Passkey: input.Given(on.Create(asJSON(f.t, options)))})
	f.must(err)
	return made
}

// begin begins a sign-in with a passkey alone.
func (f *factory) begin() (options []byte, attempt *http.Cookie) {
	f.t.Helper()
	asked, cookie, err := f.PasskeySignIn(f.t.Context(), f.from)
	f.must(err)
	return asJSON(f.t, asked), cookie
}

func (f *factory) finish(attempt *http.Cookie, answer json.RawMessage) (access.SignedInAs, []*http.Cookie, error) {
	return f.SignInWithPasskey(f.request(attempt), f.from, input.Given(answer))
}

// generator sets up one-time codes for the user, and returns a function that makes codes.
func (f *factory) generator(ctx context.Context) (generate func() string, recovery []string) {
	f.t.Helper()
	made, err := f.SetUpOneTimeCodes(ctx, f.from, access.Confirmation{})
	f.must(err)
	generate = func() string { return passkeytest.Code(f.t, made.Secret, f.clock.read()) }
	codes, err := f.ConfirmOneTimeCodes(ctx, f.from, access.CodeInput{Code: input.Given(generate())})
	f.must(err)
	return generate, codes.RecoveryCodes
}

func (f *factory) code(ctx context.Context, code string) error {
	_, _, err := f.GiveSecondFactor(ctx, f.from, access.SecondFactorInput{Code: input.Given(code)})
	return err
}

// trail lists the audit entries that concern a user's secrets, oldest first.
func (f *factory) trail(login string) (told []string) {
	f.t.Helper()
	f.must(f.store.View(f.t.Context(), func(tx shop.Reader) error {
		entries, err := tx.AuditAfter(0, 1000)
		told = nil
		for _, entry := range entries {
			if entry.Action == shop.ActionSecretChanged && strings.Contains(string(entry.Metadata), `"login":"`+login+`"`) {
				told = append(told, entry.UserID+" "+string(entry.Metadata))
			}
		}
		return err
	}))
	return told
}

func TestOnPostgres(t *testing.T) {
	t.Parallel()
	enginetest.OnPostgres(t)
}

const wrongPasskey, wrongCode = "The passkey is not valid", "The code is not valid"

func TestPasskeySignsIn(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	phone := passkeytest.New(t, origin)
	made := f.register(f.as("lena"), phone, "Phone")
	options, attempt := f.begin()
	as, cookies, err := f.finish(attempt, phone.Get(options))
	f.must(err)
	if as.User.Login != "lena" || as.SecondFactor != "" || !slices.Contains(as.Permissions, shop.Plan) {
		t.Errorf("%+v", as)
	}
	if _, err := f.Admit(f.request(cookies[0]), shop.Plan); err != nil {
		t.Errorf("a passkey alone stands for two factors: %v", err)
	}
	told := f.trail("lena")
	if last := told[len(told)-1]; !strings.Contains(last, `"kind":"passkey","passkeyId":"`+made.ID+`","name":"Phone"`) {
		t.Errorf("the trail: %s", last)
	}
	if f.trail("lena"); strings.Contains(strings.Join(told, ""), made.CredentialID) {
		t.Error("the trail has the credential")
	}
}

// docs/access.md, "Second factors": an assertion is valid once, for its purpose, in the browser and at the address where it was requested,
// for five minutes.
func TestPasskeyAttacks(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	phone, other := passkeytest.New(t, origin), passkeytest.New(t, origin)
	lena := f.as("lena")
	f.register(lena, phone, "Phone")
	f.register(f.as("tom"), other, "Other")
	options, attempt := f.begin()
	answer := phone.Get(options)
	_, _, err := f.finish(attempt, answer)
	f.must(err)
	_, _, err = f.finish(attempt, answer)
	f.refused(err, wrongPasskey) // a replay

	options, attempt = f.begin()
	_, another := f.begin()
	_, _, err = f.finish(another, phone.Get(options))
	f.refused(err, wrongPasskey) // in another browser
	_, _, err = f.finish(attempt, phone.Get(options))
	f.refused(err, wrongPasskey) // a wrong assertion used the challenge up

	evil := phone.Copy()
	evil.Origin = "https://routecard.example.com.evil.example"
	options, attempt = f.begin()
	_, _, err = f.finish(attempt, evil.Get(options))
	f.refused(err, wrongPasskey) // another origin

	options, attempt = f.begin()
	answer = phone.Get(options)
	f.clock.move(5 * time.Minute)
	_, _, err = f.finish(attempt, answer)
	f.refused(err, wrongPasskey) // too late

	f.clock.move(16 * time.Minute) // until wrong attempts no longer count
	careless := phone.Copy()
	careless.Verifies = false
	options, attempt = f.begin()
	_, _, err = f.finish(attempt, careless.Get(options))
	f.refused(err, wrongPasskey) // with a stolen key

	// Each purpose has its own challenges.
	half := f.as("lena")
	asked, err := f.SecondFactorOptions(half)
	f.must(err)
	_, attempt = f.begin()
	_, _, err = f.finish(attempt, phone.Get(asJSON(t, asked)))
	f.refused(err, wrongPasskey)

	f.clock.move(16 * time.Minute)
	half = f.as("lena")
	asked, err = f.SecondFactorOptions(half)
	f.must(err)
	var free map[string]map[string]any // without allowed credentials, so that the other authenticator responds
	f.must(json.Unmarshal(asJSON(t, asked), &free))
	delete(free["publicKey"], "allowCredentials")
	_, _, err = f.GiveSecondFactor(half, f.from, access.SecondFactorInput{Passkey: input.Given(other.Get(asJSON(t, free)))})
	f.refused(err, wrongPasskey) // of another user
	if _, err := f.Admit(f.request(f.signedIn("lena", password)), shop.Read); err == nil {
		t.Error("a password alone is enough")
	}
	for name, garbage := range map[string]string{"nothing": `{}`, "no key": `{"id": "eA", "rawId": "eA", "type": "public-key", "response": {}}`} {
		_, attempt = f.begin()
		_, _, err := f.finish(attempt, json.RawMessage(garbage))
		if err == nil || err.Error() != wrongPasskey {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An authenticator whose counter has not increased may be a copy.
func TestClonedPasskey(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	phone := passkeytest.New(t, origin)
	f.register(f.as("lena"), phone, "Phone")
	clone := phone.Copy()
	for range 3 {
		options, attempt := f.begin()
		_, _, err := f.finish(attempt, phone.Get(options))
		f.must(err)
	}
	options, attempt := f.begin()
	_, _, err := f.finish(attempt, clone.Get(options))
	f.refused(err, wrongPasskey)
	synced := passkeytest.New(t, origin)
	synced.Counts = false // like passkeys that are synchronized between devices
	f.register(f.as("tom"), synced, "Everywhere")
	for range 2 {
		options, attempt := f.begin()
		_, _, err := f.finish(attempt, synced.Get(options))
		f.must(err)
	}
}

// Of two simultaneous sign-ins with one assertion or one code, one succeeds.
func TestFactorsAtOnce(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	phone := passkeytest.New(t, origin)
	f.register(f.as("lena"), phone, "Phone")
	generate, recovery := f.generator(f.as("tom"))
	var attempt *http.Cookie
	var answer json.RawMessage
	var code string
	for name, try := range map[string]func(context.Context) error{
		"passkey":  func(context.Context) error { _, _, err := f.finish(attempt, answer); return err },
		"code":     func(half context.Context) error { return f.code(half, code) },
		"recovery": func(half context.Context) error { return f.code(half, recovery[0]) },
	} {
		f.clock.move(25 * time.Hour) // so that wrong attempts no longer count
		var options []byte
		options, attempt = f.begin()
		answer, code = phone.Get(options), generate()
		errs := make(chan error)
		const times = 4
		for range times {
			half := f.as("tom")
			go func() { errs <- try(half) }()
		}
		right := 0
		for range times {
			if err := <-errs; err == nil {
				right++
			} else if err.Error() != wrongCode && err.Error() != wrongPasskey {
				t.Errorf("%s: %v", name, err)
			}
		}
		if right != 1 {
			t.Errorf("%s: %d of %d went ahead", name, right, times)
		}
	}
}

func TestOneTimeCodes(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	ctx := f.as("lena")
	made, err := f.SetUpOneTimeCodes(ctx, f.from, access.Confirmation{})
	f.must(err)
	if want := "otpauth://totp/Routecard:lena?secret=" + made.Secret + "&issuer=Routecard&algorithm=SHA1&digits=6&period=30"; made.URI != want {
		t.Errorf("%s, want %s", made.URI, want)
	}
	if _, err := f.Admit(f.request(f.signedIn("lena", password)), shop.Plan); err != nil {
		t.Errorf("a generator counts before its first code was right: %v", err)
	}
	_, err = f.ConfirmOneTimeCodes(ctx, f.from, access.CodeInput{Code: input.Given("000000")})
	f.refused(err, wrongCode)
	code := func(ago time.Duration) string { return passkeytest.Code(f.t, made.Secret, f.clock.read().Add(-ago)) }
	codes, err := f.ConfirmOneTimeCodes(ctx, f.from, access.CodeInput{Code: input.Given(code(0))})
	f.must(err)
	if len(codes.RecoveryCodes) != 10 {
		t.Errorf("%d recovery codes", len(codes.RecoveryCodes))
	}
	_, err = f.ConfirmOneTimeCodes(ctx, f.from, access.CodeInput{Code: input.Given(code(0))})
	f.refused(err, "The one-time codes are confirmed already")
	_, err = f.SetUpOneTimeCodes(ctx, f.from, access.Confirmation{})
	f.refused(err, "You have one-time codes: remove them before you set up others")

	f.refused(f.code(f.as("lena"), code(0)), wrongCode) // the code was used to confirm the generator
	f.clock.move(2 * time.Minute)
	f.refused(f.code(f.as("lena"), code(time.Minute)), wrongCode) // two steps ago
	f.must(f.code(f.as("lena"), code(30*time.Second)))            // one step ago
	f.must(f.code(f.as("lena"), code(0)[:3]+" "+code(0)[3:]))
	f.clock.move(-30 * time.Second)
	f.refused(f.code(f.as("lena"), code(0)), wrongCode) // the clock was set back: the code is older than the last used one
	f.clock.move(time.Minute)
	f.must(f.code(f.as("lena"), code(0)))
}

func TestRecoveryCodes(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	_, recovery := f.generator(f.as("lena"))
	f.must(f.code(f.as("lena"), strings.ToLower(recovery[3])))
	f.refused(f.code(f.as("lena"), recovery[3]), wrongCode)
	told := f.trail("lena")
	if last := told[len(told)-1]; !strings.HasSuffix(last, `"kind":"recovery_code","left":9}`) {
		t.Errorf("the trail: %s", last)
	}
	half := f.as("lena")
	_, cookie, err := f.GiveSecondFactor(half, f.from, access.SecondFactorInput{Code: input.Given(recovery[0])})
	f.must(err)
	_, err = f.NewRecoveryCodes(f.in(cookie), f.from, access.Confirmation{})
	f.must(err)
	f.refused(f.code(f.as("lena"), recovery[1]), wrongCode) // the old codes are no longer valid
	for _, entry := range told {
		for _, code := range recovery {
			if strings.Contains(entry, code) || strings.Contains(entry, strings.ReplaceAll(code, "-", "")) {
				t.Errorf("the trail has a code: %s", entry)
			}
		}
	}
}

// Giving the right password in between does not allow further attempts at the code.
func TestCodesAreCountedByThemselves(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	generate, _ := f.generator(f.as("lena"))
	f.clock.move(time.Minute)
	for range 5 {
		f.refused(f.code(f.as("lena"), "000000"), wrongCode)
	}
	half := f.as("lena")
	if err := f.code(half, generate()); err == nil || !strings.HasPrefix(err.Error(), "Too many wrong attempts.") {
		t.Errorf("%v", err)
	}
	accounts, err := f.Accounts(t.Context(), []string{"user_lena"})
	f.must(err)
	if accounts["user_lena"].LockedUntil == 0 {
		t.Error("the administrator does not see it")
	}
	f.must(f.Unlock(f.as("boss"), "user_lena"))
	f.must(f.code(half, generate()))
}

// Users with a role that needs a second factor can do nothing until they have set one up. Then the session continues.
func TestRoleNeedsSecondFactor(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	before := f.signedIn("lena", password)
	policy, err := f.SetAccessPolicy(f.as("boss"), access.PolicyInput{SecondFactor: input.GivenTexts("lead", "admin")})
	f.must(err)
	if !slices.Equal(policy.SecondFactor, []string{"lead", "admin"}) {
		t.Errorf("%v", policy)
	}
	_, err = f.Admit(f.request(before), shop.Read)
	f.refused(err, "Set up a second factor first") // at once, also in existing sessions
	_, err = f.Admit(f.request(before), shop.SignedIn)
	f.refused(err, "Set up a second factor first")
	as, cookie, err := f.SignIn(t.Context(), f.from, access.SignInInput{Login: input.Given("lena"), Password: input.Given(password)})
	f.must(err)
	if as.SecondFactor != access.SetUpSecond || len(as.Permissions) > 0 {
		t.Errorf("%+v", as)
	}
	phone := passkeytest.New(t, origin)
	made := f.register(f.in(cookie), phone, "Phone")
	if _, err := f.Admit(f.request(cookie), shop.Plan); err != nil {
		t.Error(err)
	}
	f.refused(f.RemovePasskey(f.in(cookie), f.from, made.ID, access.Confirmation{}),
		"Your role needs a second factor: set up another one first")
	generate, _ := f.generator(f.in(cookie))
	f.must(f.RemovePasskey(f.in(cookie), f.from, made.ID, access.Confirmation{}))
	f.refused(f.RemoveOneTimeCodes(f.in(cookie), f.from, access.Confirmation{}),
		"Your role needs a second factor: set up another one first")

	// Lena has one factor left, so a new session must give it.
	half := f.signedIn("lena", password)
	_, err = f.Admit(f.request(half), shop.SignedIn)
	f.refused(err, "Give your second factor first")
	_, err = f.PasskeyRegistration(f.in(half), f.from, access.Confirmation{})
	f.refused(err, "Give your second factor first") // otherwise the password would be enough to register another factor
	_, err = f.SetUpOneTimeCodes(f.in(half), f.from, access.Confirmation{})
	f.refused(err, "Give your second factor first")
	f.clock.move(time.Minute)
	_, whole, err := f.GiveSecondFactor(f.in(half), f.from, access.SecondFactorInput{Code: input.Given(generate())})
	f.must(err)
	if _, err := f.Admit(f.request(whole), shop.Plan); err != nil {
		t.Error(err)
	}
	// Tokens are not affected.
	token, err := f.CreateToken(f.in(whole), "user_lena", access.CreateTokenInput{Name: input.Given("x"), Permissions: input.GivenTexts("plan")})
	f.must(err)
	request := f.request()
	request.Header.Set("Authorization", "Bearer "+token.Text)
	admitted, err := f.Admit(request, shop.Plan)
	f.must(err)
	_, err = f.PasskeyRegistration(admitted.Context(), f.from, access.Confirmation{})
	f.refused(err, "Credentials are managed by people who are signed in")
}

// A badge and a PIN are two factors.
func TestStationsNeedNoSecondFactor(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	lena := f.as("lena")
	cookie, err := f.ChangePIN(lena, f.from, "user_lena", access.ChangePINInput{PIN: input.Given("271828"), Password: input.Given(password)})
	f.must(err)
	badge, err := f.NewBadge(f.in(cookie), "user_lena")
	f.must(err)
	_, err = f.SetAccessPolicy(f.as("boss"), access.PolicyInput{SecondFactor: input.GivenTexts("lead")})
	f.must(err)
	from, workstation := f.atStation()
	as, session, err := f.SignIn(t.Context(), from, access.SignInInput{Badge: input.Given(badge), PIN: input.Given("271828")})
	f.must(err)
	admitted, err := f.Admit(f.request(session, workstation), shop.Decide)
	if err != nil || as.SecondFactor != "" {
		t.Errorf("%+v, %v", as, err)
	}
	_, err = f.PasskeyRegistration(admitted.Context(), from, access.Confirmation{Password: input.Given(password)})
	f.refused(err, "Confirm that it is you")
}

// An administrator removes the second factors of a user who has lost all of them. The trail records it.
func TestAdministratorRemovesFactors(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	cookie := f.signedIn("lena", password)
	phone := passkeytest.New(t, origin)
	f.register(f.in(cookie), phone, "Phone")
	f.generator(f.in(cookie))
	_, err := f.SetAccessPolicy(f.as("boss"), access.PolicyInput{SecondFactor: input.GivenTexts("lead")})
	f.must(err)
	f.refused(f.RemoveSecondFactors(f.as("tom"), f.from, "user_lena", access.Confirmation{}), "This needs the permission admin")
	f.must(f.RemoveSecondFactors(f.as("boss"), f.from, "user_lena", access.Confirmation{}))
	f.refused(f.RemoveSecondFactors(f.as("boss"), f.from, "user_lena", access.Confirmation{}), "The user has no second factor")
	if admitted, err := f.Admit(f.request(cookie), shop.SignedIn); err == nil || access.IdentityOf(admitted.Context()) != nil {
		t.Errorf("her session goes on: %v", err)
	}
	options, attempt := f.begin()
	_, _, err = f.finish(attempt, phone.Get(options))
	f.refused(err, wrongPasskey)
	_, err = f.Admit(f.request(f.signedIn("lena", password)), shop.Read)
	f.refused(err, "Set up a second factor first")
	told := f.trail("lena")
	if last := strings.Join(told[len(told)-2:], "\n"); strings.Count(last, `boss {`) != 2 || strings.Count(last, `"removed":true`) != 2 {
		t.Errorf("the trail:\n%s", last)
	}
}

// To change second factors, a user must have given a secret recently, or give one with the request.
func TestFactorsNeedConfirmation(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	cookie := f.signedIn("lena", password)
	f.clock.move(5 * time.Minute)
	ctx := f.in(cookie)
	_, err := f.PasskeyRegistration(ctx, f.from, access.Confirmation{})
	f.refused(err, "Confirm that it is you")
	_, err = f.SetUpOneTimeCodes(ctx, f.from, access.Confirmation{})
	f.refused(err, "Confirm that it is you")
	f.refused(f.RemovePasskey(ctx, f.from, "pky_1", access.Confirmation{}), "Confirm that it is you")
	_, err = f.PasskeyRegistration(ctx, f.from, access.Confirmation{Password: input.Given("wrong")})
	f.refused(err, "The login or the password is not valid")
	_, err = f.PasskeyRegistration(ctx, f.from, access.Confirmation{Password: input.Given(password)})
	f.must(err)
	f.refused(f.RemovePasskey(ctx, f.from, "pky_1", access.Confirmation{Password: input.Given(password)}), "Passkey not found: pky_1")
}

// A registration is valid once, for its user, with an authenticator that has no other owner.
func TestRegistrationAttacks(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	phone := passkeytest.New(t, origin)
	lena, tom := f.as("lena"), f.as("tom")
	options, err := f.PasskeyRegistration(lena, f.from, access.Confirmation{})
	f.must(err)
	answer := phone.Create(asJSON(t, options))
	in := access.RegisterPasskeyInput{Name: input.Given("Phone"), Passkey: input.Given(answer)}
	const failed = "The passkey could not be registered. Try again"
	_, err = f.RegisterPasskey(tom, in)
	f.refused(err, failed)
	_, err = f.RegisterPasskey(lena, in)
	f.refused(err, failed) // used up
	f.register(lena, phone, "Phone")
	options, err = f.PasskeyRegistration(tom, f.from, access.Confirmation{})
	f.must(err)
	evil := passkeytest.New(t, "https://evil.example")
	_, err = f.RegisterPasskey(tom, access.RegisterPasskeyInput{Name: input.Given("Phone"), Passkey: input.Given(evil.Create(asJSON(t, options)))})
	f.refused(err, failed)
}

// A ticket is valid only for the request shown to its signer, and a passkey can sign only for its owner.
func TestPasskeySigns(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	phone, other := passkeytest.New(t, origin), passkeytest.New(t, origin)
	cookie := f.signedIn("lena", password)
	f.register(f.in(cookie), phone, "Phone")
	f.register(f.as("tom"), other, "Other")
	what := shop.SignInput{
		Meaning: input.Given("approval"), Operation: input.Given("scrap"), Target: input.Given("/api/serials/SN-00001/scrap"),
		BodySHA256: input.Given(access.BodySHA256(nil)),
	}
	lena := f.in(cookie)
	ask := func(in shop.SignInput) []byte {
		options, err := f.SigningOptions(lena, in)
		f.must(err)
		return asJSON(t, options)
	}
	answer := phone.Get(ask(what))
	ticket, err := f.Sign(lena, f.from, access.SignInput{SignInput: what, Passkey: input.Given(answer)})
	f.must(err)
	if ticket.Ticket == "" {
		t.Error("no ticket")
	}
	_, err = f.Sign(lena, f.from, access.SignInput{SignInput: what, Passkey: input.Given(answer)})
	f.refused(err, wrongPasskey)
	elsewhere := what
	elsewhere.Target = input.Given("/api/serials/SN-00002/scrap")
	_, err = f.Sign(lena, f.from, access.SignInput{SignInput: elsewhere, Passkey: input.Given(phone.Get(ask(what)))})
	f.refused(err, wrongPasskey)
	otherwise := what
	otherwise.BodySHA256 = input.Given(access.BodySHA256([]byte(`{"reason":"damaged"}`)))
	_, err = f.Sign(lena, f.from, access.SignInput{SignInput: otherwise, Passkey: input.Given(phone.Get(ask(what)))})
	f.refused(err, wrongPasskey)
	_, err = f.Sign(lena, f.from, access.SignInput{SignInput: what, Passkey: input.Given(other.Get(ask(what)))})
	f.refused(err, wrongPasskey)
	careless := phone.Copy()
	careless.Verifies = false
	_, err = f.Sign(lena, f.from, access.SignInput{SignInput: what, Passkey: input.Given(careless.Get(ask(what)))})
	f.refused(err, wrongPasskey)
	// At the same screen, a second person signs a form.
	what.BodySHA256 = input.Given(access.ContentsSHA256(nil))
	_, err = f.SignForm(lena, f.from, shop.SignScrap, "/api/serials/SN-00001/scrap", nil, access.PageSignature{
		Login: "tom", Passkey: other.Get(ask(what)), Meaning: input.Given("approval"),
	})
	f.must(err)
}

// At an address where browsers offer no passkeys, users get the reason. One-time codes work at every address.
func TestNoPasskeysWithoutHTTPS(t *testing.T) {
	t.Parallel()
	for at, works := range map[string]bool{
		"": false, "http://shop.example": false, "https://192.0.2.1": false, "http://127.0.0.1:8080": false, "https://[::1]:8080": false,
		"http://localhost:8080": true, "http://shop.localhost": true, "https://shop.example:8443/": true, "ftp://localhost": false, "://": false,
	} {
		if got := access.PartyAt(t, at); got != works {
			t.Errorf("%q: %v", at, got)
		}
	}
}

// If a database is restored from before the use of a passkey, the passkey is still accepted. Challenges and codes that were used since are
// accepted again at most for the life of a challenge.
func TestFactorsInARestoredDatabase(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	phone := passkeytest.New(t, origin)
	f.register(f.as("lena"), phone, "Phone")
	generate, _ := f.generator(f.as("tom"))
	f.clock.move(time.Minute)
	options, attempt := f.begin()
	f.must(f.store.Close())
	copied := filepath.Join(t.TempDir(), "restored.db")
	_, err := sqlstore.Copy(t.Context(), f.kept.Address(), copied, sqlstore.CopyOptions{})
	f.must(err)
	f.store = f.kept.Open(t)
	f.Service = f.service(f.store)
	answer, code := phone.Get(options), generate()
	_, _, err = f.finish(attempt, answer)
	f.must(err)
	f.must(f.code(f.as("tom"), code))
	f.store, err = sqlstore.OpenSQLite(t.Context(), copied, sqlstore.Options{Logger: slog.New(slog.DiscardHandler)})
	f.must(err)
	t.Cleanup(func() { _ = f.store.Close() })
	f.Service = f.service(f.store)
	f.clock.move(5 * time.Minute)
	_, _, err = f.finish(attempt, answer)
	f.refused(err, wrongPasskey)
	f.refused(f.code(f.as("tom"), code), wrongCode)
	options, attempt = f.begin()
	_, _, err = f.finish(attempt, phone.Get(options))
	f.must(err)
	f.must(f.code(f.as("tom"), generate()))
}

// The tokens of a person are refused while one of the person's roles needs a second factor that the person has not set up. Tokens of
// programs stay valid.
func TestTokensNeedTheSecondFactorOfTheirOwner(t *testing.T) {
	t.Parallel()
	f := openFactory(t)
	machine := shop.User{ID: "user_machine", Name: "Machine", Active: true, CreatedAt: ident.TimestampOf(f.clock.read())}
	f.must(f.store.(access.Store).UpdateAccess(t.Context(), func(tx access.Tx) error { return tx.InsertUser(machine) }))
	_, err := f.ChangeAccount(f.as("boss"), machine.ID, access.ChangeAccountInput{
		Login: input.Given("machine"), Roles: input.GivenTexts("lead"), Kind: input.Given("program"),
	})
	f.must(err)
	tokenOf := func(by, userID string) string {
		made, err := f.CreateToken(f.as(by), userID, access.CreateTokenInput{Name: input.Given("x"), Permissions: input.GivenTexts("read")})
		f.must(err)
		return made.Text
	}
	may := func(token string) error {
		request := f.request()
		request.Header.Set("Authorization", "Bearer "+token)
		_, err := f.Admit(request, shop.Read)
		return err
	}
	own, program := tokenOf("lena", "user_lena"), tokenOf("boss", machine.ID)
	f.must(may(own))
	_, err = f.SetAccessPolicy(f.as("boss"), access.PolicyInput{SecondFactor: input.GivenTexts("lead")})
	f.must(err)
	f.refused(may(own), "Set up a second factor first")
	f.must(may(program))
	f.generator(f.arrived(f.signedIn("lena", password)))
	f.must(may(own))
}
