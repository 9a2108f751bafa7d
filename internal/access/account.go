package access

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// The limits of a login's length, in characters.
const (
	LoginLeast = 2
	LoginMost  = 64
)

//nolint:gochecknoglobals // an expression that is compiled once
var loginForm = regexp.MustCompile(fmt.Sprintf(`^[a-z0-9._-]{%d,%d}$`, LoginLeast, LoginMost))

func checkLogin(in input.TextInput) (string, error) {
	login, err := input.RequiredText("login", in)
	if err == nil && (!loginForm.MatchString(login) || login == "anonymous" || login == methodOpenID) {
		err = refusal.RefuseField(reasonLoginForm, "login", LoginLeast, LoginMost)
	}
	return login, err
}

// loginFree refuses a login that any user has or had. Users are never deleted.
func (s *Service) loginFree(tx Tx, login string) error {
	if err := tx.LockName("login:" + login); err != nil {
		return err
	}
	_, err := tx.UserByLogin(login)
	switch {
	case err == nil:
		return refusal.RefuseField(reasonLoginTaken, "login", login)
	case errors.Is(err, shop.ErrNoRecord):
		return nil
	}
	return err
}

func findUser(tx Reader, id string) (shop.User, error) {
	user, err := tx.User(id)
	if errors.Is(err, shop.ErrNoRecord) {
		err = shop.NameUser.NotFound(id)
	}
	return user, err
}

// account is the account as audit entries record it.
type account struct {
	Login   string           `json:"login,omitempty"`
	Roles   []string         `json:"roles"`
	Kind    shop.AccountKind `json:"kind,omitempty"`    // omitted for a person
	Issuer  string           `json:"issuer,omitempty"`  // a provider of OpenID Connect
	Subject string           `json:"subject,omitempty"` // the user's subject at that provider

	contents trail.ContentsSHA256 // the hash of the user's contents
}

func accountOf(user shop.User) account {
	return account{Login: user.Login, Roles: user.Roles, Kind: user.Kind, contents: user.Contents()}
}

