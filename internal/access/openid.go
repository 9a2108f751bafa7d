package access

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// attempt is one visit to the provider. All values that identify it are derived from a secret that only the browser has.
type attempt struct {
	secret []byte
	begun  ident.Timestamp
	next   string // where the visitor wanted to go
}

const (
	attemptCookie = "openid"
	attemptLife   = 10 * time.Minute
)

func (a attempt) derive(what string) string {
	mac := hmac.New(sha256.New, a.secret)
	_, _ = mac.Write([]byte(what)) // never fails
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (a attempt) state() string    { return a.derive("state") }
func (a attempt) nonce() string    { return a.derive("nonce") }
func (a attempt) verifier() string { return a.derive("verifier") }

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// seal returns the code that authenticates a cookie as made by this service.
func (s *Service) seal(text string) string {
	mac := hmac.New(sha256.New, s.options.Pepper)
	_, _ = mac.Write([]byte("routecard: an attempt to sign in\n" + text)) // never fails
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (s *Service) writeAttempt(a attempt) string {
	text := strings.Join([]string{
		base64.RawURLEncoding.EncodeToString(a.secret), strconv.FormatInt(int64(a.begun), 36),
		base64.RawURLEncoding.EncodeToString([]byte(a.next)),
	}, ".")
	return text + "." + s.seal(text)
}

// readAttempt returns false if the text is not an attempt, or if the attempt began too long ago.
func (s *Service) readAttempt(cookie string) (a attempt, ok bool) {
	text, seal, ok := cutLast(cookie, ".")
	if !ok || !same(seal, s.seal(text)) {
		return attempt{}, false
	}
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return attempt{}, false
	}
	secret, secretErr := base64.RawURLEncoding.DecodeString(parts[0])
	begun, begunErr := strconv.ParseInt(parts[1], 36, 64)
	next, nextErr := base64.RawURLEncoding.DecodeString(parts[2])
	a = attempt{secret, ident.Timestamp(begun), string(next)}
	return a, errors.Join(secretErr, begunErr, nextErr) == nil && a.begun > s.since(attemptLife)
}

func cutLast(text, separator string) (before, after string, found bool) {
	if at := strings.LastIndex(text, separator); at >= 0 {
		return text[:at], text[at+len(separator):], true
	}
	return "", "", false
}

var errAttempt = &RefusalError{Refusal: refusal.Refuse(reasonAttempt), Challenge: realm}

// LeaveForProvider begins a sign-in with the provider: it returns the address to redirect the visitor to, and the cookie that they must
// return with. On a shared device, the request makes the provider ask for the password.
func (s *Service) LeaveForProvider(ctx context.Context, from Visitor, next string) (address string, cookie *http.Cookie, err error) {
	if s.provider == nil {
		return "", nil, errNoProvider
	}
	at, err := s.provider.discover(ctx)
	if err != nil {
		return "", nil, err
	}
	a := attempt{secret: make([]byte, 32), begun: s.now(), next: next}
	_, _ = rand.Read(a.secret) // never fails
	options := []oauth2.AuthCodeOption{oidc.Nonce(a.nonce()), oauth2.S256ChallengeOption(a.verifier())}
	if from.Station.ID != "" {
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"))
	}
	return s.provider.config(at).AuthCodeURL(a.state(), options...),
		s.cookie(attemptCookie, s.writeAttempt(a), int(attemptLife/time.Second)), nil
}

var errNoProvider = refusal.Refuse(reasonNoProvider)

// Returned is the result of a sign-in attempt at the provider.
type Returned struct {
	SignedInAs
	Next    string         // where the visitor wanted to go
	Cookies []*http.Cookie // set even if the sign-in failed, because an attempt is valid once
}

// ReturnFromProvider signs in the person that the provider confirms.
func (s *Service) ReturnFromProvider(r *http.Request, from Visitor) (Returned, error) {
	if s.provider == nil {
		return Returned{}, errNoProvider
	}
	ctx, query := r.Context(), r.URL.Query()
	back := Returned{Next: "/", Cookies: []*http.Cookie{s.cookie(attemptCookie, "", -1)}}
	cookie, err := r.Cookie(s.cookieName(attemptCookie))
	if err != nil {
		return back, s.notBegunHere(ctx, from, "the browser sent no cookie of an attempt")
	}
	a, ok := s.readAttempt(cookie.Value)
	if !ok {
		return back, s.notBegunHere(ctx, from, "the cookie is not of this service, or too old")
	}
	if !same(query.Get("state"), a.state()) {
		return back, s.notBegunHere(ctx, from, "the cookie is of another attempt")
	}
	back.Next = a.next
	if issuer := query.Get("iss"); issuer != "" && issuer != s.provider.Issuer || query.Get("code") == "" {
		return back, errNotSignedIn
	}
	place := providerSubject(from)
	made, err := s.attempt(ctx, place)
	if err != nil {
		return back, err
	}
	person, err := s.provider.exchange(ctx, query.Get("code"), a)
	if err == nil {
		var session *http.Cookie
		if session, err = s.enterAs(ctx, from, person, a, &back.SignedInAs); err == nil {
			back.Cookies = append(back.Cookies, session)
		}
	}
	s.attempted(ctx, from, back.User, methodOpenID, err)
	if errors.Is(err, errNotSignedIn) {
		return back, errors.Join(s.failed(context.WithoutCancel(ctx), made.full, from.Address), err)
	}
	// This does not count as a wrong attempt: the provider did not respond, or the person is unknown here.
	return back, errors.Join(err, s.store.UpdateAccess(context.WithoutCancel(ctx), func(tx Tx) error {
		return tx.DeleteAttempt(place.name, made.id)
	}, shop.Aside))
}

// notBegunHere refuses a visitor who came back from the provider without an attempt of this browser. The message is the same for every
// cause; the security log has the cause.
func (s *Service) notBegunHere(ctx context.Context, from Visitor, why string) error {
	s.attempted(ctx, from, shop.User{}, methodOpenID, errAttempt, slog.String("why", why))
	return errAttempt
}

// settingUsed is the prefix of the settings that store attempts that led to a session, so that each attempt leads to only one session.
const settingUsed = "openid:"

// enterAs opens a session for the person confirmed by the provider.
func (s *Service) enterAs(
	ctx context.Context, from Visitor, person providerPerson, a attempt, as *SignedInAs,
) (session *http.Cookie, err error) {
	err = s.store.UpdateAccess(ctx, func(tx Tx) error {
		used := settingUsed + digest(a.state())
		if err := tx.LockName(used); err != nil {
			return err
		}
		if _, _, err := tx.Setting(used); !errors.Is(err, shop.ErrNoRecord) {
			if err != nil {
				return err
			}
			return errAttempt
		}
		if err := tx.DeleteSettingsBefore(settingUsed, s.since(attemptLife)); err != nil {
			return err
		}
		if err := tx.PutSetting(used, "", s.now()); err != nil {
			return err
		}
		user, err := s.known(tx, person)
		if err != nil {
			return err
		}
		from.providerSession = s.providerSession(person.session)
		*as = SignedInAs{User: user, Permissions: PermissionsOf(user.Roles)}
		session, err = s.open(tx, user, methodOpenID, "", from)
		return err
	})
	return session, err
}

const methodOpenID = "oidc"

// known returns the user with the person's issuer and subject, and updates the user's roles. No other claim identifies a person.
func (s *Service) known(tx Tx, person providerPerson) (shop.User, error) {
	issuer := s.provider.Issuer
	if err := tx.LockName("identity:" + issuer + " " + person.subject); err != nil {
		return shop.User{}, err
	}
	id, err := tx.UserOfIdentity(issuer, person.subject)
	if errors.Is(err, shop.ErrNoRecord) {
		return s.newcomer(tx, person)
	}
	if err != nil {
		return shop.User{}, err
	}
	user, err := tx.User(id)
	if err != nil {
		return user, err
	}
	if !user.Active || user.Login == "" {
		return user, refusal.Refuse(reasonInactive)
	}
	if err := tx.SeeIdentity(issuer, person.subject, s.now()); err != nil {
		return user, err
	}
	was, before := user, accountOf(user)
	user.Roles = s.provider.granted(user.Roles, person.groups)
	err = shop.KeepsAdministrator(tx, was, user, PermissionsOf)
	if _, refused := errors.AsType[*refusal.Error](err); refused {
		s.options.Logger.Warn("the provider's groups would take the last administrator away, who keeps the role", "login", user.Login)
		user.Roles = slices.DeleteFunc(roleNames(), func(role string) bool {
			return role != roleAdmin && !slices.Contains(user.Roles, role)
		})
	} else if err != nil {
		return user, err
	}
	if slices.Equal(before.Roles, user.Roles) {
		return user, nil
	}
	user.Salt = trail.Salted(user.Salt)
	now := s.now()
	if err := tx.UpdateUser(user, now); err != nil {
		return user, err
	}
	return user, tx.AppendAudit(byProvider(accountEntry(user.ID, before, accountOf(user), user.Login, now)))
}

// byProvider marks an entry as made on behalf of the provider.
func byProvider(entry trail.Entry) trail.Entry {
	entry.Actor = methodOpenID
	return entry
}

// ByProvider reports whether an entry was made on behalf of the provider.
func ByProvider(entry trail.Entry) bool { return entry.Actor == methodOpenID }

// newcomer creates a user for a first sign-in, if the settings allow that.
func (s *Service) newcomer(tx Tx, person providerPerson) (user shop.User, err error) {
	if !s.provider.Create {
		return user, refusal.Refuse(reasonNotConnected, person.subject)
	}
	login, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(person.login)), "@")
	if _, err := checkLogin(input.Given(login)); err != nil {
		return user, refusal.Refuse(reasonNoLogin)
	}
	if err := s.loginFree(tx, login); err != nil {
		if _, refused := errors.AsType[*refusal.Error](err); !refused {
			return user, err
		}
		return user, refusal.Refuse(reasonOtherAccount, login, person.subject)
	}
	user = shop.User{
		ID: s.newID("user_"), Login: login, Name: login, Active: true, CreatedAt: s.now(), Roles: s.provider.granted(nil, person.groups),
		Salt: trail.Salted(""),
	}
	if name, err := input.RequiredName("name", input.Given(person.name)); err == nil {
		user.Name = name
	}
	if err := tx.InsertUser(user); err != nil {
		return user, err
	}
	if err := tx.InsertIdentity(user.ID, ForeignIdentity{
		Issuer: s.provider.Issuer, Subject: person.subject, SeenAt: user.CreatedAt, SetBy: user.ID,
	}); err != nil {
		return user, err
	}
	after := accountOf(user)
	after.Issuer, after.Subject = s.provider.Issuer, person.subject
	return user, tx.AppendAudit(byProvider(accountEntry(user.ID, account{}, after, login, user.CreatedAt)))
}

