package access

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/routecard/routecard/internal/remote"
	"github.com/routecard/routecard/shop"
)

// secureCookie is the prefix of the names of cookies that a browser accepts only over https and only from this very host.
const secureCookie = "__Host-"

// SessionCookie returns the name of the cookie that holds a session.
func (s *Service) SessionCookie() string { return s.cookieName("session") }

func (s *Service) cookieName(name string) string {
	if s.options.Secure {
		return secureCookie + name
	}
	return name
}

// cookie makes a cookie that scripts cannot read and that browsers do not send with requests of other sites.
func (s *Service) cookie(name, value string, seconds int) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure only if the service is reached by https: browsers refuse such cookies over http
		Name: s.cookieName(name), Value: value, Path: "/", MaxAge: seconds,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.options.Secure,
	}
}

// newSecret returns 256 random bits as text.
func newSecret() string {
	bits := make([]byte, 32)
	_, _ = rand.Read(bits) // never fails
	return base64.RawURLEncoding.EncodeToString(bits)
}

// open opens a session for a user and ends the session of the request, so that a session identifier planted in the browser before the
// sign-in is useless afterwards. second is the second factor that was proved; "" if none was proved yet.
func (s *Service) open(tx Tx, user shop.User, method, second string, from Visitor) (*http.Cookie, error) {
	if from.Session != "" {
		if old, err := tx.SessionOf(digest(from.Session)); err == nil {
			if err := tx.DeleteSession(old.UserID, old.ID); err != nil && !errors.Is(err, shop.ErrNoRecord) {
				return nil, err
			}
		} else if !errors.Is(err, shop.ErrNoRecord) {
			return nil, err
		}
	}
	secret, now := newSecret(), s.now()
	session := Session{
		ID: s.newID("sess_"), Hash: digest(secret), UserID: user.ID, StationID: from.Station.ID, Method: method, Second: second,
		Address: from.Address, CreatedAt: now, SeenAt: now, ProviderSession: from.providerSession,
	}
	if method == string(Password) || method == string(PasskeyFactor) {
		session.ConfirmedAt = now
	}
	if err := tx.DeleteSessionsBefore(s.since(sessionMost)); err != nil {
		return nil, err
	}
	return s.cookie("session", secret, int(sessionMost/time.Second)), tx.InsertSession(session)
}

// SignOut ends the session of a request. The cookie that it returns removes the session from the browser.
func (s *Service) SignOut(ctx context.Context) (*http.Cookie, error) {
	gone := s.cookie("session", "", -1)
	identity := IdentityOf(ctx)
	if identity == nil || identity.Session.ID == "" {
		return gone, nil
	}
	err := s.store.UpdateAccess(ctx, func(tx Tx) error { return tx.DeleteSession(identity.User.ID, identity.Session.ID) })
	if err != nil && !errors.Is(err, shop.ErrNoRecord) {
		return gone, err
	}
	s.secure(ctx, "sign_out", identity.User.Login, identity.method(), remote.From(ctx).Address, slog.String("outcome", "done"))
	return gone, nil
}

// EndSession ends one of a user's sessions from another session. It succeeds if the session has already ended.
func (s *Service) EndSession(ctx context.Context, userID, id string) error {
	if _, err := managesOf(ctx, userID); err != nil {
		return err
	}
	err := s.store.UpdateAccess(ctx, func(tx Tx) error {
		user, err := findUser(tx, userID)
		if err != nil {
			return err
		}
		if err := tx.DeleteSession(userID, id); err != nil {
			return err
		}
		return tx.AppendAudit(s.accountAction(ctx, shop.ActionSessionEnded, user))
	})
	if errors.Is(err, shop.ErrNoRecord) {
		return nil
	}
	return err
}

// Sessions returns the open sessions of a user, oldest first.
func (s *Service) Sessions(ctx context.Context, userID string) ([]Session, error) {
	var open []Session
	err := s.store.ViewAccess(ctx, func(tx Reader) error {
		sessions, err := tx.SessionsOfUser(userID)
		open = nil
		for _, session := range sessions {
			if !s.ended(session) {
				open = append(open, session)
			}
		}
		return err
	})
	return open, err
}

// Visitor is the origin of a request to sign in.
type Visitor struct {
	Address string
	Session string // the session cookie of the request
	Station Station

	providerSession string // for a user who signs in with a provider; see Session.ProviderSession
}

// Visitor returns the origin of a request.
func (s *Service) Visitor(r *http.Request) (Visitor, error) {
	from := Visitor{Address: remote.Of(r).Address}
	if cookie, err := r.Cookie(s.SessionCookie()); err == nil {
		from.Session = cookie.Value
	}
	var err error
	from.Station, err = s.StationOf(r)
	return from, err
}