func accountEntry(userID string, before, after account, by string, at ident.Timestamp) trail.Entry {
	before.Roles, after.Roles = orEmpty(before.Roles), orEmpty(after.Roles)
	return trail.Entry{
		Action: shop.ActionAccountChanged, UserID: by, Timestamp: at,
		Metadata: metadata(struct {
			AccountID string  `json:"accountId"`
			Before    account `json:"before"`
			After     account `json:"after"`

			Contents trail.ContentsSHA256 `json:"contentsSha256,omitempty"`
		}{userID, before, after, after.contents}),
	}
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// ChangeAccountInput is the body of Change Account.
type ChangeAccountInput struct {
	Login input.TextInput  `field:"login"`
	Roles input.TextsInput `field:"roles" form:"role"`
	Kind  input.TextInput  `field:"kind"`
}

// apply returns a copy of the user with the supplied fields set.
func (in ChangeAccountInput) apply(user shop.User) (_ shop.User, err error) {
	had := user.Login != ""
	if !had || in.Login.Supplied() {
		login, err := checkLogin(in.Login)
		if err != nil {
			return user, err
		}
		if had && login != user.Login {
			return user, refusal.RefuseField(reasonLoginKept, "login")
		}
		user.Login = login
	}
	if in.Kind.Supplied() {
		kind, err := checkKind(in.Kind)
		if err != nil {
			return user, err
		}
		if had && kind != user.Kind {
			return user, refusal.RefuseField(reasonLoginKept, "kind")
		}
		user.Kind = kind
	}
	if in.Roles.Supplied() {
		user.Roles, err = checkRoles(in.Roles)
	}
	return user, err
}

// ChangeAccount sets a user's login, kind and roles. The login and the kind cannot be changed once they are set. Omitted fields stay as
// they are.
func (s *Service) ChangeAccount(ctx context.Context, id string, in ChangeAccountInput) (shop.User, error) {
	if err := shop.CallerOf(ctx).RequireConfirmed(); err != nil {
		return shop.User{}, err
	}
	var user shop.User
	ctx = shop.Signable(ctx, in, id)
	err := s.once(ctx, func(tx Tx) (err error) {
		if user, err = userAsRead(ctx, tx, id); err != nil {
			return err
		}
		was, before := user, accountOf(user)
		if user, err = in.apply(user); err != nil {
			return err
		}
		if before.Login == user.Login && slices.Equal(before.Roles, user.Roles) {
			return nil
		}
		if before.Login == "" {
			if err := s.loginFree(tx, user.Login); err != nil {
				return err
			}
			if user.Kind == shop.Program {
				if err := s.unused(tx, was); err != nil {
					return err
				}
			}
		}
		user.Salt = trail.Salted(user.Salt)
		if err := shop.KeepsAdministrator(tx, was, user, PermissionsOf); err != nil {
			return err
		}
		now := s.now()
		if err := tx.UpdateUser(user, now); err != nil {
			return err
		}
		return tx.AppendAudit(accountEntry(user.ID, before, accountOf(user), shop.CallerOf(ctx).Login, now))
	})
	return user, err
}

// userAsRead returns a user who is to be changed. It refuses the change if the user has changed since the caller read it.
func userAsRead(ctx context.Context, tx Tx, id string) (shop.User, error) {
	user, err := findUser(tx, id)
	if err != nil {
		return user, err
	}
	return user, refuseUnreadUser(ctx, user)
}

// refuseUnreadUser refuses to change a user, or something of the user's account, if the user has changed since the caller read it.
func refuseUnreadUser(ctx context.Context, user shop.User) error {
	return shop.RefuseUnread(ctx, shop.NameUser, user.ID, func() (any, error) { return user, nil })
}

// ChangePasswordInput is the body of Change Password.
type ChangePasswordInput struct {
	Password    input.TextInput `field:"password"`
	OldPassword input.TextInput `field:"oldPassword"`
}

// ChangePassword sets the password of the caller, who must give the old password, or of another user, which needs the permission admin.
// That other user must then replace it before anything else. All sessions of the user end. For callers who changed their own password in a
// session, the cookie is that of a new session; otherwise it is nil.
func (s *Service) ChangePassword(ctx context.Context, from Visitor, id string, in ChangePasswordInput) (*http.Cookie, error) {
	return s.changeSecret(ctx, from, id, Password, in.OldPassword, "oldPassword", func(user shop.User) (string, error) {
		password, err := input.RequiredText("password", in.Password)
		if err != nil {
			return "", err
		}
		if old, _ := input.OptionalText("oldPassword", in.OldPassword); old == password {
			return "", refusal.RefuseField(reasonSame, "password")
		}
		return password, s.checkPassword(password, user)
	})
}

// ChangePINInput is the body of Change PIN.
type ChangePINInput struct {
	PIN      input.TextInput `field:"pin"`
	Password input.TextInput `field:"password"`
}

// ChangePIN sets the PIN of the caller, who must give the password (or the old PIN if there is no password), or of another user, which
// needs the permission admin. Sessions end as in ChangePassword.
func (s *Service) ChangePIN(ctx context.Context, from Visitor, id string, in ChangePINInput) (*http.Cookie, error) {
	return s.changeSecret(ctx, from, id, PIN, in.Password, "password", func(user shop.User) (string, error) {
		pin, err := input.RequiredText("pin", in.PIN)
		if err != nil {
			return "", err
		}
		return pin, checkPIN(pin, user)
	})
}

// changesSecret refuses callers who may not change a secret of the user, or must do something else first. It reports whether the secret is
// the caller's own.
func changesSecret(ctx context.Context, id string, kind SecretKind) (own bool, err error) {
	if identity := IdentityOf(ctx); identity != nil && identity.MustChange == "" && identity.Second == SetUpSecond {
		return false, ErrSetUpSecond
	}
	if own, err = managesOf(ctx, id); err != nil {
		return own, err
	}
	if !own {
		if err := shop.CallerOf(ctx).RequireConfirmed(); err != nil {
			return own, err
		}
	}
	if first := IdentityOf(ctx).MustChange; first != "" && first != kind {
		return own, mustReplace(first)
	}
	return own, nil
}

// provingSecret returns the secret that users must give to change a secret of their own: the password, or the PIN if there is no password.
// It is the zero Secret for a user who has neither and so cannot prove it.
func provingSecret(tx Reader, id string, kind SecretKind) (kept Secret, err error) {
	kept, err = tx.Secret(id, Password)
	if errors.Is(err, shop.ErrNoRecord) && kind == PIN {
		kept, err = tx.Secret(id, PIN)
	}
	if errors.Is(err, shop.ErrNoRecord) {
		err = nil
	}
	return kept, err
}

// changingSecret returns the user whose secret changes and, if it is the caller's own secret, the stored secret that the caller must prove.
func (s *Service) changingSecret(ctx context.Context, id string, kind SecretKind, own bool) (user shop.User, kept Secret, err error) {
	err = s.store.ViewAccess(ctx, func(tx Reader) (err error) {
		if user, err = findUser(tx, id); err != nil {
			return err
		}
		if err := refuseUnreadUser(ctx, user); err != nil || !own { // checked here too, so that it does not count as an attempt to sign in
			return err
		}
		kept, err = provingSecret(tx, id, kind)
		return err
	})
	if err != nil {
		return user, kept, err
	}
	return user, kept, personOnly(user)
}

// changeSecret sets a secret of a user. Callers who change their own secret must prove their identity, which counts as an attempt to sign
// in.
func (s *Service) changeSecret(ctx context.Context, from Visitor, id string, kind SecretKind, proof input.TextInput,
	proofField string, judge func(shop.User) (string, error),
) (*http.Cookie, error) {
	own, err := changesSecret(ctx, id, kind)
	if err != nil {
		return nil, err
	}
	user, kept, err := s.changingSecret(ctx, id, kind, own)
	if err != nil {
		return nil, err
	}
	ctx = shop.Signable(ctx, signedSecret{input.Given(string(kind))}, id)
	secret, err := judge(user)
	if err != nil {
		return nil, err
	}
	var cookie *http.Cookie
	change := func(hash string) func(Tx) error {
		return func(tx Tx) error {
			if _, err := userAsRead(ctx, tx, id); err != nil {
				return err
			}
			secret := Secret{UserID: id, Kind: kind, Hash: hash, MustChange: !own, SetBy: IdentityOf(ctx).User.ID}
			if own { // the new secret is confirmed if the secret that proves the identity is
				proof, err := tx.Secret(id, kept.Kind)
				if err != nil {
					return err
				}
				secret.SetBy = proof.SetBy
			}
			if err := s.putSecret(ctx, tx, user, secret); err != nil {
				return err
			}
			if !own {
				return nil
			}
			session := IdentityOf(ctx).Session // every route that leads here requires an identity
			var err error
			cookie, err = s.open(tx, user, session.Method, session.Second, from)
			return err
		}
	}
	if !own {
		hash, err := s.hash(ctx, owner{id, kind}, secret)
		if err != nil {
			return nil, err
		}
		return nil, s.store.UpdateAccess(ctx, change(hash))
	}
	given, err := input.RequiredText(proofField, proof)
	if err != nil {
		return nil, err
	}
	hash, err := s.hash(ctx, owner{id, kind}, secret)
	if err != nil {
		return nil, err
	}
	if err := s.prove(ctx, from, user, user.Login, given, kept, change(hash)); err != nil {
		s.unproved(ctx, from, user, kept.Kind, err)
		return nil, err
	}
	return cookie, nil
}

// outdateOthers marks the other unconfirmed secrets of a user when another person sets one of the secrets again. An earlier setter may know
// the others, so the owner must replace them before the account is confirmed.
func (s *Service) outdateOthers(tx Tx, user shop.User, kind SecretKind) error {
	if err := s.unconfirm(tx, user); err != nil {
		return err
	}
	secrets, err := tx.SecretsOfUser(user.ID)
	if err != nil {
		return err
	}
	for _, secret := range secrets {
		if secret.Kind == kind || secret.SetBy == "" {
			continue
		}
		secret.ChangedAt = 0
		if err := tx.PutSecret(secret); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) putSecret(ctx context.Context, tx Tx, user shop.User, secret Secret) error {
	if secret.MustChange { // another person sets it
		if err := s.outdateOthers(tx, user, secret.Kind); err != nil {
			return err
		}
	}
	secret.ChangedAt = s.now()
	if err := tx.PutSecret(secret); err != nil {
		return err
	}
	if secret.Kind != Badge {
		if err := tx.DeleteSessionsOfUser(user.ID, ""); err != nil {
			return err
		}
	}
	return tx.AppendAudit(trail.Entry{
		Action: shop.ActionSecretChanged, UserID: shop.CallerOf(ctx).Login, Timestamp: secret.ChangedAt,
		Metadata: metadata(struct {
			AccountID string     `json:"accountId"`
			Login     string     `json:"login,omitempty"`
			Kind      SecretKind `json:"kind"`
		}{user.ID, user.Login, secret.Kind}),
	})
}

// BadgePrefix is the prefix of a badge's code, so that a scanned badge is recognized.
const BadgePrefix = shop.BadgePrefix

// NewBadge creates a badge for a user and returns its code. The previous badge is no longer valid.
func (s *Service) NewBadge(ctx context.Context, id string) (badge string, err error) {
	if _, err := managesOf(ctx, id); err != nil {
		return "", err
	}
	if err := shop.CallerOf(ctx).RequireConfirmed(); err != nil {
		return "", err
	}
	ctx = shop.Signable(ctx, signedSecret{input.Given(string(Badge))}, id)
	err = s.once(ctx, func(tx Tx) error {
		user, err := findUser(tx, id)
		if err != nil {
			return err
		}
		if err := personOnly(user); err != nil {
			return err
		}
		secrets, err := tx.SecretsOfUser(id)
		if err != nil {
			return err
		}
		there := shownOf(secrets).Badge
		if err := shop.RefuseUnread(ctx, shop.NameUser, id,
			func() (any, error) { return there, nil }, func() (any, error) { return user, nil },
		); err != nil {
			return err
		}
		badge = BadgePrefix + randomText(shop.BadgeRandom)
		return s.putSecret(ctx, tx, user, Secret{UserID: id, Kind: Badge, Hash: digest(badge)})
	})
	return badge, err
}

// Account is a user's account as shown to its administrators.
type Account struct {
	Password, PIN bool            // whether the user has one
	Badge         string          // distinguishes the user's badges, "" for none; cannot be used to sign in
	Unconfirmed   bool            // whether a second person has to confirm who owns the account
	MustChange    SecretKind      // the secret that the user must replace before anything else, "" for none
	LockedUntil   ident.Timestamp // until when the account is locked at some place after wrong attempts; 0: nowhere
	Subject       string          // the user's subject at the OpenID Connect provider, "" for none
}

// shownOf summarizes a user's secrets for display.
func shownOf(secrets []Secret) (a Account) {
	a.MustChange = toReplace(secrets)
	for _, secret := range secrets {
		switch secret.Kind {
		case Password:
			a.Password = true
		case PIN:
			a.PIN = true
		case Badge:
			a.Badge = secret.Hash
		case PasskeyFactor, OneTimeCodeFactor, RecoveryFactor: // second factors are stored elsewhere
		}
	}
	return a
}

// Accounts returns the accounts of users, by identifier.
func (s *Service) Accounts(ctx context.Context, userIDs []string) (map[string]Account, error) {
	accounts := make(map[string]Account, len(userIDs))
	err := s.store.ViewAccess(ctx, func(tx Reader) error {
		for _, id := range userIDs {
			secrets, err := tx.SecretsOfUser(id)
			if err != nil {
				return err
			}
			a := shownOf(secrets)
			setters, err := settersOf(tx, id)
			if err != nil {
				return err
			}
			a.Unconfirmed = len(setters) > 0
			if a.LockedUntil, err = s.lockedUntil(tx, id); err != nil {
				return err
			}
			if s.provider != nil {
				if a.Subject, err = s.subjectOf(tx, id); err != nil {
					return err
				}
			}
			accounts[id] = a
		}
		return nil
	})
	return accounts, err
}

// Unlock deletes the wrong attempts of a user: the caller's own, or any user's with the permission admin.
func (s *Service) Unlock(ctx context.Context, id string) error {
	if _, err := managesOf(ctx, id); err != nil {
		return err
	}
	return s.store.UpdateAccess(ctx, func(tx Tx) error {
		user, err := findUser(tx, id)
		if err != nil {
			return err
		}
		if err := tx.DeleteAttemptsUnder(accountPrefix(user.ID)); err != nil {
			return err
		}
		return tx.AppendAudit(s.accountAction(ctx, shop.ActionAccountUnlocked, user))
	})
}

// accountAction returns the audit entry of an action on an account that does not change the account.
func (s *Service) accountAction(ctx context.Context, action trail.Action, user shop.User) trail.Entry {
	return trail.Entry{
		Action: action, UserID: shop.CallerOf(ctx).Login, Timestamp: s.now(),
		Metadata: metadata(struct {
			AccountID string `json:"accountId"`
			Login     string `json:"login,omitempty"`
		}{user.ID, user.Login}),
	}
}
