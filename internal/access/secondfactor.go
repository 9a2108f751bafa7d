package access

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// A second factor is a passkey or a generator of one-time codes. A user who has one must give it after the password. A user who has none,
// but a role that needs one, must set one up before anything else. No second factor is needed after signing in with a passkey whose
// authenticator verified its user, with a badge and a PIN, or with a provider, which has its own policy.

// The kinds of second factors, as in audit entries and sessions.
const (
	PasskeyFactor     SecretKind = "passkey"
	OneTimeCodeFactor SecretKind = "one_time_code"
	RecoveryFactor    SecretKind = "recovery_code" // for users who have lost their other second factors
)

// SecondStep is the step of the second factor that a signed-in user still needs.
type SecondStep string

// The steps. The zero SecondStep means that no step is needed.
const (
	GiveSecond  SecondStep = "give"   // the user has a second factor
	SetUpSecond SecondStep = "set-up" // the user has none, but a role that needs one
)

// The refusals for users who must take such a step first.
var (
	ErrGiveSecond  error = refusal.Refuse(reasonGiveSecond)
	ErrSetUpSecond error = refusal.Refuse(reasonSetUpSecond)
)

// secondStep returns the step of the second factor that a session still needs.
func secondStep(session Session, roles []string) SecondStep {
	switch {
	case session.Method != string(Password) || session.Second != "":
		return ""
	case session.HasSecond:
		return GiveSecond
	case needsSecond(session.NeedsSecond, roles):
		return SetUpSecond
	}
	return ""
}

// stepAfter returns the step of the second factor that a user needs after opening a session.
func (s *Service) stepAfter(tx Reader, user shop.User, method SecretKind) (SecondStep, error) {
	factors, err := secondFactors(tx, user)
	if err != nil {
		return "", err
	}
	session := Session{Method: string(method), HasSecond: factors.any()}
	if factors.Required {
		session.NeedsSecond = user.Roles
	}
	return secondStep(session, user.Roles), nil
}

func needsSecond(needing, roles []string) bool {
	return slices.ContainsFunc(roles, func(role string) bool { return slices.Contains(needing, role) })
}

// factorsOf returns the name of the lock that is held while the number of a user's second factors changes.
func factorsOf(userID string) string { return "factors:" + userID }

// secondSubject counts wrong second factors separately from wrong passwords: a caller who knows the password must not get more attempts by
// giving the password in between. The attempts are counted for all places together, because a code has only six digits.
func secondSubject(user shop.User) subject {
	return subject{name: accountPrefix(user.ID) + "second", userID: user.ID, kind: "account", said: user.Login, everywhere: true}
}

// weigh counts an attempt as wrong before it is checked. If the attempt is right, one transaction removes the count and calls then. A wrong
// attempt is refused with the error wrong, even if only then detects it.
func (s *Service) weigh(ctx context.Context, from Visitor, user shop.User, account subject, wrong error,
	right func() (bool, error), then func(Tx) error,
) error {
	place := placeSubject(from)
	made, err := s.attempt(ctx, account, place)
	if err != nil {
		return err
	}
	is, err := right()
	if err != nil {
		return err
	}
	if is && user.Active && user.Login != "" {
		err := s.store.UpdateAccess(ctx, func(tx Tx) error {
			if now, err := tx.User(user.ID); err != nil {
				return err
			} else if !now.Active {
				return wrong
			}
			if err := s.succeeded(tx, made.id, account, place); err != nil {
				return err
			}
			return then(tx)
		})
		if !errors.Is(err, wrong) {
			return err
		}
	}
	if err := s.failed(context.WithoutCancel(ctx), made.full, from.Address); err != nil {
		return err
	}
	if made.crowded > 0 {
		return tooManyAttempts(made.crowded)
	}
	return wrong
}

// entering returns the caller who must or may give a second factor.
func entering(ctx context.Context) (*Identity, error) {
	identity := IdentityOf(ctx)
	switch {
	case identity == nil:
		return nil, authenticationRequired()
	case identity.Session.Method != string(Password):
		return nil, refusal.Refuse(reasonNoSecondStep)
	}
	return identity, nil
}

// SecondFactorInput is the body of Give Second Factor: a code or an assertion.
type SecondFactorInput struct {
	Code    input.TextInput   `field:"code"` // a one-time code or a recovery code
	Passkey input.ObjectInput `field:"passkey" form:"-"`
}

