package access

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// SignInInput is the body of Sign In: a login and a password, or a badge and a PIN.
type SignInInput struct {
	Login    input.TextInput `field:"login"`
	Password input.TextInput `field:"password"`
	Badge    input.TextInput `field:"badge"`
	PIN      input.TextInput `field:"pin"`
}

// SignedInAs is the response of Sign In.
type SignedInAs struct {
	User        shop.User         `json:"user"`
	Permissions []shop.Permission `json:"permissions"`
	MustChange  bool              `json:"mustChange,omitempty"` // another user set a secret
	// SecondFactor is the step of the second factor that is needed before anything else, "" for none.
	SecondFactor SecondStep `json:"secondFactor,omitempty"`
	// Actor is the login recorded in addition to the name for which the caller acts; "" for a caller who may not act for others. Only Me
	// returns it.
	Actor string `json:"actor,omitempty"`
}

// SignIn opens a session and returns its cookie. The response to a wrong attempt, and its duration, do not depend on what was wrong.
func (s *Service) SignIn(ctx context.Context, from Visitor, in SignInInput) (SignedInAs, *http.Cookie, error) {
	who, secret, kind, err := in.check()
	if err != nil {
		return SignedInAs{}, nil, err
	}
	user, kept, err := s.account(ctx, who, kind)
	if err != nil {
		return SignedInAs{}, nil, err
	}
	if kind == PIN && from.Station.ID == "" {
		err := refusal.Refuse(reasonBadge)
		s.attempted(ctx, from, user, string(kind), err) // a badge was used outside a station
		return SignedInAs{}, nil, err
	}
	var cookie *http.Cookie
	as := SignedInAs{User: user}
	var refusal error // of a user whose secret was right
	err = s.prove(ctx, from, user, who, secret, kept, func(tx Tx) error {
		secrets, err := tx.SecretsOfUser(user.ID)
		if err != nil {
			return err
		}
		as.MustChange = toReplace(secrets) != ""
		var ended []shop.Permission
		if as.Permissions, ended, err = s.allowedIn(tx, user); err != nil {
			return err
		}
		as.Permissions = permissionsIn(string(kind), as.Permissions)
		if refusal = nil; len(as.Permissions) == 0 && len(ended) > 0 {
			refusal = s.signInAgain()
			return nil
		}
		if as.SecondFactor, err = s.stepAfter(tx, user, kind); err != nil {
			return err
		}
		cookie, err = s.open(tx, user, string(kind), "", from)
		return err
	})
	err = cmp.Or(err, refusal)
	s.attempted(ctx, from, user, string(kind), err)
	if err != nil {
		return SignedInAs{}, nil, err
	}
	if as.SecondFactor != "" {
		as.Permissions = []shop.Permission{}
	}
	return as, cookie, nil
}

func (in SignInInput) check() (who, secret string, kind SecretKind, err error) {
	if badge, err := input.OptionalText("badge", in.Badge); err != nil {
		return "", "", "", err
	} else if badge != "" {
		secret, err = input.RequiredText("pin", in.PIN)
		return strings.TrimSpace(badge), secret, PIN, err
	}
	if who, err = input.RequiredText("login", in.Login); err != nil {
		return "", "", "", err
	}
	secret, err = input.RequiredText("password", in.Password)
	return strings.ToLower(strings.TrimSpace(who)), secret, Password, err
}

// account finds the user of a login or a badge, and their secret. An unknown one gives zero values.
func (s *Service) account(ctx context.Context, who string, kind SecretKind) (user shop.User, kept Secret, err error) {
	err = s.store.ViewAccess(ctx, func(tx Reader) (err error) {
		user, kept = shop.User{}, Secret{}
		if kind == PIN {
			badge, err := tx.BadgeByHash(digest(who))
			if err != nil {
				return err
			}
			user, err = tx.User(badge.UserID)
			if err != nil {
				return err
			}
		} else if user, err = tx.UserByLogin(who); err != nil {
			return err
		}
		kept, err = tx.Secret(user.ID, kind)
		return err
	})
	if errors.Is(err, shop.ErrNoRecord) {
		err = nil
	}
	return user, kept, err
}

// prove checks a secret. The attempt is first counted as wrong. If the secret is right, one transaction removes the count and calls then.
func (s *Service) prove(ctx context.Context, from Visitor, user shop.User, typed, secret string, kept Secret,
	then func(Tx) error,
) error {
	account, others := subjectsOf(ctx, from, user, typed)
	leave, err := s.hasher.queue.enter(ctx, account.queue(from), s.crowd.crowded(placeOf(from), s.now()))
	if err != nil {
		return err
	}
	defer leave()
	made, err := s.attempt(ctx, append([]subject{account}, others...)...)
	if err != nil {
		return err
	}
	of := owner{kept.UserID, kept.Kind}
	right, err := s.hasher.matches(of, secret, kept.Hash)
	if err != nil {
		return err
	}
	renewed := kept.Hash
	if right && outdated(kept.Hash) {
		renewed = s.hasher.hash(of, secret)
	}
	if !right || !user.Active || user.Login == "" {
		if err := s.failed(context.WithoutCancel(ctx), made.full, from.Address); err != nil {
			return err
		}
		if made.crowded > 0 {
			return tooManyAttempts(made.crowded)
		}
		return errWrongSecret()
	}
	return s.store.UpdateAccess(ctx, func(tx Tx) error {
		now, err := tx.User(user.ID)
		if err != nil {
			return err
		}
		still, err := tx.Secret(user.ID, kept.Kind)
		if err != nil && !errors.Is(err, shop.ErrNoRecord) {
			return err
		}
		if still.Hash != kept.Hash || !now.Active {
			return errWrongSecret() // changed during the check
		}
		if still.Hash = renewed; renewed != kept.Hash {
			if err := tx.PutSecret(still); err != nil {
				return err
			}
		}
		if err := s.succeeded(tx, made.id, account, others...); err != nil {
			return err
		}
		return then(tx)
	})
}

// Me returns the caller and their permissions.
func (s *Service) Me(ctx context.Context) (SignedInAs, error) {
	identity := IdentityOf(ctx)
	if identity == nil {
		return SignedInAs{}, authenticationRequired()
	}
	me := SignedInAs{User: identity.User, Permissions: identity.Permissions, SecondFactor: identity.Second}
	if slices.Contains(me.Permissions, shop.ActFor) {
		me.Actor = identity.User.Login
	}
	return me, nil
}
