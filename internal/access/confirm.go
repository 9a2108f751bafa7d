package access

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// There are two confirmations. ConfirmSelf: users give a secret again to confirm that they themselves are using the session.
// ConfirmAccount: a second person confirms that an account belongs to its named owner, because another user had set one of its secrets and
// so could have signed in as the owner.

// confirmedFor is the time for which a secret given in a session counts as fresh.
const confirmedFor = 5 * time.Minute

// ConfirmSelfInput is the body of Confirm Self.
type ConfirmSelfInput struct {
	Password input.TextInput `field:"password"`
	PIN      input.TextInput `field:"pin"`
}

// Confirmation is the password or the PIN in a request that needs a confirmation, for callers who have not called ConfirmSelf before.
type Confirmation = ConfirmSelfInput

// NeedsConfirmation reports whether callers have to give a password or a PIN before they change their own credentials.
func (s *Service) NeedsConfirmation(ctx context.Context) bool {
	identity := IdentityOf(ctx)
	return identity == nil || !identity.Confirmed
}

// confirm refuses a caller who has not given a secret within the last minutes and does not give one now. A wrong secret counts as a wrong
// sign-in.
func (s *Service) confirm(ctx context.Context, from Visitor, in Confirmation) (*Identity, error) {
	identity, err := managesCredentials(ctx)
	switch {
	case err != nil:
		return nil, err
	case in.Password.Supplied() || in.PIN.Supplied():
		return identity, s.ConfirmSelf(ctx, from, in)
	case !identity.Confirmed:
		return nil, refusal.Refuse(refusal.ConfirmFirst)
	}
	return identity, nil
}

// ConfirmSelf checks a password or a PIN of the caller again, for operations that need a fresh secret. A wrong secret counts as a wrong
// sign-in. A session that began with a badge stays unconfirmed, whichever secret is given.
func (s *Service) ConfirmSelf(ctx context.Context, from Visitor, in ConfirmSelfInput) error {
	kind := PIN
	secret, err := input.OptionalText("pin", in.PIN)
	if err == nil && secret == "" {
		kind = Password
		secret, err = input.RequiredText("password", in.Password)
	}
	if err != nil {
		return err
	}
	_, err = s.confirmSelf(ctx, from, secret, func([]Secret) SecretKind { return kind })
	return err
}

// ConfirmForm is ConfirmSelf for text typed into a form. The characters of the text show whether it is a password or a PIN. The returned
// context is confirmed.
func (s *Service) ConfirmForm(ctx context.Context, from Visitor, typed string) (context.Context, error) {
	if typed == "" {
		return ctx, refusal.Refuse(reasonUnproved)
	}
	return s.confirmSelf(ctx, from, typed, func(secrets []Secret) SecretKind { return signsWith(secrets, typed) })
}

// CanConfirm reports whether an identity can be confirmed by ConfirmSelf.
func (i *Identity) CanConfirm() bool { return i.Session.ID != "" && i.Session.Method != string(PIN) }

func (s *Service) confirmSelf(ctx context.Context, from Visitor, secret string, which func([]Secret) SecretKind,
) (context.Context, error) {
	identity, err := managesCredentials(ctx)
	switch {
	case err != nil:
		return ctx, err
	case !identity.CanConfirm():
		return ctx, refusal.Refuse(refusal.ConfirmFirst)
	}
	login := identity.User.Login
	user, kept, err := s.person(ctx, login, which)
	if err != nil {
		return ctx, err
	}
	if err := s.prove(ctx, from, user, login, secret, kept, func(tx Tx) error {
		return tx.ConfirmSession(identity.Session.Hash, s.now())
	}); err != nil {
		s.unproved(ctx, from, user, kept.Kind, err)
		return ctx, err
	}
	confirmed := *identity
	confirmed.Confirmed = true
	return withIdentity(ctx, &confirmed), nil
}

// settersOf returns the users who made an unconfirmed change: set a secret of an account, or connected the account with a provider.
func settersOf(tx Reader, userID string) (ids []string, err error) {
	secrets, err := tx.SecretsOfUser(userID)
	if err != nil {
		return nil, err
	}
	for _, secret := range secrets {
		if secret.SetBy != "" {
			ids = append(ids, secret.SetBy)
		}
	}
	identities, err := tx.IdentitiesOfUser(userID)
	for _, identity := range identities {
		if identity.SetBy != "" {
			ids = append(ids, identity.SetBy)
		}
	}
	return ids, err
}