// GiveSecondFactor completes a sign-in. It opens a new session and returns its cookie.
func (s *Service) GiveSecondFactor(ctx context.Context, from Visitor, in SecondFactorInput,
) (as SignedInAs, cookie *http.Cookie, err error) {
	identity, err := entering(ctx)
	if err != nil {
		return as, nil, err
	}
	open := func(kind SecretKind) func(Tx) error {
		return func(tx Tx) (err error) {
			cookie, err = s.open(tx, identity.User, identity.Session.Method, string(kind), from)
			return err
		}
	}
	raw, err := optionalPasskey(in.Passkey)
	if err != nil {
		return as, nil, err
	}
	means := OneTimeCodeFactor
	if raw != nil {
		means = PasskeyFactor
		var a *assertion
		if a, err = s.readAssertion(ctx, raw, challengeSecond, identity.Session.ID); err == nil {
			err = s.proveAssertion(ctx, from, a, open(PasskeyFactor))
		}
	} else {
		err = s.proveCode(ctx, from, identity.User, in.Code, open)
	}
	s.attempted(ctx, from, identity.User, string(means), err)
	if err != nil {
		return as, nil, err
	}
	as = SignedInAs{User: identity.User, MustChange: identity.Session.MustChange != ""}
	as.Permissions, _ = s.allowed(identity.User, identity.Session.OwnerSeenAt)
	return as, cookie, nil
}

// SecondFactors are the second factors of a user.
type SecondFactors struct {
	Required      bool      `json:"required"` // whether a role of the user requires a second factor
	Passkeys      []Passkey `json:"passkeys"`
	OneTimeCodes  bool      `json:"oneTimeCodes"`
	RecoveryCodes int64     `json:"recoveryCodes"` // the number of unused codes
}

// any reports whether the user has a second factor.
func (f SecondFactors) any() bool { return len(f.Passkeys) > 0 || f.OneTimeCodes }

func secondFactors(tx Reader, user shop.User) (f SecondFactors, err error) {
	needing, err := tx.SecondFactorRoles()
	if err != nil {
		return f, err
	}
	f.Required, f.Passkeys = needsSecond(needing, user.Roles), []Passkey{}
	passkeys, err := tx.PasskeysOfUser(user.ID)
	if err != nil {
		return f, err
	}
	f.Passkeys = append(f.Passkeys, passkeys...)
	code, err := tx.OneTimeCode(user.ID)
	if err != nil && !errors.Is(err, shop.ErrNoRecord) {
		return f, err
	}
	f.OneTimeCodes = err == nil && code.ConfirmedAt > 0
	f.RecoveryCodes, err = tx.CountRecoveryCodes(user.ID)
	return f, err
}

// MySecondFactors returns the second factors of the caller.
func (s *Service) MySecondFactors(ctx context.Context) (SecondFactors, error) {
	identity := IdentityOf(ctx)
	if identity == nil {
		return SecondFactors{}, authenticationRequired()
	}
	return s.SecondFactorsOf(ctx, identity.User.ID)
}

// SecondFactorsOf returns the second factors of a user.
func (s *Service) SecondFactorsOf(ctx context.Context, userID string) (f SecondFactors, err error) {
	err = s.store.ViewAccess(ctx, func(tx Reader) error {
		user, err := findUser(tx, userID)
		if err != nil {
			return err
		}
		f, err = secondFactors(tx, user)
		return err
	})
	return f, err
}

var errLastFactor = refusal.Refuse(reasonLastFactor)

// removeFactor removes a second factor of the caller, but not the last one while one of the caller's roles needs one. The caller's other
// sessions end, because a finder of the factor may have opened one of them.
func (s *Service) removeFactor(ctx context.Context, from Visitor, in Confirmation, remove func(Tx, shop.User) (factorChange, error)) error {
	identity, err := s.confirm(ctx, from, in)
	if err != nil {
		return err
	}
	return s.store.UpdateAccess(ctx, func(tx Tx) error {
		if err := tx.LockName(factorsOf(identity.User.ID)); err != nil {
			return err
		}
		user, err := findUser(tx, identity.User.ID)
		if err != nil {
			return err
		}
		if err := refuseUnreadUser(ctx, user); err != nil {
			return err
		}
		change, err := remove(tx, user)
		if err != nil {
			return err
		}
		left, err := secondFactors(tx, user)
		switch {
		case err != nil:
			return err
		case left.Required && !left.any():
			return errLastFactor
		case !left.any():
			if err := tx.DeleteRecoveryCodes(user.ID); err != nil {
				return err
			}
		}
		if err := tx.DeleteSessionsOfUser(user.ID, identity.Session.ID); err != nil {
			return err
		}
		return tx.AppendAudit(s.factorEntry(ctx, user, change))
	})
}

// RemoveSecondFactors removes all second factors of another user who has lost them, and ends that user's sessions. If one of the user's
// roles needs a second factor, the user must set one up at the next sign-in.
func (s *Service) RemoveSecondFactors(ctx context.Context, from Visitor, userID string, in Confirmation) error {
	identity, err := s.confirm(ctx, from, in)
	switch {
	case err != nil:
		return err
	case !slices.Contains(identity.Permissions, shop.OpChangeAccount.Permission()):
		return NotPermitted(shop.OpChangeAccount.Permission())
	case identity.User.ID == userID:
		return refusal.Refuse(reasonOwnFactors)
	}
	ctx = shop.Signable(ctx, signedRemoval{input.Given("second factors")}, userID)
	return s.store.UpdateAccess(ctx, func(tx Tx) error {
		if err := tx.LockName(factorsOf(userID)); err != nil {
			return err
		}
		user, err := findUser(tx, userID)
		if err != nil {
			return err
		}
		if err := refuseUnreadUser(ctx, user); err != nil {
			return err
		}
		entries, err := s.removeFactors(ctx, tx, user)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			return refusal.Refuse(reasonNoFactors)
		}
		if err := tx.DeleteSessionsOfUser(userID, ""); err != nil {
			return err
		}
		return tx.AppendAudit(entries...)
	})
}

