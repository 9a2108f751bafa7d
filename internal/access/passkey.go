package access

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// passkeyLimit is the maximum number of passkeys of a user.
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

// PasskeyRegistration begins the registration of a passkey: it returns the options for the caller's authenticator. The caller must have
// given a secret within the last minutes or give one now.
func (s *Service) PasskeyRegistration(ctx context.Context, from Visitor, in Confirmation) (PasskeyOptions, error) {
	identity, err := s.confirm(ctx, from, in)
	if err != nil {
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

// holder returns a user with their passkeys. It refuses if the service has no passkeys.
func (s *Service) holder(ctx context.Context, user shop.User) (owner holder, err error) {
	if err := s.party.refusal(); err != nil {
		return holder{}, err
	}
	err = s.store.ViewAccess(ctx, func(tx Reader) error {
		passkeys, err := tx.PasskeysOfUser(user.ID)
		owner = holder{user, passkeys}
		return err
	})
	return owner, err
}

// RegisterPasskeyInput is the body of Register Passkey: the caller's name for the passkey, and the authenticator's registration.
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

// RegisterPasskey stores a passkey of the caller. From then on, the caller's session counts as having given its second factor.
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
		if err := consume(tx, challenge, errPasskeyRegistration); err != nil {
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

// addable refuses a passkey that already has an owner, or that would exceed passkeyLimit.
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

// RemovePasskey removes a passkey of the caller, and ends the caller's other sessions.
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

// assertion is the unverified assertion of an authenticator.
type assertion struct {
	parsed    *protocol.ParsedCredentialAssertionData
	challenge string
	purpose   string
	boundTo   string
	passkey   Passkey
	user      shop.User // the zero User if the passkey is unknown
}

// readAssertion parses an assertion and finds the owner of its passkey.
func (s *Service) readAssertion(ctx context.Context, raw json.RawMessage, purpose, boundTo string) (*assertion, error) {
	if err := s.party.refusal(); err != nil {
		return nil, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(raw)
	if err != nil {
		s.logRefusal(ctx, err)
		return nil, errWrongPasskey
	}
	a := &assertion{parsed: parsed, challenge: parsed.Response.CollectedClientData.Challenge, purpose: purpose, boundTo: boundTo}
	err = s.store.ViewAccess(ctx, func(tx Reader) (err error) {
		if a.passkey, err = tx.PasskeyByCredential(base64.RawURLEncoding.EncodeToString(parsed.RawID)); err != nil {
			return err
		}
		a.user, err = tx.User(a.passkey.UserID)
		return err
	})
	if errors.Is(err, shop.ErrNoRecord) {
		err = nil
	}
	return a, err
}

// proveAssertion verifies an assertion. The attempt is first counted as wrong. If the assertion is right, one transaction removes the
// count, deletes the challenge, records the use and calls then.
func (s *Service) proveAssertion(ctx context.Context, from Visitor, a *assertion, then func(Tx) error) error {
	account := secondSubject(a.user)
	if a.user.ID == "" {
		account = accountSubject(a.user, base64.RawURLEncoding.EncodeToString(a.parsed.RawID), placeOf(from))
	}
	var used Passkey
	err := s.weigh(ctx, from, a.user, account, errWrongPasskey, func() (right bool, err error) {
		used, right, err = s.judge(ctx, a)
		return right, err
	}, func(tx Tx) error {
		if err := consume(tx, a.challenge, errWrongPasskey); err != nil {
			return err
		}
		used.LastUsedAt = s.now()
		if err := tx.UsePasskey(used); errors.Is(err, shop.ErrNoRecord) {
			return errWrongPasskey // another assertion of the same authenticator was first
		} else if err != nil {
			return err
		}
		return then(tx)
	})
	if errors.Is(err, errWrongPasskey) {
		return errors.Join(err, s.spoiled(ctx, a.challenge))
	}
	return err
}

// judge verifies an assertion. It returns the passkey in its state after this use.
func (s *Service) judge(ctx context.Context, a *assertion) (used Passkey, right bool, err error) {
	if a.user.ID == "" {
		return used, false, nil
	}
	var session webauthn.SessionData
	err = s.store.ViewAccess(ctx, func(tx Reader) (err error) {
		session, right, err = s.asked(tx, a.challenge, a.purpose, a.boundTo)
		return err
	})
	if err != nil || !right {
		return used, false, err
	}
	owner := holder{a.user, []Passkey{a.passkey}}
	var credential *webauthn.Credential
	if len(session.UserID) > 0 {
		// The list of allowed passkeys is no longer needed: the owner of this passkey is known.
		session.AllowedCredentialIDs = nil
		credential, err = s.party.webauthn.ValidateLogin(owner, session, a.parsed)
	} else {
		credential, err = s.party.webauthn.ValidateDiscoverableLogin(
			func(_, _ []byte) (webauthn.User, error) { return owner, nil }, session, a.parsed)
	}
	if err != nil {
		s.logRefusal(ctx, err)
		return used, false, nil
	}
	if credential.Authenticator.CloneWarning {
		s.options.Logger.WarnContext(ctx, "a passkey was refused: its authenticator has not counted on, so there may be a copy of it",
			"login", a.user.Login, "passkey", a.passkey.ID)
		return used, false, nil
	}
	used = a.passkey
	used.Credential, used.SignCount = kept(*credential), int64(credential.Authenticator.SignCount)
	return used, true, nil
}

// beginLimit is the number of sign-ins with a passkey that may begin at one place in the time for which attempts count.
const beginLimit = 600

// passkeyCookie binds an attempt to sign in with a passkey to the browser in which it was begun.
const passkeyCookie = "passkey"

// PasskeySignIn begins a sign-in with a passkey alone. It returns the options for any authenticator, and the cookie that must be sent with
// the assertion. The authenticator must verify its user, so that it counts as two factors.
func (s *Service) PasskeySignIn(ctx context.Context, from Visitor) (PasskeyOptions, *http.Cookie, error) {
	if err := s.party.refusal(); err != nil {
		return PasskeyOptions{}, nil, err
	}
	// Every visitor can send this request, and each request stores a challenge: so their number is limited.
	begun := placeSubject(from)
	begun.name, begun.limit, begun.strict = "passkey:"+begun.name, beginLimit, true
	if _, err := s.attempt(ctx, begun); err != nil {
		return PasskeyOptions{}, nil, err
	}
	request, session, err := s.party.webauthn.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return PasskeyOptions{}, nil, err
	}
	secret := newSecret()
	return PasskeyOptions{request.Response}, s.cookie(passkeyCookie, secret, int(challengeLife/time.Second)),
		s.ask(ctx, challengeSignIn, digest(secret), session)
}

// SignInWithPasskey opens a session for the owner of the passkey. It returns the session's cookie, and a cookie that ends the attempt.
func (s *Service) SignInWithPasskey(
	r *http.Request, from Visitor, in input.ObjectInput,
) (as SignedInAs, cookies []*http.Cookie, err error) {
	ctx := r.Context()
	raw, err := requiredPasskey(in)
	if err != nil {
		return as, nil, err
	}
	begun, err := r.Cookie(s.cookieName(passkeyCookie))
	if err != nil {
		return as, nil, errAttempt
	}
	a, err := s.readAssertion(ctx, raw, challengeSignIn, digest(begun.Value))
	if err != nil {
		return as, nil, err
	}
	as.User = a.user
	var session *http.Cookie
	var refusal error // of a user whose passkey was right
	err = s.proveAssertion(ctx, from, a, func(tx Tx) (err error) {
		secrets, err := tx.SecretsOfUser(a.user.ID)
		if err != nil {
			return err
		}
		as.MustChange = toReplace(secrets) != ""
		var ended []shop.Permission
		if as.Permissions, ended, err = s.allowedIn(tx, a.user); err != nil {
			return err
		}
		if refusal = nil; len(as.Permissions) == 0 && len(ended) > 0 {
			refusal = s.signInAgain()
			return nil
		}
		session, err = s.open(tx, a.user, string(PasskeyFactor), string(PasskeyFactor), from)
		return err
	})
	err = cmp.Or(err, refusal)
	s.attempted(ctx, from, a.user, string(PasskeyFactor), err)
	if err != nil {
		return SignedInAs{}, nil, err
	}
	return as, []*http.Cookie{session, s.cookie(passkeyCookie, "", -1)}, nil
}

// SecondFactorOptions returns the options for a caller who signed in with a password and has a passkey as second factor. The authenticator
// only has to test that a user is present.
func (s *Service) SecondFactorOptions(ctx context.Context) (PasskeyOptions, error) {
	identity, err := entering(ctx)
	if err != nil {
		return PasskeyOptions{}, err
	}
	owner, err := s.holder(ctx, identity.User)
	if err != nil {
		return PasskeyOptions{}, err
	}
	if len(owner.passkeys) == 0 {
		return PasskeyOptions{}, refusal.Refuse(reasonNoPasskey)
	}
	request, session, err := s.party.webauthn.BeginLogin(owner, webauthn.WithUserVerification(protocol.VerificationDiscouraged))
	if err != nil {
		return PasskeyOptions{}, err
	}
	return PasskeyOptions{request.Response}, s.ask(ctx, challengeSecond, identity.Session.ID, session)
}

// boundToSignature binds a challenge of a signature to the caller's session or token and to everything that is signed, so that the
// assertion is valid for nothing else.
func boundToSignature(identity *Identity, ticket shop.SignatureTicket) string {
	return digest(string(metadata([]string{
		identity.Session.ID, identity.TokenID, string(ticket.Meaning), string(ticket.Operation), ticket.Target,
		ticket.BodySHA256,
	})))
}

// SigningOptions returns the options for an assertion that signs: the caller's, or a second person's. The authenticator must verify its
// user.
func (s *Service) SigningOptions(ctx context.Context, in shop.SignInput) (PasskeyOptions, error) {
	identity := IdentityOf(ctx)
	switch {
	case identity == nil:
		return PasskeyOptions{}, authenticationRequired()
	case identity.MustChange != "":
		return PasskeyOptions{}, mustReplace(identity.MustChange)
	}
	ticket, err := in.Ticket()
	if err != nil {
		return PasskeyOptions{}, err
	}
	if err := s.party.refusal(); err != nil {
		return PasskeyOptions{}, err
	}
	request, session, err := s.party.webauthn.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return PasskeyOptions{}, err
	}
	return PasskeyOptions{request.Response}, s.ask(ctx, challengeSign, boundToSignature(identity, ticket), session)
}

// signWithPasskey stores a ticket for the user with this login, whose passkey must have made the assertion.
func (s *Service) signWithPasskey(ctx context.Context, from Visitor, login string, raw json.RawMessage, ticket shop.SignatureTicket,
) (Ticket, error) {
	a, err := s.readAssertion(ctx, raw, challengeSign, boundToSignature(IdentityOf(ctx), ticket))
	if err != nil {
		return Ticket{}, err
	}
	if a.user.Login != login { // another person's passkey: only the user with this login may sign
		a.user = shop.User{}
	}
	shown := newSecret()
	var refused error // of a user whose passkey was right
	var expiresAt ident.Timestamp
	err = s.proveAssertion(ctx, from, a, func(tx Tx) error {
		refused = nil
		secrets, err := tx.SecretsOfUser(a.user.ID)
		if err != nil {
			return err
		}
		if replace := toReplace(secrets); replace != "" {
			refused = mustReplace(replace)
			return nil
		}
		if setters, err := settersOf(tx, a.user.ID); err != nil {
			return err
		} else if len(setters) > 0 { // one of them may have registered the passkey
			refused = refusal.Refuse(Unconfirmed)
			return nil
		}
		allowed, ended, err := s.allowedIn(tx, a.user)
		if err != nil {
			return err
		}
		if needs := ticket.Operation.Permission(); !slices.Contains(allowed, needs) {
			refused = s.lacks(needs, ended)
			return nil
		}
		expiresAt, err = s.keepTicket(ctx, tx, ticket, shown, a.user, PasskeyFactor)
		return err
	})
	s.unproved(ctx, from, a.user, PasskeyFactor, err)
	if err := cmp.Or(err, refused); err != nil {
		return Ticket{}, err
	}
	return Ticket{shown, expiresAt}, nil
}