// Connect sets the subject that a user has at the provider; "" removes the connection. A user with a new connection must sign in again.
// Roles from groups end with the connection that gave them.
func (s *Service) Connect(ctx context.Context, userID string, in input.TextInput) error {
	if s.provider == nil {
		return errNoProvider
	}
	if _, err := managesCredentials(ctx); err != nil {
		return err
	}
	if err := shop.CallerOf(ctx).RequireConfirmed(); err != nil {
		return err
	}
	subject, err := input.OptionalText("subject", in)
	if err != nil {
		return err
	}
	subject = strings.TrimSpace(subject)
	ctx = shop.Signable(ctx, signedSubject{in}, userID)
	return s.once(ctx, func(tx Tx) error {
		user, err := findUser(tx, userID)
		if err != nil {
			return err
		}
		if user.Login == "" {
			return refusal.Refuse(reasonNoAccount)
		}
		if err := personOnly(user); err != nil {
			return err
		}
		before, err := s.subjectOf(tx, userID)
		if err != nil || before == subject {
			return err
		}
		was := accountOf(user)
		was.Issuer, was.Subject = s.provider.Issuer, before
		if err := shop.RefuseUnread(ctx, shop.NameUser, userID, func() (any, error) { return before, nil }); err != nil {
			return err
		}
		if err := s.reconnect(tx, &user, before, subject, IdentityOf(ctx).User.ID); err != nil {
			return err
		}
		if err := tx.DeleteSessionsOfUser(userID, IdentityOf(ctx).Session.ID); err != nil {
			return err
		}
		is := accountOf(user)
		is.Issuer, is.Subject = s.provider.Issuer, subject
		return tx.AppendAudit(accountEntry(user.ID, was, is, shop.CallerOf(ctx).Login, s.now()))
	})
}

