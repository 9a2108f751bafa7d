package access

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// passkeyLimit is how many passkeys a user may have.
const passkeyLimit = 20

var (
	errWrongPasskey = &RefusalError{
		Refusal: refusal.Refuse(reasonPasskey), Challenge: realm,
	}
	errPasskeyRegistration = refusal.Refuse(reasonUnregistered)
)

// logRefusal logs why package webauthn refuses an assertion or registration; users only see that it is refused.
func (s *Service) logRefusal(ctx context.Context, err error) {
	text := err.Error()
	if failure, ok := errors.AsType[*protocol.Error](err); ok {
		text += ": " + failure.DevInfo
	}
	s.options.Logger.WarnContext(ctx, "a passkey was refused", "why", text)
}

// PasskeyRegistration begins the registration of a passkey: it returns what the caller's authenticator is asked. The
// caller has given a secret within the last minutes or gives one now.
func (s *Service) PasskeyRegistration(ctx context.Context, from Visitor, in Confirmation) (PasskeyOptions, error) {
	identity, err := s.confirm(ctx, from, in)
	if err != nil {
		return PasskeyOptions{}, err
	}
	if err := s.party.refusal(); err != nil {
		return PasskeyOptions{}, err
	}
	owner, err := s.holder(ctx, identity.User)
	if err != nil {
		return PasskeyOptions{}, err
	}
	creation, session, err := s.party.webauthn.BeginRegistration(owner, webauthn.WithExclusions(owner.descriptors()))
	if err != nil {
		return PasskeyOptions{}, err
	}
	return PasskeyOptions{creation.Response}, s.ask(ctx, challengeRegister, identity.Session.ID, session)
}

func (s *Service) holder(ctx context.Context, user shop.User) (owner holder, err error) {
	err = s.store.ViewAccess(ctx, func(tx Reader) error {
		passkeys, err := tx.PasskeysOfUser(user.ID)
		owner = holder{user, passkeys}
		return err
	})
	return owner, err
}

// RegisterPasskeyInput is the body of Register Passkey: the caller's name for it, and the authenticator's registration.
type RegisterPasskeyInput struct {
	Name    input.TextInput   `field:"name"`
	Passkey input.ObjectInput `field:"passkey"` // a PublicKeyCredential
}

// optionalPasskey reads the response of an authenticator; nil when it is missing.
func optionalPasskey(in input.ObjectInput) (json.RawMessage, error) {
	return input.OptionalObject("passkey", in)
}

// requiredPasskey reads the response of an authenticator where it is required.
func requiredPasskey(in input.ObjectInput) (json.RawMessage, error) {
	raw, err := optionalPasskey(in)
	if err == nil && raw == nil {
		err = refusal.RefuseField(refusal.Required, "passkey")
	}
	return raw, err
}

// RegisterPasskey keeps a passkey of the caller's. Their session has its second factor from now on.
func (s *Service) RegisterPasskey(ctx context.Context, in RegisterPasskeyInput) (Passkey, error) {
	identity, err := managesCredentials(ctx)
	if err != nil {
		return Passkey{}, err
	}
	if err := s.party.refusal(); err != nil {
		return Passkey{}, err
	}
	name, err := input.RequiredName("name", in.Name)
	if err != nil {
		return Passkey{}, err
	}
	raw, err := requiredPasskey(in.Passkey)
	if err != nil {
		return Passkey{}, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(raw)
	if err != nil {
		s.logRefusal(ctx, err)
		return Passkey{}, errPasskeyRegistration
	}
	challenge := parsed.Response.CollectedClientData.Challenge
	made, err := s.registered(ctx, identity, challenge, parsed)
	if err != nil {
		return Passkey{}, errors.Join(err, s.spoiled(ctx, challenge))
	}
	made.Name = name
	err = s.store.UpdateAccess(ctx, func(tx Tx) error {
		if err := answered(tx, challenge, errPasskeyRegistration); err != nil {
			return err
		}
		if err := s.addable(tx, made); err != nil {
			return err
		}
		made.ID, made.CreatedAt = s.newID(shop.PasskeyPrefix), s.now()
		if err := tx.InsertPasskey(made); err != nil {
			return err
		}
		if err := tx.SetSessionSecond(identity.Session.ID, string(PasskeyFactor)); err != nil {
			return err
		}
		return tx.AppendAudit(s.factorEntry(ctx, identity.User, factorChange{Kind: PasskeyFactor, PasskeyID: made.ID, Name: made.Name}))
	})
	return made, err
}

// registered verifies the registration of an authenticator.
func (s *Service) registered(ctx context.Context, identity *Identity, challenge string, parsed *protocol.ParsedCredentialCreationData,
) (made Passkey, err error) {
	var session webauthn.SessionData
	if err := s.store.ViewAccess(ctx, func(tx Reader) error {
		var ok bool
		session, ok, err = s.asked(tx, challenge, challengeRegister, identity.Session.ID)
		if err == nil && !ok {
			err = errPasskeyRegistration
		}
		return err
	}); err != nil {
		return made, err
	}
	credential, err := s.party.webauthn.CreateCredential(holder{user: identity.User}, session, parsed)
	if err != nil {
		s.logRefusal(ctx, err)
		return made, errPasskeyRegistration
	}
	return Passkey{
		UserID: identity.User.ID, CredentialID: base64.RawURLEncoding.EncodeToString(credential.ID),
		Credential: kept(*credential), SignCount: int64(credential.Authenticator.SignCount),
	}, nil
}

// addable refuses a passkey that has an owner, and one too many.
func (s *Service) addable(tx Tx, made Passkey) error {
	if err := tx.LockName("passkey:" + made.CredentialID); err != nil {
		return err
	}
	if err := tx.LockName(factorsOf(made.UserID)); err != nil {
		return err
	}
	_, err := tx.PasskeyByCredential(made.CredentialID)
	switch {
	case err == nil:
		return refusal.Refuse(reasonPasskeyTaken)
	case !errors.Is(err, shop.ErrNoRecord):
		return err
	}
	all, err := tx.PasskeysOfUser(made.UserID)
	if err == nil && len(all) >= passkeyLimit {
		err = refusal.Refuse(reasonManyPasskeys)
	}
	return err
}

// RemovePasskey takes a passkey of the caller's away, and ends what else they opened.
func (s *Service) RemovePasskey(ctx context.Context, from Visitor, id string, in Confirmation) error {
	return s.removeFactor(ctx, from, in, func(tx Tx, user shop.User) (factorChange, error) {
		change := factorChange{Kind: PasskeyFactor, PasskeyID: id, Removed: true}
		passkeys, err := tx.PasskeysOfUser(user.ID)
		if err != nil {
			return change, err
		}
		for _, passkey := range passkeys {
			if passkey.ID == id {
				change.Name = passkey.Name
				return change, tx.DeletePasskey(user.ID, id)
			}
		}
		return change, shop.NamePasskey.NotFound(id)
	})
}
