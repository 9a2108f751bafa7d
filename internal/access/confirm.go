package access

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/routecard/routecard/shop"
)

// There are two things to confirm. A person confirms that it is still they who sit at a session, by giving a secret again:
// ConfirmSelf. And a second person confirms that an account is the person's whose name it has, when its first secret, or a
// new one, came from somebody else who so could have been that person: ConfirmAccount.

// confirmedFor is how long a secret that was given in a session counts as given just now.
const confirmedFor = 5 * time.Minute

// ConfirmSelfInput is the body of Confirm Self.
type ConfirmSelfInput struct {
	Password shop.TextInput `field:"password"`
	PIN      shop.TextInput `field:"pin"`
}

// Confirmation is the password or the PIN that a request may have, in place of a confirmation before it.
type Confirmation = ConfirmSelfInput

// NeedsConfirmation reports whether the caller has to give a password or a PIN to change what they sign in with.
func (s *Service) NeedsConfirmation(ctx context.Context) bool {
	identity := IdentityOf(ctx)
	return identity == nil || !identity.Confirmed
}

// confirm refuses a caller who has not given a secret within the last minutes and does not give one now. What is wrong
// counts as a wrong sign-in.
func (s *Service) confirm(ctx context.Context, from Visitor, in Confirmation) (*Identity, error) {
	identity, err := managesCredentials(ctx)
	switch {
	case err != nil:
		return nil, err
	case in.Password.Supplied() || in.PIN.Supplied():
		return identity, s.ConfirmSelf(ctx, from, in)
	case !identity.Confirmed:
		return nil, shop.Refuse(shop.ConfirmFirst)
	}
	return identity, nil
}

// ConfirmSelf takes a password or a PIN of the caller once more, for what needs one that was given just now. What is wrong
// counts as a wrong sign-in. A session that began with a badge stays unconfirmed, whatever is given in it.
func (s *Service) ConfirmSelf(ctx context.Context, from Visitor, in ConfirmSelfInput) error {
	kind := PIN
	secret, err := shop.OptionalText("pin", in.PIN)
	if err == nil && secret == "" {
		kind = Password
		secret, err = shop.RequiredText("password", in.Password)
	}
	if err != nil {
		return err
	}
	_, err = s.confirmSelf(ctx, from, secret, func([]Secret) SecretKind { return kind })
	return err
}

// ConfirmForm is ConfirmSelf for what was typed into a form, where it is seen from the secret which one it is. The context
// that it returns is confirmed.
func (s *Service) ConfirmForm(ctx context.Context, from Visitor, typed string) (context.Context, error) {
	if typed == "" {
		return ctx, shop.Refuse(reasonUnproved)
	}
	return s.confirmSelf(ctx, from, typed, func(secrets []Secret) SecretKind { return signsWith(secrets, typed) })
}

// CanConfirm reports whether ConfirmSelf can do anything for an identity.
func (i *Identity) CanConfirm() bool { return i.Session.ID != "" && i.Session.Method != string(PIN) }

func (s *Service) confirmSelf(ctx context.Context, from Visitor, secret string, which func([]Secret) SecretKind,
) (context.Context, error) {
	identity, err := managesCredentials(ctx)
	switch {
	case err != nil:
		return ctx, err
	case !identity.CanConfirm():
		return ctx, shop.Refuse(shop.ConfirmFirst)
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

// setters are the users who set secrets of an account that nobody has confirmed.
func setters(secrets []Secret) (ids []string) {
	for _, secret := range secrets {
		if secret.SetBy != "" {
			ids = append(ids, secret.SetBy)
		}
	}
	return ids
}

// mayConfirm reports whether permissions are enough to confirm accounts.
func mayConfirm(permissions []shop.Permission) bool {
	return slices.Contains(permissions, shop.Decide) || slices.Contains(permissions, shop.Admin)
}

// MayConfirm reports whether an identity may confirm the account of somebody else.
func (i *Identity) MayConfirm(userID string) bool {
	return i.TokenID == "" && i.User.ID != userID && mayConfirm(i.Permissions)
}

// ConfirmAccount says, by a second person, that an account is the person's whose name it has. An account whose secrets are
// its owner's is confirmed already.
//
// Whoever set a secret may have registered second factors, too, so all second factors that the account has are removed, and its
// sessions end, since one of them may have begun with such a factor: its owner registers them anew.
//
// Nobody confirms their own account, or one for which they set a secret. Whose own account is unconfirmed confirms none,
// since two accounts may be one person's; but where nobody else could, somebody has to be the first.
func (s *Service) ConfirmAccount(ctx context.Context, id string) (shop.User, error) {
	identity, err := managesCredentials(ctx)
	switch {
	case err != nil:
		return shop.User{}, err
	case !mayConfirm(identity.Permissions):
		return shop.User{}, NotPermitted(shop.Decide)
	}
	var user shop.User
	ctx = shop.Signable(ctx, signedConfirmation{shop.Given("whose account it is")}, id)
	err = s.once(ctx, func(tx Tx) (err error) {
		if user, err = findUser(tx, id); err != nil {
			return err
		}
		secrets, err := tx.SecretsOfUser(id)
		if err != nil {
			return err
		}
		set := setters(secrets)
		switch {
		case user.ID == identity.User.ID, slices.Contains(set, identity.User.ID):
			return shop.Refuse(reasonNotSecond)
		case len(set) == 0:
			return nil
		case toReplace(secrets) != "":
			return shop.Refuse(reasonUnreplaced, user.Login)
		}
		if err := s.checkConfirmer(tx, identity.User.ID, append(set, id)); err != nil {
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
		if err := tx.LockName(factorsOf(id)); err != nil {
			return err
		}
		entries, err := s.removeFactors(ctx, tx, user)
		if err != nil {
			return err
		}
		if len(entries) > 0 {
			if err := tx.DeleteSessionsOfUser(id, ""); err != nil {
				return err
			}
		}
		return tx.AppendAudit(append(entries, shop.AuditEntry{
			Action: shop.ActionAccountConfirmed, UserID: identity.User.Login, Timestamp: s.now(),
			Metadata: metadata(struct {
				AccountID string `json:"accountId"`
				Login     string `json:"login"`
			}{user.ID, user.Login}),
		})...)
	})
	return user, err
}

// checkConfirmer refuses somebody whose own account is unconfirmed, if there is anybody else with a confirmed one who could
// confirm: neither of those that are concerned.
func (s *Service) checkConfirmer(tx Tx, confirmer string, concerned []string) error {
	unconfirmed, err := tx.UnconfirmedUsers()
	if err != nil || !slices.Contains(unconfirmed, confirmer) {
		return err
	}
	var others []string
	for user, err := range tx.Users() {
		if err != nil {
			return err
		}
		if user.Active && user.Login != "" && user.Kind != shop.Program && mayConfirm(PermissionsOf(user.Roles)) &&
			!slices.Contains(concerned, user.ID) && !slices.Contains(unconfirmed, user.ID) {
			others = append(others, user.ID)
		}
	}
	for _, id := range others { // and can sign in
		secrets, err := tx.SecretsOfUser(id)
		identities, identityErr := tx.IdentitiesOfUser(id)
		if err := cmp.Or(err, identityErr); err != nil {
			return err
		}
		if len(secrets) > 0 || len(identities) > 0 {
			return shop.Refuse(Unconfirmed)
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
