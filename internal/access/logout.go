package access

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// With a logout token, a provider reports which of its sessions have ended (OpenID Connect Back-Channel Logout 1.0). A token is accepted
// once, and only soon after it was made.
const (
	logoutEvent = "http://schemas.openid.net/event/backchannel-logout" //nolint:revive // the name of an event, which is never requested
	logoutLife  = 5 * time.Minute
	logoutMost  = 16 << 10 // bytes of a token
)

const (
	// logoutsAtOnce limits how many tokens are verified at the same time, because strangers can send tokens.
	logoutsAtOnce = 2
	// logoutLimit is the number of invalid tokens that one address may send in attemptWindow.
	logoutLimit = 100
)

// settingLogout is the prefix of the settings that store accepted logout tokens.
const settingLogout = "logout:"

var errLogoutToken = refusal.Refuse(reasonLogoutToken)

// logoutSubject counts invalid logout tokens, separately from wrong passwords.
func logoutSubject(from Visitor) subject {
	place := placeSubject(from)
	place.name, place.strict, place.limit = "logout:"+place.name, true, logoutLimit
	return place
}

// EndedAtProvider ends the sessions that a logout token identifies: the session that began with that session at the provider, or all
// sessions that the person began with the provider. Sessions that began with a password or a badge continue.
func (s *Service) EndedAtProvider(ctx context.Context, from Visitor, token string) error {
	if s.provider == nil {
		return errNoProvider
	}
	// A token that cannot be a logout token causes no request to the provider.
	if !s.provider.mayHaveSigned(token) {
		return errLogoutToken
	}
	place := logoutSubject(from)
	made, err := s.attempt(ctx, place)
	if err != nil {
		return err
	}
	said, err := s.provider.judgeLogout(ctx, token)
	if errors.Is(err, errLogoutToken) {
		return errors.Join(err, s.failed(context.WithoutCancel(ctx), made.full, from.Address))
	}
	if err := errors.Join(err, s.store.UpdateAccess(context.WithoutCancel(ctx), func(tx Tx) error {
		return tx.DeleteAttempt(place.name, made.id)
	}, shop.Aside)); err != nil {
		return err
	}
	return s.endedAtProvider(ctx, said)
}

// endedAtProvider ends the sessions that a valid logout token identifies, unless the token was accepted before.
func (s *Service) endedAtProvider(ctx context.Context, said *oidc.LogoutToken) error {
	return s.store.UpdateAccess(ctx, func(tx Tx) error {
		taken := settingLogout + digest(s.provider.Issuer+" "+said.TokenID)
		if err := tx.LockName(taken); err != nil {
			return err
		}
		if _, _, err := tx.Setting(taken); !errors.Is(err, shop.ErrNoRecord) {
			if err == nil {
				err = errLogoutToken
			}
			return err
		}
		if err := tx.DeleteSettingsBefore(settingLogout, s.since(logoutLife+2*clockSkew)); err != nil {
			return err
		}
		if err := tx.PutSetting(taken, "", s.now()); err != nil {
			return err
		}
		return s.endSessionsOf(tx, said)
	})
}

// endSessionsOf ends the sessions that a logout token identifies. An unknown person has no session.
func (s *Service) endSessionsOf(tx Tx, said *oidc.LogoutToken) error {
	var userID string
	if said.Subject != "" {
		var err error
		userID, err = tx.UserOfIdentity(s.provider.Issuer, said.Subject)
		if errors.Is(err, shop.ErrNoRecord) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	if said.SessionID == "" {
		return tx.DeleteSessionsOfMethod(userID, methodOpenID)
	}
	sessions, err := tx.SessionsOfProvider(s.providerSession(said.SessionID))
	if err != nil {
		return err
	}
	for _, session := range sessions {
		if userID != "" && session.UserID != userID {
			continue
		}
		if err := tx.DeleteSession(session.UserID, session.ID); err != nil {
			return err
		}
	}
	return nil
}

// providerSession hashes the provider's name of a session for storage; "" for none.
func (s *Service) providerSession(named string) string {
	if named == "" {
		return ""
	}
	return digest(s.provider.Issuer + " " + named)
}

// mayHaveSigned reports whether a token claims to be a logout token of the provider. It does not check the signature.
func (p *provider) mayHaveSigned(token string) bool {
	parts := strings.Split(token, ".")
	if len(token) > logoutMost || len(parts) != 3 {
		return false
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	var said struct {
		Issuer string                     `json:"iss"`
		Events map[string]json.RawMessage `json:"events"`
	}
	return err == nil && json.Unmarshal(payload, &said) == nil && said.Issuer == p.Issuer && said.Events[logoutEvent] != nil
}

// judgeLogout verifies that the provider signed a logout token for this client, and recently. It logs the reason if not.
func (p *provider) judgeLogout(ctx context.Context, token string) (*oidc.LogoutToken, error) {
	ctx, cancel := context.WithTimeout(ctx, providerTime)
	defer cancel()
	select {
	case p.logouts <- struct{}{}:
		defer func() { <-p.logouts }()
	case <-ctx.Done():
		return nil, errProviderSilent
	}
	e := &errand{kept: p.answers}
	at, err := p.discoverBy(ctx, e)
	if err != nil {
		return nil, errProviderSilent
	}
	ctx = e.context(ctx)
	now := p.clock()
	said, err := at.VerifierContext(ctx, &oidc.Config{
		ClientID: p.Client, Now: func() time.Time { return now.Add(-clockSkew) },
	}).VerifyLogout(ctx, token)
	switch {
	case err != nil && (e.unanswered.Load() || ctx.Err() != nil):
		p.heard(ctx, err)
		return nil, errProviderSilent
	case err == nil && (said.IssuedAt.After(now.Add(clockSkew)) || said.IssuedAt.Before(now.Add(-logoutLife-clockSkew))):
		err = errors.New("it was not made just now: compare the clocks")
	case err == nil:
		claims := map[string]any{}
		if err = said.Claims(&claims); err == nil && !p.authorized(claims) {
			err = errors.New("it was issued to another client")
		}
	}
	if err != nil {
		p.logger.WarnContext(ctx, "a logout token is not valid", "issuer", p.Issuer, "error", err)
		return nil, errLogoutToken
	}
	return said, nil
}