// confirmed reports whether a user has a confirmed account of a person with which they can sign in.
func confirmed(tx Reader, user shop.User) (bool, error) {
	if user.Login == "" || user.Kind == shop.Program {
		return false, nil
	}
	setters, err := settersOf(tx, user.ID)
	if err != nil || len(setters) > 0 {
		return false, err
	}
	secrets, err := tx.SecretsOfUser(user.ID)
	if err != nil || slices.ContainsFunc(secrets, func(secret Secret) bool { return secret.Kind != Badge }) {
		return err == nil, err
	}
	identities, err := tx.IdentitiesOfUser(user.ID)
	return len(identities) > 0, err
}

// settingConfirmed is the name of the setting that exists once any account has been confirmed.
const settingConfirmed = "confirmed"

// settingUnconfirmed is the prefix of the settings that record when a confirmed account became unconfirmed.
const settingUnconfirmed = "unconfirmed:"

// unconfirm records, before another user changes how a user signs in, that the account was confirmed until then. So an administrator cannot
// first make all accounts unconfirmed and then confirm accounts with an unconfirmed account of their own.
func (s *Service) unconfirm(tx Tx, user shop.User) error {
	was, err := confirmed(tx, user)
	if err != nil || !was {
		return err
	}
	return errors.Join(tx.PutSetting(settingConfirmed, "", s.now()), tx.PutSetting(settingUnconfirmed+user.ID, "", s.now()))
}

// mayConfirm reports whether permissions are enough to confirm accounts.
func mayConfirm(permissions []shop.Permission) bool {
	return slices.Contains(permissions, shop.Decide) || slices.Contains(permissions, shop.Admin)
}

// MayConfirm reports whether an identity may confirm the account of another user.
func (i *Identity) MayConfirm(userID string) bool {
	return i.CanConfirm() && i.User.ID != userID && mayConfirm(i.Permissions)
}

// ConfirmAccount records the statement of a second person that an account belongs to its named owner. If only the owner has set its
// secrets, the account is confirmed already. The operation needs a fresh secret, and never accepts a session that began with a badge.
//
// The user who set a secret may also have registered second factors and made tokens. So all second factors of the account are removed, its
// sessions end, because one of them may have begun with such a factor, and tokens made while the account was unconfirmed are revoked. The
// owner then registers factors and makes tokens again.
//
// Users cannot confirm their own account, nor an account for which they set a secret or made a connection. Users with an unconfirmed
// account cannot confirm others, because both accounts may belong to one person. The first confirmation in a shop is the exception.
func (s *Service) ConfirmAccount(ctx context.Context, id string) (shop.User, error) {
	identity, err := managesCredentials(ctx)
	if err == nil && !mayConfirm(identity.Permissions) {
		err = NotPermitted(shop.Decide)
	}
	if err == nil {
		err = shop.CallerOf(ctx).RequireConfirmed()
	}
	if err != nil {
		return shop.User{}, err
	}
	var user shop.User
	ctx = shop.Signable(ctx, signedConfirmation{input.Given("whose account it is")}, id)
	err = s.once(ctx, func(tx Tx) (err error) {
		if user, err = findUser(tx, id); err != nil {
			return err
		}
		setters, err := s.checkConfirmation(tx, user, identity.User.ID)
		if err != nil || len(setters) == 0 {
			return err
		}
		return s.confirmAccount(ctx, tx, user)
	})
	return user, err
}

// checkConfirmation refuses a confirmation that does not come from a second person. It returns the users whose changes made the
// confirmation necessary.
func (s *Service) checkConfirmation(tx Tx, user shop.User, confirmer string) (setters []string, err error) {
	if setters, err = settersOf(tx, user.ID); err != nil {
		return nil, err
	}
	secrets, err := tx.SecretsOfUser(user.ID)
	switch {
	case err != nil:
		return nil, err
	case user.ID == confirmer, slices.Contains(setters, confirmer):
		return nil, refusal.Refuse(reasonNotSecond)
	case len(setters) == 0:
		return nil, nil
	case toReplace(secrets) != "", slices.ContainsFunc(secrets, Secret.outdated):
		return nil, refusal.Refuse(reasonUnreplaced, user.Login)
	}
	for _, id := range setters {
		setter, err := tx.User(id)
		if err != nil {
			return nil, err
		}
		if is, err := confirmed(tx, setter); err != nil {
			return nil, err
		} else if !is && id != user.ID { // the caller may have made that account
			return nil, refusal.Refuse(reasonNoSetter, setter.Login)
		}
	}
	return setters, s.checkConfirmer(tx, confirmer, append(setters, user.ID))
}

