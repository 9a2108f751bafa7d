package access

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/routecard/routecard/internal/remote"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// settingSetup is the prefix of the settings that store the digests of setup codes.
const settingSetup = "setup:"

// setupLife is the time for which a setup code is valid. Each start of the service creates a new code.
const setupLife = 24 * time.Hour

func errSetupCode() error { return refusal.Refuse(reasonSetupCode) }

// SetupCode makes a code for the first sign-in, or returns "" if any user has the role admin.
func (s *Service) SetupCode(ctx context.Context) (code string, err error) {
	err = s.store.UpdateAccess(ctx, func(tx Tx) error {
		code = ""
		if err := tx.LockAdministrators(); err != nil {
			return err
		}
		admins, err := administrators(tx)
		if err != nil || admins > 0 {
			return err
		}
		code = randomText(tokenRandom)
		return tx.PutSetting(settingSetup+digest(code), "", s.now())
	})
	return code, err
}

// SetupCodeValid reports whether a code may be used just now.
func (s *Service) SetupCodeValid(ctx context.Context, code string) (valid bool, err error) {
	err = s.store.ViewAccess(ctx, func(tx Reader) error {
		err := s.checkSetupCode(tx, code)
		valid = err == nil
		if _, refused := errors.AsType[*refusal.Error](err); refused {
			return nil
		}
		return err
	})
	return valid, err
}

// administrators counts the users who can administer.
func administrators(tx Reader) (count int, err error) {
	for user, err := range tx.Users() {
		if err != nil {
			return 0, err
		}
		if shop.Administers(user, PermissionsOf) {
			count++
		}
	}
	return count, nil
}

func (s *Service) checkSetupCode(tx Reader, code string) error {
	admins, err := administrators(tx)
	if err != nil {
		return err
	}
	_, made, err := tx.Setting(settingSetup + digest(code))
	switch {
	case errors.Is(err, shop.ErrNoRecord), err == nil && (admins > 0 || made <= s.since(setupLife)):
		return errSetupCode()
	}
	return err
}

// SetUpInput is the body of Set Up.
type SetUpInput struct {
	Code     input.TextInput `field:"code"`
	Login    input.TextInput `field:"login"`
	Name     input.TextInput `field:"name"`
	Password input.TextInput `field:"password"`
}

// SetUp makes the first administrator, once. It also clears the policy that changes of accounts need a second administrator, since there is
// none.
func (s *Service) SetUp(ctx context.Context, in SetUpInput) (shop.User, error) {
	code, err := input.OptionalText("code", in.Code)
	if err != nil {
		return shop.User{}, err
	}
	// Checked before any expensive check, so that a visitor without a valid code learns nothing else.
	if valid, err := s.SetupCodeValid(ctx, code); err != nil {
		return shop.User{}, err
	} else if !valid {
		s.secure(ctx, "setup", "", "", remote.From(ctx).Address, slog.String("outcome", outcome(errSetupCode())))
		return shop.User{}, errSetupCode()
	}
	user := shop.User{ID: s.newID("user_"), Active: true, Roles: []string{roleAdmin}}
	if user.Login, err = checkLogin(in.Login); err != nil {
		return shop.User{}, err
	}
	if user.Name, err = input.RequiredName("name", in.Name); err != nil {
		return shop.User{}, err
	}
	hash, err := s.newPassword(ctx, in.Password, user)
	if err != nil {
		return shop.User{}, err
	}
	err = s.store.UpdateAccess(ctx, func(tx Tx) error {
		if err := tx.LockAdministrators(); err != nil {
			return err
		}
		if err := s.checkSetupCode(tx, code); err != nil {
			return err
		}
		if err := s.loginFree(tx, user.Login); err != nil {
			return err
		}
		user.CreatedAt = s.now()
		user.Salt = trail.Salted("")
		if err := tx.InsertUser(user); err != nil {
			return err
		}
		if err := tx.PutSecret(Secret{UserID: user.ID, Kind: Password, Hash: hash, ChangedAt: user.CreatedAt}); err != nil {
			return err
		}
		if err := tx.DeleteSettings(settingSetup); err != nil {
			return err
		}
		if err := tx.AppendAudit(accountEntry(user.ID, account{}, accountOf(user), user.Login, user.CreatedAt)); err != nil {
			return err
		}
		return shop.EndSecondAdministrator(tx, user.Login, user.CreatedAt)
	})
	return user, err
}

// newPassword validates a new password and returns its stored form.
func (s *Service) newPassword(ctx context.Context, in input.TextInput, user shop.User) (hash string, err error) {
	password, err := input.RequiredText("password", in)
	if err != nil {
		return "", err
	}
	if err := s.checkPassword(password, user); err != nil {
		return "", err
	}
	return s.hash(ctx, owner{user.ID, Password}, password)
}

func (s *Service) hash(ctx context.Context, of owner, secret string) (string, error) {
	leave, err := s.hasher.queue.enter(ctx, lineOf(ctx), false)
	if err != nil {
		return "", err
	}
	defer leave()
	return s.hasher.hash(of, secret), nil
}