// reconnect replaces the subject before of a user by the subject after; "" is no subject. The user by makes the change. A new subject makes
// the account unconfirmed.
func (s *Service) reconnect(tx Tx, user *shop.User, before, after, by string) error {
	if err := s.unconfirm(tx, *user); err != nil {
		return err
	}
	if before != "" {
		if err := tx.DeleteIdentity(s.provider.Issuer, before); err != nil {
			return err
		}
		if err := s.takeGroupRoles(tx, user); err != nil {
			return err
		}
	}
	if after == "" {
		return nil
	}
	if err := s.identityFree(tx, after); err != nil {
		return err
	}
	return tx.InsertIdentity(user.ID, ForeignIdentity{Issuer: s.provider.Issuer, Subject: after, SeenAt: s.now(), SetBy: by})
}

// takeGroupRoles removes the roles that groups gave.
func (s *Service) takeGroupRoles(tx Tx, user *shop.User) error {
	was := *user
	if user.Roles = s.provider.granted(was.Roles, nil); slices.Equal(was.Roles, user.Roles) {
		return nil
	}
	if err := shop.KeepsAdministrator(tx, was, *user, PermissionsOf); err != nil {
		return err
	}
	user.Salt = trail.Salted(user.Salt)
	return tx.UpdateUser(*user, s.now())
}

// identityFree refuses a subject that is connected with another user.
func (s *Service) identityFree(tx Tx, subject string) error {
	if err := tx.LockName("identity:" + s.provider.Issuer + " " + subject); err != nil {
		return err
	}
	id, err := tx.UserOfIdentity(s.provider.Issuer, subject)
	if errors.Is(err, shop.ErrNoRecord) {
		return nil
	}
	if err != nil {
		return err
	}
	other, err := tx.User(id)
	if err != nil {
		return err
	}
	return refusal.RefuseField(reasonSubject, "subject", other.Login)
}

// subjectOf returns the subject of a user at the provider, or "".
func (s *Service) subjectOf(tx Reader, userID string) (string, error) {
	identities, err := tx.IdentitiesOfUser(userID)
	for _, identity := range identities {
		if identity.Issuer == s.provider.Issuer {
			return identity.Subject, err
		}
	}
	return "", err
}