// removeFactors removes all second factors of a user, and returns the audit entries that record it.
func (s *Service) removeFactors(ctx context.Context, tx Tx, user shop.User) (entries []trail.Entry, err error) {
	had, err := secondFactors(tx, user)
	if err != nil {
		return nil, err
	}
	for _, passkey := range had.Passkeys {
		entries = append(entries, s.factorEntry(ctx, user, factorChange{
			Kind: PasskeyFactor, PasskeyID: passkey.ID, Name: passkey.Name, Removed: true,
		}))
	}
	if had.OneTimeCodes {
		entries = append(entries, s.factorEntry(ctx, user, factorChange{Kind: OneTimeCodeFactor, Removed: true}))
	}
	return entries, errors.Join(tx.DeletePasskeysOfUser(user.ID), tx.DeleteOneTimeCode(user.ID), tx.DeleteRecoveryCodes(user.ID))
}

// factorChange is the metadata of an entry that records a change of a user's second factors.
type factorChange struct {
	Kind      SecretKind `json:"kind"`
	PasskeyID string     `json:"passkeyId,omitempty"`
	Name      string     `json:"name,omitempty"` // the name of the passkey
	Removed   bool       `json:"removed,omitempty"`
	Left      *int64     `json:"left,omitempty"` // the number of unused recovery codes after a use, or after new ones were made
}

func (s *Service) factorEntry(ctx context.Context, user shop.User, change factorChange) trail.Entry {
	by := shop.CallerOf(ctx).Login
	if by == "" {
		by = user.Login
	}
	return trail.Entry{
		Action: shop.ActionSecretChanged, UserID: by, Timestamp: s.now(),
		Metadata: metadata(struct {
			AccountID string `json:"accountId"`
			Login     string `json:"login,omitempty"`
			factorChange
		}{user.ID, user.Login, change}),
	}
}

// Policy defines which users need a second factor.
type Policy struct {
	SecondFactor []string `json:"secondFactor"` // roles
}

// AccessPolicy returns which roles need a second factor.
func (s *Service) AccessPolicy(ctx context.Context) (policy Policy, err error) {
	err = s.store.ViewAccess(ctx, func(tx Reader) (err error) {
		policy, err = readPolicy(tx)
		return err
	})
	return policy, err
}

func refuseUnreadPolicy(ctx context.Context, policy Policy) error {
	return shop.RefuseUnread(ctx, shop.NameAccessPolicy, "", func() (any, error) { return policy, nil })
}

// readPolicy lists the roles in the order of their table.
func readPolicy(tx Reader) (Policy, error) {
	needing, err := tx.SecondFactorRoles()
	return Policy{slices.DeleteFunc(roleNames(), func(role string) bool { return !slices.Contains(needing, role) })}, err
}

// PolicyInput is the body of Set Access Policy.
type PolicyInput struct {
	SecondFactor input.TextsInput `field:"secondFactor" form:"role"`
}

// SetAccessPolicy sets the roles that need a second factor. It applies from each user's next request. Omitted fields stay as they are.
func (s *Service) SetAccessPolicy(ctx context.Context, in PolicyInput) (policy Policy, err error) {
	if err := shop.CallerOf(ctx).RequireConfirmed(); err != nil {
		return policy, err
	}
	if !in.SecondFactor.Supplied() {
		if policy, err = s.AccessPolicy(ctx); err == nil {
			err = refuseUnreadPolicy(ctx, policy)
		}
		return policy, err
	}
	wanted, err := checkRoleList("secondFactor", in.SecondFactor)
	if err != nil {
		return policy, err
	}
	ctx = shop.Signable(ctx, in)
	err = s.once(ctx, func(tx Tx) error {
		before, err := readPolicy(tx)
		if err != nil {
			return err
		}
		if err := refuseUnreadPolicy(ctx, before); err != nil {
			return err
		}
		policy = Policy{wanted}
		if slices.Equal(before.SecondFactor, wanted) {
			return nil
		}
		if err := tx.PutSecondFactorRoles(wanted); err != nil {
			return err
		}
		return tx.AppendAudit(trail.Entry{
			Action: shop.ActionAccessPolicyChanged, UserID: shop.CallerOf(ctx).Login, Timestamp: s.now(),
			Metadata: metadata(struct {
				Before Policy `json:"before"`
				After  Policy `json:"after"`
			}{before, policy}),
		})
	})
	return policy, err
}

// typedCode normalizes a typed code for the comparison: it removes spaces and hyphens, and makes letters upper case.
func typedCode(text string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(text))
}