// outdated reports whether the owner has to replace an unconfirmed secret before the account is confirmed.
func (s Secret) outdated() bool { return s.SetBy != "" && s.ChangedAt == 0 }

// confirmAccount clears the setters of an account's secrets and connections, and removes its second factors.
func (s *Service) confirmAccount(ctx context.Context, tx Tx, user shop.User) error {
	secrets, err := tx.SecretsOfUser(user.ID)
	if err != nil {
		return err
	}
	for _, secret := range secrets {
		if secret.SetBy == "" {
			continue
		}
		secret.SetBy = ""
		if err := tx.PutSecret(secret); err != nil {
			return err
		}
	}
	if err := tx.ConfirmIdentities(user.ID); err != nil {
		return err
	}
	if err := tx.PutSetting(settingConfirmed, "", s.now()); err != nil {
		return err
	}
	if err := tx.LockName(factorsOf(user.ID)); err != nil {
		return err
	}
	entries, err := s.removeFactors(ctx, tx, user)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		if err := tx.DeleteSessionsOfUser(user.ID, ""); err != nil {
			return err
		}
	}
	revoked, err := s.revokeUnconfirmed(tx, user, shop.CallerOf(ctx).Login)
	if err != nil {
		return err
	}
	entries = append(entries, revoked...)
	return tx.AppendAudit(append(entries, s.accountAction(ctx, shop.ActionAccountConfirmed, user))...)
}

// revokeUnconfirmed revokes the tokens of a user that were made while the account was unconfirmed, and returns the entries that record it.
func (s *Service) revokeUnconfirmed(tx Tx, user shop.User, by string) (entries []trail.Entry, err error) {
	_, since, err := tx.Setting(settingUnconfirmed + user.ID)
	if err != nil && !errors.Is(err, shop.ErrNoRecord) { // without this setting, the account was never confirmed
		return nil, err
	}
	tokens, err := tx.TokensOfUser(user.ID)
	if err != nil {
		return nil, err
	}
	now := s.now()
	for _, token := range tokens {
		if token.RevokedAt != 0 || token.ExpiresAt <= now || token.CreatedAt <= since {
			continue
		}
		if err := tx.RevokeToken(user.ID, token.ID, now); err != nil {
			return nil, err
		}
		entries = append(entries, tokenEntry(shop.ActionTokenRevoked, token, by, now))
	}
	return entries, nil
}

// checkConfirmer refuses a user with an unconfirmed account if an account was confirmed before, or if any account other than the concerned
// ones is confirmed now. Inactive accounts count too, since an administrator can activate them.
func (s *Service) checkConfirmer(tx Tx, confirmer string, concerned []string) error {
	setters, err := settersOf(tx, confirmer)
	if err != nil || len(setters) == 0 {
		return err
	}
	if _, _, err := tx.Setting(settingConfirmed); !errors.Is(err, shop.ErrNoRecord) {
		return cmp.Or(err, error(refusal.Refuse(Unconfirmed)))
	}
	var others []shop.User
	for user, err := range tx.Users() {
		if err != nil {
			return err
		}
		if !slices.Contains(concerned, user.ID) {
			others = append(others, user)
		}
	}
	for _, user := range others {
		if is, err := confirmed(tx, user); err != nil || is {
			return cmp.Or(err, error(refusal.Refuse(Unconfirmed)))
		}
	}
	return nil
}

// UnconfirmedUsers returns the users whose account a second person has to confirm.
func (s *Service) UnconfirmedUsers(ctx context.Context) (ids []string, err error) {
	err = s.store.ViewAccess(ctx, func(tx Reader) (err error) {
		ids, err = tx.UnconfirmedUsers()
		return err
	})
	return ids, err
}
