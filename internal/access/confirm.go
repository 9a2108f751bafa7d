package access

import (
	"context"
	"time"

	"github.com/routecard/routecard/shop"
)

// confirmLife is how long after a sign-in nobody is asked again who they are.
const confirmLife = 5 * time.Minute

// Confirmation is the password or the PIN that the caller gives once more.
type Confirmation struct {
	Password shop.TextInput `field:"password"`
	PIN      shop.TextInput `field:"pin"`
}

var (
	errConfirm      = shop.Refuse(reasonConfirm)
	errTokenSecrets = shop.Refuse(reasonCredentials)
)

// NeedsConfirmation reports whether the caller has to give a password or a PIN to change what they sign in with.
func (s *Service) NeedsConfirmation(ctx context.Context) bool {
	identity := IdentityOf(ctx)
	return identity == nil || identity.Session.CreatedAt <= s.since(confirmLife)
}

// manages returns the caller who is about to change what somebody signs in with. A program does not, nor does anybody
// who has not yet given their second factor, or has a password that somebody else knows.
func manages(ctx context.Context) (*Identity, error) {
	identity := IdentityOf(ctx)
	switch {
	case identity == nil:
		return nil, authenticationRequired()
	case identity.TokenID != "":
		return nil, errTokenSecrets
	case identity.Second == GiveSecond:
		return nil, ErrGiveSecond
	case identity.MustChange:
		return nil, ErrMustChange
	case identity.Session.Method == string(PIN): // at a station
		return nil, errConfirm
	}
	return identity, nil
}

// confirm refuses a caller who has not given a secret within the last minutes and does not give one now. What is wrong
// counts as a wrong sign-in.
func (s *Service) confirm(ctx context.Context, from Visitor, in Confirmation) (*Identity, error) {
	identity, err := manages(ctx)
	if err != nil {
		return nil, err
	}
	kind := PIN
	secret, err := shop.OptionalText("pin", in.PIN)
	if err == nil && secret == "" {
		kind = Password
		secret, err = shop.OptionalText("password", in.Password)
	}
	switch {
	case err != nil:
		return nil, err
	case secret == "" && s.NeedsConfirmation(ctx):
		return nil, errConfirm
	case secret == "":
		return identity, nil
	}
	user, kept, err := s.person(ctx, identity.User.Login, func([]Secret) SecretKind { return kind })
	if err != nil {
		return nil, err
	}
	return identity, s.prove(ctx, from, user, user.Login, secret, kept, func(Tx) error { return nil })
}
